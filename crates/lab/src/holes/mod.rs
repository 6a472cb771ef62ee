//! Holes in rules: what a designer did not mean and nobody has met yet. Bands that leave a number out, exceptions that contradict
//! each other, actions that are never to be had or never better than another, steps that a split salvo walks round, rules that
//! no scenario reaches, laws that random play breaks; each with the smallest situation that shows it.

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

/// What sort of hole it is.
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

/// Every sort, in the order in which they are told.
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
    /// Its name, and what it is.
    pub fn told(self) -> (&'static str, &'static str) {
        match self {
            HoleSort::Gap => ("gap", "a number between two bands has none"),
            HoleSort::Overlap => ("overlap", "a number has two bands"),
            HoleSort::Never => ("never", "a condition never holds, or a row is never chosen"),
            HoleSort::Conflict => ("conflict", "two special rules give one value different figures"),
            HoleSort::Broken => ("broken", "random play breaks a law or ends in an error"),
            HoleSort::Unoffered => ("unoffered", "an action or an option is never to be had"),
            HoleSort::Dominated => ("dominated", "an action is never better than another"),
            HoleSort::Split => ("split", "what is split comes to more, or to less, than what is not"),
            HoleSort::Unreached => ("unreached", "a rule that no scenario reaches"),
        }
    }

    /// How far what is found of it can be trusted.
    fn basis(self) -> Basis {
        match self {
            HoleSort::Gap | HoleSort::Overlap | HoleSort::Never => Basis::Proved,
            HoleSort::Conflict | HoleSort::Broken => Basis::Shown,
            HoleSort::Dominated | HoleSort::Split => Basis::Exact,
            HoleSort::Unoffered | HoleSort::Unreached => Basis::Unseen,
        }
    }

    /// The sort of that name.
    pub fn of(name: &str) -> Option<HoleSort> {
        SORTS.into_iter().find(|sort| sort.told().0 == name)
    }
}

/// How far a finding can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// From the code alone: it is so in every game.
    Proved,
    /// A run shows it.
    Shown,
    /// Worked out over all that the dice can do, on the tables at hand.
    Exact,
    /// It was not seen in the runs that were played.
    Unseen,
}

impl Basis {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Basis::Proved => "proved",
            Basis::Shown => "shown by a run",
            Basis::Exact => "exact",
            Basis::Unseen => "not seen",
        }
    }
}

/// How often scenarios come there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// In so many.
    pub hit: u64,
    /// Of so many runs.
    pub of: u64,
}

/// What shows a hole when it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// An example, to be put into the rules.
    Example(String),
    /// A scenario, to be put beside the one that it stands on.
    Scenario(String),
}

/// A hole.
#[derive(Clone, Debug)]
pub struct Hole {
    /// Its sort.
    pub sort: HoleSort,
    /// The ruleset.
    pub rules: String,
    /// Where it stands.
    pub at: SourceLine,
    /// The item it belongs to: `proc fall_back`.
    pub item: String,
    /// What is wrong, in one sentence.
    pub says: String,
    /// Figures, and what more there is to say.
    pub lines: Vec<String>,
    /// How far it can be trusted.
    pub basis: Basis,
    /// How often scenarios come there, if that was counted.
    pub weight: Option<Share>,
    /// What shows it; it was run.
    pub replay: Option<Replay>,
    /// Why a comment in the rules excuses it.
    pub excuse: Option<String>,
}

/// An item as holes name it.
fn item_words(item: &Item) -> String {
    format!("{} {}", item.word, item.name).trim().to_string()
}

impl Hole {
    /// One of an item, of which nothing is said yet.
    fn of(sort: HoleSort, rules: &Ruleset, item: &Item, sources: &Sources) -> Hole {
        Hole { rules: rules.path.clone(), item: item_words(item), ..Hole::at(sort, place(sources, item.span)) }
    }

    /// One at a place.
    fn at(sort: HoleSort, at: SourceLine) -> Hole {
        let (rules, item, says, lines) = (String::new(), String::new(), String::new(), Vec::new());
        Hole { sort, rules, at, item, says, lines, basis: sort.basis(), weight: None, replay: None, excuse: None }
    }
}
