//! Counts on the edges of the graph: for an edge and a tally, the counts on the branches of the edge, each times its weight.

use super::num::Num;
use num_bigint::BigInt;

/// The counts of all edges, in the order of the edges.
#[derive(Default)]
pub struct EdgeSums {
    list: Vec<Sum>,
    /// Counts that do not fit into 63 bits; an index counts up from `i64::MIN`.
    large: Vec<BigInt>,
}

struct Sum {
    edge: u32,
    tally: u32,
    count: i64,
}

/// The least count that is stored as a number; what is below is an index.
const LEAST: i64 = i64::MIN / 2;

impl EdgeSums {
    /// Returns the number of counts.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds a weighted count to an edge, which is the last one so far.
    pub fn add(&mut self, edge: u32, tally: u32, weight: &Num, by: i64) {
        let from = self.list.iter().rposition(|sum| sum.edge != edge).map_or(0, |last| last + 1);
        let at = match self.list[from..].binary_search_by_key(&tally, |sum| sum.tally) {
            Ok(at) => from + at,
            Err(at) => {
                self.list.insert(from + at, Sum { edge, tally, count: 0 });
                from + at
            }
        };
        let sum = &mut self.list[at].count;
        let more = if let Num::Narrow(weight) = weight { i64::try_from(*weight).ok() } else { None };
        let small = more.and_then(|weight| weight.checked_mul(by)).and_then(|more| sum.checked_add(more));
        match small {
            Some(small) if *sum >= LEAST && small >= LEAST => *sum = small,
            _ => {
                let more = BigInt::from(weight.big()) * by;
                match self.large.get_mut(sum.wrapping_sub(i64::MIN) as usize) {
                    Some(large) => *large += more,
                    None => {
                        self.large.push(more + *sum);
                        *sum = i64::MIN + (self.large.len() as i64 - 1);
                    }
                }
            }
        }
    }

    /// Returns the count of a tally on an edge, or `None` if none of its branches counts it.
    pub fn get(&self, edge: u32, tally: u32) -> Option<BigInt> {
        let at = self.list.binary_search_by_key(&(edge, tally), |sum| (sum.edge, sum.tally)).ok()?;
        let count = self.list[at].count;
        Some(self.large.get(count.wrapping_sub(i64::MIN) as usize).cloned().unwrap_or_else(|| BigInt::from(count)))
    }
}
