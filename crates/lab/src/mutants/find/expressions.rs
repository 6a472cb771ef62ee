//! Finds changes of expressions.

use super::*;

/// Names of builtins that are opposites of each other.
const REVERSED: &[(&str, &str)] = &[("min", "max"), ("highest", "lowest"), ("in_front", "in_rear"), ("ahead", "rear")];
/// Sides of common dice.
const DICE: &[u32] = &[2, 3, 4, 6, 8, 10, 12, 20, 100];

impl Finder<'_> {
    /// Increases and decreases a number by 1. Only the number is shown.
    pub(super) fn number(&mut self, sort: MutationSort, span: Span, number: &Number) {
        self.number_in(sort, span, span, number);
    }

    /// Increases and decreases a number by 1, with another span that is shown.
    pub(super) fn number_in(&mut self, sort: MutationSort, shown: Span, span: Span, number: &Number) {
        for by in [1, -1] {
            if let Some(new) = written(number, by) {
                self.replace(sort, shown, span, new);
            }
        }
    }

    pub(super) fn exprs<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) {
        all.into_iter().for_each(|e| self.expr(e));
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        let whole = e.span;
        match &e.kind {
            ExprKind::Number(number) => self.number(MutationSort::Number, whole, number),
            ExprKind::Dice { count, sides, bare } => self.dice(whole, *count, *sides, *bare),
            ExprKind::Yes => self.replace(MutationSort::Flag, whole, whole, "no"),
            ExprKind::No => self.replace(MutationSort::Flag, whole, whole, "yes"),
            ExprKind::None | ExprKind::Name(_) | ExprKind::Upper(_) => {}
            ExprKind::Field(of, _) | ExprKind::Paren(of) | ExprKind::Neg(of) | ExprKind::Was(of) => self.expr(of),
            ExprKind::Call(of, args) => {
                if let ExprKind::Name(name) = &of.kind {
                    let pairs = REVERSED.iter().flat_map(|(a, b)| [(a, b), (b, a)]);
                    if let Some((_, other)) = pairs.into_iter().find(|(word, _)| *word == name) {
                        self.replace(MutationSort::Word, whole, of.span, *other);
                    }
                }
                self.expr(of);
                self.exprs(args.iter().map(|a| &a.value));
            }
            ExprKind::Tuple(all) | ExprKind::List(all) | ExprKind::Otherwise(all) => self.exprs(all),
            ExprKind::Arith { first, rest } => {
                let mut before = first.span.end;
                for (op, operand) in rest {
                    let other = match op {
                        ArithOp::Add => ArithOp::Sub,
                        ArithOp::Sub => ArithOp::Add,
                        ArithOp::Mul => ArithOp::Div,
                        ArithOp::Div => ArithOp::Mul,
                    };
                    let words = (op.op().written(), other.op().written());
                    self.swap_word(MutationSort::Word, whole, (before, operand.span.start), words);
                    before = operand.span.end;
                }
                self.expr(first);
                self.exprs(rest.iter().map(|(_, e)| e));
            }
            ExprKind::Rounded { value, to } => {
                let other = if *to == Rounding::Down { Rounding::Up } else { Rounding::Down };
                let word = |to: Rounding| to.op().written().trim_start_matches("rounded ");
                self.swap_word(MutationSort::Word, whole, (value.span.end, whole.end), (word(*to), word(other)));
                self.expr(value);
            }
            ExprKind::Shift { die, up, by } => {
                self.reversed(whole, (die.span.end, by.span.start), *up, ("up", "down"));
                self.exprs([&**die, &**by]);
            }
            ExprKind::Compare { left, op, right } => {
                self.compared(whole, *op, (left.span.end, right.span.start));
                self.exprs([&**left, &**right]);
            }
            ExprKind::Has { thing, no, name } => {
                let words = if *no { ("has no", "has") } else { ("has", "has no") };
                self.swap_word(MutationSort::Condition, whole, (thing.span.end, name.span.start), words);
                self.expr(thing);
            }
            ExprKind::Is { value, not, pattern } => {
                let words = if *not { ("is not", "is") } else { ("is", "is not") };
                self.swap_word(MutationSort::Condition, whole, (value.span.end, pattern.span.start), words);
                self.expr(value);
                self.pattern(whole, pattern);
            }
            ExprKind::In { value, not, range } => {
                let words = if *not { ("not in", "in") } else { ("in", "not in") };
                self.swap_word(MutationSort::Condition, whole, (value.span.end, range.span.start), words);
                self.expr(value);
                self.range(range);
            }
            ExprKind::Within { place, distance, of } => self.exprs([&**place, &**distance, &**of]),
            ExprKind::Nearer { place, to, than } => {
                self.swap(MutationSort::Condition, whole, to.span, than.span);
                self.exprs([&**place, &**to, &**than]);
            }
            ExprKind::Sees { from, to } => self.exprs([&**from, &**to]),
            ExprKind::Not(inner) => {
                let gone = self.span(whole.start as usize, inner.span.start as usize);
                self.replace(MutationSort::Condition, whole, gone, "");
                self.expr(inner);
            }
            ExprKind::And(all) => self.joined(whole, all, ("and", "or")),
            ExprKind::Or(all) => self.joined(whole, all, ("or", "and")),
            ExprKind::If { arms, otherwise } => {
                for (condition, _) in arms {
                    self.settled(whole, condition);
                }
                if let [(_, value)] = arms.as_slice() {
                    self.swap(MutationSort::Rows, whole, value.span, otherwise.span);
                }
                for (condition, value) in arms {
                    self.exprs([condition, value]);
                }
                self.expr(otherwise);
            }
            ExprKind::Match(found) => self.matching(found),
            ExprKind::Query { what, binds, filter, body } => {
                self.quantified(whole, *what);
                binds.iter().for_each(|(_, range)| self.range(range));
                if let Some(filter) = filter {
                    self.clause(whole, "where", Some(filter));
                }
                if let Some(body) = body {
                    self.expr(body);
                }
            }
            ExprKind::PoolQuery { what, pool, op, than } => {
                self.quantified(whole, *what);
                self.compared(whole, *op, (pool.span.end, than.span.start));
                self.exprs([&**pool, &**than]);
            }
        }
    }

    pub(super) fn range(&mut self, range: &Range) {
        self.expr(&range.low);
        range.high.iter().for_each(|high| self.expr(high));
    }

    fn dice(&mut self, whole: Span, count: u32, sides: u32, bare: bool) {
        let other = DICE.iter().copied().find(|n| *n > sides).unwrap_or(sides + 1);
        let times = if bare { String::new() } else { count.to_string() };
        self.replace(MutationSort::Die, whole, whole, format!("{times}d{other}"));
        if !bare {
            self.replace(MutationSort::Die, whole, whole, format!("{}d{sides}", count + 1));
        }
    }

    fn reversed(&mut self, whole: Span, gap: (u32, u32), up: bool, words: (&str, &str)) {
        let words = if up { words } else { (words.1, words.0) };
        self.swap_word(MutationSort::Word, whole, gap, words);
    }

    /// Includes or excludes the bound of a comparison, and reverses the comparison.
    fn compared(&mut self, whole: Span, op: CompareOp, gap: (u32, u32)) {
        let bound = match op {
            CompareOp::Eq | CompareOp::Ne => None,
            CompareOp::Lt => Some("<="),
            CompareOp::Le => Some("<"),
            CompareOp::Gt => Some(">="),
            CompareOp::Ge => Some(">"),
        };
        for other in bound.into_iter().chain([op.opposite_sign()]) {
            self.swap_word(MutationSort::Comparison, whole, gap, (op.op().written(), other));
        }
    }

    /// Changes the parts of a condition: swaps the connective, and removes each part.
    fn joined(&mut self, whole: Span, all: &[Expr], words: (&str, &str)) {
        let gaps = all.windows(2).filter_map(|pair| self.word(pair[0].span.end, pair[1].span.start, words.0));
        let edits: Vec<(Span, String)> = gaps.map(|span| (span, words.1.to_string())).collect();
        self.push(MutationSort::Junction, whole, edits);
        for (n, part) in all.iter().enumerate() {
            let gone = match (n.checked_sub(1).and_then(|n| all.get(n)), all.get(n + 1)) {
                (Some(before), _) => self.span(before.span.end as usize, part.span.end as usize),
                (None, Some(next)) => self.span(part.span.start as usize, next.span.start as usize),
                (None, None) => continue,
            };
            self.replace(MutationSort::Condition, whole, gone, "");
        }
        self.exprs(all);
    }

    /// Replaces a condition by `yes` and by `no`.
    pub(super) fn settled(&mut self, shown: Span, condition: &Expr) {
        if !matches!(condition.kind, ExprKind::Yes | ExprKind::No) {
            self.replace(MutationSort::Condition, shown, condition.span, "yes");
            self.replace(MutationSort::Condition, shown, condition.span, "no");
        }
    }

    fn quantified(&mut self, whole: Span, what: Quantifier) {
        let other = match what {
            Quantifier::Any => "no",
            Quantifier::No => "any",
            Quantifier::Most => "least",
            Quantifier::Least => "most",
            Quantifier::Nearest => "farthest",
            Quantifier::Farthest => "nearest",
            Quantifier::All | Quantifier::Count | Quantifier::Every | Quantifier::Sum => return,
        };
        let word = what.word();
        let found = self.slice(whole).starts_with(word);
        if found {
            let start = whole.start as usize;
            self.replace(MutationSort::Word, whole, self.span(start, start + word.len()), other);
        }
    }
}

/// Returns the text of a number that is changed by `by` units; a percentage by tens of percent. Returns `None` if the
/// result is negative or means the same rule.
pub(super) fn written(number: &Number, by: i64) -> Option<String> {
    // percentages in rules are rarely one percent apart
    let step = if number.unit == Unit::Percent { 10_000 } else { 1000 };
    let n = number.thousandths.checked_add(by * step)?;
    // a turn of more than half a circle, or a sector of more than a full one, means the same
    let same = number.unit == Unit::Degrees && by > 0 && matches!(number.thousandths, 180_000 | 360_000);
    if n < 0 || same {
        return None;
    }
    Some(Number { thousandths: n, unit: number.unit }.to_string())
}
