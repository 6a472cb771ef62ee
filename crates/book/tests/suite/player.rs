//! The manual: which passage an item belongs to, which declaration is shown, and what has a text.

use grognard_base::Sources;
use grognard_book::{Grid, Manual, Passage, book};
use grognard_kit::Shelf;

const BASE: &str = r#"ruleset g/fire version "1"

section "Fire"

F-1  A shot hits on 4 or more.
F-2  Each hit takes a soldier.
param hit_on = 4

F-H1 (hole) How far a shot carries is not said.
F-H2 (decided: it does) Whether smoke hides a squad is not said.
reading far_away "A shot carries" = AsFarAsSeen "whatever the range" or ToTheHedge default because "nothing limits it"

kind Squad "Some soldiers" {
  state men : 0..20 = 10 "Soldiers"
  state hidden_now : Flag = no "hidden by smoke, a hedge or a wall"
}

table save(armour: Armour): Int "Saves on" {
  | FullPlate | 3          |
  | NoArmour  | hit_on + 2 |
}
enum Armour { FullPlate, NoArmour }

let range_mod(range: Length): Int "Modifier" = match range {
  at most 6"    => 1
  over 6" to 12" => 0
  else          => -1
}

let not_a_table(men: Int): Int = match men { 0 => 0; else => men - 1 }

section "Morale"

F-3 (commentary) Nobody likes to be shot at.
F-4 (external) Leaders are another chapter.
F-5  A shaken squad tests.
test Nerve(s: Squad) "Nerve check" { roll dice = d6; pass when dice >= hit_on }
condition Shaken on Squad when men < 5
"#;

const EDITION: &str = r#"ruleset g/night version "1" extends g/fire

section "Night"

N-1  At night a shot hits on 6.
override param hit_on "A shot at night hits on" = 6

section "fire"

N-2  Flares light the field.
param flares = 2

section "Morale"

N-3  A squad tests with two dice.
change test Nerve {
  - d6
  + d8
}

section "Of our own"

cite F-5
param drill_bonus "What drill adds" = 1
param bare_bonus "What bare drill adds" = 2
kind FlagBearer {
  stat reach : 0..9 = 1 "Reach"
  state down : Flag = no "it is down"
}
"#;

const VARIANT: &str = r#"variant g/late of g/night version "2"

override reading far_away = ToTheHedge because "it is dark"

change test Nerve {
  - >= hit_on
  + > hit_on
}
"#;

fn manual(path: &str) -> Manual {
    let files = [("g/fire.rules", BASE), ("g/night.rules", EDITION), ("g/late.rules", VARIANT)];
    let made = book(path, &Shelf::of(&files), &mut Sources::default(), true);
    made.unwrap_or_else(|found| panic!("{found:?}")).manual.unwrap()
}

/// Returns the passage with a clause.
fn of<'m>(manual: &'m Manual, id: &str) -> &'m Passage {
    let mut passages = manual.chapters.iter().flat_map(|chapter| &chapter.passages);
    passages.find(|passage| passage.clauses.iter().any(|clause| clause.id == id)).unwrap()
}

fn titles(manual: &Manual) -> Vec<&str> {
    manual.chapters.iter().map(|chapter| chapter.title.as_str()).collect()
}

fn cells(grid: &Grid) -> Vec<Vec<String>> {
    let rows = [&grid.heads].into_iter().chain(grid.rows.iter().map(|(_, row)| row));
    rows.map(|row| row.iter().map(|words| words.plain()).collect()).collect()
}

#[test]
fn each_clause_and_each_table_is_there_once_in_the_order_of_the_book() {
    let manual = manual("g/fire");
    let passages = || manual.chapters.iter().flat_map(|chapter| &chapter.passages);
    let ids: Vec<&str> = passages().flat_map(|p| &p.clauses).map(|clause| clause.id.as_str()).collect();
    assert_eq!(ids, ["F-1", "F-2", "F-H1", "F-H2", "F-3", "F-4", "F-5"]);
    let tables = passages().flat_map(|p| &p.grids).filter(|grid| grid.caption.is_empty()).count();
    assert_eq!(tables, 2);
    let statuses: Vec<&str> = passages().flat_map(|p| &p.clauses).map(|clause| clause.status).collect();
    assert_eq!(statuses, ["modelled", "modelled", "hole", "hole", "commentary", "external", "modelled"]);
    assert_eq!(of(&manual, "F-H2").clauses[1].decided, "it does");
}

#[test]
fn only_constants_have_a_text() {
    let manual = manual("g/fire");
    assert_eq!(of(&manual, "F-1").numbers, [("Hit on".to_string(), "4".to_string())]);
    let [save, modifier] = of(&manual, "F-H1").grids.as_slice() else { panic!("two tables") };
    // A computed cell of a table has a text, as a table without it would be incomplete.
    assert_eq!(cells(save)[..2], [["Armour", "Saves on"], ["Full plate", "3"]]);
    let rows = [["Range", "Modifier"], ["6″ or less", "1"], ["over 6″ to 12″", "0"], ["other", "−1"]];
    assert_eq!(cells(modifier), rows);
}

#[test]
fn a_reading_shows_the_answer_of_this_ruleset() {
    let base = manual("g/fire");
    let settled = &of(&base, "F-H1").readings[0];
    assert_eq!(settled.answer, "A shot carries: as far as seen (whatever the range)");
    assert_eq!((settled.reason.as_str(), settled.open.as_str()), ("nothing limits it", ""));
    assert_eq!(settled.others, ["to the hedge"]);
    let late = manual("g/late");
    let settled = &of(&late, "F-H1").readings[0];
    assert_eq!(settled.answer, "A shot carries: to the hedge");
    assert_eq!(
        (settled.reason.as_str(), settled.others.as_slice()),
        ("it is dark", ["as far as seen (whatever the range)".to_string()].as_slice())
    );
}

#[test]
fn an_edition_continues_the_sections_of_its_base() {
    let manual = manual("g/night");
    // `Night` has no section of its file before it; `Fire` and `Morale` are those of the base.
    assert_eq!(titles(&manual), ["Fire", "Morale", "Night", "Of our own"]);
    let fire: Vec<&str> = manual.chapters[0].passages.iter().map(|p| p.clauses[0].id.as_str()).collect();
    assert_eq!(fire, ["F-1", "F-H1", "N-2"]);
    // the number is shown where it has its last value, and its first paragraph refers to that
    assert!(of(&manual, "F-1").numbers.is_empty());
    assert_eq!(of(&manual, "F-1").changed_by, ["N-1"]);
    assert_eq!(of(&manual, "N-1").numbers, [("A shot at night hits on".to_string(), "6".to_string())]);
    assert_eq!(of(&manual, "F-5").changed_by, ["N-3"]);
    let own = &manual.chapters[3].passages[0].numbers;
    assert_eq!(*own, [("What bare drill adds".to_string(), "2".to_string())]);
    assert_eq!(manual.chapters[3].passages[0].named, ["Flag bearer: Reach, it is down"]);
    assert!(manual.terms.iter().any(|term| term.term == "Reach" && term.at == "Of our own"));
    // an item without a paragraph goes to the paragraph that it cites
    let [(by, added)] = of(&manual, "F-5").added.as_slice() else { panic!("one file adds items") };
    assert_eq!(
        (by.as_str(), added.numbers.as_slice()),
        ("Night", [("What drill adds".to_string(), "1".to_string())].as_slice())
    );
}

#[test]
fn items_without_a_paragraph_come_last() {
    let text = EDITION.replace("cite F-5\n", "");
    let files = [("g/fire.rules", BASE), ("g/night.rules", text.as_str())];
    let made = book("g/night", &Shelf::of(&files), &mut Sources::default(), false).unwrap();
    let manual = made.manual.unwrap();
    assert_eq!(titles(&manual), ["Fire", "Morale", "Night", "Of our own"]);
    assert!(!manual.chapters[3].of_the_book && manual.chapters[2].of_the_book);
    assert_eq!(manual.chapters[3].passages[0].numbers.len(), 2);
    assert!(of(&manual, "F-5").grids.is_empty(), "no odds are asked for");
}

#[test]
fn stand_ins_come_last_and_are_marked() {
    let text = BASE.replace(
        "section \"Fire\"\n",
        "stand-in section \"Ground\"\n\nG-H1 (hole) How wide is a hedge?\nparam hedge = 1\"\nparam far \"Stand-in: far\" = 9\"\n\nsection \"Fire\"\n",
    );
    let made = book("g/fire", &Shelf::of(&[("g/fire.rules", text.as_str())]), &mut Sources::default(), false).unwrap();
    let manual = made.manual.unwrap();
    assert_eq!(titles(&manual), ["Fire", "Morale", "Ground"]);
    let numbers = [("Hedge (stand-in)", "1″"), ("Stand-in: far", "9″")].map(|(a, b)| (a.to_string(), b.to_string()));
    assert_eq!(of(&manual, "G-H1").numbers, numbers);
    assert!(!manual.chapters[2].of_the_book);
}

#[test]
fn a_variant_shows_its_changes_at_the_paragraph() {
    let manual = manual("g/late");
    let added: Vec<&str> = of(&manual, "F-5").added.iter().map(|(by, _)| by.as_str()).collect();
    assert_eq!(added, ["Night", "Late"]);
    let (_, late) = &of(&manual, "F-5").added[1];
    assert_eq!(late.named, ["Nerve: Nerve check"]);
    assert!(late.source.contains("+ > hit_on"));
    assert!(of(&manual, "F-5").grids[0].caption.starts_with("Nerve. "), "{:?}", of(&manual, "F-5").grids);
}

#[test]
fn the_index_names_terms_where_they_are_introduced() {
    let manual = manual("g/fire");
    let terms: Vec<String> =
        manual.terms.iter().map(|t| format!("{} ({}) {} {}", t.term, t.title, t.at, t.anchor)).collect();
    assert_eq!(
        terms,
        [
            "Hidden now (hidden by smoke, a hedge or a wall) F-H1 F-H1",
            "Nerve (Nerve check) F-5 F-5",
            "Shaken () F-5 F-5",
            "Soldiers () F-H1 F-H1",
            "Squad (Some soldiers) F-H1 F-H1",
        ]
    );
}

#[test]
fn a_ruleset_without_paragraphs_has_no_manual() {
    let text = "ruleset g/plain\nparam hit_on \"A shot hits on\" = 4\n";
    let made = book("g/plain", &Shelf::of(&[("g/plain.rules", text)]), &mut Sources::default(), false).unwrap();
    assert!(made.manual.is_none() && made.chapters.len() == 1 && made.sheet.grids.len() == 1);
}
