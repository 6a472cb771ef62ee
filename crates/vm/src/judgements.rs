//! Memoized judgments of one search, as constructive traces (Mokhov, Mitchell and Peyton Jones, "Build Systems à la
//! Carte", 2018).
//!
//! The value of a line depends on the tried position of the mover only through the answers of the board. Therefore the
//! queries of a judgment and their answers are kept as a decision tree. If the board gives the same answers, the line
//! has the same value, and its code need not run again.

use super::board::answer;
use super::bodies::{Question, think};
use super::{Game, State};
use grognard_base::value::*;
use grognard_board::Point;
use grognard_program::{AskKind, LineCode, Pc, Program, opaque};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Maximum number of nodes of a tree. A larger tree has answers such as distances and points, which rarely recur.
const MOST: usize = 500;

/// Answer of the board. The second cell is 0 for an answer of one cell.
pub(super) type BoardAnswer = [i64; 2];

/// Returns the fragments whose judgments can be kept, by entry point, with the functions in them that a scenario may
/// replace.
fn kept(program: &Program) -> FxHashMap<Pc, Vec<FuncId>> {
    let mut kept = FxHashMap::default();
    for ask in &program.asks {
        let AskKind::Move(code) = &ask.kind else { continue };
        for line in &code.lines {
            if let Some(fragment) = line.judged()
                && let Some(replaced) = opaque(program, fragment, line.point)
            {
                kept.insert(fragment.entry, replaced);
            }
        }
    }
    kept
}

/// Decision tree of the judgments of one line of a move.
#[derive(Debug, Default)]
pub(super) struct Judgements {
    nodes: Vec<Node>,
}

#[derive(Debug)]
enum Node {
    /// The next query, and the node that follows each answer.
    Asked(Question, SmallVec<[(BoardAnswer, usize); 2]>),
    Judged(Judgement),
}

/// Value of a fragment.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// First cell of the value.
    pub cell: i64,
    /// Number of loop rounds and calls that the evaluation took.
    pub rounds: u64,
}

impl Judgements {
    /// Creates an empty tree for a line of a move, or returns `None` if the line must be evaluated each time.
    pub fn of(game: &Game, line: &LineCode) -> Option<Judgements> {
        let fragments = game.linked.kept.get_or_init(|| kept(&game.program));
        let replaced = fragments.get(&line.judged()?.entry)?;
        replaced.iter().all(|func| game.gives_the_same(*func)).then(Judgements::default)
    }

    /// Returns the value of the line in a state, or `None` if it is not known. `point` is the tried point, if the line
    /// has one.
    pub fn find(&self, game: &Game, state: &mut State, point: Option<Point>) -> Option<&Judgement> {
        let mut node = self.nodes.first()?;
        loop {
            match node {
                Node::Judged(judgement) => return Some(judgement),
                Node::Asked(question, answers) => {
                    let (one, two) = answer(game, state, &question.put_at(point)).ok()?;
                    let found = [one, two.unwrap_or(0)];
                    let (_, next) = answers.iter().find(|(answer, _)| *answer == found)?;
                    node = &self.nodes[*next];
                }
            }
        }
    }

    /// Keeps a judgment with the answers of the board it depends on. For a line with a point, only queries about the
    /// point count.
    pub fn keep(&mut self, asked: &[(Question, BoardAnswer)], point: bool, judgement: Judgement) {
        let mut at = 0;
        for (question, found) in asked.iter().filter(|(question, _)| !point || question.is_put()) {
            if at == self.nodes.len() {
                self.nodes.push(Node::Asked(*question, SmallVec::new()));
            }
            let new = self.nodes.len();
            let Node::Asked(_, answers) = &mut self.nodes[at] else { return };
            at = match answers.iter().find(|(answer, _)| answer == found) {
                Some((_, next)) => *next,
                None => {
                    answers.push((*found, new));
                    new
                }
            };
        }
        if at == self.nodes.len() {
            self.nodes.push(Node::Judged(judgement));
        }
    }

    /// Returns whether the tree has capacity for more judgments.
    pub fn open(&self) -> bool {
        self.nodes.len() < MOST
    }
}

impl Question {
    /// Returns whether the query refers to the point of a line.
    fn is_put(&self) -> bool {
        self.args.iter().any(|arg| arg[0] == THOUGHT)
    }

    /// Returns the query with the point of the line at `point`.
    fn put_at(&self, point: Option<Point>) -> Question {
        let mut question = *self;
        if let Some(point) = point {
            question.args.iter_mut().filter(|arg| arg[0] == THOUGHT).for_each(|arg| arg[1] = think(point));
        }
        question
    }
}
