//! Plays a run on the page. The interface is stateless: the script contains all answers so far, and undo is a shorter script. The
//! state of the last script is cached, so that one more answer does not replay all earlier ones.

use super::requests::read;
use super::scenes::{DialSettings, Of, Scene, clauses, scene};
use super::table::drawn;
use super::{Asker, Engine};
use grognard_ask::Menu;
use grognard_base::Effort;
use grognard_base::value::plain::{ShortText, Value as Plain};
use grognard_base::value::{KindId, pack_thing};
use grognard_play::map::groups;
use grognard_play::record::{About, Event, TraceDetail, What, render_each};
use grognard_play::session::{self, Ahead, Course, Entry, Found, Pause, Refused, Session, Start, playable, save};
use grognard_program::Detail;
use grognard_report::play::{cell, heading, sampled_cell};
use grognard_report::value_text;
use grognard_rules::schema::Item;
use grognard_scenario::Scenario;
use grognard_stats::until;
use grognard_vm::Game;
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// Maximum number of answers in a script.
const MOST: usize = 10_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct PlayParams {
    path: String,
    settings: DialSettings,
    rules: Option<String>,
    seed: Option<u64>,
    run: u64,
    script: Vec<GivenAnswer>,
    by_hand: bool,
    /// The players for whom the user decides, or `None` for all players.
    #[serde(rename = "as")]
    players: Option<Vec<String>>,
    name: String,
    unit: String,
}

/// An answer, and the question that it was given to. The question can be empty.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct GivenAnswer {
    #[serde(flatten)]
    given: Given,
    #[serde(default)]
    asked: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Given {
    Choose(String),
    Roll(Vec<String>),
    Auto(bool),
}

impl PlayParams {
    fn of(&self) -> Of {
        Of { path: self.path.clone(), settings: self.settings.clone(), rules: self.rules.clone(), ..Of::default() }
    }

    fn start(&self, scenario: &Scenario) -> Start {
        let seed = self.seed.unwrap_or(scenario.plan.seed);
        let player = |name: &String| scenario.game.thing(name).map(|(kind, thing)| pack_thing(kind, thing));
        let sides = self.players.as_ref().map(|names| names.iter().filter_map(player).collect());
        Start { about: About::default(), seed, run: self.run, sides }
    }
}

/// The state after the last script, for one revision of the texts.
pub struct Kept {
    of: Of,
    texts: u64,
    scene: Scene,
    seed: Option<u64>,
    run: u64,
    by_hand: bool,
    players: Option<Vec<String>>,
    script: Vec<GivenAnswer>,
    /// After the start and after each answer: the number of replies in the log, and the number of events.
    marks: Vec<(usize, usize)>,
    course: Course,
}

/// A run that was played from a script, and the reason if an answer did not fit.
struct Played {
    scene: Scene,
    course: Course,
    marks: Vec<(usize, usize)>,
    misfit: Option<(usize, String)>,
}

/// Plays a script. Reuses the cached state for the common prefix of this script and the last one.
fn played(engine: &mut Engine, params: &PlayParams) -> Result<Played, String> {
    if params.script.len() > MOST {
        return Err(format!("a script has at most {MOST} answers"));
    }
    let of = params.of();
    let texts = engine.texts.revision();
    let kept = engine.play.take().filter(|kept| kept.of == of && kept.texts == texts);
    let scene = match &kept {
        Some(kept) => kept.scene.clone(),
        None => {
            let Scene { scenario, sources } = scene(engine, &of, Detail::Traced)?;
            Scene { scenario: Rc::new(playable((*scenario).clone())), sources }
        }
    };
    let same = |kept: &Kept| {
        (kept.seed, kept.run, kept.by_hand) == (params.seed, params.run, params.by_hand)
            && kept.players == params.players
    };
    let alike = kept
        .as_ref()
        .filter(|kept| same(kept))
        .map_or(0, |kept| kept.script.iter().zip(&params.script).take_while(|(a, b)| a == b).count());
    let start = params.start(&scene.scenario);
    let ahead = Ahead { rolls: !params.by_hand, ..Ahead::default() };
    let (course, mut marks) = match kept.filter(|_| alike > 0) {
        Some(kept) => {
            let marks = kept.marks[..=alike.min(kept.marks.len() - 1)].to_vec();
            let mut course = kept.course;
            let replies = marks[marks.len() - 1].0;
            if replies < course.replies().len() {
                course.back_to(&scene.scenario, Some(&scene.sources), replies, ahead);
            }
            (course, marks)
        }
        None => {
            let mut course = Course::new(&scene.scenario, Some(&scene.sources), &start, false);
            course.advance(&scene.scenario, Some(&scene.sources), None, ahead);
            (course, Vec::new())
        }
    };
    let mut run = Session::of(&scene.scenario, &scene.sources, start, course);
    run.by_hand = params.by_hand;
    let mark = |run: &Session<'_>| (run.replies().len(), run.events().len());
    if marks.is_empty() {
        marks.push(mark(&run));
    }
    let mut misfit = None;
    while marks.len() <= params.script.len() {
        let at = marks.len() - 1;
        if let Err(why) = answer(&mut run, &params.script[at]) {
            misfit = Some((at, why));
            break;
        }
        marks.push(mark(&run));
    }
    let course = run.course().clone();
    let script = params.script[..marks.len() - 1].to_vec();
    engine.play = Some(Kept {
        of,
        texts,
        scene: scene.clone(),
        seed: params.seed,
        run: params.run,
        by_hand: params.by_hand,
        players: params.players.clone(),
        script,
        marks: marks.clone(),
        course: course.clone(),
    });
    Ok(Played { scene, course, marks, misfit })
}

fn answer(run: &mut Session<'_>, GivenAnswer { given, asked: was }: &GivenAnswer) -> Result<(), String> {
    let now = run.pause().map(asked);
    if let Some(now) = now.filter(|now| !was.is_empty() && now != was) {
        return Err(format!("expected an answer for `{now}`, found one for `{was}`"));
    }
    let refused = match given {
        Given::Choose(line) => run.choose_line(line),
        Given::Roll(faces) if faces.is_empty() => run.next_roll(),
        Given::Roll(faces) => run.roll(faces),
        Given::Auto(_) => run.auto(1),
    };
    refused.map_err(|refused| words(&refused))
}

/// Returns the identity of a question: its name and its subject.
fn asked(pause: &Pause) -> String {
    let (name, of, again) = match pause {
        Pause::Decision(decision) => (&decision.question.name, &decision.question.subject, ""),
        Pause::Roll(roll) => (&roll.name, &roll.of, if roll.again { " again" } else { "" }),
        Pause::Draw(draw) => (&draw.name, &draw.of, ""),
    };
    if of.is_empty() { format!("{name}{again}") } else { format!("{name}{again} of {of}") }
}

fn words(refused: &Refused) -> String {
    match refused {
        Refused::Decides => "a decision waits".into(),
        Refused::NoDecision => "no decision waits here".into(),
        Refused::NoRoll => "no dice are next here".into(),
        Refused::Over => "the run is over".into(),
        Refused::NotOffered(line) | Refused::Several(line, ..) => format!("`{line}` is not on the menu"),
        Refused::Rules(why) => grognard_report::clean(why),
        Refused::AtStart => "this is the start".into(),
    }
}

/// Returns the run that a script produces, up to the next question.
pub fn play(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let params: PlayParams = read(params)?;
    let Played { scene, course, marks, misfit } = played(engine, &params)?;
    let start = params.start(&scene.scenario);
    let run = Session::of(&scene.scenario, &scene.sources, start, course);
    let game = &scene.scenario.game;
    let events = trace(game, run.events());
    let mut answer = json!({
        "story": super::story::story(game, run.events(), &events),
        "events": events,
        "marks": counts(&marks),
        "seed": run.start().seed,
        "ended": run.outcome().is_some(),
        "table": drawn(game, &run.state()),
    });
    if let Some(pause) = run.pause() {
        answer["waits"] = waiting(game, pause);
        answer["waits"]["asked"] = json!(asked(pause));
    }
    if let Some((at, why)) = misfit {
        answer["misfit"] = json!({ "at": at, "why": why });
    }
    if let Some(outcome) = run.outcome() {
        let figures = scene.scenario.plan.report.iter().zip(&outcome.figures);
        let rendered = figures.filter_map(|(figure, cells)| {
            let value = value_text(game, &figure.asked.ty, cells.as_ref()?);
            Some(json!({ "measure": figure.text, "value": value }))
        });
        answer["report"] = rendered.collect();
        if let Some(problem) = outcome.problems.first() {
            answer["fault"] = json!(problem.message);
        }
    }
    Ok(answer)
}

/// Returns the number of events that followed each answer.
fn counts(marks: &[(usize, usize)]) -> Vec<usize> {
    let ends = marks.iter().map(|(_, events)| *events);
    let before = std::iter::once(0).chain(ends.clone());
    ends.zip(before).map(|(end, before)| end.saturating_sub(before)).collect()
}

/// Returns events as the lines of a trace, each as JSON. Events that a brief trace omits have no text.
pub fn trace(game: &Game, events: &[Event]) -> Vec<Value> {
    let bare = |event: &Event| Event { depth: 0, clauses: Vec::new(), variant: ShortText::default(), ..event.clone() };
    let bare: Vec<Event> = events.iter().map(bare).collect();
    let texts = render_each(&bare, TraceDetail::Brief);
    events.iter().zip(texts).enumerate().map(|(n, (event, text))| line(game, n, event, &text)).collect()
}

fn line(game: &Game, n: usize, event: &Event, text: &str) -> Value {
    let plain = serde_json::to_value(event).unwrap_or_default();
    let words = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let mut line = json!({ "n": n, "depth": event.depth, "event": plain["event"], "text": words });
    if !event.rule.is_empty() {
        line["rule"] = json!(event.rule);
    }
    if let Some(title) = plain["title"].as_str().filter(|title| !title.is_empty()) {
        line["title"] = json!(title);
    }
    if !event.clauses.is_empty() {
        line["clauses"] = clauses(&game.program.schema, &event.clauses);
    }
    if let Some((path, at)) = event.at.rsplit_once(':')
        && let Ok(at) = at.parse::<u32>()
    {
        let at = at.saturating_sub(1);
        let range = json!({ "start": { "line": at, "character": 0 }, "end": { "line": at, "character": 0 } });
        line["place"] = json!({ "path": path, "range": range });
    }
    let mut touches = Vec::new();
    touched(&plain, &mut touches);
    if !touches.is_empty() {
        line["touches"] = json!(touches);
    }
    match &event.what {
        What::Roll { name, dice, faces, .. } => {
            let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
            line["dice"] = json!({ "name": name, "die": dice.join(", "), "faces": faces });
        }
        What::Draw { name, picks, .. } => {
            let faces: Vec<String> = picks.iter().map(ToString::to_string).collect();
            line["dice"] = json!({ "name": name, "die": "", "faces": faces });
        }
        What::Moved { thing, after: Plain::Point(x, y), facing, .. } => {
            let mut moved = json!({ "unit": thing, "x": x, "y": y });
            if let Some(Plain::Angle(angle)) = facing {
                moved["facing"] = json!(angle);
            }
            line["moved"] = json!([moved]);
        }
        What::Write { slot, before, after, .. } | What::Expired { slot, before, after } => {
            let figure = slot.field.as_str();
            let (before, after) = (before.to_string(), after.to_string());
            line["wrote"] = json!([{ "unit": slot.thing, "figure": figure, "before": before, "after": after }]);
        }
        What::StandIn { .. } => line["gap"] = json!(true),
        _ => {}
    }
    line
}

/// Collects the things that an event names, without duplicates.
fn touched(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(name) if matches!(key.as_str(), "thing" | "of" | "by" | "into" | "bearer") => {
                        if !found.contains(name) {
                            found.push(name.clone());
                        }
                    }
                    // Entries that were only offered are not touched.
                    _ if matches!(key.as_str(), "menu" | "refused" | "among") => {}
                    value => touched(value, found),
                }
            }
        }
        Value::Array(entries) => entries.iter().for_each(|entry| touched(entry, found)),
        _ => {}
    }
}

/// Returns the current question of a run as JSON.
fn waiting(game: &Game, pause: &Pause) -> Value {
    match pause {
        Pause::Decision(decision) => {
            let question = &decision.question;
            let options = question.entries.iter().map(|entry| {
                let action = entry.split('(').next().unwrap_or_default();
                json!({ "line": entry, "title": titled(game, entry), "clauses": cited(game, action) })
            });
            let refused = decision.refused.iter().filter(|refused| !refused.never).map(|refused| {
                let call = refused.instance.to_string();
                let why = refused.why.to_string();
                let clauses = clauses(&game.program.schema, &refused.clauses);
                json!({ "title": titled(game, &call), "call": call, "reason": why, "clauses": clauses })
            });
            let mut rendered = json!({
                "sort": "choose",
                "title": question.name,
                "who": question.player,
                "of": question.subject,
                "options": options.collect::<Vec<Value>>(),
                "refused": refused.collect::<Vec<Value>>(),
                "point": question.point,
            });
            if let Some((least, most)) = question.several {
                rendered["several"] = json!([least, most]);
            }
            rendered
        }
        Pause::Roll(roll) => {
            let dice: Vec<String> = roll.dice.iter().map(|(n, die)| format!("{n} of {die}")).collect();
            let count: usize = roll.dice.iter().map(|(n, _)| n).sum();
            let die = roll.dice.first().map_or("", |(_, die)| die.as_str());
            let faces: Vec<String> = match die.strip_prefix('d').and_then(|sides| sides.parse::<u32>().ok()) {
                Some(sides) => (1..=sides.min(100)).map(|face| face.to_string()).collect(),
                None => Vec::new(),
            };
            let dice = json!({ "name": dice.join(" + "), "die": die, "count": count, "faces": faces });
            json!({ "sort": "roll", "title": roll.name, "who": roll.of, "dice": dice, "again": roll.again })
        }
        Pause::Draw(draw) => {
            let dice = json!({ "name": draw.name, "die": "", "count": draw.count, "faces": draw.among });
            json!({ "sort": "roll", "title": draw.name, "who": draw.of, "dice": dice })
        }
    }
}

fn item_of<'g>(game: &'g Game, action: &str) -> Option<&'g Item> {
    game.program.schema.items.iter().find(|item| item.word == "action" && item.name == action)
}

/// Returns the clauses that an action cites.
fn cited(game: &Game, action: &str) -> Value {
    item_of(game, action).map_or(json!([]), |item| clauses(&game.program.schema, &item.cites))
}

/// Returns a menu entry with the title of its action, if it has one: `IssueOrder(officer: voss)` becomes `Issue an order: officer
/// voss`.
fn titled(game: &Game, entry: &str) -> String {
    let (action, picks) = entry.split_once('(').unwrap_or((entry, ""));
    let Some(item) = item_of(game, action).filter(|item| !item.title.is_empty()) else { return entry.to_string() };
    match picks.strip_suffix(')').unwrap_or(picks) {
        "" => item.title.clone(),
        picks => format!("{}: {}", item.title, picks.replace(": ", " ")),
    }
}

/// Returns the available and the unavailable actions of a unit, with the reasons.
pub fn menu(engine: &mut Engine, mut params: Value) -> Result<Value, String> {
    if let Some(Value::Object(play)) = params.get_mut("play").map(Value::take) {
        play.into_iter().for_each(|(key, value)| params[key] = value);
    }
    let params: PlayParams = read(params)?;
    let Played { scene, course, .. } = played(engine, &params)?;
    let start = params.start(&scene.scenario);
    let run = Session::of(&scene.scenario, &scene.sources, start, course);
    let rendered = match run.pause() {
        Some(pause @ Pause::Decision(_)) => waiting(&scene.scenario.game, pause),
        _ => return Ok(json!({ "offered": [], "refused": [] })),
    };
    let names = |call: &str| {
        let words = call.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '#')));
        words.into_iter().any(|word| word == params.unit)
    };
    // A decision of a unit, or of its group, concerns the unit as a whole.
    let (unit, subject) = (params.unit.as_str(), rendered["of"].as_str().unwrap_or_default());
    let own = unit.is_empty() || unit == subject || is_of(&scene.scenario.game, unit, subject);
    let of = |rows: &Value, key: &str| -> Vec<Value> {
        let rows = rows.as_array().into_iter().flatten();
        rows.filter(|row| own || row[key].as_str().is_some_and(names)).cloned().collect()
    };
    let call = |mut option: Value| {
        option["call"] = option["line"].take();
        option
    };
    let offered: Vec<Value> = of(&rendered["options"], "line").into_iter().map(call).collect();
    let refused = of(&rendered["refused"], "call");
    Ok(json!({ "offered": offered, "refused": refused, "asked": rendered["title"], "who": rendered["who"] }))
}

/// Returns whether one of two things is the group of the other.
fn is_of(game: &Game, a: &str, b: &str) -> bool {
    let named = |kind: KindId, thing: i64, name: &str| game.name(kind, thing) == name;
    let pairs = groups(game);
    let fits = |(member, group): (&str, &str)| {
        pairs.iter().any(|((kind, thing), of)| *of == group && named(*kind, *thing, member))
    };
    fits((a, b)) || fits((b, a))
}

/// Returns the run as a scenario that replays it.
pub fn saved(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let params: PlayParams = read(params)?;
    let Played { scene, course, .. } = played(engine, &params)?;
    let start = params.start(&scene.scenario);
    let run = Session::of(&scene.scenario, &scene.sources, start, course);
    let (folder, base) = params.path.rsplit_once('/').unwrap_or(("", &params.path));
    let set = params.settings.set(Some(&scene.scenario.rules));
    let title = Some(params.name.trim_end_matches(".toml").replace('-', " ")).filter(|title| !title.is_empty());
    let settings = session::Settings { base: base.to_string(), rules: params.rules.clone(), set, title };
    let saved = save(&run, &settings);
    let name = if params.name.is_empty() { "played" } else { params.name.trim_end_matches(".toml") };
    let path = if folder.is_empty() { format!("{name}.toml") } else { format!("{folder}/{name}.toml") };
    Ok(json!({ "path": path, "text": saved.text, "notes": saved.notes }))
}

/// Computes the odds of each option at the current decision.
pub fn play_odds(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let params: PlayParams = read(params)?;
    let Played { scene, course, .. } = played(engine, &params)?;
    if scene.scenario.plan.report.is_empty() {
        return Err("the scenario reports nothing of which there could be odds".into());
    }
    let start = params.start(&scene.scenario);
    let run = Session::of(&scene.scenario, &scene.sources, start, course);
    let entries = run.entries().0;
    let asked = Menu { budget: Effort::Quick.watched(asker.watch.clone()) };
    let watch = until(asker.watch.clone());
    let mut rendered: Vec<Value> = Vec::new();
    let answered = asked.answer(&run, &entries, &|| watch(0), &mut |entry, found| {
        rendered.push(option(&run, entry, &found));
        asker.tell(json!({ "options": rendered }));
    });
    answered.map_err(|fault| fault.message)?;
    asker.still()?;
    Ok(json!({ "here": [], "options": rendered }))
}

fn option(run: &Session<'_>, entry: &Entry, found: &Found) -> Value {
    let scenario = run.scenario();
    let game = &scenario.game;
    let figures = scenario.plan.report.iter();
    let exact = |label: &str| -> Vec<Value> {
        let rows = figures.clone().zip(&found.answers).map(|(figure, answer)| {
            let text = answer.as_ref().map_or_else(|fault| fault.message.clone(), |answer| cell(game, figure, answer));
            json!({ "measure": figure.text, "title": heading(figure), "text": text, "label": label })
        });
        rows.collect()
    };
    let measures = match &found.shares {
        Some(shares) => {
            let rows = figures.zip(&shares.figures).map(|(figure, cells)| {
                let text = sampled_cell(game, figure, cells);
                json!({ "measure": figure.text, "title": heading(figure), "text": text, "label": "sampled" })
            });
            rows.collect()
        }
        None => exact(grognard_report::odds::label(found.label())),
    };
    json!({ "line": entry.words, "measures": measures })
}
