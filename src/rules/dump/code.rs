//! Values and patterns as text: operators by name, everything in brackets.

use super::Dump;
use crate::rules::code::*;
use crate::value::*;

impl Dump<'_> {
    /// A body, a line for each statement.
    pub fn body(&mut self, body: &Body) {
        match body {
            Body::Value(e) => {
                let text = self.expr(e);
                self.line(text);
            }
            Body::Block(stmts) => self.stmts(stmts),
            Body::Open => self.line("open"),
        }
    }

    /// A variable with its number, since names may repeat.
    pub fn local(&self, id: LocalId) -> String {
        let function = self.func.and_then(|f| self.rs.functions.get(f.at()));
        let name = function.and_then(|f| f.locals.get(id.at())).map_or("", |l| l.name.as_str());
        format!("{name}#{}", id.0)
    }

    /// Several values.
    pub fn list(&self, parts: &[Expr]) -> String {
        parts.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    /// A value.
    pub fn expr(&self, e: &Expr) -> String {
        use ExprKind as K;
        let rs = self.rs;
        match &e.kind {
            K::Const(n) => self.constant(*n, &e.ty),
            K::ConstRatio(a, b) => format!("{a}/{b}"),
            K::None => "none".into(),
            K::Local(id) => self.local(*id),
            K::Setting(id) => rs.settings[id.at()].name.clone(),
            K::Global(id) => rs.globals[id.at()].name.clone(),
            K::Tally(id) => rs.tallies[id.at()].name.clone(),
            K::Ambient(id) => format!("{}@{}", rs.ambients[id.at()].name, id.0),
            K::ActionName => "action name".into(),
            K::Actor => "actor".into(),
            K::Field { thing, field, keys } => {
                let keys = if keys.is_empty() { String::new() } else { format!("({})", self.list(keys)) };
                format!("{}.{}{keys}", self.expr(thing), rs.fields[field.at()].name)
            }
            K::Alive(x) => format!("{}.alive", self.expr(x)),
            K::At(x) => format!("{}.at", self.expr(x)),
            K::Facing(x) => format!("{}.facing", self.expr(x)),
            K::Part { of, index } => format!("{}.{index}", self.expr(of)),
            K::Crossed { leg, kind } => format!("{}.crossed({})", self.expr(leg), rs.kinds[kind.at()].name),
            K::Call { func, args } => format!("{}({})", rs.functions[func.at()].name, self.list(args)),
            K::Op(op, args) => format!("{op:?}({})", self.list(args)),
            K::Running(phase) => format!("running({})", rs.phases[phase.at()].name),
            K::Tree { op, link, args } => format!("{op:?}[{}]({})", rs.fields[link.at()].name, self.list(args)),
            K::And(parts) => format!("and({})", self.list(parts)),
            K::Or(parts) => format!("or({})", self.list(parts)),
            K::Otherwise(a, b) => format!("({} otherwise {})", self.expr(a), self.expr(b)),
            K::Is { value, pattern } => format!("({} is {})", self.expr(value), self.pattern(pattern)),
            K::Has { thing, what } => format!("({} has {})", self.expr(thing), rs.traits[what.at()].name),
            K::Instances { thing, status } => format!("{}.{}", self.expr(thing), rs.traits[status.at()].name),
            K::List(parts) => format!("[{}]", self.list(parts)),
            K::Make(parts) => format!("make({})", self.list(parts)),
            K::Was(x) => format!("(was {})", self.expr(x)),
            _ => self.long_expr(e),
        }
    }

    /// Values with several parts.
    fn long_expr(&self, e: &Expr) -> String {
        use ExprKind as K;
        match &e.kind {
            K::If { arms, otherwise } => {
                let arms: String =
                    arms.iter().map(|(c, v)| format!("if {} then {} else ", self.expr(c), self.expr(v))).collect();
                format!("({arms}{})", self.expr(otherwise))
            }
            K::Match { subject, rows } => {
                let row = |r: &ValueRow| {
                    format!("{}{} => {}", self.patterns(&r.patterns), self.when(&r.when), self.expr(&r.value))
                };
                let rows: Vec<String> = rows.iter().map(row).collect();
                format!("match {} {{ {} }}", self.expr(subject), rows.join("; "))
            }
            K::Table { keys, rows, columns, cells } => {
                let heads = |all: &[Vec<Pat>]| all.iter().map(|p| self.patterns(p)).collect::<Vec<_>>().join(" / ");
                let cells: Vec<String> = cells.iter().map(|row| self.list(row)).collect();
                format!(
                    "table ({}) rows {} columns {} cells {}",
                    self.list(keys),
                    heads(rows),
                    heads(columns),
                    cells.join(" / ")
                )
            }
            K::Then { value, local, body } => {
                format!("({} then {} in {})", self.expr(value), self.local(*local), self.expr(body))
            }
            K::Map { over, local, filter, body, drop, flatten } => {
                let marks = [(*drop, " drop"), (*flatten, " flatten")];
                let marks: String = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
                let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", self.expr(f)));
                format!("[{} for {} in {}{filter}{marks}]", self.expr(body), self.local(*local), self.collection(over))
            }
            K::Query { what, over, filter, body } => {
                let over: Vec<String> =
                    over.iter().map(|(l, c)| format!("{} in {}", self.local(*l), self.collection(c))).collect();
                let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", self.expr(f)));
                let body = body.as_ref().map_or(String::new(), |b| format!(": {}", self.expr(b)));
                format!("({what:?} {}{filter}{body})", over.join(" against "))
            }
            _ => String::new(),
        }
    }

    /// ` when C`, or nothing.
    pub fn when(&self, when: &Option<Expr>) -> String {
        when.as_ref().map_or(String::new(), |w| format!(" when {}", self.expr(w)))
    }

    fn constant(&self, n: i64, ty: &Type) -> String {
        match ty.present() {
            Type::Enum(id) => {
                let cases = &self.rs.enums[id.at()].cases;
                usize::try_from(n).ok().and_then(|n| cases.get(n)).cloned().unwrap_or_else(|| n.to_string())
            }
            Type::Flag => if n == 0 { "no" } else { "yes" }.into(),
            Type::Length => format!("{}.{:03}\"", n / 1000, (n % 1000).abs()),
            Type::Die => format!("d{n}"),
            Type::Chain(id) => {
                let dice = &self.rs.chains[id.at()].dice;
                usize::try_from(n).ok().and_then(|n| dice.get(n)).map_or_else(|| n.to_string(), |d| format!("d{d}"))
            }
            _ => n.to_string(),
        }
    }

    /// What is gone through.
    pub fn collection(&self, c: &Collection) -> String {
        match c {
            Collection::List(e) => self.expr(e),
            Collection::Range(a, b) => format!("{} .. {}", self.expr(a), self.expr(b)),
            Collection::Cases(ty, _) => self.ty(ty),
            Collection::Kind(id) => self.rs.kinds[id.at()].name.clone(),
            Collection::Group(e) => format!("members of {}", self.expr(e)),
        }
    }

    /// Patterns joined by bars.
    pub fn patterns(&self, all: &[Pat]) -> String {
        all.iter().map(|p| self.pattern(p)).collect::<Vec<_>>().join(" | ")
    }

    fn bound(&self, id: &Option<LocalId>) -> String {
        id.map_or("_".into(), |id| self.local(id))
    }

    /// A pattern.
    pub fn pattern(&self, p: &Pat) -> String {
        match p {
            Pat::Any => "_".into(),
            Pat::None => "none".into(),
            Pat::Some(id) => format!("some {}", self.bound(id)),
            Pat::Present(inner) => self.pattern(inner),
            Pat::Between { low, high } => {
                let mut parts = Vec::new();
                parts.extend(
                    low.as_ref().map(|(e, is_in)| format!("{} {}", if *is_in { ">=" } else { ">" }, self.expr(e))),
                );
                parts.extend(
                    high.as_ref().map(|(e, is_in)| format!("{} {}", if *is_in { "<=" } else { "<" }, self.expr(e))),
                );
                parts.join(" and ")
            }
            Pat::Equal(e) => self.expr(e),
            Pat::OnChain(id) => format!("on chain {}", self.bound(id)),
            Pat::Past { top, local } => format!("past {} {}", if *top { "top" } else { "bottom" }, self.bound(local)),
            Pat::MetKind(kind, id) => format!("{}({})", self.rs.kinds[kind.at()].name, self.bound(id)),
            Pat::MetEdge => "Edge".into(),
            Pat::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.patterns(p)).collect();
                format!("({})", parts.join(", "))
            }
        }
    }
}
