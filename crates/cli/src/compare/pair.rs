//! The names of a pair of versions, and its facts for receipts.

use super::super::out::{Out, count, rendered as noted};
use super::{ComparedPair, Pair, name};
use grognard_base::Limit;
use grognard_play::odds::NotExact;
use grognard_report::compared as shown;

impl Pair {
    pub fn name(&self) -> String {
        name(&self.path, &self.sides)
    }

    /// Returns a result with the names of the pair.
    pub fn rendered<T>(&self, found: T, why: Option<NotExact>) -> ComparedPair<T> {
        let [a, mut b] = self.names();
        if a == b {
            b += " (the same)";
        }
        let edits = self.standings.list().to_vec();
        ComparedPair { a, b, scenario: self.name(), seed: self.question.seed, found, why, edits }
    }

    /// Returns the names of A and B.
    pub fn names(&self) -> [String; 2] {
        [0, 1].map(|n| self.sides[n].name(&self.scenarios[n]))
    }

    /// Notes the settings of the comparison for the receipt.
    pub fn note(&self, found: &str, ended_by: Option<Limit>, out: &mut Out) {
        for (side, version) in [("A", &self.scenarios[0]), ("B", &self.scenarios[1])] {
            let runs = [("seed", count(self.question.seed)), ("most_pairs", count(self.question.runs))];
            let own = [("side", side.into()), ("found", found.into())];
            let method = [("method", shown::METHOD.into())];
            let runs = runs.into_iter().chain(method).filter(|_| found == "sampled");
            let ended_by = ended_by.map(|limit| ("ended_by", limit.word().into()));
            out.note(noted(&self.path, version).into_iter().chain(own).chain(ended_by).chain(runs));
        }
    }
}
