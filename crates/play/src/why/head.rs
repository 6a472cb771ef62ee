//! Conditions after `where` in the header of an action, evaluated for one instance at each menu: `target within 12" of
//! unit`.

use super::{Follow, Provenance, Wanted};
use crate::record::Recorder;
use crate::watch::{Look, Looked};
use crate::{Options, Outcome, watch};
use grognard_base::Sources;
use grognard_base::value::Value;
use grognard_rules::ruleset::SiteSort;
use grognard_scenario::Scenario;
use grognard_syntax as syntax;
use grognard_syntax::tree::{Action, Expr, ExprKind, ItemKind, StmtKind};
use grognard_vm::{Game, MachineEvent, State};

/// A condition of a header, with the chosen values substituted for names.
#[derive(Clone, Debug)]
pub struct HeadCondition {
    /// Source text of the condition.
    pub text: String,
    /// Expressions to evaluate: the condition, then the two values that it compares.
    pub asked: Vec<String>,
    /// Operator to print between the two values if the condition fails.
    sign: &'static str,
}

impl HeadCondition {
    /// Returns the condition without the values that it compares.
    pub fn alone(&self) -> HeadCondition {
        let mut alone = self.clone();
        alone.asked.truncate(1);
        alone
    }
}

/// A condition that did not hold at a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// Source text of the condition.
    pub text: String,
    /// The compared values: `12.4" > 12"`; empty if it compares none.
    pub figures: String,
}

/// Returns the header conditions of an action that depend only on the choices.
pub fn head_conditions(sources: &Sources, wanted: &Wanted) -> Vec<HeadCondition> {
    let rules = sources.iter().filter(|(_, source)| source.name.ends_with(".rules"));
    let items = rules.flat_map(|(file, source)| syntax::parse(file, source).0.items);
    let mut found: Option<Action> = None;
    for item in items {
        match &item.kind {
            ItemKind::Action(action) if action.name.text == wanted.action && (item.overrides || found.is_none()) => {
                found = Some(action.clone());
            }
            _ => {}
        }
    }
    let Some(action) = found else { return Vec::new() };
    let (mut conditions, mut chosen, mut n) = (Vec::new(), Vec::new(), 0);
    for stmt in &action.body.stmts {
        match &stmt.kind {
            StmtKind::Choose { name, amount: None, filter, .. } => {
                let with = wanted.with.iter().enumerate();
                let own = |(at, (said, _)): &(usize, &(Option<String>, String))| match said {
                    Some(said) => *said == name.text,
                    None => *at == n,
                };
                if let Some((_, (_, value))) = with.clone().find(own) {
                    chosen.push((name.text.clone(), value.clone()));
                    if let Some(filter) = filter {
                        parts(filter, sources, &chosen, &mut conditions);
                    }
                }
                n += 1;
            }
            StmtKind::Cost { .. } | StmtKind::Needs { .. } | StmtKind::Limit { .. } | StmtKind::Let { .. } => {}
            _ => break,
        }
    }
    conditions
}

/// Splits the operands of `and` into separate conditions.
fn parts(filter: &Expr, sources: &Sources, chosen: &[(String, String)], into: &mut Vec<HeadCondition>) {
    let text = |e: &Expr| sources.slice(e.span).trim().to_string();
    let of = |e: &Expr| named(&text(e), chosen);
    let (figures, sign) = match &filter.kind {
        ExprKind::And(all) => return all.iter().for_each(|one| parts(one, sources, chosen, into)),
        ExprKind::Within { place, distance, of: from } => {
            (vec![format!("dist({}, {})", of(place), of(from)), of(distance)], ">")
        }
        ExprKind::Compare { left, op, right } => (vec![of(left), of(right)], op.opposite_sign()),
        _ => (Vec::new(), ""),
    };
    let asked = std::iter::once(of(filter)).chain(figures).collect();
    into.push(HeadCondition { text: text(filter), asked, sign });
}

/// Substitutes the chosen values for the names of the choices.
fn named(text: &str, chosen: &[(String, String)]) -> String {
    let (mut out, mut done, mut before) = (String::new(), 0, "");
    for (word, start, end) in syntax::tokens(text) {
        let value = chosen.iter().find(|(name, _)| name == word && before != ".");
        out += &text[done..start];
        out += value.map_or(word, |(_, value)| value.as_str());
        (done, before) = (end, word);
    }
    out + &text[done..]
}

/// Values of the conditions at each menu: the index of its event, and one value for each expression.
type AtMenus = Vec<(usize, Vec<Option<Value>>)>;

/// Evaluates the conditions whenever a menu is answered. They are the measures of the report.
struct Heads<'a> {
    follow: Follow<'a>,
    seen: AtMenus,
}

impl Look for Heads<'_> {
    fn look(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>, seen: u64) {
        let MachineEvent::Decided { site, .. } = what else { return };
        if game.program.schema.sites[site.at()].sort == SiteSort::Menu {
            let scenario = self.follow.scenario;
            let figures = scenario.plan.report.iter();
            let rendered = figures.map(|one| scenario.value_at(state, one.asked.piece, &one.asked.ty, &[], &[0]).ok());
            self.seen.push(((seen as usize).saturating_sub(1), rendered.collect()));
        }
    }
}

/// Plays a scenario once and returns the conditions that failed at each of its menus. The report of the scenario must
/// consist of the conditions' expressions.
pub fn heads<'a>(
    scenario: &'a Scenario,
    conditions: &[HeadCondition],
    options: Options<'a>,
    recorder: Recorder<'a>,
) -> (Outcome, Provenance, Vec<(usize, Vec<Unmet>)>) {
    let look = Heads { follow: Follow::new(scenario, 0), seen: Vec::new() };
    let mut looked = Looked { recorder, look };
    let outcome = watch(scenario, options, &mut looked);
    let Looked { recorder, look } = looked;
    let unmet = |values: &[Option<Value>]| {
        let mut values = values.iter();
        let mut unmet = Vec::new();
        for condition in conditions {
            let rendered: Vec<Option<String>> =
                values.by_ref().take(condition.asked.len()).map(|one| one.as_ref().map(Value::to_string)).collect();
            if rendered.first().is_some_and(|holds| holds.as_deref() == Some("no")) {
                let figures = match rendered.as_slice() {
                    [_, Some(left), Some(right)] => format!("{left} {} {right}", condition.sign),
                    _ => String::new(),
                };
                unmet.push(Unmet { text: condition.text.clone(), figures });
            }
        }
        unmet
    };
    let unmet = look.seen.iter().map(|(at, values)| (*at, unmet(values))).collect();
    (outcome, look.follow.finish(recorder, true), unmet)
}
