//! The dice handler and the decision handler of exact odds: a question without an answer stops the machine.

use super::{menus, pool};
use grognard_base::value::{FuncId, SettingId, SiteId};
use grognard_base::{Code, Meter};
use grognard_board::motion::Path;
use grognard_vm::{Answer, Asked, Decide, Dice, Die, DrawAsk, Fault, Flow, Form, Game, Throw, Thrown, Who};
use std::cell::RefCell;
use std::rc::Rc;

/// The decision of a player at a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A given answer.
    Answer(Answer),
    /// A uniformly random entry of the menu.
    Random,
    /// The entry with the maximum objective. With a plain answer, the graph can compare the two.
    Best(Option<Answer>),
    /// The entry with the minimum objective. With a plain answer, the graph can compare the two.
    Worst(Option<Answer>),
}

/// Decides for the players while odds are computed. The memory of the answers so far is part of the state.
pub trait Deciders {
    /// Returns the decision at a question.
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Choice, Fault>;
    /// Appends the fixed faces of a roll. Returns `false` and leaves `faces` unchanged if chance rolls it.
    fn throw(&mut self, _game: &Game, _throw: &Throw<'_>, _faces: &mut Vec<i64>) -> Result<bool, Fault> {
        Ok(false)
    }
    /// Appends the indices of the candidates of a fixed draw. Returns `false` and leaves `picks` unchanged if chance draws.
    fn draw(&mut self, _game: &Game, _draw: &DrawAsk<'_>, _picks: &mut Vec<usize>) -> Result<bool, Fault> {
        Ok(false)
    }
    /// Receives each answer that neither a player nor the rules gave.
    fn undecided(&mut self, _site: SiteId) {}
    /// Returns whether any roll or draw can be fixed.
    fn gives_dice(&self) -> bool {
        false
    }
    /// Returns whether a player chooses at random or searches for the best play.
    fn searches(&self) -> bool {
        false
    }
    /// Returns whether an answer can depend on earlier ones. If not, there is no memory, and a decision is not asked for again
    /// when its answer is known.
    fn remembers(&self) -> bool {
        true
    }
    /// Receives the step of a scenario that begins, or `None` after the last one.
    fn begin_step(&mut self, _step: Option<usize>) {}
    /// Appends the memory to an empty list.
    fn memory(&self, _to: &mut Vec<i64>) {}
    /// Restores the memory that an earlier call of `memory` wrote.
    fn recall(&mut self, _memory: &[i64]) {}
}

/// The decider that follows the preferences of the rules.
pub struct Prefer;

impl Deciders for Prefer {
    fn decide(&mut self, _: &mut Asked<'_>) -> Result<Choice, Fault> {
        Ok(Choice::Answer(Answer::Prefer))
    }

    fn remembers(&self) -> bool {
        false
    }
}

/// The question that the machine waits on.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Dice: a number of dice of one kind, or a list of kinds. The flags are whether the roll makes a pool, and whether
    /// later rolls can be fixed.
    Dice { same: Option<Die>, count: usize, each: Vec<Die>, pool: bool, given: bool },
    /// A draw of `count` weighted candidates.
    Draw { weights: Vec<u32>, alike: Vec<usize>, count: usize },
    /// A decision with the entries of its menu. For a move, `ends` holds the paths of the entries. A plain answer is the last of
    /// the options and has no name.
    Decision { choice: Choice, options: Vec<Answer>, names: Vec<String>, who: Who, ends: Option<Rc<[Path]>> },
    /// A decision that is asked later, from a separate state.
    Later,
}

/// An answer that is known before the question.
#[derive(Clone, Debug)]
pub enum Ready {
    /// The cells of a roll.
    Cells(Vec<i64>),
    /// The one cell of a roll.
    Cell(i64),
    /// The indices of the drawn candidates.
    Picks(Vec<usize>),
    /// A decision. For a move, with the paths that the search found.
    Decision(Answer, Option<Rc<[Path]>>),
}

/// State that the dice handler and the decision handler share.
pub struct Shared<'d> {
    /// The deciders, or `None` while a query is evaluated.
    pub deciders: Option<&'d mut dyn Deciders>,
    /// Whether the deciders remember earlier answers.
    pub remembers: bool,
    /// The next answer, if it is known.
    pub ready: Option<Ready>,
    /// The question that the machine waits on.
    pub wanted: Option<Wanted>,
    /// Whether pools stay unsampled until an instruction demands their dice.
    pub lazy: bool,
    /// Number of unsampled rolls that are answered without a stop.
    pub unseen: usize,
    /// Whether a menu can be listed: the current state is the one at which it is asked.
    pub lists: bool,
    /// Whether a decision between values could have depended on their order.
    pub ordered: bool,
    /// The end points of the move that is asked next.
    pub ends: Option<Rc<[Path]>>,
    /// The functions called, settings read and clauses used, as a bit set; `None` if marks are not recorded.
    pub marks: Option<Vec<u64>>,
    /// The number of functions, which is the first index of the settings in the marks.
    pub functions: usize,
    /// The first index of the clauses in the marks.
    pub clauses: usize,
    /// The meter that questions are charged to.
    pub meter: Rc<Meter>,
    /// The memory of the deciders before the current question.
    pub before: Vec<i64>,
}

impl Shared<'_> {
    /// Creates a shared state without deciders and marks.
    pub fn nobody(meter: &Rc<Meter>) -> Self {
        Shared {
            deciders: None,
            remembers: false,
            ready: None,
            wanted: None,
            lazy: false,
            unseen: 0,
            lists: true,
            ordered: false,
            ends: None,
            marks: None,
            functions: 0,
            clauses: 0,
            meter: Rc::clone(meter),
            before: Vec::new(),
        }
    }

    /// Returns whether a roll or draw is fixed. If it is not, the memory is restored until the answer is known, because
    /// the question is then asked again.
    fn given(
        &mut self,
        waits: bool,
        mut ask: impl FnMut(&mut dyn Deciders) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let Some(deciders) = &mut self.deciders else { return Ok(false) };
        let waits = waits && self.remembers;
        self.before.clear();
        if waits {
            deciders.memory(&mut self.before);
        }
        let given = ask(&mut **deciders)?;
        if waits && !given {
            deciders.recall(&self.before);
        }
        Ok(given)
    }

    /// Takes the known answer to a decision.
    fn take_answer(&mut self) -> Answer {
        match self.ready.take() {
            Some(Ready::Decision(answer, _)) => answer,
            Some(Ready::Cells(_) | Ready::Cell(_) | Ready::Picks(_)) | None => Answer::Prefer,
        }
    }

    /// Returns whether any roll can be fixed.
    fn gives_dice(&self) -> bool {
        self.deciders.as_ref().is_some_and(|deciders| deciders.gives_dice())
    }

    /// Waits for the faces of a roll, unless it has no dice.
    fn asks_for(&mut self, throw: &Throw<'_>) -> Flow {
        if throw.dice.is_empty() {
            return Flow::Go;
        }
        let (same, count, each) = match throw.dice {
            Thrown::Same(die, n) => (Some(die), n, Vec::new()),
            Thrown::Each(dice) => (None, dice.len(), dice.to_vec()),
        };
        let given = self.gives_dice();
        self.wanted = Some(Wanted::Dice { same, count, each, pool: throw.pool, given });
        Flow::Wait
    }

    /// Returns whether a pool that is not fixed stays unsampled.
    fn passes_throws(&self) -> bool {
        self.ready.is_none() && self.lazy && self.unseen > 0
    }

    /// Counts a roll that stays unsampled against `unseen`.
    fn lies_unseen(&mut self) {
        (self.unseen, self.lists) = (self.unseen - 1, false);
        self.meter.work(1);
    }

    fn mark(&mut self, n: usize) {
        if let Some(marks) = &mut self.marks {
            if marks.len() <= n / 64 {
                marks.resize(n / 64 + 1, 0);
            }
            marks[n / 64] |= 1 << (n % 64);
        }
    }
}

/// The dice handler.
#[derive(Clone, Copy)]
pub struct Chance<'s, 'd>(pub &'s RefCell<Shared<'d>>);

/// The decision handler.
#[derive(Clone, Copy)]
pub struct Table<'s, 'd>(pub &'s RefCell<Shared<'d>>);

impl Dice for Chance<'_, '_> {
    fn exact(&self) -> bool {
        true
    }

    fn enters(&mut self, func: FuncId) {
        self.0.borrow_mut().mark(func.at());
    }

    fn marks(&self) -> bool {
        self.0.borrow().marks.is_some()
    }

    fn reads(&mut self, id: SettingId) {
        let mut shared = self.0.borrow_mut();
        let at = shared.functions + id.at();
        shared.mark(at);
    }

    fn comes_by(&mut self, clause: u32) {
        let mut shared = self.0.borrow_mut();
        let at = shared.clauses + clause as usize;
        shared.mark(at);
    }

    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        let mut shared = self.0.borrow_mut();
        let waits = shared.ready.is_none();
        shared.meter.words(throw.dice.len() as u64);
        // Exploding dice need their faces to know whether another die follows.
        let lies = throw.pool && !throw.explode && !throw.dice.is_empty();
        let unseen = lies && shared.passes_throws();
        if shared.given(waits && !unseen, |deciders| deciders.throw(game, throw, faces))? {
            return Ok(Flow::Go);
        }
        if unseen {
            shared.lies_unseen();
            match throw.dice {
                Thrown::Same(die, n) => pool::thrown_alike(game, (die, n), faces),
                Thrown::Each(dice) => faces.extend(pool::thrown(game, dice.iter().copied())),
            }
            return Ok(Flow::Go);
        }
        match &shared.ready {
            Some(Ready::Cell(cell)) => faces.push(*cell),
            Some(Ready::Cells(cells)) => faces.extend_from_slice(cells),
            Some(Ready::Picks(_) | Ready::Decision(..)) | None => return Ok(shared.asks_for(throw)),
        }
        shared.ready = None;
        Ok(Flow::Go)
    }

    fn pool(&mut self, game: &Game, _: SiteId, _: i64, dice: (Die, usize), faces: &mut Vec<i64>) -> bool {
        let mut shared = self.0.borrow_mut();
        if shared.gives_dice() || dice.1 == 0 || !shared.passes_throws() {
            return false;
        }
        shared.lies_unseen();
        pool::thrown_alike(game, dice, faces);
        true
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        let mut shared = self.0.borrow_mut();
        let waits = shared.ready.is_none();
        if shared.given(waits, |deciders| deciders.draw(game, draw, picks))? {
            return Ok(Flow::Go);
        }
        if let Some(Ready::Picks(ready)) = &shared.ready {
            picks.extend_from_slice(ready);
            shared.ready = None;
            return Ok(Flow::Go);
        }
        shared.wanted =
            Some(Wanted::Draw { weights: draw.weights.to_vec(), alike: draw.alike.to_vec(), count: draw.count });
        Ok(Flow::Wait)
    }
}

impl Decide for Table<'_, '_> {
    fn meter(&self) -> Option<Rc<Meter>> {
        Some(Rc::clone(&self.0.borrow().meter))
    }

    fn known(&self) -> Option<Rc<[Path]>> {
        match &self.0.borrow().ready {
            Some(Ready::Decision(_, ends)) => ends.clone(),
            _ => None,
        }
    }

    fn found(&mut self, ends: &Rc<[Path]>) {
        self.0.borrow_mut().ends = Some(Rc::clone(ends));
    }

    fn undecided(&mut self, site: SiteId) {
        if let Some(deciders) = &mut self.0.borrow_mut().deciders {
            deciders.undecided(site);
        }
    }

    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let shared = &mut *self.0.borrow_mut();
        shared.meter.work(1);
        let known = matches!(shared.ready, Some(Ready::Decision(..)));
        if known && !shared.remembers && !matches!(asked.form, Form::Move { .. }) {
            return Ok((shared.take_answer(), ""));
        }
        let Some(deciders) = &mut shared.deciders else {
            return Err(Fault::new(Code::NeedsOdds, "a choice is made where only values are computed"));
        };
        let forgets = !known && shared.remembers;
        shared.before.clear();
        if forgets {
            deciders.memory(&mut shared.before);
        }
        let choice = deciders.decide(asked)?;
        if let Choice::Answer(answer) = choice {
            shared.ordered |= asked.ask.is_of_values(&asked.game.program.schema);
            return Ok((answer, ""));
        }
        // A question without a known answer is asked again, and remembered then.
        if forgets {
            deciders.recall(&shared.before);
        }
        match &asked.form {
            // The end points of a move are asked as a separate choice.
            Form::Move { open: true } => {
                // The choice starts from a separate state, so that the search for end points runs once. With marks, the choice
                // itself is that state.
                if !known && !shared.lists && shared.marks.is_none() {
                    shared.wanted = Some(Wanted::Later);
                    return Ok((Answer::Wait, ""));
                }
                return Ok((Answer::List, ""));
            }
            Form::Move { open: false } => return Ok((Answer::Prefer, "")),
            Form::Choose { .. } | Form::Subset { .. } | Form::Option { .. } => {}
            Form::May | Form::Menu { .. } | Form::Next { .. } => {}
        }
        if known {
            return Ok((shared.take_answer(), ""));
        }
        if !shared.lists {
            shared.wanted = Some(Wanted::Later);
            return Ok((Answer::Wait, ""));
        }
        let (mut options, names) = menus::entries(asked)?;
        if let Choice::Best(Some(plain)) | Choice::Worst(Some(plain)) = &choice {
            options.push(plain.clone());
        }
        let ends = shared.ends.take();
        shared.wanted = Some(Wanted::Decision { choice, options, names, who: asked.who, ends });
        Ok((Answer::Wait, ""))
    }
}

/// Returns whether the question is a decision of the best or worst play.
pub fn looked_for(wanted: &Wanted) -> bool {
    matches!(wanted, Wanted::Decision { choice: Choice::Best(_) | Choice::Worst(_), .. })
}
