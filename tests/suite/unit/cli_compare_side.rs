//! Inside `cli/compare/side`.

use grognard_cli::compare::side::*;

#[test]
fn versions_are_read() {
    let side = |text: &str| {
        let side = Side::of(text);
        (side.rules.unwrap_or_default(), side.set)
    };
    assert_eq!(side("g/x"), ("g/x".into(), vec![]));
    assert_eq!(side("g/x:a=1,b=[1,2],c=x"), ("g/x".into(), vec!["a=1".into(), "b=[1,2]".into(), "c=x".into()]));
    assert_eq!(side(":a=1"), (String::new(), vec!["a=1".into()]));
    assert_eq!(side("C:\\x.rules"), ("C:\\x.rules".into(), vec![]));
}
