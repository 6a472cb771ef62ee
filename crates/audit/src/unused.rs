//! Reports declarations that no code uses. Only complete rulesets are checked, and only their own file, because other
//! rulesets use a base.

use super::Audit;
use crate::reads::{Used, used_by_all};
use crate::ruleset::{FieldSort, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic};
use grognard_syntax::tree::TraitSort;
use std::collections::HashSet;

impl Audit<'_> {
    /// Reports params, readings, lets without a title, stats, states, tables and statuses that no code uses. Procs are not
    /// reported, because `odds` and the steps of scenarios call them.
    pub fn unused(&mut self) {
        if !self.rs.open.is_empty() {
            return;
        }
        let used = used_by_all(self.rs);
        let mut found: Vec<(ItemId, &str)> = Vec::new();
        self.unused_values(&used, &mut found);
        self.unused_fields(&used, &mut found);
        for (at, t) in self.rs.traits.iter().enumerate() {
            if t.sort == TraitSort::Status && !used.traits.contains(TraitId::from(at)) {
                found.push((t.item, "never granted and never used in a condition"));
            }
        }
        for (item, what) in found {
            let data = &self.rs.items[item.at()];
            let short = data.name.rsplit('.').next().unwrap_or(&data.name);
            if self.is_own(item) && !self.is_in_examples(short) {
                let found =
                    Diagnostic::new(Code::Unused, data.span, format!("{} `{}` is {what} here", data.word, data.name));
                self.problems.push(match data.word == "let" {
                    true => found.help("use it or remove it; give it a title if only scenarios and `--of` use it"),
                    false => found,
                });
            }
        }
    }

    fn unused_values(&self, used: &Used, found: &mut Vec<(ItemId, &'static str)>) {
        let rs = self.rs;
        for name in rs.names.values.values() {
            match *name {
                ValueName::Setting(id) if !used.settings.contains(id) => {
                    found.push((rs.settings[id.at()].item, "never read"))
                }
                ValueName::Global(id) if !used.globals.contains(id) => {
                    found.push((rs.globals[id.at()].item, "never used"))
                }
                ValueName::Let(id) if !used.functions.contains(id) => {
                    let function = &rs.functions[id.at()];
                    let item = &rs.items[function.item.at()];
                    if !function.external && (item.word == "table" || item.title.is_empty()) {
                        found.push((function.item, "never read"));
                    }
                }
                _ => {}
            }
        }
    }

    fn unused_fields(&self, used: &Used, found: &mut Vec<(ItemId, &'static str)>) {
        let special: HashSet<FieldId> =
            self.rs.kinds.iter().flat_map(|k| [k.owner, k.blocks, k.height, k.tree]).flatten().collect();
        for (at, field) in self.rs.fields.iter().enumerate() {
            let id = FieldId::from(at);
            let counts = match field.sort {
                FieldSort::Stat | FieldSort::State => true,
                FieldSort::Let(_) => self.rs.items[field.item.at()].title.is_empty(),
                FieldSort::Link | FieldSort::BackLink(_) => false,
            };
            if counts && !used.fields.contains(id) && !special.contains(&id) {
                found.push((field.item, "never read"));
            }
        }
    }
}
