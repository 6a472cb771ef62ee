//! The things of an example: named and generated stand-ins, with their links.

use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span, did_you_mean};
use grognard_rules::ruleset::{FieldSort, HeaderLine, Ruleset, SiteSort, Trait, TypeName, ValueName};
use grognard_syntax::tree::{self, ClaimKind, ExampleBody, ExprKind, GivenKind};

/// Maximum number of things of an example.
const MOST: usize = 500;

/// A thing of an example.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    pub(super) name: String,
    pub(super) kind: KindId,
    /// The index of the thing that required it, if it is generated.
    pub(super) made_for: Option<usize>,
    /// Whether its first mention was as a value: `foe.side = enemy`.
    pub(super) as_value: bool,
    /// Whether only its fields are given, and its kind follows from them.
    pub(super) guessed: bool,
}

/// All things of one run of an example.
#[derive(Clone, Debug, Default)]
pub(super) struct Cast {
    pub(super) members: Vec<Stand>,
    /// Generated links: thing, field, target.
    pub(super) links: Vec<(usize, FieldId, usize)>,
    /// Parameters of the call that are not things. A column or `with` sets them.
    pub(super) values: Vec<(String, Type)>,
    pub(super) problems: Vec<Diagnostic>,
}

/// The left side of an assignment: `u.nv`, `u.pace(Clear)`, `n`.
pub(super) struct Place<'e> {
    pub(super) root: &'e str,
    pub(super) field: Option<&'e tree::Name>,
    pub(super) keys: &'e [tree::Arg],
}

/// Parses the left side of an assignment. Returns `None` for another form.
pub(super) fn place(e: &tree::Expr) -> Option<Place<'_>> {
    match &e.kind {
        ExprKind::Paren(inner) => place(inner),
        ExprKind::Name(name) => Some(Place { root: name, field: None, keys: &[] }),
        ExprKind::Field(of, field) => match &of.kind {
            ExprKind::Name(root) => Some(Place { root, field: Some(field), keys: &[] }),
            _ => None,
        },
        ExprKind::Call(of, keys) => {
            let inner = place(of)?;
            (inner.field.is_some() && inner.keys.is_empty()).then_some(Place { keys, ..inner })
        }
        _ => None,
    }
}

/// Returns the names and types of the parameters of a test, phase, event, proc or function.
pub(super) fn signature(rs: &Ruleset, name: &str) -> Option<Vec<(String, Type)>> {
    let of = |f: &FuncId| {
        let f = &rs.functions[f.at()];
        f.locals.iter().take(f.params).map(|l| (l.name.clone(), l.ty.clone())).collect()
    };
    if let Some(test) = rs.names.tests.get(name) {
        return Some(of(test));
    }
    if let Some(phase) = rs.names.phases.get(name) {
        return Some(of(&rs.phases[phase.at()].func));
    }
    if let Some(event) = rs.names.events.get(name) {
        return Some(rs.records[rs.events[event.at()].data.at()].fields.clone());
    }
    match rs.names.values.get(name) {
        Some(ValueName::Proc(f) | ValueName::Let(f)) => Some(of(f)),
        _ => None,
    }
}

impl Cast {
    /// Determines the things of an example. `inputs` are the columns of this row with their values.
    pub(super) fn of(rs: &Ruleset, example: &tree::Example, inputs: &[(&tree::Expr, &tree::Expr)]) -> Cast {
        let mut cast = Cast::default();
        // in the order in which the example names them, starting with the call
        if let Some(call) = &example.call {
            cast.call(rs, call);
        }
        for (name, kind) in &example.stand_ins {
            match rs.names.types.get(&kind.text) {
                Some(TypeName::Kind(kind)) => cast.add(&name.text, *kind, false),
                _ => {
                    let kinds = rs.kinds.iter().map(|k| k.name.as_str());
                    let near = did_you_mean(&kind.text, kinds);
                    cast.say(
                        kind.span,
                        format!("a stand-in must have a kind, and there is no kind `{}`{near}", kind.text),
                    );
                }
            }
        }
        loop {
            let before = cast.members.len();
            cast.named(rs, example, inputs);
            if cast.members.len() == before && !cast.guess(rs, example, inputs) {
                break;
            }
        }
        cast.complete(rs, example, inputs);
        cast
    }

    /// Returns the index of the thing with this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.members.iter().position(|s| s.name == name)
    }

    /// Returns the kind of a thing and its number within the kind.
    pub(super) fn id(&self, at: usize) -> (KindId, i64) {
        let kind = self.members[at].kind;
        (kind, self.members[..at].iter().filter(|s| s.kind == kind).count() as i64)
    }

    fn say(&mut self, span: Span, message: String) {
        self.problems.push(Diagnostic::new(Code::ExampleForm, span, message));
    }

    fn add(&mut self, name: &str, kind: KindId, as_value: bool) {
        // in incomplete rules, the kind of a trait can be unknown
        if kind != Trait::NO_KIND && self.find(name).is_none() {
            self.members.push(Stand { name: name.to_string(), kind, made_for: None, as_value, guessed: false });
        }
    }

    fn call(&mut self, rs: &Ruleset, call: &tree::Call) {
        let Some(params) = signature(rs, &call.name.text) else {
            let names = rs
                .names
                .tests
                .keys()
                .chain(rs.names.phases.keys())
                .chain(rs.names.events.keys())
                .chain(rs.names.values.keys());
            let near = did_you_mean(&call.name.text, names.map(String::as_str));
            self.say(call.name.span, format!("`{}` is not a test, proc, event or phase{near}", call.name.text));
            return;
        };
        for (at, arg) in call.args.iter().enumerate() {
            let param = match &arg.name {
                Some(name) => params.iter().find(|(n, _)| *n == name.text),
                None => params.get(at),
            };
            let Some((_, ty)) = param else { continue };
            self.note(rs, &arg.value, ty, false);
            if let ExprKind::Name(name) = &arg.value.kind
                && self.find(name).is_none()
                && !rs.names.values.contains_key(name)
            {
                self.values.push((name.clone(), ty.clone()));
            }
        }
    }

    /// Adds stand-ins for unknown names in an expression where a thing is expected.
    fn note(&mut self, rs: &Ruleset, e: &tree::Expr, ty: &Type, as_value: bool) {
        match (&e.kind, ty.present()) {
            (ExprKind::Name(name), Type::Kind(kind)) if !rs.names.values.contains_key(name) => {
                self.add(name, *kind, as_value)
            }
            (ExprKind::Paren(inner), _) => self.note(rs, inner, ty, as_value),
            (ExprKind::List(entries), Type::List(inner)) => {
                for entry in entries {
                    self.note(rs, entry, inner, as_value);
                }
            }
            (ExprKind::Call(_, args), Type::Record(id)) => {
                self.arguments(rs, args, &rs.records[id.at()].fields, as_value)
            }
            _ => {}
        }
    }

    fn arguments(&mut self, rs: &Ruleset, args: &[tree::Arg], fields: &[(String, Type)], as_value: bool) {
        for (at, arg) in args.iter().enumerate() {
            let field = match &arg.name {
                Some(name) => fields.iter().find(|(n, _)| *n == name.text),
                None => fields.get(at),
            };
            if let Some((_, ty)) = field {
                self.note(rs, &arg.value, ty, as_value);
            }
        }
    }

    /// Makes one pass over everything that names things.
    fn named(&mut self, rs: &Ruleset, example: &tree::Example, inputs: &[(&tree::Expr, &tree::Expr)]) {
        for given in &example.with {
            match &given.kind {
                GivenKind::Value(value) => self.slot(rs, &given.target, value),
                GivenKind::Has { name, args } => {
                    let Some(tr) = rs.names.traits.get(&name.text) else { continue };
                    let info = &rs.traits[tr.at()];
                    if let ExprKind::Name(root) = &given.target.kind {
                        self.add(root, info.on, false);
                    }
                    self.arguments(rs, args, &rs.records[info.data.at()].fields, true);
                }
            }
        }
        for (target, value) in inputs {
            self.slot(rs, target, value);
        }
        for pick in &example.choosing {
            let tree::Answer::Value(value) = &pick.answer else { continue };
            self.pick(rs, &pick.choice.text, value);
        }
        let claims: Vec<&tree::Claimed> = match &example.body {
            ExampleBody::Claims(claims) => claims.iter().map(|c| &c.claimed).collect(),
            ExampleBody::Table { claims, .. } => claims.iter().collect(),
        };
        for claimed in claims {
            if let ClaimKind::Offered { action, args, .. } = &claimed.kind {
                let fields = choices(rs, &action.text);
                self.arguments(rs, args, &fields, true);
            }
        }
    }

    fn slot(&mut self, rs: &Ruleset, target: &tree::Expr, value: &tree::Expr) {
        let Some(Place { root, field: Some(field), .. }) = place(target) else { return };
        let Some(at) = self.find(root) else { return };
        let Some(id) = rs.names.fields.get(&(self.members[at].kind, field.text.clone())) else { return };
        let ty = rs.fields[id.at()].ty.clone();
        self.note(rs, value, &ty, true);
    }

    fn pick(&mut self, rs: &Ruleset, choice: &str, value: &tree::Expr) {
        if let ExprKind::Call(callee, args) = &value.kind
            && let ExprKind::Upper(action) = &callee.kind
        {
            let fields = choices(rs, action);
            return self.arguments(rs, args, &fields, true);
        }
        let found = rs
            .sites
            .iter()
            .find(|s| s.name == choice && matches!(s.sort, SiteSort::Choose | SiteSort::Next | SiteSort::Subset));
        if let Some(site) = found {
            let ty = if site.sort == SiteSort::Subset { site.ty.clone().list() } else { site.ty.clone() };
            self.note(rs, value, &ty, true);
        }
    }

    /// Adds a thing of unknown kind if exactly one kind has all its fields. Returns whether it added one.
    fn guess(&mut self, rs: &Ruleset, example: &tree::Example, inputs: &[(&tree::Expr, &tree::Expr)]) -> bool {
        let targets = example.with.iter().map(|g| &g.target).chain(inputs.iter().map(|(t, _)| *t));
        let places: Vec<Place<'_>> = targets.filter_map(place).filter(|p| p.field.is_some()).collect();
        for unknown in &places {
            if self.find(unknown.root).is_some() || rs.names.values.contains_key(unknown.root) {
                continue;
            }
            let fields: Vec<&str> = places
                .iter()
                .filter(|p| p.root == unknown.root)
                .filter_map(|p| p.field)
                .map(|f| f.text.as_str())
                .collect();
            let built_in = |f: &str| matches!(f, "at" | "facing");
            let has =
                |k: KindId| fields.iter().all(|f| built_in(f) || rs.names.fields.contains_key(&(k, f.to_string())));
            let mut fitting = (0..rs.kinds.len()).map(KindId::from).filter(|k| has(*k));
            if let (Some(kind), None) = (fitting.next(), fitting.next()) {
                let name = unknown.root.to_string();
                self.members.push(Stand { name, kind, made_for: None, as_value: false, guessed: true });
                return true;
            }
        }
        false
    }

    // ---------------------------------------------------------------- generated things

    /// Generates the things that links and groups require.
    fn complete(&mut self, rs: &Ruleset, example: &tree::Example, inputs: &[(&tree::Expr, &tree::Expr)]) {
        let given: Vec<(&tree::Expr, Option<&tree::Expr>)> = example
            .with
            .iter()
            .map(|g| match &g.kind {
                GivenKind::Value(v) => (&g.target, Some(v)),
                GivenKind::Has { .. } => (&g.target, None),
            })
            .chain(inputs.iter().map(|(t, v)| (*t, Some(*v))))
            .collect();
        let mut settled: Vec<(usize, FieldId)> = Vec::new();
        let mut full: Vec<usize> = Vec::new();
        for (target, value) in &given {
            let (Some(Place { root, field: Some(field), .. }), Some(value)) = (place(target), value) else { continue };
            let Some(at) = self.find(root) else { continue };
            let kind = self.members[at].kind;
            let Some(id) = rs.names.fields.get(&(kind, field.text.clone())).copied() else { continue };
            settled.push((at, id));
            let group = rs.kinds[kind.at()].group.filter(|(f, _)| *f == id);
            if let Some((_, member)) = group {
                full.push(at);
                self.members(rs, at, id, member, value);
            }
            if let (FieldSort::BackLink(link), ExprKind::List(entries)) = (&rs.fields[id.at()].sort, &value.kind) {
                for entry in entries {
                    if let ExprKind::Name(name) = &entry.kind
                        && let Some(other) = self.find(name)
                    {
                        settled.push((other, *link));
                        full.push(at);
                    }
                }
            }
            if let (FieldSort::Link, ExprKind::Name(name)) = (&rs.fields[id.at()].sort, &value.kind)
                && let Some(other) = self.find(name)
                && rs.kinds[self.members[other].kind.at()].group.is_some_and(|(_, member)| member == kind)
            {
                full.push(other);
            }
        }
        let mut at = 0;
        while at < self.members.len() && self.members.len() < MOST {
            self.link_up(rs, at, &settled);
            at += 1;
        }
        let mut at = 0;
        while at < self.members.len() && self.members.len() < MOST {
            self.fill(rs, at, &full);
            at += 1;
        }
        // members that were generated last have links too
        let mut at = 0;
        while at < self.members.len() && self.members.len() < MOST {
            self.link_up(rs, at, &settled);
            at += 1;
        }
    }

    /// Generates the members that `u.models = 5` requires.
    fn members(&mut self, rs: &Ruleset, at: usize, group: FieldId, member: KindId, value: &tree::Expr) {
        let ExprKind::Number(number) = &value.kind else { return };
        for _ in 0..(number.thousandths / 1000).clamp(0, MOST as i64 - 1) {
            self.member(rs, at, group, member);
        }
    }

    fn member(&mut self, rs: &Ruleset, at: usize, group: FieldId, member: KindId) {
        let name = self.free(&format!("{}_{}", self.members[at].name, rs.kinds[member.at()].name.to_lowercase()));
        let new = self.make(name, member, at);
        match rs.fields[group.at()].sort {
            FieldSort::BackLink(link) => self.links.push((new, link, at)),
            _ => self.links.push((at, group, new)),
        }
    }

    fn make(&mut self, name: String, kind: KindId, made_for: usize) -> usize {
        self.members.push(Stand { name, kind, made_for: Some(made_for), as_value: true, guessed: false });
        self.members.len() - 1
    }

    /// Returns an unused name that starts with `name`.
    fn free(&self, name: &str) -> String {
        if self.find(name).is_none() {
            return name.to_string();
        }
        (2..).map(|n| format!("{name}{n}")).find(|n| self.find(n).is_none()).unwrap_or_default()
    }

    /// Sets every required link that has no target.
    fn link_up(&mut self, rs: &Ruleset, at: usize, settled: &[(usize, FieldId)]) {
        let Stand { kind, made_for, .. } = self.members[at].clone();
        for id in rs.kinds[kind.at()].fields.clone() {
            let field = &rs.fields[id.at()];
            let (FieldSort::Link, Type::Kind(to)) = (&field.sort, &field.ty) else { continue };
            let known = settled.contains(&(at, id)) || self.links.iter().any(|(t, f, _)| (*t, *f) == (at, id));
            if known || field.default.is_some() {
                continue;
            }
            let maker = made_for.filter(|m| self.members[*m].kind == *to);
            let player = rs.kinds[to.at()].owner.is_none();
            let shared = if player && *to != kind {
                self.members.iter().position(|s| s.kind == *to && (!s.as_value || s.made_for.is_some()))
            } else {
                None
            };
            let target = match maker.or(shared) {
                Some(target) => target,
                None => {
                    let stem =
                        if player { field.name.clone() } else { format!("{}_{}", self.members[at].name, field.name) };
                    let name = self.free(&stem);
                    self.make(name, *to, at)
                }
            };
            self.links.push((at, id, target));
        }
    }

    /// Ensures that a group has a member.
    fn fill(&mut self, rs: &Ruleset, at: usize, full: &[usize]) {
        let Some((field, member)) = rs.kinds[self.members[at].kind.at()].group else { return };
        let has = full.contains(&at)
            || self.links.iter().any(|(from, _, to)| *to == at && self.members[*from].kind == member);
        if !has {
            self.member(rs, at, field, member);
        }
    }
}

/// Returns the choices of the header of an action.
pub(super) fn choices(rs: &Ruleset, action: &str) -> Vec<(String, Type)> {
    let Some(id) = rs.names.actions.get(action) else { return Vec::new() };
    let info = &rs.actions[id.at()];
    let locals = &rs.functions[info.func.at()].locals;
    let local = |l: &LocalId| (locals[l.at()].name.clone(), locals[l.at()].ty.clone());
    info.header
        .iter()
        .filter_map(|line| match line {
            HeaderLine::Choose { local: l, .. } => Some(local(l)),
            HeaderLine::Late(choose) => Some(local(&choose.local)),
            _ => None,
        })
        .collect()
}
