//! Compares a run that is played at once with the same run played answer by answer.

use crate::Lots;
use grognard_base::value::{KindId, pack_thing};
use grognard_base::{Code, Sources};
use grognard_play::record::{About, Event, Recorder, What};
use grognard_play::session::{Session, Start, playable};
use grognard_play::{Outcome, Person, PersonQuestion, PersonReply, Play, Stepped};
use grognard_scenario::{Answerer, Scenario};
use std::sync::Arc;

/// A person who answers at random, and remembers the answers.
struct Random {
    lots: Lots,
    replies: Vec<PersonReply>,
}

impl Person for Random {
    fn ask(&mut self, question: &PersonQuestion) -> PersonReply {
        let reply = pick(&mut self.lots, question);
        self.replies.push(reply.clone());
        reply
    }
}

/// Returns a random answer to a question. A point is the preferred one.
fn pick(lots: &mut Lots, question: &PersonQuestion) -> PersonReply {
    if question.point {
        return PersonReply::Prefer;
    }
    let count = question.entries.len() as u64;
    let Some((least, most)) = question.several else { return PersonReply::Entries(vec![lots.below(count) as usize]) };
    let takes = least as u64 + lots.below((most - least + 1) as u64);
    let mut all: Vec<usize> = (0..question.entries.len()).collect();
    while all.len() as u64 > takes {
        all.remove(lots.below(all.len() as u64) as usize);
    }
    PersonReply::Entries(all)
}

/// A run that was played at once.
struct Whole {
    outcome: Outcome,
    events: Vec<Event>,
    replies: Vec<PersonReply>,
    /// Rounds and calls of the machine.
    steps: u64,
}

fn whole(scenario: &Scenario, sources: &Sources, seed: u64) -> Whole {
    let game = &scenario.game;
    let mut asking = scenario.clone();
    let kinds = game.layout.kinds.iter().enumerate();
    let things = kinds.flat_map(|(kind, layout)| (0..layout.room as i64).map(move |n| (KindId::from(kind), n)));
    let players = things.map(|(kind, n)| pack_thing(kind, n)).chain([-1]);
    asking.plan.players = players.map(|player| (player, vec![Answerer::Prompt])).collect();
    let mut person = Random { lots: Lots(seed * 2 + 1), replies: Vec::new() };
    let mut recorder = Recorder::new(&asking.game, &About::default(), Some(sources));
    let mut play = Play::new(&asking, Some(&mut person), Some(&mut recorder));
    play.start(seed, 0);
    let ended = play.once();
    let steps = play.steps();
    let outcome = play.finish(ended);
    Whole { outcome, events: recorder.finish(), replies: person.replies, steps }
}

/// Returns the events with one source for all answers that are given from outside.
fn plain(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        if let What::Decision { source, .. } = &mut event.what
            && ["prompt", "script"].contains(&source.as_str())
        {
            *source = "given".into();
        }
    }
    events
}

/// Returns the parts of an outcome that answers decide. Unused script entries are omitted, since a person replaces
/// scripts.
fn parts(outcome: &Outcome) -> String {
    let problems = outcome.problems.iter().filter(|p| !matches!(p.code, Code::Unasked | Code::Unthrown));
    let Outcome { checks, figures, tallies, state, .. } = outcome;
    let problems: Vec<_> = problems.collect();
    format!(
        "{checks:?}\n{problems:?}\n{figures:?}\n{tallies:?}\n{:?}\n{:?}\n{:?}",
        state.cells, state.granted, state.uses
    )
}

/// Plays a scenario at once with random answers, and then answer by answer: as a session with copies and steps back, and
/// without texts. Dice come from the seed,
/// and scripts are removed. Returns the number of answers.
///
/// # Panics
///
/// If a run played answer by answer has other events, another outcome, or executes more steps.
pub fn agree(what: &str, scenario: &Scenario, sources: &Sources, seed: u64) -> usize {
    let mut scenario = playable(scenario.clone());
    let plan = &mut scenario.plan;
    plan.dice.clear();
    // scripts answer moves that a person is not asked about
    plan.decides.clear();
    plan.always.clear();
    for step in &mut plan.steps {
        step.decides.clear();
        step.always.clear();
    }
    let whole = whole(&scenario, sources, seed);
    session(what, &scenario, sources, seed, &whole);
    stepped(what, scenario, seed, &whole);
    whole.replies.len()
}

fn session(what: &str, scenario: &Scenario, sources: &Sources, seed: u64, whole: &Whole) {
    let (events, mut lots) = (plain(&whole.events), Lots(seed + 99));
    let start = || Start { seed, ..Start::default() };
    let mut session = Session::new(scenario, sources, start());
    // a run without decisions is over already
    let _ = session.go_on();
    let (mut taken, mut undone) = (0, false);
    while session.outcome().is_none() {
        let here = plain(session.events());
        assert!(events.starts_with(&here), "{what}: after {taken} answers the events differ");
        if taken > 0 && lots.below(6) == 0 {
            // goes back, and takes the same way again
            let back = 1 + lots.below(taken.min(9) as u64) as usize;
            assert_eq!(session.back(back), Ok(back), "{what}");
            (taken, undone) = (taken - back, true);
            continue;
        }
        let question = &session.decision().unwrap_or_else(|| panic!("{what}: no decision")).question;
        if lots.below(6) == 0 {
            // a copy continues with another answer, and does not change the original
            let other = question.answer(pick(&mut lots, question));
            let mut copy = Session::of(scenario, sources, start(), session.course().clone());
            drop(copy.choose(other.unwrap()));
            assert_eq!(plain(session.events()), here, "{what}: a copy changed the original");
        }
        let answer = question.answer(whole.replies[taken].clone()).unwrap();
        // a refused answer ends the run that is played at once
        if let Err(why) = session.choose(answer) {
            assert!(whole.outcome.problems.iter().any(|p| p.code == Code::Script), "{what}: {why:?}");
            return;
        }
        taken += 1;
    }
    let outcome = session.outcome().unwrap();
    assert_eq!(plain(session.events()), events, "{what}: other events");
    assert_eq!(taken, whole.replies.len(), "{what}: another number of answers");
    assert_eq!(plain(session.events()), events, "{what}: other events");
    assert_eq!(parts(outcome), parts(&whole.outcome), "{what}: another outcome");
    let steps = session.course().steps();
    assert!(undone || steps == whole.steps, "{what}: {steps} steps, not {}", whole.steps);
}

fn stepped(what: &str, scenario: Scenario, seed: u64, whole: &Whole) {
    let judged = |code| matches!(code, Code::Expectation | Code::Unasked | Code::Unthrown);
    let fault = whole.outcome.problems.iter().find(|p| p.is_error() && !judged(p.code));
    let mut lots = Lots(seed + 7);
    let mut run = match Stepped::start(Arc::new(scenario), seed, 0, None) {
        Ok(run) => run,
        Err(found) => {
            assert_eq!(Some(found.diagnostic().message), fault.map(|f| f.message.clone()), "{what}");
            return;
        }
    };
    for reply in &whole.replies {
        // a measure in the middle of a run leaves it unchanged
        if !whole.outcome.figures.is_empty() && lots.below(4) == 0 {
            drop(run.figure(lots.below(whole.outcome.figures.len() as u64) as usize));
        }
        let Some(question) = run.question() else { panic!("{what}: over too early") };
        if lots.below(6) == 0 {
            let mut other = run.clone();
            drop(other.answer(lots.below(question.count() as u64) as usize));
        }
        let answer = match reply {
            PersonReply::Entries(picks) if matches!(question.entries, grognard_play::Entries::Sets { .. }) => {
                Some(grognard_vm::Answer::Several(picks.clone()))
            }
            PersonReply::Entries(picks) => question.answer(picks[0]),
            // the first of the end points is the preferred one
            _ => question.answer(0),
        };
        if let Err(found) = run.give(answer.unwrap_or_else(|| panic!("{what}: no answer for {reply:?}"))) {
            assert_eq!(Some(found.diagnostic().message), fault.map(|f| f.message.clone()), "{what}");
            return;
        }
    }
    assert_eq!(run.question(), None, "{what}: not over");
    assert_eq!(fault.map(|f| &f.message), None, "{what}");
    let (state, end) = (run.state(), &whole.outcome.state);
    assert_eq!((&state.cells, &state.granted, &state.uses), (&end.cells, &end.granted, &end.uses), "{what}");
    for (n, figure) in whole.outcome.figures.iter().enumerate() {
        assert_eq!(run.figure(n).unwrap(), *figure, "{what}");
    }
    assert_eq!(run.steps(), whole.steps, "{what}: another number of steps");
}
