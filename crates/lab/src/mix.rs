//! Builds the versions between two versions of a book: the old one with some of the edits that lead to the new one.

use super::diff::{ChangeSort, ItemChange, Named, Part, diff, named, parts};
use grognard_base::{Sources, Span};
use grognard_rules::{Library, Loaded, Version, check_between, version};
use grognard_syntax::Plain;
use grognard_syntax::tree::{Item, ItemKind};
use std::sync::Arc;

/// Facts of an item that do not affect any run.
const WORDS: [&str; 5] = ["title", "cites", "because", "default because", "sweep"];

/// One edit: an added, removed or changed item, or one cell of a table.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The change. For a cell, its only part is that cell.
    pub change: ItemChange,
    /// Whether it is a cell of a table, whose other cells can be separate edits.
    cell: bool,
    /// For a cell, its row and column in the old table and in the new one, from 0.
    pub places: [Option<(usize, usize)>; 2],
}

/// Two versions, and the edits from one to the other.
pub struct Edits {
    old: Version,
    new: Version,
    list: Vec<Edit>,
    in_words: usize,
}

/// Items with the same identifying name.
#[derive(Clone)]
struct Block {
    word: &'static str,
    name: String,
    items: Vec<Arc<Item>>,
}

impl Edit {
    /// Returns whether the edit affects this block.
    fn of(&self, block: &Block) -> bool {
        self.change.word == block.word && self.change.name == block.name
    }
}

impl Edits {
    /// Computes the edits between two versions, each from its own library. Titles, citations and examples are not
    /// edits, because no run depends on them.
    pub fn between(old: (&str, &dyn Library), new: (&str, &dyn Library), sources: &mut Sources) -> Edits {
        let old = version(old.0, old.1, sources);
        let new = version(new.0, new.1, sources);
        let (list, in_words) = edits([&old.items, &new.items], sources);
        Edits { old, new, list, in_words }
    }

    /// Returns the edits from the old version to the new one.
    pub fn list(&self) -> &[Edit] {
        &self.list
    }

    /// Returns the number of items that differ only in titles, citations and similar text.
    pub fn in_words(&self) -> usize {
        self.in_words
    }

    /// Checks the old version with the edits for which `taken` holds.
    pub fn with(&self, taken: &dyn Fn(usize) -> bool, sources: &Sources) -> Loaded {
        let plain = Plain::new(sources);
        let (old, new) = (blocks(&self.old.items), blocks(&self.new.items));
        let mut all: Vec<Block> = Vec::new();
        for block in old {
            let edits = || self.list.iter().enumerate().filter(|(n, edit)| edit.of(&block) && taken(*n));
            let now = new.iter().find(|b| (b.word, &b.name) == (block.word, &block.name));
            let whole = edits().any(|(_, edit)| !edit.cell);
            match now {
                Some(now) if whole => all.push(now.clone()),
                None if whole => {}
                now => {
                    let mut block = block.clone();
                    for (_, edit) in edits() {
                        set_cell(&mut block, now, &edit.change.parts, &plain);
                    }
                    all.push(block);
                }
            }
        }
        for (n, block) in new.iter().enumerate() {
            let added =
                |(at, edit): (usize, &Edit)| edit.of(block) && edit.change.what == ChangeSort::Added && taken(at);
            if self.list.iter().enumerate().any(added) {
                // after its predecessor in the new version
                let before = new[..n].iter().rev();
                let mut places =
                    before.filter_map(|b| all.iter().position(|other| (other.word, &other.name) == (b.word, &b.name)));
                all.insert(places.next().map_or(0, |at| at + 1), block.clone());
            }
        }
        let items: Vec<Arc<Item>> = all.into_iter().flat_map(|block| block.items).collect();
        check_between(&items, &self.old, &self.new, sources)
    }

    /// Returns whether a span is inside an item that an edit changes, in either version.
    pub fn holds(&self, edit: usize, place: Span) -> bool {
        let Some(edit) = self.list.get(edit) else { return false };
        let inside =
            |item: &Item| item.span.file == place.file && item.span.start <= place.start && place.end <= item.span.end;
        let has =
            |items: &[Arc<Item>]| blocks(items).iter().any(|b| edit.of(b) && b.items.iter().any(|item| inside(item)));
        has(&self.old.items) || has(&self.new.items)
    }
}

/// Computes the edits between the items of two versions, and the number of items that differ only in wording.
pub fn edits([old, new]: [&[Arc<Item>]; 2], sources: &Sources) -> (Vec<Edit>, usize) {
    let plain = Plain::new(sources);
    let mut list = Vec::new();
    let mut in_words = 0;
    for mut change in diff(old, new, sources) {
        if change.word == "example" {
            continue;
        }
        change.parts.retain(|part| !is_wording(part));
        let changed = change.what == ChangeSort::Changed;
        if changed && change.parts.is_empty() {
            in_words += 1;
        } else if changed && change.parts.iter().all(is_cell) {
            list.extend(change.parts.iter().map(|part| Edit {
                places: [old, new].map(|items| place_of(items, &change.name, &part.what, &plain)),
                change: ItemChange { parts: vec![part.clone()], ..change.clone() },
                cell: true,
            }));
        } else {
            list.push(Edit { change, cell: false, places: [None; 2] });
        }
    }
    (list, in_words)
}

/// Returns the row and column of a cell in the table with this name.
fn place_of(items: &[Arc<Item>], name: &str, keys: &str, plain: &Plain<'_>) -> Option<(usize, usize)> {
    let table = items.iter().find_map(|item| match &item.kind {
        ItemKind::Table(table) if table.name.text == name => Some(table),
        _ => None,
    })?;
    parts::grid(table, plain).enumerate().find_map(|(row, (_, cells))| {
        let column = cells.iter().find(|(found, ..)| found == keys)?.1;
        Some((row, column.checked_sub(1)?))
    })
}

fn is_wording(part: &Part) -> bool {
    let what = part.what.as_str();
    let glossed = what.starts_with("alternative ") && part.old.is_some() && part.new.is_some();
    WORDS.contains(&what) || what.starts_with("cites of ") || glossed
}

/// Returns whether a part is a cell that both versions have.
fn is_cell(part: &Part) -> bool {
    part.what.starts_with('[') && part.old.is_some() && part.new.is_some()
}

/// Returns all items except examples, grouped by name.
fn blocks(items: &[Arc<Item>]) -> Vec<Block> {
    let block = |n: Named<'_>| Block {
        word: n.word,
        name: n.name,
        items: std::iter::once(n.item).chain(n.more).map(|item| Arc::new(item.clone())).collect(),
    };
    named(items).into_iter().filter(|n| n.word != "example").map(block).collect()
}

/// Copies a cell from the same table of the new version.
fn set_cell(block: &mut Block, now: Option<&Block>, cells: &[Part], plain: &Plain<'_>) {
    let table = |item: Option<&Item>| match item.map(|item| &item.kind) {
        Some(ItemKind::Table(table)) => Some(table.clone()),
        _ => None,
    };
    let Some(new) = table(now.and_then(|b| b.items.first()).map(Arc::as_ref)) else { return };
    let Some(Item { kind: ItemKind::Table(old), .. }) = block.items.first_mut().map(Arc::make_mut) else { return };
    for part in cells {
        let from = parts::grid(&new, plain).flat_map(|(_, cells)| cells).find(|(keys, ..)| *keys == part.what);
        let Some((_, _, cell)) = from else { continue };
        let two = usize::from(old.keys.len() == 2);
        let to = parts::grid(old, plain).enumerate().find_map(|(row, (_, cells))| {
            let (_, column, _) = cells.into_iter().find(|(keys, ..)| *keys == part.what)?;
            Some((row + two, column))
        });
        if let Some((row, column)) = to {
            old.rows[row].cells[column] = cell.clone();
        }
    }
}
