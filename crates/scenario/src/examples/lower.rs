//! Lowers an example: every given value, answer and claim is checked and becomes a piece of a plan.

use super::super::build::{Builder, Draft};
use super::super::puts::Put;
use super::super::{
    Claim, ClaimedValue, Counts, Decision, Expect, Expected, Figure, FigureSort, Given, GivenDice, Offer, PieceId,
    Question, Within,
};
use super::cast::{self, Cast, Place};
use super::{Case, Stated};
use grognard_base::value::*;
use grognard_base::{Code, OrdMap, Span, did_you_mean};
use grognard_board::Shape;
use grognard_rules::checker::{Checker, Scope, ScopeSort};
use grognard_rules::code::Function;
use grognard_rules::ruleset::{FieldSort, Site, ValueName};
use grognard_syntax::tree::{self, ClaimKind, ExprKind, GivenKind, TraitSort};

/// The fields that give a thing on the board its body, as in a scenario.
const BODY: [&str; 3] = ["base", "length", "shape"];

/// The state of lowering one run of an example.
pub(super) struct Lower<'b, 'a> {
    pub(super) builder: &'b mut Builder<'a>,
    pub(super) cast: &'b Cast,
    pub(super) draft: Draft,
    /// The names and types of the results of the call, for claims.
    pub(super) gives: Option<&'b [(String, Type)]>,
}

/// Returns a scope without parameters.
fn bare() -> Scope {
    Checker::bare_scope(ScopeSort::Snippet)
}

/// Returns a scope of parameters.
fn scope_of(params: &[(String, Type)]) -> Scope {
    let params = params.iter().map(|(n, t)| (n.clone(), t.clone(), Span::default())).collect();
    Scope { params, ..bare() }
}

impl<'a> Lower<'_, 'a> {
    fn say(&mut self, span: Span, message: String) {
        self.builder.checker.say(Code::ExampleForm, span, message);
        self.collect();
    }

    /// Reports an error and returns `None`.
    fn wrong<T>(&mut self, span: Span, message: String) -> Option<T> {
        self.say(span, message);
        None
    }

    /// Moves the findings of the checker to the builder, in order.
    fn collect(&mut self) {
        let found = std::mem::take(&mut self.builder.checker.problems);
        self.builder.problems.extend(found);
    }

    /// Runs the checker and returns its function, even if there are errors.
    fn check(&mut self, work: impl FnOnce(&mut Checker<'a>) -> Function) -> Function {
        let function = work(&mut self.builder.checker);
        self.collect();
        function
    }

    fn keep(&mut self, function: Function) -> PieceId {
        self.builder.keep(function)
    }

    /// Returns the scope of values: the parameters of the call that are not things.
    fn scope(&self) -> Scope {
        scope_of(&self.cast.values)
    }

    /// Returns the scope of claims.
    fn end(&self) -> Scope {
        self.gives.map_or_else(|| self.scope(), scope_of)
    }

    /// Returns a piece that evaluates to yes.
    pub(super) fn yes(&mut self, span: Span) -> PieceId {
        let e = tree::Expr { kind: ExprKind::Yes, span };
        let function = self.check(|c| c.snippet_condition(bare(), &e));
        self.keep(function)
    }

    fn value(&mut self, e: &tree::Expr, ty: &Type) -> PieceId {
        self.value_of(e, ty, "")
    }

    /// Binds a value for a named slot.
    fn value_of(&mut self, e: &tree::Expr, ty: &Type, name: &str) -> PieceId {
        let scope = self.scope();
        let function = self.check(|c| c.snippet_of(scope, e, Some(ty), name));
        self.keep(function)
    }

    fn condition(&mut self, scope: Scope, e: &tree::Expr) -> PieceId {
        let function = self.check(|c| c.snippet_condition(scope, e));
        self.keep(function)
    }

    pub(super) fn puts(&mut self, example: &tree::Example, case: &Case<'_>) -> Vec<Put> {
        let mut puts = Vec::new();
        let figures = example.with.iter().filter(|given| matches!(given.kind, GivenKind::Value(_)));
        self.once(figures.map(|given| (grognard_rules::short_text(&given.target), given.target.span)));
        self.once(example.under.iter().map(|(name, _)| (name.text.clone(), name.span)));
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
        self.one_body(example.title.span, &puts);
        // parameters in the order in which snippets declare them
        let (values, mut puts): (Vec<Put>, Vec<Put>) =
            puts.into_iter().partition(|put| matches!(put, Put::Value { .. }));
        for (name, _) in &self.cast.values {
            let given = values.iter().rfind(|put| matches!(put, Put::Value { name: own, .. } if own == name));
            match given {
                Some(put) => puts.push(put.clone()),
                None => {
                    let span = example.call.as_ref().map_or(example.title.span, |c| c.span);
                    self.say(
                        span,
                        format!(
                            "`{name}` is a parameter that is not a thing; set it with `with {name} = ..` or in a \
                             column"
                        ),
                    );
                }
            }
        }
        puts
    }

    /// Reports things with two bodies, and areas with a place besides their corners.
    fn one_body(&mut self, span: Span, puts: &[Put]) {
        for (at, member) in self.cast.members.iter().enumerate() {
            let bodies =
                |put: &&Put| matches!(put, Put::Extent { at: own, .. } | Put::Corners { at: own, .. } if *own == at);
            let area = |put: &Put| matches!(put, Put::Corners { at: own, .. } if *own == at);
            let placed = |put: &Put| matches!(put, Put::At { at: own, .. } if *own == at);
            let name = &member.name;
            if puts.iter().filter(bodies).count() > 1 {
                self.say(
                    span,
                    format!("`{name}` has more than one body; give only one of `base`, `length` and `shape`"),
                );
            }
            if puts.iter().any(area) && puts.iter().any(placed) {
                self.say(
                    span,
                    format!("`{name}` has a `shape` and an `at`; corners are points of the table, so leave out `at`"),
                );
            }
        }
    }

    /// Reports names that are given twice.
    fn once(&mut self, given: impl Iterator<Item = (String, Span)>) {
        let mut known: OrdMap<String, Span> = OrdMap::new();
        for (name, span) in given {
            match known.get(&name) {
                Some(_) => self.say(span, format!("`{name}` is given twice; keep only one")),
                None => drop(known.insert(name, span)),
            }
        }
    }

    fn given(&mut self, target: &tree::Expr, value: &tree::Expr) -> Option<Put> {
        let Some(Place { root, field, keys }) = cast::place(target) else {
            let rendered = grognard_rules::short_text(target);
            return self.wrong(
                target.span,
                format!(
                    "`{rendered}` belongs to another thing; set the value on a thing with a name, as in `u.side = red, \
                     red.pips = 3`; set a parameter or a reading by its name only"
                ),
            );
        };
        let Some(field) = field else { return self.bare(target.span, root, value) };
        let Some(at) = self.cast.find(root) else {
            return self
                .wrong(target.span, format!("the kind of `{root}` is not known; name it as `for {root}: Kind`"));
        };
        let kind = self.cast.members[at].kind;
        match self.builder.rs().names.fields.get(&(kind, field.text.clone())).copied() {
            Some(id) => self.figure(target.span, at, id, keys, value),
            None if field.text == "at" => Some(Put::At { at, value: self.value(value, &Type::Place.optional()) }),
            None if field.text == "facing" => Some(Put::Facing { at, value: self.value(value, &Type::Angle) }),
            None if field.text == "alive" => Some(Put::Alive { at, value: self.value(value, &Type::Flag) }),
            None if BODY.contains(&field.text.as_str()) && self.builder.rs().kinds[kind.at()].on_board => {
                Some(match field.text.as_str() {
                    "shape" => Put::Corners { at, value: self.value(value, &Type::List(Box::new(Type::Place))) },
                    word => {
                        let shape: fn(i64) -> Shape = match word {
                            "base" => |radius| Shape::Disc { radius },
                            _ => |length| Shape::Segment { length },
                        };
                        Put::Extent { at, value: self.value(value, &Type::Length), shape }
                    }
                })
            }
            None => {
                let rs = self.builder.rs();
                let kind_of = &rs.kinds[kind.at()];
                let own = kind_of.fields.iter().map(|f| rs.fields[f.at()].name.as_str());
                let placed = ["at", "facing"].into_iter().chain(BODY).filter(|_| kind_of.on_board);
                let fields = own.chain(["alive"]).chain(placed);
                let near = did_you_mean(&field.text, fields);
                let message = format!("{} has no `{}`{near}", rs.kinds[kind.at()].name, field.text);
                self.wrong(field.span, message)
            }
        }
    }

    fn figure(&mut self, span: Span, at: usize, id: FieldId, keys: &[tree::Arg], value: &tree::Expr) -> Option<Put> {
        let info = self.builder.rs().fields[id.at()].clone();
        if let FieldSort::Let(_) = info.sort {
            return self.wrong(span, format!("`{}` is derived; set the values that it is computed from", info.name));
        }
        if keys.len() != info.keys.len() {
            return self
                .wrong(span, format!("`{}` has {} keys, but {} are given", info.name, info.keys.len(), keys.len()));
        }
        // a number of members, which were already generated
        let group = self.builder.rs().kinds[info.kind.at()].group;
        if group.is_some_and(|(f, _)| f == id) && matches!(value.kind, ExprKind::Number(_)) {
            return None;
        }
        let keys = keys.iter().zip(&info.keys).map(|(k, (ty, _))| self.value(&k.value, ty)).collect();
        // the declared bound of a state is applied by clamping, as on the table
        let ty = match &info.ty {
            Type::Int(_) => Type::INT,
            other => other.clone(),
        };
        Some(Put::Field { at, field: id, keys, value: self.value(value, &ty) })
    }

    fn bare(&mut self, span: Span, name: &str, value: &tree::Expr) -> Option<Put> {
        if let Some((name, ty)) = self.cast.values.iter().find(|(n, _)| n == name).cloned() {
            let function = self.check(|c| c.snippet_expr(bare(), value, Some(&ty)));
            return Some(Put::Value { name, ty, value: self.keep(function) });
        }
        self.setting(span, name, value)
    }

    fn setting(&mut self, span: Span, name: &str, value: &tree::Expr) -> Option<Put> {
        match self.builder.rs().names.values.get(name).copied() {
            Some(ValueName::Setting(id)) => {
                let ty = self.builder.rs().settings[id.at()].ty.clone();
                Some(Put::Setting { id, value: self.value(value, &ty) })
            }
            Some(ValueName::Global(id)) => {
                let ty = self.builder.rs().globals[id.at()].ty.clone();
                Some(Put::Global { id, value: self.value(value, &ty) })
            }
            _ => {
                let rs = self.builder.rs();
                let near = did_you_mean(name, rs.settings.iter().map(|s| s.name.as_str()));
                self.wrong(span, format!("`{name}` is not a param, reading or parameter of the call{near}"))
            }
        }
    }

    fn has(&mut self, target: &tree::Expr, name: &tree::Name, args: &[tree::Arg]) -> Option<Put> {
        let Some(&what) = self.builder.rs().names.traits.get(&name.text) else {
            let near = did_you_mean(&name.text, self.builder.rs().names.traits.keys().map(String::as_str));
            return self.wrong(name.span, format!("there is no trait or status `{}`{near}", name.text));
        };
        let at = match &target.kind {
            ExprKind::Name(root) => self.cast.find(root),
            _ => None,
        };
        let info = self.builder.rs().traits[what.at()].clone();
        let Some(at) = at.filter(|at| self.cast.members[*at].kind == info.on) else {
            return self
                .wrong(target.span, format!("{} is for a {}", name.text, self.builder.rs().kinds[info.on.at()].name));
        };
        if info.sort == TraitSort::Condition {
            return self.wrong(
                name.span,
                format!("{} is a condition that holds by itself, so set the values that make it true", name.text),
            );
        }
        let fields = self.builder.rs().records[info.data.at()].fields.clone();
        let mut data = Vec::new();
        for (n, (field, ty)) in fields.iter().enumerate() {
            let arg = args.iter().find(|a| a.name.as_ref().is_some_and(|name| name.text == *field));
            match arg.or_else(|| args.get(n).filter(|a| a.name.is_none())) {
                Some(arg) => data.push(self.value_of(&arg.value, ty, field)),
                None => self.say(name.span, format!("{} requires `{field}`", name.text)),
            }
        }
        (data.len() == fields.len()).then_some(Put::Has { at, what, data })
    }

    pub(super) fn args(&mut self, example: &tree::Example) -> Vec<PieceId> {
        let Some(call) = &example.call else { return Vec::new() };
        let Some(params) = cast::signature(self.builder.rs(), &call.name.text) else { return Vec::new() };
        if params.len() != call.args.len() {
            let rs = self.builder.rs();
            let heads: Vec<String> = params.iter().map(|(n, ty)| format!("{n}: {}", rs.type_name(ty))).collect();
            let message =
                format!("`{}` takes ({}), but is given {}", call.name.text, heads.join(", "), call.args.len());
            self.say(call.span, message);
            return Vec::new();
        }
        let mut funcs = Vec::new();
        for (n, (name, ty)) in params.iter().enumerate() {
            let named = call.args.iter().find(|a| a.name.as_ref().is_some_and(|x| x.text == *name));
            match named.or_else(|| call.args.get(n).filter(|a| a.name.is_none())) {
                Some(arg) => funcs.push(self.value_of(&arg.value, ty, name)),
                None => self.say(call.span, format!("`{}` requires `{name}`", call.name.text)),
            }
        }
        funcs
    }

    /// Binds the decisions of an example.
    pub(super) fn choosing(&mut self, example: &tree::Example) {
        for pick in &example.choosing {
            let name = pick.choice.text.clone();
            let sites = self.builder.asked_as(&name);
            if sites.is_empty() {
                let message = self.builder.nobody_asks(&name);
                self.say(pick.choice.span, message);
                continue;
            }
            let Some(answer) = self.builder.answers(&sites, &pick.answer, pick.span) else { continue };
            let slice = |span| self.builder.sources.slice(span).to_string();
            let text = match &pick.answer {
                tree::Answer::Stop(span) => slice(*span),
                tree::Answer::Value(e) => slice(e.span),
                tree::Answer::Extreme { most: true, by } => format!("most {}", slice(by.span)),
                tree::Answer::Extreme { most: false, by } => format!("least {}", slice(by.span)),
            };
            let decision = Decision { name, of: -1, nth: None, answers: vec![answer], text, span: pick.span };
            self.draft.plan.decides.push(decision);
        }
    }

    /// Binds the dice of an example. Dice without a name apply to the first roll that has no dice of its own.
    pub(super) fn rolling(&mut self, example: &tree::Example) {
        for throw in &example.rolling {
            let name = throw.roll.as_ref().map_or(String::new(), |name| name.text.clone());
            let rules = self.builder.rs();
            let rolls = rules.sites.iter().enumerate().filter(|(_, site)| site.sort.is_chance());
            let fits = |site: &Site| name.is_empty() || site.name == name || rules.qualified(site) == name;
            let sites = rolls.filter(|(_, site)| fits(site)).map(|(n, _)| SiteId::from(n));
            let (sites, mut words): (Vec<SiteId>, _) = (sites.collect(), Vec::new());
            if sites.is_empty() {
                self.no_roll(&name, throw.span);
                continue;
            }
            spell(&throw.faces, &mut words);
            let give = Given::Names(words);
            self.draft.plan.dice.push(GivenDice { sites, name, of: -1, nth: None, give, span: throw.span });
        }
    }

    /// Reports a name that no roll or draw has.
    fn no_roll(&mut self, name: &str, span: Span) {
        let rules = self.builder.rs();
        let named = rules.sites.iter().filter(|site| site.sort.is_chance() && !site.name.is_empty());
        let names: Vec<String> = named.flat_map(|site| [site.name.clone(), rules.qualified(site)]).collect();
        let (message, help) = match names.get(1) {
            Some(first) if !name.is_empty() => {
                let near = did_you_mean(name, names.iter().map(String::as_str));
                let help = format!("write the name of a roll or a draw, as in `rolling {first} = ..`");
                (format!("these rules have no roll `{name}`{near}"), help)
            }
            _ => ("these rules have no rolls".to_string(), "remove `rolling`".to_string()),
        };
        self.builder.say_help(Code::ExampleForm, span, message, help);
    }

    // ---------------------------------------------------------------- claims

    pub(super) fn claims(&mut self, case: &Case<'_>) {
        for stated in &case.claims {
            let what = self.claim(stated);
            let text = self.builder.sources.slice(stated.claimed.span).to_string();
            self.draft.plan.expects.push(Expect { text, span: stated.span, what, measures: Vec::new() });
        }
    }

    fn claim(&mut self, stated: &Stated<'_>) -> Expected {
        let scope = self.end();
        match (&stated.claimed.kind, stated.value) {
            (ClaimKind::Value(left), Some(right)) => {
                let function = self.check(|c| c.snippet_expr(scope.clone(), left, None));
                let ty = match function.result.clone() {
                    Type::Int(_) => Type::INT,
                    other => other,
                };
                let left = self.keep(function);
                let wanted = (ty != Type::Unknown).then_some(&ty);
                let function = self.check(|c| c.snippet_expr(scope, right, wanted));
                Expected::Same(left, self.keep(function), ty)
            }
            (ClaimKind::Value(holds), None) => Expected::That(self.condition(scope, holds)),
            (ClaimKind::Chance(of), value) => {
                let function = self.check(|c| c.snippet_condition(scope, of));
                self.odds(function, ClaimedValue::Chance(Within::from(Fraction::zero())), stated, value)
            }
            (ClaimKind::Mean(of), value) => {
                let function = self.check(|c| c.snippet_expr(scope, of, None));
                if !matches!(function.result, Type::Int(_) | Type::Length | Type::Ratio | Type::Unknown) {
                    let ty = self.builder.rs().type_name(&function.result);
                    self.say(of.span, format!("a mean needs numbers; this is {ty}"));
                }
                self.odds(function, ClaimedValue::Mean(Within::from(Fraction::zero())), stated, value)
            }
            (ClaimKind::Offered { not, action, args }, value) => {
                let value = value.map(|value| self.condition(self.scope(), value));
                let wanted = self.wanted(action, args);
                Expected::Offered(Offer { not: *not, action: action.text.clone(), wanted, value })
            }
        }
    }

    fn question(&mut self, of: Function, given: Option<&tree::Expr>) -> Question {
        let counted = Counts::of(&of.body, false);
        let given = given.map(|given| self.condition(self.end(), given));
        Question { ty: of.result.clone(), piece: self.keep(of), given, counted }
    }

    /// Binds a claim about a probability or a mean. The claimed number is evaluated after the setup.
    fn odds(&mut self, of: Function, what: ClaimedValue, stated: &Stated<'_>, value: Option<&tree::Expr>) -> Expected {
        let asked = self.question(of, stated.claimed.given.as_ref());
        let wanted = match value.map(|value| (&asked.ty, &value.kind)) {
            Some((Type::Length, _)) => Some(&Type::Length),
            Some((_, ExprKind::Number(_))) => None,
            _ => Some(&Type::Ratio),
        };
        match value {
            Some(value) => {
                let claimed = self.check(|c| c.snippet_expr(bare(), value, wanted));
                if !matches!(claimed.result, Type::Int(_) | Type::Length | Type::Ratio | Type::Unknown) {
                    self.say(stated.span, "a chance or a mean must be a fraction, such as 5/9".to_string());
                }
                let piece = self.keep(claimed);
                self.draft.numbers.push((self.draft.plan.expects.len(), piece));
            }
            None => self.say(stated.span, "write the value: `chance passed = 5/9`".to_string()),
        }
        Expected::Odds(Claim { what, asked, instead: Vec::new() })
    }

    /// Adds a question to the report.
    pub(super) fn asked(&mut self, of: &tree::Expr, given: Option<&tree::Expr>) {
        let scope = self.end();
        let function = self.check(|c| c.snippet_expr(scope, of, None));
        let sort = if function.result == Type::Flag { FigureSort::Chance } else { FigureSort::Hist };
        let asked = self.question(function, given);
        let figure =
            Figure { text: String::new(), expr: String::new(), span: of.span, sort, asked, bounds: None, good: None };
        self.draft.plan.report.push(figure);
    }

    fn wanted(&mut self, action: &tree::Name, args: &[tree::Arg]) -> Vec<(String, Type, PieceId)> {
        let actions = &self.builder.rs().names.actions;
        if !actions.contains_key(&action.text) {
            let near = did_you_mean(&action.text, actions.keys().map(String::as_str));
            self.say(action.span, format!("there is no action `{}`{near}", action.text));
        }
        let choices = cast::choices(self.builder.rs(), &action.text);
        let mut wanted = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            let found = match &arg.name {
                Some(name) => choices.iter().find(|(c, _)| *c == name.text),
                None => choices.get(n),
            };
            match found {
                Some((name, ty)) => wanted.push((name.clone(), ty.clone(), self.value(&arg.value, ty))),
                None => self.say(arg.value.span, format!("`{}` has no such choice", action.text)),
            }
        }
        wanted
    }
}

/// Collects the words of a face or of a list of faces.
fn spell(e: &tree::Expr, words: &mut Vec<String>) {
    match &e.kind {
        ExprKind::List(entries) | ExprKind::Tuple(entries) => entries.iter().for_each(|e| spell(e, words)),
        ExprKind::Paren(inner) => spell(inner, words),
        ExprKind::Number(n) if n.thousandths % 1000 == 0 => words.push((n.thousandths / 1000).to_string()),
        ExprKind::Neg(inner) => {
            let mut of = Vec::new();
            spell(inner, &mut of);
            words.extend(of.into_iter().map(|w| format!("-{w}")));
        }
        ExprKind::Name(name) | ExprKind::Upper(name) => words.push(name.clone()),
        ExprKind::Field(_, case) => words.push(case.text.clone()),
        ExprKind::Yes => words.push("yes".into()),
        ExprKind::No => words.push("no".into()),
        _ => words.push("?".into()),
    }
}
