//! Evaluates values of checked code from the few numbers that they depend on. It is the partial evaluator for the
//! search for a smallest situation. It supports arithmetic, derived values and conditionals, and gives up on everything
//! else. The machine verifies each finding before it is reported.

use grognard_base::OrdMap;
use grognard_base::value::*;
use grognard_rules::code::{Body, Expr, ExprKind, Stmt, StmtKind, Target};
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_rules::ruleset::{FieldSort, Ruleset};

/// Maximum nesting depth of values.
const DEEPEST: usize = 24;

/// A number that a value depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaf {
    /// A parameter.
    Given(LocalId),
    /// A field of a thing that is a parameter.
    Of(LocalId, FieldId),
    /// The length of a list of that thing.
    Size(LocalId, FieldId),
}

/// A callback that returns the value of a leaf.
pub type LeafNumbers<'k> = &'k mut dyn FnMut(&Leaf) -> Option<i64>;

/// The binding of a variable.
#[derive(Clone, Copy, Debug)]
enum Bound<'r> {
    /// A thing that is a parameter of the examined function.
    Thing(LocalId),
    /// A numeric parameter.
    Given(LocalId),
    Number(Ratio),
    /// An expression that is evaluated on demand.
    Let(&'r Expr),
}

/// The evaluator of a function.
pub struct Figures<'r> {
    rules: &'r Ruleset,
    bound: OrdMap<LocalId, Bound<'r>>,
    numbers: Vec<i64>,
}

impl<'r> Figures<'r> {
    /// Creates the evaluator of a function.
    pub fn of(rules: &'r Ruleset, func: FuncId) -> Figures<'r> {
        let function = &rules.functions[func.at()];
        let mut bound = OrdMap::new();
        for (n, local) in function.locals.iter().enumerate().take(function.params) {
            let id = LocalId::from(n);
            match &local.ty {
                Type::Kind(_) => drop(bound.insert(id, Bound::Thing(id))),
                Type::Int(_) | Type::Length | Type::Ratio => drop(bound.insert(id, Bound::Given(id))),
                _ => {}
            }
        }
        // variables that are assigned exactly once
        let mut made: OrdMap<LocalId, Option<&'r Expr>> = OrdMap::new();
        let mut numbers = Vec::new();
        walk_body(&function.body, &mut |node| match node {
            Node::Stmt(Stmt { kind: StmtKind::Let { local, value }, .. }) => {
                made.entry(*local).and_modify(|known| *known = None).or_insert(Some(value));
            }
            Node::Stmt(Stmt { kind: StmtKind::Set { target: Target::Local(local), .. }, .. }) => {
                made.insert(*local, None);
            }
            Node::Expr(Expr { kind: ExprKind::Const(n), ty: Type::Int(_) | Type::Length, .. }) => numbers.push(*n),
            _ => {}
        });
        for (local, value) in made {
            if let Some(value) = value {
                bound.entry(local).or_insert(Bound::Let(value));
            }
        }
        Figures { rules, bound, numbers }
    }

    /// Returns the integers that occur in the body.
    pub fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    /// Evaluates a number. Returns `None` if it depends on anything that is not supported.
    pub fn number(&self, e: &'r Expr, known: LeafNumbers<'_>) -> Option<Ratio> {
        FigureWorker { rules: self.rules, known, depth: 0 }.number(e, &self.bound)
    }

    /// Evaluates a condition. Returns `None` if it depends on anything that is not supported.
    pub fn holds(&self, e: &'r Expr, known: LeafNumbers<'_>) -> Option<bool> {
        FigureWorker { rules: self.rules, known, depth: 0 }.flag(e, &self.bound)
    }

    /// Returns the leaves of an expression, as far as an evaluation with every leaf at 1 reads them. Returns `None` if
    /// the expression depends on anything else.
    pub fn leaves(&self, e: &'r Expr) -> Option<Vec<Leaf>> {
        let mut found: Vec<Leaf> = Vec::new();
        let mut known = |leaf: &Leaf| {
            if !found.contains(leaf) {
                found.push(leaf.clone());
            }
            Some(1)
        };
        if e.ty == Type::Flag {
            self.holds(e, &mut known)?;
        } else {
            self.number(e, &mut known)?;
        }
        Some(found)
    }
}

type Names<'r> = OrdMap<LocalId, Bound<'r>>;

struct FigureWorker<'r, 'k> {
    rules: &'r Ruleset,
    known: LeafNumbers<'k>,
    depth: usize,
}

impl<'r> FigureWorker<'r, '_> {
    /// Returns the parameter that an expression refers to.
    fn thing(&self, e: &'r Expr, names: &Names<'r>) -> Option<LocalId> {
        match &e.kind {
            ExprKind::Local(id) => match names.get(id)? {
                Bound::Thing(param) => Some(*param),
                Bound::Let(value) => self.thing(value, names),
                Bound::Given(_) | Bound::Number(_) => None,
            },
            _ => None,
        }
    }

    fn number(&mut self, e: &'r Expr, names: &Names<'r>) -> Option<Ratio> {
        self.depth += 1;
        let found = if self.depth > DEEPEST { None } else { self.worked(e, names) };
        self.depth -= 1;
        found
    }

    fn worked(&mut self, e: &'r Expr, names: &Names<'r>) -> Option<Ratio> {
        match &e.kind {
            ExprKind::Const(n) => Some(Ratio::whole(*n)),
            ExprKind::ConstRatio(n, d) => Ratio::new(*n, *d),
            ExprKind::Setting(id) => match self.rules.settings[id.at()].value.as_slice() {
                [n] => Some(Ratio::whole(*n)),
                [n, d] => Ratio::new(*n, *d),
                _ => None,
            },
            ExprKind::Local(id) => match *names.get(id)? {
                Bound::Number(n) => Some(n),
                Bound::Given(param) => (self.known)(&Leaf::Given(param)).map(Ratio::whole),
                Bound::Let(value) => self.number(value, names),
                Bound::Thing(_) => None,
            },
            ExprKind::Field { thing, field, keys } if keys.is_empty() => {
                let param = self.thing(thing, names)?;
                match self.rules.fields[field.at()].sort {
                    FieldSort::Stat | FieldSort::State => (self.known)(&Leaf::Of(param, *field)).map(Ratio::whole),
                    FieldSort::Let(func) => {
                        let own = OrdMap::from([(LocalId(0), Bound::Thing(param))]);
                        self.body(func, &own)
                    }
                    FieldSort::Link | FieldSort::BackLink(_) => None,
                }
            }
            ExprKind::Call { func, args } => {
                let mut own = OrdMap::new();
                for (n, arg) in args.iter().enumerate() {
                    let value = match self.thing(arg, names) {
                        Some(param) => Bound::Thing(param),
                        None => Bound::Number(self.number(arg, names)?),
                    };
                    own.insert(LocalId::from(n), value);
                }
                self.body(*func, &own)
            }
            ExprKind::If { arms, otherwise } => {
                for (condition, value) in arms {
                    if self.flag(condition, names)? {
                        return self.number(value, names);
                    }
                }
                self.number(otherwise, names)
            }
            ExprKind::Op(Op::Size, args) => {
                let (param, field) = self.list(args.first()?, names)?;
                (self.known)(&Leaf::Size(param, field)).map(Ratio::whole)
            }
            ExprKind::Op(how, args) => {
                let parts = args.iter().map(|arg| self.number(arg, names)).collect::<Option<Vec<Ratio>>>()?;
                operate(*how, &parts)
            }
            _ => None,
        }
    }

    fn body(&mut self, func: FuncId, names: &Names<'r>) -> Option<Ratio> {
        match &self.rules.functions[func.at()].body {
            Body::Value(value) => self.number(value, names),
            _ => None,
        }
    }

    /// Returns a list of things that a parameter holds, or that point to it.
    fn list(&self, e: &'r Expr, names: &Names<'r>) -> Option<(LocalId, FieldId)> {
        let ExprKind::Field { thing, field, keys } = &e.kind else { return None };
        let param = self.thing(thing, names).filter(|_| keys.is_empty())?;
        match self.rules.fields[field.at()].sort {
            FieldSort::BackLink(_) => Some((param, *field)),
            FieldSort::Let(func) => match &self.rules.functions[func.at()].body {
                Body::Value(value) => self.list(value, &OrdMap::from([(LocalId(0), Bound::Thing(param))])),
                _ => None,
            },
            _ => None,
        }
    }

    fn flag(&mut self, e: &'r Expr, names: &Names<'r>) -> Option<bool> {
        match &e.kind {
            ExprKind::Const(n) => Some(*n != 0),
            // all parts are evaluated, so that all leaves are found
            ExprKind::And(parts) => parts.iter().try_fold(true, |all, part| Some(self.flag(part, names)? && all)),
            ExprKind::Or(parts) => parts.iter().try_fold(false, |any, part| Some(self.flag(part, names)? || any)),
            ExprKind::Op(Op::Not, args) => Some(!self.flag(args.first()?, names)?),
            ExprKind::Op(how, args) => {
                let [a, b] = args.as_slice() else { return None };
                how.holds(self.number(a, names)?.cmp(&self.number(b, names)?))
            }
            // a stored flag, or a derived one
            _ if e.ty == Type::Flag => match &e.kind {
                ExprKind::Field { thing, field, keys } if keys.is_empty() => {
                    let param = self.thing(thing, names)?;
                    match self.rules.fields[field.at()].sort {
                        FieldSort::Let(func) => match &self.rules.functions[func.at()].body {
                            Body::Value(value) => {
                                self.depth += 1;
                                let own = OrdMap::from([(LocalId(0), Bound::Thing(param))]);
                                let found = if self.depth > DEEPEST { None } else { self.flag(value, &own) };
                                self.depth -= 1;
                                found
                            }
                            _ => None,
                        },
                        _ => (self.known)(&Leaf::Of(param, *field)).map(|n| n != 0),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn operate(how: Op, parts: &[Ratio]) -> Option<Ratio> {
    match (how, parts) {
        (Op::Add | Op::AddRatio, [a, b]) => a.checked_add(*b),
        (Op::Sub | Op::SubRatio, [a, b]) => a.checked_sub(*b),
        (Op::Mul | Op::MulRatio, [a, b]) => a.checked_mul(*b),
        (Op::Fraction | Op::DivRatio, [a, b]) => a.checked_div(*b),
        (Op::Neg | Op::NegRatio, [a]) => a.checked_neg(),
        (Op::RoundDown, [a]) => Some(Ratio::whole(a.floor())),
        (Op::RoundUp, [a]) => Some(Ratio::whole(a.ceil())),
        (Op::RoundNear, [a]) => a.checked_add(Ratio::HALF).map(|a| Ratio::whole(a.floor())),
        (Op::ToRatio, [a]) => Some(*a),
        (Op::Min | Op::MinRatio, all) => all.iter().min().copied(),
        (Op::Max | Op::MaxRatio, all) => all.iter().max().copied(),
        _ => None,
    }
}
