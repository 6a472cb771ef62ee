//! A workbench: rules from a text, things by name, statements run one by one, values asked for afterwards.

use grognard_base::Sources;
use grognard_base::value::*;
use grognard_kit::Shelf;
use grognard_program::{Detail, compile, extend};
use grognard_rules::checker::{Checker, ScopeSort};
use grognard_rules::{Library, load};
use grognard_syntax as syntax;
use grognard_vm::*;

/// Dice and decisions given in order; what runs out falls back to the first.
#[derive(Default)]
pub struct Hand {
    pub faces: Vec<i64>,
    pub picks: Vec<String>,
    pub asked: Vec<String>,
}

impl Dice for Hand {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        for n in 0..throw.dice.len() {
            let side = if self.faces.is_empty() { 1 } else { self.faces.remove(0) };
            faces.push(throw.dice.die(n).face(game, side as u32));
        }
        Ok(Flow::Go)
    }
    fn draw(&mut self, _: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        picks.extend(0..draw.count);
        Ok(Flow::Go)
    }
}

impl Decide for Hand {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let names = asked.entries();
        let site = &asked.game.program.schema.sites[asked.ask.site.at()];
        self.asked.push(format!("{}: {}", site.name, names.join(" ")));
        if self.picks.is_empty() || matches!(asked.form, Form::Move { .. }) {
            return Ok((Answer::Prefer, "prefer"));
        }
        let pick = self.picks.remove(0);
        let answer = match pick.as_str() {
            "none" => Answer::None,
            "stop" => Answer::Stop,
            "prefer" => Answer::Prefer,
            _ if matches!(asked.form, Form::Subset { .. }) => Answer::Several(
                names.iter().enumerate().filter(|(_, n)| pick.split(' ').any(|p| p == *n)).map(|(i, _)| i).collect(),
            ),
            _ => match names.iter().position(|n| *n == pick) {
                Some(n) => Answer::Pick(n),
                None => panic!("{pick} is not among {names:?}"),
            },
        };
        Ok((answer, "hand"))
    }
}

/// A game to try things on.
pub struct Bench {
    pub rules: grognard_rules::ruleset::Ruleset,
    program: grognard_program::Program,
    setup: Setup,
    game: Game,
    pub state: State,
    pub hand: Hand,
}

impl Bench {
    /// From one rules text, after its header.
    pub fn of(items: &str) -> Bench {
        Bench::load("t/t", &Shelf::of(&[("t/t.rules", &format!("ruleset t/t\n\n{items}\n"))]))
    }

    pub fn load(path: &str, files: &dyn Library) -> Bench {
        let mut sources = Sources::default();
        let loaded = load(path, files, &mut sources);
        let Some(rules) = loaded.ruleset else {
            let text = grognard_base::render_lines(&loaded.problems, &sources);
            panic!("{text}");
        };
        let program = compile(&rules, Detail::Traced);
        let setup = Setup::default();
        let game = set_up(program.clone(), setup.clone()).expect("an empty table");
        let state = game.start.clone();
        Bench { rules, program, setup, game, state, hand: Hand::default() }
    }

    pub fn kind(&self, name: &str) -> KindId {
        KindId::from(self.rules.kinds.iter().position(|k| k.name == name).unwrap_or_else(|| panic!("no kind {name}")))
    }

    /// Puts a thing on the table: fields as `name = cells`.
    pub fn thing(&mut self, kind: &str, name: &str, at: Option<(i64, i64)>, fields: &[(&str, i64)]) -> &mut Self {
        let kind = self.kind(kind);
        let mut spec = ThingSpec::new(kind, name);
        spec.at = at.map(|(x, y)| (x * 1000, y * 1000));
        for (field, value) in fields {
            if let Some(tr) = self.rules.names.traits.get(*field) {
                spec.traits.push(*tr);
                continue;
            }
            let id = self.rules.names.fields[&(kind, field.to_string())];
            spec.values.push((id, 0, vec![*value]));
        }
        self.setup.things.push(spec);
        self.game = set_up(self.program.clone(), self.setup.clone()).unwrap_or_else(|f| panic!("{}", f.message));
        self.state = self.game.start.clone();
        self
    }

    fn snippet(&mut self, text: &str, statement: bool) -> (grognard_program::Snippet, Type) {
        let source = grognard_base::Source::new("snippet", text);
        let game = &self.game;
        let things = |name: &str| game.thing(name);
        let mut checker = Checker::new(self.rules.clone(), &things);
        let scope = Checker::bare_scope(ScopeSort::Snippet);
        let function = if statement {
            let stmt = syntax::parse_stmt(Default::default(), &source).unwrap_or_else(|p| panic!("{p:?}"));
            checker.snippet_stmt(scope, &stmt)
        } else {
            let e = syntax::parse_expr(Default::default(), &source).unwrap_or_else(|p| panic!("{p:?}"));
            checker.snippet_expr(scope, &e, None)
        };
        let wrong = checker.problems.iter().any(grognard_base::Diagnostic::is_error);
        assert!(!wrong, "{text}: {:?}", checker.problems);
        let ty = function.result.clone();
        self.program.schema = checker.rs.schema.clone();
        self.rules.schema = checker.rs.schema;
        let snippet = extend(&mut self.program, &self.rules, &function);
        let state = self.state.clone();
        self.game = set_up(self.program.clone(), self.setup.clone()).unwrap_or_else(|f| panic!("{}", f.message));
        self.state = state;
        (snippet, ty)
    }

    /// Runs a statement.
    pub fn run(&mut self, text: &str) -> Result<(), Fault> {
        let (snippet, _) = self.snippet(text, true);
        let hand = std::mem::take(&mut self.hand);
        let decide = Hand { picks: hand.picks, ..Hand::default() };
        let dice = Hand { faces: hand.faces, ..Hand::default() };
        let mut run = Run::new(&self.game, dice, decide, NoTrace);
        let outcome = call(&self.game, &mut self.state, &mut run, snippet.func, &[]);
        self.hand.asked = run.drivers.decide.asked;
        outcome.map(|_| ())
    }

    /// A value in words.
    pub fn value(&mut self, text: &str) -> String {
        let (snippet, ty) = self.snippet(text, false);
        let mut state = self.state.clone();
        let mut run = Run::pure(&self.game);
        match call(&self.game, &mut state, &mut run, snippet.func, &[]) {
            Ok(_) => self.game.tell(&state, &ty, &state.stack[..snippet.width]),
            Err(fault) => format!("fault {}: {}", fault.code, fault.message),
        }
    }
}
