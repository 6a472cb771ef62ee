//! Distances that a trace tells of: `u within 6" of m`, `dist(a, b)`, and what a move had to end near.
//!
//! Traces tell conditions in the words of the rules, so a name may be a thing of the table or a variable; variables are
//! known from the arguments and answers told before. What cannot be traced to two pieces on the table is not drawn.

use super::{Map, Range, point};
use crate::board::{Point, dist, near_point};
use crate::play::record::{Event, What};
use crate::program::wording::length;
use std::collections::BTreeMap;

/// Ranges that are kept of a run, at most.
const MOST: usize = 500;

/// Variables of the functions that run, outermost first.
#[derive(Default)]
pub(super) struct Measures {
    scopes: Vec<BTreeMap<String, String>>,
}

impl Measures {
    /// Notes the variables and distances of one event.
    pub(super) fn look(&mut self, map: &mut Map, event: &Event) {
        self.scopes.resize_with(event.depth as usize, BTreeMap::new);
        match &event.what {
            What::Enter { args, .. } => {
                let things = args.iter().filter(|a| a.thing);
                self.scopes.push(things.map(|a| (a.name.clone(), a.value.clone())).collect());
            }
            What::Decision { name, answer, .. } => self.know(name, answer),
            What::Draw { name, picks, .. } => self.know(name, picks.first().map_or("", String::as_str)),
            What::Value { name, value, words, .. } => {
                self.know(name, value);
                self.words(map, words);
            }
            What::Condition { words, .. } | What::Guard { words, .. } => self.words(map, words),
            What::Expect { claim, .. } => self.words(map, claim),
            What::Kept { words, near } if !near.is_empty() => {
                let figure = words.rsplit_once(": ").map_or("", |(_, figure)| figure);
                let Some(last) = map.moves.last() else { return };
                let (who, over) = (last.who.clone(), map.moves.len() - 1);
                let ends: Vec<End> = near.iter().filter_map(|n| self.end(map, n)).collect();
                if let Some(from) = self.end(map, &who) {
                    measure(map, &from, &ends, &format!("within {figure}"), over);
                }
            }
            _ => {}
        }
    }

    fn know(&mut self, name: &str, value: &str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), value.to_string());
        }
    }

    /// Distances asked for in some words.
    fn words(&self, map: &mut Map, words: &str) {
        for (start, _) in words.match_indices("dist(") {
            let inner = &words[start + 5..];
            if let Some((args, _)) = inner.split_once(')')
                && let Some((a, b)) = args.split_once(", ")
            {
                self.between(map, a, b, "");
            }
        }
        for (at, _) in words.match_indices(" within ") {
            let left = words[..at].rsplit([' ', '(']).next().unwrap_or_default();
            let Some((reach, right)) = words[at + 8..].split_once(" of ") else { continue };
            let right = right.split([' ', ')', ',', ';']).next().unwrap_or_default();
            self.between(map, left, right, &format!("within {reach}"));
        }
    }

    fn between(&self, map: &mut Map, a: &str, b: &str, asked: &str) {
        let over = map.moves.len();
        if let (Some(a), Some(b)) = (self.end(map, a), self.end(map, b)) {
            measure(map, &a, &[b], asked, over);
        }
    }

    /// The pieces or the point that a name stands for.
    fn end(&self, map: &Map, name: &str) -> Option<End> {
        if let Some(at) = point(name) {
            return Some(End::Point(at));
        }
        let known = self.scopes.last().and_then(|s| s.get(name)).map_or(name, String::as_str);
        let pieces = map.named(known);
        (!pieces.is_empty()).then_some(End::Pieces(pieces))
    }
}

/// One end of a distance.
enum End {
    Point(Point),
    Pieces(Vec<usize>),
}

impl End {
    fn bodies(&self, map: &Map) -> Vec<crate::board::Body> {
        match self {
            End::Point(at) => vec![crate::board::Body::point(*at)],
            End::Pieces(all) => {
                let here = |p: &&usize| !map.gone.iter().any(|(gone, _)| gone == *p);
                all.iter().filter(here).filter_map(|p| map.body(*p)).collect()
            }
        }
    }
}

/// Adds the shortest distance from one end to any of the others.
fn measure(map: &mut Map, from: &End, to: &[End], asked: &str, after: usize) {
    let there: Vec<_> = to.iter().flat_map(|e| e.bodies(map)).collect();
    let mut nearest = None;
    for a in from.bodies(map) {
        for b in &there {
            let Some(apart) = dist(std::slice::from_ref(&a), std::slice::from_ref(b)) else { continue };
            if nearest.as_ref().is_none_or(|(least, _, _)| apart < *least) {
                let to = near_point(&a, b);
                nearest = Some((apart, near_point(&crate::board::Body::point(to), &a), to));
            }
        }
    }
    let Some((apart, from, to)) = nearest else { return };
    let label = if asked.is_empty() { length(apart) } else { format!("{}, {asked}", length(apart)) };
    let range = Range { from, to, label, after };
    let same = |r: &Range| r.label == range.label && [(r.from, r.to), (r.to, r.from)].contains(&(from, to));
    if from != to && map.ranges.len() < MOST && !map.ranges.iter().any(same) {
        map.ranges.push(range);
    }
}
