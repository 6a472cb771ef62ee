//! Signature help: the parameters of the call around a position, and the one that is being written.

use super::{Analysis, Workspace};
use grognard_base::Span;
use grognard_base::value::ops::Op;
use grognard_syntax::tree::{Action, Formal, ItemKind, StmtKind};
use grognard_syntax::{LexToken, Lexeme, scan};

/// A signature with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureText {
    /// The whole signature, such as `Check(u: Unit, by: Int)`.
    pub label: String,
    /// The title of the item, or the description of a built-in function. Can be empty.
    pub about: String,
    /// The text of each parameter, as in the label.
    pub params: Vec<String>,
    /// The index of the parameter at the position.
    pub active: usize,
}

/// A call that is not closed before a position.
struct OpenCall<'t> {
    name: &'t str,
    /// The number of arguments before the position.
    before: usize,
}

impl Workspace {
    /// Returns the signature of the innermost call around a byte offset. Returns `None` outside of calls.
    pub fn signature(&self, path: &str, offset: usize) -> Option<SignatureText> {
        let text = self.text(path)?;
        let call = open_call(&text, offset)?;
        let (now, good) = (self.analysis(path), self.last_good(path));
        let (label, about, params) =
            of_item(&now, &call).or_else(|| of_item(&good, &call)).or_else(|| of_builtin(call.name))?;
        let active = call.before;
        Some(SignatureText { label, about, params, active })
    }
}

/// Finds the call around a byte offset.
fn open_call(text: &str, offset: usize) -> Option<OpenCall<'_>> {
    let quiet = |token: &LexToken| !matches!(token.kind, Lexeme::Newline | Lexeme::Comment);
    let tokens: Vec<LexToken> = scan(text).take_while(|token| token.end <= offset).filter(quiet).collect();
    let (mut depth, mut before) = (0usize, 0);
    for (n, token) in tokens.iter().enumerate().rev() {
        match token.text(text) {
            ")" | "]" => depth += 1,
            "(" if depth == 0 => {
                let head = tokens[..n].last().filter(|head| head.kind == Lexeme::Word && head.end == token.start)?;
                return Some(OpenCall { name: head.text(text), before });
            }
            "(" | "[" => depth = depth.checked_sub(1)?,
            "," if depth == 0 => before += 1,
            "{" | "}" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The label, the title and the parameters of a signature.
type Parts = (String, String, Vec<String>);

fn of_item(analysis: &Analysis, call: &OpenCall<'_>) -> Option<Parts> {
    let fits = |kind: &ItemKind| {
        let (name, title, params, result) = match kind {
            ItemKind::Test(test) => {
                (&test.name, &test.title, formals(analysis, &test.params), test.grade.as_ref().map(|g| g.span))
            }
            ItemKind::Proc(proc) => (&proc.name, &proc.title, formals(analysis, &proc.params), None),
            ItemKind::Phase(phase) => (&phase.name, &phase.title, formals(analysis, &phase.params), None),
            ItemKind::Let(own) => (&own.name, &own.title, formals(analysis, own.params.as_ref()?), None),
            ItemKind::Table(table) => (&table.name, &table.title, formals(analysis, &table.keys), None),
            ItemKind::Record { name, fields, title } => (name, title, formals(analysis, fields), None),
            ItemKind::Event { name, fields, title, .. } => (name, title, formals(analysis, fields), None),
            ItemKind::Action(action) => (&action.name, &action.title, choices(action), None),
            _ => return None,
        };
        (name.text == call.name).then(|| {
            let result = result.map_or(String::new(), |span: Span| format!(" -> {}", analysis.sources.slice(span)));
            let title = title.as_ref().map_or(String::new(), |title| title.text.clone());
            (format!("{}({}){result}", name.text, params.join(", ")), title, params)
        })
    };
    analysis.names.items.iter().rev().find_map(|item| fits(&item.kind))
}

/// Returns the parameters as written.
fn formals(analysis: &Analysis, all: &[Formal]) -> Vec<String> {
    let text = |formal: &Formal| {
        let ty = formal.ty.as_ref().map(|ty| format!(": {}", analysis.sources.slice(ty.span)));
        let default = formal.default.as_ref().map(|value| format!(" = {}", analysis.sources.slice(value.span)));
        format!("{}{}{}", formal.name.text, ty.unwrap_or_default(), default.unwrap_or_default())
    };
    all.iter().map(text).collect()
}

/// Returns the choices of the header of an action, in the order in which a step gives them: who acts comes first.
fn choices(action: &Action) -> Vec<String> {
    let by = action.by.iter().map(|name| name.text.clone());
    let chosen = action.body.stmts.iter().filter_map(|stmt| match &stmt.kind {
        // the actor can be chosen too
        StmtKind::Choose { name, .. } if action.by.iter().all(|by| by.text != name.text) => Some(name.text.clone()),
        _ => None,
    });
    by.chain(chosen).collect()
}

fn of_builtin(name: &str) -> Option<Parts> {
    let op = Op::builtin(name)?;
    let (takes, gives) = op.signature().split_once(" -> ").unwrap_or((op.signature(), ""));
    let takes = takes.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(takes);
    let params: Vec<String> = takes.split(", ").map(str::to_string).collect();
    let result = if gives.is_empty() { String::new() } else { format!(" -> {gives}") };
    Some((format!("{name}({}){result}", params.join(", ")), op.doc().to_string(), params))
}
