//! Holes of rules: the phases of the search, their shared budget, and one entry for each hole.

use grognard_base::{Allowance, Budget, OrdSet, Sources, order};
use grognard_lab::holes::{self, Census, Hole, HoleSort, SORTS, Scene};
use grognard_play::coverage::SourceLine;
use grognard_program::Built;
use grognard_report::finding::Finding;
use grognard_report::holes::{Played, finding};

/// The shared limit of all exact answers, as a number of answers that each use up their budget.
const QUESTIONS: u64 = 60;

/// A question about gaps, contradictions, errors and unreachable code of rules.
#[derive(Clone, Debug)]
pub struct Holes {
    /// The kinds of holes that the user named. If empty, all kinds.
    pub only: Vec<HoleSort>,
    /// Number of random runs of each scenario.
    pub runs: u64,
    /// Seed of the first random run.
    pub seed: u64,
    /// Budget of one exact answer.
    pub budget: Budget,
}

/// A search that reads one ruleset after another.
pub struct HolesSearch<'q> {
    question: &'q Holes,
    allowance: Allowance,
    found: Vec<Hole>,
    played: Played,
    /// Locations of code that some ruleset reaches or offers, each with its item.
    reached: OrdSet<(SourceLine, String)>,
    /// Number of scenarios that declare which outcome is good.
    judged: usize,
    /// Number of those scenarios that are too large for exact answers.
    large: usize,
}

/// Receives holes during the search, and can end its runs.
pub trait Listener {
    /// Receives a hole as soon as it is found. Later phases can show that it is not one.
    fn found(&self, hole: &Hole);
    /// Counts a finished run, and returns whether the search may play more.
    fn played(&self) -> bool;
}

/// The result of a search for holes.
pub struct HolesReport {
    /// Each hole once, in file order.
    pub holes: Vec<Hole>,
    /// The work of the search, and the parts that it omitted.
    pub played: Played,
}

impl Holes {
    /// Starts a search that has found nothing yet.
    pub fn begin(&self) -> HolesSearch<'_> {
        let looked_for = SORTS.into_iter().filter(|sort| self.wants(&[*sort])).collect();
        let played = Played { looked_for, ..Played::default() };
        let allowance = Allowance::of(self.budget.clone(), QUESTIONS);
        let (found, reached) = (Vec::new(), OrdSet::new());
        HolesSearch { question: self, allowance, found, played, reached, judged: 0, large: 0 }
    }

    fn wants(&self, sorts: &[HoleSort]) -> bool {
        self.only.is_empty() || sorts.iter().any(|sort| self.only.contains(sort))
    }
}

impl HolesSearch<'_> {
    /// Returns whether nothing has been found so far.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Adds rules that the checker rejects only because of these holes.
    pub fn refused(&mut self, name: &str, holes: Vec<Hole>) {
        self.played.rulesets += 1;
        self.keep(holes);
        self.played.left_out.push(format!("{name}: nothing else was searched, because the checker refuses it"));
    }

    /// Searches a ruleset and its scenarios.
    pub fn ruleset(&mut self, built: &Built, scenes: &[Scene<'_>], sources: &Sources, listener: &dyn Listener) {
        let asked = self.question;
        let tell = |hole: &Hole| {
            if asked.wants(&[hole.sort]) {
                listener.found(hole);
            }
        };
        let mut found = Vec::new();
        let mut spots = Vec::new();
        self.played.rulesets += 1;
        self.played.scenarios += scenes.len() as u64;
        if asked.wants(&[HoleSort::Gap, HoleSort::Overlap, HoleSort::Never, HoleSort::Conflict]) {
            found.extend(holes::bands(built, sources));
            spots.extend(holes::spots(&built.rules));
            let (conflicts, more) = holes::conflicts(built, sources);
            spots.extend(more.into_iter().map(|spot| holes::Spot { hole: found.len() + spot.hole, ..spot }));
            found.extend(conflicts);
            found.iter().for_each(tell);
        }
        let (mut split, mut dominated) = (Vec::new(), Vec::new());
        if asked.wants(&[HoleSort::Split]) {
            split = holes::split(&built.rules, scenes, sources, &self.allowance);
            split.iter().for_each(|(hole, _)| tell(hole));
        }
        if asked.wants(&[HoleSort::Dominated]) {
            let found = holes::dominated(&built.rules, scenes, sources, &self.allowance);
            dominated = found.pairs;
            self.judged += found.judged;
            self.large += found.large;
            dominated.iter().for_each(|(hole, _)| tell(hole));
        }
        let some = !(found.is_empty() && split.is_empty() && dominated.is_empty());
        if (some || asked.wants(&[HoleSort::Broken, HoleSort::Unoffered, HoleSort::Unreached])) && !scenes.is_empty() {
            let census = Census::take(scenes, &spots, asked.runs, asked.seed, &|| listener.played());
            self.played.runs += census.runs;
            found.iter_mut().enumerate().for_each(|(n, hole)| census.weigh(n, hole, &spots));
            split.iter_mut().for_each(|(hole, quantity)| hole.weight = Some(census.had_number(quantity)));
            dominated.iter_mut().for_each(|(hole, (a, b))| hole.weight = Some(census.had_both(*a, *b)));
            let mut looked_at = OrdSet::new();
            for scene in scenes {
                looked_at.extend(scene.scenario.game.ran.items(&scene.scenario.game.program));
            }
            let broken = holes::broken(&census, scenes, &built.rules, sources);
            broken.iter().for_each(tell);
            found.extend(broken);
            found.extend(holes::unoffered(&census, &built.rules, sources));
            found.extend(holes::unreached(&census, &built.rules, sources, &looked_at));
            self.reached.extend(holes::reached(&census, &built.rules, sources));
        }
        found.extend(split.into_iter().map(|(hole, _)| hole));
        found.extend(dominated.into_iter().map(|(hole, _)| hole));
        self.keep(found);
    }

    /// Ends the search. `stopped` is whether the user ended it before everything was searched.
    pub fn finish(mut self, stopped: bool) -> HolesReport {
        let left_out = &mut self.played.left_out;
        if self.allowance.next().is_none() {
            let why = "split and dominated: the allowed work was used up before every scenario was examined; \
                       `--budget` allows more";
            left_out.push(why.into());
        }
        if self.question.wants(&[HoleSort::Dominated]) && self.judged == 0 {
            let why = "no choice was called dominated, because no scenario states a goal by `[report] good` or an `objective`";
            left_out.push(why.into());
        }
        if self.large > 0 && self.allowance.next().is_some() {
            let (large, s, states) = (self.large, if self.large == 1 { "" } else { "s" }, self.question.budget.states);
            left_out.push(format!(
                "dominated: exact answers on {large} scenario{s} are beyond the budget of {states} states; `--budget` raises it"
            ));
        }
        if stopped {
            left_out.push("stopped by hand: not everything was examined".into());
            // a scenario that was not played can reach code that seems unreachable
            self.found.retain(|hole| !never_came(hole));
        }
        HolesReport { holes: once(self.found, &self.reached), played: self.played }
    }

    fn keep(&mut self, holes: Vec<Hole>) {
        self.found.extend(holes.into_iter().filter(|hole| self.question.wants(&[hole.sort])));
    }
}

impl HolesReport {
    /// Returns the answer as a finding.
    pub fn finding(&self) -> Finding {
        finding(&self.holes, &self.played)
    }
}

/// Returns whether the hole exists only if no run of any ruleset reaches it.
fn never_came(hole: &Hole) -> bool {
    matches!(hole.sort, HoleSort::Unreached | HoleSort::Unoffered)
}

/// Returns each hole once, in file order. Code that another ruleset reaches is not a hole.
fn once(mut found: Vec<Hole>, reached: &OrdSet<(SourceLine, String)>) -> Vec<Hole> {
    found.retain(|hole| !never_came(hole) || !reached.contains(&(hole.at.clone(), hole.item.clone())));
    order::sort_by(&mut found, |a, b| (a.sort, &a.at, &a.says, &a.rules).cmp(&(b.sort, &b.at, &b.says, &b.rules)));
    // a hole that several rulesets share is listed once, with its greatest weight
    let mut rendered: Vec<Hole> = Vec::new();
    for hole in found {
        let same = |t: &&mut Hole| t.sort == hole.sort && t.at == hole.at && t.item == hole.item && alike(t, &hole);
        match rendered.iter_mut().find(same) {
            Some(known) => {
                let (old, new) = (known.weight.map_or(0, |w| w.hit), hole.weight.map_or(0, |w| w.hit));
                if new > old || known.replay.is_none() && hole.replay.is_some() {
                    *known = hole;
                }
            }
            None => rendered.push(hole),
        }
    }
    rendered
}

/// Returns whether two holes of two rulesets differ only in counts.
fn alike(a: &Hole, b: &Hole) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    match a.sort {
        HoleSort::Unreached | HoleSort::Unoffered => bare(&a.says) == bare(&b.says),
        _ => a.says == b.says,
    }
}
