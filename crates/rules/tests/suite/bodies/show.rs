//! Typed code as short text, to be read and compared.

use grognard_base::value::*;
use grognard_rules::code::*;
use grognard_rules::ruleset::*;

/// Prints code of one function.
pub struct Show<'a> {
    pub rs: &'a Ruleset,
    pub locals: &'a [Local],
}

/// A whole function.
pub fn function(rs: &Ruleset, f: &Function) -> String {
    let show = Show { rs, locals: &f.locals };
    let params: Vec<String> =
        f.locals.iter().take(f.params).map(|l| format!("{}: {}", l.name, rs.type_name(&l.ty))).collect();
    let head = format!("{}({}) -> {}", f.name, params.join(", "), rs.type_name(&f.result));
    match &f.body {
        Body::Value(e) => format!("{head} = {}", show.expr(e)),
        Body::Block(b) => format!("{head} {{\n{}}}", show.block(b, 1)),
        Body::Open => format!("{head} open"),
    }
}

impl Show<'_> {
    fn local(&self, id: LocalId) -> String {
        format!("{}#{}", self.locals[id.at()].name, id.0)
    }

    fn all(&self, es: &[Expr]) -> String {
        es.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    pub fn expr(&self, e: &Expr) -> String {
        let rs = self.rs;
        match &e.kind {
            ExprKind::Const(n) => match &e.ty {
                Type::Enum(id) => rs.enums[id.at()].cases[*n as usize].clone(),
                Type::Chain(id) => format!("d{}", rs.chains[id.at()].dice[*n as usize]),
                Type::Die => format!("die{n}"),
                Type::Length => format!("{n}mil"),
                Type::Flag => if *n == 1 { "yes" } else { "no" }.into(),
                Type::Kind(id) => format!("{}@{n}", rs.kinds[id.at()].name),
                _ => n.to_string(),
            },
            ExprKind::ConstRatio(a, b) => format!("{a}/{b}"),
            ExprKind::None => "none".into(),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Setting(id) => format!("${}", rs.settings[id.at()].name),
            ExprKind::Global(id) => format!("game.{}", rs.globals[id.at()].name),
            ExprKind::Tally(id) => format!("tally.{}", rs.tallies[id.at()].name),
            ExprKind::Ambient(id) => format!("@{}", rs.ambients[id.at()].name),
            ExprKind::ActionName => "@name".into(),
            ExprKind::Actor => "@actor".into(),
            ExprKind::Field { thing, field, keys } => {
                let name = &rs.fields[field.at()].name;
                let keys = if keys.is_empty() { String::new() } else { format!("({})", self.all(keys)) };
                format!("{}.{name}{keys}", self.expr(thing))
            }
            ExprKind::Alive(x) => format!("{}.alive", self.expr(x)),
            ExprKind::At(x) => format!("{}.at", self.expr(x)),
            ExprKind::Facing(x) => format!("{}.facing", self.expr(x)),
            ExprKind::Part { of, index } => format!("{}.{index}", self.expr(of)),
            ExprKind::Crossed { leg, kind } => format!("{}.crossed({})", self.expr(leg), rs.kinds[kind.at()].name),
            ExprKind::Call { func, args } => format!("{}({})", rs.functions[func.at()].name, self.all(args)),
            ExprKind::Op(op, args) => format!("{op:?}({})", self.all(args)),
            ExprKind::Running(p) => format!("running({})", rs.phases[p.at()].name),
            ExprKind::Tree { op, args, .. } => format!("{op:?}({})", self.all(args)),
            ExprKind::And(es) => format!("And({})", self.all(es)),
            ExprKind::Or(es) => format!("Or({})", self.all(es)),
            ExprKind::Otherwise(a, b) => format!("({} otherwise {})", self.expr(a), self.expr(b)),
            ExprKind::If { arms, otherwise } => {
                let arms: Vec<String> =
                    arms.iter().map(|(c, v)| format!("if {} then {}", self.expr(c), self.expr(v))).collect();
                format!("({} else {})", arms.join(" else "), self.expr(otherwise))
            }
            ExprKind::Match { subject, rows } => {
                let rows: Vec<String> = rows
                    .iter()
                    .map(|r| format!("{}{} => {}", self.pats(&r.patterns), self.when(&r.when), self.expr(&r.value)))
                    .collect();
                format!("match {} {{ {} }}", self.expr(subject), rows.join("; "))
            }
            ExprKind::Table { keys, rows, columns, cells } => {
                let pats = |all: &Vec<Vec<Pat>>| all.iter().map(|p| self.pats(p)).collect::<Vec<_>>().join(" ");
                let cells: Vec<String> = cells.iter().map(|r| self.all(r)).collect();
                format!(
                    "table({}) rows {} columns {} cells {}",
                    self.all(keys),
                    pats(rows),
                    pats(columns),
                    cells.join(" / ")
                )
            }
            ExprKind::Is { value, pattern } => format!("({} is {})", self.expr(value), self.pat(pattern)),
            ExprKind::Has { thing, what } => format!("({} has {})", self.expr(thing), rs.traits[what.at()].name),
            ExprKind::Instances { thing, status } => format!("{}.{}", self.expr(thing), rs.traits[status.at()].name),
            ExprKind::Then { value, local, body } => {
                format!("{}?{{{} => {}}}", self.expr(value), self.local(*local), self.expr(body))
            }
            ExprKind::Map { over, local, filter, body, drop, flatten } => {
                let marks = format!("{}{}", if *drop { "-" } else { "" }, if *flatten { "*" } else { "" });
                let filter = self.when(&filter.as_deref().cloned());
                format!("[{}{marks} for {} in {}{filter}]", self.expr(body), self.local(*local), self.over(over))
            }
            ExprKind::Query { what, over, filter, body } => {
                let over: Vec<String> =
                    over.iter().map(|(l, c)| format!("{} in {}", self.local(*l), self.over(c))).collect();
                let filter = self.when(&filter.as_deref().cloned());
                let body = body.as_ref().map_or(String::new(), |b| format!(": {}", self.expr(b)));
                format!("{what:?}({}{filter}{body})", over.join(" against "))
            }
            ExprKind::List(es) => format!("[{}]", self.all(es)),
            ExprKind::Make(es) => format!("({})", self.all(es)),
            ExprKind::Was(x) => format!("was {}", self.expr(x)),
        }
    }

    fn when(&self, c: &Option<Expr>) -> String {
        c.as_ref().map_or(String::new(), |c| format!(" when {}", self.expr(c)))
    }

    pub fn over(&self, c: &Collection) -> String {
        match c {
            Collection::List(e) => self.expr(e),
            Collection::Range(a, b) => format!("{} .. {}", self.expr(a), self.expr(b)),
            Collection::Cases(t, n) => format!("cases {} ({n})", self.rs.type_name(t)),
            Collection::Kind(k) => self.rs.kinds[k.at()].name.clone(),
            Collection::Group(e) => format!("members of {}", self.expr(e)),
        }
    }

    pub fn pats(&self, ps: &[Pat]) -> String {
        ps.iter().map(|p| self.pat(p)).collect::<Vec<_>>().join("|")
    }

    fn pat(&self, p: &Pat) -> String {
        let opt = |l: &Option<LocalId>| l.map_or("_".to_string(), |l| self.local(l));
        match p {
            Pat::Any => "_".into(),
            Pat::None => "none".into(),
            Pat::Some(l) => format!("some {}", opt(l)),
            Pat::Present(p) => format!("there {}", self.pat(p)),
            Pat::Between { low, high } => {
                let low = low
                    .as_ref()
                    .map_or(String::new(), |(e, i)| format!("{}{}", self.expr(e), if *i { "<=" } else { "<" }));
                let high = high
                    .as_ref()
                    .map_or(String::new(), |(e, i)| format!("{}{}", if *i { "<=" } else { "<" }, self.expr(e)));
                format!("{low}.{high}")
            }
            Pat::Equal(e) => format!("={}", self.expr(e)),
            Pat::OnChain(l) => format!("on {}", opt(l)),
            Pat::Past { top, local } => format!("past {} {}", if *top { "top" } else { "bottom" }, opt(local)),
            Pat::MetKind(k, l) => format!("met {} {}", self.rs.kinds[k.at()].name, opt(l)),
            Pat::MetEdge => "met edge".into(),
            Pat::Tuple(ps) => format!("({})", ps.iter().map(|p| self.pats(p)).collect::<Vec<_>>().join(", ")),
        }
    }

    pub fn block(&self, b: &[Stmt], deep: usize) -> String {
        b.iter().map(|s| format!("{}{}\n", "  ".repeat(deep), self.stmt(s, deep))).collect()
    }

    fn nested(&self, b: &[Stmt], deep: usize) -> String {
        format!("{{\n{}{}}}", self.block(b, deep + 1), "  ".repeat(deep))
    }

    fn stmt(&self, s: &Stmt, deep: usize) -> String {
        let rs = self.rs;
        let by = |b: &Option<Expr>| b.as_ref().map_or(String::new(), |b| format!(" by {}", self.expr(b)));
        let site = |s: &SiteId| format!("<{}>", rs.sites[s.at()].name);
        let until = |u: &Option<Until>| {
            u.as_ref().map_or(String::new(), |u| {
                let key = u.key.as_ref().map_or(String::new(), |k| format!(" for {}", self.expr(k)));
                format!(" until {} {}{key}", if u.start { "start" } else { "end" }, rs.phases[u.phase.at()].name)
            })
        };
        match &s.kind {
            StmtKind::Let { local, value } => format!("let {} = {}", self.local(*local), self.expr(value)),
            StmtKind::LetTuple { locals, value } => {
                let names: Vec<String> = locals.iter().map(|l| self.local(*l)).collect();
                format!("let ({}) = {}", names.join(", "), self.expr(value))
            }
            StmtKind::Set { target, op, value, one, until: u } => {
                let to = match target {
                    Target::Local(l) => self.local(*l),
                    Target::Ambient(a) => format!("@{}", rs.ambients[a.at()].name),
                    Target::Global(g) => format!("game.{}", rs.globals[g.at()].name),
                    Target::Tally(t) => format!("tally.{}", rs.tallies[t.at()].name),
                    Target::Field { thing, field, .. } => {
                        format!("{}.{}", self.expr(thing), rs.fields[field.at()].name)
                    }
                };
                format!("set {to} {op:?}{} {}{}", if *one { " one" } else { "" }, self.expr(value), until(u))
            }
            StmtKind::Roll { site: id, local, count, dice, sum, by: b } => {
                let count = count.as_ref().map_or(String::new(), |c| format!("{} of ", self.expr(c)));
                let sum = if *sum { "sum " } else { "" };
                format!("roll {} {}{} = {sum}{count}{}", site(id), self.local(*local), by(b), self.expr(dice))
            }
            StmtKind::Draw { local, entry, from, filter, or_none, .. } => {
                format!(
                    "draw {} entry {} in {}{} {or_none}",
                    self.local(*local),
                    self.local(*entry),
                    self.over(from),
                    self.when(filter)
                )
            }
            StmtKind::Reroll { explode, pool, entry, filter, .. } => {
                let entry = entry.map_or("all".into(), |e| self.local(e));
                format!(
                    "{} {entry} in {}{}",
                    if *explode { "explode" } else { "reroll" },
                    self.local(*pool),
                    self.when(filter)
                )
            }
            StmtKind::Grant { status, data, to, until: u } => {
                format!("grant {}({}) to {}{}", rs.traits[status.at()].name, self.all(data), self.expr(to), until(u))
            }
            StmtKind::Revoke { status, data, from } => {
                format!("revoke {}({}) from {}", rs.traits[status.at()].name, self.all(data), self.expr(from))
            }
            StmtKind::If { arms, otherwise } => {
                let arms: Vec<String> =
                    arms.iter().map(|(c, b)| format!("if {} {}", self.expr(c), self.nested(b, deep))).collect();
                let tail = if otherwise.is_empty() {
                    String::new()
                } else {
                    format!(" else {}", self.nested(otherwise, deep))
                };
                format!("{}{tail}", arms.join(" else "))
            }
            StmtKind::Match { subject, rows } => {
                let rows: String = rows
                    .iter()
                    .map(|r| {
                        let pad = "  ".repeat(deep + 1);
                        format!(
                            "{pad}{}{} => {}\n",
                            self.pats(&r.patterns),
                            self.when(&r.when),
                            self.nested(&r.body, deep + 1)
                        )
                    })
                    .collect();
                format!("match {} {{\n{rows}{}}}", self.expr(subject), "  ".repeat(deep))
            }
            StmtKind::ChooseAction { or_stop, stop_when, .. } => {
                format!("choose action {or_stop}{}", self.when(stop_when))
            }
            StmtKind::ChooseOption { site: id, options, .. } => {
                let options: String = options
                    .iter()
                    .map(|o| {
                        format!(
                            "{}{}{} => {}\n",
                            "  ".repeat(deep + 1),
                            o.name,
                            self.when(&o.when),
                            self.nested(&o.body, deep + 1)
                        )
                    })
                    .collect();
                format!("choose {} {{\n{options}{}}}", site(id), "  ".repeat(deep))
            }
            StmtKind::Choose(c) => self.choose(c),
            StmtKind::May { site: id, when, body, .. } => {
                format!("may {}{} {}", site(id), self.when(when), self.nested(body, deep))
            }
            StmtKind::Each { local, from, filter, order, earlier, body } => {
                let order = match order {
                    EachOrder::AsListed => String::new(),
                    EachOrder::Chosen { site: id, .. } => format!(" chosen {}", site(id)),
                    EachOrder::By(e) => format!(" ordered by {}", self.expr(e)),
                };
                let earlier = earlier.map_or(String::new(), |e| format!(" earlier {}", self.local(e)));
                format!(
                    "each {} in {}{}{order}{earlier} {}",
                    self.local(*local),
                    self.over(from),
                    self.when(filter),
                    self.nested(body, deep)
                )
            }
            StmtKind::Repeat { body, condition } => {
                let tail = condition.as_ref().map_or(String::new(), |c| format!(" while {}", self.expr(c)));
                format!("repeat {}{tail}", self.nested(body, deep))
            }
            StmtKind::Move { motion, leg, otherwise } => {
                let lines: Vec<String> =
                    motion.lines.iter().map(|l| format!("{:?}", l.asks) + &self.when(&l.when)).collect();
                let leg = leg.map_or(String::new(), |l| format!(" -> {}", self.local(l)));
                let tail = otherwise.as_ref().map_or(String::new(), |o| format!(" else {}", self.nested(o, deep)));
                format!("move {} ({} lines){leg}{tail}", self.expr(&motion.thing), lines.len())
            }
            StmtKind::Place { thing, at } => format!("place {} at {}", self.expr(thing), self.expr(at)),
            StmtKind::Turn { thing, by, angle } => format!("turn {} {by} {}", self.expr(thing), self.expr(angle)),
            StmtKind::Destroy { thing, reason } => format!("destroy {} {reason:?}", self.expr(thing)),
            StmtKind::Spawn { local, fields, .. } => {
                let fields: Vec<String> =
                    fields.iter().map(|(f, e)| format!("{} = {}", rs.fields[f.at()].name, self.expr(e))).collect();
                format!("spawn {} {{ {} }}", self.local(*local), fields.join("; "))
            }
            StmtKind::Merge { from, into } => format!("merge {} into {}", self.expr(from), self.expr(into)),
            StmtKind::Call { func, args, into } => {
                let into = into.map_or(String::new(), |l| format!("{} = ", self.local(l)));
                format!("{into}do {}({})", rs.functions[func.at()].name, self.all(args))
            }
            StmtKind::Borrowing { figures, call, .. } => {
                let figures: Vec<String> =
                    figures.iter().map(|(f, e)| format!("{} = {}", rs.fields[f.at()].name, self.expr(e))).collect();
                format!("{} with {}", self.stmt(call, 0).trim(), figures.join(", "))
            }
            StmtKind::Run { phase, args } => format!("run {}({})", rs.phases[phase.at()].name, self.all(args)),
            StmtKind::Emit { event, args } => format!("emit {}({})", rs.events[event.at()].name, self.all(args)),
            StmtKind::Return(e) => format!("return {}", e.as_ref().map_or(String::new(), |e| self.expr(e))),
            StmtKind::Stop => "stop".into(),
            StmtKind::End(p) => format!("end {}", rs.phases[p.at()].name),
            StmtKind::CancelAction(_) => "cancel action".into(),
            StmtKind::Pass(e) => format!("pass {}", self.expr(e)),
            StmtKind::Grade(e) => format!("grade {}", self.expr(e)),
        }
    }

    pub fn choose(&self, c: &Choose) -> String {
        let amount = c.amount.as_ref().map_or(String::new(), |(a, b)| {
            format!(" {} .. {}", self.expr(a), b.as_ref().map_or("all".into(), |b| self.expr(b)))
        });
        let prefer = match &c.prefer {
            None => String::new(),
            Some(Prefer::Extreme { most, by }) => {
                format!(" prefer {} {}", if *most { "most" } else { "least" }, self.expr(by))
            }
            Some(Prefer::When { condition, .. }) => format!(" prefer when {}", self.expr(condition)),
        };
        let none = if c.or_none { " or none" } else { "" };
        format!(
            "choose {}{amount} entry {} in {}{}{none}{prefer}",
            self.local(c.local),
            self.local(c.entry),
            self.over(&c.from),
            self.when(&c.filter)
        )
    }

    pub fn header(&self, line: &HeaderLine) -> String {
        match line {
            HeaderLine::Let { local, value } => format!("let {} = {}", self.local(*local), self.expr(value)),
            HeaderLine::Choose { local, from, filter, .. } => {
                format!("choose {} in {}{}", self.local(*local), self.over(from), self.when(filter))
            }
            HeaderLine::Late(c) => format!("late {}", self.choose(c)),
            HeaderLine::Needs { condition, .. } => format!("needs {}", self.expr(condition)),
            HeaderLine::Cost { amount, name, .. } => format!("cost {} {name}", self.expr(amount)),
            HeaderLine::Limit { times, per, key, when } => {
                let key = key.as_ref().map_or(String::new(), |k| format!(" for {}", self.expr(k)));
                format!("limit {} per {}{key}{}", self.expr(times), self.rs.phases[per.at()].name, self.when(when))
            }
        }
    }
}
