//! An expression with dice in it becomes a test that throws them: its parts before `;` have names, and what `--of` and
//! `--given` throw falls beside them.

use super::super::out::{Stop, remark};
use super::Args;
use crate::base::{Code, Diagnostic, FileId, Source, Sources, Span};
use crate::rules::load::CHAIN_LIMIT;
use crate::rules::ruleset::Ruleset;
use crate::rules::{self, Library};
use crate::syntax::thrown;
use crate::value::*;

/// The test that throws the dice of an expression, and what it gives.
const TEST: &str = "OddsOfThis";
const FIELD: &str = "odds_of_this";

/// A library with something more in one of its files.
struct With<'l> {
    base: &'l dyn Library,
    path: &'l str,
    text: &'l str,
}

impl Library for With<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if path == self.path { Ok(Some(self.text.to_string())) } else { self.base.read(path) }
    }

    fn list(&self) -> Vec<String> {
        self.base.list()
    }
}

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
) -> Result<Result<Prepared, Vec<Diagnostic>>, Stop> {
    let (expression, stand_ins) = split(asked);
    // taken apart as one text, so that no two dice share a name; what comes out of that is as long
    let pieces = || std::iter::once(expression).chain(args.of.iter().chain(&args.given).map(String::as_str));
    let joined = pieces().collect::<Vec<_>>().join("\n");
    let Some(mut found) = thrown(&joined, dice) else {
        return Err(Stop::failed("the expression has more dice than can be told apart; throw them in pools"));
    };
    let mut at = 0;
    let mut lines = pieces().map(|piece| {
        let line = at..at + piece.len();
        at = line.end + 1;
        line
    });
    let whole = lines.next().unwrap_or_default();
    let lines: Vec<String> = lines.map(|line| found.text[line].to_string()).collect();
    let params: Vec<String> = stand_ins.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
    // a variant has no tests of its own: the base below it takes this one
    let mut path = if name.ends_with(".rules") { name.to_string() } else { format!("{name}.rules") };
    let mut text = String::new();
    for _ in 0..CHAIN_LIMIT {
        text = library.read(&path).ok().flatten().unwrap_or_else(|| "ruleset odds/dice\n".to_string());
        let mut words = text.split_whitespace();
        match (words.next(), words.nth(1), words.next()) {
            (Some("variant"), Some("of"), Some(base)) => path = format!("{base}.rules"),
            _ => break,
        }
    }
    let own = sources.add(Source::new("expression", asked));
    let mut moved = Moved { parts: Vec::new(), rolls: Vec::new(), from: None, own };
    text += &format!("\n\ntest {TEST}({}) {{\n", params.join(", "));
    let roll = |text: &mut String, moved: &mut Moved, (hoisted, thrown): (String, String), name: &str| {
        *text += &format!("  roll {name} = ");
        moved.parts.push((text.len(), thrown.len(), found.text.find(&hoisted).unwrap_or(0)));
        *text += &format!("{thrown}\n");
        moved.rolls.push((name.to_string(), thrown));
    };
    let mut start = 0;
    for part in found.text[whole.clone()].split(';') {
        let from = start;
        start += part.len() + 1;
        let (name, value) = match named(part) {
            _ if start > whole.len() => (Some(FIELD), part),
            Some((name, value)) => (Some(name), value),
            None if is_statement(part) => (None, part),
            None => {
                let message = format!(
                    "`{}` stands before `;` and has no name: `aim = 3 of d6; total(aim)`",
                    &expression[from..start - 1]
                );
                return Err(Stop::failed(message));
            }
        };
        // a part that is nothing but one throw is that roll under its own name
        if let Some(name) = name.filter(|name| *name != FIELD)
            && found.rolls.first().is_some_and(|(hoisted, _)| hoisted == value.trim())
        {
            roll(&mut text, &mut moved, found.rolls.remove(0), name);
            continue;
        }
        while found.rolls.first().is_some_and(|(hoisted, _)| value.contains(hoisted.as_str())) {
            let next = found.rolls.remove(0);
            let name = next.0.clone();
            roll(&mut text, &mut moved, next, &name);
        }
        text += &name.map_or("  ".to_string(), |name| format!("  let {name} = "));
        moved.parts.push((text.len(), value.len(), from + (part.len() - value.len())));
        text += &format!("{value}\n");
    }
    if let Some((_, die)) = found.rolls.iter().find(|(_, die)| moved.rolls.iter().any(|(_, own)| own == die)) {
        remark(&format!(
            "`{die}` in `--of` or `--given` is another throw than `{die}` in the expression; name one to ask about the \
             same: 'x = {die}; x' --given 'x > 3'"
        ));
    }
    for next in std::mem::take(&mut found.rolls) {
        let name = next.0.clone();
        roll(&mut text, &mut moved, next, &name);
    }
    text += "}\n";
    let with = With { base: library, path: &path, text: &text };
    let loaded = rules::load(name, &with, sources);
    moved.from = sources.iter().filter(|(_, s)| s.text == text).map(|(id, _)| id).last();
    if let Some(rules) = loaded.ruleset {
        let names: Vec<&str> = stand_ins.iter().map(|(name, _)| name.as_str()).collect();
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
        return Ok(Ok((rules, format!("{TEST}({})", names.join(", ")), texts.collect(), moved)));
    }
    let errors: Vec<Diagnostic> = loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
    Ok(Err(moved.all(errors)))
}

/// A part that is a statement of a test: `reroll x in aim where x == 1`.
fn is_statement(part: &str) -> bool {
    part.split_whitespace().next().is_some_and(|word| ["draw", "reroll", "explode"].contains(&word))
}

/// A part of an expression that names something: `aim = 3 of d6` is `aim` and what stands behind the sign.
fn named(part: &str) -> Option<(&str, &str)> {
    let (name, value) = part.split_once('=')?;
    let name = name.trim();
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !value.starts_with('=')).then_some((name, value))
}

/// Where the parts of an expression went: place in the text that was read, length, place in the expression.
pub struct Moved {
    parts: Vec<(usize, usize, usize)>,
    /// The names its rolls were given, and how they are written in it.
    rolls: Vec<(String, String)>,
    from: Option<FileId>,
    own: FileId,
}

impl Moved {
    /// Findings about the text that was read become findings about the expression.
    pub fn all(&self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for one in &mut found {
            one.span.iter_mut().for_each(|span| self.span(span));
            one.others.iter_mut().for_each(|other| self.span(&mut other.span));
            self.words(one);
        }
        found
    }

    /// A roll is called what it is called in the expression, and mended as it is written there.
    fn words(&self, found: &mut Diagnostic) {
        for around in [format!(" (in {TEST})"), format!(", called by {TEST}")] {
            found.message = found.message.replace(&around, "");
        }
        if let Some((unclosed, _)) = found.message.split_once(" of line ").filter(|_| found.code == Code::Unclosed) {
            found.message = format!("{unclosed} is not closed");
            found.help = "close it in the expression".to_string();
        }
        for (name, roll) in &self.rolls {
            let quoted = format!("`{name}`");
            if !found.message.contains(&quoted) {
                continue;
            }
            found.message = found.message.replace(&quoted, &format!("`{roll}`"));
            if let (Code::PoolNeeded, Some((count, sides))) = (found.code, roll.split_once('d')) {
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

    fn span(&self, span: &mut Span) {
        if Some(span.file) != self.from {
            return;
        }
        let (start, end) = (span.start as usize, span.end as usize);
        let part = self.parts.iter().find(|(at, len, _)| start < at + len && end > *at);
        // what is missing behind a part is missing at its end
        let part = part.or_else(|| self.parts.iter().rfind(|(at, ..)| *at <= start));
        if let Some((at, len, to)) = part {
            let place = |n: usize| n.saturating_sub(*at).min(*len) + to;
            *span = Span::new(self.own, place(start), place(end));
        }
    }
}

/// An expression, and the stand-ins behind it: `u.nerve + d6, u: Unit`.
fn split(asked: &str) -> (&str, Vec<(String, String)>) {
    let mut rest = asked.trim_end();
    let mut stand_ins = Vec::new();
    while let Some((before, last)) = rest.rsplit_once(',') {
        let Some((name, kind)) = last.split_once(':') else { break };
        let (name, kind) = (name.trim(), kind.trim());
        let word = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_kind = kind.starts_with(|c: char| c.is_ascii_uppercase());
        if !word(name) || !word(kind) || !is_kind {
            break;
        }
        stand_ins.insert(0, (name.to_string(), kind.to_string()));
        rest = before.trim_end();
    }
    (rest, stand_ins)
}
