//! Names that steps bind, in the expectations and measures after them.
//!
//! `let tried = test Check(u)` binds `tried` in its step, whose variables end with it. Each part of the value that a later
//! expression reads becomes a hidden top-level state: the step writes it, and the expression reads it. Parts that no expression
//! reads, such as the faces of a pool, cost nothing.

use super::build::Builder;
use super::snippets::PieceId;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_rules::code::*;
use grognard_rules::reads::walk::parts_mut;
use grognard_rules::ruleset::{Global, Ruleset, ValueName};
use grognard_syntax::tree;

/// The item of a hidden state, which is not an item of the rules.
const NO_ITEM: ItemId = ItemId(u32::MAX);

/// A name that a step binds.
pub(super) struct StepName {
    name: String,
    ty: Type,
    /// The step, and the variable in it.
    piece: PieceId,
    local: LocalId,
    /// The state that stands for the name while expressions are checked.
    whole: GlobalId,
    /// The states of the parts that expressions read, by index. A value without parts is its only part.
    parts: Vec<Option<GlobalId>>,
}

/// The names that steps bind.
#[derive(Default)]
pub(super) struct StepNames {
    all: Vec<StepName>,
    /// The number of states of the rules.
    first: usize,
}

/// Returns the types of the parts of a value, or `None` if it has no parts.
fn part_types(rules: &Ruleset, ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Record(id) => Some(rules.records.get(id.at())?.fields.iter().map(|(_, ty)| ty.clone()).collect()),
        Type::Tuple(parts) => Some(parts.clone()),
        _ => None,
    }
}

/// Returns the names that a statement binds for the statements after it.
fn bound(stmt: &tree::Stmt) -> Vec<&tree::Name> {
    use tree::StmtKind as K;
    match &stmt.kind {
        K::Let { names, .. } => names.iter().collect(),
        K::Var { name, .. } | K::Roll { name, .. } | K::Draw { name, .. } => vec![name],
        K::Choose { name, .. } | K::Spawn { name, .. } => vec![name],
        _ => Vec::new(),
    }
}

impl Builder<'_> {
    /// Records the names that a step binds. A name of the rules or of the table keeps its meaning.
    pub(super) fn step_names(&mut self, stmt: &tree::Stmt, piece: PieceId) {
        if self.step_names.all.is_empty() {
            self.step_names.first = self.rs().globals.len();
        }
        for name in bound(stmt) {
            let names = &self.rs().names.values;
            if names.contains_key(&name.text) || self.table.by_name.contains_key(&name.text) {
                continue;
            }
            let locals = &self.functions[piece.0].locals;
            let Some(at) = locals.iter().rposition(|l| l.name == name.text && l.span == name.span) else { continue };
            let ty = locals[at].ty.clone();
            let whole = self.hidden(name.text.clone(), ty.clone());
            let parts = vec![None; part_types(self.rs(), &ty).map_or(1, |parts| parts.len())];
            let local = LocalId::from(at);
            self.step_names.all.push(StepName { name: name.text.clone(), ty, piece, local, whole, parts });
        }
    }

    /// Adds a hidden state of a type, and returns its id.
    fn hidden(&mut self, name: String, ty: Type) -> GlobalId {
        let globals = &mut self.checker.rs.globals;
        globals.push(Global { name, ty, low: None, high: None, default: None, item: NO_ITEM, hidden: true });
        GlobalId::from(globals.len() - 1)
    }

    /// Checks expressions in which the names of the steps so far have their values.
    pub(super) fn after_steps<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let names: Vec<(String, GlobalId)> =
            self.step_names.all.iter().map(|one| (one.name.clone(), one.whole)).collect();
        for (name, whole) in &names {
            self.checker.rs.names.values.insert(name.clone(), ValueName::Global(*whole));
        }
        let found = work(self);
        for (name, _) in &names {
            self.checker.rs.names.values.remove(name);
        }
        found
    }

    /// Replaces the names of steps in an expression by the states of the parts that it reads.
    pub(super) fn read_step_names(&mut self, e: &mut Expr) {
        if self.step_names.all.is_empty() {
            return;
        }
        let named = |of: &Expr| match of.kind {
            ExprKind::Global(id) => self.step_names.all.iter().position(|one| one.whole == id),
            _ => None,
        };
        let part = match &e.kind {
            ExprKind::Part { of, index } => named(of).map(|at| (at, *index)),
            _ => None,
        };
        if let Some((at, index)) = part {
            if let Some(state) = self.state_of(at, index, e.span) {
                e.kind = ExprKind::Global(state);
            }
            return;
        }
        let Some(at) = named(e) else { return parts_mut(e, &mut |part| self.read_step_names(part)) };
        match part_types(self.rs(), &self.step_names.all[at].ty) {
            Some(types) => {
                let parts = types.into_iter().enumerate();
                let read =
                    |(n, ty)| Some(Expr { kind: ExprKind::Global(self.state_of(at, n, e.span)?), ty, span: e.span });
                if let Some(parts) = parts.map(read).collect() {
                    e.kind = ExprKind::Make(parts);
                }
            }
            None => {
                if let Some(state) = self.state_of(at, 0, e.span) {
                    e.kind = ExprKind::Global(state);
                }
            }
        }
    }

    /// Returns the state of a part of a name. The first use creates it, and makes the step write it.
    fn state_of(&mut self, at: usize, index: usize, span: Span) -> Option<GlobalId> {
        let StepName { name, ty, piece, local, parts, .. } = self.step_names.all.get(at)?;
        if let Some(known) = *parts.get(index)? {
            return Some(known);
        }
        let (piece, local, whole) = (*piece, *local, ty.clone());
        let types = part_types(self.rs(), &whole);
        let ty = types.as_ref().map_or(Some(&whole), |types| types.get(index))?.clone();
        let name = match &whole {
            Type::Record(id) => {
                format!("{name}.{}", self.rs().records.get(id.at())?.fields.get(index)?.0)
            }
            _ => name.clone(),
        };
        let inner = if let Type::List(inner) = &ty { inner } else { &ty };
        if matches!(ty.present(), Type::Ratio | Type::Route | Type::Met) || self.rs().holds_list(inner) {
            let message = format!("`{name}` is {}, and a step does not keep it", self.rs().type_name(&ty));
            self.say_help(Code::WrongType, span, message, "use a part of it in the step, as in `let n = size(x)`");
            return None;
        }
        let state = self.hidden(name, ty.clone());
        self.step_names.all[at].parts[index] = Some(state);
        let function = &mut self.functions[piece.0];
        let span = function.locals[local.at()].span;
        let own = Expr { kind: ExprKind::Local(local), ty: whole, span };
        let kind = match types {
            Some(_) => ExprKind::Part { of: Box::new(own), index },
            None => own.kind,
        };
        let value = Expr { kind, ty, span };
        if let Body::Block(stmts) = &mut function.body {
            let kind = StmtKind::Set { target: Target::Global(state), op: SetOp::Set, value, one: false, until: None };
            stmts.push(Stmt { kind, span, cites: Vec::new() });
        }
        Some(state)
    }

    /// Removes the states that only stood for names. If expressions read some, the others become as small as possible.
    pub(super) fn settle_step_names(&mut self) {
        let StepNames { all, first } = &self.step_names;
        if all.is_empty() {
            return;
        }
        let globals = &mut self.checker.rs.globals;
        if all.iter().all(|one| one.parts.iter().all(Option::is_none)) {
            return globals.truncate(*first);
        }
        all.iter().for_each(|one| globals[one.whole.at()].ty = Type::Flag);
    }
}
