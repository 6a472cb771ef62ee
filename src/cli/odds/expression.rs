//! An expression with dice in it becomes a test that throws them: its parts before `;` have names, and what `--of` and
//! `--given` throw falls beside them.

use super::super::out::{Stop, remark};
use super::{Args, findings};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, FileId, Source, Sources, Span};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{self as rules, Library};
use grognard_syntax::tree::{
    self, Expr, ExprKind, Formal, Item, ItemKind, Name, Stmt, StmtKind, TypeExpr, TypeExprKind,
};
use grognard_syntax::{Tangled, dialect, parse_expr, parse_odds, thrown};

/// So many throws beside each other are worked out together.
const ABREAST: usize = 4;

/// The test that throws the dice of an expression, and what it gives.
const TEST: &str = "OddsOfThis";
const FIELD: &str = "expression";

/// Rules with a test that throws the dice of an expression, the call of that test, what is asked of it as it is shown
/// and as it is worked out, and where the parts of the expression went.
pub type Prepared = (Ruleset, String, Vec<(String, String)>, Moved);

/// The rules with a test that throws the dice of an expression, those that they declare among them, and those that `--of` and `--given` throw beside it.
/// Parts before a `;` name what is thrown or worked out first: `aim = 3 of d6; total(aim)`.
pub fn with_test(
    (library, name, dice): (&dyn Library, &str, &[&str]),
    asked: &str,
    args: &Args,
    sources: &mut Sources,
) -> Result<Prepared, Stop> {
    // taken apart as one text, so that no two dice share a name; what comes out of that is as long
    let pieces = || std::iter::once(asked).chain(args.of.iter().chain(&args.given).map(String::as_str));
    let joined = pieces().collect::<Vec<_>>().join("\n");
    let own = sources.add(Source::new("expression", asked));
    let found = match thrown(&joined, dice) {
        Ok(found) => found,
        Err(Tangled::TooMany) => {
            return Err(Stop::failed("the expression has more dice than can be told apart; throw them in pools"));
        }
        Err(Tangled::DiceOfDice { count, mended }) => {
            let message =
                "how many dice there are is said without a die; a number that falls is thrown before, under a name";
            if count.start > asked.len() {
                let count = &joined[count];
                return Err(Stop::failed(format!("`{count}`: {message}: `k = d6; ..` in the expression")));
            }
            let span = Span::new(own, count.start, count.end);
            let mended = mended.lines().next().unwrap_or_default();
            let found = Diagnostic::new(Code::Syntax, span, message).help(format!("write `{mended}`"));
            return Err(findings(sources)(vec![found]));
        }
    };
    let mut rolls: Vec<Roll> = found.rolls.iter().map(|(name, text)| Roll::of(name, text, &found.text)).collect();
    let hoisted = found.rolls.iter().map(|roll| roll.0.clone()).collect();
    let mut moved = Moved { rolls: found.rolls.clone(), hoisted, text: asked.to_string(), file: own };
    let parsed = parse_odds(own, &Source::new("expression", &found.text[..asked.len()]));
    let wrong = |moved: &Moved, found, sources: &Sources| findings(sources)(moved.all(found));
    let tree::Asked { stmts: parts, stand_ins } = parsed.map_err(|found| wrong(&moved, found, sources))?;
    let (mut stmts, mut asks) = (Vec::new(), false);
    let count = parts.len();
    'parts: for (n, mut part) in parts.into_iter().enumerate() {
        let here = rolls.iter().take_while(|roll| roll.at < part.span.end as usize).count();
        if let Some(pool) = pool_of(&part, &rolls[..here], asked, own) {
            rolls.drain(..here);
            stmts.push(pool.map_err(|found| wrong(&moved, found, sources))?);
            continue 'parts;
        }
        if here > ABREAST {
            let parted = one_by_one(&mut part, &mut rolls, &found.text, own, &mut stmts);
            parted.map_err(|found| wrong(&moved, found, sources))?;
        }
        while rolls.first().is_some_and(|roll| roll.at < part.span.end as usize) {
            let roll = rolls.remove(0);
            // a part that is nothing but one throw is that roll under its own name
            let named = match &part.kind {
                StmtKind::Let { names, value: tree::Source::Value(value), .. } => {
                    names.first().filter(|_| matches!(&value.kind, ExprKind::Name(name) if *name == roll.name))
                }
                _ => None,
            };
            let stmt = roll.stmt(named.cloned(), own, 0);
            stmts.push(stmt.map_err(|found| wrong(&moved, found, sources))?);
            if let Some(name) = named {
                moved
                    .rolls
                    .iter_mut()
                    .filter(|known| known.0 == roll.name)
                    .for_each(|known| known.0 = name.text.clone());
                continue 'parts;
            }
        }
        if let StmtKind::Let { names, .. } = &mut part.kind
            && names.is_empty()
        {
            if n + 1 < count {
                let text = moved.written(found.text[part.span.start as usize..part.span.end as usize].trim());
                let message = format!("`{text}` stands before `;` and has no name: `aim = 3 of d6; total(aim)`");
                return Err(Stop::failed(message));
            }
            names.push(Name { text: FIELD.to_string(), span: part.span });
            asks = true;
        }
        stmts.push(part);
    }
    if !asks {
        return Err(Stop::failed(
            "the last part gives a name, and nothing is asked: `aim = 3 of d6; total(aim)`; `==` compares",
        ));
    }
    let told = &moved.rolls[..moved.rolls.len() - rolls.len()];
    if let Some(Roll { text: die, .. }) = rolls.iter().find(|roll| told.iter().any(|(_, own)| *own == roll.text)) {
        remark(&format!(
            "`{die}` in `--of` or `--given` is another throw than `{die}` in the expression; name one to ask about the \
             same: 'x = {die}; x' --given 'x > 3'"
        ));
    }
    let (mut lines, mut from) = (Vec::new(), asked.len() + 1);
    for piece in pieces().skip(1) {
        lines.push(found.text[from..from + piece.len()].to_string());
        let file = sources.add(Source::new("--of", piece));
        while rolls.first().is_some_and(|roll| roll.at < from + piece.len()) {
            let stmt = rolls.remove(0).stmt(None, file, from);
            stmts.push(stmt.map_err(|found| wrong(&moved, found, sources))?);
        }
        from += piece.len() + 1;
    }
    let names: Vec<String> = stand_ins.iter().map(|(name, _)| name.text.clone()).collect();
    let test = test(stmts, stand_ins, Span::new(own, 0, asked.len()));
    let loaded = rules::load_with(name, library, sources, Some(test)).sound();
    let rules = loaded.map_err(|found| wrong(&moved, found, sources))?;
    let of = if args.of.is_empty() {
        vec![(asked.trim(), FIELD)]
    } else {
        args.of.iter().zip(&lines).map(|(of, line)| (of.as_str(), line.as_str())).collect()
    };
    let given = args.given.iter().zip(lines.last()).next();
    let texts = of.into_iter().map(|(shown, of)| match given {
        Some((as_shown, given)) => (format!("{shown} given {as_shown}"), format!("{of} given {given}")),
        None => (shown.to_string(), of.to_string()),
    });
    Ok((rules, format!("{TEST}({})", names.join(", ")), texts.collect(), moved))
}

/// A throw that was taken out: its name, how it is written, and where.
struct Roll {
    name: String,
    text: String,
    at: usize,
}

impl Roll {
    fn of(name: &str, text: &str, all: &str) -> Roll {
        Roll { name: name.to_string(), text: text.to_string(), at: all.find(name).unwrap_or(0) }
    }

    /// The statement that makes it, in a text that begins at `from`.
    fn stmt(&self, name: Option<Name>, file: FileId, from: usize) -> Result<Stmt, Vec<Diagnostic>> {
        let (text, at) = (self.text.as_str(), self.at.saturating_sub(from));
        let value = |text: &str, at: usize| parse_expr(file, &Source::new("expression", text).starting_at(at));
        let die = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |last| last + 1);
        let count = text[..die].trim_end().strip_suffix("of").map(|count| value(count, at)).transpose()?;
        let span = Span::new(file, at, at + text.len());
        let name = name.unwrap_or(Name { text: self.name.clone(), span });
        let kind = StmtKind::Roll { name, key: None, by: None, count, dice: value(&text[die..], at + die)? };
        Ok(Stmt { cites: Vec::new(), kind, span })
    }
}

/// `aim = [d6, d8]`: a part that is nothing but a list of dice is one roll of them all, to be thrown again or explode.
fn pool_of(part: &Stmt, rolls: &[Roll], asked: &str, file: FileId) -> Option<Result<Stmt, Vec<Diagnostic>>> {
    let StmtKind::Let { names, value: tree::Source::Value(value), .. } = &part.kind else { return None };
    let ExprKind::List(entries) = &value.kind else { return None };
    let alone = |(entry, roll): (&Expr, &Roll)| {
        matches!(&entry.kind, ExprKind::Name(name) if *name == roll.name)
            && roll.text.starts_with(|c: char| !c.is_ascii_digit())
            && !roll.text.contains(' ')
    };
    if rolls.is_empty() || entries.len() != rolls.len() || !entries.iter().zip(rolls).all(alone) {
        return None;
    }
    let name = names.first()?.clone();
    let (start, end) = (value.span.start as usize, value.span.end as usize);
    let dice = parse_expr(file, &Source::new("expression", asked.get(start..end)?).starting_at(start));
    Some(dice.map(|dice| {
        let kind = StmtKind::Roll { name, key: None, by: None, count: None, dice };
        Stmt { cites: Vec::new(), kind, span: part.span }
    }))
}

/// A long chain of sums or products is worked out along with its throws: what it comes to so far is all that has to be
/// kept of them, and not each face.
fn one_by_one(
    part: &mut Stmt,
    rolls: &mut Vec<Roll>,
    text: &str,
    file: FileId,
    stmts: &mut Vec<Stmt>,
) -> Result<(), Vec<Diagnostic>> {
    let StmtKind::Let { value: tree::Source::Value(value), .. } = &mut part.kind else { return Ok(()) };
    let Some(Expr { kind: ExprKind::Arith { first, rest }, span }) = chain(value) else { return Ok(()) };
    let Some(last) = rest.pop() else { return Ok(()) };
    let taken = stmts.len();
    let names = (taken..).map(|n| format!("so_far_{n}")).filter(|name| !text.contains(name.as_str()));
    for ((op, term), text) in std::mem::take(rest).into_iter().zip(names) {
        let span = Span { end: term.span.end, ..*span };
        while rolls.first().is_some_and(|roll| roll.at < span.end as usize) {
            stmts.push(rolls.remove(0).stmt(None, file, 0)?);
        }
        let name = Expr { kind: ExprKind::Name(text.clone()), span };
        let so_far = Expr {
            kind: ExprKind::Arith { first: Box::new(std::mem::replace(&mut **first, name)), rest: vec![(op, term)] },
            span,
        };
        let kind = StmtKind::Let { names: vec![Name { text, span }], ty: None, value: tree::Source::Value(so_far) };
        stmts.push(Stmt { cites: Vec::new(), kind, span });
    }
    rest.push(last);
    Ok(())
}

/// The chain of sums or products that is worked out first.
fn chain(expr: &mut Expr) -> Option<&mut Expr> {
    if matches!(expr.kind, ExprKind::Arith { .. }) {
        return Some(expr);
    }
    match &mut expr.kind {
        ExprKind::Paren(inner) | ExprKind::Compare { left: inner, .. } => chain(inner),
        _ => None,
    }
}

/// The test that makes the throws, with what else is asked.
fn test(stmts: Vec<Stmt>, stand_ins: Vec<(Name, Name)>, span: Span) -> Item {
    let formal = |(name, kind): (Name, Name)| {
        let ty = TypeExpr { span: kind.span, kind: TypeExprKind::Named(kind), optional: false };
        Formal { name, ty: Some(ty), default: None }
    };
    let test = tree::Test {
        name: Name { text: TEST.to_string(), span },
        params: stand_ins.into_iter().map(formal).collect(),
        grade: None,
        title: None,
        gives: Vec::new(),
        body: tree::Block { stmts, span },
        external: false,
    };
    Item {
        cites: Vec::new(),
        cited: Vec::new(),
        borrowed: Vec::new(),
        overrides: false,
        kind: ItemKind::Test(test),
        span,
    }
}

/// How the rolls of an expression are called, and how they are written in it.
pub struct Moved {
    rolls: Vec<(String, String)>,
    /// Names that nobody gave.
    hoisted: Vec<String>,
    /// The expression.
    text: String,
    file: FileId,
}

impl Moved {
    /// All of the expression.
    pub fn whole(&self) -> Span {
        Span::new(self.file, 0, self.text.len())
    }

    /// Findings about the text that was read become findings about the expression.
    pub fn all(&self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let unread = |found: &Diagnostic| {
            matches!(found.code, Code::Syntax | Code::CaseLaw | Code::UnknownName | Code::UnknownType | Code::Unclosed)
        };
        if found.iter().any(unread)
            && let Some(foreign) = dialect(&self.text)
        {
            let span = Span::new(self.file, foreign.at.start, foreign.at.end);
            return vec![Diagnostic::new(Code::Syntax, span, foreign.message).help(foreign.help)];
        }
        for one in &mut found {
            self.words(one);
        }
        found
    }

    /// A piece of the text that was read, as the expression has it.
    fn written(&self, text: &str) -> String {
        self.rolls.iter().fold(text.to_string(), |text, (name, roll)| words_replaced(&text, name, roll))
    }

    /// A roll is called what it is called in the expression, and mended as it is written there.
    fn words(&self, found: &mut Diagnostic) {
        for around in [format!(" (in {TEST})"), format!(", called by {TEST}")] {
            found.message = found.message.replace(&around, "");
        }
        if found.message.contains(" opened at line 1 ") {
            let sign = found.span.and_then(|span| self.text.get(span.start as usize..span.end as usize));
            found.message = format!("the `{}` is not closed", sign.unwrap_or("("));
            found.help = "close it in the expression".to_string();
            found.others.clear();
        }
        for (name, roll) in &self.rolls {
            let quoted = format!("`{name}`");
            let own = !self.hoisted.contains(name) && found.code != Code::PoolNeeded;
            if own {
                continue;
            }
            let named = found.message.contains(&quoted);
            for text in [&mut found.message, &mut found.help] {
                *text = words_replaced(text, name, roll);
            }
            if !named {
                continue;
            }
            if let (Code::PoolNeeded, Some((count, sides))) = (found.code, roll.split_once('d')) {
                let count = if count.is_empty() { "1" } else { count };
                found.help = format!("to look at each die write `{count} of d{sides}`");
            }
        }
    }

    /// The sites of its rolls, and how they are written in it.
    pub fn sites(&self, rules: &Ruleset) -> Vec<(SiteId, String)> {
        let own = rules.names.tests.get(TEST);
        let sites = rules.sites.iter().enumerate().filter(|(_, site)| Some(&site.func) == own);
        let written = |name: &str| self.rolls.iter().find(|(roll, _)| roll == name).map(|(_, text)| text.clone());
        sites.filter_map(|(n, site)| Some((SiteId::from(n), written(&site.name)?))).collect()
    }
}

/// A text with a word replaced wherever it stands by itself.
fn words_replaced(text: &str, word: &str, by: &str) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c| !part(c)) {
        let end = piece.trim_end_matches(|c| !part(c)).len();
        out.push_str(if piece[..end] == *word { by } else { &piece[..end] });
        out.push_str(&piece[end..]);
    }
    out
}
