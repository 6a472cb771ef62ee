//! The table of one run of an example: what is given is checked and compiled, then worked out and put in place.

use super::answers::Choice;
use super::cast::{self, Cast, Place};
use super::claims::Check;
use super::{Case, Stated, cells_of};
use crate::base::{Code, Diagnostic, Span, did_you_mean};
use crate::machine::{Fault, Game, Handle, Setup, State, ThingSpec, set_up};
use crate::program::{Program, extend};
use crate::rules::checker::{Checker, Scope, ScopeSort};
use crate::rules::code::{Body, Function};
use crate::rules::ruleset::{FieldSort, Ruleset, SiteSort, ValueName};
use crate::syntax::tree::{self, ClaimKind, ExprKind, GivenKind, TraitSort};
use crate::value::*;

/// Where things stand that no example puts anywhere: far from every edge.
const SPOT: i64 = crate::board::LIMIT / 2;

/// One thing that an example gives.
enum Put<F> {
    /// A figure: thing, field, its keys, the value.
    Field {
        at: usize,
        field: FieldId,
        keys: Vec<F>,
        value: F,
    },
    At {
        at: usize,
        value: F,
    },
    Facing {
        at: usize,
        value: F,
    },
    /// A trait, or a status with its data.
    Has {
        at: usize,
        what: TraitId,
        data: Vec<F>,
    },
    Setting {
        id: SettingId,
        value: F,
    },
    Global {
        id: GlobalId,
        value: F,
    },
    /// A parameter of the call that is no thing.
    Value {
        at: usize,
        value: F,
    },
}

/// One run of an example, compiled.
pub(super) struct Bench {
    program: Program,
    cast: Cast,
    puts: Vec<Put<FuncId>>,
    args: Vec<FuncId>,
    pub(super) answers: Vec<(String, Choice)>,
    pub(super) checks: Vec<Check>,
    /// True if claims see the fields of a result.
    has_result: bool,
    /// A function that gives yes.
    yes: FuncId,
}

/// The same with everything in place.
pub(super) struct Table {
    pub(super) game: Game,
    /// Cells of the parameters that are no things.
    values: Vec<i64>,
}

/// Works on the functions of one example before they are compiled.
struct Maker<'c, 'a> {
    checker: &'c mut Checker<'a>,
    cast: &'c Cast,
    functions: Vec<Function>,
}

impl Bench {
    /// Checks and compiles everything an example says for one of its runs.
    pub(super) fn prepare(
        program: &Program,
        example: &tree::Example,
        case: &Case<'_>,
        result: Option<RecordId>,
    ) -> Result<Bench, Vec<Diagnostic>> {
        let cast = Cast::of(&program.rules, example, &case.inputs);
        if !cast.problems.is_empty() {
            return Err(cast.problems);
        }
        let things = |name: &str| cast.find(name).map(|at| cast.id(at));
        let mut checker = Checker::new(program.rules.clone(), &things);
        let mut maker = Maker { checker: &mut checker, cast: &cast, functions: Vec::new() };
        let puts = maker.puts(example, case);
        let args = maker.args(example);
        let answers = maker.answers(example);
        let checks = maker.checks(&case.claims, result);
        let yes = maker.yes(example.title.span);
        let functions = std::mem::take(&mut maker.functions);
        if checker.problems.iter().any(Diagnostic::is_error) {
            return Err(checker.problems);
        }
        let mut program = program.clone();
        let compiled: Vec<FuncId> = functions.into_iter().map(|f| extend(&mut program, f).func).collect();
        // until here a function was known by its place in the list
        let id = |n: FuncId| compiled[n.at()];
        let puts = puts.into_iter().map(|p| p.map(&id)).collect();
        let args = args.into_iter().map(id).collect();
        let answers = answers.into_iter().map(|(name, choice)| (name, compiled_choice(choice, &id))).collect();
        let checks = checks.into_iter().map(|c| compiled_check(c, &id)).collect();
        drop(checker);
        Ok(Bench { program, cast, puts, args, answers, checks, has_result: result.is_some(), yes: id(yes) })
    }

    /// Works out what is given and puts the table together.
    pub(super) fn table(&self) -> Result<Table, Fault> {
        let bare = set_up(self.program.clone(), self.setup(None, &mut Vec::new())?)?;
        let mut values = Vec::new();
        let setup = self.setup(Some(&bare), &mut values)?;
        let game = set_up(self.program.clone(), setup)?;
        Ok(Table { game, values })
    }

    /// Who is there; with a table to work things out on, also what is given.
    fn setup(&self, on: Option<&Game>, values: &mut Vec<i64>) -> Result<Setup, Fault> {
        let rules = &self.program.rules;
        let mut things: Vec<ThingSpec> =
            self.cast.stands.iter().map(|s| ThingSpec::new(s.kind, s.name.clone())).collect();
        let placed = self.puts.iter().any(|p| matches!(p, Put::At { .. }));
        let spot = if placed { 0 } else { SPOT };
        for spec in &mut things {
            if rules.kinds[spec.kind.at()].on_board {
                spec.at = Some((spot, spot));
            }
        }
        let mut lists: Vec<(usize, FieldId, Vec<i64>)> = Vec::new();
        for (at, field, to) in &self.cast.links {
            let (_, number) = self.cast.id(*to);
            if matches!(rules.fields[field.at()].ty.present(), Type::List(_)) {
                match lists.iter_mut().find(|(a, f, _)| (a, f) == (at, field)) {
                    Some((_, _, entries)) => entries.push(number),
                    None => lists.push((*at, *field, vec![number])),
                }
            } else {
                things[*at].values.push((*field, 0, vec![number]));
            }
        }
        for (at, field, entries) in lists {
            things[at].values.push((field, 0, entries));
        }
        let mut setup = Setup::default();
        if let Some(game) = on {
            for put in &self.puts {
                if let Put::Value { value, .. } = put {
                    let mut state = game.start.clone();
                    values.extend(cells_of(game, &mut state, *value, &[])?);
                }
            }
            for put in &self.puts {
                self.put(game, put, &mut things, &mut setup, values)?;
            }
            self.group_places(&mut things);
        }
        setup.things = things;
        Ok(setup)
    }

    fn put(
        &self,
        game: &Game,
        put: &Put<FuncId>,
        things: &mut [ThingSpec],
        setup: &mut Setup,
        values: &[i64],
    ) -> Result<(), Fault> {
        let rules = &self.program.rules;
        let mut state = game.start.clone();
        let mut cells = |func: FuncId| cells_of(game, &mut state, func, values);
        match put {
            Put::Field { at, field, keys, value } => {
                let info = &rules.fields[field.at()];
                let mut figure = 0;
                for (key, (_, count)) in keys.iter().zip(&info.keys) {
                    figure = figure * count + cells(*key)?.first().copied().unwrap_or(0);
                }
                let given = cells(*value)?;
                let entries = match info.ty.present() {
                    Type::List(inner) => Some(entries(rules, inner, &state, &given)),
                    _ => None,
                };
                match (info.sort, entries) {
                    (FieldSort::BackLink(link), Some(entries)) => {
                        let kind = rules.fields[link.at()].kind;
                        let (_, number) = self.cast.id(*at);
                        for entry in entries {
                            if let Some(other) = self.cast.at(kind, entry) {
                                things[other].values.retain(|(f, _, _)| *f != link);
                                things[other].values.push((link, 0, vec![number]));
                            }
                        }
                    }
                    (_, Some(entries)) => things[*at].values.push((*field, figure, entries)),
                    (_, None) => things[*at].values.push((*field, figure, given)),
                }
            }
            Put::At { at, value } => {
                let given = cells(*value)?;
                let point = match given.as_slice() {
                    [THING, packed] => {
                        let (kind, number) = unpack_thing(*packed);
                        self.cast.at(kind, number).and_then(|other| things[other].at)
                    }
                    [NONE, ..] => None,
                    [x, y] => Some((*x, *y)),
                    _ => None,
                };
                things[*at].at = point;
            }
            Put::Facing { at, value } => things[*at].facing = cells(*value)?.first().copied().unwrap_or(0),
            Put::Has { at, what, data } => {
                if rules.traits[what.at()].sort == TraitSort::Trait {
                    things[*at].traits.push(*what);
                } else {
                    let mut all = Vec::new();
                    for part in data {
                        all.extend(cells(*part)?);
                    }
                    things[*at].statuses.push((*what, all));
                }
            }
            Put::Setting { id, value } => setup.settings.push((*id, cells(*value)?)),
            Put::Global { id, value } => setup.globals.push((*id, cells(*value)?)),
            Put::Value { .. } => {}
        }
        Ok(())
    }

    /// A group that is put somewhere takes those of its members along who are not put anywhere themselves.
    fn group_places(&self, things: &mut [ThingSpec]) {
        let rules = &self.program.rules;
        let own: Vec<usize> =
            self.puts.iter().filter_map(|p| if let Put::At { at, .. } = p { Some(*at) } else { None }).collect();
        for group in own.iter().copied() {
            let Some((field, member)) = rules.kinds[things[group].kind.at()].group else { continue };
            let (place, (_, number)) = (things[group].at.take(), self.cast.id(group));
            let listed: Vec<i64> =
                things[group].values.iter().filter(|(f, _, _)| *f == field).flat_map(|(_, _, e)| e.clone()).collect();
            for other in 0..things.len() {
                if things[other].kind != member || own.contains(&other) {
                    continue;
                }
                let in_group = match rules.fields[field.at()].sort {
                    FieldSort::BackLink(link) => {
                        things[other].values.iter().any(|(f, _, v)| *f == link && v.first() == Some(&number))
                    }
                    _ => listed.contains(&self.cast.id(other).1),
                };
                if in_group {
                    things[other].at = place;
                }
            }
        }
    }
}

/// Entries of a list, out of the heap.
fn entries(rules: &Ruleset, inner: &Type, state: &State, cells: &[i64]) -> Vec<i64> {
    let list = Handle::of(cells.first().copied().unwrap_or(0));
    let width = rules.width(inner).max(1);
    state.heap.get(list.at..list.at + list.len * width).unwrap_or_default().to_vec()
}

impl Table {
    /// A law that reads a figure which nobody gave cannot be judged on this table: from now on it is not. False if
    /// that is not why the run ended.
    pub(super) fn silence(&mut self, bench: &Bench, fault: &Fault) -> bool {
        if fault.code != Code::Unset {
            return false;
        }
        let program = &mut self.game.program;
        let Some(law) = program.rules.laws.iter().find(|l| fault.stack.contains(&l.name)) else { return false };
        let (law, yes) = (law.func, program.funcs[bench.yes.at()].clone());
        let silent = program.funcs[law.at()].entry == yes.entry;
        program.funcs[law.at()] = yes;
        !silent
    }

    /// What the call is given, one after the other; lists lie on the heap of the position.
    pub(super) fn arguments(&self, bench: &Bench, state: &mut State) -> Result<Vec<i64>, Fault> {
        let mut cells = Vec::new();
        for arg in &bench.args {
            cells.extend(cells_of(&self.game, state, *arg, &self.values)?);
        }
        Ok(cells)
    }

    /// A value in words, on a position after the call, whose result is `cells`.
    pub(super) fn value(
        &self,
        bench: &Bench,
        state: &State,
        func: FuncId,
        ty: &Type,
        cells: &[i64],
    ) -> Result<String, Fault> {
        let mut aside = state.clone();
        let params = if bench.has_result { cells } else { &self.values };
        let found = cells_of(&self.game, &mut aside, func, params)?;
        Ok(self.game.tell(&aside, ty, &found))
    }
}

impl<F> Put<F> {
    fn map<G>(self, id: &impl Fn(F) -> G) -> Put<G> {
        let all = |list: Vec<F>| list.into_iter().map(id).collect();
        match self {
            Put::Field { at, field, keys, value } => Put::Field { at, field, keys: all(keys), value: id(value) },
            Put::At { at, value } => Put::At { at, value: id(value) },
            Put::Facing { at, value } => Put::Facing { at, value: id(value) },
            Put::Has { at, what, data } => Put::Has { at, what, data: all(data) },
            Put::Setting { id: setting, value } => Put::Setting { id: setting, value: id(value) },
            Put::Global { id: global, value } => Put::Global { id: global, value: id(value) },
            Put::Value { at, value } => Put::Value { at, value: id(value) },
        }
    }
}

fn compiled_choice(choice: Choice, id: &impl Fn(FuncId) -> FuncId) -> Choice {
    let all = |list: Vec<(SiteId, FuncId)>| list.into_iter().map(|(s, f)| (s, id(f))).collect();
    match choice {
        Choice::Stop => Choice::Stop,
        Choice::Value(values) => Choice::Value(all(values)),
        Choice::Rank { most, keys } => Choice::Rank { most, keys: all(keys) },
        Choice::Action { action, given } => {
            Choice::Action { action, given: given.into_iter().map(|(l, f)| (l, id(f))).collect() }
        }
    }
}

fn compiled_check(check: Check, id: &impl Fn(FuncId) -> FuncId) -> Check {
    match check {
        Check::Value { left, right, ty } => Check::Value { left: id(left), right: id(right), ty },
        Check::Condition { holds } => Check::Condition { holds: id(holds) },
        Check::Offered { not, action, wanted } => {
            Check::Offered { not, action, wanted: wanted.into_iter().map(|(n, t, f)| (n, t, id(f))).collect() }
        }
        Check::Odds => Check::Odds,
    }
}

impl Maker<'_, '_> {
    fn say(&mut self, span: Span, message: String) {
        self.checker.say(Code::ExampleForm, span, message);
    }

    /// Keeps a function until it is compiled; its place in the list stands for it.
    fn keep(&mut self, function: Function) -> FuncId {
        self.functions.push(function);
        FuncId::from(self.functions.len() - 1)
    }

    /// Parameters of the call that are no things are in sight wherever a value may be written.
    fn scope(&self) -> Scope {
        let params = self.cast.values.iter().map(|(n, t)| (n.clone(), t.clone(), Span::default())).collect();
        Scope { params, ..Checker::bare_scope(ScopeSort::Snippet) }
    }

    /// A function that gives yes.
    fn yes(&mut self, span: Span) -> FuncId {
        let e = tree::Expr { kind: ExprKind::Yes, span };
        let function = self.checker.snippet_condition(Checker::bare_scope(ScopeSort::Snippet), &e);
        self.keep(function)
    }

    fn value(&mut self, e: &tree::Expr, ty: &Type) -> FuncId {
        let scope = self.scope();
        let function = self.checker.snippet_expr(scope, e, Some(ty));
        self.keep(function)
    }

    fn puts(&mut self, example: &tree::Example, case: &Case<'_>) -> Vec<Put<FuncId>> {
        let mut puts = Vec::new();
        for given in &example.with {
            match &given.kind {
                GivenKind::Value(value) => puts.extend(self.given(&given.target, value)),
                GivenKind::Has { name, args } => puts.extend(self.has(&given.target, name, args)),
            }
        }
        for (name, value) in &example.under {
            puts.extend(self.setting(name.span, &name.text, value));
        }
        for (target, value) in &case.inputs {
            puts.extend(self.given(target, value));
        }
        // parameters in the order in which snippets have them
        let mut values: Vec<Option<FuncId>> = vec![None; self.cast.values.len()];
        puts.retain(|put| match put {
            Put::Value { at, value } => {
                values[*at] = Some(*value);
                false
            }
            _ => true,
        });
        for (at, value) in values.into_iter().enumerate() {
            match value {
                Some(value) => puts.push(Put::Value { at, value }),
                None => {
                    let name = self.cast.values[at].0.clone();
                    let span = example.call.as_ref().map_or(example.title.span, |c| c.span);
                    self.say(
                        span,
                        format!(
                            "`{name}` is a parameter that is no thing; give it by `with {name} = ..` or in a column"
                        ),
                    );
                }
            }
        }
        puts
    }

    fn given(&mut self, target: &tree::Expr, value: &tree::Expr) -> Option<Put<FuncId>> {
        let Some(Place { root, field, keys }) = cast::place(target) else {
            self.say(
                target.span,
                "what is given is a stat, state or link of a thing, a parameter, or a reading".to_string(),
            );
            return None;
        };
        let Some(field) = field else { return self.bare(target.span, root, value) };
        let Some(at) = self.cast.find(root) else {
            self.say(target.span, format!("nothing tells what `{root}` is; name it as `for {root}: Kind`"));
            return None;
        };
        let kind = self.cast.stands[at].kind;
        match self.checker.rs.names.fields.get(&(kind, field.text.clone())).copied() {
            Some(id) => self.figure(target.span, at, id, keys, value),
            None if field.text == "at" => Some(Put::At { at, value: self.value(value, &Type::Place.optional()) }),
            None if field.text == "facing" => Some(Put::Facing { at, value: self.value(value, &Type::Angle) }),
            None => {
                let rs = &self.checker.rs;
                let fields: Vec<&str> =
                    rs.kinds[kind.at()].fields.iter().map(|f| rs.fields[f.at()].name.as_str()).collect();
                let near = did_you_mean(&field.text, fields.iter().copied());
                let message = format!("{} has no `{}`{near}", rs.kinds[kind.at()].name, field.text);
                self.say(field.span, message);
                None
            }
        }
    }

    fn figure(
        &mut self,
        span: Span,
        at: usize,
        id: FieldId,
        keys: &[tree::Arg],
        value: &tree::Expr,
    ) -> Option<Put<FuncId>> {
        let info = self.checker.rs.fields[id.at()].clone();
        if let FieldSort::Let(_) = info.sort {
            self.say(span, format!("`{}` is derived; give what it is made of", info.name));
            return None;
        }
        if keys.len() != info.keys.len() {
            self.say(span, format!("`{}` has {} keys, and {} are given", info.name, info.keys.len(), keys.len()));
            return None;
        }
        // so many members: they are made already
        let group = self.checker.rs.kinds[info.kind.at()].group;
        if group.is_some_and(|(f, _)| f == id) && matches!(value.kind, ExprKind::Number(_)) {
            return None;
        }
        let keys = keys.iter().zip(&info.keys).map(|(k, (ty, _))| self.value(&k.value, ty)).collect();
        // a bound is kept by cutting, as on the table
        let ty = match &info.ty {
            Type::Int(_) => Type::INT,
            other => other.clone(),
        };
        Some(Put::Field { at, field: id, keys, value: self.value(value, &ty) })
    }

    fn bare(&mut self, span: Span, name: &str, value: &tree::Expr) -> Option<Put<FuncId>> {
        if let Some(at) = self.cast.values.iter().position(|(n, _)| n == name) {
            let ty = self.cast.values[at].1.clone();
            let function = self.checker.snippet_expr(Checker::bare_scope(ScopeSort::Snippet), value, Some(&ty));
            return Some(Put::Value { at, value: self.keep(function) });
        }
        self.setting(span, name, value)
    }

    fn setting(&mut self, span: Span, name: &str, value: &tree::Expr) -> Option<Put<FuncId>> {
        match self.checker.rs.names.values.get(name).copied() {
            Some(ValueName::Setting(id)) => {
                let ty = self.checker.rs.settings[id.at()].ty.clone();
                Some(Put::Setting { id, value: self.value(value, &ty) })
            }
            Some(ValueName::Global(id)) => {
                let ty = self.checker.rs.globals[id.at()].ty.clone();
                Some(Put::Global { id, value: self.value(value, &ty) })
            }
            _ => {
                let rs = &self.checker.rs;
                let near = did_you_mean(name, rs.settings.iter().map(|s| s.name.as_str()));
                self.say(span, format!("`{name}` is no param, reading or parameter of the call{near}"));
                None
            }
        }
    }

    fn has(&mut self, target: &tree::Expr, name: &tree::Name, args: &[tree::Arg]) -> Option<Put<FuncId>> {
        let Some(&what) = self.checker.rs.names.traits.get(&name.text) else {
            let near = did_you_mean(&name.text, self.checker.rs.names.traits.keys().map(String::as_str));
            self.say(name.span, format!("no trait or status `{}`{near}", name.text));
            return None;
        };
        let at = match &target.kind {
            ExprKind::Name(root) => self.cast.find(root),
            _ => None,
        };
        let info = self.checker.rs.traits[what.at()].clone();
        let Some(at) = at.filter(|at| self.cast.stands[*at].kind == info.on) else {
            self.say(target.span, format!("{} is borne by a {}", name.text, self.checker.rs.kinds[info.on.at()].name));
            return None;
        };
        if info.sort == TraitSort::Condition {
            self.say(
                name.span,
                format!("{} is a condition: it holds by itself, so give what brings it about", name.text),
            );
            return None;
        }
        let fields = self.checker.rs.records[info.data.at()].fields.clone();
        let mut data = Vec::new();
        for (n, (field, ty)) in fields.iter().enumerate() {
            let arg = args.iter().find(|a| a.name.as_ref().is_some_and(|name| name.text == *field));
            match arg.or_else(|| args.get(n).filter(|a| a.name.is_none())) {
                Some(arg) => data.push(self.value(&arg.value, ty)),
                None => self.say(name.span, format!("{} wants `{field}`", name.text)),
            }
        }
        (data.len() == fields.len()).then_some(Put::Has { at, what, data })
    }

    fn args(&mut self, example: &tree::Example) -> Vec<FuncId> {
        let Some(call) = &example.call else { return Vec::new() };
        let Some(params) = cast::signature(&self.checker.rs, &call.name.text) else { return Vec::new() };
        if params.len() != call.args.len() {
            let message = format!("`{}` is given {} of {}", call.name.text, call.args.len(), params.len());
            self.say(call.span, message);
            return Vec::new();
        }
        let mut funcs = Vec::new();
        for (n, (name, ty)) in params.iter().enumerate() {
            let named = call.args.iter().find(|a| a.name.as_ref().is_some_and(|x| x.text == *name));
            match named.or_else(|| call.args.get(n).filter(|a| a.name.is_none())) {
                Some(arg) => funcs.push(self.value(&arg.value, ty)),
                None => self.say(call.span, format!("`{}` wants `{name}`", call.name.text)),
            }
        }
        funcs
    }

    fn answers(&mut self, example: &tree::Example) -> Vec<(String, Choice)> {
        let mut answers = Vec::new();
        for pick in &example.choosing {
            let name = pick.choice.text.clone();
            let rs = &self.checker.rs;
            let sites: Vec<(SiteId, SiteSort)> = rs
                .sites
                .iter()
                .enumerate()
                .filter(|(_, s)| s.name == name)
                .map(|(n, s)| (SiteId::from(n), s.sort))
                .collect();
            if sites.is_empty() {
                let near = did_you_mean(&name, rs.sites.iter().map(|s| s.name.as_str()));
                self.say(pick.choice.span, format!("nobody ever asks `{name}`{near}"));
                continue;
            }
            let choice = match &pick.answer {
                tree::Answer::Stop(_) => Some(Choice::Stop),
                tree::Answer::Value(e) if sites.iter().any(|(_, sort)| *sort == SiteSort::Menu) => self.menu_pick(e),
                tree::Answer::Value(e) => {
                    let values = self.for_sites(&sites, |checker, site| checker.snippet_pick(site, e));
                    Some(Choice::Value(values))
                }
                tree::Answer::Extreme { most, by } => {
                    let keys = self.for_sites(&sites, |checker, site| checker.snippet_rank(site, by));
                    Some(Choice::Rank { most: *most, keys })
                }
            };
            answers.extend(choice.map(|c| (name, c)));
        }
        answers
    }

    /// One function for each site of a name; those where the answer makes no sense are left out if it does elsewhere.
    fn for_sites(
        &mut self,
        sites: &[(SiteId, SiteSort)],
        mut make: impl FnMut(&mut Checker<'_>, SiteId) -> Function,
    ) -> Vec<(SiteId, FuncId)> {
        let before = self.checker.problems.len();
        let mut made = Vec::new();
        let mut wrong = Vec::new();
        for (site, _) in sites {
            let function = make(self.checker, *site);
            let found = self.checker.problems.split_off(before);
            if found.iter().any(Diagnostic::is_error) {
                wrong = found;
            } else {
                made.push((*site, self.keep(function)));
            }
        }
        if made.is_empty() {
            self.checker.problems.extend(wrong);
        }
        made
    }

    fn menu_pick(&mut self, e: &tree::Expr) -> Option<Choice> {
        let pick = self.checker.snippet_menu(e)?;
        let given = pick
            .given
            .into_iter()
            .map(|(local, value)| {
                let function = Function { result: value.ty.clone(), body: Body::Value(value), ..pick.function.clone() };
                (local, self.keep(function))
            })
            .collect();
        Some(Choice::Action { action: pick.action, given })
    }

    // ---------------------------------------------------------------- claims

    fn checks(&mut self, claims: &[Stated<'_>], result: Option<RecordId>) -> Vec<Check> {
        claims.iter().map(|stated| self.check(stated, result)).collect()
    }

    fn check(&mut self, stated: &Stated<'_>, result: Option<RecordId>) -> Check {
        let scope = match result {
            Some(id) => {
                let fields = &self.checker.rs.records[id.at()].fields;
                let params = fields.iter().map(|(n, t)| (n.clone(), t.clone(), Span::default())).collect();
                Scope { params, ..Checker::bare_scope(ScopeSort::Snippet) }
            }
            None => self.scope(),
        };
        if let Some(given) = &stated.claimed.given {
            let function = self.checker.snippet_condition(scope.clone(), given);
            self.keep(function);
        }
        match (&stated.claimed.kind, stated.value) {
            (ClaimKind::Value(left), Some(right)) => {
                let function = self.checker.snippet_expr(scope.clone(), left, None);
                let ty = match function.result.clone() {
                    Type::Int(_) => Type::INT,
                    other => other,
                };
                let left = self.keep(function);
                let wanted = (ty != Type::Unknown).then_some(&ty);
                let function = self.checker.snippet_expr(scope, right, wanted);
                let right = self.keep(function);
                Check::Value { left, right, ty }
            }
            (ClaimKind::Value(holds), None) => {
                let function = self.checker.snippet_condition(scope, holds);
                Check::Condition { holds: self.keep(function) }
            }
            (ClaimKind::Chance(of), value) => {
                let function = self.checker.snippet_condition(scope.clone(), of);
                self.keep(function);
                self.fraction(scope, value, stated.span)
            }
            (ClaimKind::Mean(of), value) => {
                let function = self.checker.snippet_expr(scope.clone(), of, None);
                self.keep(function);
                self.fraction(scope, value, stated.span)
            }
            (ClaimKind::Offered { not, action, args }, _) => self.offered(*not, action, args),
        }
    }

    fn fraction(&mut self, scope: Scope, value: Option<&tree::Expr>, span: Span) -> Check {
        match value {
            Some(value) => {
                let function = self.checker.snippet_expr(scope, value, None);
                self.keep(function);
            }
            None => self.say(span, "say what it is: `chance passed = 5/9`".to_string()),
        }
        Check::Odds
    }

    fn offered(&mut self, not: bool, action: &tree::Name, args: &[tree::Arg]) -> Check {
        if !self.checker.rs.names.actions.contains_key(&action.text) {
            let near = did_you_mean(&action.text, self.checker.rs.names.actions.keys().map(String::as_str));
            self.say(action.span, format!("no action `{}`{near}", action.text));
        }
        let choices = cast::choices(&self.checker.rs, &action.text);
        let mut wanted = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            let found = match &arg.name {
                Some(name) => choices.iter().find(|(c, _)| *c == name.text),
                None => choices.get(n),
            };
            match found {
                Some((name, ty)) => {
                    let (name, ty) = (name.clone(), ty.clone());
                    let func = self.value(&arg.value, &ty);
                    wanted.push((name, ty, func));
                }
                None => self.say(arg.value.span, format!("`{}` has no such choice", action.text)),
            }
        }
        Check::Offered { not, action: action.text.clone(), wanted }
    }
}
