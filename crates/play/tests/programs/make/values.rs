//! Makes values: numbers, conditions, things and lists.

use super::{Make, Scope, T};

impl Make {
    /// Returns an expression of a number.
    pub fn int(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            return self.small_int(scope);
        }
        let d = depth - 1;
        if let Some(list) = self.var(scope, T::Ints)
            && self.one_in(3)
        {
            return self.of_list(scope, &list);
        }
        match self.lots.below(25) {
            0..=3 => self.small_int(scope),
            4 | 5 => {
                self.form("sum");
                format!("({} + {})", self.int(scope, d), self.int(scope, d))
            }
            6 => {
                self.form("difference");
                format!("({} - {})", self.int(scope, d), self.int(scope, d))
            }
            7 => {
                self.form("product");
                format!("({} * {})", self.int(scope, d), self.number(2, 3))
            }
            8 => {
                self.form("precedence without brackets");
                let (a, b, c) = (self.small_int(scope), self.number(2, 3), self.small_int(scope));
                let text = match self.lots.below(4) {
                    0 => format!("{a} + {b} * {c}"),
                    1 => format!("{a} * {b} - {c}"),
                    2 => format!("{a} - {b} - {c}"),
                    _ => format!("-{a} + {b}"),
                };
                format!("({text})")
            }
            9 | 10 => self.rounded(scope, d),
            11 => {
                self.form("remainder");
                format!("remainder({}, {})", self.int(scope, d), self.number(2, 4))
            }
            12 => {
                self.form("min max");
                let word = self.lots.of(&["min", "max"]);
                format!("{word}({}, {})", self.int(scope, d), self.int(scope, d))
            }
            13 => {
                self.form("if as a value");
                format!("(if {} then {} else {})", self.flag(scope, d), self.int(scope, d), self.int(scope, d))
            }
            14 => self.matched(scope, d),
            15 | 16 => {
                self.form("count in a list");
                let (name, list, ty) = self.each_of(scope);
                let inner = scope.with(&name, ty);
                format!("(count {name} in {list} where {})", self.flag(&inner, d))
            }
            17 => {
                self.form("sum in a list");
                let (name, list, ty) = self.each_of(scope);
                let inner = scope.with(&name, ty);
                let (cond, of) = (self.flag(&inner, d), self.int(&inner, 0));
                format!("(sum {name} in {list} where {cond} of {of})")
            }
            18 | 22 | 23 if self.parts.plain => self.small_int(scope),
            18 => {
                if self.one_in(2) {
                    self.form("with_fallen");
                    let list = match (self.var(scope, T::Side), self.var(scope, T::Pile), self.thing(scope)) {
                        (_, _, Some(u)) if self.parts.groups => format!("{u}.men"),
                        (_, Some(p), _) if self.one_in(2) => format!("{p}.fleet"),
                        (Some(s), ..) => format!("{s}.units"),
                        _ => return self.small_int(scope),
                    };
                    match self.lots.below(2) {
                        0 => format!("size(with_fallen({list}))"),
                        _ => {
                            let name = self.fresh("f");
                            format!("(count {name} in with_fallen({list}) where not {name}.alive)")
                        }
                    }
                } else {
                    let list = self.things(scope);
                    self.form("size of a list");
                    format!("size({list})")
                }
            }
            19 => match self.thing(scope) {
                Some(u) if self.parts.chains => {
                    self.form("faces of a chain");
                    match self.lots.below(3) {
                        0 => format!("faces({u}.q)"),
                        1 => format!("faces(closed({u}.q up {}))", self.int(scope, 0)),
                        _ => {
                            self.form("past the end of a chain");
                            let n = self.fresh("n");
                            format!(
                                "(match first {u}.q down {} {{ past top {n} => {n}; past bottom {n} => 0 - {n}; d6 => 60; else => 1 }})",
                                self.int(scope, 0)
                            )
                        }
                    }
                }
                _ => self.small_int(scope),
            },
            20 if self.parts.tables => {
                self.form("table");
                format!("chart(max(1, min(6, {})), {})", self.int(scope, d), self.mood(scope))
            }
            21 => {
                self.form("let with parameters");
                format!("twice({})", self.int(scope, d))
            }
            22 => {
                self.form("otherwise");
                let best = self.lots.of(&["most", "least"]);
                let (name, list, ty) = self.each_of_things(scope);
                let inner = scope.with(&name, ty);
                let (key, field) = (self.int(&inner, 0), self.figure(ty));
                format!("(({best} {name} in {list} by {key}).{field} otherwise {})", self.number(0, 3))
            }
            23 if self.parts.groups && self.one_in(2) => match self.var(scope, T::Man) {
                Some(m) => {
                    self.form("nearest");
                    let (what, x) = (self.lots.of(&["nearest", "farthest"]), self.fresh("m"));
                    let cond = if self.one_in(2) { format!(" where {x} != {m}") } else { String::new() };
                    format!("(({what} {x} in Man to {m}{cond}).rank otherwise 9)")
                }
                None => self.small_int(scope),
            },
            23 => {
                self.form("gathered field");
                format!("total({}.{})", self.things_of(scope, T::Unit), self.lots.of(&["hp", "mark"]))
            }
            _ => {
                self.form("day between angles");
                let (a, b) = (self.int(scope, 0), self.int(scope, 0));
                format!(
                    "(if turn_between({a} * 50°, {b} * 100°) <= {}° then 1 else 0)",
                    self.lots.of(&["0", "45", "90", "150"])
                )
            }
        }
    }

    fn rounded(&mut self, scope: &Scope, d: usize) -> String {
        let way = match self.lots.below(3) {
            0 => {
                self.form("rounded down");
                "down"
            }
            1 => {
                self.form("rounded up");
                "up"
            }
            _ => {
                self.form("rounded nearest");
                "nearest"
            }
        };
        match self.lots.below(4) {
            0 => {
                self.form("percentage of a number");
                format!("({} * {}% rounded {way})", self.int(scope, d), self.lots.of(&["25", "50", "75", "150"]))
            }
            1 => {
                self.form("fraction added to a number");
                format!("(({} / {} + {}) rounded {way})", self.int(scope, d), self.number(2, 4), self.int(scope, 0))
            }
            2 => {
                self.form("brackets around rounding");
                format!("({} - ({} / 2 rounded {way}))", self.int(scope, 0), self.int(scope, d))
            }
            _ => format!("({} / {} rounded {way})", self.int(scope, d), self.number(2, 4)),
        }
    }

    fn matched(&mut self, scope: &Scope, d: usize) -> String {
        match self.lots.below(4) {
            0 => {
                self.form("match on cases");
                let on = self.mood(scope);
                let (a, b) = (self.int(scope, d), self.int(scope, 0));
                format!("(match {on} {{ Calm => {a}; Wary | Wild => {b} }})")
            }
            1 => {
                self.form("match on bands");
                let k = self.number(0, 4);
                let of = self.int(scope, d);
                format!(
                    "(match {of} {{ under {k} => {}; {k} to {} => {}; over {} => {} }})",
                    self.int(scope, 0),
                    k + 2,
                    self.int(scope, 0),
                    k + 2,
                    self.int(scope, 0)
                )
            }
            2 => {
                self.form("match first with conditions");
                let of = self.int(scope, d);
                format!(
                    "(match first {of} {{ at least {} when {} => {}; at most {} => {}; else => {} }})",
                    self.number(1, 3),
                    self.flag(scope, 0),
                    self.int(scope, 0),
                    self.number(0, 2),
                    self.int(scope, 0),
                    self.int(scope, 0)
                )
            }
            _ => match self.thing(scope) {
                Some(u) => {
                    self.form("match on what may be missing");
                    let f = self.fresh("f");
                    format!("(match {u}.foe {{ none => {}; some {f} => {f}.hp }})", self.int(scope, 0))
                }
                None => self.small_int(scope),
            },
        }
    }

    /// Returns a number that is worked out from a list of numbers.
    pub fn of_list(&mut self, scope: &Scope, list: &str) -> String {
        let k = self.number(1, 3);
        match self.lots.below(12) {
            7 if self.parts.plain => format!("total({list})"),
            0 | 1 => {
                self.form("total");
                format!("total({list})")
            }
            2 => {
                self.form("highest");
                format!("total(highest({k}, {list}))")
            }
            3 => {
                self.form("lowest");
                format!("total(lowest({k}, {list}))")
            }
            4 => {
                self.form("nth");
                let k = k - i64::from(self.one_in(4));
                format!("(nth({k}, {list}) otherwise 9)")
            }
            5 => {
                self.form("median");
                format!("(median(all z in {list} where z > 1) otherwise 9)")
            }
            6 => {
                self.form("mode");
                format!("(mode({list} + [2]))")
            }
            7 => {
                self.form("distinct");
                format!("distinct({list})")
            }
            8 => {
                self.form("lists side by side");
                let other = self.var(scope, T::Ints).unwrap_or_else(|| list.to_string());
                format!("(count x in highest(2, {list}) against y in highest(2, {other}) where x > y)")
            }
            9 => {
                self.form("list less entries");
                format!("size({list} - [{k}, 2])")
            }
            _ => {
                self.form("count of a pool");
                let op = self.lots.of(&[">=", "<", "==", "!="]);
                format!("(count {list} {op} {k})")
            }
        }
    }

    fn small_int(&mut self, scope: &Scope) -> String {
        match self.lots.below(8) {
            0 | 1 => match self.var(scope, T::Int) {
                Some(name) => name,
                None => self.number(0, 4).to_string(),
            },
            2 | 3 => match self.thing(scope) {
                Some(u) => {
                    self.form("figure of a thing");
                    format!("{u}.{}", self.figure(T::Unit))
                }
                None => self.number(0, 4).to_string(),
            },
            4 => {
                self.form("state of the game");
                "day".into()
            }
            5 => {
                self.form("param");
                "hit_on".into()
            }
            6 if self.parts.groups => match self.var(scope, T::Man) {
                Some(m) => format!("{m}.{}", self.figure(T::Man)),
                None => self.number(0, 4).to_string(),
            },
            _ => self.number(0, 4).to_string(),
        }
    }

    pub fn figure(&mut self, ty: T) -> &'static str {
        match ty {
            T::Man => self.lots.of(&["rank", "tired"]),
            _ => match self.lots.of(&["hp", "mark", "nv", "power"]) {
                "hp" => "hp",
                "mark" => "mark",
                "nv" => "nv",
                _ => {
                    self.form("derived figure");
                    "power"
                }
            },
        }
    }

    fn mood(&mut self, scope: &Scope) -> String {
        match self.thing(scope) {
            Some(u) if self.one_in(2) => format!("{u}.mood"),
            Some(u) => {
                self.form("next case");
                format!("next({u}.mood)")
            }
            None => self.lots.of(&["Mood.Calm", "Mood.Wild"]).into(),
        }
    }

    /// Returns an expression of a unit, or `None` if no unit is known.
    pub fn thing(&mut self, scope: &Scope) -> Option<String> {
        match self.var(scope, T::Man) {
            Some(m) if self.one_in(5) => Some(format!("{m}.unit")),
            _ => self.var(scope, T::Unit),
        }
    }

    /// Returns a list of units or men.
    pub fn things(&mut self, scope: &Scope) -> String {
        let ty = if self.parts.groups && self.one_in(3) { T::Man } else { T::Unit };
        self.things_of(scope, ty)
    }

    pub fn things_of(&mut self, scope: &Scope, ty: T) -> String {
        if ty == T::Man {
            return match self.thing(scope) {
                Some(u) => format!("{u}.men"),
                None => "(all m in Man where m.rank > 0)".into(),
            };
        }
        match self.lots.below(5) {
            0 => match self.var(scope, T::Side) {
                Some(s) => {
                    self.form("list that is looked up");
                    format!("{s}.units")
                }
                None => "(all v in Unit where v.hp > 0)".into(),
            },
            1 => match self.var(scope, T::Pile) {
                Some(p) => {
                    self.form("stored list of things");
                    format!("{p}.fleet")
                }
                None => "(all v in Unit where v.mark < 2)".into(),
            },
            2 => match self.var(scope, T::Units) {
                Some(list) => list,
                None => "(all v in Unit where v.hp < 3)".into(),
            },
            _ => {
                self.form("all in a list");
                let v = self.fresh("v");
                let inner = scope.with(&v, T::Unit);
                format!("(all {v} in Unit where {})", self.flag(&inner, 0))
            }
        }
    }

    /// Returns a new name, the list that it loops over, and its type.
    pub fn each_of(&mut self, scope: &Scope) -> (String, String, T) {
        if let Some(list) = self.var(scope, T::Ints)
            && self.one_in(3)
        {
            return (self.fresh("x"), list, T::Int);
        }
        if self.one_in(6) {
            self.form("range of numbers");
            return (self.fresh("i"), format!("1 .. {}", self.number(1, 3)), T::Int);
        }
        self.each_of_things(scope)
    }

    pub fn each_of_things(&mut self, scope: &Scope) -> (String, String, T) {
        if self.parts.groups && self.one_in(3) {
            let list = match self.thing(scope) {
                Some(u) if self.one_in(2) => {
                    self.form("members of a group");
                    u
                }
                Some(u) => format!("{u}.men"),
                None => "Man".into(),
            };
            return (self.fresh("m"), list, T::Man);
        }
        let list = match self.lots.below(3) {
            0 if !self.parts.plain => self.things_of(scope, T::Unit),
            _ => {
                self.form("living things of a kind");
                "Unit".into()
            }
        };
        (self.fresh("u"), list, T::Unit)
    }

    /// Returns a condition.
    pub fn flag(&mut self, scope: &Scope, depth: usize) -> String {
        if depth > 0 {
            let d = depth - 1;
            match self.lots.below(10) {
                0 => {
                    self.form("and");
                    return format!("({} and {})", self.flag(scope, d), self.flag(scope, d));
                }
                1 => {
                    self.form("or");
                    return format!("({} or {})", self.flag(scope, d), self.flag(scope, d));
                }
                2 => {
                    self.form("not");
                    return format!("(not {})", self.flag(scope, d));
                }
                3 => {
                    self.form("any no every");
                    let (name, list, ty) = self.each_of(scope);
                    let inner = scope.with(&name, ty);
                    let cond = self.flag(&inner, d);
                    return match self.lots.below(3) {
                        0 => format!("(any {name} in {list} where {cond})"),
                        1 => format!("(no {name} in {list} where {cond})"),
                        _ => format!("(every {name} in {list}: {cond})"),
                    };
                }
                4 => {
                    self.form("share compared with a percentage");
                    // two written numbers may have a whole quotient, which cannot be compared with a share
                    let part = Some(self.int(scope, d)).filter(|n| n.parse::<i64>().is_err());
                    return format!(
                        "({} / {} {} {}%)",
                        part.unwrap_or("day".into()),
                        self.number(2, 4),
                        self.lots.of(&["<", ">=", "==", ">"]),
                        self.lots.of(&["25", "50", "75"])
                    );
                }
                _ => {}
            }
        }
        let op = self.lots.of(&["<", "<=", ">", ">=", "==", "!="]);
        match self.lots.below(15) {
            0 | 1 => match self.thing(scope) {
                Some(u) => {
                    self.form("flag of a thing");
                    format!("{u}.{}", self.lots.of(&["acted", "weak", "alive"]))
                }
                None => format!("day {op} {}", self.number(0, 2)),
            },
            2 => match (self.thing(scope), self.parts.statuses) {
                (Some(u), true) => {
                    self.form("has a status");
                    format!("{u} {} {}", self.lots.of(&["has", "has no"]), self.lots.of(&["Fear", "Oath"]))
                }
                _ => format!("day {op} {}", self.number(0, 2)),
            },
            3 => match (self.thing(scope), self.parts.conditions) {
                (Some(u), true) => {
                    self.form("has a condition");
                    format!("{u} has Low")
                }
                _ => format!("day {op} {}", self.number(0, 2)),
            },
            4 => match (self.thing(scope), self.thing(scope)) {
                (Some(a), Some(b)) if a != b => {
                    self.form("same thing");
                    format!("{a} {} {b}", self.lots.of(&["==", "!="]))
                }
                _ => format!("day {op} {}", self.number(0, 2)),
            },
            12 if self.parts.groups => match (self.var(scope, T::Man), self.var(scope, T::Man)) {
                (Some(m), Some(n)) if m != n => {
                    let k = self.number(0, 3);
                    if self.one_in(2) {
                        self.form("within");
                        format!("({m} within {k}\" of {n})")
                    } else {
                        self.form("dist");
                        format!("(dist({m}, {n}) {op} {k}\")")
                    }
                }
                _ => format!("day {op} {}", self.number(0, 2)),
            },
            5 => match self.thing(scope) {
                Some(u) => {
                    self.form("is some, bound to the right");
                    let f = self.fresh("f");
                    format!("({u}.foe is some {f} and {f}.hp {op} {})", self.number(0, 2))
                }
                None => format!("day {op} {}", self.number(0, 2)),
            },
            6 if !self.parts.plain => match self.thing(scope) {
                Some(u) => {
                    self.form("in a list");
                    let no = self.lots.of(&["in", "not in"]);
                    format!("({u} {no} {})", self.things_of(scope, T::Unit))
                }
                None => format!("day {op} {}", self.number(0, 2)),
            },
            7 => match self.var(scope, T::Ints) {
                Some(list) => {
                    self.form("any of a pool");
                    let what = self.lots.of(&["any", "no", "every"]);
                    format!("({what} {list} {op} {})", self.number(1, 3))
                }
                None => format!("day {op} {}", self.number(0, 2)),
            },
            8 => match self.thing(scope) {
                Some(u) => {
                    self.form("ordered cases compared");
                    format!("{u}.mood {op} {}", self.lots.of(&["Calm", "Wary", "Wild"]))
                }
                None => format!("day {op} {}", self.number(0, 2)),
            },
            9 if self.parts.phase => {
                self.form("running phase");
                "running(Turn)".into()
            }
            10 => match self.var(scope, T::Flag) {
                Some(name) => name,
                None => format!("day {op} {}", self.number(0, 2)),
            },
            11 => {
                self.form("reading");
                format!("way {} Old", self.lots.of(&["==", "!="]))
            }
            _ => {
                self.form("numbers compared");
                let (a, b) = (self.int(scope, depth), self.number(0, 4));
                format!("{a} {op} {b}")
            }
        }
    }
}
