//! Strongly connected components of the graph (Tarjan 1972).

use super::graph::*;

/// The components of a graph, one after the other in one list.
#[derive(Default)]
pub struct Components {
    nodes: Vec<Node>,
    ends: Vec<usize>,
}

impl Components {
    /// Returns an iterator over the components.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[Node]> {
        (0..self.ends.len()).map(|n| &self.nodes[if n == 0 { 0 } else { self.ends[n - 1] }..self.ends[n]])
    }
}

impl Graph<'_> {
    /// Returns the strongly connected components: each comes before those that lead to it. The nodes of a component are
    /// in ascending order.
    pub(super) fn parts(&self) -> Components {
        let count = self.nodes.len();
        let rises = |n: &usize| self.taken(*n as Node).all(|e| self.to[e] as usize > *n);
        if (0..count).all(|n| rises(&n)) {
            // Every edge leads to a later node, so the graph is acyclic.
            return Components { nodes: (0..count as Node).rev().collect(), ends: (1..=count).collect() };
        }
        self.parts_among(0..self.nodes.len() as Node, |_| true)
    }

    /// Returns the strongly connected components among the nodes that `inside` accepts, from `roots`.
    pub(super) fn parts_among(&self, roots: impl Iterator<Item = Node>, inside: impl Fn(Node) -> bool) -> Components {
        let count = self.nodes.len();
        let mut parts = Components::default();
        let mut index = vec![u32::MAX; count];
        let mut low = vec![0u32; count];
        let mut on = vec![false; count];
        let mut stack: Vec<Node> = Vec::new();
        let mut next = 0;
        let mut work: Vec<(Node, std::ops::Range<usize>)> = Vec::new();
        for root in roots {
            if index[root as usize] != u32::MAX {
                continue;
            }
            work.push((root, self.taken(root)));
            (index[root as usize], low[root as usize]) = (next, next);
            next += 1;
            stack.push(root);
            on[root as usize] = true;
            while let Some((node, edges)) = work.last_mut() {
                let node = *node;
                if let Some(edge) = edges.next() {
                    let to = self.to[edge];
                    if to == UNEXPLORED || !inside(to) {
                        continue;
                    }
                    if index[to as usize] == u32::MAX {
                        (index[to as usize], low[to as usize]) = (next, next);
                        next += 1;
                        stack.push(to);
                        on[to as usize] = true;
                        work.push((to, self.taken(to)));
                    } else if on[to as usize] {
                        low[node as usize] = low[node as usize].min(index[to as usize]);
                    }
                    continue;
                }
                work.pop();
                if let Some((above, _)) = work.last() {
                    let above = *above as usize;
                    low[above] = low[above].min(low[node as usize]);
                }
                if low[node as usize] == index[node as usize] {
                    let from = stack.iter().rposition(|member| *member == node).unwrap_or(0);
                    stack[from..].sort_unstable();
                    stack[from..].iter().for_each(|member| on[*member as usize] = false);
                    parts.nodes.extend(stack.drain(from..));
                    parts.ends.push(parts.nodes.len());
                }
            }
        }
        parts
    }
}
