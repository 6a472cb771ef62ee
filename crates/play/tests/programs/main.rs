//! Whole small programs at random: the machine, the batch engine and exact odds agree with a reference evaluator that shares no
//! code with them.

#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod compare;
mod hand;
mod make;
mod reference;
mod watch;

use compare::Compared;
use make::Make;
use std::collections::BTreeMap;

#[test]
fn programs_agree() {
    let number: u64 = std::env::var("GROGNARD_PROGRAMS").map_or(300, |n| n.parse().unwrap());
    let from: u64 = std::env::var("GROGNARD_FROM").map_or(0, |n| n.parse().unwrap());
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut forms: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut same, mut large, mut paths, mut faults, mut wrong) = (0, 0, 0, 0, 0);
    for seed in from..from + number {
        let (program, made) = Make::program(seed);
        let compared = std::panic::catch_unwind(|| program.compare());
        match compared {
            Ok(Ok(Compared::Same { paths: p, faults: f, .. })) => {
                same += 1;
                paths += p;
                faults += f;
                for (form, n) in made {
                    *forms.entry(form).or_default() += usize::from(n > 0);
                }
            }
            Ok(Ok(Compared::Refused(code))) => {
                println!("{seed} refused {code}");
                *refused.entry(code[..5].to_string()).or_default() += 1;
            }
            Ok(Ok(Compared::TooLarge)) => large += 1,
            other => {
                wrong += 1;
                println!("======== seed {seed}\n{}", program.whole());
                match other {
                    Ok(Err(how)) => println!("{how}"),
                    Err(panic) => {
                        println!("PANIC {:?} {:?}", panic.downcast_ref::<String>(), panic.downcast_ref::<&str>())
                    }
                    Ok(Ok(_)) => {}
                }
                if wrong >= std::env::var("GROGNARD_WRONG").map_or(3, |n| n.parse().unwrap()) {
                    break;
                }
            }
        }
    }
    println!(
        "{same} the same, {large} too large, {paths} paths, {faults} faults, {wrong} wrong\n{refused:?}\n{forms:#?}"
    );
    assert_eq!(wrong, 0);
}
