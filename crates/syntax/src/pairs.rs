//! The parse tree of one piece of a text as a flat list in preorder. Each node has the index of the first node after
//! its subtree. Offsets are relative to the start of the piece, so a piece that moves keeps its tree.

use super::grammar::Rule;
use pest::Token;
use pest::iterators::Pairs as PestPairs;

/// A node: its rule, its byte range, and the index of the first node after its subtree.
#[derive(Clone, Copy, Debug)]
struct Node {
    rule: Rule,
    start: u32,
    end: u32,
    after: u32,
}

/// A parse tree, or a sequence of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes(Vec<Node>);

/// A node of a tree, with the text that it was parsed from.
#[derive(Clone)]
pub(super) struct Pair<'i> {
    text: &'i str,
    nodes: &'i [Node],
    at: usize,
}

/// An iterator over sibling nodes in order. With `flat`, it also visits their descendants.
#[derive(Clone)]
pub(super) struct Pairs<'i> {
    text: &'i str,
    nodes: &'i [Node],
    at: usize,
    end: usize,
    flat: bool,
}

/// The byte range of a node.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    start: usize,
    end: usize,
}

impl Stretch {
    pub fn start(self) -> usize {
        self.start
    }

    pub fn end(self) -> usize {
        self.end
    }
}

impl Nodes {
    /// Converts the output of the parser.
    pub fn of(pairs: PestPairs<'_, Rule>) -> Nodes {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for token in pairs.tokens() {
            match token {
                Token::Start { rule, pos } => {
                    open.push(nodes.len());
                    nodes.push(Node { rule, start: pos.pos() as u32, end: 0, after: 0 });
                }
                Token::End { pos, .. } => {
                    let after = nodes.len() as u32;
                    if let Some(node) = open.pop().and_then(|at| nodes.get_mut(at)) {
                        (node.end, node.after) = (pos.pos() as u32, after);
                    }
                }
            }
        }
        Nodes(nodes)
    }

    /// Returns the trees with the text that they were parsed from.
    pub fn over<'i>(&'i self, text: &'i str) -> Pairs<'i> {
        Pairs { text, nodes: &self.0, at: 0, end: self.0.len(), flat: false }
    }
}

impl<'i> Pair<'i> {
    pub fn as_rule(&self) -> Rule {
        self.nodes[self.at].rule
    }

    pub fn as_span(&self) -> Stretch {
        let node = self.nodes[self.at];
        Stretch { start: node.start as usize, end: node.end as usize }
    }

    pub fn as_str(&self) -> &'i str {
        let Stretch { start, end } = self.as_span();
        self.text.get(start..end).unwrap_or("")
    }

    /// Returns an iterator over the children of the node.
    pub fn into_inner(self) -> Pairs<'i> {
        let Pair { text, nodes, at } = self;
        Pairs { text, nodes, at: at + 1, end: nodes[at].after as usize, flat: false }
    }
}

impl Pairs<'_> {
    /// Returns an iterator that also visits the descendants, in the order of the text.
    pub fn flatten(self) -> Self {
        Pairs { flat: true, ..self }
    }
}

impl<'i> Iterator for Pairs<'i> {
    type Item = Pair<'i>;

    fn next(&mut self) -> Option<Pair<'i>> {
        if self.at >= self.end {
            return None;
        }
        let pair = Pair { text: self.text, nodes: self.nodes, at: self.at };
        self.at = if self.flat { self.at + 1 } else { self.nodes[self.at].after as usize };
        Some(pair)
    }
}
