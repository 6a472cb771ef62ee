//! The expected form of each key of a scenario, in one line. It is the help for a value of the wrong form.

use super::document::{Document, Entry, Node, Value};
use grognard_base::{Code, Diagnostic, Span};

/// Keys with their tables, and their expected forms.
const FORMS: &[(&str, &str)] = &[
    ("against", "a list of rulesets: `against = [\"game/edition\"]`"),
    ("name", "a text: `name = \"Two squads\"`"),
    ("about", "a text in quotes"),
    ("base", "the name of a scenario in the same folder: `base = \"duel.toml\"`"),
    ("start", "a phase with its arguments: `start = \"Turn(red)\"`"),
    ("stop", "`stop = \"end of Turn\"`, `stop = \"start of Turn for red\"`"),
    ("repeat", "`repeat = 3`, or `repeat = \"until size(red.units) == 0\"`"),
    ("mode", "one of `\"scripted\"` (the default), `\"sampled\"` and `\"exact\"`"),
    ("objective", "a number or a condition at the end: `objective = \"red.models\"`"),
    ("objective_never", "a number: the result of a run that never ends"),
    ("seed", "a whole number of at least 0: `seed = 7`"),
    ("runs", "a whole number from 1 to 100,000,000: `runs = 10000`"),
    ("fuel", "a whole number of at least 1: the maximum number of steps in a run"),
    ("depth", "a whole number from 1 to 10,000: the maximum depth of nested calls"),
    ("reserve", "things that `spawn` can make, by kind: `reserve = { Unit = 4 }`"),
    ("params", "params and their values: `[params]` with `hit_on = 3`"),
    ("readings", "readings and their alternatives: `[readings]` with `at_half = \"StandsFirm\"`"),
    ("state", "states of the game and their values: `[state]` with `turn = 2`"),
    ("board", "`[board]` with `size = [48, 36]` and `grid = 1`"),
    ("board.size", "width and height in inches: `size = [48, 36]`"),
    ("board.grid", "a length in inches, as a plain number: `grid = 1`"),
    ("dice", "`[dice]` with `rolls = [{ roll = \"Check.dice\", give = [5, 1] }]`"),
    ("dice.rolls", "`rolls = [{ roll = \"Check.dice\", of = \"lions\", give = [5, 1], nth = 1 }]`"),
    ("players", "players and their sources of answers: `[players]` with `red = [\"script\", \"prefer\"]`"),
    ("decide", "`[[decide]]` with `choice = \"action\"` and `pick = \"stop\"`"),
    ("decide.nth", "a whole number of at least 1: the number of the time it is asked"),
    ("step.do", "a statement in quotes: `do = \"test Check(lions)\"`"),
    ("sweep.over", "names of params and readings: `over = [\"hit_on\"]`"),
    (
        "report",
        "`[report]` with lists of texts, or tables of captions and texts, under `mean`, `chance`, `hist` or `of`: `mean = \
         [\"red.losses\"]`",
    ),
    (
        "report.mean",
        "a number at the end, or several: `mean = [\"red.losses\"]`; with captions: `mean = { \"Losses\" = \
         \"red.losses\" }`",
    ),
    (
        "report.chance",
        "a condition at the end, or several: `chance = [\"red.losses > 2\"]`; with captions: `chance = { \"Red breaks\" = \
         \"red.losses > 2\" }`",
    ),
    (
        "report.hist",
        "a value at the end, or several: `hist = [\"red.losses\"]`; with captions: `hist = { \"Losses\" = \
         \"red.losses\" }`",
    ),
    (
        "report.good",
        "the measures of which more is better, and those of which less is: `good = { more = [\"red.points\"], less = \
         [\"red.losses\"] }`",
    ),
    (
        "report.of",
        "an expression in quotes, or several: `of = [\"red.losses\"]`; with captions: `of = { \"Losses\" = \
         \"red.losses\" }`",
    ),
];

/// Adds a help line with the expected form to findings about the values of these keys.
pub(super) fn help(document: &Document, problems: &mut [Diagnostic]) {
    let plain = |found: &&mut Diagnostic| found.code == Code::BadValue && found.help == Code::BadValue.help();
    for found in problems.iter_mut().filter(plain) {
        let Some(path) = found.span.and_then(|span| path(&document.entries, span)) else { continue };
        if let Some((_, form)) = FORMS.iter().find(|(key, _)| *key == path) {
            found.help = format!("`{}` takes {form}", path.rsplit('.').next().unwrap_or(&path));
        }
    }
}

/// Returns the path of the innermost key whose name or value contains a span.
fn path(entries: &[Entry], at: Span) -> Option<String> {
    let holds = |span: Span| span.file == at.file && span.start <= at.start && at.end <= span.end;
    entries.iter().find_map(|entry| {
        let deeper = inner(&entry.node, at).map(|inner| format!("{}.{inner}", entry.key));
        deeper.or_else(|| (holds(entry.span) || holds(entry.node.span)).then(|| entry.key.clone()))
    })
}

fn inner(node: &Node, at: Span) -> Option<String> {
    match &node.value {
        Value::Table(entries) => path(entries, at),
        Value::List(list) => list.iter().find_map(|node| inner(node, at)),
        _ => None,
    }
}
