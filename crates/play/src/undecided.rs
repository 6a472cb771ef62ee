//! Answers that neither a player nor the rules gave: the first entry of a menu was taken.

use grognard_base::value::SiteId;
use grognard_program::Program;
use grognard_program::schema::SiteSort;
use std::collections::BTreeMap;

/// Number of such answers, by choice.
pub type Undecided = BTreeMap<SiteId, u64>;

/// A choice that no player made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDecision {
    /// Name of the choice.
    pub choice: String,
    /// Name of the function that asks.
    pub owner: String,
    /// The run's substitute for the decision, as a sentence.
    pub taken: &'static str,
    /// Number of answers.
    pub answers: u64,
}

/// Resolves the choices to names.
pub fn named(program: &Program, found: &Undecided) -> Vec<NoDecision> {
    let one = |(site, answers): (&SiteId, &u64)| {
        let site = &program.schema.sites[site.at()];
        let owner = program.functions.get(site.func.at()).map_or("", |f| f.name.as_str());
        let taken = match site.sort {
            SiteSort::May => "an optional action is not taken",
            _ => "the first entry is taken",
        };
        NoDecision { choice: site.name.clone(), owner: owner.to_string(), taken, answers: *answers }
    };
    found.iter().map(one).collect()
}
