//! Measures decisions per second of a shipped scenario that is played answer by answer, with random answers:
//! `cargo run --release -p grognard-play --example decisions -- hold-the-farm`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, clippy::unwrap_used, clippy::float_arithmetic)]

use grognard_kit::{Lots, scenes};
use grognard_play::Stepped;
use grognard_play::session::{Ahead, Course, Pause, Reply, Start, answers, playable};
use grognard_scenario::Scenario;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long each way is measured.
const SPAN: Duration = Duration::from_secs(5);

/// Plays runs until the time is over. `play` plays one run and returns its decisions.
fn measure(what: &str, mut play: impl FnMut(u64) -> u64) {
    let (begun, mut decisions, mut runs) = (Instant::now(), 0, 0);
    while begun.elapsed() < SPAN {
        decisions += play(runs);
        runs += 1;
    }
    let each = decisions as f64 / begun.elapsed().as_secs_f64();
    println!("{what:<28} {each:>12.0} decisions a second, {runs} runs");
}

fn stepped(scenario: &Arc<Scenario>, run: u64, copies: bool) -> u64 {
    let (mut lots, mut count) = (Lots(run + 1), 0);
    let Ok(mut run) = Stepped::start(Arc::clone(scenario), 1, run, None) else { return 0 };
    while let Some(question) = run.question() {
        count += 1;
        let answer = lots.below(question.count() as u64) as usize;
        if copies {
            run = run.clone();
        }
        if run.answer(answer).is_err() {
            break;
        }
    }
    count
}

fn course(scenario: &Scenario, sources: Option<&grognard_base::Sources>, run: u64) -> u64 {
    let (mut lots, mut count) = (Lots(run + 1), 0);
    let mut course = Course::new(scenario, sources, &Start { seed: 1, run, ..Start::default() }, true);
    let ahead = Ahead { rolls: true, ..Ahead::default() };
    course.advance(scenario, sources, None, ahead);
    while let Some(Pause::Decision(decision)) = course.pause() {
        count += 1;
        let mut all = answers(&decision.question);
        let reply = match all.len() as u64 {
            0 => Reply::Auto,
            n => Reply::Answer(all.swap_remove(lots.below(n) as usize).1),
        };
        course.advance(scenario, sources, Some(reply), ahead);
    }
    count
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or("hold-the-farm".to_string());
    let (scenario, sources) = scenes::shipped(&name);
    let scenario = Arc::new(playable(scenario));
    measure("stepped", |run| stepped(&scenario, run, false));
    measure("stepped, copied each time", |run| stepped(&scenario, run, true));
    measure("session without a trace", |run| course(&scenario, None, run));
    measure("session with a trace", |run| course(&scenario, Some(&sources), run));
}
