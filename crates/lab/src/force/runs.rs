//! Determines the status of edits from runs: coverage marks in the code show which edits a run reached.

use super::super::diff::{ChangeSort, Part};
use super::super::mix::Edit;
use super::table::items_of;
use super::{EditOf, Force, Looks};
use grognard_base::OrdSet;
use grognard_base::value::*;
use grognard_play::{Options, play};
use grognard_scenario::Scenario;
use grognard_stats::OWN_DICE;
use grognard_stats::compare::exactly;

/// The result of runs with coverage.
#[derive(Clone, Debug)]
pub struct Covered {
    /// For each edit, the reason why it is not in force, or `None` if a run reached it.
    pub force: Vec<Option<Force>>,
}

/// The first words of header lines, which are evaluated when a menu is built.
const HEADER: [&str; 6] = ["choose ", "needs ", "cost ", "limit ", "let ", "as "];

/// Runs both versions until every edit is reached, at most as often as `looks` allows. The scenarios must be compiled
/// with coverage.
pub fn cover(sides: &[Scenario; 2], edits: &[&EditOf], looks: Looks) -> Covered {
    let marks: Vec<[SideMarks; 2]> =
        edits.iter().map(|edit| [0, 1].map(|n| SideMarks::of(&sides[n], edit, n))).collect();
    let reached = || -> Vec<bool> {
        marks.iter().map(|both| both.iter().zip(sides).any(|(marks, side)| marks.reached(side))).collect()
    };
    let [a, b] = sides;
    let exact = looks.exact.is_some_and(|budget| exactly(a, b, &looks.question, budget).is_ok());
    let mut looked = 0;
    if !exact {
        let offset = if looks.question.unpaired { OWN_DICE } else { 0 };
        for run in 0..looks.runs {
            looked = run + 1;
            for (side, run) in [(a, run), (b, run + offset)] {
                play(side, Options { seed: Some(looks.question.seed), run: Some(run), ..Options::default() });
            }
            if reached().into_iter().all(|reached| reached) {
                break;
            }
        }
    }
    let within = if exact {
        ", whatever the dice show".to_string()
    } else {
        format!(" in the {looked} examined runs of each version")
    };
    let decided = sides.iter().all(|side| !side.plan.decides.is_empty() || !side.plan.always.is_empty());
    let force = reached().into_iter().zip(&marks).zip(edits).map(|((reached, both), edit)| {
        let offered = both.iter().zip(sides).any(|(marks, side)| marks.offered(side));
        match (reached, offered, decided) {
            (true, ..) => given(sides, edit).map(Force::Held),
            (false, true, true) => {
                Some(Force::Held(format!("the scenario gives decisions, and it is offered and never chosen{within}")))
            }
            (false, true, false) => Some(Force::Unreached(format!("it is offered and never chosen{within}"))),
            (false, false, _) => Some(Force::Unreached(format!("nothing reaches it{within}"))),
        }
    });
    Covered { force: force.collect() }
}

/// Returns the reason if the scenario fixes the subject of an edit in both versions: the dice of a roll.
fn given(sides: &[Scenario; 2], edit: &EditOf) -> Option<String> {
    let EditOf::Rules(Edit { change, .. }) = edit else { return None };
    let roll = |line: &Option<String>| {
        let (name, _) = line.as_ref()?.strip_prefix("roll ")?.split_once(" = ")?;
        Some(format!("{}.{}", change.name, name.split_whitespace().next()?))
    };
    let mut rolls: Vec<String> = Vec::new();
    for part in &change.parts {
        let name = roll(&part.old).filter(|old| Some(old) == roll(&part.new).as_ref())?;
        let is_given = |side: &Scenario| side.plan.fixed_dice().iter().any(|dice| dice.name == name);
        if part.what != "line" || !sides.iter().all(is_given) {
            return None;
        }
        rolls.push(name);
    }
    (!rolls.is_empty()).then(|| format!("the scenario gives the dice of {} in both", rolls.join(", ")))
}

/// The coverage marks that show in one version that a run reached an edit.
struct SideMarks {
    /// Whether the code has no such marks.
    unknown: bool,
    /// Items of which any executed code counts.
    items: Vec<ItemId>,
    /// Functions whose entry counts.
    funcs: Vec<FuncId>,
    /// Cells of tables, by their index among the cells with marks.
    cells: Vec<usize>,
    /// The action that was offered if this item is reached.
    offers: Option<ItemId>,
}

impl SideMarks {
    fn of(side: &Scenario, edit: &EditOf, n: usize) -> SideMarks {
        let none = SideMarks { unknown: false, items: Vec::new(), funcs: Vec::new(), cells: Vec::new(), offers: None };
        let EditOf::Rules(edit) = edit else { return SideMarks { unknown: true, ..none } };
        let items = items_of(side, &edit.change);
        let program = &side.game.program;
        let whole = |items: &OrdSet<ItemId>| items.iter().copied().collect::<Vec<ItemId>>();
        match edit.change.word {
            "table" => match edit.places[n] {
                Some((row, column)) => {
                    let own = |(item, r, c): &(ItemId, usize, usize)| items.contains(item) && (*r, *c) == (row, column);
                    let cells = program.cells.iter().enumerate().filter(|(_, cell)| own(cell));
                    let cells: Vec<usize> = cells.map(|(n, _)| n).collect();
                    let items = if cells.is_empty() { whole(&items) } else { Vec::new() };
                    SideMarks { cells, items, ..none }
                }
                None => SideMarks { items: whole(&items), ..none },
            },
            "rule" if in_body(edit) => {
                let own = side.rules.rules.iter().filter(|rule| items.contains(&rule.item));
                SideMarks { funcs: own.map(|rule| rule.func).collect(), ..none }
            }
            "action" if in_body(edit) => {
                let own: Vec<_> = side.rules.actions.iter().filter(|action| items.contains(&action.item)).collect();
                let offers = own.first().map(|action| action.item);
                SideMarks { funcs: own.iter().map(|action| action.func).collect(), offers, ..none }
            }
            "rule" | "action" | "proc" | "test" | "phase" | "status" | "trait" | "condition" => {
                SideMarks { items: whole(&items), ..none }
            }
            // constants have no marks
            "let" if program.funcs.iter().any(|func| items.contains(&func.item)) => {
                SideMarks { items: whole(&items), ..none }
            }
            _ => SideMarks { unknown: true, ..none },
        }
    }

    fn reached(&self, side: &Scenario) -> bool {
        let (ran, program) = (&side.game.ran, &side.game.program);
        self.unknown
            || self.items.iter().any(|item| ran.has_item(program, *item))
            || self.funcs.iter().any(|func| ran.has_function(program, *func))
            || self.cells.iter().any(|cell| ran.has_cell(program, *cell))
    }

    fn offered(&self, side: &Scenario) -> bool {
        self.offers.is_some_and(|item| side.game.ran.has_item(&side.game.program, item))
    }
}

/// Returns whether an edit affects only the body of a rule or an action, or the whole of it.
fn in_body(edit: &Edit) -> bool {
    let header = |line: &String| HEADER.iter().any(|word| line.starts_with(word));
    let body = |part: &Part| part.what == "line" && !part.old.iter().chain(&part.new).any(header);
    edit.change.what != ChangeSort::Changed || edit.change.parts.iter().all(body)
}
