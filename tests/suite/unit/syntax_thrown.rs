//! Inside `syntax/thrown`.

use grognard::syntax::thrown::*;

fn of(text: &str) -> (String, String) {
    let found = thrown(text, &["Fate"]).unwrap();
    assert_eq!(found.text.len(), text.len());
    let rolls: Vec<String> = found.rolls.iter().map(|(name, roll)| format!("{name}={roll}")).collect();
    (found.text, rolls.join(" "))
}

#[test]
fn dice_are_taken_out() {
    let is = |text: &str, wanted: (&str, &str)| assert_eq!(of(text), (wanted.0.into(), wanted.1.into()));
    is("total(highest(3, 10 of d6))", ("total(highest(3, a0      ))", "a0=10 of d6"));
    is("d6 + 2d6 >= 7", ("a0 + a1  >= 7", "a0=d6 a1=2d6"));
    is("a0 + d20", ("a0 + a1 ", "a1=d20"));
    is("count (u.ld of d6) <= 3", ("count (a0        ) <= 3", "a0=u.ld of d6"));
    is("size((2 + 1) of d8)", ("size(a0           )", "a0=(2 + 1) of d8"));
    is("total(max(1, 2) of d8)", ("total(a0             )", "a0=max(1, 2) of d8"));
    is("total(4 of Fate) + Fate", ("total(a0       ) + a1  ", "a0=4 of Fate a1=Fate"));
    is("faces(d6) + x.d6", ("faces(d6) + x.d6", ""));
}

#[test]
fn odd_texts_do_no_harm() {
    for text in ["", "of d6", ") of d6", "((", "d", "ä of d6", "\"d6\" of", "3 of"] {
        thrown(text, &[]);
    }
}
