//! Finds a situation for the missing test: a scenario of the project, possibly with another reading, other dice or
//! other answers, that ends differently with the change.

use super::suite::{ProjectScene, Suite, Test, TestSort, fails, problems};
use super::version::MutantVersion;
use super::{Book, Mutation, values};
use grognard_base::OrdSet;
use grognard_base::value::*;
use grognard_play::parting::parting;
use grognard_play::record::{About, Event, Recorder, TraceDetail, render};
use grognard_play::{self as play, Outcome};
use grognard_program::Detail;
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::{self as scenario, Mode, Scenario, quoted};
use grognard_syntax::tree::ItemKind;
use grognard_vm::{Game, UNSET};
use serde::{Deserialize, Serialize};

/// A situation that distinguishes the two versions of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// The scenario or call that is played.
    pub played: String,
    /// The result with the unchanged rules, and with the change.
    pub rendered: [String; 2],
    /// A scenario or an example that holds with the unchanged rules but not with the change.
    pub test: String,
}

/// Maximum number of scenarios that are played unchanged, with other readings, and with other dice and answers.
const MOST: [usize; 3] = [16, 16, 12];
/// Maximum number of scenarios whose traces are compared.
const MOST_TRACES: usize = 4;
/// The seeds that are tried.
const SEEDS: [u64; 3] = [1, 2, 3];
/// The name of the temporary file.
const FILE: &str = "missing-test.toml";

/// A variation of a scenario of the project.
#[derive(Clone, Debug, Default)]
struct Other {
    /// Whether its steps, dice, decisions and expectations are replaced.
    bare: bool,
    seed: Option<u64>,
    /// Whether all players decide at random.
    random: bool,
    /// A reading with its value.
    reading: Option<(String, String)>,
}

/// The end of a run: facts about it, in the order of the table.
pub(super) struct End {
    facts: Vec<(String, String)>,
    /// The reason why it is not a test: an error, or unused dice.
    wrong: Option<String>,
}

/// Searches for a situation in which the change makes a difference.
pub(super) fn find(suite: &Suite<'_>, version: &mut MutantVersion, book: &Book, change: &Mutation) -> Option<Witness> {
    let scenes = |reaching: bool| {
        let of = move |test: &&Test| !reaching || suite.touches(test, book, change);
        let tests = suite.tests.iter().filter(|test| suite.stands_on(&test.rules, book)).filter(of);
        let scenes = tests.filter_map(|test| if let TestSort::Scene(at) = test.what { Some(at) } else { None });
        scenes.collect::<Vec<usize>>()
    };
    let near = scenes(true);
    // if no scenario reaches the item, another reading or other dice may do so
    let far = if near.is_empty() { scenes(false) } else { near.clone() };
    let readings = readings(suite, change);
    if let Some(found) = values::find(suite, version, book, change, &readings) {
        return Some(found);
    }
    let mut search = WitnessSearch { suite, version };
    let as_is = near.iter().map(|at| (*at, Other::default()));
    let read = |reading: &(String, String)| {
        let own = Other { reading: Some(reading.clone()), ..Other::default() };
        [own.clone(), Other { bare: true, ..own }]
    };
    // a sampled scenario takes long, and another run of it adds little
    let short = |at: &&usize| {
        let plan = suite.plans.get(&suite.project.scenes[**at].path);
        plan.is_none_or(|plan| plan.mode != Mode::Sampled)
    };
    let read = far.iter().filter(short).flat_map(|at| readings.iter().flat_map(read).map(|other| (*at, other)));
    let by_chance = SEEDS.iter().flat_map(|seed| {
        let other = |random| Other { bare: true, seed: Some(*seed), random, reading: None };
        let played = far.iter().filter(move |at| *seed == SEEDS[0] || short(at));
        played.flat_map(move |at| [(*at, other(false)), (*at, other(true))])
    });
    let tried: Vec<(usize, Other)> =
        as_is.take(MOST[0]).chain(read.take(MOST[1])).chain(by_chance.take(MOST[2])).collect();
    tried.into_iter().find_map(|(at, other)| search.part(at, &other)).or_else(|| {
        let scenes: Vec<usize> = near.into_iter().take(MOST_TRACES).collect();
        scenes.into_iter().find_map(|at| search.traces(at))
    })
}

/// Returns the readings that the item of a change mentions, with each alternative except the first.
fn readings(suite: &Suite<'_>, change: &Mutation) -> Vec<(String, String)> {
    let text = suite.around(change);
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let files = suite.base.sources.iter().filter_map(|(id, _)| suite.base.known.file(id));
    let readings = files.flat_map(|file| &file.items).filter_map(|item| match &item.kind {
        ItemKind::Reading(reading) if words.contains(&reading.name.text.as_str()) => Some(reading),
        _ => None,
    });
    let mut found: Vec<(String, String)> = readings
        .flat_map(|reading| {
            let value = |span| suite.base.sources.slice(span).trim().to_string();
            reading.alternatives.iter().skip(1).map(move |a| (reading.name.text.clone(), value(a.value.span)))
        })
        .collect();
    found.dedup();
    found
}

struct WitnessSearch<'s, 'p, 'v> {
    suite: &'s Suite<'p>,
    version: &'v mut MutantVersion,
}

impl WitnessSearch<'_, '_, '_> {
    /// Plays a scenario with both versions. Returns the test that distinguishes them, if they end differently.
    fn part(&mut self, at: usize, other: &Other) -> Option<Witness> {
        let scene = &self.suite.project.scenes[at];
        let text = text(self.suite, scene, other)?;
        let old = self.suite.ends.get(&text, scene, || {
            let mut base = self.suite.base.clone();
            end(self.suite, &mut base, scene, &text)
        })?;
        if old.wrong.is_some() {
            return None;
        }
        let new = end(self.suite, self.version, scene, &text)?;
        let played = scene.path.clone();
        // with the change, the run fails regardless of its expectations
        if let Some(wrong) = new.wrong {
            let found = Witness { played, rendered: ["it holds".into(), wrong], test: text };
            return self.tells(scene, &found.test).then_some(found);
        }
        let pairs = old.facts.iter().zip(&new.facts).filter(|(a, b)| a.0 == b.0 && a.1 != b.1);
        // some values cannot be written in a scenario
        pairs.take(6).find_map(|((name, value), (_, now))| {
            let claim = if value == "none" { format!("{name} is none") } else { format!("{name} == {value}") };
            let test = format!("{text}\n[[expect]]\nthat = {}\n", quoted(&claim));
            let rendered = [format!("{name} is {value}"), format!("it is {now}")];
            self.tells(scene, &test).then(|| Witness { played: played.clone(), rendered, test })
        })
    }

    /// Returns whether a scenario holds with the unchanged rules and not with the change.
    fn tells(&mut self, scene: &ProjectScene, text: &str) -> bool {
        let budget = self.suite.project.budget.least(grognard_base::Effort::Usual);
        let mut base = self.suite.base.clone();
        let Some(old) = bound(self.suite, &mut base, scene, text, Detail::Plain) else { return false };
        if fails(&problems(&old, budget.clone())) {
            return false;
        }
        bound(self.suite, self.version, scene, text, Detail::Plain).is_none_or(|new| fails(&problems(&new, budget)))
    }

    /// Compares the traces of a scenario.
    fn traces(&mut self, at: usize) -> Option<Witness> {
        let scene = &self.suite.project.scenes[at];
        let text = text(self.suite, scene, &Other::default())?;
        let mut base = self.suite.base.clone();
        let old = events(&bound(self.suite, &mut base, scene, &text, Detail::Traced)?);
        let new = events(&bound(self.suite, self.version, scene, &text, Detail::Traced)?);
        let parting = parting(&old, &new)?;
        let line = |events: &[Event], led: usize| {
            let rendered = render(events.get(..led).unwrap_or_default(), TraceDetail::Full);
            let line = rendered.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing more");
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let rendered = [line(parting.a, parting.led.0), line(parting.b, parting.led.1)];
        let name = file_name(scene);
        let trace = name.strip_suffix(".toml").unwrap_or(name);
        let test = format!(
            "# in {name}, after: grognard run {name} --trace full > {trace}.txt\n[[expect]]\ntrace = \"{trace}.txt\"\n"
        );
        Some(Witness { played: scene.path.clone(), rendered, test })
    }
}

fn file_name(scene: &ProjectScene) -> &str {
    scene.own.1.rsplit('/').next().unwrap_or_default()
}

/// Returns the text of a variation of a scenario.
fn text(suite: &Suite<'_>, scene: &ProjectScene, other: &Other) -> Option<String> {
    let plan = suite.plans.get(&scene.path)?;
    let bare = other.bare || plan.mode != Mode::Scripted;
    let mut text = format!("base = \"{}\"\n", file_name(scene));
    if plan.mode != Mode::Scripted {
        text += "mode = \"scripted\"\n";
    }
    if bare {
        text += "steps = \"replace\"\n";
    }
    if let Some(seed) = other.seed {
        text += &format!("seed = {seed}\n");
    }
    if let Some((name, value)) = &other.reading {
        text += &set(name, value);
    }
    if other.random {
        let sides: Vec<String> = plan.sides.iter().map(|side| format!("{side} = \"random\"\n")).collect();
        if sides.is_empty() {
            return None;
        }
        text += &format!("[players]\n{}", sides.concat());
    } else if bare && !plan.sides.is_empty() {
        let sides: Vec<String> = plan.sides.iter().map(|side| format!("{side} = \"prefer\"\n")).collect();
        text += &format!("[players]\n{}", sides.concat());
    }
    if bare {
        text.extend(plan.steps.iter().map(|step| format!("[[step]]\ndo = {}\n", quoted(step))));
    }
    Some(text)
}

/// Returns the text that sets a reading.
pub(super) fn set(name: &str, value: &str) -> String {
    let value = match value {
        "yes" => "true".to_string(),
        "no" => "false".to_string(),
        value if value.chars().all(|c| c.is_ascii_digit()) => value.to_string(),
        value => format!("\"{value}\""),
    };
    format!("[readings]\n{name} = {value}\n")
}

/// The data of a scenario that its variations need.
pub(super) struct Sketch {
    mode: Mode,
    steps: Vec<String>,
    sides: Vec<String>,
    /// Params and readings that it sets.
    pub(super) sets: OrdSet<String>,
}

impl Sketch {
    pub fn of(scenario: &Scenario) -> Sketch {
        let game = &scenario.game;
        Sketch {
            mode: scenario.plan.mode,
            sets: scenario.plan.fixed.settings.iter().map(|id| scenario.rules.settings[id.at()].name.clone()).collect(),
            steps: scenario.plan.steps.iter().map(|step| step.text.clone()).collect(),
            sides: scenario.plan.players.iter().map(|(who, _)| game.packed_name(*who)).collect(),
        }
    }
}

fn bound(
    suite: &Suite<'_>,
    version: &mut MutantVersion,
    scene: &ProjectScene,
    text: &str,
    detail: Detail,
) -> Option<Scenario> {
    let folder = scene.own.1.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let library = suite.project.libraries.get(scene.own.0)?;
    let document = scenario::read(&format!("{folder}{FILE}"), text.to_string(), library, &mut version.sources).ok()?;
    version.scenario(&suite.project, scene, &document, detail).ok()
}

fn end(suite: &Suite<'_>, version: &mut MutantVersion, scene: &ProjectScene, text: &str) -> Option<End> {
    let scenario = bound(suite, version, scene, text, Detail::Plain)?;
    let outcome = play::play(&scenario, play::Options::default());
    let wrong = outcome.problems.iter().find(|d| fails(std::slice::from_ref(d))).map(|d| d.message.clone());
    Some(End { facts: facts(&scenario, &outcome), wrong })
}

fn events(scenario: &Scenario) -> Vec<Event> {
    let recorder = Recorder::new(&scenario.game, &About::default(), None);
    play::record(scenario, play::Options::default(), recorder).1
}

/// Returns facts about the end of a run.
fn facts(scenario: &Scenario, outcome: &Outcome) -> Vec<(String, String)> {
    let (game, state) = (&scenario.game, &outcome.state);
    let rules = &game.program.schema;
    let mut found = Vec::new();
    let figures = scenario.plan.report.iter().zip(&outcome.figures);
    for (figure, cells) in figures {
        if let (Some(cells), None) = (cells, figure.asked.given) {
            found.push((format!("({})", figure.expr), game.tell(state, &figure.asked.ty, cells)));
        }
    }
    for (n, kind) in rules.kinds.iter().enumerate() {
        let (id, layout) = (KindId::from(n), &game.layout.kinds[n]);
        for thing in 0..game.names[n].len().min(layout.slots) {
            let name = game.name(id, thing as i64);
            let alive = state.cells[layout.alive + thing] == 1;
            found.push((format!("{name}.alive"), if alive { "yes" } else { "no" }.to_string()));
            if kind.on_board && alive {
                let at = layout.place + 3 * thing;
                let place = Value::Point(state.cells[at], state.cells[at + 1]).to_string();
                found.push((format!("{name}.at"), place));
            }
            for (f, field) in rules.fields.iter().enumerate().filter(|(_, field)| field.kind == id) {
                let stored = matches!(field.sort, FieldSort::State | FieldSort::Link) && field.keys.is_empty();
                if stored && !matches!(field.ty.present(), Type::List(_)) {
                    found.extend(field_fact(game, outcome, FieldId::from(f), &name, thing as i64));
                }
            }
        }
    }
    for (n, global) in rules.globals.iter().enumerate() {
        let place = game.layout.globals[n];
        if place.entry == 0 && !global.hidden {
            let cells = &state.cells[place.base..place.base + place.width];
            found.push((global.name.clone(), game.tell(state, &global.ty, cells)));
        }
    }
    let tallies = rules.tallies.iter().zip(&outcome.tallies);
    found.extend(tallies.map(|(tally, count)| (tally.name.clone(), count.to_string())));
    found
}

fn field_fact(game: &Game, outcome: &Outcome, id: FieldId, name: &str, thing: i64) -> Option<(String, String)> {
    let field = &game.program.schema.fields[id.at()];
    let at = game.layout.field(id, thing, 0);
    let cells = outcome.state.cells.get(at..at + game.layout.fields[id.at()].width)?;
    let given = cells.first().is_some_and(|cell| *cell != UNSET);
    given.then(|| (format!("{name}.{}", field.name), game.tell(&outcome.state, &field.ty, cells)))
}
