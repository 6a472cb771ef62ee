//! Collects statistics from runs of scenarios: actions and options on menus, the reasons for absent actions, and the
//! rules that ran. It also counts the runs in which a value was in a gap between bands.

use super::gaps::Spot;
use super::script::{Asked, Script};
use super::split::Quantity;
use super::tables::{Scene, kind_of};
use super::{Hole, Share};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_play::{self as play, Options, Watch};
use grognard_program::schema::SiteSort;
use grognard_scenario::{Mode, Scenario};
use grognard_vm::{Fault, Game, MachineEvent, NotOffered, State, What};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of events in the runs of one scenario.
const MOST_EVENTS: u64 = 40_000;
/// Maximum number of rounds and calls in one step of a run.
const FUEL: u64 = 200_000;
/// Maximum number of distinct reasons for a refusal.
const MOST_REASONS: usize = 40;

/// Statistics of an action.
#[derive(Clone, Debug, Default)]
pub struct Menus {
    /// Number of menus of its phases.
    pub came: u64,
    /// Number of menus that offered it.
    pub offered: u64,
    /// Reasons for its absence, with the number of menus.
    pub refused: BTreeMap<String, u64>,
}

/// The integer fields of events: event, index of the field, number.
type Numbers = BTreeSet<(EventId, usize, i64)>;

/// The statistics of all scenarios of one ruleset.
#[derive(Default)]
pub struct Census {
    /// Number of runs.
    pub runs: u64,
    /// Statistics by action.
    pub actions: BTreeMap<ActionId, Menus>,
    /// For each choice among options, how often it was asked, and the options that it offered.
    pub options: BTreeMap<SiteId, (u64, BTreeSet<String>)>,
    /// Functions that ran, with the number of runs.
    pub entered: BTreeMap<FuncId, u64>,
    /// For each spot, the number of runs that reached it.
    pub spots: Vec<u64>,
    /// For each pair of actions in the order of their ids, the number of runs in which a menu had both. It includes
    /// pairs of an action with itself.
    pub together: BTreeMap<(ActionId, ActionId), u64>,
    /// The numbers of events in one run, with the number of runs that had exactly these.
    pub announced: BTreeMap<Numbers, u64>,
    /// Runs that ended in an error, the shortest of each kind.
    pub faults: BTreeMap<(&'static str, String), Ended>,
    /// Number of runs with random decisions.
    pub by_chance: u64,
}

/// A run that ended in an error.
#[derive(Clone, Debug)]
pub struct Ended {
    pub fault: Fault,
    /// The index of the scenario.
    pub scene: usize,
    pub seed: u64,
    /// The random decisions.
    pub asked: Vec<Asked>,
    /// Number of steps that were started.
    pub steps: usize,
    /// Number of runs that ended in this error.
    pub times: u64,
}

impl Census {
    /// Plays each scenario unchanged and with random decisions, `runs` times each.
    pub fn take(scenes: &[Scene<'_>], spots: &[Spot<'_>], runs: u64, seed: u64, more: &dyn Fn() -> bool) -> Census {
        let mut census = Census { spots: vec![0; spots.len()], ..Census::default() };
        for (at, scene) in scenes.iter().enumerate() {
            let own = match scene.scenario.plan.mode {
                Mode::Scripted => 1,
                Mode::Sampled | Mode::Exact => runs,
            };
            let mut events = 0;
            let mut table = scene.scenario.clone();
            // a scenario in exact mode is sampled here
            table.plan.mode = if own == 1 { Mode::Scripted } else { Mode::Sampled };
            table.plan.expects.clear();
            table.plan.report.clear();
            for run in 0..own {
                if !more() || events > MOST_EVENTS {
                    break;
                }
                let run = Run { scene: at, seed: table.plan.seed, run, chance: false };
                events += census.play(&mut table, spots, run);
            }
            let mut table = scene.by_chance();
            let mut events = 0;
            for n in 0..runs {
                if !more() || events > MOST_EVENTS {
                    break;
                }
                events += census.play(&mut table, spots, Run { scene: at, seed: seed + n, run: 0, chance: true });
            }
        }
        census
    }

    /// Sets how often scenarios reach a hole in bands, given by its index among the holes of its program.
    pub fn weigh(&self, n: usize, hole: &mut Hole, spots: &[Spot<'_>]) {
        if let Some((_, hit)) = spots.iter().zip(&self.spots).find(|(spot, _)| spot.hole == n) {
            hole.weight = Some(Share { hit: *hit, of: self.runs });
        }
    }

    /// Returns the share of runs in which a menu had both actions.
    pub fn had_both(&self, a: ActionId, b: ActionId) -> Share {
        let hit = self.together.get(&(a.min(b), a.max(b))).copied().unwrap_or(0);
        Share { hit, of: self.runs }
    }

    /// Returns the share of runs in which an event had one of these numbers.
    pub fn had_number(&self, (event, part, numbers): &Quantity) -> Share {
        let is = |seen: &Numbers| seen.iter().any(|(e, p, n)| e == event && p == part && numbers.contains(n));
        let hit = self.announced.iter().filter(|(seen, _)| is(seen)).map(|(_, runs)| runs).sum();
        Share { hit, of: self.runs }
    }

    fn play(&mut self, table: &mut Scenario, spots: &[Spot<'_>], run: Run) -> u64 {
        table.game.fuel = table.game.fuel.min(FUEL);
        let there = vec![false; spots.len()];
        let mut view = View { spots, there, seen: Seen::default(), asked: Script::default(), fault: None, events: 0 };
        let one = table.plan.mode == Mode::Scripted;
        let options = Options { seed: Some(run.seed), run: (!one).then_some(run.run), ..Options::default() };
        play::watch(table, options, &mut view);
        self.runs += 1;
        self.by_chance += u64::from(run.chance);
        for (action, seen) in view.seen.actions {
            let all = self.actions.entry(action).or_default();
            all.came += seen.came;
            all.offered += seen.offered;
            for (why, times) in seen.refused {
                if all.refused.len() < MOST_REASONS || all.refused.contains_key(&why) {
                    *all.refused.entry(why).or_default() += times;
                }
            }
        }
        for (site, (times, names)) in view.seen.options {
            let all = self.options.entry(site).or_default();
            all.0 += times;
            all.1.extend(names);
        }
        view.seen.entered.into_iter().for_each(|func| *self.entered.entry(func).or_default() += 1);
        view.seen.together.into_iter().for_each(|pair| *self.together.entry(pair).or_default() += 1);
        *self.announced.entry(view.seen.announced).or_default() += 1;
        self.spots.iter_mut().zip(&view.there).for_each(|(runs, there)| *runs += u64::from(*there));
        if let Some(fault) = view.fault.filter(|fault| run.chance && is_hole(fault)) {
            let Script { asked, steps, .. } = view.asked;
            let new = Ended { fault, scene: run.scene, seed: run.seed, asked, steps, times: 1 };
            match self.faults.entry(kind_of(&new.fault)) {
                Entry::Vacant(entry) => drop(entry.insert(new)),
                Entry::Occupied(mut entry) => {
                    let old = entry.get_mut();
                    let times = old.times + 1;
                    if new.asked.len() < old.asked.len() {
                        *old = new;
                    }
                    old.times = times;
                }
            }
        }
        view.events
    }
}

#[derive(Clone, Copy)]
struct Run {
    scene: usize,
    seed: u64,
    run: u64,
    chance: bool,
}

/// Returns whether an error is a hole in the rules, and not a limit or a problem of a script.
fn is_hole(fault: &Fault) -> bool {
    !play::is_limit(fault.code) && !matches!(fault.code, Code::Script | Code::NeedsOdds | Code::Unset)
}

#[derive(Default)]
struct Seen {
    actions: BTreeMap<ActionId, Menus>,
    options: BTreeMap<SiteId, (u64, BTreeSet<String>)>,
    entered: BTreeSet<FuncId>,
    together: BTreeSet<(ActionId, ActionId)>,
    announced: Numbers,
}

/// An observer of one run.
struct View<'v> {
    spots: &'v [Spot<'v>],
    there: Vec<bool>,
    seen: Seen,
    asked: Script,
    fault: Option<Fault>,
    events: u64,
}

impl View<'_> {
    fn look(&mut self, game: &Game, state: &State) {
        for (spot, there) in self.spots.iter().zip(&mut self.there) {
            *there = *there || spot.is_there(game, state);
        }
    }

    fn menu(&mut self, game: &Game, state: &State, menu: &[Value], refused: &[NotOffered]) {
        let phase = state.running.iter().rev().find_map(|r| match r.what {
            What::Phase(id) => Some(id),
            What::Action(_) => None,
        });
        let Some(phase) = phase else { return };
        let mut offered: Vec<ActionId> = Vec::new();
        let named = |value: &Value, own: &str| matches!(value, Value::Action { name, .. } if name == own);
        for action in &game.program.phases[phase.at()].menu {
            let name = &game.program.actions[action.at()].name;
            let seen = self.seen.actions.entry(*action).or_default();
            seen.came += 1;
            if menu.iter().any(|value| named(value, name)) {
                seen.offered += 1;
                offered.push(*action);
                continue;
            }
            let whys: BTreeSet<String> = refused
                .iter()
                .filter(|not| named(&not.instance, name))
                .map(|not| not.why.to_string().split(" (").next().unwrap_or_default().trim().to_string())
                .collect();
            whys.into_iter().for_each(|why| *seen.refused.entry(why).or_default() += 1);
        }
        for (n, a) in offered.iter().enumerate() {
            self.seen.together.extend(offered[..=n].iter().map(|b| (*a.min(b), *a.max(b))));
        }
    }

    /// Records the integer fields of an event.
    fn announced(&mut self, game: &Game, func: FuncId, args: &[i64]) {
        let program = &game.program;
        let Some(event) = program.events.iter().position(|own| *own == func) else { return };
        let mut at = 0;
        for (part, (_, ty)) in program.schema.records[program.schema.events[event].data.at()].fields.iter().enumerate()
        {
            if let (Type::Int(_), Some(n)) = (ty, args.get(at)) {
                self.seen.announced.insert((EventId::from(event), part, *n));
            }
            at += program.schema.width(ty);
        }
    }
}

impl Watch for View<'_> {
    fn happen(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>) {
        self.events += 1;
        match what {
            MachineEvent::Enter { func, args } => {
                self.seen.entered.insert(*func);
                self.announced(game, *func, args);
                self.look(game, state);
            }
            MachineEvent::Decided { site, who, source, menu, answer, refused } => {
                self.look(game, state);
                let asked = &game.program.schema.sites[site.at()];
                match asked.sort {
                    SiteSort::Menu => self.menu(game, state, menu, refused),
                    SiteSort::Option => {
                        let seen = self.seen.options.entry(*site).or_default();
                        seen.0 += 1;
                        seen.1.extend(menu.iter().map(ToString::to_string));
                    }
                    _ => {}
                }
                if *source == "random" {
                    self.asked.note(&asked.name, game.packed(who.subject).map(String::from), answer.to_string());
                }
            }
            _ => {}
        }
    }

    fn step(&mut self, _: &str) {
        self.asked.steps += 1;
    }

    fn fault(&mut self, fault: &Fault) {
        self.fault = Some(fault.clone());
    }
}
