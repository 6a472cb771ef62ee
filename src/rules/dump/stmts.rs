//! Statements, headers of actions and policies as text.

use super::Dump;
use crate::rules::code::*;
use crate::rules::ruleset::{HeaderLine, PolicyAnswer, PolicyEntry, PolicySite};
use crate::value::*;

impl Dump<'_> {
    /// Statements, one a line, their blocks indented.
    pub fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn block(&mut self, head: String, stmts: &[Stmt]) {
        self.line(head);
        self.inside(|d| d.stmts(stmts));
    }

    fn by(&self, by: &Option<Expr>) -> String {
        by.as_ref().map_or(String::new(), |e| format!(" by {}", self.expr(e)))
    }

    fn until(&self, until: &Option<Until>) -> String {
        let Some(u) = until else { return String::new() };
        let edge = if u.start { "start" } else { "end" };
        let key = u.key.as_ref().map_or(String::new(), |k| format!(" for {}", self.expr(k)));
        format!(" until {edge} of {}{key}", self.rs.phases[u.phase.at()].name)
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Local(id) => self.local(*id),
            Target::Ambient(id) => format!("{}@{}", self.rs.ambients[id.at()].name, id.0),
            Target::Global(id) => self.rs.globals[id.at()].name.clone(),
            Target::Tally(id) => self.rs.tallies[id.at()].name.clone(),
            Target::Field { thing, field, keys } => {
                let keys = if keys.is_empty() { String::new() } else { format!("({})", self.list(keys)) };
                format!("{}.{}{keys}", self.expr(thing), self.rs.fields[field.at()].name)
            }
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        use StmtKind as K;
        let rs = self.rs;
        let text = match &s.kind {
            K::Let { local, value } => format!("let {} = {}", self.local(*local), self.expr(value)),
            K::LetTuple { locals, value } => {
                let names: Vec<String> = locals.iter().map(|l| self.local(*l)).collect();
                format!("let ({}) = {}", names.join(", "), self.expr(value))
            }
            K::Set { target, op, value, until, .. } => {
                let sign = match op {
                    SetOp::Set => "=",
                    SetOp::Add => "+=",
                    SetOp::Sub => "-=",
                };
                format!("set {} {sign} {}{}", self.target(target), self.expr(value), self.until(until))
            }
            K::Grant { status, data, to, until } => {
                let name = &rs.traits[status.at()].name;
                format!("grant {name}({}) to {}{}", self.list(data), self.expr(to), self.until(until))
            }
            K::Revoke { status, from } => format!("revoke {} from {}", rs.traits[status.at()].name, self.expr(from)),
            K::Place { thing, at } => format!("place {} at {}", self.expr(thing), self.expr(at)),
            K::Turn { thing, by, angle } => {
                format!("turn {} {} {}", self.expr(thing), if *by { "by" } else { "to" }, self.expr(angle))
            }
            K::Destroy { thing, reason } => format!("destroy {} \"{reason}\"", self.expr(thing)),
            K::Spawn { local, kind, fields } => {
                let field = |(f, e): &(FieldId, Expr)| format!("{} = {}", rs.fields[f.at()].name, self.expr(e));
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("spawn {}: {} {{ {} }}", self.local(*local), rs.kinds[kind.at()].name, fields.join("; "))
            }
            K::Merge { from, into } => format!("merge {} into {}", self.expr(from), self.expr(into)),
            K::Call { func, args, into } => {
                let into = into.map_or(String::new(), |l| format!("{} = ", self.local(l)));
                format!("{into}do {}({})", rs.functions[func.at()].name, self.list(args))
            }
            K::Run { phase, args } => format!("run {}({})", rs.phases[phase.at()].name, self.list(args)),
            K::Emit { event, args } => format!("emit {}({})", rs.events[event.at()].name, self.list(args)),
            K::Return(value) => value.as_ref().map_or("return".into(), |e| format!("return {}", self.expr(e))),
            K::Stop => "stop".into(),
            K::End(phase) => format!("end {}", rs.phases[phase.at()].name),
            K::CancelAction => "cancel action".into(),
            K::Pass(e) => format!("pass when {}", self.expr(e)),
            K::Grade(e) => format!("grade {}", self.expr(e)),
            other => return self.with_blocks(other),
        };
        self.line(text);
    }

    fn with_blocks(&mut self, kind: &StmtKind) {
        use StmtKind as K;
        match kind {
            K::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.block(format!("if {}", self.expr(condition)), body);
                }
                if !otherwise.is_empty() {
                    self.block("else".into(), otherwise);
                }
            }
            K::Match { subject, rows } => {
                self.line(format!("match {}", self.expr(subject)));
                self.inside(|d| {
                    rows.iter()
                        .for_each(|r| d.block(format!("{}{} =>", d.patterns(&r.patterns), d.when(&r.when)), &r.body))
                });
            }
            K::ChooseOption { site, by, options } => {
                self.line(format!("choose option at {}{}", site.0, self.by(by)));
                self.inside(|d| {
                    options.iter().for_each(|o| d.block(format!("{}{} =>", o.name, d.when(&o.when)), &o.body))
                });
            }
            K::May { site, by, when, body, .. } => {
                self.block(format!("may at {}{}{}", site.0, self.by(by), self.when(when)), body);
            }
            K::Each { local, from, filter, order, body, .. } => {
                let order = match order {
                    EachOrder::AsListed => String::new(),
                    EachOrder::Chosen { site, by } => format!(" chosen at {}{}", site.0, self.by(by)),
                    EachOrder::By(e) => format!(" ordered by {}", self.expr(e)),
                };
                let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", self.expr(f)));
                self.block(format!("each {} in {}{filter}{order}", self.local(*local), self.collection(from)), body);
            }
            K::Repeat { body, condition } => {
                let condition = condition.as_ref().map_or(String::new(), |c| format!(" while {}", self.expr(c)));
                self.block(format!("repeat{condition}"), body);
            }
            K::Move { motion, leg, otherwise } => self.motion(motion, *leg, otherwise.as_deref()),
            other => {
                let text = self.question(other);
                self.line(text);
            }
        }
    }

    fn question(&self, kind: &StmtKind) -> String {
        use StmtKind as K;
        match kind {
            K::Roll { site, local, count, dice, sum, by } => {
                let count = count.as_ref().map_or(String::new(), |c| format!("{} of ", self.expr(c)));
                let sum = if *sum { " as a sum" } else { "" };
                format!("roll {} at {}{} = {count}{}{sum}", self.local(*local), site.0, self.by(by), self.expr(dice))
            }
            K::Draw { site, local, from, filter, or_none, weight, .. } => {
                let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", self.expr(f)));
                let weight = weight.as_ref().map_or(String::new(), |w| format!(" weight {}", self.expr(w)));
                let or_none = if *or_none { " or none" } else { "" };
                format!(
                    "draw {} at {} in {}{filter}{or_none}{weight}",
                    self.local(*local),
                    site.0,
                    self.collection(from)
                )
            }
            K::Reroll { site, roll, explode, pool, entry, filter, rounds } => {
                let word = if *explode { "explode" } else { "reroll" };
                let entry = entry.map_or(String::new(), |e| format!("{} in ", self.local(e)));
                let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", self.expr(f)));
                let rounds = rounds.as_ref().map_or(String::new(), |r| format!(" at most {}", self.expr(r)));
                format!("{word} {entry}{} at {} of {}{filter}{rounds}", self.local(*pool), site.0, roll.0)
            }
            K::ChooseAction { site, by, or_stop, stop_when } => {
                let stop = if *or_stop { " or stop" } else { "" };
                format!("choose action at {}{}{stop}{}", site.0, self.by(by), self.when(stop_when))
            }
            K::Choose(choose) => self.choose(choose),
            _ => String::new(),
        }
    }

    fn choose(&self, c: &Choose) -> String {
        let high = |h: &Option<Expr>| h.as_ref().map_or(String::new(), |h| self.expr(h));
        let amount = c.amount.as_ref().map_or(String::new(), |(a, b)| format!("{} .. {} of ", self.expr(a), high(b)));
        let filter = c.filter.as_ref().map_or(String::new(), |f| format!(" where {}", self.expr(f)));
        let prefer = match &c.prefer {
            Some(Prefer::Extreme { most, by }) => {
                format!(" prefer {} {}", if *most { "most" } else { "least" }, self.expr(by))
            }
            Some(Prefer::When { which, condition }) => {
                format!(" prefer {}when {}", which.word(), self.expr(condition))
            }
            None => String::new(),
        };
        let or_none = if c.or_none { " or none" } else { "" };
        let (local, entry, from) = (self.local(c.local), self.local(c.entry), self.collection(&c.from));
        format!(
            "choose {amount}{local} at {}{} as {entry} in {from}{filter}{or_none}{prefer}",
            c.site.0,
            self.by(&c.by)
        )
    }

    fn motion(&mut self, m: &Move, leg: Option<LocalId>, otherwise: Option<&[Stmt]>) {
        let leg = leg.map_or(String::new(), |l| format!("{} = ", self.local(l)));
        self.line(format!("{leg}move {} at {}", self.expr(&m.thing), m.site.0));
        self.inside(|d| {
            for line in &m.lines {
                let (text, when) = (d.move_line(&line.kind), d.when(&line.when));
                d.line(format!("{text}{when}"));
            }
        });
        if let Some(body) = otherwise {
            self.block("else".into(), body);
        }
    }

    fn move_line(&self, kind: &MoveLineKind) -> String {
        use MoveLineKind as L;
        match kind {
            L::AtLeast(e) => format!("at least {}", self.expr(e)),
            L::AtMost(e) => format!("at most {}", self.expr(e)),
            L::Exactly(e) => format!("exactly {}", self.expr(e)),
            L::Toward(e) => format!("toward {}", self.expr(e)),
            L::AwayFrom(e) => format!("away from {}", self.expr(e)),
            L::NoNearerTo(e) => format!("no nearer to {}", self.expr(e)),
            L::EndsWithin { distance, of } => format!("ends within {} of {}", self.expr(distance), self.expr(of)),
            L::EndsWhere(e) => format!("ends where {}", self.expr(e)),
            L::NeverWhere(e) => format!("never where {}", self.expr(e)),
            L::Along(e) => format!("along {}", self.expr(e)),
            L::Heading(a, None) => format!("heading {}", self.expr(a)),
            L::Heading(a, Some(b)) => format!("heading {} .. {}", self.expr(a), self.expr(b)),
            L::StraightFor(e) => format!("straight for {}", self.expr(e)),
            L::KeepsFacing => "keeps facing".into(),
            L::BendsAtMost(e) => format!("bends at most {}", self.expr(e)),
            L::Avoids(e) => format!("avoids {}", self.expr(e)),
            L::Through(e) => format!("through {}", self.expr(e)),
            L::StopsOnContact(None) => "stops on contact".into(),
            L::StopsOnContact(Some(e)) => format!("stops on contact with {}", self.expr(e)),
            L::StopsWhere(e) => format!("stops where {}", self.expr(e)),
            L::Costs { point, cost } => format!("costs {} => {}", self.local(*point), self.expr(cost)),
        }
    }

    /// An action with its header.
    pub fn action(&mut self, id: ActionId) {
        let rs = self.rs;
        let a = &rs.actions[id.at()];
        self.func = Some(a.func);
        let phases: Vec<&str> = a.phases.iter().map(|p| rs.phases[p.at()].name.as_str()).collect();
        let actor = a.actor.as_ref().map_or(String::new(), |e| format!(" by {}", self.expr(e)));
        self.line(format!(
            "action a{} {} in {}{actor} f{}{}",
            id.0,
            a.name,
            phases.join(", "),
            a.func.0,
            self.notes(a.item)
        ));
        self.inside(|d| {
            for line in &a.header {
                let text = d.header(line);
                d.line(text);
            }
        });
    }

    fn header(&self, line: &HeaderLine) -> String {
        match line {
            HeaderLine::Let { local, value } => format!("let {} = {}", self.local(*local), self.expr(value)),
            HeaderLine::Choose { local, from, filter, .. } => {
                let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", self.expr(f)));
                format!("choose {} in {}{filter}", self.local(*local), self.collection(from))
            }
            HeaderLine::Late(choose) => format!("late {}", self.choose(choose)),
            HeaderLine::Needs { condition, reason, .. } => format!("needs {} \"{reason}\"", self.expr(condition)),
            HeaderLine::Cost { amount, name, .. } => format!("cost {} {name}", self.expr(amount)),
            HeaderLine::Limit { times, per, key, when } => {
                let key = key.as_ref().map_or(String::new(), |k| format!(" for {}", self.expr(k)));
                format!("limit {} per {}{key}{}", self.expr(times), self.rs.phases[per.at()].name, self.when(when))
            }
        }
    }

    /// One preference of a policy; its variables are those of the site's function.
    pub fn policy_entry(&mut self, e: &PolicyEntry) {
        let rs = self.rs;
        let site = match e.site {
            PolicySite::Site(id) => {
                self.func = rs.sites.get(id.at()).map(|s| s.func);
                format!("{} at {}", rs.sites.get(id.at()).map_or("", |s| s.name.as_str()), id.0)
            }
            PolicySite::Menu => "action".into(),
        };
        let answer = match &e.answer {
            PolicyAnswer::Action(id) => {
                self.func = Some(rs.actions[id.at()].func);
                rs.actions[id.at()].name.clone()
            }
            PolicyAnswer::Stop => "stop".into(),
            PolicyAnswer::Flag(yes) => if *yes { "yes" } else { "no" }.into(),
            PolicyAnswer::None => "none".into(),
            PolicyAnswer::Option(n) => format!("option {n}"),
            PolicyAnswer::Extreme { most, by, .. } => {
                format!("{} {}", if *most { "most" } else { "least" }, self.expr(by))
            }
            PolicyAnswer::Value(v) => self.expr(v),
        };
        let when = self.when(&e.when);
        self.line(format!("{site} = {answer}{when} (rank {})", e.rank));
    }
}
