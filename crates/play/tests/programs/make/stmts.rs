//! Statements.

use super::{Make, Scope, T};

impl Make {
    /// Some statements, one a line.
    pub fn stmts(&mut self, scope: &mut Scope, count: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            let stmt = self.stmt(scope);
            text += &stmt;
            text.push('\n');
        }
        text
    }

    /// A block; what it names is forgotten.
    pub fn block(&mut self, scope: &Scope, count: usize) -> String {
        let mut inner = scope.deeper();
        let text = self.stmts(&mut inner, count);
        format!("{{\n{text}}}")
    }

    fn stmt(&mut self, scope: &mut Scope) -> String {
        loop {
            let text = match self.lots.below(25) {
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
            2 => {
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
        if !self.parts.phase || !self.one_in(2) {
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

    fn set_figure(&mut self, scope: &mut Scope) -> Option<String> {
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

    /// A roll, dice again, or a draw.
    pub fn chance(&mut self, scope: &mut Scope) -> Option<String> {
        match self.lots.below(12) {
            0 | 1 => {
                let (n, sides) = (self.number(1, 3), self.number(2, 4));
                if !self.takes(sides.pow(n as u32)) {
                    return None;
                }
                self.form("roll of a pool");
                let name = self.fresh("p");
                scope.vars.push((name.clone(), T::Ints));
                scope.pools.push(name.clone());
                let by = self.by(scope);
                Some(format!("roll {name}{by} = {n} of d{sides}"))
            }
            2 | 3 => {
                let sides = self.number(2, 6);
                if !self.takes(sides) {
                    return None;
                }
                self.form("roll of a die");
                let name = self.fresh("r");
                scope.vars.push((name.clone(), T::Int));
                let by = self.by(scope);
                Some(format!("roll {name}{by} = d{sides}"))
            }
            4 => {
                if !self.takes(9) {
                    return None;
                }
                let name = self.fresh("r");
                scope.vars.push((name.clone(), T::Int));
                Some(match self.lots.below(4) {
                    0 => {
                        self.form("roll of a sum");
                        let again = if self.takes(9) {
                            self.form("reroll of all");
                            format!("\nreroll {name}")
                        } else {
                            String::new()
                        };
                        format!("roll {name} = 2d3{again}")
                    }
                    1 => {
                        self.form("roll of a declared die");
                        format!("roll {name} = Odd")
                    }
                    2 if self.parts.chains => match self.var(scope, T::Unit) {
                        Some(u) => {
                            self.form("roll of a chain's die");
                            format!("roll {name} = closed({u}.q down {})", self.number(0, 2))
                        }
                        None => format!("roll {name} = d3"),
                    },
                    _ => {
                        self.form("roll of unlike dice");
                        scope.vars.pop();
                        scope.vars.push((name.clone(), T::Ints));
                        scope.pools.push(name.clone());
                        format!("roll {name} = [d2, d3]")
                    }
                })
            }
            5 | 6 => {
                let pool = scope.pools.last()?.clone();
                if !self.takes(8) {
                    return None;
                }
                let (op, k) = (self.lots.of(&["==", "<=", "!="]), self.number(1, 2));
                Some(match self.lots.below(4) {
                    0 => {
                        self.form("reroll at most");
                        format!("reroll x in {pool} where x {op} {k} at most {}", self.number(1, 2))
                    }
                    1 => {
                        self.form("explode");
                        format!("explode x in {pool} where x == {k} at most {}", self.number(1, 2))
                    }
                    _ => {
                        self.form("reroll where");
                        format!("reroll x in {pool} where x {op} {k}")
                    }
                })
            }
            _ => self.draw(scope),
        }
    }

    fn by(&mut self, scope: &Scope) -> String {
        match self.var(scope, T::Unit) {
            Some(u) if self.one_in(6) => {
                self.form("roll by a thing");
                format!(" by {u}")
            }
            _ => String::new(),
        }
    }

    fn draw(&mut self, scope: &mut Scope) -> Option<String> {
        if !self.takes(6) {
            return None;
        }
        if let Some(list) = self.var(scope, T::Ints)
            && self.one_in(3)
        {
            let name = self.fresh("got");
            return Some(match self.lots.below(3) {
                0 => {
                    self.form("draw of several numbers");
                    scope.vars.push((name.clone(), T::Ints));
                    let of = self.lots.of(&["2 of", "0 .. 2 of", "1 of"]);
                    format!("draw {of} {name} in {list}")
                }
                1 => {
                    self.form("draw by weight");
                    scope.vars.push((name.clone(), T::Int));
                    let weight = match self.lots.below(3) {
                        0 => name.clone(),
                        1 => format!("{name} - 1"),
                        _ => format!("max(0, 3 - {name})"),
                    };
                    format!("draw {name} in {list} + [1, 2] weight {weight}")
                }
                _ => {
                    self.form("draw of a number");
                    scope.vars.push((name.clone(), T::Int));
                    format!("draw {name} in {list} + [{}]", self.number(1, 4))
                }
            });
        }
        let name = self.fresh("got");
        let (list, inner) = (self.things_of(scope, T::Unit), scope.with(&name, T::Unit));
        match self.lots.below(4) {
            0 => {
                self.form("draw of several things");
                scope.vars.push((name.clone(), T::Units));
                Some(format!("draw 0 .. 2 of {name} in {list}"))
            }
            1 => {
                self.form("draw of exactly so many");
                scope.vars.push((name.clone(), T::Units));
                Some(format!("draw 2 of {name} in {list}"))
            }
            2 => {
                self.form("draw or none");
                let (cond, then) = (self.flag(&inner, 1), self.fresh("g"));
                let block = self.block(&scope.with(&then, T::Unit), 1);
                Some(format!("draw {name} in {list} where {cond} or none\nif {name} is some {then} {block}"))
            }
            _ => {
                self.form("draw of a thing");
                scope.vars.push((name.clone(), T::Unit));
                Some(format!("draw {name} in {list}"))
            }
        }
    }

    fn status(&mut self, scope: &mut Scope) -> Option<String> {
        if !self.parts.statuses {
            return None;
        }
        let (u, v) = (self.var(scope, T::Unit)?, self.var(scope, T::Unit)?);
        let until = self.until(scope);
        Some(match self.lots.below(6) {
            0 | 1 => {
                self.form("grant");
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
        let also = if self.one_in(3) { format!(" and {}", self.flag(scope, 1)) } else { String::new() };
        format!("var {i} : Int = 0\nrepeat {{\nset {i} += 1\n{body}}} while {i} < {most}{also}")
    }

    fn decision(&mut self, scope: &mut Scope) -> Option<String> {
        if !self.takes(4) {
            return None;
        }
        let name = self.fresh("c");
        let inner = scope.with(&name, T::Unit);
        Some(match self.lots.below(10) {
            0 => {
                self.site(&name, &[&format!("most {name}.hp"), &format!("least {name}.mark")]);
                self.form("choose one");
                let list = self.things_of(scope, T::Unit);
                scope.vars.push((name.clone(), T::Unit));
                format!("choose {name} in {list}")
            }
            1 => {
                self.form("choose or none");
                self.site(&name, &["none"]);
                let (list, cond, then) = (self.things_of(scope, T::Unit), self.flag(&inner, 1), self.fresh("g"));
                let block = self.block(&scope.with(&then, T::Unit), 1);
                let prefer = match self.lots.below(3) {
                    0 => format!(" prefer when {}", self.flag(&inner, 0)),
                    1 => format!(" prefer none when {}", self.flag(scope, 0)),
                    _ => String::new(),
                };
                format!("choose {name} in {list} where {cond} or none{prefer}\nif {name} is some {then} {block}")
            }
            2 => {
                self.form("choose prefer most");
                let (list, key) = (self.things_of(scope, T::Unit), self.int(&inner, 1));
                scope.vars.push((name.clone(), T::Unit));
                format!("choose {name} in {list} prefer {} {key}", self.lots.of(&["most", "least"]))
            }
            3 => {
                self.form("choose prefer when");
                let (list, cond) = (self.things_of(scope, T::Unit), self.flag(&inner, 1));
                scope.vars.push((name.clone(), T::Unit));
                format!("choose {name} in {list} prefer when {cond}")
            }
            4 | 5 => {
                self.form("choose several");
                self.site(&name, &[&format!("least {name}.hp"), &format!("most {name}.mark")]);
                let amount = self.lots.of(&["0 .. 2", "1 .. 2", "2", "1 .. 3"]);
                let (list, key, cond) = (self.things_of(scope, T::Unit), self.int(&inner, 0), self.flag(&inner, 0));
                let prefer = match self.lots.below(4) {
                    0 => {
                        self.form("choose several prefer most");
                        format!(" prefer most {key}")
                    }
                    1 => format!(" prefer least {key}"),
                    2 => {
                        self.form("choose several prefer when");
                        format!(" prefer when {cond}")
                    }
                    _ => String::new(),
                };
                scope.vars.push((name.clone(), T::Units));
                format!("choose {amount} of {name} in {list}{prefer}")
            }
            6 => {
                self.form("choose several numbers");
                let list = self.var(scope, T::Ints)?;
                scope.vars.push((name.clone(), T::Ints));
                format!("choose 1 .. 2 of {name} in {list} + [1]")
            }
            7 => {
                self.form("choose an option");
                self.site(&name, &["hold", "go", "hold when day > 0"]);
                let (a, b) = (self.block(scope, 1), self.block(scope, 1));
                let when = if self.one_in(2) { format!(" when {}", self.flag(scope, 1)) } else { String::new() };
                let prefer = match self.lots.below(3) {
                    0 => " prefer".to_string(),
                    1 => format!(" prefer when {}", self.flag(scope, 0)),
                    _ => String::new(),
                };
                let other =
                    if self.one_in(2) { format!(" prefer when {}", self.flag(scope, 0)) } else { String::new() };
                format!("choose {name} {{\nhold{when}{prefer} => {a}\ngo{other} => {b}\n}}")
            }
            _ => {
                self.form("may");
                self.site(&name, &["yes", "no", "yes when day > 0"]);
                let when = if self.one_in(2) { format!(" when {}", self.flag(scope, 1)) } else { String::new() };
                let prefer = match self.lots.below(4) {
                    0 => String::new(),
                    1 => " prefer".to_string(),
                    _ => format!(" prefer when {}", self.flag(scope, 0)),
                };
                let block = self.block(scope, 1);
                format!("may {name}{when}{prefer} {block}")
            }
        })
    }

    fn site(&mut self, name: &str, answers: &[&str]) {
        self.sites.push((name.to_string(), answers.iter().map(ToString::to_string).collect()));
    }

    fn destroy(&mut self, scope: &mut Scope) -> Option<String> {
        if scope.in_loop {
            return None;
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

    fn call(&mut self, scope: &mut Scope) -> Option<String> {
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
        match self.lots.below(4) {
            0 => {
                self.form("tally");
                Some(format!("set shots += {}", self.int(scope, 0)))
            }
            1 if scope.depth == 0 => {
                self.form("spawn");
                let (s, name) = (self.var(scope, T::Side)?, self.fresh("new"));
                let text = format!("spawn {name} : Unit {{ side = {s}; hp = {} }}", self.int(scope, 0));
                scope.vars.push((name, T::Unit));
                Some(text)
            }
            _ => None,
        }
    }
}
