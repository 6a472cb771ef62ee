//! Renames an item or variable and all of its uses. The result is checked before any text is changed.

use super::find::Found;
use super::scenes::has_word;
use super::{Analysis, Edit, Place, Workspace};
use grognard_base::{Code, Diagnostic, OrdMap, OrdSet, Severity};
use grognard_rules::index::Means;
use grognard_syntax::tree::{ChangeSort, Item, ItemKind};
use grognard_syntax::{Lexeme, scan};
use std::sync::Arc;

impl Workspace {
    /// Returns the name at a byte offset.
    ///
    /// # Errors
    ///
    /// Returns the reason if the name cannot be renamed.
    pub fn can_rename(&self, path: &str, offset: usize) -> Result<Place, String> {
        let found = self.find(path, offset).ok_or("there is no name here that the rules declare")?;
        let root = found.analysis.place(found.analysis.names.index.root(found.declared));
        let word = |p: &Place| self.text(&p.file).and_then(|t| t.get(p.start..p.end).map(str::to_string));
        if word(&root) != word(&found.at) {
            return Err("the rules have errors that hide what this name means; fix them first".into());
        }
        Ok(found.at)
    }

    /// Returns the edits that rename the name at a byte offset, in all rulesets of the root.
    ///
    /// # Errors
    ///
    /// Returns the reason if the name cannot be renamed, or if the new name is invalid or changes the meaning of the rules.
    pub fn rename(&self, path: &str, offset: usize, name: &str) -> Result<Vec<Edit>, String> {
        let at = self.can_rename(path, offset)?;
        let found = self.find(path, offset).ok_or("there is no name here")?;
        let old = self.text(&at.file).and_then(|t| t.get(at.start..at.end).map(str::to_string)).unwrap_or_default();
        valid(&old, name)?;
        if old == name {
            return Ok(Vec::new());
        }
        let mut places: OrdSet<Place> = self.references(path, offset, true).into_iter().collect();
        places.retain(|p| self.text(&p.file).is_some_and(|t| t.get(p.start..p.end) == Some(old.as_str())));
        let root = found.analysis.place(found.analysis.names.index.root(found.declared));
        let all = self.all_with(&root);
        for analysis in &all {
            if analysis.has_errors() {
                let first = analysis.problems.iter().find(|p| p.severity == Severity::Error);
                let why = first.map_or(String::new(), |p| format!(": {}", p.message));
                return Err(format!("`{}` has errors; fix them first{why}", analysis.path));
            }
            places.extend(self.lines_of_changes(analysis, &places, &old));
        }
        if let Some(Means::Local(_)) = found.means
            && places.len() == 1
            && is_decision(&found)
        {
            return Err(format!("`{old}` is the name of this decision or roll in scenarios"));
        }
        let edits: Vec<Edit> = places.into_iter().map(|place| Edit { place, text: name.to_string() }).collect();
        let copy = self.try_out(&edits, &all.iter().map(|a| a.path.clone()).collect::<Vec<_>>(), name)?;
        self.try_scenes(&copy, &root, &old, name)?;
        Ok(edits)
    }

    /// Returns the uses of the old name in lines of a `change` that repeat a line of the changed item.
    fn lines_of_changes(&self, analysis: &Analysis, places: &OrdSet<Place>, old: &str) -> Vec<Place> {
        let mut found = Vec::new();
        let Some(id) = self.id(&analysis.path) else { return found };
        let texts = self.texts.borrow();
        let items: &[Arc<Item>] = texts.known.file(id).map_or(&[], |file| &file.items);
        let changed: OrdSet<&str> = places.iter().map(|p| p.file.as_str()).collect();
        for item in items {
            let ItemKind::Change(change) = &item.kind else { continue };
            for line in change.lines.iter().filter(|line| line.sort != ChangeSort::Comes) {
                // Finds a line with a renamed name whose text equals this line.
                let words = |text: &str| -> Vec<String> {
                    scan(text)
                        .filter(|t| t.kind != Lexeme::Newline && t.kind != Lexeme::Comment)
                        .map(|t| t.text(text).to_string())
                        .collect()
                };
                let wanted = words(&line.text.text);
                let below = changed.iter().filter(|file| **file != analysis.path).any(|file| {
                    let Some(text) = texts.ids.get(*file).and_then(|id| texts.sources.get(*id)).map(|s| &s.text) else {
                        return false;
                    };
                    places.iter().filter(|p| p.file == **file).any(|p| {
                        let start = text.get(..p.start).and_then(|h| h.rfind('\n')).map_or(0, |n| n + 1);
                        let end = text.get(p.end..).and_then(|t| t.find('\n')).map_or(text.len(), |n| p.end + n);
                        let own = words(text.get(start..end).unwrap_or(""));
                        own.windows(wanted.len().max(1)).any(|w| w == wanted.as_slice())
                    })
                });
                if below {
                    let start = line.text.span.start as usize;
                    let named =
                        scan(&line.text.text).filter(|t| t.kind == Lexeme::Word && t.text(&line.text.text) == old);
                    found.extend(named.map(|t| Place {
                        file: analysis.path.clone(),
                        start: start + t.start,
                        end: start + t.end,
                    }));
                }
            }
        }
        found
    }

    /// Applies the edits to a copy.
    ///
    /// # Errors
    ///
    /// Returns a message if the copy has errors or names with another meaning.
    fn try_out(&self, edits: &[Edit], rulesets: &[String], name: &str) -> Result<Workspace, String> {
        let mut texts: OrdMap<String, String> = OrdMap::new();
        for edit in edits.iter().rev() {
            let text =
                texts.entry(edit.place.file.clone()).or_insert_with(|| self.text(&edit.place.file).unwrap_or_default());
            if text.get(edit.place.start..edit.place.end).is_some() {
                text.replace_range(edit.place.start..edit.place.end, &edit.text);
            }
        }
        let mut copy = self.copy();
        texts.iter().for_each(|(path, text)| copy.set(path, text));
        for path in rulesets {
            let (was, is) = (self.analysis(path), copy.analysis(path));
            let fault = is.problems.iter().find(|p| p.severity == Severity::Error);
            if let Some(fault) = fault {
                return Err(format!("`{name}` clashes: {}", fault.message));
            }
            // whether a name is unused depends on the words of the examples, which can be names of something else
            let counted = |p: &&Diagnostic| !matches!(p.code, Code::HeaderPath | Code::Unused);
            let count = |problems: &[Diagnostic]| problems.iter().filter(counted).count();
            if count(&was.problems) != count(&is.problems) || was.uses(None).len() != is.uses(None).len() {
                return Err(format!("`{name}` would mean something else in `{path}`"));
            }
        }
        Ok(copy)
    }

    /// Checks the scenarios that contain the old or the new name, before and after the edits.
    ///
    /// # Errors
    ///
    /// Returns a message if the uses of the name in a scenario cannot be determined, or if its meaning changes.
    fn try_scenes(&self, copy: &Workspace, root: &Place, old: &str, name: &str) -> Result<(), String> {
        for path in self.scenes_with(root, &[old, name]) {
            let (was, is) = (self.scene(&path), copy.scene(&path));
            if let Some(fault) = was.error() {
                // without the old name it has nothing to change
                if !self.text(&path).is_some_and(|text| has_word(&text, old)) {
                    continue;
                }
                return Err(format!("`{path}` has errors that hide whether it uses `{old}`; fix them first: {fault}"));
            }
            if let Some(fault) = is.error() {
                return Err(format!("the scenario `{path}` cannot follow the new name `{name}`: {fault}"));
            }
            if self.scene_uses(&path, &was).len() != copy.scene_uses(&path, &is).len() {
                return Err(format!("`{name}` would mean something else in `{path}`"));
            }
        }
        Ok(())
    }

    /// Returns a copy of the workspace with another text for a file.
    pub(super) fn supposing(&self, path: &str, text: &str) -> Workspace {
        let mut copy = self.copy();
        copy.set(path, text);
        copy
    }
}

/// Returns whether the name is that of a decision or a roll.
fn is_decision(found: &Found) -> bool {
    let name = found.analysis.sources.slice(found.declared);
    found.analysis.rules.sites.iter().any(|site| site.name == name)
}

/// Checks whether a name is valid and of the same form as the old name.
///
/// # Errors
///
/// Returns the reason if it is not.
fn valid(old: &str, name: &str) -> Result<(), String> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(part) {
        return Err(format!("`{name}` is not a name: use letters a to z, digits and `_`, a letter first"));
    }
    let upper = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    if upper(old) != upper(name) {
        let how = if upper(old) { "a capital" } else { "a small letter" };
        return Err(format!("`{old}` begins with {how}, and so must its new name"));
    }
    if grognard_syntax::is_reserved(name) {
        return Err(format!("`{name}` is a word of the language"));
    }
    Ok(())
}
