//! The reference sheet: the numbers, tables, actions, modifiers and statuses of a ruleset, without prose.

use super::model::Grid;
use super::plainly::{called, marked};
use super::tell::Teller;
use super::words::{Words, capital, human, phrase};
use grognard_syntax::tree::{
    Action, ExprKind, Item, ItemKind, ModifyOp, Name, StmtKind, Trait, TraitMember, TraitMemberKind,
};
use std::sync::Arc;

/// A reference sheet.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The tables of the sheet, each with a caption. None of them is empty.
    pub grids: Vec<Grid>,
}

impl Teller<'_> {
    /// Builds the sheet of these merged items.
    pub fn sheet(&self, items: &[Arc<Item>]) -> Sheet {
        let of = |caption: &str, heads: &[&str]| Grid {
            caption: caption.into(),
            heads: heads.iter().map(|head| Words::from(*head)).collect(),
            ..Grid::default()
        };
        let mut numbers = of("Numbers", &[]);
        let mut actions = of("Actions", &["action", "in", "not allowed if", "limit", "clauses"]);
        let mut modifiers = of("Modifiers", &["number", "change", "by"]);
        let mut statuses = of("Statuses and traits", &["name", "effect", "clauses"]);
        let mut tables = Vec::new();
        for item in items {
            let cites: Vec<&str> = item.cites.iter().map(|cite| cite.text.as_str()).collect();
            let cites = cites.join(", ");
            let push = |grid: &mut Grid, cells: Vec<String>| {
                grid.rows.push((String::new(), cells.into_iter().map(Words::from).collect()));
            };
            if grognard_rules::item_title(&item.kind).is_some()
                && let Some((title, value)) = self.number(&item.kind)
            {
                push(&mut numbers, vec![marked(title, item), value]);
            }
            tables.extend(self.chart(&item.kind));
            match &item.kind {
                ItemKind::Action(action) => push(&mut actions, self.action(action, items, cites)),
                ItemKind::Trait(found) => {
                    let name = capital(&phrase(&found.name.text));
                    for member in &found.members {
                        if let Some((number, change)) = self.modifier(member) {
                            push(&mut modifiers, vec![number, change, name.clone()]);
                        }
                    }
                    let effects = self.effects(found).join("; ");
                    if !effects.is_empty() {
                        push(&mut statuses, vec![name, effects, cites]);
                    }
                }
                _ => {}
            }
        }
        // A column with one value everywhere is a caption.
        if let Some(phase) = actions.rows.first().and_then(|(_, row)| row.get(1)).cloned()
            && actions.rows.iter().all(|(_, row)| row.get(1) == Some(&phase))
        {
            actions.caption = format!("Actions: {}", phase.plain());
            actions.heads.remove(1);
            actions.rows.iter_mut().for_each(|(_, row)| drop(row.remove(1)));
        }
        let all = [numbers].into_iter().chain(tables).chain([actions, modifiers, statuses]);
        Sheet { grids: all.filter(|grid| !grid.rows.is_empty()).map(narrowed).collect() }
    }

    fn action(&self, action: &Action, items: &[Arc<Item>], cites: String) -> Vec<String> {
        let titled = |name: &Name| {
            let own = |item: &&Arc<Item>| grognard_rules::item_name(&item.kind).is_some_and(|n| n.text == name.text);
            let phases = items.iter().filter(|item| matches!(item.kind, ItemKind::Phase(_)));
            let found = phases.filter(|item| own(item)).find_map(|item| grognard_rules::item_title(&item.kind));
            found.map_or_else(|| phrase(&name.text), |title| title.text.clone())
        };
        let (mut refusals, mut limits) = (Vec::new(), Vec::new());
        for stmt in &action.body.stmts {
            match &stmt.kind {
                StmtKind::Needs { reason: Some(reason), .. } => refusals.push(reason.text.clone()),
                StmtKind::Limit { times, per, key, .. } => {
                    let times = self.plainly(times).unwrap_or_else(|| "a number".into());
                    let each = match key.as_ref().map(|key| &key.kind) {
                        Some(ExprKind::Name(of)) => format!(", for each {}", phrase(of)),
                        _ => String::new(),
                    };
                    limits.push(format!("{times} per {}{each}", phrase(&per.text)));
                }
                _ => {}
            }
        }
        let title = action.title.as_ref().map_or("", |title| title.text.as_str());
        let name = match called(&action.name.text, title) {
            (name, title) if title.is_empty() => name,
            (name, title) => format!("{name}: {title}"),
        };
        let phases: Vec<String> = action.phases.iter().map(titled).collect();
        vec![name, phases.join(", "), refusals.join("; "), limits.join("; "), cites]
    }

    /// Returns the name of a number that a line of a trait changes, and the change.
    fn modifier(&self, member: &TraitMember) -> Option<(String, String)> {
        let (name, change, when) = match &member.kind {
            TraitMemberKind::Modify { name, op, value, when, .. } => {
                let value = self.plainly(value);
                let by =
                    |sign: &str| value.as_ref().map_or_else(|| format!("{sign} (varies)"), |v| format!("{sign}{v}"));
                let change = match op {
                    ModifyOp::Add => by("+"),
                    ModifyOp::Sub => by("−"),
                    ModifyOp::Times(None) => by("× "),
                    ModifyOp::Times(Some(to)) => format!("{}, {}", by("× "), to.op().written()),
                    ModifyOp::AtMost => by("at most "),
                    ModifyOp::AtLeast => by("at least "),
                };
                (name, change, when)
            }
            TraitMemberKind::Replace { name, value, when, .. } => {
                (name, self.plainly(value).map_or_else(|| "another value".into(), |v| format!("= {v}")), when)
            }
            TraitMemberKind::Forbid { .. } | TraitMemberKind::Let(_) | TraitMemberKind::Rule(_) => return None,
        };
        let called = match self.target(name.span) {
            Some(target) => capital(&human(&target.called)),
            None => capital(&phrase(&name.text)),
        };
        Some((called, if when.is_some() { format!("{change}, under a condition") } else { change }))
    }

    /// Returns the effects of a trait, except its modifiers.
    fn effects(&self, found: &Trait) -> Vec<String> {
        let title = found
            .title
            .iter()
            .map(|title| title.text.clone())
            .filter(|title| called(&found.name.text, title).1 == *title);
        let effect = |member: &TraitMember| match &member.kind {
            TraitMemberKind::Forbid { actions, when } => {
                let names: Vec<String> = actions.iter().map(|name| phrase(&name.text)).collect();
                let when = if when.is_some() { ", under a condition" } else { "" };
                Some(format!("may not {}{when}", names.join(", ")))
            }
            TraitMemberKind::Rule(rule) => rule.title.as_ref().map(|title| title.text.clone()),
            TraitMemberKind::Modify { .. } | TraitMemberKind::Replace { .. } => {
                self.modifier(member).map(|(number, change)| format!("{number} {change}"))
            }
            TraitMemberKind::Let(_) => None,
        };
        title.chain(found.members.iter().filter_map(effect)).collect()
    }
}

/// Returns a grid without columns in which all cells are empty.
fn narrowed(mut grid: Grid) -> Grid {
    for column in (1..grid.heads.len()).rev() {
        if grid.rows.iter().all(|(_, row)| row.get(column).is_none_or(Words::is_empty)) {
            grid.heads.remove(column);
            grid.rows.iter_mut().for_each(|(_, row)| drop(row.remove(column)));
        }
    }
    grid
}
