//! Finds holes in rules, which are unintended and not yet noticed. Kinds of holes are numbers without a band,
//! contradicting exceptions, and thresholds that a split quantity avoids. Others are actions that are never available
//! or never better than another, rules that no scenario reaches, and laws that random play breaks. Each hole is
//! reported with the smallest situation that shows it.

mod census;
mod conflicts;
mod dominated;
mod figures;
mod flow;
mod gaps;
mod offered;
mod script;
mod situation;
mod split;
mod tables;

pub use census::{Census, Menus};
pub use conflicts::conflicts;
pub use dominated::{Dominated, dominated};
pub use gaps::{Spot, bands, refused, spots};
pub use offered::{reached, unoffered, unreached};
pub use script::broken;
pub use split::split;
pub use tables::{Bind, Scene};

use grognard_base::Sources;
use grognard_play::coverage::{SourceLine, place};
use grognard_rules::ruleset::{Item, Ruleset};

/// The kind of a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum HoleSort {
    Gap,
    Overlap,
    Never,
    Conflict,
    Broken,
    Unoffered,
    Dominated,
    Split,
    Unreached,
}

/// Every kind, in the order of the report.
pub const SORTS: [HoleSort; 9] = [
    HoleSort::Gap,
    HoleSort::Overlap,
    HoleSort::Never,
    HoleSort::Conflict,
    HoleSort::Broken,
    HoleSort::Unoffered,
    HoleSort::Dominated,
    HoleSort::Split,
    HoleSort::Unreached,
];

impl HoleSort {
    /// Returns its name and its description.
    pub fn rendered(self) -> (&'static str, &'static str) {
        match self {
            HoleSort::Gap => ("gap", "a number between two bands has none"),
            HoleSort::Overlap => ("overlap", "a number has two bands"),
            HoleSort::Never => ("never", "a condition never holds, or a row is never chosen"),
            HoleSort::Conflict => ("conflict", "two special rules give one value different results"),
            HoleSort::Broken => ("broken", "random play breaks a law or ends in an error"),
            HoleSort::Unoffered => ("unoffered", "an action or an option is never available"),
            HoleSort::Dominated => ("dominated", "an action is never better than another"),
            HoleSort::Split => ("split", "a split effect has a larger or smaller result than the whole"),
            HoleSort::Unreached => ("unreached", "a rule that no scenario reaches"),
        }
    }

    /// Returns how reliable findings of this kind are.
    fn basis(self) -> Basis {
        match self {
            HoleSort::Gap | HoleSort::Overlap | HoleSort::Never => Basis::Proved,
            HoleSort::Conflict | HoleSort::Broken => Basis::Shown,
            HoleSort::Dominated | HoleSort::Split => Basis::Exact,
            HoleSort::Unoffered | HoleSort::Unreached => Basis::Unseen,
        }
    }

    /// Returns whether a finding only informs. Such a finding can be intended, so it does not change the exit code.
    pub fn informs(self) -> bool {
        matches!(self, HoleSort::Dominated | HoleSort::Split)
    }

    /// Returns the kind with this name.
    pub fn of(name: &str) -> Option<HoleSort> {
        SORTS.into_iter().find(|sort| sort.rendered().0 == name)
    }
}

/// The reliability of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It follows from the code: it holds in every game.
    Proved,
    /// A run shows it.
    Shown,
    /// It is computed over all outcomes of the dice, for the given scenarios.
    Exact,
    /// It did not occur in the runs that were played.
    Unseen,
}

impl Basis {
    /// Returns the name of the basis.
    pub fn word(self) -> &'static str {
        match self {
            Basis::Proved => "proved",
            Basis::Shown => "shown by a run",
            Basis::Exact => "exact",
            Basis::Unseen => "not seen",
        }
    }
}

/// How often scenarios reach a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Number of runs that reach it.
    pub hit: u64,
    /// Number of runs in total.
    pub of: u64,
}

/// A test that shows a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// An example for the rules.
    Example(String),
    /// A scenario for the folder of the one that it extends.
    Scenario(String),
}

/// A hole in the rules.
#[derive(Clone, Debug)]
pub struct Hole {
    pub sort: HoleSort,
    pub rules: String,
    /// The source line.
    pub at: SourceLine,
    /// The item that contains it: `proc fall_back`.
    pub item: String,
    /// The problem, in one sentence.
    pub says: String,
    /// Further details, such as numbers.
    pub lines: Vec<String>,
    /// The reliability of the finding.
    pub basis: Basis,
    /// How often scenarios reach it, if that was counted.
    pub weight: Option<Share>,
    /// A test that shows it and that was run.
    pub replay: Option<Replay>,
    /// The reason in a comment of the rules that excuses it.
    pub excuse: Option<String>,
}

/// Returns the keyword and the name of an item.
fn item_words(item: &Item) -> String {
    format!("{} {}", item.word, item.name).trim().to_string()
}

impl Hole {
    /// Creates a hole of an item, without a description.
    fn of(sort: HoleSort, rules: &Ruleset, item: &Item, sources: &Sources) -> Hole {
        Hole { rules: rules.path.clone(), item: item_words(item), ..Hole::at(sort, place(sources, item.span)) }
    }

    /// Creates a hole at a source line.
    fn at(sort: HoleSort, at: SourceLine) -> Hole {
        let (rules, item, says, lines) = (String::new(), String::new(), String::new(), Vec::new());
        Hole { sort, rules, at, item, says, lines, basis: sort.basis(), weight: None, replay: None, excuse: None }
    }
}
