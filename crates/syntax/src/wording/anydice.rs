//! Lines of AnyDice, and their forms in the rules language.
//!
//! Covered: `output`, `named`, arithmetic, comparisons, `&`, `|`, dice (`3d6`, `4d{-1..1}`, `10d(d6>=5)`), `2@3d6`, and the
//! functions `highest`, `lowest`, `middle`, `count`, `absolute`, `explode`, `maximum`. Names, `loop` and `function` are not.

use super::notation::{Custom, Notation, best_words, entries};

/// Maximum number of nested expressions.
const DEEP: usize = 20;

/// An expression: how it is written as a number, and as a pool of dice if it is one.
#[derive(Clone)]
struct Value {
    /// The number in the rules language.
    form: String,
    /// The description for readers.
    words: String,
    /// How tightly the form binds: 0 conditions, 1 comparisons, 2 sums, 3 products, 4 a single value.
    binds: u8,
    /// Parts before the expression.
    before: String,
    dice: Option<Dice>,
    /// The number itself, if it is written as one.
    number: Option<i64>,
}

/// A pool of equal dice.
#[derive(Clone)]
struct Dice {
    many: u32,
    die: Die,
}

#[derive(Clone)]
enum Die {
    Plain(u32),
    Faces(Custom),
}

impl Dice {
    fn pool(&self) -> Option<String> {
        match &self.die {
            Die::Plain(sides) => Some(format!("{} of d{sides}", self.many)),
            Die::Faces(custom) => custom.pool(self.many),
        }
    }

    fn words(&self) -> String {
        match &self.die {
            Die::Plain(sides) => format!("{} d{sides}", self.many),
            Die::Faces(custom) => format!("{} times {}", self.many, custom.words()),
        }
    }
}

impl Value {
    fn new(form: String, words: String, binds: u8) -> Value {
        Value { form, words, binds, before: String::new(), dice: None, number: None }
    }

    /// Returns the form, in parentheses if it binds less tightly than `binds`.
    fn inside(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.form) } else { self.form.clone() }
    }
}

struct Parser<'t> {
    rest: &'t str,
    /// Names for parts before the expression that are still free.
    names: Vec<&'static str>,
    depth: usize,
}

/// Reads a line of AnyDice. Returns `None` if it is not one, or if it uses a form that is not covered.
pub(super) fn read(text: &str) -> Option<Notation> {
    let line = text.trim();
    let (line, printed) = match line.strip_prefix("output").filter(|rest| rest.starts_with([' ', '[', '('])) {
        Some(rest) => (rest.trim(), true),
        None => (line, false),
    };
    let line = line.split_once(" named ").map_or(line, |(line, _)| line).trim().trim_end_matches(';');
    if !printed && !line.contains(['[', '@', '{']) && !line.contains("d(") && !line.contains("d (") {
        return None;
    }
    let mut parser = Parser { rest: line, names: vec!["x", "y", "z"], depth: 0 };
    let found = parser.condition()?;
    parser.space();
    let form = match &found.dice {
        // the whole expression needs no parentheses
        Some(Dice { die: Die::Faces(_), .. }) => {
            found.form.strip_prefix('(').and_then(|form| form.strip_suffix(')')).unwrap_or(&found.form)
        }
        _ => &found.form,
    };
    parser.rest.is_empty().then(|| Notation { form: found.before.clone() + form, words: found.words })
}

impl<'t> Parser<'t> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Consumes a keyword, and returns whether it was there.
    fn word(&mut self, word: &str) -> bool {
        self.space();
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        match self.rest.strip_prefix(word).filter(|rest| ends(rest)) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn digits(&mut self) -> Option<u32> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest[..end].parse().ok().filter(|n| *n <= 1_000_000)?;
        self.rest = &self.rest[end..];
        Some(number)
    }

    /// Takes the text up to a sign, and the sign.
    fn until(&mut self, sign: char) -> Option<&'t str> {
        let (inside, rest) = self.rest.split_once(sign)?;
        self.rest = rest;
        Some(inside)
    }

    /// Parses a condition such as `a = b | c > d`, or a value.
    fn condition(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > DEEP {
            return None;
        }
        let mut left = self.comparison()?;
        loop {
            let word = if self.take("&") {
                "and"
            } else if self.take("|") {
                "or"
            } else {
                break;
            };
            let right = self.comparison()?;
            if left.binds > 1 || right.binds > 1 {
                return None;
            }
            left = self.joined(&left, word, &right, 0, (1, 1));
        }
        self.depth -= 1;
        Some(left)
    }

    fn comparison(&mut self) -> Option<Value> {
        let left = self.sum()?;
        let signs = [
            (">=", ">=", "at least"),
            ("<=", "<=", "at most"),
            ("!=", "!=", "not"),
            (">", ">", "more than"),
            ("<", "<", "less than"),
            ("=", "==", "exactly"),
        ];
        for (sign, ours, words) in signs {
            if self.take(sign) {
                let right = self.sum()?;
                let mut found = self.joined(&left, ours, &right, 1, (2, 2));
                found.words = format!("whether {} is {words} {}", left.words, right.words);
                return Some(found);
            }
        }
        Some(left)
    }

    fn sum(&mut self) -> Option<Value> {
        let mut left = self.product()?;
        loop {
            if self.take("+") {
                let right = self.product()?;
                left = self.joined(&left, "+", &right, 2, (2, 2));
            } else if self.take("-") {
                let right = self.product()?;
                left = self.joined(&left, "-", &right, 2, (2, 3));
            } else {
                return Some(left);
            }
        }
    }

    fn product(&mut self) -> Option<Value> {
        let mut left = self.unary()?;
        loop {
            if self.take("*") {
                let right = self.unary()?;
                left = self.joined(&left, "*", &right, 3, (3, 3));
            } else if self.take("/") {
                let right = self.unary()?;
                let divided = self.joined(&left, "/", &right, 2, (3, 4));
                let words = format!("{} divided by {}, rounded down", left.words, right.words);
                // `rounded` applies to all arithmetic to its left
                left = Value { form: format!("{} rounded down", divided.form), words, binds: 1, ..divided };
            } else {
                return Some(left);
            }
        }
    }

    fn unary(&mut self) -> Option<Value> {
        if self.take("-") {
            let of = self.unary()?;
            return Some(Value {
                form: format!("-{}", of.inside(4)),
                words: format!("minus {}", of.words),
                binds: 3,
                dice: None,
                number: of.number.map(|n| -n),
                ..of
            });
        }
        self.selected()
    }

    /// Parses `2@3d6`: some of the dice, counted from the highest.
    fn selected(&mut self) -> Option<Value> {
        let start = self.rest;
        self.space();
        let positions = match self.take("{") {
            true => Some(entries(self.until('}')?)?),
            false => self.digits().map(|n| vec![n.into()]),
        };
        let Some(positions) = positions.filter(|_| self.take("@")) else {
            self.rest = start;
            return self.dice();
        };
        let of = self.dice()?;
        let dice = of.dice.clone()?;
        let pool = dice.pool()?;
        match positions.as_slice() {
            [n] => {
                let form = format!("nth({n}, highest({n}, {pool})) otherwise 0");
                let words = format!("number {n} of {}, from the highest", dice.words());
                Some(Value { form, words, binds: 0, dice: None, ..of })
            }
            all if all.iter().zip(1..).all(|(n, own)| *n == own) => self.best("highest", all.len() as u32, &of),
            _ => None,
        }
    }

    /// Parses `3d6`, `d{2, 3}`, `10d(d6 >= 5)`, or another value.
    fn dice(&mut self) -> Option<Value> {
        self.space();
        let count = self.digits();
        let is_die = self.rest.starts_with(['d', 'D'])
            && !self.rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_die {
            return match count {
                Some(n) => Some(Value { number: Some(n.into()), ..Value::new(n.to_string(), n.to_string(), 4) }),
                None => self.primary(),
            };
        }
        self.rest = &self.rest[1..];
        let many = count.unwrap_or(1);
        if self.take("{") {
            let custom = Custom::of(self.until('}')?)?;
            let words = match many {
                1 => custom.words(),
                _ => format!("{many} times {}, added up", custom.words()),
            };
            let dice = Some(Dice { many, die: Die::Faces(custom.clone()) });
            return Some(Value { dice, ..Value::new(custom.sum(many)?, words, 4) });
        }
        if self.take("(") {
            return self.counted(many);
        }
        let sides = self.digits().filter(|sides| *sides > 0)?;
        let written = count.map_or(format!("d{sides}"), |count| format!("{count}d{sides}"));
        let words = if many == 1 { format!("one d{sides}") } else { format!("{many} d{sides} added up") };
        Some(Value { dice: Some(Dice { many, die: Die::Plain(sides) }), ..Value::new(written, words, 4) })
    }

    /// Parses the rest of `10d(d6 >= 5)`.
    fn counted(&mut self, many: u32) -> Option<Value> {
        let inner = self.until(')')?.trim();
        let mut inner = Parser { rest: inner, names: Vec::new(), depth: self.depth };
        let die = inner.dice()?.dice.filter(|dice| dice.many == 1)?;
        inner.space();
        let signs = [(">=", ">="), ("<=", "<="), ("!=", "!="), (">", ">"), ("<", "<"), ("=", "==")];
        let (sign, ours) = signs.into_iter().find(|(sign, _)| inner.rest.starts_with(sign))?;
        let face: i64 = inner.rest[sign.len()..].trim().parse().ok()?;
        let dice = Dice { many, ..die };
        let form = format!("count {} {ours} {face}", dice.pool()?);
        Some(Value::new(form, format!("how many of {} are {ours} {face}", dice.words()), 0))
    }

    fn primary(&mut self) -> Option<Value> {
        if self.take("(") {
            let inner = self.condition()?;
            return self.take(")").then(|| Value { form: inner.inside(4), binds: 4, dice: None, ..inner });
        }
        self.take("[").then_some(())?;
        let found = self.function()?;
        self.take("]").then_some(found)
    }

    fn function(&mut self) -> Option<Value> {
        for (word, two) in [("highest", "max"), ("lowest", "min")] {
            if self.word(word) {
                if self.word("of") {
                    let left = self.sum()?;
                    self.word("and").then_some(())?;
                    let right = self.sum()?;
                    let form = format!("{two}({}, {})", left.form, right.form);
                    let words = format!("the {word} of {} and {}", left.words, right.words);
                    let before = left.before + &right.before;
                    return Some(Value { before, ..Value::new(form, words, 4) });
                }
                self.space();
                let left = self.digits()?;
                self.word("of").then_some(())?;
                let of = self.dice()?;
                return self.best(word, left, &of);
            }
        }
        if self.word("middle") {
            self.space();
            let left = self.digits()?;
            self.word("of").then_some(())?;
            return self.middle(left);
        }
        if self.word("maximum") {
            self.word("of").then_some(())?;
            let dice = self.dice()?.dice.filter(|dice| dice.many == 1)?;
            let most = match dice.die {
                Die::Plain(sides) => sides.into(),
                Die::Faces(custom) => *custom.faces.last()?,
            };
            return Some(Value { number: Some(most), ..Value::new(most.to_string(), most.to_string(), 4) });
        }
        if self.word("absolute") {
            let of = self.condition()?;
            let name = self.name()?;
            let before = format!("{}{name} = {}; ", of.before, of.form);
            let words = format!("{}, without its sign", of.words);
            return Some(Value { before, ..Value::new(format!("max({name}, 0 - {name})"), words, 4) });
        }
        if self.word("explode") {
            let Dice { many: 1, die: Die::Plain(sides) } = self.dice()?.dice? else { return None };
            let name = self.name()?;
            let before = format!("{name} = 1 of d{sides}; explode k in {name} where k == {sides} at most 2; ");
            let words = format!("a d{sides} that is rolled again and added on {sides}, at most twice");
            return Some(Value { before, ..Value::new(format!("total({name})"), words, 4) });
        }
        self.word("count").then_some(())?;
        self.count()
    }

    /// Parses the rest of `[count {1, 6} in 5d6]`.
    fn count(&mut self) -> Option<Value> {
        let faces = if self.take("{") {
            let text = self.until('}')?;
            entries(text)?
        } else {
            self.space();
            vec![self.digits()?.into()]
        };
        self.word("in").then_some(())?;
        let dice = self.dice()?.dice?;
        let pool = dice.pool()?;
        let shown: Vec<String> = faces.iter().map(i64::to_string).collect();
        let words = format!("how many of {} show {}", dice.words(), shown.join(" or "));
        Some(match shown.as_slice() {
            [one] => Value::new(format!("count {pool} == {one}"), words, 0),
            all => Value::new(format!("count k in {pool} where k in [{}]", all.join(", ")), words, 0),
        })
    }

    /// Parses the pool of `[middle 1 of 3d20]`.
    fn middle(&mut self, left: u32) -> Option<Value> {
        let dice = self.dice()?.dice?;
        let (many, pool) = (dice.many, dice.pool()?);
        if left == 0 || left > many || (many - left) % 2 == 1 {
            return None;
        }
        let words = format!("the middle {left} of {}", dice.words());
        let form = match left {
            1 => format!("median({pool})"),
            _ => format!("total(lowest({left}, highest({}, {pool})))", left + (many - left) / 2),
        };
        Some(Value::new(form, words, 4))
    }

    fn best(&self, which: &str, left: u32, of: &Value) -> Option<Value> {
        let dice = of.dice.as_ref()?;
        let words = match &dice.die {
            Die::Plain(sides) => best_words(which, left, dice.many, sides),
            Die::Faces(_) => format!("the {which} {left} of {}, added up", dice.words()),
        };
        Some(Value::new(format!("total({which}({left}, {}))", dice.pool()?), words, 4))
    }

    fn name(&mut self) -> Option<&'static str> {
        (!self.names.is_empty()).then(|| self.names.remove(0))
    }

    /// Joins two values by a sign. `binds` is that of the result, `left` and `right` the least that the sides need.
    fn joined(&self, a: &Value, sign: &str, b: &Value, binds: u8, (left, right): (u8, u8)) -> Value {
        let words = match sign {
            "+" => format!("{} plus {}", a.words, b.words),
            "-" => format!("{} minus {}", a.words, b.words),
            "*" => format!("{} times {}", a.words, b.words),
            _ => format!("{} {sign} {}", a.words, b.words),
        };
        let form = format!("{} {sign} {}", a.inside(left), b.inside(right));
        Value { before: format!("{}{}", a.before, b.before), ..Value::new(form, words, binds) }
    }
}
