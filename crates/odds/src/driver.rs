//! The dice handler and the decision handler of exact odds: a question that nobody has answered stops the machine.

use super::{menus, pool};
use grognard_base::value::{FuncId, SettingId, SiteId};
use grognard_base::{Code, Meter};
use grognard_board::motion::Path;
use grognard_vm::{Answer, Asked, Decide, Dice, Die, DrawAsk, Fault, Flow, Form, Game, Throw, Thrown, Who};
use std::cell::RefCell;
use std::rc::Rc;

/// What a player does at a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This.
    Answer(Answer),
    /// Any entry of the menu, all alike.
    Random,
    /// What makes the objective greatest.
    Best,
    /// What makes it least.
    Worst,
}

/// Decides for the players while odds are computed. What it remembers of the answers so far is part of the position.
pub trait Deciders {
    /// What is done at a question.
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Choice, Fault>;
    /// Adds the faces of a throw that is given beforehand; false if chance throws it, and then `faces` is left alone.
    fn throw(&mut self, _game: &Game, _throw: &Throw<'_>, _faces: &mut Vec<i64>) -> Result<bool, Fault> {
        Ok(false)
    }
    /// The same for a draw: the places of the candidates that are drawn.
    fn draw(&mut self, _game: &Game, _draw: &DrawAsk<'_>, _picks: &mut Vec<usize>) -> Result<bool, Fault> {
        Ok(false)
    }
    /// Receives each answer that neither a player nor the rules gave.
    fn undecided(&mut self, _site: SiteId) {}
    /// Whether it ever gives chance beforehand.
    fn gives_dice(&self) -> bool {
        false
    }
    /// Whether some player takes any entry of a menu or looks for the best.
    fn searches(&self) -> bool {
        false
    }
    /// A step of a scenario begins, or the last one is over.
    fn begin_step(&mut self, _step: Option<usize>) {}
    /// Adds what it remembers to an empty list.
    fn memory(&self, _to: &mut Vec<i64>) {}
    /// Goes back to what it remembered once.
    fn recall(&mut self, _memory: &[i64]) {}
}

/// Takes what the rules prefer.
pub struct Prefer;

impl Deciders for Prefer {
    fn decide(&mut self, _: &mut Asked<'_>) -> Result<Choice, Fault> {
        Ok(Choice::Answer(Answer::Prefer))
    }
}

/// What the machine waits for.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Dice: so many of one sort, or each its own; whether they stay dice, and whether later ones may be given beforehand.
    Dice { same: Option<Die>, count: usize, each: Vec<Die>, pool: bool, given: bool },
    /// So many of candidates with weights.
    Draw { weights: Vec<u32>, alike: Vec<usize>, count: usize },
    /// A decision, and the entries of its menu; of a move, the paths that these stand for.
    Decision { choice: Choice, options: Vec<Answer>, names: Vec<String>, who: Who, ends: Option<Rc<[Path]>> },
    /// A decision that is put later, from a position of its own.
    Later,
}

/// An answer that is ready before the question.
#[derive(Clone, Debug)]
pub enum Ready {
    /// Cells of a throw.
    Cells(Vec<i64>),
    /// The one cell of a throw.
    Cell(i64),
    /// Places of what is drawn.
    Picks(Vec<usize>),
    /// A decision; of a move, with the paths that were found.
    Decision(Answer, Option<Rc<[Path]>>),
}

/// What dice and players share.
pub struct Shared<'d> {
    /// Who decides; nobody while a query is worked out.
    pub deciders: Option<&'d mut dyn Deciders>,
    /// The next answer, if it is known.
    pub ready: Option<Ready>,
    /// What the machine waits for.
    pub wanted: Option<Wanted>,
    /// Whether dice that stay dice lie unseen until the rules look at them.
    pub lazy: bool,
    /// So many throws that lie unseen until the rules look at them are answered without a stop.
    pub unseen: usize,
    /// Whether the entries of a menu are of use: the position is the one at which it is asked.
    pub lists: bool,
    /// Whether somebody chose between values in a way that may depend on their order.
    pub ordered: bool,
    /// The ends of the move that is about to be asked for.
    pub ends: Option<Rc<[Path]>>,
    /// Functions called, settings read and clauses come by, if that is kept.
    pub marks: Option<Vec<u64>>,
    /// How many functions there are: settings come behind them.
    pub functions: usize,
    /// Where clauses begin behind both.
    pub clauses: usize,
    /// What questions are charged to.
    pub meter: Rc<Meter>,
    /// What deciders remembered before the question at work.
    pub before: Vec<i64>,
}

impl Shared<'_> {
    /// Nobody decides, nothing is kept.
    pub fn nobody(meter: &Rc<Meter>) -> Self {
        Shared {
            deciders: None,
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

    /// Whether chance is given beforehand. Where it is not, what was remembered of the question counts only once its
    /// answer is known: until then it will be asked again.
    fn given(
        &mut self,
        waits: bool,
        mut ask: impl FnMut(&mut dyn Deciders) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let Some(deciders) = &mut self.deciders else { return Ok(false) };
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

    /// Whether some dice are given beforehand.
    fn gives_dice(&self) -> bool {
        self.deciders.as_ref().is_some_and(|deciders| deciders.gives_dice())
    }

    /// Waits for the faces of a throw, if there are dice in it.
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

    /// Whether a throw of a pool goes on unseen, if it is not given.
    fn passes_throws(&self) -> bool {
        self.ready.is_none() && self.lazy && self.unseen > 0
    }

    /// A throw does.
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

/// Stands in for the dice.
#[derive(Clone, Copy)]
pub struct Chance<'s, 'd>(pub &'s RefCell<Shared<'d>>);

/// Stands in for the players.
#[derive(Clone, Copy)]
pub struct Table<'s, 'd>(pub &'s RefCell<Shared<'d>>);

impl Dice for Chance<'_, '_> {
    fn exact(&self) -> bool {
        true
    }

    fn enters(&mut self, func: FuncId) {
        self.0.borrow_mut().mark(func.at());
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
        // dice that explode may be followed to the last of them
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
        let ready = match &shared.ready {
            Some(Ready::Decision(answer, _)) => Some(answer.clone()),
            _ => None,
        };
        shared.meter.work(1);
        let Some(deciders) = &mut shared.deciders else {
            return Err(Fault::new(Code::NeedsOdds, "a question is asked where only values are worked out"));
        };
        shared.before.clear();
        if ready.is_none() {
            deciders.memory(&mut shared.before);
        }
        let choice = deciders.decide(asked)?;
        if let Choice::Answer(answer) = choice {
            shared.ordered |= asked.ask.is_of_values(&asked.game.program.schema);
            return Ok((answer, ""));
        }
        // what waits for its answer is asked again, and remembered then
        if ready.is_none() {
            deciders.recall(&shared.before);
        }
        match &asked.form {
            // the ends that are open to a move are put as a choice of their own
            Form::Move { open: true } => {
                // from a position of its own, so that ends are not looked for twice; where marks are kept it is the
                // choice between them that is one
                if ready.is_none() && !shared.lists && shared.marks.is_none() {
                    shared.wanted = Some(Wanted::Later);
                    return Ok((Answer::Wait, ""));
                }
                return Ok((Answer::List, ""));
            }
            Form::Move { open: false } => return Ok((Answer::Prefer, "")),
            Form::Choose { .. } | Form::Subset { .. } | Form::Option { .. } => {}
            Form::May | Form::Menu { .. } | Form::Next { .. } => {}
        }
        if let Some(answer) = ready {
            shared.ready = None;
            return Ok((answer, ""));
        }
        if !shared.lists {
            shared.wanted = Some(Wanted::Later);
            return Ok((Answer::Wait, ""));
        }
        let (options, names) = menus::entries(asked)?;
        let ends = shared.ends.take();
        shared.wanted = Some(Wanted::Decision { choice, options, names, who: asked.who, ends });
        Ok((Answer::Wait, ""))
    }
}

/// True if a decision at this question is looked for.
pub fn looked_for(wanted: &Wanted) -> bool {
    matches!(wanted, Wanted::Decision { choice: Choice::Best | Choice::Worst, .. })
}
