//! What an example says, checked: every given value, answer and claim becomes a function.

use super::answers::Choice;
use super::cast::{self, Cast, Place};
use super::claims::Check;
use super::table::Put;
use super::{Case, Stated};
use crate::base::{Code, Diagnostic, Span, did_you_mean};
use crate::rules::checker::{Checker, Scope, ScopeSort};
use crate::rules::code::{self, Body, Function};
use crate::rules::ruleset::{FieldSort, SiteSort, ValueName};
use crate::syntax::tree::{self, ClaimKind, ExprKind, GivenKind, TraitSort};
use crate::value::*;

/// Works on the functions of one example before they are compiled.
pub(super) struct Maker<'c, 'a> {
    pub(super) checker: &'c mut Checker<'a>,
    pub(super) cast: &'c Cast,
    pub(super) functions: Vec<Function>,
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
    pub(super) fn yes(&mut self, span: Span) -> FuncId {
        let e = tree::Expr { kind: ExprKind::Yes, span };
        let function = self.checker.snippet_condition(Checker::bare_scope(ScopeSort::Snippet), &e);
        self.keep(function)
    }

    fn value(&mut self, e: &tree::Expr, ty: &Type) -> FuncId {
        self.value_of(e, ty, "")
    }

    /// A value for a place with a name.
    fn value_of(&mut self, e: &tree::Expr, ty: &Type, name: &str) -> FuncId {
        let scope = self.scope();
        let function = self.checker.snippet_of(scope, e, Some(ty), name);
        self.keep(function)
    }

    pub(super) fn puts(&mut self, example: &tree::Example, case: &Case<'_>) -> Vec<Put<FuncId>> {
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
            let told = crate::rules::short_text(target);
            self.say(
                target.span,
                format!(
                    "`{told}` is reached through another thing; give the figure to a thing with a name, as in `u.side = red, \
                     red.pips = 3`; a parameter or a reading is given by its name alone"
                ),
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
        // the bound of what may change is kept by cutting, as on the table
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
                Some(arg) => data.push(self.value_of(&arg.value, ty, field)),
                None => self.say(name.span, format!("{} wants `{field}`", name.text)),
            }
        }
        (data.len() == fields.len()).then_some(Put::Has { at, what, data })
    }

    pub(super) fn args(&mut self, example: &tree::Example) -> Vec<FuncId> {
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
                Some(arg) => funcs.push(self.value_of(&arg.value, ty, name)),
                None => self.say(call.span, format!("`{}` wants `{name}`", call.name.text)),
            }
        }
        funcs
    }

    pub(super) fn answers(&mut self, example: &tree::Example) -> Vec<(String, Choice)> {
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

    pub(super) fn checks(&mut self, claims: &[Stated<'_>], gives: Option<&[(String, Type)]>) -> Vec<Check> {
        claims.iter().map(|stated| self.check(stated, gives)).collect()
    }

    fn check(&mut self, stated: &Stated<'_>, gives: Option<&[(String, Type)]>) -> Check {
        let scope = match gives {
            Some(fields) => {
                let params = fields.iter().map(|(n, t)| (n.clone(), t.clone(), Span::default())).collect();
                Scope { params, ..Checker::bare_scope(ScopeSort::Snippet) }
            }
            None => self.scope(),
        };
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
            (ClaimKind::Value(of), None) if stated.open => {
                let function = self.checker.snippet_expr(scope.clone(), of, None);
                self.odds(scope, function, stated, None)
            }
            (ClaimKind::Value(holds), None) => {
                let function = self.checker.snippet_condition(scope, holds);
                Check::Condition { holds: self.keep(function) }
            }
            (ClaimKind::Chance(of), value) => {
                let function = self.checker.snippet_condition(scope.clone(), of);
                self.odds(scope, function, stated, value)
            }
            (ClaimKind::Mean(of), value) => {
                let function = self.checker.snippet_expr(scope.clone(), of, None);
                if !matches!(function.result, Type::Int(_) | Type::Length | Type::Ratio | Type::Unknown) {
                    let rs = &self.checker.rs;
                    let message = format!("a mean is taken of numbers; this is {}", rs.type_name(&function.result));
                    self.say(of.span, message);
                }
                self.odds(scope, function, stated, value)
            }
            (ClaimKind::Offered { not, action, args }, value) => {
                let value = value.map(|value| self.checker.snippet_condition(self.scope(), value));
                let value = value.map(|function| self.keep(function));
                self.offered(*not, action, args, value)
            }
        }
    }

    /// A chance or a mean, and what is claimed of it.
    fn odds(&mut self, scope: Scope, of: Function, stated: &Stated<'_>, value: Option<&tree::Expr>) -> Check {
        let ty = of.result.clone();
        let mean = stated.open || matches!(stated.claimed.kind, ClaimKind::Mean(_)) && stated.claimed.given.is_none();
        let counted = match &of.body {
            Body::Value(code::Expr { kind: code::ExprKind::Tally(id), .. }) if mean => Some(*id),
            _ => None,
        };
        let given = stated.claimed.given.as_ref().map(|given| {
            let function = self.checker.snippet_condition(scope, given);
            self.keep(function)
        });
        let bare = || Checker::bare_scope(ScopeSort::Snippet);
        let claimed = value.map(|value| match (&ty, &value.kind) {
            (Type::Length, _) => self.checker.snippet_expr(bare(), value, Some(&Type::Length)),
            (_, ExprKind::Number(_)) => self.checker.snippet_expr(bare(), value, None),
            _ => self.checker.snippet_expr(bare(), value, Some(&Type::Ratio)),
        });
        match &claimed {
            Some(claimed) => {
                if !matches!(claimed.result, Type::Int(_) | Type::Length | Type::Ratio | Type::Unknown) {
                    self.say(stated.span, "a chance or a mean is a fraction, such as 5/9".to_string());
                }
            }
            None if stated.open => {}
            None => self.say(stated.span, "say what it is: `chance passed = 5/9`".to_string()),
        }
        Check::Odds { of: self.keep(of), ty, given, claimed: claimed.map(|f| self.keep(f)), counted }
    }

    fn offered(&mut self, not: bool, action: &tree::Name, args: &[tree::Arg], value: Option<FuncId>) -> Check {
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
        Check::Offered { not, action: action.text.clone(), wanted, value }
    }
}
