//! The reference sheet: its tables, and columns that say nothing.

use grognard_base::Sources;
use grognard_book::{Grid, book};
use grognard_kit::Shelf;

const RULES: &str = r#"ruleset g/x

param hit_on "A shot hits on" = 4
param for_tests = 4

kind Side { link squads : list of Squad }
kind Squad {
  owner side
  link side : Side
  stat ld : 0..3 = 2 "Leadership"
  state markers : 0..9 = 0 "Markers"
}

phase Turn(side: Side) "A side's turn" { repeat choose action or stop }

action RallyRound "Rally" in Turn by squad {
  choose squad in side.squads where squad.markers > 0
  needs squad.ld > 0 else "nobody leads it"
  limit 1 per Turn for squad
  set squad.markers -= 1
}

action GoToGround "Go to ground!" in Turn by squad {
  choose squad in side.squads
  limit 1 per Turn for squad
  set squad.markers += 1
}

trait Brave "brave" on Squad { modify ld += 1 }
status Pinned "it keeps its head down" on Squad {
  forbid RallyRound
  modify ld -= markers
}
trait Tall on Squad
"#;

fn rows(grid: &Grid) -> Vec<String> {
    let all = [&grid.heads].into_iter().chain(grid.rows.iter().map(|(_, row)| row));
    all.map(|row| row.iter().map(|words| words.plain()).collect::<Vec<_>>().join(" | ")).collect()
}

#[test]
fn a_sheet_has_numbers_actions_modifiers_and_statuses() {
    let made = book("g/x", &Shelf::of(&[("g/x.rules", RULES)]), &mut Sources::default(), false).unwrap();
    let captions: Vec<&str> = made.sheet.grids.iter().map(|grid| grid.caption.as_str()).collect();
    assert_eq!(captions, ["Numbers", "Actions: A side's turn", "Modifiers", "Statuses and traits"]);
    let [numbers, actions, modifiers, statuses] = made.sheet.grids.as_slice() else { panic!("four tables") };
    assert_eq!(rows(numbers), ["", "A shot hits on | 4"]);
    let expected = [
        "action | not allowed if | limit",
        "Rally round: Rally | nobody leads it | 1 per turn, for each squad",
        "Go to ground! |  | 1 per turn, for each squad",
    ];
    assert_eq!(rows(actions), expected);
    assert_eq!(
        rows(modifiers),
        ["number | change | by", "Leadership | +1 | Brave", "Leadership | − (varies) | Pinned"]
    );
    let expected = [
        "name | effect",
        "Brave | Leadership +1",
        "Pinned | it keeps its head down; may not rally round; Leadership − (varies)",
    ];
    assert_eq!(rows(statuses), expected);
}
