//! `grognard odds` with the dice notation of other tools: the answer, the form of the language, and its meaning in words.

use crate::common::{folder, said, said_apart};

/// Each line with its form here, its exact value, and a part of the note.
const LINES: &[(&str, &str, &str)] = &[
    ("output 3d6", "mean 3d6: 21/2", "3 d6 added up"),
    ("output [highest 3 of 4d6]", "mean total(highest(3, 4 of d6)): 15869/1296", "the highest 3 of 4 d6, added up"),
    ("output [lowest 1 of 2d20]", "mean total(lowest(1, 2 of d20)): 287/40", "the lowest of 2 d20"),
    ("output [middle 1 of 3d20]", "mean median(3 of d20): 21/2", "the middle 1 of 3 d20"),
    ("output 10d(d6>=5)", "mean count 10 of d6 >= 5: 10/3", "how many of 10 d6 are >= 5"),
    ("output [count {1,6} in 5d6]", "mean count k in 5 of d6 where k in [1, 6]: 5/3", "show 1 or 6"),
    ("output d20+5 >= 15", "chance d20 + 5 >= 15: 11/20", "one d20 plus 5 is at least 15"),
    ("output [highest of d8 and d6]", "mean max(d8, d6): 251/48", "the highest of one d8 and one d6"),
    ("output 2@3d6", "mean nth(2, highest(2, 3 of d6)) otherwise 0: 7/2", "number 2 of 3 d6"),
    (
        "output [explode d6]",
        "mean x = 1 of d6; explode k in x where k == 6 at most 2; total(x): 301/72",
        "at most twice",
    ),
    ("output d{2,3,3,4}", "mean match d4 { 1 => 2; 2 | 3 => 3; 4 => 4 }: 3,", "a die with the faces 2, 3, 3, 4"),
    ("output 4d{-1..1}", "mean total(4 of d3) - 8: 0", "4 times a die with the faces -1, 0, 1"),
    ("output [absolute d6-d6]", "mean x = d6 - d6; max(x, 0 - x): 35/18", "without its sign"),
    ("output d6/2", "mean d6 / 2 rounded down: 3/2", "rounded down"),
    ("output 3d6 > 4d4", "chance 3d6 > 4d4: ", "more than 4 d4"),
    ("4d6kh3", "mean total(highest(3, 4 of d6)): 15869/1296", "the highest 3 of 4 d6, added up"),
    ("2d20kl1", "mean total(lowest(1, 2 of d20)): 287/40", "the lowest of 2 d20"),
    ("5d6 hits 5+", "mean count 5 of d6 >= 5: 5/3", "how many of 5 d6 show 5 or more"),
    ("d{1,1,2}", "mean match d3 { 1 | 2 => 1; 3 => 2 }: 4/3", "a die with the faces 1, 1, 2"),
    (
        "2d{1,1,2} + 1",
        "mean ((match d3 { 1 | 2 => 1; 3 => 2 }) + (match d3 { 1 | 2 => 1; 3 => 2 })) + 1: 11/3",
        "2 times",
    ),
    ("total(highest(2, 3 of 2d6))", "mean total(highest(2, [2d6, 2d6, 2d6])): 6937/432", "3 sums of 2d6"),
];

#[test]
fn other_notations_are_answered_and_explained() {
    let folder = folder("notations", &[]);
    for (asked, answer, words) in LINES {
        let (code, printed, notes) = said_apart(&folder, &["odds", asked]);
        assert!(code == 0 && printed.starts_with(answer), "{asked}: {printed}{notes}");
        let note = notes.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(note.starts_with(&format!("note: `{asked}` is read as `")) && note.contains(words), "{asked}: {notes}");
    }
}

#[test]
fn what_the_language_has_is_not_another_notation() {
    let folder = folder("own", &[]);
    for asked in ["3d6+2", "count (5 of d6) >= 5", "count 5 of d6 >= 5"] {
        let (code, printed, notes) = said_apart(&folder, &["odds", asked]);
        assert!(
            code == 0 && notes.is_empty() && printed.contains(": 25/2") | printed.contains(": 5/3"),
            "{printed}{notes}"
        );
    }
    for (asked, wanted) in [
        ("loop N over {1..9} { output Nd6 }", "param n = 1 sweep 1 .. 9"),
        ("function: f A:n { result: 4d6 }", "a = d20; if a == 20 then 4d6 else 0"),
    ] {
        let (code, text) = said(&folder, &["odds", asked]);
        assert!(code == 1 && text.contains(wanted), "{asked}: {text}");
    }
}
