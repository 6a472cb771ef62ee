//! Generates small programs at random. Each language form that the reference evaluator supports has a name and a weight.

mod chance;
mod decisions;
mod forms;
mod items;
mod said;
mod stmts;
mod table;
mod values;

pub use forms::{FORMS, OTHER_TRAPS};

use crate::compare::Program;
use crate::reference::Decisions;
use grognard_kit::Lots;
use std::collections::BTreeMap;

/// Type of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum T {
    Int,
    Flag,
    Unit,
    Man,
    Side,
    Ints,
    Units,
    Pile,
}

/// Names that a body may use.
#[derive(Clone, Default)]
pub struct Scope {
    pub vars: Vec<(String, T)>,
    /// Variables that `set` may change.
    pub mutable: Vec<String>,
    /// Pools that may be rerolled.
    pub pools: Vec<String>,
    /// Whether the code is inside a loop.
    pub in_loop: bool,
    /// Whether a phase surely runs.
    pub in_turn: bool,
    /// Whether the body must not change the table.
    pub pure: bool,
    /// Whether the code may emit events and call procs.
    pub calls: bool,
    /// Number of enclosing loops and conditions.
    pub depth: usize,
}

/// Parts of a program.
#[derive(Clone, Copy, Default)]
pub struct Parts {
    /// Only dice, figures, loops and procs, which run in a batch to the end.
    pub plain: bool,
    pub groups: bool,
    pub stays: bool,
    pub phase: bool,
    pub actions: bool,
    pub statuses: bool,
    pub conditions: bool,
    pub traits: bool,
    pub events: bool,
    pub destruction: bool,
    pub procs: bool,
    pub tests: bool,
    pub tables: bool,
    pub chains: bool,
    pub law: bool,
    pub variant: bool,
}

/// The generator of one program.
pub struct Make {
    pub lots: Lots,
    pub parts: Parts,
    pub forms: BTreeMap<&'static str, usize>,
    names: usize,
    /// A line and the code that `check` must report there.
    said: Option<(String, &'static str)>,
    /// Decisions that a policy may name, with possible answers.
    pub sites: Vec<(String, Vec<String>)>,
    /// Rough limit of the number of outcomes that further chance may have.
    pub ways: i64,
}

impl Make {
    pub fn program(seed: u64) -> (Program, BTreeMap<&'static str, usize>) {
        let mut lots = Lots((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            lots.below(2);
        }
        let mut make = Make {
            lots,
            parts: Parts::default(),
            forms: BTreeMap::new(),
            names: 0,
            said: None,
            sites: Vec::new(),
            ways: 150,
        };
        make.parts = make.choose_parts();
        let (rules, variant) = make.rules();
        let (table, args) = make.table();
        let players = make.players();
        let mut params = Vec::new();
        if make.one_in(5) {
            make.form("param that the scenario sets");
            params.push(("hit_on".to_string(), make.number(1, 5)));
        }
        (Program { rules, variant, table, args, params, said: make.said, players }, make.forms)
    }

    fn choose_parts(&mut self) -> Parts {
        let mut one_in = |n: u64| self.lots.below(n) == 0;
        let phase = one_in(2);
        if one_in(5) {
            return Parts {
                plain: true,
                phase,
                conditions: one_in(3),
                events: one_in(2),
                procs: one_in(2),
                tests: one_in(3),
                tables: one_in(2),
                variant: one_in(4),
                ..Parts::default()
            };
        }
        Parts {
            plain: false,
            groups: one_in(3),
            stays: one_in(3),
            phase,
            actions: phase && one_in(2),
            statuses: one_in(2),
            conditions: one_in(3),
            traits: one_in(3),
            events: one_in(2),
            destruction: one_in(3),
            procs: one_in(2),
            tests: one_in(3),
            tables: one_in(4),
            chains: one_in(4),
            law: one_in(8),
            variant: one_in(4),
        }
    }

    /// Picks how the two sides decide.
    fn players(&mut self) -> Vec<(String, Decisions)> {
        let one = |make: &mut Self| match make.lots.below(6) {
            0 | 1 => {
                make.form("player who takes anything");
                Decisions::Random
            }
            2 => {
                make.form("player who takes the first");
                Decisions::First
            }
            3 | 4 => {
                make.form("player with a policy");
                Decisions::Policy("Bold".into())
            }
            _ => {
                make.form("player who prefers");
                Decisions::Preferred
            }
        };
        let red = one(self);
        let blue = if self.one_in(2) { red.clone() } else { one(self) };
        vec![("red".into(), red), ("blue".into(), blue)]
    }

    /// Counts a form.
    pub fn form(&mut self, name: &'static str) {
        *self.forms.entry(name).or_default() += 1;
    }

    pub fn fresh(&mut self, word: &str) -> String {
        self.names += 1;
        format!("{word}{}", self.names)
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.lots.below(n) == 0
    }

    pub fn number(&mut self, low: i64, high: i64) -> i64 {
        self.lots.range(low, high)
    }

    /// Returns a name of this type, or `None` if there is none.
    pub fn var(&mut self, scope: &Scope, ty: T) -> Option<String> {
        let all: Vec<&String> = scope.vars.iter().filter(|(_, t)| *t == ty).map(|(n, _)| n).collect();
        if all.is_empty() {
            return None;
        }
        Some(all[self.lots.below(all.len() as u64) as usize].clone())
    }

    /// Reserves outcomes of chance. Returns whether the limit allows it.
    pub fn takes(&mut self, ways: i64) -> bool {
        let fits = self.ways >= ways;
        if fits {
            self.ways /= ways;
        }
        fits
    }

    /// Makes a body that may run several times, with its own limit of outcomes.
    pub fn within<R>(&mut self, ways: i64, body: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.ways;
        self.ways = if self.one_in(2) { ways.min(before) } else { 1 };
        let own = self.ways;
        let made = body(self);
        self.ways = if self.ways < own { before / (own * own) } else { before }.max(1);
        made
    }

    /// Makes the body of a loop, whose dice are rolled in each round.
    pub fn again<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.ways;
        self.ways = (1..).take_while(|n| n * n * n <= before).last().unwrap_or(1);
        let own = self.ways;
        let made = body(self);
        self.ways = (before / (own / self.ways.max(1)).max(1).pow(3)).max(1);
        made
    }
}

impl Scope {
    pub fn with(&self, name: &str, ty: T) -> Scope {
        let mut inner = self.clone();
        inner.vars.push((name.to_string(), ty));
        inner
    }

    pub fn deeper(&self) -> Scope {
        let mut inner = self.clone();
        inner.depth += 1;
        inner
    }
}
