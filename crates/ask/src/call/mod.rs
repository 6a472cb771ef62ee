//! Exact odds of a call of the rules, or of an expression with dice.
//!
//! [`CallQuestion::bind`] turns a text such as `Check(u)`, `2d6 + bonus` or `aim = 3 of d6; total(aim)` into a scenario
//! with one call. [`BoundCall::answer`] computes its odds.

mod expression;
mod remarks;

use super::{Odds, OddsReport};
pub use expression::translated;
use expression::{Expression, with_test};
use grognard_base::value::SiteId;
use grognard_base::{Code, Diagnostic, FileId, OrdMap, Source, Sources, Span};
use grognard_play::odds::OddsOptions;
use grognard_program::{Built, Detail, reached_with};
use grognard_rules::ruleset::{Example, Ruleset, Site};
use grognard_rules::{self as rules, Library};
use grognard_scenario::examples::{Asked, ask, bystanders, fields};
use grognard_scenario::scene::Asker;
use grognard_scenario::{Prepared, Scenario};
use grognard_syntax::{AGAIN, Part, parse_figure, parse_part, parse_query};
use std::sync::Arc;

/// The path of rules without items, for expressions that use only dice.
const BARE: &str = "odds/dice";

/// A question about a call, or about an expression with dice.
#[derive(Clone, Copy)]
pub struct CallQuestion<'q> {
    /// The library with the texts of the rules.
    pub texts: &'q dyn Library,
    /// The path of the rules.
    pub rules: &'q str,
    /// The call or the expression.
    pub asked: &'q str,
    /// The measures. Without any, the result of the call or the value of the expression is measured.
    pub of: &'q [String],
    /// The condition that restricts the outcomes that count.
    pub given: Option<&'q str>,
    /// Fields of the things in the call: `u.ld = 2, u has Brave`.
    pub with: &'q [String],
    /// Params, readings and parameters of the call: `hit_on = 3`.
    pub set: &'q [String],
    /// Faces of rolls: `aim = [5, 1]`.
    pub rolling: &'q [String],
    /// Decisions: `target = wolves`.
    pub choosing: &'q [String],
    /// The detail of the compiled program.
    pub detail: Detail,
    /// The source of the question.
    pub asker: Asker,
}

/// Why a question about a call has no answer.
#[derive(Clone, Debug)]
pub enum Unbound {
    /// The question does not have the right form.
    Message(String),
    /// Diagnostics of the rules or of the question.
    Found(Vec<Diagnostic>),
}

/// A question about a call that is bound to its rules.
pub struct BoundCall {
    /// The scenario with the call.
    pub scenario: Scenario,
    /// The measures as the user wrote them.
    texts: Vec<String>,
    rules: Arc<Ruleset>,
    expression: Option<Expression>,
    /// The span of the call.
    whole: Span,
    given: Option<String>,
    asker: Asker,
}

/// Returns a library with the path of rules without items, for an expression that uses only dice.
pub fn dice_only() -> (OrdMap<String, String>, &'static str) {
    (OrdMap::from([(format!("{BARE}.rules"), format!("ruleset {BARE}\n"))]), BARE)
}

impl<'q> CallQuestion<'q> {
    /// Creates a question without options.
    pub fn new(texts: &'q dyn Library, rules: &'q str, asked: &'q str) -> CallQuestion<'q> {
        let none: &[String] = &[];
        let (of, with, set, rolling, choosing) = (none, none, none, none, none);
        let (detail, asker) = (Detail::Plain, Asker::default());
        CallQuestion { texts, rules, asked, of, given: None, with, set, rolling, choosing, detail, asker }
    }

    /// Binds the question to its rules. Notes about a text that can mean something else are passed to `note`.
    ///
    /// # Errors
    ///
    /// If the rules have errors or the question does not fit them.
    pub fn bind(&self, sources: &mut Sources, note: &mut dyn FnMut(&str)) -> Result<BoundCall, Unbound> {
        if self.asked.trim().is_empty() {
            return Err("the expression is empty; write one such as `2d6` or `total(highest(3, 10 of d6))`".into());
        }
        let rules = rules::load(self.rules, self.texts, sources).sound().map_err(Unbound::Found)?;
        if let Some(item) = rules.open.first().map(|item| &rules.items[item.at()]) {
            let message = format!("{} is open in this ruleset; name a ruleset that fills it in", item.name);
            return Err(Unbound::Found(vec![Diagnostic::new(Code::OpenItem, item.span, message)]));
        }
        let dice: Vec<String> = rules.dice.iter().map(|die| die.name.clone()).collect();
        let dice: Vec<&str> = dice.iter().map(String::as_str).collect();
        let direct = Some(rules).filter(|rules| is_call(rules, bare(self.asked)));
        let asked = if direct.is_some() { bare(self.asked) } else { self.asked };
        if direct.is_some() && !asked.contains('(') {
            let name = asked.trim();
            return Err(format!("`{name}` needs parentheses: `{name}(..)`").into());
        }
        let (rules, call, mut asks, expression) = match direct {
            Some(rules) => {
                self.throws_nothing(&dice)?;
                (rules, asked.to_string(), Vec::new(), None)
            }
            None => {
                let (rules, call, asks, expression) = with_test(self, asked, &dice, note, sources)?;
                (rules, call, asks, Some(expression))
            }
        };
        let example = self.example(&rules, &call, sources);
        let example = example.map_err(|found| Unbound::Found(helps(self.asker, found, sources)))?;
        for (name, kind) in bystanders(&rules, &example.tree) {
            note(&format!("`{name}` is not in the call: it is a further {} on the table", rules.kinds[kind.at()].name));
        }
        let built = Built::new(rules, self.detail);
        if expression.is_none() {
            let of = if self.of.is_empty() { fields(&built, &example) } else { self.of.to_vec() };
            let given = self.given.map_or(String::new(), |given| format!(" given {given}"));
            let texts: Vec<String> = of.iter().map(|of| format!("{of}{given}")).collect();
            let of = self.asker.name("--of");
            let read = questions(of, texts.iter().map(String::as_str), sources).map_err(Unbound::Found)?;
            asks = texts.into_iter().zip(read).collect();
        }
        if asks.is_empty() {
            let usage = self.asker.usage("--of", "u.markers");
            return Err(format!("this call has no result; name a measure, such as `{usage}`").into());
        }
        let (texts, asks): (Vec<String>, Vec<_>) = asks.into_iter().unzip();
        let scenario = ask(&built, &example, &asks, sources).and_then(Prepared::settle);
        let given = self.given.map(str::to_string);
        let placed = |found| expression.iter().fold(found, |found, expression| expression.all(found));
        let scenario = scenario.map_err(|found| Unbound::Found(helps(self.asker, placed(found), sources)))?;
        let what = if expression.is_some() { "the expression".to_string() } else { format!("`{}`", call_name(&call)) };
        if let Some(unused) = unused(&scenario, &what) {
            return Err(Unbound::Found(helps(self.asker, vec![unused], sources)));
        }
        let (rules, whole, asker) = (built.rules.clone(), example.span, self.asker);
        Ok(BoundCall { scenario, texts, rules, whole, expression, given, asker })
    }

    /// Returns the call as an example.
    fn example(&self, rules: &Ruleset, call: &str, sources: &mut Sources) -> Result<Example, Vec<Diagnostic>> {
        let mut read = |source: Source, part: Part| {
            let file = sources.add(source.clone());
            parse_part(file, &source, part).map(|found| (found, Span::new(file, 0, source.text.len())))
        };
        let (mut tree, span) = read(Source::new("call", call), Part::Call)?;
        let given = [self.with, self.set, self.rolling, self.choosing];
        for ((option, part, ..), texts) in PARTS.into_iter().zip(given) {
            for text in texts {
                let (found, _) = read(self.asker.source(option, text), part)?;
                tree.with.extend(found.with);
                tree.under.extend(found.under);
                tree.rolling.extend(found.rolling);
                tree.choosing.extend(found.choosing);
            }
        }
        Ok(Example { tree: tree.into(), span, cites: Vec::new(), from: rules.chain.len().saturating_sub(1) })
    }

    /// Rejects a measure of a call that rolls dice. The rolls of a call have names in the rules.
    fn throws_nothing(&self, dice: &[&str]) -> Result<(), Unbound> {
        for text in self.of.iter().map(String::as_str).chain(self.given) {
            let figure = parse_figure(FileId(0), &self.asker.source("--of", text), dice, &[]);
            if let Some(throw) = figure.ok().and_then(|figure| figure.throws.into_iter().next()) {
                let die = throw.name.text.trim_end_matches(AGAIN);
                let message = format!(
                    "`{text}` rolls `{die}` itself, which needs an expression, such as `x = {die}; ..`, in place of the \
                     call; for a roll of the call, use its name in the rules"
                );
                return Err(message.into());
            }
        }
        Ok(())
    }
}

impl BoundCall {
    /// Computes the odds.
    ///
    /// # Errors
    ///
    /// If nothing can be explored, a measure fails, or the call needs a stat that was not given.
    pub fn answer(
        &mut self,
        odds_options: OddsOptions<'_>,
        sources: &mut Sources,
    ) -> Result<OddsReport, Vec<Diagnostic>> {
        let question = Odds { estimate: true, ..Odds::plain(odds_options) };
        match question.answer_call(&mut self.scenario, &self.texts) {
            Ok(mut answer) => {
                answer.problems = self.placed(answer.problems, sources);
                Ok(answer)
            }
            Err(mut fault) => {
                fault.code = if fault.code == Code::Script { Code::ExampleForm } else { fault.code };
                let given = self.given.as_ref().filter(|_| fault.code == Code::NeverGiven);
                let given = given.map(|text| Span::new(sources.add(self.asker.source("--given", text)), 0, text.len()));
                let asked = self.expression.as_ref().map_or(self.whole, Expression::whole);
                fault.span = given.or(fault.span).or(Some(asked));
                Err(self.placed(vec![fault.diagnostic()], sources))
            }
        }
    }

    /// Returns the sites of the rolls of an expression, with their texts in it.
    pub fn rolls(&self) -> Vec<(SiteId, String)> {
        self.expression.iter().flat_map(|expression| expression.sites(&self.rules)).collect()
    }

    /// Rewrites diagnostics about the generated test to diagnostics about the question.
    fn placed(&self, found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
        helps(self.asker, self.expression.iter().fold(found, |found, expression| expression.all(found)), sources)
    }
}

impl<S: Into<String>> From<S> for Unbound {
    fn from(message: S) -> Unbound {
        Unbound::Message(message.into())
    }
}

/// Parses queries such as `passed` or `margin given passed`. `place` is the name of their source in diagnostics.
///
/// # Errors
///
/// Returns the diagnostics of the first query that does not parse.
pub fn questions<'t>(
    place: &str,
    texts: impl IntoIterator<Item = &'t str>,
    sources: &mut Sources,
) -> Result<Vec<Asked>, Vec<Diagnostic>> {
    let read = |text| {
        let source = Source::new(place, text);
        let (of, given) = parse_query(sources.add(source.clone()), &source)?;
        Ok(Asked { of, given })
    };
    texts.into_iter().map(read).collect()
}

/// Returns a call without the keyword before it.
fn bare(asked: &str) -> &str {
    let words = ["do ", "test ", "run ", "emit "];
    words.iter().find_map(|word| asked.trim().strip_prefix(word)).unwrap_or(asked)
}

/// Returns the name of what a text calls.
fn call_name(text: &str) -> &str {
    text.trim().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// Returns a diagnostic about fixed dice or a decision that the call never asks for.
fn unused(scenario: &Scenario, what: &str) -> Option<Diagnostic> {
    let (plan, program) = (&scenario.plan, &scenario.game.program);
    let reached = reached_with(program, &[plan.call.as_ref()?.func], &|_| true);
    let comes = |site: &Site| reached.funcs.contains(site.func);
    let roll = plan.dice.iter().find(|dice| !dice.sites.iter().any(|site| comes(&program.schema.sites[site.at()])));
    let asked = |name: &str| program.schema.sites.iter().any(|site| site.name == name && comes(site));
    let decision = || plan.decides.iter().find(|decision| !asked(&decision.name));
    let (span, message) = match roll {
        Some(roll) => (roll.span, format!("{what} never rolls `{}`", roll.name)),
        None => decision().map(|one| (one.span, format!("{what} never asks for the decision `{}`", one.name)))?,
    };
    Some(Diagnostic::new(Code::ExampleForm, span, message))
}

/// Returns whether a text is a call of a test, proc, phase or event of the rules.
fn is_call(rules: &Ruleset, text: &str) -> bool {
    rules.names.statement(call_name(text)).is_some()
}

/// The options of a call: the option, the part of an example for it, what it does, and its text in an example.
const PARTS: [(&str, Part, &str, &str); 4] = [
    ("--with", Part::With, "sets fields of things in the call", "u.ld = 2, u has Brave"),
    ("--set", Part::Under, "sets a param, a reading or a parameter of the call", "hit_on=3"),
    ("--rolling", Part::Rolling, "fixes the faces of rolls by their names in the rules", "aim = [5, 1]"),
    ("--choosing", Part::Choosing, "fixes decisions by their names in the rules", "target = wolves"),
];

/// Replaces the help about examples with the help of the option that gave the text.
fn helps(asker: Asker, mut found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    // a text that breaks off has no better help than the form of the option
    let is_open = |one: &Diagnostic| one.help.starts_with("expected here: ");
    for one in found.iter_mut().filter(|one| one.code == Code::ExampleForm || is_open(one)) {
        let name = one.span.and_then(|span| sources.get(span.file)).map(|source| source.name.as_str());
        one.help = match PARTS.iter().find(|(option, ..)| Some(*option) == name) {
            Some((option, _, does, text)) => {
                format!("`{}` {does}: `{}`", asker.name(option), asker.usage(option, text))
            }
            None if one.help != Code::ExampleForm.help() => continue,
            None => {
                let [with, _, rolling, choosing] = PARTS.map(|(option, ..)| asker.name(option));
                format!("`{with}`, `{rolling}` and `{choosing}` must fit the call")
            }
        };
    }
    found
}
