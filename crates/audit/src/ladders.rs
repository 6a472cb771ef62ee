//! Reports numbers between two bands, and conditions that never hold, in forms that need not cover all values.

use super::Audit;
use crate::bands::{Flaw, Form, Found, Ladder, ladders};
use grognard_base::{Code, Span};

impl Audit<'_> {
    /// Reports the flaws of bands that are written as conditions.
    pub fn bands(&mut self) {
        let mut found = Vec::new();
        for ladder in ladders(self.rs) {
            found.extend(ladder.judge().into_iter().map(|flaw| said(self, &ladder, &flaw)));
        }
        for (code, span, message, other) in found {
            match other {
                Some((other, text)) => self.say_two(code, span, message, other, text),
                None => self.say(code, span, message),
            }
        }
    }
}

type BandMessage = (Code, Span, String, Option<(Span, &'static str)>);

fn said(audit: &Audit<'_>, ladder: &Ladder<'_>, found: &Found) -> BandMessage {
    let row = |at: usize| ladder.rows.get(at).map_or(ladder.span, |row| row.span);
    let written = |span| audit.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let (figure, words) = ladder.rendered(found, written);
    match found.flaw {
        Flaw::Gap { between: (below, above) } => {
            let what = match ladder.form {
                Form::Else => "fits no band and falls to `else`, as do the values beyond the bands",
                Form::Options => "leaves no option to choose",
                Form::Table => "has no row, but there are rows on both sides",
                Form::Chain | Form::Apart | Form::Rules => "fits no band, and nothing happens",
            };
            let other = (row(below) != row(above)).then(|| (row(below), "the band below"));
            (Code::Between, row(above), format!("{figure}: {words} {what}"), other)
        }
        Flaw::Both(a, b) => {
            let message = format!("{figure}: {words} fits both of these, so both apply");
            (Code::Between, row(b), message, Some((row(a), "the other")))
        }
        Flaw::Shadowed(at) => {
            (Code::Dead, row(at), "this never applies: the rows above cover all its values".into(), None)
        }
        Flaw::Never(at) => {
            (Code::Dead, row(at), format!("this is always false: {figure} cannot have that value"), None)
        }
    }
}
