//! Runs a program on the reference evaluator, the machine, the batch engine and exact odds, and compares the results.

use crate::hand::{Both, Hand};
use crate::reference::value::{Frac, V};
use crate::reference::{Book, Decisions, Exit, Given, Path, Row, World};
use crate::watch::{Log, table, watched};
use grognard_base::value::*;
use grognard_base::{Diagnostic, FileId, Source, Sources, Span};
use grognard_kit::{Shelf, agrees};
use grognard_odds::{ExploreOptions, Label, Task, Worth, explore};
use grognard_play::{Players, Scripts};
use grognard_program::Detail;
use grognard_rules::{ParsedTexts, load_parsed};
use grognard_scenario::Scenario;
use grognard_vm::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A ruleset with an optional variant, and a table for its proc `main`.
#[derive(Clone, Debug)]
pub struct Program {
    pub rules: String,
    pub variant: Option<String>,
    /// The things of the table.
    pub table: Vec<Row>,
    /// Arguments of `main`: names of things.
    pub args: Vec<String>,
    /// Params that the scenario sets.
    pub params: Vec<(String, i64)>,
    /// A line and the code that `check` must report there.
    pub said: Option<(String, &'static str)>,
    /// How each player decides.
    pub players: Vec<(String, Decisions)>,
}

/// Maximum number of paths of a program that is compared.
const PATHS: usize = 600;

/// Result of a comparison.
#[derive(Debug, PartialEq)]
pub enum Compared {
    /// All engines agree. Counts the paths, those that end in an error, the compared runs of a batch, and the answers of a
    /// run that was played answer by answer.
    Same { paths: usize, faults: usize, batch: usize, answers: usize },
    /// `check` refuses the program at the line that it must refuse.
    Said,
    /// `check` refuses the program: its errors.
    Refused(String),
    /// The program has too many paths, or a path is too long.
    TooLarge,
}

/// Result of `main`, or the code of the error.
type End = Result<Vec<i64>, String>;

type Found = BTreeMap<End, Frac>;

impl Program {
    fn path(&self) -> &'static str {
        if self.variant.is_some() { "g/house" } else { "g/book" }
    }

    fn files(&self) -> Vec<(&'static str, &str)> {
        let base = ("g/book.rules", &self.rules[..]);
        [base].into_iter().chain(self.variant.as_deref().map(|v| ("g/house.rules", v))).collect()
    }

    /// Returns the text of the scenario.
    pub fn scenario(&self) -> String {
        let mut text = format!("rules = \"{}\"\n", self.path());
        writeln!(text, "[players]").unwrap();
        for (player, decisions) in &self.players {
            writeln!(text, "{player} = \"{}\"", decisions.written()).unwrap();
        }
        if !self.params.is_empty() {
            writeln!(text, "[params]").unwrap();
            self.params.iter().for_each(|(name, n)| writeln!(text, "{name} = {n}").unwrap());
        }
        writeln!(text, "[[step]]\ndo = \"do main({})\"", self.args.join(", ")).unwrap();
        for (kind, name, figures, traits) in &self.table {
            writeln!(text, "[{kind}.{name}]").unwrap();
            for (field, given) in figures {
                let given = match given {
                    Given::Int(n) => n.to_string(),
                    Given::Flag(yes) => yes.to_string(),
                    Given::Word(word) => format!("{word:?}"),
                    Given::Words(words) => format!("{words:?}"),
                    Given::Ints(list) => format!("{list:?}"),
                };
                writeln!(text, "{field} = {given}").unwrap();
            }
            if !traits.is_empty() {
                writeln!(text, "traits = {traits:?}").unwrap();
            }
        }
        text
    }

    pub fn whole(&self) -> String {
        let variant = self.variant.as_ref().map_or(String::new(), |v| format!("---- house.rules\n{v}\n"));
        format!("---- book.rules\n{}\n{variant}---- scenario\n{}", self.rules, self.scenario())
    }

    /// Compares all engines.
    ///
    /// # Errors
    ///
    /// The first difference, in words.
    pub fn compare(&self) -> Result<Compared, String> {
        let mut sources = Sources::default();
        let shelf = Shelf::of(&self.files());
        let files: Vec<FileId> =
            self.files().iter().map(|(path, text)| sources.add(Source::new(*path, *text))).collect();
        let known = ParsedTexts::of(&sources);
        let loaded = load_parsed(self.path(), &shelf, &mut sources, None, &known);
        let codes: Vec<String> =
            loaded.problems.iter().filter(|p| p.is_error()).map(|p| format!("{} {}", p.code, p.message)).collect();
        if let Some((line, code)) = &self.said {
            let on_line = |span: Span| {
                let source = sources.get(span.file).expect("a file");
                source.line(source.place(span.start).line) == line
            };
            let due = |p: &Diagnostic| p.code.id() == *code && p.span.is_some_and(on_line);
            if !loaded.problems.iter().any(due) {
                return Err(format!("no {code} at `{line}`: {:?}", loaded.problems));
            }
            if !codes.is_empty() {
                return Ok(Compared::Said);
            }
        }
        let Some(rules) = loaded.ruleset else { return Ok(Compared::Refused(codes.join("; "))) };
        let document = grognard_scenario::read("g/scenarios/t.toml", self.scenario(), &shelf, &mut sources);
        let document = document.map_err(|found| format!("{found:?}"))?;
        let built = grognard_scenario::build(&document, rules, &[], &sources, Detail::Plain);
        let scenario = match built {
            Ok(scenario) => scenario,
            Err(found) => return Ok(Compared::Refused(format!("{} {}", found[0].code, found[0].message))),
        };
        let game = &scenario.game;
        let main = game.program.functions.iter().position(|f| f.name == "main").map(FuncId::from).expect("main");
        let args: Vec<i64> = self.args.iter().map(|name| number_of(game, name)).collect();

        let trees: Vec<_> = files.iter().filter_map(|id| known.file(*id)).collect();
        let book = Book::of(&trees);
        let (mut expected, mut paths, mut faults) = (Found::new(), 0, 0);
        let mut path = Path::default();
        let start = World::new(&book, &self.params, &self.players, &self.table);
        loop {
            paths += 1;
            let (mut world, began) = start.clone();
            world.path = path;
            let values = self.args.iter().map(|name| world.thing_named(name)).collect();
            let ended = began.and_then(|()| world.call_main(values));
            let result = match ended {
                Ok(V::List(list)) => Ok(list.iter().map(V::int).collect()),
                Ok(other) => return Err(format!("main gives {other:?}")),
                Err(Exit::Fault(code)) => Err(code.to_string()),
                Err(Exit::TooLong) => return Ok(Compared::TooLarge),
                Err(other) => return Err(format!("main ends by {other:?}")),
            };
            faults += usize::from(result.is_err());
            self.machine(&scenario, main, &args, &world, &result)?;
            let chance = world.path.chance();
            let sum = expected.entry(result).or_insert(Frac::whole(0));
            *sum = sum.plus(chance);
            path = world.path;
            if !path.next() {
                break;
            }
            if paths == PATHS {
                return Ok(Compared::TooLarge);
            }
        }
        // a block does not return lists, so it runs the body only
        let play = game.program.functions.iter().position(|f| f.name == "play").map(FuncId::from).expect("play");
        let batch = agrees(game, play, &args, "batch");
        self.exact(&scenario, main, &args, &expected)?;
        // the same run, at once and answer by answer
        let answers = grognard_kit::steps::agree("a program", &scenario, &sources, paths as u64);
        Ok(Compared::Same { paths, faults, batch, answers })
    }

    /// Takes one path on the machine, with a trace and without one.
    fn machine(
        &self,
        scenario: &Scenario,
        main: FuncId,
        args: &[i64],
        world: &World<'_>,
        expected: &End,
    ) -> Result<(), String> {
        let mut log = Log::default();
        let traced = self.run(scenario, main, args, world, Some(&mut log));
        let plain = self.run(scenario, main, args, world, NoTrace);
        let wanted = watched(world);
        let context = |what: String| {
            let same = wanted.iter().zip(&log.lines).take_while(|(a, b)| a == b).count();
            let part = |lines: &[String]| {
                let lines = lines.iter().skip(same.saturating_sub(8)).take(14);
                lines.map(|l| format!("  {l}\n")).collect::<String>()
            };
            let (reference, here) = (part(&wanted), part(&log.lines));
            let steps = &world.path.steps;
            Err(format!("{what}\nreference, from line {same}:\n{reference}machine:\n{here}steps: {steps:?}"))
        };
        let ended = match &traced {
            Ok((found, _)) if found == expected => &traced,
            Ok((found, _)) => return context(format!("machine: {found:?}, expected {expected:?}")),
            Err(wrong) => return context(wrong.clone()),
        };
        if plain != *ended {
            return context(format!("without a trace: {plain:?}, expected {ended:?}"));
        }
        if wanted != log.lines {
            return context("another trace".into());
        }
        if let Ok((Ok(_), table)) = ended
            && *table != world.table()
        {
            let expected = world.table();
            let differ = |a: &[String], b: &[String]| a.iter().filter(|l| !b.contains(l)).cloned().collect::<Vec<_>>();
            let (more, less) = (differ(table, &expected), differ(&expected, table));
            return context(format!("another end: {more:?}, expected {less:?}"));
        }
        Ok(())
    }

    /// Runs the machine with the answers of a path. Returns the result and the table.
    ///
    /// # Errors
    ///
    /// The first question that differs from the reference.
    fn run<T: Trace>(
        &self,
        scenario: &Scenario,
        main: FuncId,
        args: &[i64],
        world: &World<'_>,
        trace: T,
    ) -> Result<(End, Vec<String>), String> {
        let game = &scenario.game;
        let hand = RefCell::new(Hand { steps: world.path.steps.iter().cloned().collect(), wrong: None });
        let mut state = game.start.clone();
        let players = Players::new(scenario, Seeded::new(game, 0, 0), None);
        let mut run = Run::new(game, Both(&hand, None), Both(&hand, Some(players)), trace);
        let ended = call(game, &mut state, &mut run, main, args);
        let tallies = std::mem::take(&mut run.tallies);
        drop(run);
        let hand = hand.into_inner();
        if let Some(wrong) = hand.wrong {
            return Err(format!("another question: {wrong}"));
        }
        match ended {
            Ok(_) if !hand.steps.is_empty() => Err(format!("not asked: {:?}", hand.steps)),
            Ok(_) => Ok((Ok(state.list(state.stack[0]).to_vec()), table(game, &state, &tallies))),
            Err(fault) => Ok((Err(fault.code.id().to_string()), Vec::new())),
        }
    }

    fn exact(&self, scenario: &Scenario, main: FuncId, args: &[i64], expected: &Found) -> Result<(), String> {
        let game = &scenario.game;
        let task = Task::Call { func: main, args, keep: None };
        let graph = explore(game, &game.start, task, &mut Scripts::new(scenario), ExploreOptions::default());
        let found = graph.results();
        if found.label != Label::Exact {
            return Err(format!("the odds are {:?}", found.label));
        }
        let mut shares: BTreeMap<End, Fraction> = BTreeMap::new();
        for outcome in &found.outcomes {
            let worth = match &outcome.worth {
                Worth::Cells(cells) => Ok(cells.clone()),
                Worth::Fault(fault) => Err(fault.code.id().to_string()),
                Worth::Never => Err("never".to_string()),
            };
            *shares.entry(worth).or_insert_with(Fraction::zero) += &found.share(outcome);
        }
        let rendered = |n: &dyn std::fmt::Display, of: &End| format!("{of:?}: {n}");
        let found: Vec<String> = shares.iter().map(|(of, n)| rendered(n, of)).collect();
        let expected: Vec<String> = expected.iter().map(|(of, n)| rendered(&format!("{n:?}"), of)).collect();
        if found == expected { Ok(()) } else { Err(format!("exact: {found:#?}\nexpected {expected:#?}")) }
    }
}

fn number_of(game: &Game, name: &str) -> i64 {
    let found = game.names.iter().find_map(|names| names.iter().position(|n| n == name));
    found.unwrap_or_else(|| panic!("no {name}")) as i64
}
