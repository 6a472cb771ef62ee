//! Mutation testing of rulebooks: makes one small change of the rules at a time, and checks whether any test of the
//! project notices it.
//!
//! A change is an edit of the text that is found by walking the syntax tree. The changed rules go through the whole
//! pipeline: they are loaded, checked and compiled. Then the tests run that reach the changed item in the unchanged
//! rules.

mod exceptions;
mod excuse;
mod find;
mod held;
mod judge;
mod same;
mod suite;
mod values;
mod version;
mod witness;

pub use excuse::unclear;
pub use find::changes;
pub use judge::{Judge, judge_all};
pub use suite::{Book, Failed, Project, ProjectScene, SceneCheck, Suite};
pub use version::Shelf;
pub use witness::Witness;

use grognard_base::{Source, Span};
use serde::{Deserialize, Serialize};

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum MutationSort {
    Number,
    Die,
    Flag,
    Comparison,
    Junction,
    Condition,
    Word,
    Line,
    Rows,
    Band,
    Cell,
    Range,
    Default,
    Order,
    Rule,
    Sequence,
    Twice,
    Subject,
    Duration,
    May,
    Field,
}

pub const SORTS: [MutationSort; 21] = [
    MutationSort::Number,
    MutationSort::Die,
    MutationSort::Flag,
    MutationSort::Comparison,
    MutationSort::Junction,
    MutationSort::Condition,
    MutationSort::Word,
    MutationSort::Line,
    MutationSort::Rows,
    MutationSort::Band,
    MutationSort::Cell,
    MutationSort::Range,
    MutationSort::Default,
    MutationSort::Order,
    MutationSort::Rule,
    MutationSort::Sequence,
    MutationSort::Twice,
    MutationSort::Subject,
    MutationSort::Duration,
    MutationSort::May,
    MutationSort::Field,
];

impl MutationSort {
    /// Returns its name and a description of the change.
    pub fn rendered(self) -> (&'static str, &'static str) {
        match self {
            MutationSort::Number => ("number", "a number is one more or one less"),
            MutationSort::Die => ("die", "another die is thrown, or one more"),
            MutationSort::Flag => ("flag", "yes and no are swapped"),
            MutationSort::Comparison => ("comparison", "a comparison includes or excludes its bound, or is reversed"),
            MutationSort::Junction => ("and-or", "`and` and `or` are swapped"),
            MutationSort::Condition => ("condition", "a condition, or a part of it, is deleted or negated"),
            MutationSort::Word => ("word", "a word is swapped for the one that means the reverse"),
            MutationSort::Line => ("line", "a line is deleted"),
            MutationSort::Rows => ("rows", "the results of two rows or branches are swapped"),
            MutationSort::Band => ("band", "the border between two bands is moved by one"),
            MutationSort::Cell => ("cell", "a cell of a table has another result"),
            MutationSort::Range => ("range", "a range of numbers is wider or narrower"),
            MutationSort::Default => ("default", "a param or reading has another default"),
            MutationSort::Order => ("order", "two cases of an ordered enum are swapped"),
            MutationSort::Rule => ("skipped", "the body of a rule, action, proc or phase does nothing"),
            MutationSort::Sequence => ("sequence", "two neighbouring effects happen in the reverse order"),
            MutationSort::Twice => ("twice", "an effect happens twice"),
            MutationSort::Subject => ("subject", "another parameter of the same type is the subject, or decides"),
            MutationSort::Duration => ("duration", "a duration or a limit reaches to the phase around its phase"),
            MutationSort::May => ("may", "an optional effect always happens"),
            MutationSort::Field => ("field", "a thing is created without one of its values"),
        }
    }
}

/// A change of one rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    pub sort: MutationSort,
    /// The replacements, in source order, all in one file.
    pub edits: Vec<(Span, String)>,
    /// The span that is shown.
    pub shown: Span,
    /// The item that contains the change: `rule Rattled`.
    pub item: String,
    /// The span of the item's name, if the change only matters where code of the item is reached.
    pub reached: Option<Span>,
    /// The clauses of the changed text.
    pub clauses: Vec<String>,
    /// The reason in a comment of the rules that excuses it.
    pub excuse: Option<String>,
}

/// Maximum length of a shown text, in characters.
const SHOWN: usize = 100;

impl Mutation {
    /// Returns the line of the change, from 1.
    pub fn line(&self, source: &Source) -> usize {
        source.place(self.edits.first().map_or(self.shown.start, |(span, _)| span.start)).line
    }

    /// Returns the whole text with the change.
    pub fn applied(&self, text: &str) -> String {
        self.within(text, 0, text.len())
    }

    /// Returns the shown part of the old and of the new text, each in one line. The new one is empty if all of it is
    /// deleted.
    pub fn rendered(&self, text: &str) -> (String, String) {
        let (start, end) = (self.shown.start as usize, self.shown.end as usize);
        let (old, new) = (one_line(text.get(start..end).unwrap_or_default()), one_line(&self.within(text, start, end)));
        let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - before;
        let behind = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        (cut(&old, before, behind), cut(&new, before, behind))
    }

    fn within(&self, text: &str, start: usize, end: usize) -> String {
        let (mut out, mut at) = (String::with_capacity(end - start), start);
        for (span, new) in &self.edits {
            let (from, to) = (span.start as usize, span.end as usize);
            if to < start || from > end {
                continue;
            }
            out += text.get(at..from.max(at)).unwrap_or_default();
            out += new;
            at = to.clamp(at, end);
        }
        out + text.get(at..end).unwrap_or_default()
    }
}

/// Returns the characters of a text in one line, without comments.
fn one_line(text: &str) -> Vec<char> {
    let bare = text.lines().map(|line| line.split(" #").next().unwrap_or_default());
    bare.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ").chars().collect()
}

/// Shortens a long line around the part that differs.
fn cut(line: &[char], before: usize, behind: usize) -> String {
    if line.len() <= SHOWN {
        return line.iter().collect();
    }
    let part = |part: &[char], head: usize, tail: usize| -> String {
        match part.len() > head + tail + 4 {
            true => part[..head].iter().chain(&[' ', '.', '.', ' ']).chain(&part[part.len() - tail..]).collect(),
            false => part.iter().collect(),
        }
    };
    let end = line.len() - behind;
    part(&line[..before], 0, SHOWN / 3)
        + &part(&line[before..end], SHOWN / 3, SHOWN / 6)
        + &part(&line[end..], SHOWN / 4, 0)
}

/// The verdict on a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case", deny_unknown_fields)]
pub enum Verdict {
    /// A test fails with the change.
    Noticed {
        /// The name of the test.
        by: String,
        /// Whether the test reached a limit, so that it may not terminate.
        never_ends: bool,
    },
    /// No test fails.
    Survived {
        /// A situation that distinguishes the two versions, if one was found.
        witness: Option<Witness>,
        /// The reason why no test can notice the change: each of them sets the changed value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held: Option<String>,
    },
    /// The program is the same.
    Same,
    /// A comment in the rules excuses the change.
    Excused {
        /// The reason in the comment.
        because: String,
    },
    /// The checker finds an error in the changed rules.
    Refused {
        /// The first error.
        why: String,
    },
}

impl Verdict {
    /// Returns the name of the verdict.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Noticed { .. } => "noticed",
            Verdict::Survived { .. } => "survived",
            Verdict::Same => "same",
            Verdict::Excused { .. } => "excused",
            Verdict::Refused { .. } => "refused",
        }
    }
}
