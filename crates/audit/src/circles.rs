//! Reports circular dependencies: bounds that depend on each other, and traits that depend on a value that they change.

use super::Audit;
use crate::ruleset::{Ruleset, Stored};
use grognard_base::Code;
use grognard_base::value::*;

impl Audit<'_> {
    /// Reports circular bounds and circular traits.
    pub fn circles(&mut self) {
        self.bound_circles();
        let rs = self.rs;
        for at in 0..rs.traits.len() {
            self.trait_circles(TraitId::from(at));
        }
    }

    fn bound_circles(&mut self) {
        let slots = bounded_slots(self.rs);
        let next: Vec<Vec<usize>> = slots.iter().map(|(_, _, bounds)| self.slots_read(bounds, &slots)).collect();
        if let Some(circle) = find_circle(&next) {
            let names: Vec<&str> = circle.iter().map(|n| self.rs.items[slots[*n].1.at()].name.as_str()).collect();
            let message = match names.as_slice() {
                [one] => format!("the bound of `{one}` depends on `{one}` itself"),
                [first, others @ ..] => {
                    let way: String = others.iter().map(|n| format!(" `{n}`, whose bound depends on")).collect();
                    format!("the bound of `{first}` depends on{way} `{first}`")
                }
                [] => return,
            };
            self.say(Code::Circle, self.span(slots[circle[0]].1), message);
        }
    }

    /// Returns the indices of the slots that these bounds read.
    fn slots_read(&self, bounds: &[FuncId], slots: &[(Stored, ItemId, Vec<FuncId>)]) -> Vec<usize> {
        let reads = |slot: Stored| bounds.iter().any(|f| self.reads[f.at()].has(slot));
        (0..slots.len()).filter(|at| reads(slots[*at].0)).collect()
    }

    fn trait_circles(&mut self, id: TraitId) {
        let data = &self.rs.traits[id.at()];
        let (item, name) = (data.item, data.name.as_str());
        for change in &data.changes {
            let field = &self.rs.fields[change.field.at()].name;
            let reads = |f: FuncId| self.reads[f.at()].fields.contains(change.field);
            let message = if data.when.is_some_and(reads) {
                format!("whether `{name}` holds depends on `{field}`, which `{name}` changes")
            } else if reads(change.value) || change.when.is_some_and(reads) {
                format!("the change of `{name}` to `{field}` depends on `{field}`")
            } else {
                continue;
            };
            let span = self.rs.functions[change.value.at()].locals.first().map_or(self.span(item), |l| l.span);
            return self.say(Code::Circle, span, message);
        }
        if let Some(when) = data.when
            && self.reads[when.at()].traits.contains(id)
        {
            let message = format!("whether `{name}` holds depends on `{name}` itself");
            self.say(Code::Circle, self.span(item), message);
        }
    }
}

/// Returns the states with computed bounds, and the functions that compute these bounds.
fn bounded_slots(rs: &Ruleset) -> Vec<(Stored, ItemId, Vec<FuncId>)> {
    let bounded = |slot: Stored| {
        let declared = rs.declared(slot);
        let bounds: Vec<FuncId> = declared.bounds.0.into_iter().chain(declared.bounds.1).collect();
        (slot, declared.item, bounds)
    };
    rs.all_stored().map(bounded).filter(|(_, _, bounds)| !bounds.is_empty()).collect()
}

/// Returns a cycle of a graph, or `None` if the graph is acyclic. Removes nodes without successors repeatedly (A. B. Kahn,
/// 1962), and then follows the remaining edges.
fn find_circle(next: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut left: Vec<usize> = next.iter().map(Vec::len).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (at, targets) in next.iter().enumerate() {
        targets.iter().for_each(|t| before[*t].push(at));
    }
    let mut queue: Vec<usize> = (0..next.len()).filter(|at| left[*at] == 0).collect();
    while let Some(at) = queue.pop() {
        for from in &before[at] {
            left[*from] -= 1;
            if left[*from] == 0 {
                queue.push(*from);
            }
        }
    }
    let mut path = vec![left.iter().position(|n| *n > 0)?];
    loop {
        let at = *path.last()?;
        let step = *next[at].iter().find(|t| left[**t] > 0)?;
        if let Some(first) = path.iter().position(|p| *p == step) {
            return Some(path.split_off(first));
        }
        path.push(step);
    }
}
