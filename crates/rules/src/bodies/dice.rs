//! Checks rolls, draws, rerolls and explosions.

use super::super::code::{Expr, ExprKind, StmtKind};
use super::body::{BodyChecker, Rolled, expr};
use crate::merge::head::short_text;
use crate::ruleset::SiteSort;
use grognard_base::value::dice::MOST_DICE;
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, ExprKind as Tree, Name, StmtKind as TreeStmt};

/// The right side of a roll.
struct Throw {
    count: Option<Expr>,
    dice: Expr,
    sum: bool,
    /// Type of one answer of the site; `held` is the type of the name.
    face: Type,
    held: Type,
    size: Option<Range>,
}

impl BodyChecker<'_, '_> {
    /// Checks the statement `roll n as "key" by x = k of D` and translates it to typed code.
    pub fn roll(
        &mut self,
        name: &Name,
        key: Option<&Name>,
        by: Option<&tree::Expr>,
        count: Option<&tree::Expr>,
        dice: &tree::Expr,
        span: Span,
    ) -> StmtKind {
        let by = self.decider(by);
        let throw = match count {
            Some(count) => self.pool(count, dice),
            None => self.throw(dice, &name.text),
        };
        let site = self.site(&name.text, SiteSort::Roll, throw.face.clone(), span);
        self.lasting_key(site, key);
        let local = self.bind(name, throw.held, false);
        self.rolls.insert(local, Rolled { site, sum: throw.sum });
        if let Some(size) = throw.size {
            self.sizes.insert(local, size);
            if throw.count.as_ref().is_none_or(|count| matches!(count.kind, ExprKind::Const(_))) {
                self.written_sizes.insert(local);
            }
        }
        StmtKind::Roll { site, local, count: throw.count, dice: throw.dice, sum: throw.sum, by }
    }

    /// Checks `as "key"`, the stable key of the dice of a roll or draw.
    fn lasting_key(&mut self, site: SiteId, key: Option<&tree::Text>) {
        let Some(key) = key else { return };
        if key.text.trim().is_empty() {
            let help = "name the roll or draw: `as \"volley\"`";
            self.say_help(Code::Syntax, key.span, "a lasting key cannot be an empty text", help);
        }
        self.ck.rs.sites[site.at()].key = Some(key.text.clone());
    }

    /// Checks the pool `k of D` and translates it to typed code.
    fn pool(&mut self, count: &tree::Expr, dice: &tree::Expr) -> Throw {
        let count = self.how_many(count);
        let dice = match &dice.kind {
            Tree::Dice { count: n, sides, bare: false } => {
                let message = format!("{n}d{sides} is a sum; a pool is a number of one die");
                let help = format!(
                    "write `of d{sides}` for single dice; for several sums, roll each by itself and list them: `roll a = \
                     {n}d{sides}`, `roll b = {n}d{sides}`, then `[a, b]`"
                );
                self.say_help(Code::WrongType, dice.span, message, help);
                self.die(*sides, Some(&Type::Die), dice.span)
            }
            _ => self.expr(dice, None),
        };
        let dice = self.one_die(dice);
        let face = self.face_type(&dice);
        let size = match count.ty {
            Type::Int(r) => {
                self.few(r.low, count.span);
                Some(Range::new(r.low.clamp(0, MOST_DICE as i64), r.high.clamp(0, MOST_DICE as i64)))
            }
            _ => None,
        };
        let held = face.clone().list();
        Throw { count: Some(count), dice, sum: false, face, held, size }
    }

    /// Checks a die, the sum of several, or a list of dice.
    fn throw(&mut self, dice: &tree::Expr, name: &str) -> Throw {
        if let Tree::Arith { first, rest } = &dice.kind
            && let Some(thrown) = std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e)).find(|e| is_thrown(e))
        {
            let help = added(name, first, rest);
            self.say_help(Code::Effect, dice.span, "a roll cannot add to its dice", help);
            return self.throw(thrown, name);
        }
        if let Tree::Dice { count, sides, bare: false } = &dice.kind {
            let n = i64::from(*count);
            self.few(n, dice.span);
            let die = self.die(*sides, Some(&Type::Die), dice.span);
            let count = expr(ExprKind::Const(n), Type::Int(Range::new(n, n)), dice.span);
            let face = self.face_type(&die);
            let most = n.saturating_mul(i64::from(*sides));
            if most > Range::ALL.high {
                self.say(Code::TooManyDice, dice.span, format!("{most} is too large for a sum of dice"));
            }
            let held = Type::Int(Range::new(n, most));
            return Throw { count: Some(count), dice: die, sum: true, face, held, size: None };
        }
        let dice = self.expr(dice, None);
        if let Type::List(inner) = dice.ty.clone() {
            let dice = if is_die(&inner) || *inner == Type::Unknown { dice } else { self.no_die(dice) };
            let (face, size) = (self.face_type(&dice), self.length_of(&dice));
            let held = face.clone().list();
            return Throw { count: None, dice, sum: false, face, held, size: Some(size) };
        }
        let dice = self.one_die(dice);
        let face = self.face_type(&dice);
        Throw { count: None, dice, sum: false, held: face.clone(), face, size: None }
    }

    /// Reports a roll of more dice than allowed, given their minimum number.
    fn few(&mut self, least: i64, span: Span) {
        if least > MOST_DICE as i64 {
            self.say(Code::TooManyDice, span, format!("{least} dice in one roll; the maximum is {MOST_DICE}"));
        }
    }

    fn one_die(&mut self, dice: Expr) -> Expr {
        match &dice.ty {
            Type::Optional(_) => {
                self.missing(&dice, dice.span);
                Expr { ty: Type::Unknown, ..dice }
            }
            ty if is_die(ty) || *ty == Type::Unknown => dice,
            _ => self.no_die(dice),
        }
    }

    fn no_die(&mut self, dice: Expr) -> Expr {
        let inner = match &dice.ty {
            Type::List(inner) => (**inner).clone(),
            other => other.clone(),
        };
        if matches!(inner, Type::Shifted(_)) {
            self.say(Code::ShiftedDie, dice.span, "this die can be past the end of its chain");
        } else if matches!(inner, Type::Int(_)) {
            let help = "do arithmetic in the next `let`; for a die of n sides, write `die(n)`";
            self.say_help(Code::WrongType, dice.span, "expected a die to roll, found a number", help);
        } else {
            let ty = self.type_name(&dice.ty);
            self.say(Code::WrongType, dice.span, format!("expected a die to roll, found {ty}"));
        }
        Expr { ty: Type::Unknown, ..dice }
    }

    /// Checks the statement `draw n in XS` and translates it to typed code.
    pub fn draw(&mut self, s: &tree::Stmt) -> StmtKind {
        let TreeStmt::Draw { name, key, amount, by, from, filter, or_none, weight } = &s.kind else {
            return StmtKind::Stop;
        };
        let by = self.decider(by.as_ref());
        let amount = amount.as_ref().map(|a| {
            let (low, high) = self.amount(a);
            if a.open {
                let help = "write a maximum, as in `draw 0 .. 2 of xs in XS`";
                self.say_help(Code::WrongType, a.span, "a draw must have a maximum", help);
            }
            let high = high.unwrap_or_else(|| low.clone());
            (low, high)
        });
        let (from, ty) = self.collection(from, None);
        let site = self.site(&name.text, SiteSort::Draw, ty.clone(), s.span);
        self.lasting_key(site, key.as_ref());
        let mark = self.mark();
        let entry = self.bind(name, ty.clone(), false);
        let filter = filter.as_ref().map(|f| self.condition(f));
        let weight = weight.as_ref().map(|w| self.int(w));
        self.leave(mark);
        let held = match (&amount, or_none) {
            (Some(_), _) => ty.list(),
            (None, true) => ty.optional(),
            (None, false) => ty,
        };
        let local = self.bind(name, held, false);
        if let Some((low, high)) = &amount {
            let (size, there) = (self.amount_range(low, Some(high)), self.size_of(&from));
            if there.high < size.low {
                let message = format!("this draws {}, but there are at most {}", size.low, there.high);
                self.say_help(Code::Dead, low.span, message, "draw all there are: `draw 0 .. 5 of some in xs`");
            }
            self.sizes.insert(local, Range::new(0, size.high));
        }
        StmtKind::Draw { site, local, amount, entry, from, filter, or_none: *or_none, weight, by }
    }

    /// Checks `reroll x in dice where C at most n`, `explode x in dice where C`, or `reroll pip`.
    pub fn reroll(
        &mut self,
        explode: bool,
        name: &Name,
        within: Option<&Name>,
        filter: Option<&tree::Expr>,
        at_most: Option<&tree::Expr>,
        span: Span,
    ) -> Option<StmtKind> {
        let of = within.unwrap_or(name);
        let Some(pool) = self.find(&of.text).map(|s| s.local).filter(|l| self.rolls.contains_key(l)) else {
            let rolled: Vec<String> = self.rolls.keys().map(|l| self.locals[l.at()].name.clone()).collect();
            let near = did_you_mean(&of.text, rolled.iter().map(String::as_str));
            return self.wrong(Code::UnknownName, of.span, format!("`{}` is not a roll of this body{near}", of.text));
        };
        let rolled = self.rolls[&pool];
        let held = super::stmts::as_local(self, pool, of.span);
        let face = match (&held.ty, within) {
            (Type::List(inner), _) => (**inner).clone(),
            (_, None) if !explode => held.ty.clone(),
            (_, _) if rolled.sum => {
                self.pool_needed(&held, of.span);
                return None;
            }
            _ => {
                let help = format!("write `reroll {}`, or roll a pool", of.text);
                return self.wrong_help(
                    Code::PoolNeeded,
                    of.span,
                    format!("`{}` is one die, not a pool", of.text),
                    help,
                );
            }
        };
        if explode && filter.is_none() {
            return self.wrong(Code::ExplodeAll, span, "dice that explode on every face never stop");
        }
        let rounds = at_most.map(|n| self.how_many(n));
        let sort = if explode { SiteSort::Explode } else { SiteSort::Reroll };
        let site = self.site(&of.text, sort, face.clone(), span);
        let mark = self.mark();
        let entry = within.map(|_| self.bind(name, face.clone(), false));
        let filter = filter.map(|f| self.condition(f));
        self.leave(mark);
        if explode {
            if let (Some(entry), Some(filter)) = (entry, &filter)
                && always(filter, entry, &face)
            {
                self.say(Code::ExplodeAll, span, "these dice explode on every face");
            }
            let low = self.sizes.get(&pool).map_or(0, |r| r.low);
            self.sizes.insert(pool, Range::new(low, 10_000));
        }
        Some(StmtKind::Reroll { site, roll: rolled.site, explode, pool, entry, filter, rounds })
    }
}

/// Returns whether the expression is a die or a sum such as `d6` and `3d6`.
fn is_thrown(e: &tree::Expr) -> bool {
    matches!(e.kind, Tree::Dice { .. })
}

/// Returns the statements that replace a roll with an addition, such as `roll hit = 2d6 + 1d8 - 2`.
fn added(name: &str, first: &tree::Expr, rest: &[(tree::ArithOp, tree::Expr)]) -> String {
    let mut names = std::iter::once(name).chain(["other", "third", "fourth", "fifth", "sixth"]);
    let mut rolls = Vec::new();
    let mut term = |e: &tree::Expr| match is_thrown(e).then(|| names.next()).flatten() {
        Some(name) => {
            let die = match e.kind {
                Tree::Dice { count, sides, bare: false } => format!("{count}d{sides}"),
                Tree::Dice { sides, .. } => format!("d{sides}"),
                _ => String::new(),
            };
            rolls.push(format!("`roll {name} = {die}`"));
            name.to_string()
        }
        None => short_text(e),
    };
    let mut sum = term(first);
    for (op, e) in rest {
        let sign = match op {
            tree::ArithOp::Add => '+',
            tree::ArithOp::Sub => '-',
            tree::ArithOp::Mul => '*',
            tree::ArithOp::Div => '/',
        };
        sum += &format!(" {sign} {}", term(e));
    }
    match rolls.as_slice() {
        [one] => format!("write {one}, and use `{sum}` in the expression"),
        all => format!("write {} on separate lines, and use `{sum}` in the expression", all.join(" and ")),
    }
}

/// Returns whether a value of the type can be rolled.
fn is_die(ty: &Type) -> bool {
    matches!(ty, Type::Die | Type::Chain(_) | Type::Faces(_))
}

/// Returns whether a comparison of a face with a number is true for every face.
fn always(filter: &Expr, entry: LocalId, face: &Type) -> bool {
    let (Type::Int(range), ExprKind::Op(how, args)) = (face, &filter.kind) else { return false };
    let [one, two] = args.as_slice() else { return false };
    let ExprKind::Const(n) = two.kind else { return false };
    if !super::stmts::is_local(one, entry) {
        return false;
    }
    match how {
        Op::Ge => range.low >= n,
        Op::Gt => range.low > n,
        Op::Le => range.high <= n,
        Op::Lt => range.high < n,
        Op::Eq => range.low == n && range.high == n,
        _ => false,
    }
}
