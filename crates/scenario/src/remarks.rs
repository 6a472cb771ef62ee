//! Warnings about a valid scenario whose text suggests another meaning.

use super::build::Builder;
use super::{Answerer, Plan};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic};
use grognard_rules::code::{Expr, ExprKind};
use grognard_rules::reads::deciders;
use grognard_rules::reads::walk::{self, walk_body};

impl Builder<'_> {
    /// Returns the warnings about a scenario without errors.
    pub(super) fn remarks(&self, plan: &Plan) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        self.never_asked(&mut found);
        self.unread_script(plan, &mut found);
        self.nowhere(&mut found);
        found
    }

    /// Warns about a player whom these rules never ask for a decision.
    fn never_asked(&self, found: &mut Vec<Diagnostic>) {
        let Some(players) = self.key("players").and_then(|node| node.table()) else { return };
        let mut asked = deciders(self.rs());
        self.others.iter().for_each(|rs| asked.extend(&deciders(rs)));
        // entries from the project or the command line apply to all scenarios, so they are ignored
        for entry in players.iter().filter(|e| e.span.file == self.doc.file && e.span.end > 0 && !asked.is_empty()) {
            let Some((kind, _)) = self.table.named(&entry.key) else { continue };
            if asked.contains(kind) {
                continue;
            }
            let name = |kind: KindId| self.rs().kinds[kind.at()].name.as_str();
            let others: Vec<&str> = asked.iter().map(name).collect();
            let message = format!("these rules have no decision for `{}`, a {}", entry.key, name(kind));
            let help = match others.as_slice() {
                [] => "these rules have no decisions".to_string(),
                others => format!(
                    "each {0} decides for itself; if a {1} decides for it, let the kind {0} name the link: `owner \
                     side`",
                    others.join(" and each "),
                    name(kind)
                ),
            };
            found.push(Diagnostic::new(Code::NeverAsked, entry.span, message).help(help));
        }
    }

    /// Warns about decisions that no player uses.
    fn unread_script(&self, plan: &Plan, found: &mut Vec<Diagnostic>) {
        let reads = plan.alone.is_some() || plan.players.iter().any(|(_, sources)| sources.contains(&Answerer::Script));
        let Some(decide) = self.key("decide").filter(|_| !reads) else { return };
        let super::Value::List(entries) = &decide.value else { return };
        for entry in entries {
            let choice = entry.table().and_then(|t| super::get(t, "choice")).map_or(entry.span, |e| e.span);
            let message = "no player uses these decisions";
            let help = "let the player use the script first, as in `red = [\"script\", \"prefer\"]` under `[players]`";
            found.push(Diagnostic::new(Code::Unasked, choice, message).help(help));
        }
    }

    /// Warns about things of the board without a place, and about things without a facing where the rules use fronts.
    fn nowhere(&self, found: &mut Vec<Diagnostic>) {
        let fronts = self.asks_for_fronts();
        for thing in &self.table.all {
            let kind = &self.rs().kinds[thing.kind.at()];
            let has = |key: &str| thing.keys.iter().any(|entry| entry.key == key);
            if !kind.on_board || has("shape") {
                continue;
            }
            if thing.at.is_none() && !has("at") {
                let message = format!("`{}` has no position: nothing is near it, and nothing can see it", thing.name);
                let help = "write `at = [x, y]`, or write `off = true` if it arrives later";
                if !has("off") {
                    found.push(Diagnostic::new(Code::NoPlace, thing.span, message).help(help));
                }
            } else if fronts.contains(thing.kind) && !has("facing") {
                let message = format!("`{}` faces up the table, 0°, because no `facing` is given", thing.name);
                found.push(Diagnostic::new(Code::NoFront, thing.span, message));
            }
        }
    }

    /// Returns the kinds of things whose front a rule uses.
    fn asks_for_fronts(&self) -> IdSet<KindId> {
        let mut kinds = IdSet::default();
        for function in self.rs().functions.iter() {
            walk_body(&function.body, &mut |node| {
                let walk::Node::Expr(Expr { kind, .. }) = node else { return };
                let of = match kind {
                    ExprKind::Facing(thing) => Some(&**thing),
                    ExprKind::Op(
                        Op::Ahead | Op::Rear | Op::InFront | Op::InRear | Op::InArc | Op::SameFacing,
                        args,
                    ) => args.first(),
                    _ => None,
                };
                if let Some(kind) = of.and_then(|thing| thing.ty.kind()) {
                    kinds.insert(kind);
                }
            });
        }
        kinds
    }
}
