//! Finds thresholds that can be exploited: compares a quantity that is announced at once with the same quantity in two
//! halves (super- and subadditivity). The comparison is exact, on the given scenarios, and includes all effects.

use super::flow::{adds_up, rules_on};
use super::tables::{Scene, players};
use super::{Hole, HoleSort, Replay};
use grognard_base::value::*;
use grognard_base::{Allowance, OrdMap, OrdSet, Sources};
use grognard_odds::Label;
use grognard_play::odds::{OddsOptions, report};
use grognard_program::schema::FieldSort;
use grognard_rules::ruleset::Ruleset;
use grognard_scenario::{Repeat, Scenario};
use std::collections::BTreeMap;

/// The maximum half.
const MOST: i64 = 6;
/// Maximum number of scenarios on which one event is tried.
const TABLES: usize = 2;
/// Maximum number of values that are compared.
const FIGURES: usize = 12;

/// A field of an event, with the numbers for which a split changes the result.
pub type Quantity = (EventId, usize, OrdSet<i64>);

/// Finds events whose quantity has another result when it is split, within the allowance.
pub fn split(rules: &Ruleset, scenes: &[Scene<'_>], sources: &Sources, allowance: &Allowance) -> Vec<(Hole, Quantity)> {
    let mut found = Vec::new();
    for n in 0..rules.events.len() {
        let event = EventId::from(n);
        for (part, _) in
            rules.records[rules.events[n].data.at()].fields.iter().enumerate().filter(|(_, f)| is_int(&f.1))
        {
            if !rules_on(rules, event).any(|(func, first)| adds_up(rules, func, LocalId::from(first + part))) {
                continue;
            }
            let trial = |scene| Trial { rules, event, part, scene, allowance }.hole(sources);
            found.extend(
                scenes.iter().filter_map(trial).take(TABLES).flatten().max_by_key(|(hole, _)| hole.lines.len()),
            );
        }
    }
    found
}

fn is_int(ty: &Type) -> bool {
    matches!(ty, Type::Int(r) if r.high > 1)
}

struct Trial<'t, 's> {
    rules: &'t Ruleset,
    event: EventId,
    /// The quantity, by its index among the fields of the event.
    part: usize,
    scene: &'t Scene<'s>,
    allowance: &'t Allowance,
}

/// The means of the values, by the sequence of announced quantities.
type Means = BTreeMap<Vec<i64>, Vec<Fraction>>;

impl Trial<'_, '_> {
    /// Compares the quantities. Returns `None` if no result differs, if the event cannot be announced in this scenario, or
    /// if a mean is not exact.
    fn hole(&self, sources: &Sources) -> Option<Option<(Hole, Quantity)>> {
        let (figures, args) = (self.figures()?, self.args()?);
        let all: Vec<i64> = (1..=2 * MOST).collect();
        let bound = (self.scene.bind)(&self.text(&figures, &args, &all))?;
        let mut means: Means = BTreeMap::new();
        let nothing = self.means(&bound, (&figures, &args), &[])?;
        for n in 1..=MOST {
            for amounts in [vec![2 * n], vec![n, n]] {
                means.insert(amounts.clone(), self.means(&bound, (&figures, &args), &amounts)?);
            }
        }
        let mut rendered: Vec<(usize, i64)> = Vec::new();
        for at in 0..figures.len() {
            let differs = |n: &i64| means[&vec![2 * n]][at] != means[&vec![*n, *n]][at];
            let moves = means.values().any(|row| row[at] != nothing[at]);
            // the first number that shows it, for values that change at all
            if let Some(n) = (1..=MOST).find(differs).filter(|_| moves) {
                rendered.push((at, n));
            }
        }
        let (_, n) = *rendered.first()?;
        let (event, item) = (&self.rules.events[self.event.at()], self.rules.events[self.event.at()].item);
        let quantity = &self.rules.records[event.data.at()].fields[self.part].0;
        let mut lines = Vec::new();
        for (at, _) in rendered.iter().take(3) {
            for half in (1..=MOST).filter(|half| means[&vec![2 * half]][*at] != means[&vec![*half, *half]][*at]).take(3)
            {
                let (one, two) = (&means[&vec![2 * half]][*at], &means[&vec![half, half]][*at]);
                lines.push(format!(
                    "{}: two of {half} make it {}, one of {} makes it {}; it began at {}",
                    figures[*at],
                    two.decimal(3),
                    2 * half,
                    one.decimal(3),
                    nothing[*at].decimal(3)
                ));
            }
        }
        let says =
            format!("two {} with {quantity} {n} do not have the result of one with {quantity} {}", event.name, 2 * n);
        lines.push(format!("on the table of {}", self.scene.path));
        let own = &self.rules.items[item.at()];
        let differs = |half: &i64| means[&vec![2 * half]] != means[&vec![*half, *half]];
        let numbers = (1..=MOST).filter(differs).flat_map(|half| [half, 2 * half]).collect();
        let hole = Hole {
            says,
            lines,
            replay: self.scene.scenario.plan.start.is_none().then(|| {
                let shown: Vec<String> = rendered.iter().take(3).map(|(at, _)| figures[*at].clone()).collect();
                Replay::Scenario(self.text(&shown, &args, &[n, n]))
            }),
            ..Hole::of(HoleSort::Split, self.rules, own, sources)
        };
        Some(Some((hole, (self.event, self.part, numbers))))
    }

    /// Returns the exact means after these announcements, or `None` if they cannot be computed.
    fn means(
        &self,
        bound: &Scenario,
        (figures, args): (&[String], &[String]),
        amounts: &[i64],
    ) -> Option<Vec<Fraction>> {
        let mut scenario = bound.clone();
        let plan = &mut scenario.plan;
        let step = |n: &i64| plan.steps.iter().find(|step| step.text == self.step(args, *n)).cloned();
        let steps: Option<Vec<_>> = amounts.iter().map(step).collect();
        (plan.steps, plan.start, plan.stop, plan.repeat) = (steps?, None, None, Repeat::Times(1));
        let found = report(&scenario, &OddsOptions::plain(self.allowance.next()?)).ok()?;
        self.allowance.spend(found.cost());
        let mean = |text: &String| {
            let at = scenario.plan.report.iter().position(|figure| figure.is_written(text))?;
            let answer = found.answers.get(at)?.as_ref().ok()?;
            answer.mean.clone().filter(|_| answer.label == Label::Exact)
        };
        figures.iter().map(mean).collect()
    }

    /// Returns the statement that announces a quantity.
    fn step(&self, args: &[String], n: i64) -> String {
        let mut args = args.to_vec();
        args[self.part] = n.to_string();
        format!("emit {}({})", self.rules.events[self.event.at()].name, args.join(", "))
    }

    fn text(&self, figures: &[String], args: &[String], steps: &[i64]) -> String {
        let game = &self.scene.scenario.game;
        let sides = players(&self.scene.scenario);
        let sides: String = sides.iter().map(|who| format!("{} = \"prefer\"\n", game.packed_name(*who))).collect();
        let players = if sides.is_empty() { sides } else { format!("[players]\n{sides}") };
        let figures: Vec<String> = figures.iter().map(|f| format!("'{f}'")).collect();
        let steps = steps.iter().map(|n| format!("[[step]]\ndo = '{}'\n", self.step(args, *n)));
        let steps: String = steps.collect();
        let file = self.scene.file();
        let figures = figures.join(", ");
        format!(
            "base = \"{file}\"\nmode = \"exact\"\nsteps = \"replace\"\n{players}[report]\nmean = [{figures}]\n{steps}"
        )
    }

    /// Returns the arguments of the event: different things of the scenario, and minimal values for all other fields.
    fn args(&self) -> Option<Vec<String>> {
        let event = &self.rules.events[self.event.at()];
        let game = &self.scene.scenario.game;
        let mut used: OrdMap<KindId, usize> = OrdMap::new();
        let parts = self.rules.records[event.data.at()].fields.iter().enumerate();
        let arg = |(at, (_, ty)): (usize, &(String, Type))| {
            Some(match ty {
                Type::Kind(kind) => {
                    let n = used.entry(*kind).or_default();
                    let name = game.names.get(kind.at())?.iter().rev().nth(*n)?.clone();
                    *n += 1;
                    name
                }
                Type::Int(_) if at == self.part => String::new(),
                Type::Int(r) => 0.clamp(r.low, r.high).to_string(),
                Type::Flag => "no".into(),
                Type::Enum(id) => self.rules.enums[id.at()].cases.first()?.clone(),
                Type::Optional(_) => "none".into(),
                _ => return None,
            })
        };
        parts.map(arg).collect()
    }

    /// Returns the numeric states of the things that take part, and the numbers of their members.
    fn figures(&self) -> Option<Vec<String>> {
        let args = self.args()?;
        let event = &self.rules.events[self.event.at()];
        let mut found = Vec::new();
        for (name, (_, ty)) in args.iter().zip(&self.rules.records[event.data.at()].fields) {
            let Type::Kind(kind) = ty else { continue };
            let fields = self.rules.fields.iter().filter(|f| f.kind == *kind && f.keys.is_empty());
            let states = fields.filter(|f| f.sort == FieldSort::State && matches!(f.ty, Type::Int(_)));
            found.extend(states.map(|f| format!("{name}.{}", f.name)));
            if let Some((list, _)) = self.rules.kinds[kind.at()].group {
                found.push(format!("size({name}.{})", self.rules.fields[list.at()].name));
            }
        }
        found.truncate(FIGURES);
        (!found.is_empty()).then_some(found)
    }
}
