//! Checks that no decision can lead to an error. An error has no value, so there is no best line of play if a decision
//! can lead to one.

use super::graph::*;
use fixedbitset::FixedBitSet;
use grognard_base::Code;
use grognard_vm::Fault;
use std::collections::BTreeSet;

/// Number of decisions that the message names.
const NAMED: usize = 3;

impl Graph<'_> {
    /// Checks that no decision leads to an error.
    ///
    /// # Errors
    ///
    /// Names the first error that a decision can lead to, with the decisions and the entries before it.
    pub(super) fn is_safe(&self) -> Result<(), Fault> {
        let faults = (0..self.nodes.len() as Node).filter(|n| matches!(self.nodes[*n as usize], Sort::Fault(_)));
        let faults: Vec<Node> = faults.collect();
        if faults.is_empty() {
            return Ok(());
        }
        let before = self.edges_back();
        match faults.into_iter().find_map(|fault| self.led_to(fault, &before)) {
            Some(found) => Err(found),
            None => Ok(()),
        }
    }

    /// Returns the edges in reverse, sorted by the node to which they lead: that node, the edge, the node it leaves.
    fn edges_back(&self) -> Vec<(Node, u32, Node)> {
        let edges = |node| self.edges_of(node).map(move |edge| (self.to[edge], edge as u32, node));
        let mut back: Vec<_> = (0..self.ends.len() as Node).flat_map(edges).collect();
        back.sort_unstable();
        back
    }

    /// Returns the finding on an error, or `None` if only chance leads to it.
    fn led_to(&self, node: Node, back: &[(Node, u32, Node)]) -> Option<Fault> {
        let Sort::Fault(n) = self.nodes[node as usize] else { return None };
        let mut seen = FixedBitSet::with_capacity(self.nodes.len());
        let mut open = vec![node];
        // the last decisions before the error; what is decided earlier is not followed
        let mut entries = BTreeSet::new();
        while let Some(node) = open.pop() {
            if seen.put(node as usize) {
                continue;
            }
            let from = back.partition_point(|(to, ..)| *to < node);
            for (_, edge, from) in back[from..].iter().take_while(|(to, ..)| *to == node) {
                match self.decision(*from) {
                    Some(decision) => {
                        let entry = *edge as usize - self.edges_of(*from).start;
                        entries.insert(self.rendered(decision, entry));
                    }
                    None => open.push(*from),
                }
            }
        }
        let fault = &self.faults[n as usize];
        let mut decided: Vec<String> = entries.iter().take(NAMED).cloned().collect();
        match entries.len().saturating_sub(NAMED) {
            0 => {}
            more => decided.push(format!("{more} more")),
        }
        (!decided.is_empty()).then(|| {
            let message = format!("{} can lead to {}: {}", decided.join(", "), fault.code.id(), fault.message);
            Fault { code: Code::Astray, message, ..fault.clone() }
        })
    }

    /// Returns an entry of a decision as text.
    fn rendered(&self, decision: &Decision, entry: usize) -> String {
        let site = &self.rules().sites[decision.site.at()].name;
        let of = self.game.packed_name(decision.who.subject);
        let of = if of.is_empty() { of } else { format!(" of {of}") };
        match decision.names.get(entry).filter(|name| !name.is_empty()) {
            Some(name) => format!("`{site} = {name}`{of}"),
            None => format!("`{site}`{of}"),
        }
    }
}
