//! Translation of an expression with dice to a test that rolls them. Parts before `;` have names, and the dice of `--of` and
//! `--given` are separate rolls.

use super::{CallQuestion, Unbound, remarks};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, FileId, Source, Sources, Span};
use grognard_rules as rules;
use grognard_rules::ruleset::Ruleset;
use grognard_scenario::examples::Asked;
use grognard_syntax::tree::{
    self, AskedPart, Expr, ExprKind, Formal, Item, ItemKind, Name, Stmt, StmtKind, Thrown, TypeExpr, TypeExprKind,
};
use grognard_syntax::{AGAIN, Notation, dialect, notations, parse_figure, parse_odds};

/// Maximum number of rolls of one part that are rolled together.
const ABREAST: usize = 4;

/// The names of the test that rolls the dice, and of its field.
const TEST: &str = "OddsOfThis";
const FIELD: &str = "expression";

/// Rules with a test that rolls the dice of an expression, the call of that test, the measures with their texts, and the
/// expression.
pub type PreparedExpression = (Ruleset, String, Vec<(String, Asked)>, Expression);

/// Returns the rules with a test that rolls the dice of an expression, of `--of` and of `--given`. `dice` are the dice that the rules
/// declare. Parts before a `;` name a roll or a value: `aim = 3 of d6; total(aim)`.
pub fn with_test(
    question: &CallQuestion<'_>,
    asked: &str,
    dice: &[&str],
    note: &mut dyn FnMut(&str),
    sources: &mut Sources,
) -> Result<PreparedExpression, Unbound> {
    let own = sources.add(Source::new("expression", asked));
    let whole = Span::new(own, 0, asked.len());
    let mut expression = Expression { rolls: Vec::new(), text: asked.to_string(), file: own };
    let wrong = |expression: &Expression, found| Unbound::Found(expression.all(found));
    let parsed = parse_odds(own, &Source::new("expression", asked), dice);
    if let Some(ours) = translated(asked, dice) {
        if !ours.words.is_empty() {
            note(&format!("`{}` is read as `{}`: {}", asked.trim(), ours.form, ours.words));
        }
        return with_test(question, &ours.form, dice, note, sources);
    }
    if let Some(said) = remarks::remark(asked, parsed.as_ref().ok()) {
        note(&said);
    }
    let tree::Asked { parts, stand_ins } = parsed.map_err(|found| wrong(&expression, found))?;
    let (mut stmts, mut asks, count) = (Vec::new(), false, parts.len());
    let mut written: Vec<String> = Vec::new();
    for (n, mut part) in parts.into_iter().enumerate() {
        written.extend(part.throws.iter().map(as_written));
        if let Some(alone) = alone(&part) {
            expression.rolls.extend(part.throws.iter().map(|throw| (alone.name.text.clone(), as_written(throw))));
            stmts.push(roll(alone));
            continue;
        }
        expression.rolls.extend(part.throws.iter().map(|throw| (throw.name.text.clone(), as_written(throw))));
        if part.throws.len() > ABREAST {
            one_by_one(&mut part, asked, &mut stmts);
        }
        stmts.extend(part.throws.into_iter().map(roll));
        let mut part = part.stmt;
        if let StmtKind::Let { names, .. } = &mut part.kind
            && names.is_empty()
        {
            if n + 1 < count {
                let text = asked.get(part.span.start as usize..part.span.end as usize).unwrap_or_default();
                let message = format!("`{text}` before `;` needs a name: `aim = 3 of d6; total(aim)`");
                return Err(Unbound::Message(message));
            }
            names.push(Name { text: FIELD.to_string(), span: part.span });
            asks = true;
        }
        stmts.push(part);
    }
    if !asks {
        let message =
            "the expression ends with a definition; end with a value: `aim = 3 of d6; total(aim)`; `==` compares";
        return Err(Unbound::Message(message.to_string()));
    }
    let rendered = written.len();
    let mut figure = |option: &'static str, text: &str| {
        let source = question.asker.source(option, text);
        let figure = parse_figure(sources.add(source.clone()), &source, dice, &written);
        let figure = figure.map_err(|found| wrong(&expression, found))?;
        written.extend(figure.throws.iter().map(as_written));
        expression.rolls.extend(figure.throws.iter().map(|throw| (throw.name.text.clone(), as_written(throw))));
        stmts.extend(figure.throws.into_iter().map(roll));
        Ok::<_, Unbound>(Asked { of: figure.of, given: figure.given })
    };
    let mut questions = Vec::new();
    for of in question.of {
        questions.push((of.clone(), figure("--of", of)?));
    }
    if questions.is_empty() {
        let of = Expr { kind: ExprKind::Name(FIELD.to_string()), span: whole };
        questions.push((asked.trim().to_string(), Asked { of, given: None }));
    }
    if let Some(text) = question.given {
        let given = figure("--given", text)?.of;
        for (shown, question) in &mut questions {
            *shown = format!("{shown} given {text}");
            let all: Vec<Expr> = question.given.take().into_iter().chain([given.clone()]).collect();
            question.given = Some(Expr { kind: ExprKind::And(all), span: given.span });
        }
    }
    if let Some(die) = written[rendered..].iter().find(|die| written[..rendered].contains(die)) {
        note(&format!(
            "`{die}` in a measure or a condition is a separate roll from `{die}` in the expression; name the roll to use \
             it in both: `x = {die}; x` and `{}`",
            question.asker.usage("--given", "x > 3")
        ));
    }
    let names: Vec<String> = stand_ins.iter().map(|(name, _)| name.text.clone()).collect();
    let loaded = rules::load_with(question.rules, question.texts, sources, Some(test(stmts, stand_ins, whole))).sound();
    let rules = loaded.map_err(|found| wrong(&expression, found))?;
    Ok((rules, format!("{TEST}({})", names.join(", ")), questions, expression))
}

/// Translates an expression in the dice notation of another tool, such as `4d6kh3`. `dice` are the names of the dice that the rules
/// declare. Returns `None` for an expression of the language, and for a text that no notation covers.
pub fn translated(asked: &str, dice: &[&str]) -> Option<Notation> {
    let fits = |form: &str| {
        let parsed = parse_odds(FileId(0), &Source::new("expression", form), dice);
        parsed.is_ok_and(|asked| !sums_pooled(&asked))
    };
    if fits(asked) { None } else { notations(asked).find(|ours| fits(&ours.form)) }
}

/// Returns whether a pool consists of sums: `3 of 2d6`.
fn sums_pooled(asked: &tree::Asked) -> bool {
    let sums = |throw: &Thrown| throw.count.is_some() && matches!(throw.dice.kind, ExprKind::Dice { bare: false, .. });
    asked.parts.iter().flat_map(|part| &part.throws).any(sums)
}

/// Returns the text of a roll.
fn as_written(throw: &Thrown) -> String {
    throw.name.text.trim_end_matches(AGAIN).to_string()
}

/// Returns the statement of a roll.
fn roll(Thrown { name, count, dice }: Thrown) -> Stmt {
    let span = count.as_ref().map_or(dice.span, |count| count.span.to(dice.span));
    Stmt { cites: Vec::new(), kind: StmtKind::Roll { name, key: None, by: None, count, dice }, span }
}

/// Returns the roll of a part that is one roll or a list of dice, `aim = [d6, d8]`, under the name of the part. Such a roll can be
/// rerolled or explode.
fn alone(part: &AskedPart) -> Option<Thrown> {
    let StmtKind::Let { names, value: tree::LetSource::Value(value), .. } = &part.stmt.kind else { return None };
    let name = names.first()?.clone();
    let is = |value: &Expr, throw: &Thrown| matches!(&value.kind, ExprKind::Name(name) if *name == throw.name.text);
    let die = |throw: &Thrown| throw.count.is_none() && !matches!(throw.dice.kind, ExprKind::Dice { bare: false, .. });
    match (&value.kind, part.throws.as_slice()) {
        (_, [one]) if is(value, one) => Some(Thrown { name, ..one.clone() }),
        (ExprKind::List(entries), throws)
            if !throws.is_empty()
                && entries.len() == throws.len()
                && entries.iter().zip(throws).all(|(entry, throw)| is(entry, throw) && die(throw)) =>
        {
            let dice = throws.iter().map(|throw| throw.dice.clone()).collect();
            Some(Thrown { name, count: None, dice: Expr { kind: ExprKind::List(dice), span: value.span } })
        }
        _ => None,
    }
}

/// Splits a long chain of sums or products, so that each term is added right after its roll. Only the value so far is kept in the
/// state, not each face.
fn one_by_one(part: &mut AskedPart, text: &str, stmts: &mut Vec<Stmt>) {
    let StmtKind::Let { value: tree::LetSource::Value(value), .. } = &mut part.stmt.kind else { return };
    let Some(Expr { kind: ExprKind::Arith { first, rest }, span }) = chain(value) else { return };
    let Some(last) = rest.pop() else { return };
    let mut throws = std::mem::take(&mut part.throws).into_iter().peekable();
    let names = (stmts.len()..).map(|n| format!("so_far_{n}")).filter(|name| !text.contains(name.as_str()));
    for ((op, term), text) in std::mem::take(rest).into_iter().zip(names) {
        let span = Span { end: term.span.end, ..*span };
        while let Some(throw) = throws.next_if(|throw| throw.name.span.start < span.end) {
            stmts.push(roll(throw));
        }
        let name = Expr { kind: ExprKind::Name(text.clone()), span };
        let so_far = Expr {
            kind: ExprKind::Arith { first: Box::new(std::mem::replace(&mut **first, name)), rest: vec![(op, term)] },
            span,
        };
        let kind = StmtKind::Let { names: vec![Name { text, span }], ty: None, value: tree::LetSource::Value(so_far) };
        stmts.push(Stmt { cites: Vec::new(), kind, span });
    }
    rest.push(last);
    part.throws = throws.collect();
}

/// Returns the chain of sums or products that is evaluated first.
fn chain(expr: &mut Expr) -> Option<&mut Expr> {
    if matches!(expr.kind, ExprKind::Arith { .. }) {
        return Some(expr);
    }
    match &mut expr.kind {
        ExprKind::Paren(inner) | ExprKind::Compare { left: inner, .. } => chain(inner),
        _ => None,
    }
}

/// Returns the test with the rolls.
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
        stand_in: false,
        kind: ItemKind::Test(test),
        span,
    }
}

/// An expression and its rolls, each with its name and its text.
pub struct Expression {
    rolls: Vec<(String, String)>,
    text: String,
    file: FileId,
}

impl Expression {
    /// Returns the span of the expression.
    pub fn whole(&self) -> Span {
        Span::new(self.file, 0, self.text.len())
    }

    /// Rewrites findings about the test to findings about the expression.
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
        found.iter_mut().for_each(|one| self.words(one));
        found
    }

    /// Removes the name of the test and the syntax of rolls from the messages of a finding.
    fn words(&self, found: &mut Diagnostic) {
        found.message = found.message.replace(&format!("test {TEST} "), "the expression ");
        for around in [format!(" (in {TEST})"), format!(", called by {TEST}")] {
            found.message = found.message.replace(&around, "");
        }
        if found.message.contains(" opened at line 1 ") {
            let sign = found.span.and_then(|span| self.text.get(span.start as usize..span.end as usize));
            found.message = format!("the `{}` is not closed", sign.unwrap_or("("));
            found.help = "close it in the expression".to_string();
            found.others.clear();
        }
        if found.message.starts_with("unknown name ")
            && found.help == Code::UnknownName.help()
            && !found.message.contains("did you mean")
            && let Some(name) = found.span.and_then(|span| self.text.get(span.start as usize..span.end as usize))
            && !name.contains(|c: char| c.is_ascii_digit())
        {
            found.help = format!("give it a value first, as in `{name} = 5 of d6; ..`, or name rules that declare it");
        }
        if found.code == Code::PoolNeeded {
            for (name, text) in &self.rolls {
                let named = if name.trim_end_matches(AGAIN) == text { "" } else { &format!("{name} = ") };
                found.help = found.help.replace(&format!("roll {name} = "), named);
            }
        }
        for text in [&mut found.message, &mut found.help] {
            *text = text.replace(AGAIN, "");
        }
    }

    /// Returns the sites of its rolls with their texts in the expression.
    pub fn sites(&self, rules: &Ruleset) -> Vec<(SiteId, String)> {
        let own = rules.names.tests.get(TEST);
        let sites = rules.sites.iter().enumerate().filter(|(_, site)| Some(&site.func) == own);
        let written = |name: &str| self.rolls.iter().find(|(roll, _)| roll == name).map(|(_, text)| text.clone());
        sites.filter_map(|(n, site)| Some((SiteId::from(n), written(&site.name)?))).collect()
    }
}
