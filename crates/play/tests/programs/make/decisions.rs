//! Makes decisions.

use super::{Make, Scope, T};

impl Make {
    pub fn decision(&mut self, scope: &mut Scope) -> Option<String> {
        if !self.takes(4) {
            return None;
        }
        let name = self.fresh("c");
        let by = match self.var(scope, T::Man) {
            Some(m) if self.one_in(4) => {
                self.form("decision of a thing without an owner");
                format!(" by {m}")
            }
            _ => self.by(scope),
        };
        let inner = scope.with(&name, T::Unit);
        Some(match self.lots.below(10) {
            0 => {
                self.site(&name, &[&format!("most {name}.hp"), &format!("least {name}.mark")]);
                self.form("choose one");
                let list = self.things_of(scope, T::Unit);
                scope.vars.push((name.clone(), T::Unit));
                format!("choose {name}{by} in {list}")
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
                format!("choose {name}{by} in {list} where {cond} or none{prefer}\nif {name} is some {then} {block}")
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
                format!("choose {name}{by} in {list} prefer when {cond}")
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
                format!("may {name}{by}{when}{prefer} {block}")
            }
        })
    }

    fn site(&mut self, name: &str, answers: &[&str]) {
        self.sites.push((name.to_string(), answers.iter().map(ToString::to_string).collect()));
    }
}
