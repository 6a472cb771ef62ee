//! Runs a program by the reference evaluator, the machine, the batch engine and exact odds, and compares.

use crate::reference::value::{Frac, V};
use crate::reference::{Book, Decisions, Exit, Given, Path, Step, World};
use grognard_base::value::*;
use grognard_base::{FileId, Source, Sources};
use grognard_kit::{Shelf, agrees};
use grognard_odds::{Label, Options, Task, Worth, explore};
use grognard_play::{Players, Scripts};
use grognard_program::Detail;
use grognard_program::schema::Stored;
use grognard_rules::{Known, load_known};
use grognard_scenario::Scenario;
use grognard_vm::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

/// A ruleset, maybe with a variant of it, and a table for its proc `main`.
#[derive(Clone, Debug)]
pub struct Program {
    pub rules: String,
    pub variant: Option<String>,
    /// Kind, name, figures and traits of each thing.
    pub table: Vec<(String, String, Vec<(String, Given)>, Vec<String>)>,
    /// The things that `main` is called with.
    pub args: Vec<String>,
    /// How each player decides.
    pub players: Vec<(String, Decisions)>,
}

/// The most paths of a program; one with more is not compared.
const PATHS: usize = 600;

/// What came of a comparison.
#[derive(Debug, PartialEq)]
pub enum Compared {
    /// They agree; so many paths were taken, and so many of them end in an error.
    Same { paths: usize, faults: usize },
    /// `check` refuses the program: the codes of its errors.
    Refused(String),
    /// It has too many paths, or one of them is too long.
    TooLarge,
}

type Found = BTreeMap<Result<Vec<i64>, String>, Frac>;

impl Program {
    fn path(&self) -> &'static str {
        if self.variant.is_some() { "g/house" } else { "g/book" }
    }

    fn files(&self) -> Vec<(&'static str, &str)> {
        let base = ("g/book.rules", &self.rules[..]);
        [base].into_iter().chain(self.variant.as_deref().map(|v| ("g/house.rules", v))).collect()
    }

    /// The table as a scenario.
    pub fn scenario(&self) -> String {
        let mut text = format!("rules = \"{}\"\n", self.path());
        writeln!(text, "[players]").unwrap();
        for (player, decisions) in &self.players {
            writeln!(text, "{player} = \"{}\"", decisions.written()).unwrap();
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

    /// Compares all engines; an error says how they differ.
    pub fn compare(&self) -> Result<Compared, String> {
        let mut sources = Sources::default();
        let shelf = Shelf::of(&self.files());
        let files: Vec<FileId> =
            self.files().iter().map(|(path, text)| sources.add(Source::new(*path, *text))).collect();
        let known = Known::of(&sources);
        let loaded = load_known(self.path(), &shelf, &mut sources, None, &known);
        let codes: Vec<String> =
            loaded.problems.iter().filter(|p| p.is_error()).map(|p| format!("{} {}", p.code, p.message)).collect();
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
        let start = World::new(&book, &self.players, &self.table);
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
        agrees(game, main, &args, "batch");
        self.exact(&scenario, main, &args, &expected)?;
        Ok(Compared::Same { paths, faults })
    }

    /// Takes one path on the machine.
    fn machine(
        &self,
        scenario: &Scenario,
        main: FuncId,
        args: &[i64],
        world: &World<'_>,
        expected: &Result<Vec<i64>, String>,
    ) -> Result<(), String> {
        let game = &scenario.game;
        let hand = RefCell::new(Hand { steps: world.path.steps.iter().cloned().collect(), wrong: None });
        let mut log = Log::default();
        let mut state = game.start.clone();
        let mut run = Run::new(
            game,
            Both(&hand, None),
            Both(&hand, Some(Players::new(scenario, Seeded::new(game, 0, 0), None))),
            Some(&mut log),
        );
        let ended = call(game, &mut state, &mut run, main, args);
        drop(run);
        let wanted: Vec<&String> = world.log.iter().filter(|l| WATCHED.iter().any(|w| l.starts_with(w))).collect();
        let trace = || {
            let same = wanted.iter().zip(&log.lines).take_while(|(a, b)| **a == *b).count();
            let from = same.saturating_sub(8);
            let part =
                |lines: &[&String]| lines.iter().skip(from).take(14).map(|l| format!("  {l}\n")).collect::<String>();
            let here: Vec<&String> = log.lines.iter().collect();
            let (wanted, here) = (part(&wanted), part(&here));
            format!("line {same}\nreference:\n{wanted}machine:\n{here}steps: {:?}", world.path.steps)
        };
        if let Some(wrong) = &hand.borrow().wrong {
            return Err(format!("another question: {wrong}\nexpected {expected:?}\n{}", trace()));
        }
        let found = match ended {
            Ok(_) => Ok(state.list(state.stack[0]).to_vec()),
            Err(fault) => Err(fault.code.id().to_string()),
        };
        if found != *expected {
            return Err(format!("machine: {found:?}, expected {expected:?}\n{}", trace()));
        }
        if !hand.borrow().steps.is_empty() {
            return Err(format!("not asked: {:?}\n{}", hand.borrow().steps, trace()));
        }
        if wanted != log.lines.iter().collect::<Vec<_>>() {
            return Err(format!("another trace\n{}", trace()));
        }
        Ok(())
    }

    fn exact(&self, scenario: &Scenario, main: FuncId, args: &[i64], expected: &Found) -> Result<(), String> {
        let game = &scenario.game;
        let task = Task::Call { func: main, args, keep: None };
        let graph = explore(game, &game.start, task, &mut Scripts::new(scenario), Options::default());
        let found = graph.results();
        if found.label != Label::Exact {
            return Err(format!("the odds are {:?}", found.label));
        }
        let mut shares: BTreeMap<Result<Vec<i64>, String>, Fraction> = BTreeMap::new();
        for outcome in &found.outcomes {
            let worth = match &outcome.worth {
                Worth::Cells(cells) => Ok(cells.clone()),
                Worth::Fault(fault) => Err(fault.code.id().to_string()),
                Worth::Never => Err("never".to_string()),
            };
            *shares.entry(worth).or_insert_with(Fraction::zero) += &found.share(outcome);
        }
        let told = |n: &dyn std::fmt::Display, of: &Result<Vec<i64>, String>| format!("{of:?}: {n}");
        let found: Vec<String> = shares.iter().map(|(of, n)| told(n, of)).collect();
        let expected: Vec<String> = expected.iter().map(|(of, n)| told(&format!("{n:?}"), of)).collect();
        if found == expected { Ok(()) } else { Err(format!("exact: {found:#?}\nexpected {expected:#?}")) }
    }
}

fn number_of(game: &Game, name: &str) -> i64 {
    let found = game.names.iter().find_map(|names| names.iter().position(|n| n == name));
    found.unwrap_or_else(|| panic!("no {name}")) as i64
}

/// Lines of the reference that the machine tells too.
const WATCHED: &[&str] = &["roll ", "draw ", "set ", "destroy ", "grant ", "spawn ", "rule "];

/// Answers the questions of the machine as the reference evaluator answered them.
struct Hand {
    steps: VecDeque<Step>,
    wrong: Option<String>,
}

impl Hand {
    fn next(&mut self, asked: String) -> Option<Step> {
        let step = self.steps.pop_front();
        if step.is_none() && self.wrong.is_none() {
            self.wrong = Some(format!("{asked}, after all that were expected"));
        }
        step
    }

    fn wrong(&mut self, asked: String, step: Step) {
        self.wrong.get_or_insert_with(|| format!("{asked}, expected {step:?}"));
    }
}

/// A hand that throws and decides.
struct Both<'h>(&'h RefCell<Hand>, Option<Players<'h>>);

impl Dice for Both<'_> {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        for n in 0..throw.dice.len() {
            let die = throw.dice.die(n);
            let of = die.sides(game) as usize;
            let mut hand = self.0.borrow_mut();
            match hand.next(format!("a die of {of} sides")) {
                Some(Step::Side { side, sides }) if sides == of => faces.push(die.face(game, side as u32 + 1)),
                Some(other) => {
                    hand.wrong(format!("a die of {of} sides"), other);
                    return Ok(Flow::Wait);
                }
                None => return Ok(Flow::Wait),
            }
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, _: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        for _ in 0..draw.count {
            let left: Vec<u64> = draw
                .weights
                .iter()
                .enumerate()
                .map(|(n, w)| if picks.contains(&n) { 0 } else { u64::from(*w) })
                .collect();
            let mut hand = self.0.borrow_mut();
            match hand.next(format!("a draw among {left:?}")) {
                Some(Step::Drawn { place, weights }) if weights == left => picks.push(place),
                Some(other) => {
                    hand.wrong(format!("a draw among {left:?}"), other);
                    return Ok(Flow::Wait);
                }
                None => return Ok(Flow::Wait),
            }
        }
        Ok(Flow::Go)
    }
}

impl Decide for Both<'_> {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let name = &asked.game.program.schema.sites[asked.ask.site.at()].name;
        let answer = match self.0.borrow_mut().next(format!("decision {name}")) {
            Some(Step::Preferred) => return self.1.as_mut().expect("players").decide(asked),
            Some(Step::Pick(n)) => Answer::Pick(n),
            Some(Step::None) => Answer::None,
            Some(Step::Stop) => Answer::Stop,
            Some(Step::Several(places)) => Answer::Several(places),
            Some(other) => {
                self.0.borrow_mut().wrong(format!("decision {name}"), other);
                Answer::Wait
            }
            None => Answer::Wait,
        };
        Ok((answer, "hand"))
    }
}

/// Notes what happens, in the words of the reference.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    /// What has just come into play, and which of its figures it got.
    fresh: Option<(KindId, i64)>,
    seen: Vec<FieldId>,
}

impl Trace for Log {
    fn happen(&mut self, game: &Game, state: &State, what: &Happening<'_>) {
        let rules = &game.program.schema;
        let line = match what {
            Happening::Roll { throw, name, faces } if !faces.is_empty() => {
                let _ = throw;
                let site = &rules.sites[name.at()];
                let faces: Vec<String> = faces.iter().map(|f| game.tell(state, &site.ty, &[*f])).collect();
                format!("roll {} {}", site.name, faces.join(" "))
            }
            Happening::Draw { draw, picks, .. } if !picks.is_empty() => {
                let drawn: Vec<&str> = picks.iter().map(|n| draw.names[*n].as_str()).collect();
                format!("draw {} {}", rules.sites[draw.site.at()].name, drawn.join(" "))
            }
            // what comes into play gets its figures: the reference notes that as one
            Happening::Set { slot: Stored::Field(id), thing, .. }
                if self.fresh == Some((rules.fields[id.at()].kind, *thing))
                    && !self.seen.contains(id)
                    && !matches!(rules.fields[id.at()].ty, Type::Optional(_)) =>
            {
                self.seen.push(*id);
                return;
            }
            Happening::Set { slot, thing, old, new, .. } => {
                let declared = rules.declared(*slot);
                let name = match slot {
                    Stored::Field(id) => {
                        format!("{}.{}", game.name(rules.fields[id.at()].kind, *thing), declared.name)
                    }
                    Stored::Global(_) => declared.name.to_string(),
                };
                match declared.ty {
                    Type::List(_) => format!("set {name}"),
                    ty => format!("set {name} {} -> {}", game.tell(state, ty, old), game.tell(state, ty, new)),
                }
            }
            Happening::Destroyed { kind, thing, .. } => format!("destroy {}", game.name(*kind, *thing)),
            Happening::Spawned { kind, thing } => format!("spawn {}", game.name(*kind, *thing)),
            Happening::Granted { status, thing, .. } => {
                let of = &rules.traits[status.at()];
                format!("grant {} {}", of.name, game.name(of.on, *thing))
            }
            Happening::Enter { func, args } => match rules.rules.iter().find(|r| r.func == *func) {
                Some(rule) => match rule.of_trait {
                    Some(of) => {
                        let bearer = game.name(rules.traits[of.at()].on, args[0]);
                        format!("rule {} {bearer}", rule.name)
                    }
                    None => format!("rule {}", rule.name),
                },
                None => return,
            },
            _ => return,
        };
        // the slot in which a test keeps a figure that it is lent
        if line.contains(" as borrowed ") {
            return;
        }
        if let Happening::Spawned { kind, thing } = what {
            self.fresh = Some((*kind, *thing));
            self.seen.clear();
        } else {
            self.fresh = None;
        }
        self.lines.push(line);
    }
}
