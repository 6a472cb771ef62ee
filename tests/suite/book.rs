//! Rulebooks: what a page says, that all links lead somewhere, that no text breaks out, and what becomes of the folder.

use crate::common::{folder, root, said, text_of};
use crate::page::strict::{Part, read};
use grognard_book::STYLE;
use insta::assert_snapshot;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const CLAUSES: &str = r#"
[[clause]]
id = "GX-01"
section = "Nerve"
says = "A shaken squad rolls a die for each of its Leadership; one at or under Nerve steadies it."
status = "modelled"
[[clause]]
id = "GX-H1"
section = "Nerve"
says = "When a marker is paid is not said."
status = "hole"
"#;

const RULES: &str = r#"ruleset g/x version "1"

section "What there is"

param price "Markers an order costs" = 1  sweep 1, 2  cite GX-H1
reading paid "When it is paid" = Before "even if it fails" or After because "both can be meant" default because "it comes first"  cite GX-H1

kind Side { link squads : list of Squad }
kind Squad {
  owner side
  link side : Side
  stat ld : 0..2 = 2 "Leadership"
  stat nv : 0..6 = 3 "Nerve"
  state markers : 0..9 = 0 "Markers"
  state acted : Flag = no
}

section "Under fire"

cite GX-01
test Steady(s: Squad) "One die at or under Nerve is enough" {
  roll dice = s.ld of d6
  pass when any dice <= s.nv
}

let mood(markers: Int): Int "How it feels" = match markers {
  under 1 => 0
  1 to 2  => 1
  over 2  => 2
}

event Hit(target: Squad, hits: Int)
rule Rattled "Hits leave markers" on Hit as h when h.hits > 0 and not h.target.acted { set h.target.markers += h.hits }

phase Turn(side: Side) { repeat choose action or stop }

action Rally "Pull yourselves together" in Turn by squad {
  choose squad in side.squads where squad.markers > 0
  needs squad.ld > 0 else "nobody leads it"
  limit 1 per Turn for squad
  if paid == Before { set squad.markers -= price }
  let tried = test Steady(squad)
  if not tried.passed { cancel action } else { set squad.acted = yes until end of Turn }
}

example "two dice" for Steady(s) with s.nv = 1 { chance passed = 11/36 }
"#;

const VARIANT: &str = "variant g/y of g/x version \"2\"\n\nchange rule Rattled {\n  - h.hits > 0\n  + h.hits > 1\n}\noverride param price \"Markers an order costs\" = 2\n";

/// A folder with a small game, and its book in `out`.
fn written(name: &str, args: &[&str]) -> std::path::PathBuf {
    let files = [("g/x.rules", RULES), ("g/y.rules", VARIANT), ("g/clauses.toml", CLAUSES)];
    let folder = folder(name, &files);
    let (code, said) = said(&folder, &[&["book"], args, &["-o", "out"]].concat());
    assert_eq!(code, 0, "{said}");
    folder
}

fn text(folder: &Path, page: &str) -> String {
    std::fs::read_to_string(folder.join("out").join(page)).unwrap_or_else(|e| panic!("{page}: {e}"))
}

/// What a reader sees of a page, without what is folded: a line for each paragraph, entry and row.
fn seen(page: &str) -> String {
    let mut out = String::new();
    let mut folded = 0;
    for part in read(page).unwrap() {
        match part {
            Part::Begin(tag, _, true) if ["details", "head", "nav"].contains(&tag.as_str()) => folded += 1,
            Part::End(tag) if ["details", "head", "nav"].contains(&tag.as_str()) => folded -= 1,
            Part::End(tag)
                if ["p", "li", "h1", "h2", "h3", "dt", "dd", "tr", "caption", "pre"].contains(&tag.as_str()) =>
            {
                out.push('\n');
            }
            Part::End(tag) if tag == "th" || tag == "td" => out.push_str(" | "),
            Part::Text(text) if folded == 0 => {
                out.push_str(text.trim_matches('\n').trim_start_matches("  "));
            }
            _ => {}
        }
    }
    let lines = out.lines().map(|line| line.trim().trim_end_matches(" |")).filter(|line| !line.is_empty());
    lines.collect::<Vec<&str>>().join("\n")
}

#[test]
fn an_item_shows_its_rules_text_and_its_odds() {
    let folder = written("told", &["g/x.rules"]);
    let page = seen(&text(&folder, "02-under-fire.html"));
    assert_snapshot!(page);
    // two dice, one at or under Nerve: all but those falls in which both lie above it
    for nerve in 1..6 {
        let good = 36 - (6 - nerve) * (6 - nerve);
        let part = (1..=36).rev().find(|n| good % n == 0 && 36 % n == 0).unwrap();
        assert!(page.contains(&format!("%{}/{}", good / part, 36 / part)), "{nerve}");
    }
    let first = seen(&text(&folder, "01-what-there-is.html"));
    for rendered in [
        "price | Markers an order costs | 1 | 1, 2",
        "= Before \"even if it fails\" or After because \"both can be meant\"",
    ] {
        assert!(first.contains(rendered), "{first}");
    }
    // a name leads to its explanation, and a field is explained where it is declared
    let (under_fire, what) = (text(&folder, "02-under-fire.html"), text(&folder, "01-what-there-is.html"));
    assert!(under_fire.contains("<a href=\"02-under-fire.html#test-Steady\""), "{under_fire}");
    assert!(under_fire.contains("<a href=\"01-what-there-is.html#field-Squad.nv\""), "{under_fire}");
    assert!(what.contains("<span id=\"field-Squad.nv\">nv</span>"), "{what}");
}

#[test]
fn a_variant_says_what_it_changes() {
    let folder = written("changed", &["g/y"]);
    let index = seen(&text(&folder, "index.html"));
    assert!(index.contains("A variant: g/y (version 2), on g/x (version 1)."), "{index}");
    let page = text(&folder, "index.html");
    assert!(page.contains("Rule, changed: ") && page.contains("Number, changed: "), "{page}");
    let rule = seen(&text(&folder, "02-under-fire.html"));
    assert!(rule.contains("when h.hits > 1 and not h.target.acted"), "{rule}");
    assert!(
        rule.contains(
            "Changed in g/y:\nwhen: h.hits > 0 and not h.target.acted became h.hits > 1 and not h.target.acted"
        ),
        "{rule}"
    );
    assert!(seen(&text(&folder, "01-what-there-is.html")).contains("price | Markers an order costs | 2"));
}

/// Every page of a folder with its parts.
fn pages(folder: &Path) -> BTreeMap<String, Vec<Part>> {
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path());
    let pages = files.filter(|path| path.extension().is_some_and(|e| e == "html")).map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let parts = read(&std::fs::read_to_string(&path).unwrap()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        (name, parts)
    });
    pages.collect()
}

/// All links of a book lead to a place in it, each place is there once, and nothing is fetched or run.
fn holds_together(folder: &Path) {
    let pages = pages(folder);
    let mut places = BTreeSet::new();
    let attributes = |parts: &[Part]| -> Vec<(String, String, String)> {
        let of = |part: &Part| match part {
            Part::Begin(tag, all, _) => all.iter().map(|(k, v)| (tag.clone(), k.clone(), v.clone())).collect(),
            _ => Vec::new(),
        };
        parts.iter().flat_map(of).collect()
    };
    for (name, parts) in &pages {
        assert!(places.insert(name.clone()));
        for (_, _, id) in attributes(parts).into_iter().filter(|(_, key, _)| key == "id") {
            assert!(places.insert(format!("{name}#{id}")), "twice {name}#{id}");
        }
    }
    let mut links = 0;
    for (name, parts) in &pages {
        for (tag, key, value) in attributes(parts) {
            assert!(!key.starts_with("on") && key != "src" && tag != "script" && tag != "link", "{name}: {tag} {key}");
            if key == "href" {
                links += 1;
                let to = if value.starts_with('#') { format!("{name}{value}") } else { value.clone() };
                assert!(places.contains(&to), "{name}: {value} leads nowhere");
            }
        }
    }
    assert!(links > 3 * pages.len(), "{links}");
}

#[test]
fn every_link_of_a_shipped_book_leads_somewhere() {
    let folder = folder("shipped", &[]);
    for book in ["warstrike/core", "warstrike/salvo-threshold", "alternate/activation", "recoil/skirmish"] {
        let to = folder.join(book.replace('/', "-"));
        let (code, said) = said(&folder, &["book", book, "--no-odds", "-o", to.to_str().unwrap()]);
        assert_eq!(code, 0, "{said}");
        holds_together(&to);
        let index = std::fs::read_to_string(to.join("index.html")).unwrap();
        assert!(index.contains("class=\"paragraph"), "{book} has paragraphs");
        for page in ["index.html", "sheet.html"] {
            assert_eq!(internal(&seen(&std::fs::read_to_string(to.join(page)).unwrap())), [""; 0], "{book}: {page}");
        }
    }
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains('<'));
    // a ruleset with open items says so, and has no odds
    let open = std::fs::read_to_string(folder.join("warstrike-core/index.html")).unwrap();
    assert!(open.contains("Each edition must define: ") && open.contains("Suppressed of Unit"), "{open}");
}

#[test]
fn the_same_rules_give_the_same_book() {
    let folders = ["once", "again"].map(|name| written(name, &["g/x.rules"]).join("out"));
    holds_together(&folders[0]);
    for entry in std::fs::read_dir(&folders[0]).unwrap().flatten() {
        let both = folders.each_ref().map(|f| std::fs::read(f.join(entry.file_name())).unwrap());
        assert!(both[0] == both[1], "{:?}", entry.file_name());
    }
}

#[test]
fn no_text_of_rules_breaks_out() {
    let evil = "</style><script>x</script>&<b a='";
    let rules = RULES.replace("Hits leave markers", evil).replace("Under fire", evil).replace("nobody leads it", evil);
    let clauses = CLAUSES.replace("When a marker is paid is not said.", "<img src=x onerror=y> \u{202e}");
    let folder = folder("evil", &[("g/x.rules", rules.as_str()), ("g/clauses.toml", clauses.as_str())]);
    let (code, said) = said(&folder, &["book", "g/x.rules", "-o", "out"]);
    assert_eq!(code, 0, "{said}");
    holds_together(&folder.join("out"));
    let page = text(&folder, "02-style-script-x-script-b-a.html");
    assert!(seen(&page).contains(evil), "{page}");
    assert!(!text(&folder, "clauses.html").contains('\u{202e}'));
}

const LITERATE: &str = r#"ruleset l/fire version "1"

section "Fire"

LF-1  Each soldier rolls one die. A shot hits on a 4 or more,
      and each hit that is not saved takes a soldier.
param hit_on "A shot hits on" = 4

kind Squad "Some soldiers" {
  state men  : 0..20 = 10 "Soldiers"
  stat armour : Armour = NoArmour "Armour"
  stat ld : 0..3 = 2 "Leadership"
}
enum Armour { NoArmour, FullPlate }

table saves_on(armour: Armour): Int "A hit is saved on" {
  | NoArmour  | 7 |
  | FullPlate | 5 |
}

proc volley(a: Squad, b: Squad) {
  roll aim = a.men of d6
  set b.men -= count aim >= hit_on
}

section "Morale"

LF-2 (commentary) Nobody likes to be shot at.

LF-3  A squad that lost half its soldiers is shaken: it must test before it acts, and it does not charge.
test NerveCheck(s: Squad) "Nerve check" {
  roll dice = s.ld of d6
  pass when any dice >= hit_on
}
condition Shaken on Squad when shaken(self) { modify ld -= 1 }

LF-H1 (hole) How is the half of an odd number rounded?
reading odd_half "Half of an odd number" = RoundedDown or RoundedUp "so that fewer are enough"
  default because "the squad then stands longer"

let shaken(s: Squad): Flag = s.men <= 5 / 2 rounded down

change let shaken under odd_half = RoundedUp {
  - 5 / 2 rounded down
  + 5 / 2 rounded up
}

LF-4 (external) The chapter on leaders says who can steady a squad.
LF-H2 (decided: it stays shaken) How does a squad recover?
"#;

const FIXED: &str = r#"example "a volley" for volley(a, b) with a.men = 3, b.men = 4 rolling [4, 1, 6] { b.men = 2 }
example "shaken" for s: Squad with s.men = 2 { shaken(s) }
"#;

const UPPER: &str = r#"variant l/upper of l/fire version "2"

override reading odd_half = RoundedUp because "it hurts more"

override param hit_on "A shot hits on" = 5
"#;

/// A folder with a literate game and a variant of it, and the book of one of them in `out`.
fn literate(name: &str, args: &[&str]) -> std::path::PathBuf {
    let files =
        [("l/fire.rules", LITERATE), ("l/fire.examples.rules", FIXED), ("l/upper.rules", UPPER), ("grognard.toml", "")];
    let folder = folder(name, &files);
    let (code, said) = said(&folder, &[&["book"], args].concat());
    assert_eq!(code, 0, "{said}");
    folder
}

/// The names of the rules that a page shows outside of rules text: words with `_`, or with a capital within. Three letters
/// are an abbreviation, such as RoF.
fn internal(page: &str) -> Vec<&str> {
    // the first line begins with the link to the text
    let (_, below) = page.split_once('\n').unwrap();
    let is_name = |word: &&str| {
        let signs: Vec<char> = word.chars().collect();
        word.contains('_')
            || signs.len() > 3 && signs.windows(2).any(|two| two[0].is_lowercase() && two[1].is_uppercase())
    };
    below.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_name).collect()
}

#[test]
fn a_player_reads_the_paragraphs() {
    let folder = literate("player", &["l/fire.rules", "-o", "out"]);
    holds_together(&folder.join("out"));
    let page = seen(&text(&folder, "index.html"));
    assert_snapshot!(page);
    for id in ["LF-1", "LF-2", "LF-3", "LF-4", "LF-H1", "LF-H2"] {
        let lines = page.lines().filter(|line| *line == id || line.starts_with(&format!("{id} ")));
        assert_eq!(lines.count(), 1, "{id}");
    }
    // two dice that miss half the time
    assert!(page.contains("75.00%"), "{page}");
    assert_eq!(internal(&page), [""; 0]);
    let whole = text(&folder, "index.html");
    assert!(whole.contains("<summary>as rules</summary>") && whole.contains("count aim &gt;= hit_on"), "{whole}");
    // the reference behind it has the rules text instead of generated sentences
    let chapter = seen(&text(&folder, "02-morale.html"));
    assert!(chapter.contains("pass when any dice >= hit_on") && !chapter.contains("Passed if"), "{chapter}");
    assert!(text(&folder, "01-fire.html").contains("1 example"), "the example of the volley");
    assert!(!folder.join("out/clauses.html").exists() && folder.join("out/reference.html").exists());
}

#[test]
fn a_variant_shows_its_own_answers() {
    let folder = literate("player-variant", &["l/upper.rules", "-o", "out", "--no-odds"]);
    holds_together(&folder.join("out"));
    let page = seen(&text(&folder, "index.html"));
    let answer = "We read: Half of an odd number: rounded up (so that fewer are enough). Reason: it hurts more.";
    assert!(page.contains(answer) && page.contains("Another reading: rounded down."), "{page}");
    assert!(page.contains("In Upper:\nA shot hits on\n5\n"), "{page}");
    assert!(!page.contains("A shot hits on\n4"), "{page}");
}

#[test]
fn a_sheet_is_one_file() {
    let folder = literate("sheet", &["l/fire.rules", "--sheet", "-o", "sheet.html"]);
    let page = std::fs::read_to_string(folder.join("sheet.html")).unwrap();
    assert_snapshot!(seen(&page));
    assert!(!page.contains("href="), "a sheet is printed");
    assert!(!folder.join("out").exists());
    std::fs::create_dir(folder.join("place")).unwrap();
    let (code, rendered) = said(&folder, &["book", "l/fire.rules", "--sheet", "-o", "place"]);
    assert!(code == 2 && rendered.contains("with --sheet, name a file such as place/sheet.html"), "{rendered}");
    let (code, rendered) = said(&folder, &["book", "l/fire.rules", "--sheet", "--force", "-o", "sheet.html"]);
    assert!(code == 2 && rendered.contains("--force"), "{rendered}");
    // a ruleset without paragraphs has a sheet too
    let folder = written("sheet-plain", &["g/x.rules"]);
    assert!(seen(&text(&folder, "sheet.html")).contains("Rally: Pull yourselves together"));
}

/// A folder is written over only where a book of this program stands in it, and only its own pages go.
#[test]
fn the_folder_of_a_book() {
    let here = written("place", &["g/y.rules"]);
    let out = here.join("out");
    std::fs::write(out.join("own.txt"), "mine").unwrap();
    let marker = std::fs::read_to_string(out.join("grognard-book.txt")).unwrap();
    std::fs::write(out.join("99-old.html"), "old").unwrap();
    std::fs::write(here.join("above.html"), "above").unwrap();
    std::fs::write(out.join("grognard-book.txt"), format!("{marker}99-old.html\n../above.html\n")).unwrap();
    let (code, rendered) = said(&here, &["book", "g/x.rules", "-o", "out"]);
    assert!(code == 0 && rendered.contains("G: X: 2 chapters, "), "{rendered}");
    assert!(!out.join("99-old.html").exists() && out.join("own.txt").exists() && here.join("above.html").exists());
    assert!(seen(&text(&here, "index.html")).contains("G: X\ng/x (version 1).\n"));

    let other = folder(
        "place-other",
        &[("g/x.rules", RULES), ("g/clauses.toml", CLAUSES), ("out/index.html", "mine"), ("out/a.html", "mine")],
    );
    let (code, rendered) = said(&other, &["book", "g/x.rules", "-o", "out"]);
    assert!(
        code == 2
            && rendered.contains("out is not empty and does not contain a book; name another folder, or use --force"),
        "{rendered}"
    );
    assert_eq!(std::fs::read_to_string(other.join("out/index.html")).unwrap(), "mine");
    assert_eq!(said(&other, &["book", "g/x.rules", "-o", "out", "--force"]).0, 0);
    assert_eq!(std::fs::read_to_string(other.join("out/a.html")).unwrap(), "mine");
    let (code, rendered) = said(&other, &["book", "g/x.rules", "-o", "g/x.rules"]);
    assert!(code == 2 && rendered.contains("is a file"), "{rendered}");
}

#[test]
fn rules_with_errors_make_no_book() {
    let here = folder("faulty", &[("g/x.rules", "ruleset g/x\n\nparam most = nothing\n")]);
    let (code, rendered) = said(&here, &["book", "g/x.rules", "-o", "out"]);
    assert!(code == 2 && rendered.contains("R0301"), "{rendered}");
    assert!(!here.join("out").exists());
    let (code, rendered) = said(&here, &["book", "warstrike/cor", "-o", "out"]);
    assert!(code == 2 && rendered.contains("file not found: warstrike/cor"), "{rendered}");
    assert!(text_of("docs/commands.md").contains("grognard book ") && root().exists());
}
