//! Memoised judgements of one search: constructive traces (Mokhov, Mitchell and Peyton Jones, "Build Systems à la Carte").
//!
//! What a line of a move comes to hangs on where the mover is thought to be only through what the board answers. So the
//! questions of a judgement and their answers are kept as a decision tree: wherever the board answers the same, the line
//! comes to the same, and the code need not run again.

use super::board::answer;
use super::bodies::{Question, think};
use super::{Game, State};
use grognard_base::value::*;
use grognard_board::Point;
use grognard_program::{AskKind, LineCode, Pc, Program, opaque};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A tree with more nodes than this tells too little: the answers are distances or places, and hardly ever the same.
const MOST: usize = 500;

/// What a question to the board was answered; the second cell is 0 if the answer takes one.
pub(super) type BoardAnswer = [i64; 2];

/// The fragments of a program whose judgements can be kept, by where they begin, and what a scenario may replace in them.
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

/// What one line of a move came to so far.
#[derive(Debug, Default)]
pub(super) struct Judgements {
    nodes: Vec<Node>,
}

#[derive(Debug)]
enum Node {
    /// The next question, and where each answer leads.
    Asked(Question, SmallVec<[(BoardAnswer, usize); 2]>),
    Judged(Judgement),
}

/// What code came to.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// The first cell of its result.
    pub cell: i64,
    /// Rounds and calls that it took.
    pub rounds: u64,
}

impl Judgements {
    /// For a line of a move; none if what it comes to has to be worked out each time.
    pub fn of(game: &Game, line: &LineCode) -> Option<Judgements> {
        let fragments = game.linked.kept.get_or_init(|| kept(&game.program));
        let replaced = fragments.get(&line.judged()?.entry)?;
        replaced.iter().all(|func| game.gives_the_same(*func)).then(Judgements::default)
    }

    /// What the line comes to in a position, with its point at a place if it has one; none if it was not judged there yet.
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

    /// Keeps a judgement with what the board was asked for it; of a line with a point only what was asked about that.
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

    /// Whether further judgements are worth keeping.
    pub fn open(&self) -> bool {
        self.nodes.len() < MOST
    }
}

impl Question {
    /// True if it asks about the point of a line.
    fn is_put(&self) -> bool {
        self.args.iter().any(|arg| arg[0] == THOUGHT)
    }

    /// The same question with the point of the line elsewhere.
    fn put_at(&self, point: Option<Point>) -> Question {
        let mut question = *self;
        if let Some(point) = point {
            question.args.iter_mut().filter(|arg| arg[0] == THOUGHT).for_each(|arg| arg[1] = think(point));
        }
        question
    }
}
