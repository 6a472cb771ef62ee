//! Binds the answers of a scenario: `[[decide]]`, `[dice]`, `[players]`.

use super::build::Builder;
use super::document::{Entry, Node, Value, get};
use super::snippets::PieceId;
use super::values::shortened;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Source, Span, did_you_mean};
use grognard_rules::code::{Body, Expr, ExprKind, Function};
use grognard_rules::index::Means;
use grognard_rules::ruleset::{Ruleset, SiteSort, TypeName};
use grognard_syntax::{self as syntax, tree};

/// A scripted value: constant, or evaluated when the decision is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PickValue {
    Cells(Vec<i64>),
    Piece(PieceId, Type),
}

/// A scripted answer for one site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A value: a candidate, a list of candidates, a flag, the index of an option, or a point.
    Value(PickValue),
    /// The candidate with the maximum or minimum of an expression.
    Extreme {
        #[allow(missing_docs)]
        most: bool,
        #[allow(missing_docs)]
        by: PieceId,
    },
    /// An instance of an action, with the given choices of its header.
    Action(ActionId, Vec<(LocalId, PickValue)>),
    /// The answer `stop`.
    Stop,
}

/// One `[[decide]]` entry.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The name of the decision.
    pub name: String,
    /// The packed thing whose decision it is, or -1 for any.
    pub of: i64,
    /// The occurrence of the decision for that subject, from 1, or `None` for any.
    pub nth: Option<u32>,
    /// Alternative answers, by the sites with that name. The first alternative that is on the menu applies.
    pub answers: Vec<Vec<(SiteId, Pick)>>,
    /// The source text.
    pub text: String,
    /// The span.
    pub span: Span,
}

/// One entry of `rolls`.
#[derive(Clone, Debug)]
pub struct GivenDice {
    /// The sites of the roll.
    pub sites: Vec<SiteId>,
    /// The address of the roll: `Test.name`.
    pub name: String,
    /// The packed thing whose roll it is, or -1 for any.
    pub of: i64,
    /// The occurrence of the roll for that subject, from 1, or `None` for any.
    pub nth: Option<u32>,
    /// The faces, or the names of faces or of drawn entries.
    pub give: Given,
    /// The span.
    pub span: Span,
}

/// The given result of dice or draws.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Given {
    Faces(Vec<i64>),
    Names(Vec<String>),
}

/// A source of answers for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Answerer {
    Script,
    Policy(PolicyId),
    Prefer,
    Random,
    First,
    Prompt,
    Best,
    Worst,
}

const ANSWERERS: &[(&str, Answerer)] = &[
    ("script", Answerer::Script),
    ("prefer", Answerer::Prefer),
    ("random", Answerer::Random),
    ("first", Answerer::First),
    ("prompt", Answerer::Prompt),
    ("best", Answerer::Best),
    ("worst", Answerer::Worst),
];

impl Answerer {
    /// Parses a source as in `[players]`. Returns `None` if there is no such source.
    pub fn of(text: &str, rules: &Ruleset) -> Option<Answerer> {
        match text.strip_prefix("policy:") {
            Some(name) => rules.names.policies.get(name).map(|id| Answerer::Policy(*id)),
            None => ANSWERERS.iter().find(|(word, _)| *word == text).map(|(_, source)| *source),
        }
    }

    /// Returns whether the rules determine the answers of the source: there is no script, chance, person or search.
    pub fn is_plain(self) -> bool {
        matches!(self, Answerer::Policy(_) | Answerer::Prefer | Answerer::First)
    }

    /// Returns the source as it is written in `[players]`.
    pub fn word(&self, rules: &Ruleset) -> String {
        match self {
            Answerer::Policy(id) => format!("policy:{}", rules.policies[id.at()].name),
            other => ANSWERERS.iter().find(|(_, who)| who == other).map_or(String::new(), |(word, _)| word.to_string()),
        }
    }
}

impl Builder<'_> {
    /// Binds a list of `[[decide]]` entries. Returns the decisions that are used once, and those that always apply.
    pub(super) fn decisions(&mut self, node: &Node) -> (Vec<Decision>, Vec<Decision>) {
        let (mut once, mut always) = (Vec::new(), Vec::new());
        for entry in self.tables(node, "decide", "a decision", "pick") {
            let keys = self.entries(entry, "a decision");
            self.only(keys, &["choice", "of", "nth", "pick", "always"], "a decision");
            if let Some(standing) = get(keys, "always") {
                if keys.len() > 1 {
                    self.bad(entry.span, "`always` cannot be combined with other keys".to_string());
                }
                always.extend(self.standing(&standing.node, "`always`"));
                continue;
            }
            let (Some(choice), Some(pick)) = (get(keys, "choice"), get(keys, "pick")) else {
                if entry.table().is_some() {
                    self.bad(entry.span, "a decision requires a `choice` and a `pick`".to_string());
                }
                continue;
            };
            let Some(name) = self.text(&choice.node, "`choice`") else { continue };
            let (of, nth) = self.subject(keys);
            once.extend(self.decision(name, choice.node.span, of, nth, &pick.node));
        }
        (once, always)
    }

    /// Binds a table of answers that always apply.
    pub(super) fn standing(&mut self, node: &Node, what: &str) -> Vec<Decision> {
        let mut found = Vec::new();
        for entry in self.entries(node, what) {
            found.extend(self.decision(&entry.key, entry.span, -1, None, &entry.node));
        }
        found
    }

    /// Binds the keys `of` and `nth`.
    fn subject(&mut self, keys: &[Entry]) -> (i64, Option<u32>) {
        let mut of = -1;
        if let Some(entry) = get(keys, "of")
            && let Some(name) = self.text(&entry.node, "`of`")
            && let Some((kind, thing)) = self.comes(name).or_else(|| self.thing(name, entry.node.span))
        {
            of = pack_thing(kind, thing);
        }
        let nth = get(keys, "nth").and_then(|e| self.count(&e.node, "`nth`", 1, 1_000_000)).map(|n| n as u32);
        (of, nth)
    }

    /// Returns a thing that enters play during the run, which is named by its kind and number as in traces: `Unit#5`.
    fn comes(&self, name: &str) -> Option<(KindId, i64)> {
        let (kind, number) = name.split_once('#')?;
        let Some(TypeName::Kind(kind)) = self.rs().names.types.get(kind).copied() else { return None };
        let there = self.table.all.iter().filter(|thing| thing.kind == kind).count();
        let thing = number.parse::<usize>().ok().filter(|_| !number.starts_with(['0', '+']))?.checked_sub(1)?;
        (there..there + self.setup.reserve_of(kind)).contains(&thing).then_some((kind, thing as i64))
    }

    /// Replaces the names of things that enter play later by valid identifiers of the same length, so that spans stay
    /// correct.
    fn with_coming(&self, source: Source) -> Source {
        let mut text = String::new();
        let mut rest = source.text.as_str();
        while let Some(at) = rest.find('#') {
            let head = rest[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |n| n + 1);
            let end = rest[at + 1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| at + 1 + n);
            let named = rest.get(head..end).and_then(|name| Some((name, self.comes(name)?)));
            let Some((name, thing)) = named else {
                text += &rest[..=at];
                rest = &rest[at + 1..];
                continue;
            };
            let tail = name[1..].to_lowercase().replace('#', "_");
            let free = ('a'..='z').map(|first| format!("{first}{tail}"));
            let stand_in = free.into_iter().find(|name| {
                let known = self.table.named(name).is_some_and(|known| known != thing);
                !known && !self.rs().names.values.contains_key(name)
            });
            text += &rest[..head];
            match stand_in {
                Some(stand_in) => {
                    text += &stand_in;
                    self.table.coming.borrow_mut().insert(stand_in, thing);
                }
                None => text += name,
            }
            rest = &rest[end..];
        }
        Source::new("", text + rest).starting_at(source.offset())
    }

    fn decision(&mut self, name: &str, span: Span, of: i64, nth: Option<u32>, pick: &Node) -> Option<Decision> {
        let sites = self.asked_as(name);
        if sites.is_empty() {
            if !self.others.iter().any(|o| o.sites.iter().any(|s| s.name == name)) {
                let message = self.nobody_asks(name);
                self.problems.push(Diagnostic::new(Code::Unasked, span, message));
            }
            return None;
        }
        let alternatives: Vec<&Node> = match &pick.value {
            Value::List(list) if !list.is_empty() && list.iter().all(|n| n.text().is_some()) => list.iter().collect(),
            _ => vec![pick],
        };
        let mut answers = Vec::new();
        for node in alternatives {
            let source = self.fragment(node, "an answer")?;
            let source = self.with_coming(source);
            let answer = self.parsed(syntax::parse_pick(node.span.file, &source));
            let found = answer.and_then(|answer| self.answers(&sites, &answer, node.span));
            let coming = std::mem::take(&mut *self.table.coming.borrow_mut());
            self.setup.named.extend(coming.into_values().map(|(kind, _)| kind));
            answers.push(found?);
        }
        let text = self.sources.slice(pick.span).trim_matches('"').to_string();
        Some(Decision { name: name.to_string(), of, nth, answers, text, span: pick.span })
    }

    /// Returns the sites of decisions with this name.
    pub(super) fn asked_as(&self, name: &str) -> Vec<SiteId> {
        let sites = self.rs().sites.iter().enumerate();
        sites.filter(|(_, s)| !s.sort.is_chance() && s.name == name).map(|(n, _)| SiteId::from(n)).collect()
    }

    /// Returns the message for a name without sites.
    pub(super) fn nobody_asks(&self, name: &str) -> String {
        let names = self.rs().sites.iter().filter(|s| !s.sort.is_chance()).map(|s| s.name.as_str());
        format!("no decision is named `{name}`{}", did_you_mean(name, names))
    }

    /// Binds one answer for each of the sites. Sites that it does not fit are omitted; if it fits none, the errors of
    /// the first site are reported.
    pub(super) fn answers(
        &mut self,
        sites: &[SiteId],
        answer: &tree::Answer,
        span: Span,
    ) -> Option<Vec<(SiteId, Pick)>> {
        let before = self.problems.len();
        let mut found = Vec::new();
        let mut faults = Vec::new();
        for site in sites {
            match self.pick(*site, answer) {
                Some(pick) => found.push((*site, pick)),
                None if faults.is_empty() => faults = self.problems.split_off(before),
                None => self.problems.truncate(before),
            }
        }
        if found.is_empty() {
            if faults.is_empty() && self.table.lost.is_empty() {
                faults.push(Diagnostic::new(Code::BadValue, span, "this is not an answer to that decision"));
            }
            self.problems.extend(faults);
            return None;
        }
        self.problems.truncate(before);
        Some(found)
    }

    fn pick(&mut self, site: SiteId, answer: &tree::Answer) -> Option<Pick> {
        let sort = self.rs().sites[site.at()].sort;
        match answer {
            tree::Answer::Stop(span) if sort != SiteSort::Menu => {
                self.wrong(*span, "`stop` can answer only a menu of actions".to_string())
            }
            tree::Answer::Stop(_) => Some(Pick::Stop),
            tree::Answer::Extreme { most, by } => {
                let function = self.checked(|c| c.snippet_rank(site, by))?;
                Some(Pick::Extreme { most: *most, by: self.keep(function) })
            }
            tree::Answer::Value(value) if sort == SiteSort::Menu => {
                let pick = self.checked(|c| c.snippet_menu(value))??;
                let mut given = Vec::new();
                for (local, value) in pick.given {
                    let ty = value.ty.clone();
                    let function = Function { result: ty, body: Body::Value(value), ..pick.function.clone() };
                    given.push((local, self.pick_value(function)));
                }
                Some(Pick::Action(pick.action, given))
            }
            tree::Answer::Value(value) if self.is_list_for_one(site, value) => {
                let message = format!("`{}` takes one entry, and this is a list", self.rs().sites[site.at()].name);
                self.wrong_help(Code::WrongType, value.span, message, "write one entry, without `[` and `]`")
            }
            tree::Answer::Value(value) => {
                let function = self.checked(|c| c.snippet_pick(site, value))?;
                Some(Pick::Value(self.pick_value(function)))
            }
        }
    }

    /// Returns whether an answer is a list, and the decision takes one thing. A point is a list too.
    fn is_list_for_one(&self, site: SiteId, answer: &tree::Expr) -> bool {
        let site = &self.rs().sites[site.at()];
        let one = site.sort == SiteSort::Choose && matches!(site.ty.present(), Type::Kind(_));
        one && matches!(answer.kind, tree::ExprKind::List(_))
    }

    fn pick_value(&mut self, function: Function) -> PickValue {
        match &function.body {
            Body::Value(Expr { kind: ExprKind::Const(cell), .. }) => PickValue::Cells(vec![*cell]),
            Body::Value(Expr { kind: ExprKind::None, .. }) => PickValue::Cells(vec![NONE]),
            _ => {
                let ty = function.result.clone();
                PickValue::Piece(self.keep(function), ty)
            }
        }
    }

    // ---------------------------------------------------------------- dice

    /// Binds the given dice and draws of `[dice]`.
    pub(super) fn dice(&mut self, node: &Node) -> Vec<GivenDice> {
        let keys = self.entries(node, "`dice`");
        self.only(keys, &["rolls"], "`dice`");
        let mut found = Vec::new();
        let Some(rolls) = get(keys, "rolls") else { return found };
        for roll in self.list(&rolls.node, "`rolls`") {
            let keys = self.entries(roll, "a roll");
            self.only(keys, &["roll", "of", "nth", "give"], "a roll");
            let (Some(name), Some(give)) = (get(keys, "roll"), get(keys, "give")) else {
                if roll.table().is_some() {
                    self.bad(roll.span, "a roll requires its name in `roll` and its faces in `give`".to_string());
                }
                continue;
            };
            let Some(text) = self.text(&name.node, "`roll`") else { continue };
            let (of, nth) = self.subject(keys);
            let Some(sites) = self.roll_sites(text, name.node.span) else { continue };
            let func = self.rs().sites[sites[0].at()].func;
            let function = &self.rs().functions[func.at()];
            let (item, length) = (function.item, function.name.len());
            self.note(&name.node, 0, length, Means::Item(item));
            if let Some(give) = self.given(&give.node, &sites, text) {
                found.push(GivenDice { sites, name: text.to_string(), of, nth, give, span: roll.span });
            }
        }
        found
    }

    fn roll_sites(&mut self, name: &str, span: Span) -> Option<Vec<SiteId>> {
        let rules = self.rs();
        let named: Vec<(SiteId, String)> = rules
            .sites
            .iter()
            .enumerate()
            .filter(|(_, s)| s.sort.is_chance())
            .map(|(n, s)| (SiteId::from(n), rules.qualified(s)))
            .collect();
        let sites: Vec<SiteId> = named.iter().filter(|(_, a)| a == name).map(|(s, _)| *s).collect();
        if sites.is_empty() {
            let own = name.rsplit('.').next().unwrap_or(name);
            let mut same: Vec<String> = named
                .iter()
                .filter(|(_, a)| a.rsplit('.').next() == Some(own))
                .map(|(_, a)| format!("`{a}`"))
                .collect();
            same.dedup();
            let near = match same.as_slice() {
                [] => did_you_mean(name, named.iter().map(|(_, a)| a.as_str())),
                [one] => format!("; did you mean {one}?"),
                all => format!("; the options are {}", shortened(all)),
            };
            let message = format!("there is no roll `{name}`{near}");
            let help = match named.as_slice() {
                [] => "these rules roll no dice".to_string(),
                [(_, one), ..] => format!("write the name of a roll with the item it is in, as in `{one}`"),
            };
            self.problems.push(Diagnostic::new(Code::Unthrown, span, message).help(help));
            return None;
        }
        Some(sites)
    }

    /// Binds faces, or names of drawn entries.
    fn given(&mut self, node: &Node, sites: &[SiteId], name: &str) -> Option<Given> {
        let list = node.all();
        let draw = self.rs().sites[sites[0].at()].sort == SiteSort::Draw;
        if draw {
            let mut names = Vec::new();
            for entry in list {
                match &entry.value {
                    Value::Text(text, _) => names.push(text.clone()),
                    Value::Number(text) => names.push(text.clone()),
                    _ => {
                        return self.wrong(entry.span, format!("a draw must give a name, not {}", entry.sort()));
                    }
                }
            }
            return Some(Given::Names(names));
        }
        // rolls with the same name can use different dice
        let types = sites.iter().map(|site| self.rs().sites[site.at()].ty.clone());
        let ty = types.reduce(|a, b| match (&a, &b) {
            (Type::Int(x), Type::Int(y)) => Type::Int(x.join(*y)),
            _ => a,
        })?;
        let (mut faces, what) = (Vec::new(), format!("a face of `{name}`"));
        for entry in list {
            faces.extend(self.value(&ty, entry, &what)?);
        }
        Some(Given::Faces(faces))
    }

    // ---------------------------------------------------------------- players

    /// Binds the answer sources of the players in `[players]`.
    pub(super) fn players(&mut self, node: &Node) -> Vec<(i64, Vec<Answerer>)> {
        let mut found = Vec::new();
        for entry in self.entries(node, "`players`") {
            let Some((kind, thing)) = self.thing(&entry.key, entry.span) else { continue };
            if let Some(owner) = self.rs().kinds[kind.at()].owner {
                let rules = self.rs();
                let message =
                    format!("`{}` is not a player: its `{}` decides for it", entry.key, rules.fields[owner.at()].name);
                let help = "name the player who decides, with a source such as `prefer`".to_string();
                self.bad_help(entry.span, &message, help);
                continue;
            }
            let list = match &entry.node.value {
                Value::List(list) => list.as_slice(),
                _ => std::slice::from_ref(&entry.node),
            };
            let mut sources = Vec::new();
            for node in list {
                if let Some(text) = self.text(node, "a player's source of answers") {
                    let found = self.answerer(text, node.span);
                    if let (Some(Answerer::Policy(id)), Some(at)) = (&found, text.find(':')) {
                        let item = self.rs().policies[id.at()].item;
                        self.note(node, at + 1, text.len() - at - 1, Means::Item(item));
                    }
                    sources.extend(found);
                }
            }
            found.push((pack_thing(kind, thing), sources));
        }
        found
    }

    fn answerer(&mut self, text: &str, span: Span) -> Option<Answerer> {
        if let Some(name) = text.strip_prefix("policy:") {
            let rules = self.rs();
            if let Some(id) = rules.names.policies.get(name) {
                return Some(Answerer::Policy(*id));
            }
            if !self.others.iter().any(|o| o.names.policies.contains_key(name)) {
                let near = did_you_mean(name, rules.names.policies.keys().map(String::as_str));
                let help = match rules.names.policies.keys().next() {
                    Some(first) => format!("write the name of a policy of the rules, as in `policy:{first}`"),
                    None => "these rules have no policies; write another source, such as `prefer`".to_string(),
                };
                self.bad_help(span, &format!("there is no policy `{name}`{near}"), help);
            }
            return Some(Answerer::Prefer);
        }
        let found = ANSWERERS.iter().find(|(n, _)| *n == text).map(|(_, a)| *a);
        if found.is_none() {
            let mut names: Vec<String> = ANSWERERS.iter().map(|(n, _)| (*n).to_string()).collect();
            names.push("policy:Name".into());
            let near = did_you_mean(text, names.iter().map(String::as_str));
            let message = format!("`{text}` is not a source of answers{near}");
            let help = match text {
                "min" | "minimize" | "minimise" => "`worst` makes the objective as small as possible".to_string(),
                "max" | "maximize" | "maximise" | "optimal" => {
                    "`best` makes the objective as large as possible".to_string()
                }
                _ => format!("one of {}", shortened(&names)),
            };
            self.say_help(Code::BadValue, span, message, help);
        }
        found
    }
}
