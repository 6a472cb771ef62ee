//! Binds a document to one ruleset: handles every key of a scenario.

use super::document::{Document, Entry, Node, Value, get};
use super::forms;
use super::prepared::Prepared;
use super::programs::Programs;
use super::puts::Put;
use super::snippets::PieceId;
use super::step_names::StepNames;
use super::things::Things;
use super::values::shortened;
use super::*;
use grognard_base::order;
use grognard_base::{Code, Diagnostic, Source, Sources, Span, did_you_mean};
use grognard_program::{self as program, Detail, Program, Ran};
use grognard_rules::checker::{Checker, ScopeSort};
use grognard_rules::code::{Body, Expr, Function};
use grognard_rules::index::Means;
use grognard_rules::ruleset::{Ruleset, TypeName, ValueName};
use grognard_syntax as syntax;
use grognard_vm::{Setup, StandIn};

/// Maximum number of runs of a sample.
const MOST_RUNS: i64 = 100_000_000;

/// The state of binding a scenario.
pub(super) struct Builder<'a> {
    pub doc: &'a Document,
    pub sources: &'a Sources,
    pub checker: Checker<'a>,
    pub others: &'a [Ruleset],
    pub problems: Vec<Diagnostic>,
    pub table: &'a Things,
    pub functions: Vec<Function>,
    pub step_names: StepNames,
    pub setup: Setup,
    /// Whether runs will be traced.
    pub traced: bool,
}

/// Returns the rulesets that a document names, with their spans: the one in `rules`, then those in `against`.
///
/// # Errors
///
/// Returns diagnostics if `rules` is missing or if a value has the wrong type.
pub fn rulesets(document: &Document) -> Result<Vec<(String, Span)>, Vec<Diagnostic>> {
    let whole = Span::new(document.file, 0, 0);
    let Some(rules) = get(&document.entries, "rules") else {
        let tables = |e: &Entry| match &e.node.value {
            Value::List(list) => list.iter().flat_map(|n| n.table().unwrap_or_default()).cloned().collect(),
            _ => e.node.table().unwrap_or_default().to_vec(),
        };
        let inside = document.entries.iter().flat_map(tables);
        let deeper = inside.flat_map(|e: Entry| [vec![e.clone()], tables(&e)].concat());
        if let Some(rules) = deeper.into_iter().find(|e| e.key == "rules" && e.node.text().is_some()) {
            let message = "after a `[..]` header, `rules` is a key of that table and not of the scenario";
            return Err(vec![
                Diagnostic::new(Code::BadValue, rules.span, message).help("put `rules = ..` above the first `[..]`"),
            ]);
        }
        return Err(vec![
            Diagnostic::new(Code::BadValue, whole, "the scenario does not name its `rules`")
                .help("rules = \"game/edition\""),
        ]);
    };
    let Some(name) = rules.node.text() else {
        return Err(vec![Diagnostic::new(
            Code::BadValue,
            rules.node.span,
            format!("`rules` must be the path of a ruleset, not {}", rules.node.sort()),
        )]);
    };
    let mut found = vec![(name.to_string(), rules.node.span)];
    match get(&document.entries, "against").map(|e| &e.node) {
        None => {}
        Some(Node { value: Value::Text(text, _), span }) => found.push((text.clone(), *span)),
        Some(Node { value: Value::List(list), .. }) if list.iter().all(|n| n.text().is_some()) => {
            found.extend(list.iter().map(|n| (n.text().unwrap_or_default().to_string(), n.span)));
        }
        Some(node) => {
            return Err(vec![Diagnostic::new(Code::BadValue, node.span, "`against` must be a list of rulesets")]);
        }
    }
    Ok(found)
}

/// Binds a document to a ruleset. `others` are the other rulesets that the document runs against; a key that one of
/// them knows is not an error.
///
/// # Errors
///
/// Returns the diagnostics of the document.
pub fn build(
    document: &Document,
    rules: Ruleset,
    others: &[Ruleset],
    sources: &Sources,
    detail: Detail,
) -> Result<Scenario, Vec<Diagnostic>> {
    prepare(document, rules, others, sources, detail)?.settle()
}

/// Binds a document to a ruleset like [`build`], but leaves its params and readings open.
///
/// # Errors
///
/// Returns the diagnostics of the document.
pub fn prepare(
    document: &Document,
    rules: Ruleset,
    others: &[Ruleset],
    sources: &Sources,
    detail: Detail,
) -> Result<Prepared, Vec<Diagnostic>> {
    let bound = bind(document, rules, others, sources, detail)?;
    Ok(bound.compile())
}

/// A document that is bound to its ruleset but not compiled yet.
pub struct Uncompiled {
    draft: Draft,
    rules: Ruleset,
    functions: Vec<Function>,
    setup: Setup,
    whole: Span,
    detail: Detail,
    /// The future value of [`Prepared::left_out`].
    pub left_out: Vec<String>,
}

impl Uncompiled {
    /// Compiles the rules and the snippets of the document. Params and readings stay open.
    pub fn compile(self) -> Prepared {
        self.compile_with(&Programs::default())
    }

    /// Does the same as [`Uncompiled::compile`] with the rules that other scenarios compiled.
    pub fn compile_with(self, programs: &Programs) -> Prepared {
        let Uncompiled { draft, rules, functions, setup, whole, detail, left_out } = self;
        let program = programs.of(&rules, detail);
        Prepared { left_out, ..compiled(draft, (rules, program, None), functions, setup, whole) }
    }
}

/// Binds a document to a ruleset like [`build`] and reports every error, without compiling.
///
/// # Errors
///
/// Returns the diagnostics of the document.
pub fn bind(
    document: &Document,
    rules: Ruleset,
    others: &[Ruleset],
    sources: &Sources,
    detail: Detail,
) -> Result<Uncompiled, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    if let Some(item) = rules.open.first() {
        let item = &rules.items[item.at()];
        let message = format!("{} leaves `{}` to the rulesets that extend it", rules.path, item.name);
        return Err(vec![Diagnostic::new(Code::OpenItem, item.span, message)]);
    }
    let things = Things::declare(document, &rules, &mut problems);
    let names = |name: &str| things.named(name);
    let checker = Checker::new(rules, &names);
    let mut builder = Builder {
        doc: document,
        sources,
        checker,
        others,
        problems,
        table: &things,
        functions: Vec::new(),
        step_names: StepNames::default(),
        setup: Setup::default(),
        traced: detail == Detail::Traced,
    };
    let mut draft = builder.draft();
    if !builder.problems.iter().any(Diagnostic::is_error) {
        draft.plan.remarks = builder.remarks(&draft.plan);
    }
    let Builder { checker, mut problems, functions, setup, .. } = builder;
    forms::help(document, &mut problems);
    order::sort_by_key(&mut problems, |d| (d.span, d.code));
    problems.dedup();
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    let whole = Span::new(document.file, 0, 0);
    Ok(Uncompiled { draft, rules: checker.rs, functions, setup, whole, detail, left_out: Vec::new() })
}

/// Compiles the collected functions and appends them to the program of the rules. Without a coverage list, it creates a
/// new one.
pub(super) fn compiled(
    mut draft: Draft,
    (rules, mut program, ran): (Ruleset, Program, Option<Ran>),
    functions: Vec<Function>,
    mut setup: Setup,
    whole: Span,
) -> Prepared {
    draft.plan.rules = rules.path.clone();
    let asked: Vec<Option<Expr>> = draft.plan.report.iter().map(|f| value_of(&functions[f.asked.piece.0])).collect();
    let objective = draft.plan.objective.as_ref().and_then(|(_, asked)| value_of(&functions[asked.piece.0]));
    let rise = counts::rise(&program);
    draft.plan.decided = functions.iter().map(|f| counts::Saturation::of(f, rise)).collect();
    let mut pieces: Vec<Snippet> = Vec::with_capacity(functions.len());
    for function in &functions {
        pieces.push(program::extend(&mut program, &rules, function));
    }
    for (func, piece) in std::mem::take(&mut draft.bodies) {
        setup.stand_ins.push((func, StandIn::Body(pieces[piece.0].func)));
    }
    setup.ran = ran.unwrap_or_else(|| Ran::of(&program));
    let Draft { plan, stop, stop_key, puts, args, numbers, .. } = draft;
    let stop = stop.map(|(phase, start)| (phase, start, stop_key));
    let bounded = !plan.report.is_empty() || objective.is_some();
    let reached = bounded.then(|| program::reached(&program));
    let rules = Arc::new(rules);
    Prepared {
        rules,
        program,
        setup,
        pieces,
        plan,
        asked,
        objective,
        reached,
        stop,
        puts,
        args,
        numbers,
        whole,
        left_out: Vec::new(),
    }
}

/// Returns the expression that a function consists of, if it does.
fn value_of(function: &Function) -> Option<Expr> {
    match &function.body {
        Body::Value(value) => Some(value.clone()),
        _ => None,
    }
}

/// A scenario before its program is compiled.
#[derive(Default)]
pub(super) struct Draft {
    pub plan: Plan,
    bodies: Vec<(FuncId, PieceId)>,
    stop: Option<(PhaseId, bool)>,
    stop_key: Option<PieceId>,
    pub puts: Vec<Put>,
    pub args: Vec<PieceId>,
    pub numbers: Vec<(usize, PieceId)>,
}

impl Builder<'_> {
    pub(super) fn rs(&self) -> &Ruleset {
        &self.checker.rs
    }

    pub(super) fn bad(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(Code::BadValue, span, message));
    }

    /// Reports an error with a help of its own.
    pub(super) fn bad_help(&mut self, span: Span, message: &str, help: String) {
        self.problems.push(Diagnostic::new(Code::BadValue, span, message).help(help));
    }

    /// Reports an error and returns `None`.
    pub(super) fn wrong<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        self.bad(span, message);
        None
    }

    pub(super) fn wrong_help<T>(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.say_help(code, span, message, help);
        None
    }

    pub(super) fn say_help(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Diagnostic::new(code, span, message).help(help));
    }

    /// Returns a thing by name.
    pub(super) fn thing(&mut self, name: &str, span: Span) -> Option<(KindId, i64)> {
        self.thing_among(name, span, None)
    }

    /// Returns a thing by name. `kind` is the expected kind, if it is known.
    pub(super) fn thing_among(&mut self, name: &str, span: Span, kind: Option<KindId>) -> Option<(KindId, i64)> {
        let found = self.table.by_name.get(name).copied();
        if found.is_none() && !self.table.lost.contains(name) {
            let fits = self.table.by_name.iter().filter(|(_, (of, _))| kind.is_none_or(|kind| kind == *of));
            let fits: Vec<String> = fits.map(|(name, _)| name.clone()).collect();
            let near = did_you_mean(name, fits.iter().map(String::as_str));
            let message = format!("there is no `{name}` on the table{near}");
            match kind.map(|kind| self.rs().kinds[kind.at()].name.clone()) {
                Some(kind) if near.is_empty() => {
                    let help = match fits.as_slice() {
                        [] => format!("there are no things of kind {kind}: declare one with `[{kind}.{name}]`"),
                        all => format!("expected a {kind}: {}", shortened(all)),
                    };
                    self.say_help(Code::UnknownThing, span, message, help);
                }
                _ => self.problems.push(Diagnostic::new(Code::UnknownThing, span, message)),
            }
        }
        found
    }

    pub(super) fn key(&self, key: &str) -> Option<&'_ Node> {
        get(&self.doc.entries, key).map(|e| &e.node)
    }

    pub(super) fn draft(&mut self) -> Draft {
        let doc = self.doc;
        self.top_keys();
        self.things();
        // answers can refer to things that it reserves
        if let Some(reserve) = get(&doc.entries, "reserve") {
            self.reserve(&reserve.node);
        }
        let mut draft = Draft { plan: Plan { seed: 1, runs: 1, ..Plan::default() }, ..Draft::default() };
        let plan = &mut draft.plan;
        for entry in &doc.entries {
            let node = &entry.node;
            match entry.key.as_str() {
                "against" => {
                    plan.against = rulesets(doc).unwrap_or_default().into_iter().skip(1).map(|(n, _)| n).collect()
                }
                "name" => plan.name = self.text(node, "`name`").unwrap_or_default().to_string(),
                "about" => plan.about = self.text(node, "`about`").unwrap_or_default().to_string(),
                "start" => plan.start = self.start(node),
                "stop" => {
                    if let Some((phase, start, key)) = self.stop(node) {
                        draft.stop = Some((phase, start));
                        draft.stop_key = key;
                    }
                }
                "repeat" => {
                    plan.repeat = self.repeat(node);
                    plan.until_at = matches!(plan.repeat, Repeat::Until(_)).then_some(node.span);
                }
                "mode" => plan.mode = self.mode(node),
                "objective_never" => {
                    let number = self.number(node, "`objective_never`").unwrap_or(0);
                    plan.objective_never = Fraction::new(number.into(), 1000u32.into());
                }
                "seed" => plan.seed = self.count(node, "`seed`", 0, 999_999_999).unwrap_or(1) as u64,
                "runs" => plan.runs = self.count(node, "`runs`", 1, MOST_RUNS).unwrap_or(1) as u64,
                "fuel" => self.setup.fuel = self.count(node, "`fuel`", 1, 999_999_999).map(|n| n as u64),
                "depth" => self.setup.depth = self.count(node, "`depth`", 1, 10_000).map(|n| n as usize),
                "params" => self.settings(node, false),
                "readings" => self.settings(node, true),
                "state" => self.state(node),
                "extern" => draft.bodies = self.externs(node),
                "board" => self.board(node),
                "dice" => plan.dice = self.dice(node),
                "players" => plan.players = self.players(node),
                "decide" => (plan.decides, plan.always) = self.decisions(node),
                "step" => plan.steps = self.steps(node),
                _ => {}
            }
        }
        // expressions that are evaluated at the end can name results of steps, in any order of the keys
        self.after_steps(|own| {
            for entry in &doc.entries {
                match entry.key.as_str() {
                    "expect" => own.expects(&entry.node, plan),
                    "sweep" => plan.sweep = own.sweep(&entry.node),
                    "report" => plan.report = own.report(&entry.node),
                    "objective" => plan.objective = own.objective(&entry.node),
                    _ => {}
                }
            }
        });
        self.settle_step_names();
        if let Some((_, Question { ty: Type::Length, .. })) = &plan.objective {
            plan.objective_never = &plan.objective_never * &Fraction::whole(1000);
        }
        if plan.start.is_none()
            && plan.steps.is_empty()
            && get(&doc.entries, "start").is_none()
            && get(&doc.entries, "step").is_none()
        {
            let span = Span::new(doc.file, 0, 0);
            self.problems.push(Diagnostic::new(
                Code::NoScenario,
                span,
                "the scenario has neither a `start` nor a `[[step]]`",
            ));
        }
        for key in ["repeat", "stop"] {
            if let Some(entry) = get(&doc.entries, key).filter(|_| get(&doc.entries, "start").is_none()) {
                let message = format!("`{key}` refers to the phase in `start`, but this scenario has no `start`");
                self.say_help(
                    Code::BadValue,
                    entry.span,
                    message,
                    "name a phase in `start`; a `[[step]]` runs only once",
                );
            }
        }
        self.check_positions();
        draft
    }

    // ---------------------------------------------------------------- mode and flow

    fn start(&mut self, node: &Node) -> Option<(PieceId, String)> {
        let text = self.text(node, "`start`")?.to_string();
        let at = match node.value {
            Value::Text(_, at) => at,
            _ => 0,
        };
        let name = text.split('(').next().unwrap_or_default().trim();
        match text.trim_start().split_once(' ') {
            Some(("run", call)) => {
                let message = "`start` must name only the phase, without `run`";
                let help = format!("write `start = \"{}\"`", call.trim());
                return self.wrong_help(Code::BadValue, node.span, message, help);
            }
            Some((verb @ ("do" | "test" | "emit"), _)) => {
                let message = format!("`start` must name a phase, not an action for `{verb}`");
                let help = format!("put it in a step instead: `[[step]]` with `do = \"{}\"`", text.trim());
                return self.wrong_help(Code::BadValue, node.span, message, help);
            }
            _ => {}
        }
        if name.is_empty() {
            let phase = self.rs().phases.first().map_or("Turn", |phase| phase.name.as_str());
            let help = format!("write the phase to run and its arguments, as in `start = \"{phase}(..)\"`");
            return self.wrong_help(Code::BadValue, node.span, "`start` does not name a phase", help);
        }
        if let Some(ValueName::Proc(_)) = self.rs().names.values.get(name) {
            let message = format!("`start` must call a phase, but `{name}` is a proc");
            let help = format!("put it in a step instead: `[[step]]` with `do = \"do {text}\"`");
            return self.wrong_help(Code::BadValue, node.span, message, help);
        }
        let source = Source::new("", format!("run {text}")).starting_at(at.saturating_sub(4));
        let piece = self.statement_of(&source, node.span, Vec::new())?;
        Some((piece, text))
    }

    fn stop(&mut self, node: &Node) -> Option<(PhaseId, bool, Option<PieceId>)> {
        let text = self.text(node, "`stop`")?.trim_start();
        if !["end of ", "start of "].iter().any(|mark| text.starts_with(mark)) {
            return self.wrong(
                node.span,
                "`stop` must be \"end of Phase\" or \"start of Phase\", for one thing with `for x` after it",
            );
        }
        let source = self.fragment(node, "`stop`")?;
        let mark = self.parsed(syntax::parse_mark(node.span.file, &source))?;
        let Some(&phase) = self.rs().names.phases.get(&mark.phase.text) else {
            let near = did_you_mean(&mark.phase.text, self.rs().names.phases.keys().map(String::as_str));
            let message = format!("there is no phase `{}`{near}", mark.phase.text);
            self.problems.push(Diagnostic::new(Code::UnknownName, mark.phase.span, message));
            return None;
        };
        self.checker.means(mark.phase.span, || Means::Phase(phase));
        let Some(key) = &mark.key else { return Some((phase, mark.start, None)) };
        let func = self.rs().phases[phase.at()].func;
        let function = &self.rs().functions[func.at()];
        if function.params == 0 {
            return self.wrong(key.span, format!("{} has no parameter to identify it by", mark.phase.text));
        }
        let ty = function.locals[0].ty.clone();
        let found = self.checked(|c| c.snippet_expr(Checker::bare_scope(ScopeSort::Snippet), key, Some(&ty)))?;
        Some((phase, mark.start, Some(self.keep(found))))
    }

    fn repeat(&mut self, node: &Node) -> Repeat {
        let Value::Text(text, at) = &node.value else {
            return Repeat::Times(self.count(node, "`repeat`", 1, 1_000_000).unwrap_or(1) as u64);
        };
        let Some(condition) = text.strip_prefix("until ") else {
            self.bad(node.span, "`repeat` must be a number, or \"until\" and a condition");
            return Repeat::Times(1);
        };
        let inner = Node { span: node.span, value: Value::Text(condition.to_string(), at + "until ".len()) };
        self.condition(&inner, "`repeat`").map_or(Repeat::Times(1), Repeat::Until)
    }

    pub(super) fn mode(&mut self, node: &Node) -> Mode {
        let modes = [("scripted", Mode::Scripted), ("sampled", Mode::Sampled), ("exact", Mode::Exact)];
        let Some(text) = self.text(node, "`mode`") else { return Mode::Scripted };
        let found = modes.iter().find(|(n, _)| *n == text).map(|(_, m)| *m);
        if found.is_none() {
            let near = did_you_mean(text, modes.iter().map(|(n, _)| *n));
            self.bad(node.span, format!("`mode` must be scripted, sampled or exact{near}"));
        }
        found.unwrap_or_default()
    }

    fn reserve(&mut self, node: &Node) {
        for entry in self.entries(node, "`reserve`") {
            let Some(n) = self.count(&entry.node, "a reserve", 0, 10_000) else { continue };
            let kind = self.rs().names.types.get(&entry.key);
            match kind {
                Some(TypeName::Kind(kind)) => self.setup.reserve.push((*kind, n as usize)),
                _ if entry.key == "list" => self.setup.list_room = Some(n as usize),
                _ => {
                    let kinds: Vec<String> = self.rs().kinds.iter().map(|k| k.name.clone()).collect();
                    let near = did_you_mean(&entry.key, kinds.iter().map(String::as_str));
                    self.unknown_key(entry.span, format!("there is no kind `{}` to reserve{near}", entry.key));
                }
            }
        }
    }

    fn board(&mut self, node: &Node) {
        let entries = self.entries(node, "`board`");
        self.only(entries, &["size", "grid"], "`board`");
        if let Some(entry) = get(entries, "size")
            && let Some((w, h)) = self.point(&entry.node, "`size`")
        {
            if w <= 0 || h <= 0 {
                self.bad(entry.node.span, "a table must have a width and a height above 0");
            }
            self.setup.size = Some((w, h));
        }
        if let Some(entry) = get(entries, "grid")
            && let Some(grid) = self.length(&entry.node, "`grid`")
        {
            if grid <= 0 {
                self.bad(entry.node.span, "`grid` must be above 0");
            }
            self.setup.grid = Some(grid);
        }
    }

    // ---------------------------------------------------------------- params, readings, states

    fn settings(&mut self, node: &Node, readings: bool) {
        let word = if readings { "reading" } else { "param" };
        for entry in self.entries(node, &format!("`{word}s`")) {
            let Some(id) = self.rs().names.setting(&entry.key) else {
                if !self.others.iter().any(|o| o.names.setting(&entry.key).is_some()) {
                    let near = did_you_mean(&entry.key, self.rs().settings.iter().map(|s| s.name.as_str()));
                    self.unknown_key(entry.span, format!("the rules have no {word} `{}`{near}", entry.key));
                }
                continue;
            };
            self.note_key(entry, Means::Value(ValueName::Setting(id)));
            let setting = self.rs().settings[id.at()].clone();
            if setting.alternatives.is_empty() == readings {
                let (is, where_) = if readings { ("param", "params") } else { ("reading", "readings") };
                self.bad(entry.span, format!("`{}` is a {is}; put it under `[{where_}]`", entry.key));
                continue;
            }
            let Some(cells) = self.value(&setting.ty, &entry.node, &format!("`{}`", entry.key)) else { continue };
            if readings && !setting.alternatives.iter().any(|(c, _)| *c == cells) {
                let names: Vec<String> = setting.alternatives.iter().map(|(_, text)| text.clone()).collect();
                self.bad(entry.node.span, format!("`{}` has the alternatives {}", entry.key, shortened(&names)));
                continue;
            }
            self.setup.settings.push((id, cells));
        }
    }

    fn state(&mut self, node: &Node) {
        for entry in self.entries(node, "`state`") {
            let found = match self.rs().names.values.get(&entry.key) {
                Some(ValueName::Global(id)) => Some(*id),
                _ => None,
            };
            let Some(id) = found else {
                let known = |o: &Ruleset| matches!(o.names.values.get(&entry.key), Some(ValueName::Global(_)));
                if !self.others.iter().any(known) {
                    let near = did_you_mean(&entry.key, self.rs().globals.iter().map(|s| s.name.as_str()));
                    self.unknown_key(entry.span, format!("the game has no state `{}`{near}", entry.key));
                }
                continue;
            };
            self.note_key(entry, Means::Value(ValueName::Global(id)));
            let ty = self.rs().globals[id.at()].ty.clone();
            if let Some(cells) = self.value(&ty, &entry.node, &format!("`{}`", entry.key)) {
                self.setup.globals.push((id, cells));
            }
        }
    }
}
