//! Finds changes of the actors, the order, the time and the number of effects: an effect that happens twice or in another
//! order, another subject or decider of the same type, a duration one phase outward, and an optional effect that always
//! happens.

use super::*;
use grognard_base::OrdMap;
use grognard_syntax::tokens;

/// The names around a statement that the syntax tree states.
#[derive(Default)]
pub(super) struct Scene {
    /// The parameters of the item with their types.
    params: Vec<(String, String)>,
    /// For each phase that another phase of the file runs, that phase.
    outer: OrdMap<String, String>,
}

impl Scene {
    /// Reads which phases run which from a file.
    pub fn of(file: &File, text: &str) -> Scene {
        let mut outer = OrdMap::new();
        for item in &file.items {
            let ItemKind::Phase(phase) = &item.kind else { continue };
            let words: Vec<&str> =
                tokens(text.get(item.span.start as usize..item.span.end as usize).unwrap_or_default())
                    .map(|(word, ..)| word)
                    .collect();
            for pair in words.windows(2).filter(|pair| pair[0] == "run") {
                outer.entry(pair[1].to_string()).or_insert_with(|| phase.name.text.clone());
            }
        }
        Scene { params: Vec::new(), outer }
    }
}

impl Finder<'_> {
    /// Sets the parameters of the current item.
    pub(super) fn with(&mut self, formals: &[&[Formal]]) {
        let typed = |formal: &Formal| {
            let ty = formal.ty.as_ref().map(|ty| self.slice(ty.span).to_string())?;
            Some((formal.name.text.clone(), ty))
        };
        self.scene.params = formals.iter().flat_map(|all| all.iter()).filter_map(typed).collect();
    }

    /// Swaps each two neighbouring statements of which one at least calls, moves or decides something.
    pub(super) fn reordered(&mut self, stmts: &[Stmt]) {
        for pair in stmts.windows(2) {
            let acts = |stmt: &Stmt| acts(&stmt.kind);
            let plain = pair.iter().all(|stmt| stmt.cites.is_empty() && (acts(stmt) || writes(&stmt.kind)));
            if plain && pair.iter().any(acts) {
                self.swap(MutationSort::Sequence, pair[0].span.to(pair[1].span), pair[0].span, pair[1].span);
            }
        }
    }

    /// Lets an effect happen twice.
    pub(super) fn repeated(&mut self, stmt: &Stmt, alone: bool) {
        let adds = matches!(&stmt.kind, StmtKind::Set { op: SetOp::Add | SetOp::Sub, .. });
        if adds || matches!(stmt.kind, StmtKind::Do(_) | StmtKind::Emit(_)) {
            let text = self.slice(stmt.span);
            let new = if alone { format!("{{ {text}; {text} }}") } else { format!("{text}; {text}") };
            self.replace(MutationSort::Twice, stmt.span, stmt.span, new);
        }
    }

    /// Replaces the subject of an effect, or who decides, by another parameter of the same type.
    pub(super) fn other_subject(&mut self, stmt: &Stmt) {
        let who: Vec<&Expr> = match &stmt.kind {
            StmtKind::Set { target, .. } => vec![target],
            StmtKind::Grant { to, .. } => vec![to],
            StmtKind::Revoke { from, .. } => vec![from],
            StmtKind::Place { thing, .. } | StmtKind::Turn { thing, .. } | StmtKind::Destroy { thing, .. } => {
                vec![thing]
            }
            StmtKind::Do(call) | StmtKind::Test(call) | StmtKind::Run(call) | StmtKind::Emit(call) => {
                call.args.iter().map(|arg| &arg.value).collect()
            }
            StmtKind::ChooseAction { by, .. }
            | StmtKind::ChooseOption { by, .. }
            | StmtKind::Choose { by, .. }
            | StmtKind::May { by, .. }
            | StmtKind::Roll { by, .. }
            | StmtKind::Draw { by, .. } => by.iter().collect(),
            _ => Vec::new(),
        };
        for expr in who {
            let span = expr.span;
            let Some(first) = tokens(self.slice(span)).next().map(|(word, ..)| word.to_string()) else { continue };
            let known = self.scene.params.iter().find(|(name, _)| *name == first);
            let Some(ty) = known.map(|(_, ty)| ty.clone()) else { continue };
            let others = self.scene.params.iter().filter(|(name, other)| *name != first && *other == ty);
            let others: Vec<String> = others.map(|(name, _)| name.clone()).collect();
            let own = self.span(span.start as usize, span.start as usize + first.len());
            for other in others {
                self.replace(MutationSort::Subject, stmt.span, own, other);
            }
        }
    }

    /// Moves the end of a duration or the scope of a limit one phase outward.
    pub(super) fn outward(&mut self, whole: Span, phase: &Name) {
        if let Some(outer) = self.scene.outer.get(&phase.text).cloned() {
            self.replace(MutationSort::Duration, whole, phase.span, outer);
        }
    }

    /// Lets an optional effect always happen.
    pub(super) fn compulsory(&mut self, stmt: &Stmt) {
        if let StmtKind::May { when, body, .. } = &stmt.kind {
            let when = when.as_ref().map_or("yes".to_string(), |when| self.slice(when.span).to_string());
            let head = self.span(stmt.span.start as usize, body.span.start as usize);
            self.replace(MutationSort::May, head, head, format!("if {when} "));
        }
    }

    /// Creates a thing without one of its values.
    pub(super) fn without_field(&mut self, stmt: &Stmt) {
        let StmtKind::Spawn { fields, .. } = &stmt.kind else { return };
        for (name, value) in fields {
            let (from, to) = (name.span.start as usize, value.span.end as usize);
            // also the comma next to it
            let rest = self.text.get(to..stmt.span.end as usize).unwrap_or_default();
            let comma = rest.trim_start().starts_with(',').then(|| rest.find(',')).flatten();
            let before = self.text.get(..from).unwrap_or_default().trim_end();
            let gone = match comma {
                Some(at) => self.span(from, to + at + 1),
                None if before.ends_with(',') => self.span(before.len() - 1, to),
                None => self.span(from, to),
            };
            self.replace(MutationSort::Field, stmt.span, gone, "");
        }
    }
}

/// Returns whether a statement calls, moves or creates something, so that its position can matter.
fn acts(kind: &StmtKind) -> bool {
    use StmtKind::*;
    matches!(
        kind,
        Do(_) | Test(_) | Run(_) | Emit(_) | Move { .. } | May { .. } | Destroy { .. } | Turn { .. } | Place { .. }
    )
}

/// Returns whether a statement changes the state itself.
fn writes(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Set { .. } | StmtKind::Grant { .. } | StmtKind::Revoke { .. })
}
