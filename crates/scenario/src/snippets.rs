//! Strings of the language in a scenario. They are parsed, checked, and stored as functions until the program is
//! compiled.

use super::build::Builder;
use super::document::{Node, Value};
use super::{Counts, Question};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Source, Span, did_you_mean};
use grognard_rules::checker::{Checker, Scope, ScopeSort};
use grognard_rules::code::*;
use grognard_rules::reads::measures::measures;
use grognard_rules::reads::walk::{any_part, parts_mut};
use grognard_syntax::{self as syntax, tree};

/// The index of a checked string among the pieces of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceId(pub usize);

/// A condition of a step. The values of `earlier` are evaluated before the step and passed as the parameters after
/// `rounds`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The source text.
    pub text: String,
    /// The span.
    pub span: Span,
    /// The condition.
    pub piece: PieceId,
    /// The operands of `was`.
    pub earlier: Vec<PieceId>,
    /// Distances in the condition.
    pub measures: Vec<PieceId>,
}

impl Builder<'_> {
    /// Returns the text of a node as a source with its position. Numbers, flags and lists keep their source text.
    pub(super) fn fragment(&mut self, node: &Node, what: &str) -> Option<Source> {
        match &node.value {
            Value::Text(text, at) => Some(Source::new("", text.as_str()).starting_at(*at)),
            Value::Number(text) => Some(Source::new("", text.as_str()).starting_at(node.span.start as usize)),
            Value::Flag(flag) => {
                Some(Source::new("", if *flag { "yes" } else { "no" }).starting_at(node.span.start as usize))
            }
            Value::List(_) => {
                let text = self.sources.slice(node.span).to_string();
                Some(Source::new("", text).starting_at(node.span.start as usize))
            }
            Value::Table(_) | Value::Date => {
                self.wrong(node.span, format!("{what} must be a text in quotes, not {}", node.sort()))
            }
        }
    }

    /// Returns the parsed tree, or reports the errors of the parser.
    pub(super) fn parsed<T>(&mut self, outcome: Result<T, Vec<Diagnostic>>) -> Option<T> {
        match outcome {
            Ok(found) => Some(found),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    /// Runs the checker and reports its errors. Returns `None` if there are any.
    pub(super) fn checked<T>(&mut self, work: impl FnOnce(&mut Checker<'_>) -> T) -> Option<T> {
        let before = self.checker.problems.len();
        let found = work(&mut self.checker);
        let mut problems = self.checker.problems.split_off(before);
        problems.iter_mut().for_each(|found| self.near_thing(found));
        let sound = !problems.iter().any(Diagnostic::is_error);
        problems.retain(|found| found.is_error() && !self.leans_on_lost(found));
        self.problems.extend(problems);
        sound.then_some(found)
    }

    /// Returns whether a name is unknown only because its kind is unknown, which is reported at its declaration.
    fn leans_on_lost(&self, found: &Diagnostic) -> bool {
        matches!(found.code, Code::UnknownName | Code::UnknownType)
            && found.span.is_some_and(|span| self.table.lost.contains(self.sources.slice(span)))
    }

    /// Adds a suggestion to the message about an unknown name, in case it is a misspelled thing.
    fn near_thing(&self, found: &mut Diagnostic) {
        let unknown = found.message.strip_prefix("unknown name `").and_then(|rest| rest.strip_suffix('`'));
        let things = self.table.by_name.keys().map(String::as_str);
        let near = unknown.map_or(String::new(), |name| did_you_mean(name, things));
        found.message += &near;
    }

    /// Stores a function for the compiler.
    pub(super) fn keep(&mut self, function: Function) -> PieceId {
        self.functions.push(function);
        PieceId(self.functions.len() - 1)
    }

    /// Returns the distances in a condition, for the trace.
    pub(super) fn measures(&mut self, condition: PieceId) -> Vec<PieceId> {
        let condition = self.functions[condition.0].clone();
        let Body::Value(value) = &condition.body else { return Vec::new() };
        let measured = if self.traced { measures(value) } else { Vec::new() };
        let function = |e: Expr| Function { result: e.ty.clone(), body: Body::Value(e), ..condition.clone() };
        measured.into_iter().map(|e| self.keep(function(e))).collect()
    }

    /// Binds a condition that must not contain `was`.
    pub(super) fn condition(&mut self, node: &Node, what: &str) -> Option<PieceId> {
        let text = self.text(node, what)?.to_string();
        let source = self.fragment(node, what)?;
        let tree = self.parsed(syntax::parse_expr(node.span.file, &source))?;
        self.no_was(&text, node.span)?;
        self.condition_tree(&tree)
    }

    pub(super) fn condition_tree(&mut self, tree: &tree::Expr) -> Option<PieceId> {
        let scope = self.rounds_scope(0);
        let mut function = self.checked(|c| c.snippet_condition(scope, tree))?;
        self.read_steps(&mut function);
        Some(self.keep(function))
    }

    /// Replaces the names of steps in an expression.
    fn read_steps(&mut self, function: &mut Function) {
        if let Body::Value(value) = &mut function.body {
            self.read_step_names(value);
        }
    }

    fn no_was(&mut self, text: &str, span: Span) -> Option<()> {
        if count_was(text) == 0 {
            return Some(());
        }
        self.problems.push(Diagnostic::new(Code::Capture, span, "`was` is allowed only in a step"));
        None
    }

    /// Binds a condition after a step, which can contain `was`.
    pub(super) fn step_condition(&mut self, node: &Node) -> Option<Condition> {
        let what = "an expectation";
        let text = self.text(node, what)?.to_string();
        let source = self.fragment(node, what)?;
        let tree = self.parsed(syntax::parse_expr(node.span.file, &source))?;
        let slots = count_was(&text);
        let scope = self.rounds_scope(slots);
        let mut function = self.checked(|c| c.snippet_condition(scope, &tree))?;
        self.read_steps(&mut function);
        let mut earlier = Vec::new();
        if let Body::Value(value) = &mut function.body {
            split_was(value, &mut earlier);
        }
        let mut pieces = Vec::new();
        for (slot, inner) in earlier.iter().enumerate().take(slots) {
            if self.checker.rs.holds_list(&inner.ty) || uses_bound(inner) {
                let message =
                    "`was` is allowed only on a single value here, not on a list or in the condition of a query";
                self.problems.push(Diagnostic::new(Code::Capture, inner.span, message));
                return None;
            }
            function.locals[1 + slot].ty = inner.ty.clone();
            pieces.push(Function {
                locals: function.locals[..1].to_vec(),
                params: 1,
                result: inner.ty.clone(),
                body: Body::Value(inner.clone()),
                ..function.clone()
            });
        }
        // unused slots get an arbitrary type
        function
            .locals
            .iter_mut()
            .skip(1 + earlier.len())
            .take(slots.saturating_sub(earlier.len()))
            .for_each(|l| l.ty = Type::INT);
        let earlier = pieces.into_iter().map(|f| self.keep(f)).collect();
        let piece = self.keep(function);
        let measures = self.measures(piece);
        Some(Condition { text, span: node.span, piece, earlier, measures })
    }

    /// Binds a value to report, with the condition after `given`.
    pub(super) fn query(&mut self, text: &str, source: &Source, span: Span, flag: bool) -> Option<Question> {
        let (asked, given) = self.parsed(syntax::parse_query(span.file, source))?;
        self.no_was(text, span)?;
        let scope = self.rounds_scope(0);
        let mut function = match flag {
            true => self.checked(|c| c.snippet_condition(scope, &asked))?,
            false => self.checked(|c| c.snippet_expr(scope, &asked, None))?,
        };
        self.read_steps(&mut function);
        let ty = function.result.clone();
        let counted = Counts::of(&function.body, true);
        let piece = self.keep(function);
        let given = match given {
            Some(tree) => Some(self.condition_tree(&tree)?),
            None => None,
        };
        Some(Question { piece, given, ty, counted })
    }

    /// Binds the statement of a step.
    pub(super) fn step(&mut self, node: &Node) -> Option<PieceId> {
        self.text(node, "`do`")?;
        let source = self.fragment(node, "`do`")?;
        let tree = self.parsed(syntax::parse_stmt(node.span.file, &source))?;
        let piece = self.statement_tree(&tree, Vec::new())?;
        self.step_names(&tree, piece);
        Some(piece)
    }

    /// Returns the scope of conditions and figures: `rounds`, and slots for earlier values. A name of the rules or the
    /// table hides `rounds`.
    fn rounds_scope(&self, slots: usize) -> Scope {
        let hidden = self.checker.rs.names.values.contains_key("rounds") || self.table.by_name.contains_key("rounds");
        // a name with a space cannot be referenced
        let rounds = if hidden { "their rounds" } else { "rounds" };
        let mut params = vec![(rounds.to_string(), Type::Int(Range::new(0, Range::ALL.high)), Span::default())];
        params.extend((0..slots).map(|n| (format!("was {n}"), Type::Unknown, Span::default())));
        Scope { params, ..Checker::bare_scope(ScopeSort::Snippet) }
    }

    pub(super) fn statement_of(
        &mut self,
        source: &Source,
        span: Span,
        params: Vec<(String, Type, Span)>,
    ) -> Option<PieceId> {
        let tree = self.parsed(syntax::parse_stmt(span.file, source))?;
        self.statement_tree(&tree, params)
    }

    fn statement_tree(&mut self, tree: &tree::Stmt, params: Vec<(String, Type, Span)>) -> Option<PieceId> {
        let scope = Scope { params, ..Checker::bare_scope(ScopeSort::Snippet) };
        let function = self.checked(|c| c.snippet_stmt(scope, tree))?;
        Some(self.keep(function))
    }
}

/// Returns the number of occurrences of the word `was` in a text.
fn count_was(text: &str) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !part(c)).filter(|word| *word == "was").count()
}

/// Replaces every `was x` in an expression by a parameter, starting with local 1, and collects the operands.
fn split_was(e: &mut Expr, earlier: &mut Vec<Expr>) {
    if let ExprKind::Was(inner) = &mut e.kind {
        let inner = std::mem::replace(&mut **inner, Expr { kind: ExprKind::None, ty: Type::Unknown, span: e.span });
        earlier.push(inner);
        e.kind = ExprKind::Local(LocalId(earlier.len() as u32));
        return;
    }
    parts_mut(e, &mut |part| split_was(part, earlier));
}

/// Returns whether an expression reads a variable other than the parameter of the scenario.
fn uses_bound(e: &Expr) -> bool {
    any_part(e, |e| matches!(e.kind, ExprKind::Local(local) if local.at() != 0))
}
