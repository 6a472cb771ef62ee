//! A run that is played answer by answer is the run that is played at once, and costs as much.

use grognard_kit::{scenes, steps};
use grognard_play::session::{Ahead, Course, Reply, Start, playable};
use grognard_play::{Play, Progress, Stepped};
use grognard_scenario::Scenario;

/// Scenarios whose runs with a trace are long.
const LONG: &[&str] = &[
    "hold-the-farm",
    "skirmish-to-the-end",
    "fight-to-the-end",
    "three-turns-at-the-farm",
    "three-turns-at-the-farm-led",
];

#[test]
fn shipped_scenarios_are_the_same_answer_by_answer() {
    let mut answers = 0;
    for name in scenes::names().into_iter().filter(|name| !LONG.contains(&name.as_str())) {
        let (scenario, sources) = scenes::shipped(&name);
        answers += steps::agree(&name, &scenario, &sources, 1);
    }
    assert!(answers > 500, "only {answers} answers were compared");
}

#[test]
fn runs_can_be_sent() {
    fn sent<T: Send + Clone + 'static>() {}
    sent::<Stepped>();
    sent::<Progress>();
    sent::<Course>();
}

/// Plays a long shipped scenario answer by answer, each decision left to its player. Returns it with the number of replies
/// before each decision.
fn long() -> (Scenario, Course, Vec<usize>) {
    let scenario = playable(scenes::shipped("hold-the-farm").0);
    let mut course = Course::new(&scenario, None, &Start { seed: 3, ..Start::default() }, false);
    let mut decisions = Vec::new();
    while course.outcome().is_none() {
        let reply = course.pause().map(|_| Reply::Auto);
        decisions.extend(reply.is_some().then(|| course.replies().len()));
        course.advance(&scenario, None, reply, DICE);
    }
    (scenario, course, decisions)
}

/// Continues through rolls.
const DICE: Ahead = Ahead { rolls: true, fixed: true, decisions: 0 };

/// The machine executes each part of a run once, however many answers interrupt it, so the cost is linear in the length of
/// the run. Its rounds and calls are counted, not the time.
#[test]
fn many_answers_cost_what_the_run_costs() {
    let (scenario, course, decisions) = long();
    let mut play = Play::new(&scenario, None, None);
    play.start(3, 0);
    assert_eq!(play.once(), Ok(()));
    assert!(decisions.len() > 100, "only {} decisions", decisions.len());
    assert_eq!(course.steps(), play.steps());
}

/// A step back repeats at most a sixteenth of a long run, and so does each of many steps back.
#[test]
fn a_step_back_repeats_a_small_part() {
    let (scenario, mut course, decisions) = long();
    let whole = course.steps();
    for replies in decisions.iter().rev() {
        let before = course.steps();
        course.back_to(&scenario, None, *replies, DICE);
        assert_eq!(course.replies().len(), *replies);
        let repeated = course.steps() - before;
        assert!(repeated <= whole / 16, "{repeated} of {whole} steps were repeated");
    }
}
