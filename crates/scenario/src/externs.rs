//! Binds `[extern]`: the stand-ins of a scenario for missing chapters.

use super::build::Builder;
use super::document::{Entry, Node, Value, get};
use super::snippets::PieceId;
use super::values::fraction;
use grognard_base::value::*;
use grognard_base::{Code, Source, did_you_mean};
use grognard_rules::code::{Body, Function, Local};
use grognard_rules::index::Means;
use grognard_rules::ruleset::ValueName;
use grognard_syntax as syntax;
use grognard_vm::StandIn;

/// Maximum weight of an answer, and maximum common denominator.
const MOST_WEIGHT: i64 = 10_000;

impl Builder<'_> {
    /// Binds all stand-ins. Returns the bodies as pieces.
    pub(super) fn externs(&mut self, node: &Node) -> Vec<(FuncId, PieceId)> {
        let mut bodies = Vec::new();
        for entry in self.entries(node, "`extern`") {
            let rules = self.rs();
            let found = rules.functions.iter().position(|f| f.external && f.name == entry.key).map(FuncId::from);
            let Some(func) = found else {
                if !self.others.iter().any(|o| o.functions.iter().any(|f| f.external && f.name == entry.key)) {
                    let names = rules.functions.iter().filter(|f| f.external).map(|f| f.name.as_str());
                    let near = did_you_mean(&entry.key, names);
                    self.unknown_key(entry.span, format!("the rules have no missing chapter `{}`{near}", entry.key));
                }
                continue;
            };
            let item = rules.functions[func.at()].item;
            self.note_key(entry, Means::Item(item));
            if let Some(piece) = self.stand_in(func, entry) {
                bodies.push((func, piece));
            }
        }
        bodies
    }

    fn stand_in(&mut self, func: FuncId, entry: &Entry) -> Option<PieceId> {
        let function = self.rs().functions[func.at()].clone();
        let name = format!("`{}`", entry.key);
        if let Some(table) = entry.node.table() {
            if let Some(odds) = get(table, "odds") {
                self.only(table, &["odds"], &name);
                self.odds(func, &function, &odds.node, &name);
                return None;
            }
            if let Some(by) = get(table, "by") {
                self.only(table, &["by"], &name);
                self.by(func, &function, &by.node, &name);
                return None;
            }
            if let Some(body) = get(table, "do") {
                self.only(table, &["do"], &name);
                return self.body(&function, &body.node, &name);
            }
        }
        if function.result == Type::Nothing {
            return self.wrong_help(
                Code::BadValue,
                entry.node.span,
                format!("{name} does not return a value"),
                "write a body for it: `{ do = [\"..\"] }`",
            );
        }
        let stand_in = match &entry.node.value {
            Value::List(list) if !matches!(function.result, Type::List(_) | Type::Place | Type::Tuple(_)) => {
                let answers: Vec<Vec<i64>> = list.iter().filter_map(|n| self.answer(&function, n, &name)).collect();
                (answers.len() == list.len()).then_some(StandIn::Script(answers))
            }
            _ => self.answer(&function, &entry.node, &name).map(StandIn::Value),
        };
        self.setup.stand_ins.extend(stand_in.map(|s| (func, s)));
        None
    }

    fn answer(&mut self, function: &Function, node: &Node, name: &str) -> Option<Vec<i64>> {
        if matches!(function.result.present(), Type::List(_)) {
            return self.wrong(node.span, format!("{name} returns a list, which only a body can replace"));
        }
        self.value(&function.result, node, name)
    }

    /// Binds answers with their probabilities.
    fn odds(&mut self, func: FuncId, function: &Function, node: &Node, name: &str) {
        let plain = self.rs().names.values.values().any(|v| *v == ValueName::Let(func));
        if plain || function.result == Type::Nothing {
            return self.bad(node.span, format!("{name} cannot have odds: only tests can"));
        }
        let mut rows: Vec<(Ratio, Vec<i64>)> = Vec::new();
        let list = self.list(node, "`odds`");
        for row in list {
            let Value::List(pair) = &row.value else {
                self.bad(row.span, "a row of `odds` must be a pair: [\"1/2\", value]".to_string());
                continue;
            };
            let [chance, value] = pair.as_slice() else {
                self.bad(row.span, "a row of `odds` must be a pair: [\"1/2\", value]".to_string());
                continue;
            };
            let ratio = chance.text().and_then(fraction).filter(|r| r.num() > 0);
            match (ratio, self.answer(function, value, name)) {
                (Some(ratio), Some(cells)) => rows.push((ratio, cells)),
                (None, _) => {
                    self.bad(chance.span, "a chance must be a fraction in a text, such as \"1/2\"".to_string())
                }
                _ => {}
            }
        }
        // with an invalid row, the sum is not checked
        if rows.len() < list.len() || !matches!(node.value, Value::List(_)) {
            return;
        }
        let sum = rows.iter().try_fold(Ratio::ZERO, |sum, (r, _)| sum.checked_add(*r));
        if rows.is_empty() {
            return self.bad(node.span, "`odds` requires at least one row".to_string());
        }
        if sum != Some(Ratio::ONE) {
            let sum = sum.map_or("too much".to_string(), |s| s.to_string());
            return self.bad(node.span, format!("these chances add up to {sum}, not to 1"));
        }
        let common = rows.iter().try_fold(1i64, |d, (r, _)| lcm(d, r.den()));
        let Some(common) = common.filter(|c| *c <= MOST_WEIGHT) else {
            return self
                .bad(node.span, format!("the common denominator of these chances is greater than {MOST_WEIGHT}"));
        };
        let rows = rows.into_iter().map(|(r, cells)| ((r.num() * (common / r.den())) as u64, cells)).collect();
        self.setup.stand_ins.push((func, StandIn::Odds(rows)));
    }

    /// Binds answers that depend on the first argument.
    fn by(&mut self, func: FuncId, function: &Function, node: &Node, name: &str) {
        let Some(first) = function.locals.first().filter(|_| function.params > 0).map(|l| l.ty.clone()) else {
            return self.bad(node.span, format!("{name} has no parameter to distinguish its answers by"));
        };
        if !matches!(first, Type::Kind(_) | Type::Enum(_) | Type::Chain(_)) {
            let message = format!(
                "{name} cannot be distinguished by its first parameter, which is not a thing or a \
                                   case"
            );
            return self.bad(node.span, message);
        }
        let mut rows = Vec::new();
        for entry in self.entries(node, "`by`") {
            let key = match &first {
                Type::Kind(kind) => self.thing_of(*kind, &entry.key, entry.span),
                ty => {
                    let names = self.case_names(ty);
                    let found = names.iter().position(|n| *n == entry.key).map(|n| n as i64);
                    if found.is_none() {
                        let near = did_you_mean(&entry.key, names.iter().map(String::as_str));
                        self.unknown_key(
                            entry.span,
                            format!("`{}` is not a value of its first parameter{near}", entry.key),
                        );
                    }
                    found
                }
            };
            if let (Some(key), Some(cells)) = (key, self.answer(function, &entry.node, name)) {
                rows.push((key, cells));
            }
        }
        self.setup.stand_ins.push((func, StandIn::By(rows)));
    }

    /// Binds statements that replace the body of a proc.
    fn body(&mut self, function: &Function, node: &Node, name: &str) -> Option<PieceId> {
        if function.result != Type::Nothing {
            return self
                .wrong(node.span, format!("{name} returns a value; only an `extern proc` can have a body here"));
        }
        let params: Vec<(String, Type, _)> =
            function.locals.iter().take(function.params).map(|l| (l.name.clone(), l.ty.clone(), l.span)).collect();
        let list = self.list(node, "`do`");
        let mut text = String::from("if yes {");
        for statement in list {
            let source = self.fragment(statement, "a statement")?;
            self.text(statement, "a statement")?;
            self.parsed(syntax::parse_stmt(statement.span.file, &source))?;
            text.push('\n');
            text += &source.text;
        }
        text += "\n}";
        match list {
            [] => {
                let locals: Vec<Local> = function.locals.iter().take(function.params).cloned().collect();
                let empty = Function { locals, body: Body::Block(Vec::new()), external: false, ..function.clone() };
                Some(self.keep(empty))
            }
            [one] => {
                let source = self.fragment(one, "a statement")?;
                self.statement_of(&source, one.span, params)
            }
            _ => {
                let source = Source::new("", text).starting_at(node.span.start as usize);
                self.statement_of(&source, node.span, params)
            }
        }
    }
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).checked_mul(b)
}
