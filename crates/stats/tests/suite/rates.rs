//! Statistics on streams of known odds: how often a verdict is wrong, and what intervals cover.

use grognard_base::value::{Range, Type};
use grognard_stats::stats::{Found, Level, Seen, Sequence, Trial, more_runs, wilson};
use grognard_stats::{ALPHA, Tally, Test, looks};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Trials of each statement about error rates.
const TRIALS: u64 = 2_000;

/// Runs a test on a stream of differences until it is decided, looking as a comparison does; gives what it found, and every
/// value that it saw.
fn decide(mut test: Test, most: u64, mut difference: impl FnMut() -> i64) -> (Found, Tally) {
    let mut tally = Tally::default();
    for mark in looks(most) {
        while tally.counted < mark {
            tally.add(&[difference()]);
        }
        match test.look(&tally) {
            Seen::Open => {}
            seen => return (test.found(&tally, seen), tally),
        }
    }
    (test.found(&tally, Seen::Open), tally)
}

/// How often each verdict is given: more, less, same, open; in thousandths.
fn verdicts(test: &Test, most: u64, stream: impl Fn(&mut SmallRng) -> i64) -> [u64; 4] {
    let mut counts = [0; 4];
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let at = match decide(test.clone(), most, || stream(&mut rng)).0.seen {
            Seen::More => 0,
            Seen::Less => 1,
            Seen::Same => 2,
            Seen::Open => 3,
        };
        counts[at] += 1;
    }
    println!("more {} less {} same {} open {} of {TRIALS}", counts[0], counts[1], counts[2], counts[3]);
    counts.map(|n| n * 1_000 / TRIALS)
}

/// No difference, and a difference as great as was asked about: each may be got wrong in 50 of 1,000, and a hundredth of
/// all for the chance of this test.
fn keeps_its_errors(test: &Test, most: u64, none: impl Fn(&mut SmallRng) -> i64, some: impl Fn(&mut SmallRng) -> i64) {
    let [more, less, same, open] = verdicts(test, most, none);
    assert!(more + less <= 60, "a difference is seen where there is none: {more} + {less}");
    assert!(same >= 900, "{same} {open}");
    let [more, less, same, open] = verdicts(test, most, some);
    assert!(same + less <= 60, "a difference is missed: {more} {less} {same} {open}");
    assert!(more >= 900, "{more} {open}");
}

fn flags(within: f64) -> Test {
    Test::new(&Type::Flag, (-1.0, 1.0), within, 1, ALPHA)
}

/// 1, -1 or 0, with chances in hundredths for the first two.
fn either(rng: &mut SmallRng, up: u32, down: u32) -> i64 {
    let n = rng.random_range(0..100u32);
    if n < up { 1 } else { -i64::from(n < up + down) }
}

#[test]
fn pairs_of_a_condition_keep_their_error_rates() {
    keeps_its_errors(&flags(0.08), 100_000, |rng| either(rng, 10, 10), |rng| either(rng, 14, 6));
}

#[test]
fn runs_of_a_condition_that_share_nothing_keep_their_error_rates() {
    let none = |rng: &mut SmallRng| chance(rng, 40) - chance(rng, 40);
    keeps_its_errors(&flags(0.1), 100_000, none, |rng| chance(rng, 50) - chance(rng, 40));
}

/// Numbers from 0 to 6.
fn numbers(within: f64, most: u64) -> Test {
    Test::new(&Type::Int(Range::new(0, 6)), (-6.0, 6.0), within, most, ALPHA)
}

#[test]
fn pairs_of_a_number_keep_their_error_rates() {
    // most pairs agree
    let none = |rng: &mut SmallRng| either(rng, 12, 12) * rng.random_range(1..4i64);
    let some = |rng: &mut SmallRng| either(rng, 22, 7) * rng.random_range(1..4i64);
    keeps_its_errors(&numbers(0.3, 50_000), 50_000, none, some);
}

#[test]
fn runs_of_a_number_that_share_nothing_keep_their_error_rates() {
    let die = |rng: &mut SmallRng| rng.random_range(0..5i64);
    let none = |rng: &mut SmallRng| die(rng) - die(rng);
    let some = |rng: &mut SmallRng| die(rng) - die(rng) + either(rng, 60, 10);
    keeps_its_errors(&numbers(0.5, 50_000), 50_000, none, some);
}

#[test]
fn intervals_of_shares_cover_what_they_promise() {
    for (chance, runs) in [(500u32, 1_000u64), (200, 1_000), (50, 2_000)] {
        let mut covered = 0;
        for seed in 0..TRIALS {
            let mut rng = SmallRng::seed_from_u64(seed);
            let held = (0..runs).filter(|_| rng.random_range(0..1_000u32) < chance).count() as u64;
            let (low, high) = wilson(held, runs, Level::USUAL);
            let share = f64::from(chance) / 1_000.0;
            covered += u64::from(low <= share && share <= high);
        }
        let thousandths = covered * 1_000 / TRIALS;
        println!("chance {chance} of 1000: covered in {thousandths} of 1000");
        assert!((936..=964).contains(&thousandths), "{chance}: {thousandths}");
    }
}

#[test]
fn intervals_of_means_cover_at_every_look() {
    // far from normal: mostly nothing, now and then a lot; the mean is 0.9 of 20
    let stream = |rng: &mut SmallRng| if rng.random_range(0..50u32) == 0 { 20 } else { rng.random_range(0..2i64) };
    let mean = 0.02 * 20.0 + 0.98 * 0.5;
    let sequence = Sequence::new(0.0, 20.0, 4_000);
    let (mut last, mut ever) = (0, 0);
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut counts, mut missed, mut misses) = ([0u64; 21], false, false);
        for n in 1..=4_000u32 {
            counts[stream(&mut rng) as usize] += 1;
            if n.is_power_of_two() || n == 4_000 {
                let values = (0..21).map(|v| (v as f64, counts[v])).filter(|(_, n)| *n > 0);
                let values = sequence.take(&values.collect::<Vec<(f64, u64)>>()).unwrap();
                let (low, high) = sequence.interval(&values, Level::USUAL);
                misses = !(low <= mean && mean <= high);
                missed |= misses;
            }
        }
        last += u64::from(misses);
        ever += u64::from(missed);
    }
    println!("missed at the end {last}, at any of 13 looks {ever}, of {TRIALS}");
    assert!(last <= ever && ever * 1_000 / TRIALS <= 50, "{last} {ever}");
}

/// A share of hundredths, as a value of a condition.
fn chance(rng: &mut SmallRng, hundredths: u32) -> i64 {
    i64::from(rng.random_range(0..100u32) < hundredths)
}

#[test]
fn paired_and_unpaired_runs_give_the_same_verdict() {
    // A holds in 40 of 100 runs; B in as many, in 10 more, in 10 less. In pairs only a part of the runs can differ.
    let paired = |rng: &mut SmallRng, more: i64| either(rng, (10 + more) as u32, 10);
    let unpaired = |rng: &mut SmallRng, more: i64| chance(rng, (40 + more) as u32) - chance(rng, 40);
    for (more, wanted) in [(0, 2), (10, 0), (-10, 1)] {
        let both = [
            verdicts(&flags(0.08), 100_000, |rng| paired(rng, more)),
            verdicts(&flags(0.08), 100_000, |rng| unpaired(rng, more)),
        ];
        assert!(both.iter().all(|v| v[wanted] >= 900), "{more}: {both:?}");
    }
}

#[test]
fn a_verdict_never_contradicts_its_interval() {
    // thousands of comparisons with a known difference, rare and common, at the margin and elsewhere; and 1,000 that end
    // before anything is decided
    let designs: [(f64, u64, f64, f64); 7] = [
        (0.02, 100_000, 0.26, 0.24),
        (0.02, 100_000, 0.25, 0.25),
        (0.05, 100_000, 0.275, 0.225),
        (0.01, 100_000, 0.0198, 0.0098),
        (0.01, 100_000, 0.01, 0.01),
        (0.02, 100_000, 0.02, 0.0),
        (0.001, 5_000, 0.25, 0.25),
    ];
    let (mut missed, mut decided) = (0, 0);
    for (within, most, up, down) in designs {
        for seed in 0..TRIALS / 2 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let stream = || {
                let x: f64 = rng.random();
                if x < up { 1 } else { -i64::from(x < up + down) }
            };
            let (found, _) = decide(Test::new(&Type::Flag, (-1.0, 1.0), within, most, ALPHA), most, stream);
            let ((low, high), truth) = (found.interval, up - down);
            let agrees = match found.seen {
                Seen::More => low >= 0.0,
                Seen::Less => high <= 0.0,
                Seen::Same => -within <= low && high <= within,
                Seen::Open => low <= 0.0 && 0.0 <= high,
            };
            assert!(agrees && low <= high, "{found:?}");
            missed += u64::from(truth < low || truth > high);
            decided += u64::from(found.seen != Seen::Open);
        }
    }
    println!("missed {missed} of {}, decided {decided}", 7 * TRIALS / 2);
    assert!(decided >= 6 * TRIALS / 2 && missed * 1_000 <= 50 * 7 * TRIALS / 2);
}

#[test]
fn what_is_open_says_how_many_runs_would_decide() {
    // half a point where 0.2 points are the same: the runs that were named decide it in most cases
    let mut rendered = Vec::new();
    for seed in 0..60 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut stream = || either(&mut rng, 12, 10);
        let mut trial = Trial::new((-1.0, 1.0), 0.002, 2_000, ALPHA, 0.05);
        let mut counts = [0u64; 3];
        let mut look = |trial: &mut Trial, runs: u64, counts: &mut [u64; 3]| {
            (0..runs).for_each(|_| counts[(stream() + 1) as usize] += 1);
            let values: Vec<(f64, u64)> = (0..3).map(|n| (n as f64 - 1.0, counts[n])).collect();
            (trial.look(&values), values)
        };
        let (seen, values) = look(&mut trial, 2_000, &mut counts);
        if seen != Seen::Open {
            continue;
        }
        let mean = (counts[2] as f64 - counts[0] as f64) / 2_000.0;
        let Some(more) = more_runs(2_000, mean, trial.found(&values, seen).interval, None) else { continue };
        let decided = more > 200_000 || look(&mut trial, 2 * more, &mut counts).0 != Seen::Open;
        rendered.push(decided);
    }
    let right = rendered.iter().filter(|decided| **decided).count();
    assert!(rendered.len() > 30 && right * 10 >= rendered.len() * 7, "{right} of {}", rendered.len());
    assert_eq!(more_runs(1_000, 0.0, (-1.0, 1.0), None), None);
    assert_eq!(more_runs(1_000, 0.1, (-0.1, 0.3), None), Some(3_000));
    assert_eq!(more_runs(1_000, 0.1, (-0.1, 0.3), Some(((-0.05, 0.25), 0.25))), Some(100));
}

#[test]
fn questions_after_the_first_keep_their_error_rate_together() {
    // six measures without a difference, some often and some seldom discordant, looked at until the first is decided
    const MEASURES: u32 = 6;
    let sequence = Sequence::new(-1.0, 1.0, 20_000);
    let level = Level { alpha: ALPHA / f64::from(MEASURES), ..Level::USUAL };
    let mut wrong = 0;
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut primary = flags(0.08);
        let mut tallies = vec![Tally::default(); 1 + MEASURES as usize];
        for mark in looks(20_000) {
            while tallies[0].counted < mark {
                for (n, tally) in tallies.iter_mut().enumerate() {
                    let share = 2 + 3 * n as u32;
                    tally.add(&[either(&mut rng, share, share)]);
                }
            }
            if primary.look(&tallies[0]) != Seen::Open {
                break;
            }
        }
        let seen = tallies[1..].iter().map(|tally| {
            let values: Vec<(f64, u64)> = tally.values().unwrap().map(|(cells, n)| (cells[0] as f64, n)).collect();
            Seen::of(sequence.interval(&sequence.take(&values).unwrap(), level))
        });
        wrong += u64::from(seen.into_iter().any(|seen| seen != Seen::Open));
    }
    println!("some measure was wrong in {wrong} of {TRIALS}");
    assert!(wrong * 1_000 / TRIALS <= 60, "{wrong}");
}

#[test]
fn the_interval_of_a_comparison_covers_when_it_stops() {
    // it stops because the difference looks great, which is when an interval of a fixed number of runs would lie; what
    // stops as "same" has an interval at 90%
    for (up, down) in [(10u32, 10u32), (13, 7), (14, 6)] {
        let truth = f64::from(up) / 100.0 - f64::from(down) / 100.0;
        let mut missed = 0;
        for seed in 0..TRIALS {
            let mut rng = SmallRng::seed_from_u64(seed);
            let (found, _) = decide(flags(0.08), 100_000, || either(&mut rng, up, down));
            missed += u64::from(truth < found.interval.0 || truth > found.interval.1);
        }
        println!("difference {truth}: missed in {missed} of {TRIALS}");
        assert!(missed * 1_000 / TRIALS <= 50, "{truth}: {missed}");
    }
}

#[test]
fn comparisons_that_share_an_error_rate_keep_it_together() {
    // a condition on one scenario, a number on another, no difference in either: each takes half of what may be wrong
    let range = (-6.0, 6.0);
    let number = Test::new(&Type::Int(Range::new(0, 6)), range, 0.3, 20_000, ALPHA / 2.0);
    let flag = Test::new(&Type::Flag, (-1.0, 1.0), 0.08, 1, ALPHA / 2.0);
    let mut wrong = 0;
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let one = decide(flag.clone(), 20_000, || either(&mut rng, 10, 10));
        let other = decide(number.clone(), 20_000, || either(&mut rng, 12, 12) * rng.random_range(1..4i64));
        wrong += u64::from([one, other].iter().any(|(found, _)| matches!(found.seen, Seen::More | Seen::Less)));
    }
    println!("one of two was wrong in {wrong} of {TRIALS}");
    assert!(wrong * 1_000 / TRIALS <= 60, "{wrong}");
}
