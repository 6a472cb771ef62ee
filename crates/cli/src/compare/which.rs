//! `grognard compare --which`: the effect of each edit between two versions.

use super::super::mode::OpenQuestion;
use super::super::out::Stop;
use super::super::progress::Progress;
use super::super::scenes::{self, Wanted};
use super::{CompareArgs, Pair, edits};
use grognard_ask::Unanswered;
use grognard_base::order;
use grognard_base::value::SettingId;
use grognard_base::{Effort, OrdMap, Span};
use grognard_lab::force::{Looks, RUNS_LOOKED_AT};
use grognard_lab::mix::Edits;
use grognard_play::odds::NotExact;
use grognard_program::Detail;
use grognard_report::compared::{Group, MeasureRow, Which};
use grognard_report::diff as what;
use grognard_report::sampled::value_text;
use grognard_scenario::Scenario;
use grognard_stats::{Basis, Contrast, Contrasts};

/// Maximum number of edits.
const MOST: usize = 40;
/// Maximum number of groups of edits for which each pair is measured too.
const PAIRED: usize = 6;

/// A set of edits, with one bit for each.
type Mask = u64;

/// One edit.
enum Edit {
    /// An edit of the rules, by its index.
    Rules(usize),
    /// A param or reading that the versions set differently: its name, and its value in A and in B.
    Setting(String, [Option<String>; 2]),
}

/// The reason why a version cannot be run, and its location.
struct Reason {
    message: String,
    place: Option<Span>,
}

/// The versions between A and B.
struct Between<'p> {
    pair: &'p mut Pair,
    of: &'p [String],
    /// The edits of the rules, or `None` if A and B have the same rules.
    rules: Option<Edits>,
    edits: Vec<Edit>,
    /// The versions that can be run, by their edits.
    ready: OrdMap<Mask, Scenario>,
}

/// Edits that depend on each other, with the reasons.
#[derive(Clone, Debug)]
struct Together {
    mask: Mask,
    why: Vec<String>,
}

/// The result with the reason why it is not exact, or the reason why there is none.
type WhichAnswer<T> = Result<(T, Option<NotExact>), Unanswered>;

/// Computes the effects of the edits of a pair, and passes the reason for each omitted measure to `left_out`.
pub fn which(pair: &mut Pair, args: &CompareArgs, left_out: &mut dyn FnMut(&str)) -> Result<WhichAnswer<Which>, Stop> {
    let mut between = Between::new(pair, &args.of)?;
    let all = between.edits.len();
    if all > MOST {
        return Err(Stop::failed(format!(
            "{}: there are {all} edits between A and B; `--which` supports at most {MOST}",
            between.pair.name()
        )));
    }
    let groups = between.groups();
    let full = between.full();
    let mut wanted: Vec<(MeasureRow, Vec<(i64, Mask)>)> = vec![(MeasureRow::Whole, vec![(1, full), (-1, 0)])];
    if groups.len() > 1 {
        for (n, group) in groups.iter().enumerate() {
            wanted.push((MeasureRow::Alone(n), vec![(1, group.mask), (-1, 0)]));
            wanted.push((MeasureRow::InB(n), vec![(1, full), (-1, full & !group.mask)]));
        }
        let mut rest: Vec<(i64, Mask)> = vec![(1, full), (groups.len() as i64 - 1, 0)];
        rest.extend(groups.iter().map(|group| (-1, group.mask)));
        wanted.push((MeasureRow::Rest, rest));
    }
    if groups.len() > 2 && groups.len() <= PAIRED {
        for (n, one) in groups.iter().enumerate() {
            for (m, other) in groups.iter().enumerate().skip(n + 1) {
                let both = one.mask | other.mask;
                if between.version(both).is_ok() {
                    let terms = vec![(1, both), (-1, one.mask), (-1, other.mask), (1, 0)];
                    wanted.push((MeasureRow::Both(n, m), terms));
                }
            }
        }
    }
    let (found, why) = match between.measure(&wanted, args, left_out)? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    between.look(&found, args)?;
    let rendered = groups.iter().map(|group| between.rendered(group)).collect();
    let which = Which {
        groups: rendered,
        rows: wanted.into_iter().map(|(row, _)| row).collect(),
        in_words: between.rules.as_ref().map_or(0, Edits::in_words),
        measures: between.pair.scenarios[0].plan.report.iter().map(|f| (f.text.clone(), f.asked.ty.clone())).collect(),
        found,
    };
    Ok(Ok((which, why)))
}

impl<'p> Between<'p> {
    fn new(pair: &'p mut Pair, of: &'p [String]) -> Result<Between<'p>, Stop> {
        let rules = edits::of_rules(pair)?;
        let count = rules.as_ref().map_or(0, |rules| rules.list().len());
        let mut edits: Vec<Edit> = (0..count).map(Edit::Rules).collect();
        edits.extend(edits::of_settings(pair).into_iter().map(|(name, both)| Edit::Setting(name, both)));
        Ok(Between { pair, of, rules, edits, ready: OrdMap::new() })
    }

    /// Returns the set of all edits, which is B.
    fn full(&self) -> Mask {
        (0..self.edits.len()).fold(0, |mask, n| mask | 1 << n)
    }

    /// Builds A with some of the edits.
    fn version(&mut self, mask: Mask) -> Result<(), Vec<Reason>> {
        let full = self.full();
        if mask == 0 || mask == full || self.ready.contains_key(&mask) {
            return Ok(());
        }
        let taken = |n: usize| mask & 1 << n != 0;
        let mixed = match &self.rules {
            None => None,
            Some(rules) => {
                let loaded = rules.with(&taken, &self.pair.sources);
                let errors = loaded.problems.into_iter().filter(|p| p.is_error());
                let errors: Vec<Reason> = errors.map(|p| Reason { message: p.message, place: p.span }).collect();
                Some(loaded.ruleset.ok_or(errors)?)
            }
        };
        let mut set: Vec<String> = Vec::new();
        let own = |name: &str| self.edits.iter().any(|edit| matches!(edit, Edit::Setting(other, _) if other == name));
        let same =
            self.pair.sides[0].set.iter().filter(|s| s.split_once('=').is_some_and(|(name, _)| !own(name.trim())));
        set.extend(same.cloned());
        for (n, edit) in self.edits.iter().enumerate() {
            if let Edit::Setting(name, values) = edit {
                set.extend(values[usize::from(taken(n))].iter().map(|value| format!("{name}={value}")));
            }
        }
        let [a, b] = &self.pair.sides;
        let beside: Vec<String> = a.rules.iter().cloned().collect();
        let wanted = Wanted {
            rules: b.rules.as_deref(),
            beside: &beside,
            set: &set,
            of: self.of,
            instead: mixed.as_ref(),
            ..Wanted::default()
        };
        match scenes::load_as(&self.pair.path, wanted, Detail::Plain, &mut self.pair.sources) {
            Ok(mut scenario) => {
                // measures that were omitted before are omitted here
                let kept: Vec<String> = self.pair.scenarios[0].plan.report.iter().map(|f| f.text.clone()).collect();
                scenario.plan.measure_once();
                scenario.plan.report.retain(|figure| kept.contains(&figure.text));
                self.ready.insert(mask, scenario);
                Ok(())
            }
            Err(Stop::Found(found, ..)) => {
                Err(found.into_iter().map(|p| Reason { message: p.message, place: p.span }).collect())
            }
            Err(Stop::Quiet) => Err(Vec::new()),
            Err(stop) => Err(vec![Reason { message: stop.to_string(), place: None }]),
        }
    }

    /// Returns the name of an edit.
    fn name(&self, n: usize) -> String {
        match &self.edits[n] {
            Edit::Rules(at) => self.rules.as_ref().map_or(String::new(), |rules| what::name(&rules.list()[*at].change)),
            Edit::Setting(name, _) => name.clone(),
        }
    }

    /// Returns an edit as one line: its name and its change.
    fn line(&self, n: usize) -> String {
        match &self.edits[n] {
            Edit::Rules(at) => {
                self.rules.as_ref().map_or(String::new(), |rules| what::brief(&rules.list()[*at].change))
            }
            Edit::Setting(name, [a, b]) => {
                let word =
                    |value: &Option<String>, side| value.clone().unwrap_or_else(|| self.default_value(name, side));
                format!("{name}: {} -> {}", word(a, 0), word(b, 1))
            }
        }
    }

    /// Returns the value of a param or reading that a version does not set.
    fn default_value(&self, name: &str, side: usize) -> String {
        let game = &self.pair.scenarios[side].game;
        let found = game.program.schema.settings.iter().position(|setting| setting.name == name);
        found.map_or("unchanged".into(), |at| {
            let ty = &game.program.schema.settings[at].ty;
            value_text(game, ty, game.setting(SettingId::from(at)))
        })
    }

    /// Returns whether a reason is about an edit: it is inside the edit, or it contains the name that the edit declares.
    fn is_about(&self, n: usize, reason: &Reason) -> bool {
        let (here, name) = match (&self.edits[n], &self.rules) {
            (Edit::Rules(at), Some(rules)) => {
                let here = reason.place.is_some_and(|place| rules.holds(*at, place));
                (here, rules.list()[*at].change.name.clone())
            }
            (Edit::Setting(name, _), _) => (false, name.clone()),
            (Edit::Rules(_), None) => return false,
        };
        let last = name.rsplit('.').next().unwrap_or(&name);
        let words = reason.message.split(|c: char| !c.is_alphanumeric() && c != '_');
        here || words.into_iter().any(|word| word == last)
    }

    /// Groups edits with those they need, so that each group can be applied to A and removed from B.
    fn groups(&mut self) -> Vec<Together> {
        let full = self.full();
        let mut groups: Vec<Together> =
            (0..self.edits.len()).map(|n| Together { mask: 1 << n, why: Vec::new() }).collect();
        let mut at = 0;
        while at < groups.len() {
            let mask = groups[at].mask;
            let more = match self.needs(mask, false).or_else(|| self.needs(full & !mask, true)) {
                None => {
                    at += 1;
                    continue;
                }
                Some(more) => more,
            };
            let (more, why) = more;
            let mut whole = Together { mask: mask | more, why: vec![why] };
            // all groups that share an edit with this one are merged
            let (joined, apart): (Vec<Together>, Vec<Together>) =
                groups.into_iter().partition(|group| group.mask & whole.mask != 0);
            for group in joined {
                whole.mask |= group.mask;
                whole.why.splice(0..0, group.why);
            }
            groups = apart;
            groups.push(whole);
            order::sort_by_key(&mut groups, |group| group.mask.trailing_zeros());
            at = 0;
        }
        groups
    }

    /// Returns the edits that must be added to `mask` before the version can be run, with the reason. With `leaving`, the
    /// version is B without some edits, and the result is the edits to remove with them. Returns `None` if the version
    /// can be run unchanged.
    fn needs(&mut self, mask: Mask, leaving: bool) -> Option<(Mask, String)> {
        let full = self.full();
        let mut now = mask;
        let mut why = String::new();
        while let Err(reasons) = self.version(now) {
            if why.is_empty() {
                let whose: Vec<String> = (0..self.edits.len())
                    .filter(|n| (if leaving { full & !mask } else { mask }) & 1 << n != 0)
                    .map(|n| self.name(n))
                    .collect();
                let reason = reasons.first().map_or("it cannot be run", |r| r.message.as_str());
                let how = if leaving { "cannot be removed separately" } else { "cannot be applied separately" };
                why = format!("{} {how}: {reason}", whose.join(", "));
            }
            let open = if leaving { now } else { full & !now };
            let about = (0..self.edits.len())
                .filter(|n| open & 1 << n != 0 && reasons.iter().any(|reason| self.is_about(*n, reason)))
                .fold(0, |mask: Mask, n| mask | 1 << n);
            // the reason does not name an edit: all of them belong together
            let step = if about == 0 { open } else { about };
            now = if leaving { now & !step } else { now | step };
        }
        if now == mask {
            return None;
        }
        // edits that were added and are not needed are removed again
        for n in 0..self.edits.len() {
            let bit: Mask = 1 << n;
            if (now ^ mask) & bit != 0 && (now ^ mask) != bit && self.version(now ^ bit).is_ok() {
                now ^= bit;
            }
        }
        Some((now ^ mask, why))
    }

    /// Finds the edits that the runs reached.
    fn look(&mut self, found: &Contrasts, args: &CompareArgs) -> Result<(), Stop> {
        let (runs, exact) = match &found.basis {
            Basis::Sampled { runs, .. } => (*runs, false),
            Basis::Exact { .. } => (Effort::Quick.pairs(), true),
        };
        let same = found.sizes.first().is_some_and(|whole| whole.iter().all(|size| size.value == Some(0.0)));
        if !self.pair.standings.open(same) {
            return Ok(());
        }
        let Some(covered) = edits::covered(self.pair, self.of) else { return Ok(()) };
        let long = Progress::begin(0)?;
        let cost = if exact { Some(args.cost.question(args.mode)?) } else { None };
        let exact = cost.as_ref().map(|cost| cost.budget.clone());
        let runs = runs.min(RUNS_LOOKED_AT[usize::from(!same)]);
        self.pair.standings.look(&covered, Looks { question: self.pair.question, runs, exact }, same);
        drop((cost, long));
        Ok(())
    }

    fn rendered(&self, group: &Together) -> Group {
        let edits = (0..self.edits.len()).filter(|n| group.mask & 1 << n != 0);
        let line = |n: usize| {
            let standing = self.pair.standings.list().get(n).and_then(|standing| standing.force.rendered());
            self.line(n) + &standing.map_or(String::new(), |why| format!("  ({why})"))
        };
        let (names, edits): (Vec<String>, Vec<String>) = edits.map(|n| (self.name(n), line(n))).unzip();
        Group { name: names.join(" with "), edits, why: group.why.clone() }
    }

    fn measure(
        &mut self,
        wanted: &[(MeasureRow, Vec<(i64, Mask)>)],
        args: &CompareArgs,
        left_out: &mut dyn FnMut(&str),
    ) -> Result<WhichAnswer<Contrasts>, Stop> {
        let full = self.full();
        let used = |mask: &Mask| wanted.iter().any(|(_, terms)| terms.iter().any(|(_, other)| other == mask));
        let question = self.pair.question;
        let [a, b] = &mut self.pair.scenarios;
        let (mut masks, mut versions) = (vec![0], vec![a]);
        for (mask, version) in self.ready.iter_mut().filter(|(mask, _)| used(mask)) {
            masks.push(*mask);
            versions.push(version);
        }
        masks.push(full);
        versions.push(b);
        let asked: Vec<Contrast> = wanted
            .iter()
            .map(|(_, terms)| {
                let mut sum: OrdMap<usize, i64> = OrdMap::new();
                let at = |mask| masks.iter().position(|other| other == mask).unwrap_or(0);
                terms.iter().for_each(|(times, mask)| *sum.entry(at(mask)).or_default() += times);
                Contrast { terms: sum.into_iter().map(|(version, times)| (times, version)).collect() }
            })
            .collect();
        let long = Progress::begin(question.runs)?;
        let mut compare = args.asked(question);
        let open = args.begin(&mut compare)?;
        let watch = |runs| {
            open.iter().for_each(OpenQuestion::again);
            long.more(runs)
        };
        Ok(compare.contrasts(&mut versions, &asked, &watch, left_out))
    }
}
