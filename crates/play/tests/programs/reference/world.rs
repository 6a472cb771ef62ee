//! The table: things with their figures, states of the game, running phases, and the trace.

use super::book::{Book, type_name};
use super::expr::rounded;
use super::path::Path;
use super::value::{Die, V};
use grognard_syntax::tree::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Reason why code does not continue with its next line.
#[derive(Clone, Debug, PartialEq)]
pub enum Exit {
    /// The code of an error.
    Fault(&'static str),
    Return(V),
    Stop,
    End(String),
    Cancel,
    /// The run has too many steps for the evaluator.
    TooLong,
}

pub type Res<T> = Result<T, Exit>;

/// A value of a scenario.
#[derive(Clone, Debug)]
pub enum Given {
    Int(i64),
    Flag(bool),
    /// A thing, a case or a die.
    Word(String),
    Words(Vec<String>),
    Ints(Vec<i64>),
}

/// Kind, name, figures and traits of a thing.
pub type Row = (String, String, Vec<(String, Given)>, Vec<String>);

/// Values with their names.
pub type Fields = Vec<(String, V)>;

/// How a player answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decisions {
    /// Takes the preference of the rules.
    Preferred,
    /// Takes the first entry of each menu.
    First,
    /// Takes any entry with the same probability.
    Random,
    /// Takes the advice of a policy, else the preference of the rules.
    Policy(String),
}

impl Decisions {
    /// Returns the text in a scenario.
    pub fn written(&self) -> String {
        match self {
            Decisions::Preferred => "prefer".into(),
            Decisions::First => "first".into(),
            Decisions::Random => "random".into(),
            Decisions::Policy(name) => format!("policy:{name}"),
        }
    }
}

/// When a layer or a status ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    pub start: bool,
    pub phase: String,
    pub key: Option<V>,
    /// The running phase that it waits for; `None` for the next one.
    pub running: Option<u64>,
}

/// A stored value: the lasting value and the layers over it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub lasting: V,
    pub layers: Vec<(V, Wait)>,
}

impl Stored {
    pub fn lasts(value: V) -> Stored {
        Stored { lasting: value, layers: Vec::new() }
    }

    pub fn shown(&self) -> &V {
        self.layers.last().map_or(&self.lasting, |(value, _)| value)
    }
}

#[derive(Clone, Debug)]
pub struct Thing {
    pub kind: String,
    pub name: String,
    pub alive: bool,
    /// Place in thousandths of an inch, or `None` off the board. A destroyed thing keeps its last place.
    pub at: Option<(i64, i64)>,
    /// Whether its destruction has been announced.
    pub falling: bool,
    pub fields: BTreeMap<String, Stored>,
    pub traits: Vec<String>,
    /// Name, data and end of each status.
    pub statuses: Vec<(String, Fields, Option<Wait>)>,
}

/// A running phase or action with its parameters, shared variables and choices.
#[derive(Clone, Debug)]
pub struct Running {
    pub id: u64,
    pub name: String,
    pub action: bool,
    pub ending: bool,
    pub actor: Option<V>,
    pub vars: Vec<(String, V)>,
}

/// Variables of a running body.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub env: Vec<(String, V)>,
    pub me: Option<usize>,
    /// The dice of each roll, and whether they are added up.
    pub rolls: BTreeMap<String, (Vec<Die>, bool)>,
    /// Written types of variables.
    pub types: Vec<(String, TypeExpr)>,
    pub verdict: Option<(&'static str, V)>,
    /// Things that the innermost loop has passed.
    pub earlier: Vec<usize>,
    /// The name of the body, and the thing that throws and decides in it.
    pub who: String,
    pub subject: Option<usize>,
    /// Whether this is a rule, whose subject may be destroyed.
    pub of_rule: bool,
}

/// The position of a run.
#[derive(Clone)]
pub struct World<'b> {
    pub book: &'b Book,
    pub things: Vec<Thing>,
    pub states: BTreeMap<String, Stored>,
    pub tallies: BTreeMap<String, i64>,
    pub params: BTreeMap<String, V>,
    pub running: Vec<Running>,
    pub uses: Vec<(u64, String, usize, V)>,
    pub borrowed: Vec<(usize, String, V)>,
    pub players: &'b [(String, Decisions)],
    pub path: Path,
    pub log: Vec<String>,
    /// The player who was asked last; empty if nobody decides.
    pub asked: String,
    pub fuel: usize,
    pub ids: u64,
    /// Whether lists include destroyed things.
    pub fallen: bool,
}

/// Declaration of a field.
pub enum Declared<'b> {
    Stat(&'b Slot),
    State(&'b Slot),
    Link(&'b TypeExpr),
    Let(&'b Let),
}

impl<'b> World<'b> {
    /// Sets up the table. An error of a default or a bound is the result of every run.
    pub fn new(
        book: &'b Book,
        params: &[(String, i64)],
        players: &'b [(String, Decisions)],
        table: &[Row],
    ) -> (World<'b>, Res<()>) {
        let mut world = World {
            book,
            things: Vec::new(),
            states: BTreeMap::new(),
            tallies: book.tallies.iter().map(|t| (t.clone(), 0)).collect(),
            params: BTreeMap::new(),
            running: Vec::new(),
            uses: Vec::new(),
            borrowed: Vec::new(),
            players,
            path: Path::default(),
            log: Vec::new(),
            asked: String::new(),
            fuel: 0,
            ids: 0,
            fallen: false,
        };
        let mut frame = Frame::default();
        for param in book.params.values() {
            let value = world.eval(&mut frame, &param.value).expect("a param");
            world.params.insert(param.name.text.clone(), value);
        }
        // a param of the scenario holds over one of the rules
        world.params.extend(params.iter().map(|(name, n)| (name.clone(), V::Int(*n))));
        for reading in book.readings.values() {
            let value = world.eval(&mut frame, &reading.alternatives[0].value).expect("a reading");
            world.params.insert(reading.name.text.clone(), value);
        }
        let set = world.set_table(table);
        world.log.clear();
        (world, set)
    }

    pub fn thing_named(&self, name: &str) -> V {
        V::Thing(self.things.iter().position(|t| t.name == name).expect("a thing"))
    }

    /// Returns the table as sorted lines: fields, places and statuses of all things, states of the game, tallies.
    pub fn table(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for thing in &self.things {
            let name = &thing.name;
            lines.extend(thing.at.map(|(x, y)| format!("{name} at {x} {y}")));
            lines.extend(thing.fields.iter().map(|(f, of)| format!("{name}.{f} {}", self.rendered(of.shown()))));
            for (status, data, _) in &thing.statuses {
                let data: Vec<String> = data.iter().map(|(n, v)| format!("{n} {}", self.rendered(v))).collect();
                let data = if data.is_empty() { String::new() } else { format!(" {}", data.join(" ")) };
                lines.push(format!("{name} bears {status}{data}"));
            }
            if !thing.alive {
                lines.push(format!("{name} is out of play"));
            }
        }
        lines.extend(self.states.iter().map(|(name, of)| format!("{name} {}", self.rendered(of.shown()))));
        lines.extend(self.tallies.iter().map(|(name, n)| format!("{name} {n}")));
        lines.sort();
        lines
    }

    pub fn call_main(&mut self, args: Vec<V>) -> Res<V> {
        let formals = &self.book.procs["main"].params;
        let env = formals.iter().zip(args).map(|(f, v)| (f.name.text.clone(), v)).collect();
        self.run_proc("main", env)
    }

    /// Adds all things, then their values, then their defaults.
    fn set_table(&mut self, table: &[Row]) -> Res<()> {
        for (kind, name, _, traits) in table {
            self.add(kind, name, traits.clone());
        }
        for (at, (.., values, _)) in table.iter().enumerate() {
            for (field, given) in values {
                if let Given::Ints(point) = given
                    && field == "at"
                {
                    self.things[at].at = Some((point[0] * 1000, point[1] * 1000));
                }
                if field == "at" || field == "off" {
                    continue;
                }
                let value = self.given(given);
                let value = self.fit_field(at, field, value);
                self.things[at].fields.insert(field.clone(), Stored::lasts(value));
            }
        }
        for at in 0..self.things.len() {
            self.defaults(at)?;
        }
        for slot in &self.book.states {
            let value = match &slot.default {
                Some(default) => self.eval(&mut Frame::default(), default)?,
                None => V::None,
            };
            let value = self.fit(&slot.ty, value);
            self.states.insert(slot.name.text.clone(), Stored::lasts(value));
        }
        self.recut()
    }

    pub fn add(&mut self, kind: &str, name: &str, traits: Vec<String>) -> usize {
        self.things.push(Thing {
            kind: kind.to_string(),
            name: name.to_string(),
            alive: true,
            at: None,
            falling: false,
            fields: BTreeMap::new(),
            traits,
            statuses: Vec::new(),
        });
        self.things.len() - 1
    }

    /// Sets the fields that have no value to their defaults.
    pub fn defaults(&mut self, at: usize) -> Res<()> {
        let kind = self.book.kind(&self.things[at].kind).expect("a kind");
        for member in &kind.members {
            let (name, value, ty) = match &member.kind {
                MemberKind::Stat(slot) | MemberKind::State(slot) => (&slot.name.text, slot.default.as_ref(), &slot.ty),
                MemberKind::Link { name, ty, .. } if self.book.back_link(&kind.name.text, ty).is_none() => {
                    (&name.text, None, ty)
                }
                _ => continue,
            };
            if self.things[at].fields.contains_key(name) {
                continue;
            }
            let empty = if matches!(ty.kind, TypeExprKind::List(_)) { V::List(Vec::new()) } else { V::None };
            let mut frame = Frame { me: Some(at), ..Frame::default() };
            let value = value.map_or(Ok(empty), |e| self.eval(&mut frame, e))?;
            let value = self.fit(ty, value);
            self.things[at].fields.insert(name.clone(), Stored::lasts(value));
        }
        Ok(())
    }

    fn given(&mut self, given: &Given) -> V {
        let word = |world: &Self, word: &String| {
            let thing = world.things.iter().position(|t| t.name == *word).map(V::Thing);
            let case = world.book.case(word).map(|(of, at)| V::Case(of, at));
            let die = || V::Die(Die::Sides(word.trim_start_matches('d').parse().expect("a die")));
            thing.or(case).unwrap_or_else(die)
        };
        match given {
            Given::Int(n) => V::Int(*n),
            Given::Flag(yes) => V::Flag(*yes),
            Given::Word(text) => word(self, text),
            Given::Words(list) => V::List(list.iter().map(|w| word(self, w)).collect()),
            Given::Ints(list) => V::List(list.iter().map(|n| V::Int(*n)).collect()),
        }
    }

    /// Converts a value to a type: a written die becomes a step of a chain.
    pub fn fit(&self, ty: &TypeExpr, value: V) -> V {
        let chain = self.book.chains.iter().position(|(name, _)| name == type_name(ty));
        match (chain, value) {
            (Some(chain), V::Die(Die::Sides(n))) => {
                let at = self.book.chains[chain].1.iter().position(|s| i64::from(*s) == n).expect("a step");
                V::Die(Die::Step { chain, at: at as i64 })
            }
            (_, value) => value,
        }
    }

    fn fit_field(&self, thing: usize, field: &str, value: V) -> V {
        match self.declared(&self.things[thing].kind, field) {
            Some(Declared::Stat(slot) | Declared::State(slot)) => self.fit(&slot.ty, value),
            _ => value,
        }
    }

    pub fn declared(&self, kind: &str, field: &str) -> Option<Declared<'b>> {
        let book = self.book;
        let found = book.kind(kind)?.members.iter().find_map(|m| match &m.kind {
            MemberKind::Stat(slot) if slot.name.text == field => Some(Declared::Stat(slot)),
            MemberKind::State(slot) if slot.name.text == field => Some(Declared::State(slot)),
            MemberKind::Link { name, ty, .. } if name.text == field => Some(Declared::Link(ty)),
            MemberKind::Let(l) if l.name.text == field => Some(Declared::Let(l)),
            _ => None,
        });
        found.or_else(|| book.kind_lets.get(&(kind.to_string(), field.to_string())).map(Declared::Let))
    }

    /// Returns the living things of a kind, in scenario order.
    pub fn living(&self, kind: &str) -> Vec<V> {
        let living = self.things.iter().enumerate().filter(|(_, t)| t.kind == kind && (t.alive || self.fallen));
        living.map(|(n, _)| V::Thing(n)).collect()
    }

    /// Returns a figure of a thing, with the changes by its traits.
    pub fn figure(&mut self, thing: usize, field: &str) -> Res<V> {
        let kind = self.things[thing].kind.clone();
        if field == "alive" {
            return Ok(V::Flag(self.things[thing].alive));
        }
        let lent = self.borrowed.iter().rev().find(|(t, f, _)| *t == thing && f == field).map(|(.., v)| v.clone());
        match self.declared(&kind, field) {
            Some(Declared::Stat(slot)) => {
                let base = self.things[thing].fields[field].shown().clone();
                if base == V::None {
                    return Err(Exit::Fault("R0910"));
                }
                let value = match lent {
                    Some(value) => value,
                    None => self.changed(thing, field, base)?,
                };
                self.cut(Some(thing), &slot.ty, value)
            }
            Some(Declared::State(_)) => Ok(self.things[thing].fields[field].shown().clone()),
            Some(Declared::Link(ty)) => match self.book.back_link(&kind, ty) {
                Some(link) => {
                    let others = self.living(type_name(ty)).into_iter();
                    let points = |v: &V| *self.things[v.thing()].fields[&link].shown() == V::Thing(thing);
                    Ok(V::List(others.filter(points).collect()))
                }
                None => Ok(self.things[thing].fields[field].shown().clone()),
            },
            Some(Declared::Let(l)) => {
                let mut frame = Frame { me: Some(thing), ..Frame::default() };
                if let Some(value) = lent {
                    return Ok(value);
                }
                let base = self.eval(&mut frame, l.value.as_ref().expect("a value"))?;
                self.promised(Some(thing), l.ty.as_ref(), &base)?;
                let value = self.changed(thing, field, base)?;
                self.promised(Some(thing), l.ty.as_ref(), &value)?;
                Ok(value)
            }
            None => {
                let borne = self.things[thing].statuses.iter().filter(|(name, ..)| name == field);
                Ok(V::List(borne.map(|(_, data, _)| V::Record(data.clone())).collect()))
            }
        }
    }

    /// Applies the traits of a thing to a figure: one `replace`; then whole factors, factors that round, what is added and taken
    /// away, and limits.
    fn changed(&mut self, thing: usize, field: &str, base: V) -> Res<V> {
        let kind = self.things[thing].kind.clone();
        let (mut replaced, mut modified) = (Vec::new(), Vec::new());
        for of in self.book.traits.iter().filter(|t| t.on.text == kind) {
            let touches = of.members.iter().any(|m| match &m.kind {
                TraitMemberKind::Replace { name, .. } | TraitMemberKind::Modify { name, .. } => name.text == field,
                _ => false,
            });
            if !touches || !self.bears(thing, of)? {
                continue;
            }
            let mut frame = Frame { me: Some(thing), ..Frame::default() };
            for member in &of.members {
                let (name, when) = match &member.kind {
                    TraitMemberKind::Replace { name, when, .. } | TraitMemberKind::Modify { name, when, .. } => {
                        (name, when)
                    }
                    _ => continue,
                };
                if name.text != field || !self.holds(&mut frame, when.as_ref())? {
                    continue;
                }
                match &member.kind {
                    TraitMemberKind::Replace { value, over, .. } => {
                        let value = self.eval(&mut frame, value)?;
                        replaced.push((of.name.text.clone(), over.as_ref().map(|o| o.text.clone()), value));
                    }
                    TraitMemberKind::Modify { op, value, over, .. } => {
                        let by = self.eval(&mut frame, value)?;
                        let over = over.as_ref().map(|o| o.text.clone());
                        modified.push((of.name.text.clone(), over, *op, by));
                    }
                    _ => {}
                }
            }
        }
        let beaten = |name: &String| replaced.iter().any(|(_, over, _)| over.as_ref() == Some(name));
        let left: Vec<&V> = replaced.iter().filter(|(name, ..)| !beaten(name)).map(|(.., v)| v).collect();
        if left.iter().any(|v| *v != left[0]) {
            return Err(Exit::Fault("R0903"));
        }
        let mut value = left.first().map_or(base, |v| (*v).clone());
        let beaten = |name: &String| modified.iter().any(|(_, over, ..)| over.as_ref() == Some(name));
        let mut left: Vec<(ModifyOp, V)> =
            modified.iter().filter(|(name, ..)| !beaten(name)).map(|(.., op, by)| (*op, by.clone())).collect();
        left.sort_by_key(|(op, _)| match op {
            ModifyOp::Times(None) => 1,
            ModifyOp::Times(Some(_)) => 2,
            ModifyOp::Add | ModifyOp::Sub => 3,
            ModifyOp::AtMost | ModifyOp::AtLeast => 4,
        });
        for (op, by) in left {
            value = match op {
                ModifyOp::Times(None) => self.arith(ArithOp::Mul, value, by)?,
                ModifyOp::Times(Some(to)) => rounded(&self.arith(ArithOp::Mul, value, by)?, to),
                ModifyOp::Add => self.arith(ArithOp::Add, value, by)?,
                ModifyOp::Sub => self.arith(ArithOp::Sub, value, by)?,
                ModifyOp::AtMost if by.order(&value) == Ordering::Less => by,
                ModifyOp::AtLeast if by.order(&value) == Ordering::Greater => by,
                ModifyOp::AtMost | ModifyOp::AtLeast => value,
            };
        }
        Ok(value)
    }

    /// Returns whether a thing bears a trait, status or condition whose `when` holds.
    pub fn bears(&mut self, thing: usize, of: &'b Trait) -> Res<bool> {
        let name = &of.name.text;
        let borne = match of.sort {
            TraitSort::Trait => self.things[thing].traits.contains(name),
            TraitSort::Status => self.things[thing].statuses.iter().any(|(s, ..)| s == name),
            TraitSort::Condition => true,
        };
        let mut frame = Frame { me: Some(thing), ..Frame::default() };
        Ok(borne && self.holds(&mut frame, of.when.as_ref())?)
    }

    pub fn holds(&mut self, frame: &mut Frame, when: Option<&Expr>) -> Res<bool> {
        Ok(match when {
            Some(condition) => self.eval(frame, condition)?.flag(),
            None => true,
        })
    }

    /// Cuts a number to the bounds of its type, which are fields of the thing or numbers.
    pub fn cut(&mut self, thing: Option<usize>, ty: &TypeExpr, value: V) -> Res<V> {
        let (TypeExprKind::Bounded { low, high }, V::Int(n)) = (&ty.kind, &value) else { return Ok(value) };
        let mut frame = Frame { me: thing, ..Frame::default() };
        let most = high.as_ref().map_or(Ok(i64::MAX), |high| self.eval(&mut frame, high).map(|v| v.int()))?;
        let least = self.eval(&mut frame, low)?.int();
        Ok(V::Int((*n).min(most).max(least)))
    }

    /// Cuts a number to the lower bound of a field.
    pub fn at_least(&mut self, thing: usize, field: &str, value: V) -> Res<V> {
        match (self.declared(&self.things[thing].kind, field), &value) {
            (
                Some(Declared::State(Slot { ty: TypeExpr { kind: TypeExprKind::Bounded { low, .. }, .. }, .. })),
                V::Int(n),
            ) => {
                let low = self.eval(&mut Frame { me: Some(thing), ..Frame::default() }, low)?.int();
                Ok(V::Int(low.max(*n)))
            }
            _ => Ok(value),
        }
    }

    /// Checks a written range: a number outside is the error R0905.
    pub fn promised(&mut self, thing: Option<usize>, ty: Option<&TypeExpr>, value: &V) -> Res<()> {
        let Some(ty) = ty else { return Ok(()) };
        if self.cut(thing, ty, value.clone())? == *value { Ok(()) } else { Err(Exit::Fault("R0905")) }
    }
}

pub fn negative(value: V) -> V {
    match value {
        V::Int(n) => V::Int(-n),
        V::Length(n) => V::Length(-n),
        V::Angle(n) => V::Angle((-n).rem_euclid(36_000)),
        V::Ratio(f) => V::Ratio(super::value::Frac::whole(0).minus(f)),
        other => panic!("{other:?} has no sign"),
    }
}
