//! Makes statements.

use super::{Make, Scope, T};

impl Make {
    /// Returns `count` statements, one on each line.
    pub fn stmts(&mut self, scope: &mut Scope, count: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            let stmt = self.stmt(scope);
            text += &stmt;
            text.push('\n');
        }
        text
    }

    /// Returns a block. Its names are not visible after it.
    pub fn block(&mut self, scope: &Scope, count: usize) -> String {
        let mut inner = scope.deeper();
        let text = self.stmts(&mut inner, count);
        format!("{{\n{text}}}")
    }

    fn stmt(&mut self, scope: &mut Scope) -> String {
        loop {
            let text = match self.lots.below(25) {
                11 | 17..=19 | 22 | 23 if self.parts.plain => None,
                0 | 1 => self.let_it(scope),
                2 => self.set_var(scope),
                3..=6 if !scope.pure => self.set_figure(scope),
                7..=10 => self.chance(scope),
                11 if !scope.pure => self.status(scope),
                12 | 13 if scope.depth < 2 => Some(self.branch(scope)),
                14 | 15 if scope.depth < 2 => Some(self.each(scope)),
                16 if scope.depth < 1 => Some(self.repeat(scope)),
                17 | 18 => self.decision(scope),
                19 if !scope.pure && self.parts.destruction => self.destroy(scope),
                20 | 21 if !scope.pure && scope.calls => self.call(scope),
                22 if !scope.pure && scope.depth < 2 => self.lists(scope),
                23 if !scope.pure => self.others(scope),
                24 if scope.in_loop && scope.depth > 1 => {
                    self.form("stop");
                    Some(format!("if {} {{ stop }}", self.flag(scope, 1)))
                }
                _ => None,
            };
            if let Some(text) = text {
                return text;
            }
        }
    }

    fn let_it(&mut self, scope: &mut Scope) -> Option<String> {
        Some(match self.lots.below(6) {
            0 => {
                let (name, value) = (self.fresh("ok"), self.flag(scope, 2));
                scope.vars.push((name.clone(), T::Flag));
                format!("let {name} = {value}")
            }
            1 => {
                self.form("var");
                let (name, value) = (self.fresh("n"), self.int(scope, 1));
                scope.vars.push((name.clone(), T::Int));
                scope.mutable.push(name.clone());
                format!("var {name} : Int = {value}")
            }
            2 if !self.parts.plain => {
                let (name, list) = (self.fresh("us"), self.things_of(scope, T::Unit));
                self.form("named list of things");
                scope.vars.push((name.clone(), T::Units));
                format!("let {name} = {list}")
            }
            3 => {
                self.form("brackets change nothing");
                let (name, a) = (self.fresh("k"), self.int(scope, 1));
                let (b, c) = (self.int(scope, 0), self.number(2, 3));
                scope.vars.push((name.clone(), T::Int));
                let (bare, full) = match self.lots.below(5) {
                    0 => (format!("{a} + {b} * {c}"), format!("({a}) + (({b}) * ({c}))")),
                    1 => (format!("{a} - {b} - {c}"), format!("(({a}) - ({b})) - ({c})")),
                    2 => (format!("{b} * {c} + {a}"), format!("(({b}) * ({c})) + ({a})")),
                    3 => (format!("({a}) / {c} rounded down"), format!("((({a}) / ({c})) rounded down)")),
                    _ => (format!("-{b} + {a}"), format!("(-({b})) + ({a})")),
                };
                format!("let {name} = if ({bare}) == ({full}) then 1 else 77")
            }
            _ => {
                let (name, value) = (self.fresh("k"), self.int(scope, 2));
                scope.vars.push((name.clone(), T::Int));
                format!("let {name} = {value}")
            }
        })
    }

    fn set_var(&mut self, scope: &mut Scope) -> Option<String> {
        let name = scope.mutable.last()?.clone();
        self.form("set of a var");
        let op = self.lots.of(&["=", "+=", "-="]);
        Some(format!("set {name} {op} {}", self.int(scope, 1)))
    }

    fn until(&mut self, scope: &Scope) -> String {
        if self.parts.plain || !self.parts.phase || !self.one_in(2) {
            return String::new();
        }
        match self.lots.below(6) {
            0..=2 => {
                self.form(if scope.in_turn {
                    "until the end of a phase that runs"
                } else {
                    "until the end of a phase"
                });
                " until end of Turn".into()
            }
            3 => {
                self.form("until the start of a phase");
                " until start of Turn".into()
            }
            5 if self.one_in(3) => {
                self.form("until the end of a phase that nobody runs");
                " until end of Night".into()
            }
            4 => match self.var(scope, T::Side) {
                Some(s) => {
                    self.form("until the end of somebody's phase");
                    format!(" until end of Turn for {s}")
                }
                None => String::new(),
            },
            _ => {
                self.form("until what a reading says");
                " until match way { Old => end of Turn; New => none }".into()
            }
        }
    }

    pub fn set_figure(&mut self, scope: &mut Scope) -> Option<String> {
        if self.one_in(6) {
            self.form("set of a state of the game");
            let op = self.lots.of(&["=", "+=", "-="]);
            let (value, until) = (self.int(scope, 1), self.until(scope));
            return Some(format!("set day {op} {value}{until}"));
        }
        if let Some(m) = self.var(scope, T::Man)
            && self.one_in(2)
        {
            self.form("set of a figure");
            let (op, value) = (self.lots.of(&["=", "+=", "-="]), self.int(scope, 1));
            let until = self.until(scope);
            return Some(format!("set {m}.tired {op} {value}{until}"));
        }
        let u = self.thing(scope)?;
        let until = self.until(scope);
        if self.one_in(12) {
            self.form("number that may be below 0 taken away");
            let (a, b) = (self.int(scope, 0), self.int(scope, 0));
            return Some(format!("set {u}.hp -= {a} - {b}{until}"));
        }
        Some(match self.lots.below(8) {
            0 => {
                let yes = self.lots.of(&["yes", "no"]);
                format!("set {u}.acted = {yes}{until}")
            }
            1 => {
                self.form("set of a link");
                let foe = match self.var(scope, T::Unit) {
                    Some(foe) if self.one_in(2) => foe,
                    _ => "none".into(),
                };
                format!("set {u}.foe = {foe}{until}")
            }
            2 => {
                self.form("set of a bound");
                let op = self.lots.of(&["=", "-=", "+="]);
                format!("set {u}.cap {op} {}{until}", self.int(scope, 0))
            }
            3 if self.one_in(2) => {
                self.form("effect on a missing thing");
                format!("set {u}.foe.mark += {}", self.int(scope, 1))
            }
            4 => {
                self.form("set of a case");
                let value = self.lots.of(&["Calm", "Wary", "Wild"]);
                format!("set {u}.mood = {value}{until}")
            }
            _ => {
                self.form("set of a figure");
                let (field, op) = (self.lots.of(&["hp", "mark"]), self.lots.of(&["=", "+=", "-="]));
                format!("set {u}.{field} {op} {}{until}", self.int(scope, 1))
            }
        })
    }

    fn status(&mut self, scope: &mut Scope) -> Option<String> {
        if !self.parts.statuses {
            return None;
        }
        let (u, v) = (self.var(scope, T::Unit)?, self.var(scope, T::Unit)?);
        let until = self.until(scope);
        Some(match self.lots.below(7) {
            6 => {
                self.form("data of a status");
                let name = self.fresh("k");
                scope.vars.push((name.clone(), T::Int));
                format!("let {name} = total({u}.Oath.by_whom.{})", self.lots.of(&["hp", "mark", "nv"]))
            }
            0 | 1 => {
                self.form(if scope.in_loop { "grant in a loop" } else { "grant" });
                format!("grant Fear() to {u}{until}")
            }
            2 | 3 => {
                self.form("grant with data");
                format!("grant Oath(by_whom: {v}) to {u}{until}")
            }
            4 => {
                self.form("revoke");
                format!("revoke Fear from {u}")
            }
            _ => {
                self.form("revoke with data");
                match self.lots.below(2) {
                    0 => format!("revoke Oath(by_whom: {v}) from {u}"),
                    _ => format!("revoke all Oath from {u}"),
                }
            }
        })
    }

    fn branch(&mut self, scope: &mut Scope) -> String {
        let (a, b) = (self.block(scope, 1), self.block(scope, 1));
        match self.lots.below(4) {
            0 => {
                self.form("if");
                format!("if {} {a}", self.flag(scope, 1))
            }
            1 => {
                self.form("if else");
                format!("if {} {a} else {b}", self.flag(scope, 1))
            }
            2 => {
                self.form("else if");
                format!("if {} {a} else if {} {b}", self.flag(scope, 1), self.flag(scope, 0))
            }
            _ => {
                self.form("match as a statement");
                let (of, k) = (self.int(scope, 1), self.number(1, 4));
                format!("match {of} {{\nat most {k} => {a}\nelse => {b}\n}}")
            }
        }
    }

    fn each(&mut self, scope: &mut Scope) -> String {
        let (name, list, ty) = self.each_of(scope);
        let mut inner = scope.with(&name, ty);
        inner.in_loop = true;
        let filter = if self.one_in(2) {
            self.form("each where");
            format!(" where {}", self.flag(&inner, 1))
        } else {
            String::new()
        };
        let order = match self.lots.below(6) {
            _ if self.parts.plain => String::new(),
            0 => {
                self.form("each ordered by");
                format!(" ordered by {}", self.int(&inner, 1))
            }
            1 if ty != T::Int && self.takes(3) => {
                self.form("each chosen as");
                format!(" chosen as {}", self.fresh("next"))
            }
            _ => {
                self.form("each");
                String::new()
            }
        };
        let count = self.number(1, 2) as usize;
        let block = self.again(|make| make.block(&inner, count));
        format!("each {name} in {list}{filter}{order} {block}")
    }

    fn repeat(&mut self, scope: &mut Scope) -> String {
        self.form("repeat while");
        let (i, most) = (self.fresh("i"), self.number(1, 3));
        let mut inner = scope.with(&i, T::Int);
        inner.in_loop = true;
        let count = self.number(1, 2) as usize;
        let body = self.again(|make| make.stmts(&mut inner.deeper(), count));
        if !scope.pure && self.one_in(4) {
            self.form("repeat while, false at the start");
            let (k, op) = (self.number(1, 2), self.lots.of(&["", "not "]));
            return format!("if {op}day >= {k} {{\nrepeat {{\nset day += 1\nset shots += 1\n}} while day < {k}\n}}");
        }
        let also = if self.one_in(3) { format!(" and {}", self.flag(scope, 1)) } else { String::new() };
        format!("var {i} : Int = 0\nrepeat {{\nset {i} += 1\n{body}}} while {i} < {most}{also}")
    }

    fn destroy(&mut self, scope: &mut Scope) -> Option<String> {
        if scope.in_loop {
            self.form("destroy in a loop");
            let u = self.var(scope, T::Unit)?;
            return Some(format!("if {u}.hp == 0 and {u}.alive {{ destroy {u} \"worn down\" }}"));
        }
        if let Some(m) = self.var(scope, T::Man)
            && self.one_in(2)
        {
            self.form("destroy of a member");
            return Some(format!("if {m}.alive {{ destroy {m} \"hit\" }}"));
        }
        let u = self.var(scope, T::Unit)?;
        Some(match self.lots.below(4) {
            0 => {
                self.form("destroy without a question");
                format!("destroy {u} \"gone\"")
            }
            1 => {
                self.form("destroy of a list of the fallen");
                let (list, x) = (self.fresh("us"), self.fresh("x"));
                let cond = self.flag(&scope.with(&x, T::Unit), 0);
                format!("let {list} = all {x} in Unit where {cond}\neach {x}0 in {list} {{ destroy {x}0 \"fell\" }}")
            }
            _ => {
                self.form("destroy");
                format!("if {u}.alive and {} {{ destroy {u} \"gone\" }}", self.flag(scope, 1))
            }
        })
    }

    pub fn call(&mut self, scope: &mut Scope) -> Option<String> {
        let u = self.var(scope, T::Unit)?;
        match self.lots.below(6) {
            0 | 1 if self.parts.events => {
                self.form("emit");
                Some(format!("emit Hit({u}, {})", self.int(scope, 1)))
            }
            2 if self.parts.procs => {
                self.form("do");
                Some(format!("do rally({u}, {})", self.int(scope, 1)))
            }
            3 if self.parts.procs && self.takes(2) => {
                self.form("do with a result");
                let name = self.fresh("k");
                let text = format!("let {name} = do strike({u}, {})", self.int(scope, 1));
                scope.vars.push((name, T::Int));
                Some(text)
            }
            4 | 5 if self.parts.tests && self.takes(6) => {
                let name = self.fresh("t");
                let with = if self.one_in(3) {
                    self.form("test with lent figures");
                    format!(" with nv = {}", self.int(scope, 0))
                } else {
                    String::new()
                };
                if self.one_in(3) {
                    self.form("test with a grade");
                    let (a, b) = (self.block(scope, 1), self.block(scope, 1));
                    return Some(format!(
                        "let {name} = test Rank({u}){with}\nmatch {name}.grade {{\nCalm | Wary => {a}\nWild => {b}\n}}"
                    ));
                }
                if self.one_in(5) {
                    self.form("test that nobody looks at");
                    return Some(format!("test Nerve({u}){with}"));
                }
                self.form("test");
                let text = format!("let {name} = test Nerve({u}){with}");
                let (flag, left) = (self.fresh("ok"), self.fresh("k"));
                scope.vars.push((flag.clone(), T::Flag));
                scope.vars.push((left.clone(), T::Int));
                Some(format!("{text}\nlet {flag} = {name}.passed\nlet {left} = {name}.luck"))
            }
            _ => None,
        }
    }

    fn lists(&mut self, scope: &mut Scope) -> Option<String> {
        let u = self.thing(scope)?;
        Some(match self.lots.below(6) {
            0 => {
                self.form("entry added to a list");
                format!("set {u}.bag += {}", self.int(scope, 0))
            }
            1 => {
                self.form("entry taken out of a list");
                format!("set {u}.bag -= {}", self.number(1, 3))
            }
            2 => {
                self.form("list for a time");
                let until = self.until(scope);
                format!("set {u}.bag = [1, {}]{until}", self.number(1, 3))
            }
            3 => {
                let (s, v) = (self.var(scope, T::Pile)?, self.var(scope, T::Unit)?);
                self.form("thing added to a list");
                format!("if {v} not in {s}.fleet {{ set {s}.fleet += {v} }}")
            }
            4 => {
                let (s, v) = (self.var(scope, T::Pile)?, self.var(scope, T::Unit)?);
                self.form("thing taken out of a list");
                format!("set {s}.fleet -= {v}")
            }
            _ => {
                self.form("list made of lists");
                let name = self.fresh("all");
                scope.vars.push((name.clone(), T::Ints));
                format!("let {name} = {u}.bag + [{}]", self.int(scope, 0))
            }
        })
    }

    fn others(&mut self, scope: &mut Scope) -> Option<String> {
        match self.lots.below(6) {
            2 => {
                self.form("copy of a list");
                let (u, name) = (self.thing(scope)?, self.fresh("ys"));
                let text = format!("var {name} = {u}.bag\nset {name} += {}", self.number(1, 3));
                scope.vars.push((name, T::Ints));
                Some(text)
            }
            3 => {
                let (m, n) = (self.var(scope, T::Man)?, self.var(scope, T::Man)?);
                self.form("place at a thing");
                Some(format!("place {m} at {n}"))
            }
            4 if scope.calls && scope.in_turn => {
                self.form("phase within a phase");
                let s = self.var(scope, T::Side)?;
                Some(format!("if day < 2 {{\nset day += 2\nrun Turn({s})\n}}"))
            }
            0 => {
                self.form("tally");
                Some(format!("set shots += {}", self.int(scope, 0)))
            }
            1 if scope.depth == 0 => {
                self.form("spawn");
                let (s, name) = (self.var(scope, T::Side)?, self.fresh("new"));
                let text = format!("spawn {name} : Unit {{ side = {s}; hp = min(6, {}) }}", self.int(scope, 0));
                scope.vars.push((name, T::Unit));
                Some(text)
            }
            _ => None,
        }
    }
}
