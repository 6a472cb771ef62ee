//! Writes random runs as scripts, and minimizes the script that ends in the same error (delta debugging). It removes
//! decisions in halves down to single ones, and replays each candidate.

use super::census::{Census, Ended};
use super::tables::{Scene, kind_of, players};
use super::{Hole, HoleSort, Replay, Share, item_words};
use grognard_base::{Code, Sources};
use grognard_play::Play;
use grognard_play::coverage::{SourceLine, place};
use grognard_rules::ruleset::Ruleset;
use grognard_scenario::{Scenario, quoted};
use grognard_vm::Fault;

/// Maximum number of scripts that are played for one error.
const MOST_TRIED: usize = 80;

/// A random decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    choice: String,
    of: Option<String>,
    nth: u32,
    pick: String,
}

/// The decisions of a run.
#[derive(Default)]
pub struct Script {
    /// The random decisions.
    pub asked: Vec<Asked>,
    /// Number of steps that were started.
    pub steps: usize,
}

impl Script {
    /// Appends a random decision and counts its occurrence.
    pub fn note(&mut self, choice: &str, of: Option<String>, pick: String) {
        let before = self.asked.iter().filter(|a| a.choice == choice && a.of == of).count();
        self.asked.push(Asked { choice: choice.into(), of, nth: before as u32 + 1, pick });
    }
}

/// Returns the errors in which random runs end, each with the shortest script that was found.
pub fn broken(census: &Census, scenes: &[Scene<'_>], rules: &Ruleset, sources: &Sources) -> Vec<Hole> {
    census.faults.values().filter_map(|ended| hole(ended, census, scenes.get(ended.scene)?, rules, sources)).collect()
}

fn hole(ended: &Ended, census: &Census, scene: &Scene<'_>, rules: &Ruleset, sources: &Sources) -> Option<Hole> {
    let text = shortest(ended, scene);
    let fault = &ended.fault;
    let law = rules.laws.iter().find(|law| fault.code == Code::LawBroken && fault.message.contains(&law.name));
    let item = law.map(|law| &rules.items[law.item.at()]);
    let diagnostic = fault.diagnostic();
    let at = match (item, fault.span) {
        (Some(item), _) => place(sources, item.span),
        (None, Some(span)) => place(sources, span),
        (None, None) => SourceLine::default(),
    };
    let decisions = text.as_ref().map(|(_, asked)| asked.len());
    let lines = match decisions {
        Some(n) => vec![format!(
            "in {}, with seed {}, after {}",
            scene.path,
            ended.seed,
            if n == 1 { "1 decision".to_string() } else { format!("{n} decisions") }
        )],
        None => vec![format!("in {}, with seed {} and `random` for everybody", scene.path, ended.seed)],
    };
    Some(Hole {
        rules: rules.path.clone(),
        item: item.map_or(String::new(), item_words),
        says: diagnostic.message,
        lines,
        weight: Some(Share { hit: ended.times, of: census.by_chance }),
        replay: text.map(|(text, _)| Replay::Scenario(text)),
        ..Hole::at(HoleSort::Broken, at)
    })
}

/// Returns the shortest script that was found and its decisions, or `None` if the run cannot be reproduced.
fn shortest(ended: &Ended, scene: &Scene<'_>) -> Option<(String, Vec<Asked>)> {
    let mut tried = 0;
    let mut ends = |asked: &[Asked]| {
        tried += 1;
        tried <= MOST_TRIED && ends_so(ended, scene, &written(ended, scene, asked))
    };
    let mut asked = ended.asked.clone();
    if !ends(&asked) {
        // the same run without a script, with random decisions
        let text = by_chance(ended, scene);
        return ends_so(ended, scene, &text).then_some((text, asked));
    }
    let mut size = asked.len();
    while size > 0 {
        let mut from = asked.len();
        while from > 0 {
            let first = from.saturating_sub(size);
            let fewer: Vec<Asked> = asked[..first].iter().chain(&asked[from..]).cloned().collect();
            if ends(&fewer) {
                asked = fewer;
            }
            from = first;
        }
        size /= 2;
    }
    Some((written(ended, scene, &asked), asked))
}

/// Returns whether a scenario with this text ends in the same error.
fn ends_so(ended: &Ended, scene: &Scene<'_>, text: &str) -> bool {
    let Some(scenario) = (scene.bind)(text) else { return false };
    fault_of(&scenario).is_some_and(|fault| kind_of(&fault) == kind_of(&ended.fault))
}

/// Returns the error in which a scenario ends.
pub fn fault_of(scenario: &Scenario) -> Option<Fault> {
    let mut play = Play::new(scenario, None, None);
    play.start(scenario.plan.seed, 0);
    play.once().err()
}

fn head(ended: &Ended, scene: &Scene<'_>, source: &str) -> String {
    let game = &scene.scenario.game;
    let sides = players(&scene.scenario);
    let sides: String = sides.iter().map(|who| format!("{} = {source}\n", game.packed_name(*who))).collect();
    let players = if sides.is_empty() { sides } else { format!("[players]\n{sides}") };
    let (file, seed) = (scene.file(), ended.seed);
    format!("base = \"{file}\"\nmode = \"scripted\"\nsteps = \"replace\"\nseed = {seed}\n{players}")
}

fn steps(ended: &Ended, scene: &Scene<'_>) -> String {
    let steps = scene.scenario.plan.steps.iter().take(ended.steps);
    steps.map(|step| format!("[[step]]\ndo = {}\n", quoted(&step.text))).collect()
}

/// Returns a run as a scenario with its decisions.
fn written(ended: &Ended, scene: &Scene<'_>, asked: &[Asked]) -> String {
    let decides = asked.iter().map(|a| {
        let of = a.of.as_ref().map_or(String::new(), |of| format!("of = {}\n", quoted(of)));
        let nth =
            if a.nth > 1 || asked.len() < ended.asked.len() { format!("nth = {}\n", a.nth) } else { String::new() };
        format!("[[decide]]\nchoice = {}\n{of}{nth}pick = {}\n", quoted(&a.choice), quoted(&a.pick))
    });
    let decides: String = decides.collect();
    format!("{}{decides}{}", head(ended, scene, "[\"script\", \"prefer\"]"), steps(ended, scene))
}

fn by_chance(ended: &Ended, scene: &Scene<'_>) -> String {
    format!("{}{}", head(ended, scene, "\"random\""), steps(ended, scene))
}
