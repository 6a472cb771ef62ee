//! Makes rolls, rerolls and draws.

use super::{Make, Scope, T};

impl Make {
    /// Makes a roll, a reroll or a draw. Returns `None` if chance has no ways left.
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
                let again = if self.one_in(3) { self.again_in_pool(&name) } else { None };
                let again = again.map_or(String::new(), |again| format!("\n{again}"));
                if self.one_in(6) {
                    self.form("pool of no dice");
                    let of = self.int(scope, 0);
                    return Some(format!("roll {name}{by} = remainder({of}, 2) of d{sides}{again}"));
                }
                Some(format!("roll {name}{by} = {n} of d{sides}{again}"))
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
                let roll = format!("roll {name}{by} = d{sides}");
                let beside = if self.one_in(3) { self.second_die(scope, &name) } else { None };
                Some(beside.map_or(roll.clone(), |beside| format!("{roll}\n{beside}")))
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
                self.again_in_pool(&pool)
            }
            _ if self.parts.plain => None,
            _ => self.draw(scope),
        }
    }

    /// Makes a second die, and what is read of both. The state can change between the rolls, and before the dice are read.
    fn second_die(&mut self, scope: &mut Scope, first: &str) -> Option<String> {
        let sides = self.number(2, 4);
        if !self.takes(sides) {
            return None;
        }
        self.form("two dice");
        let between = |make: &mut Self, scope: &mut Scope| {
            let change = if !scope.pure && make.one_in(3) { make.set_figure(scope) } else { None };
            change.map_or(String::new(), |change| format!("{change}\n"))
        };
        let before = between(self, scope);
        let (second, name) = (self.fresh("r"), self.fresh("k"));
        scope.vars.push((second.clone(), T::Int));
        let after = between(self, scope);
        let (a, b, op) = (self.int(scope, 0), self.int(scope, 0), self.lots.of(&["<", "==", ">="]));
        let value = match self.lots.below(6) {
            0 => format!("if {first} {op} {second} then {a} else {b}"),
            1 => format!("if {first} + {a} {op} {second} + {b} then 1 else 0"),
            2 => format!("count x in [{first}, {second}] where x > {a}"),
            3 => format!("match {first} + {second} {{ under 4 => {a}; 4 to 5 => {b}; over 5 => 7 }}"),
            4 => format!("max({first}, {second}) - min({first}, {a})"),
            _ => format!("total([{first}, {second}]) + size([{first}] - [{second}, {b}])"),
        };
        scope.vars.push((name.clone(), T::Int));
        Some(format!("{before}roll {second} = d{sides}\n{after}let {name} = {value}"))
    }

    fn again_in_pool(&mut self, pool: &str) -> Option<String> {
        if !self.takes(6) {
            return None;
        }
        let (op, k) = (self.lots.of(&["==", "<=", "!="]), self.number(1, 2));
        Some(match self.lots.below(3) {
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

    pub fn by(&mut self, scope: &Scope) -> String {
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
        let list = match self.thing(scope) {
            Some(u) if self.one_in(2) => Some(format!("{u}.bag")),
            _ => self.var(scope, T::Ints),
        };
        if let Some(list) = list
            && self.one_in(2)
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
}
