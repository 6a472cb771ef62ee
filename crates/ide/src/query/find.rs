//! Finds declarations and uses of names, across all rulesets of a root.

use super::{Analysis, Place, Workspace};
use grognard_base::{OrdSet, Span};
use grognard_rules::index::Means;
use grognard_syntax::{Lexeme, scan};
use std::rc::Rc;

/// A use of a name, with its meaning.
pub(super) struct Found {
    pub analysis: Rc<Analysis>,
    /// The location of the use.
    pub at: Place,
    /// The declaration of the name, in the texts of the analysis.
    pub declared: Span,
    /// The meaning of the name.
    pub means: Option<Means>,
}

impl Workspace {
    /// Resolves the name at a byte offset. In a faulty item, uses the last sound version.
    pub(super) fn find(&self, path: &str, offset: usize) -> Option<Found> {
        if path.ends_with(".toml") {
            return self.find_in_scene(path, offset);
        }
        let analysis = self.analysis(path);
        let file = analysis.file(path)?;
        let offset = u32::try_from(offset).ok()?;
        if let Some((at, declared)) = analysis.name_at(file, offset) {
            let means = analysis.declared(declared);
            return Some(Found { at: analysis.place(at), declared, means, analysis });
        }
        // In a sound ruleset, an unresolved word has no meaning.
        if analysis.sound { None } else { self.find_by_name(path, offset as usize) }
    }

    /// Finds the only item with the name of a word, in the current or the last sound version.
    fn find_by_name(&self, path: &str, offset: usize) -> Option<Found> {
        let text = self.text(path)?;
        let (start, end) = word_at(&text, offset)?;
        let word = &text[start..end];
        for analysis in [self.analysis(path), self.last_good(path)] {
            let own = |name: &str| name == word || name.rsplit('.').next() == Some(word);
            let mut items = analysis.rules.items.iter().enumerate().filter(|(_, item)| own(&item.name));
            let (Some((at, item)), None) = (items.next(), items.next()) else { continue };
            let declared = analysis.sources.origin(item.span);
            let place = Place { file: path.to_string(), start, end };
            let means = Some(Means::Item(grognard_base::value::ItemId::from(at)));
            return Some(Found { at: place, declared, means, analysis: analysis.clone() });
        }
        None
    }

    /// Returns the declaration of a name. On an override, returns the declaration that it replaces.
    pub fn definition(&self, path: &str, offset: usize) -> Vec<Place> {
        let Some(found) = self.find(path, offset) else { return self.clause_at(path, offset).into_iter().collect() };
        let mut all = vec![found.analysis.place(found.declared)];
        // At the name of an override, the override is already at the cursor.
        let below = &found.analysis.names.index.below;
        if all[0] == found.at
            && let Some(old) = below.get(&found.declared)
        {
            all = vec![found.analysis.place(*old)];
        }
        all.retain(|place| self.says(place, &found.at));
        all
    }

    /// Returns whether a location contains the same word as another. The texts can have changed since the analysis.
    fn says(&self, place: &Place, as_at: &Place) -> bool {
        let word = |p: &Place| self.text(&p.file).and_then(|t| t.get(p.start..p.end).map(str::to_string));
        word(place).is_some() && (word(place) == word(as_at))
    }

    /// Returns the register entry of the clause that is cited at a byte offset.
    fn clause_at(&self, path: &str, offset: usize) -> Option<Place> {
        if path.ends_with(".toml") {
            return None;
        }
        let analysis = self.analysis(path);
        let (id, _) = self.cited_at(path, offset)?;
        analysis.rules.register.iter().find(|c| c.id == id).map(|c| analysis.place(c.span))
    }

    /// Returns the clause ID at a byte offset, and its location.
    pub(super) fn cited_at(&self, path: &str, offset: usize) -> Option<(String, Place)> {
        let text = self.text(path)?;
        let part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let head = text.get(..offset)?;
        let start =
            head.rfind(|c: char| !part(c)).map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8));
        let tail = text.get(offset..)?;
        let end = offset + tail.find(|c: char| !part(c)).unwrap_or(tail.len());
        let id = text.get(start..end)?;
        let (book, number) = id.split_once('-')?;
        let fits = book.starts_with(|c: char| c.is_ascii_uppercase()) && number.ends_with(|c: char| c.is_ascii_digit());
        fits.then(|| (id.to_string(), Place { file: path.to_string(), start, end }))
    }

    /// Returns every use of the name at a byte offset, in all rulesets of the root.
    pub fn references(&self, path: &str, offset: usize, declarations: bool) -> Vec<Place> {
        let Some(found) = self.find(path, offset) else { return self.cites_of(path, offset) };
        let root = found.analysis.place(found.analysis.names.index.root(found.declared));
        let mut all: OrdSet<Place> = OrdSet::new();
        for analysis in self.all_with(&root) {
            let index = &analysis.names.index;
            for (at, declared) in analysis.uses(None) {
                let is = |at: Span| declarations || analysis.declared(at).is_none();
                if analysis.place(index.root(declared)) == root && is(at) {
                    all.insert(analysis.place(at));
                }
            }
        }
        let word = found.analysis.sources.slice(found.analysis.names.index.root(found.declared));
        all.extend(self.uses_in_scenes(&root, word));
        all.into_iter().filter(|place| place.start < place.end).collect()
    }

    /// Returns every use of the name at a byte offset in the same file.
    pub fn highlights(&self, path: &str, offset: usize) -> Vec<Place> {
        let Some(found) = self.find(path, offset) else { return Vec::new() };
        if path.ends_with(".toml") {
            let scene = self.scene(path);
            let uses = self.scene_uses(path, &scene).into_iter().filter(|one| one.declared == found.declared);
            return uses.map(|one| Place { file: path.to_string(), start: one.start, end: one.end }).collect();
        }
        let index = &found.analysis.names.index;
        let root = index.root(found.declared);
        let uses = found.analysis.uses(found.analysis.file(path));
        let same = uses.into_iter().filter(|(_, declared)| index.root(*declared) == root);
        same.map(|(at, _)| found.analysis.place(at)).filter(|place| place.file == path).collect()
    }

    /// Returns the analyses of all rulesets that depend on the file of a declaration.
    pub(super) fn all_with(&self, root: &Place) -> Vec<Rc<Analysis>> {
        self.resting_on(&root.file).iter().map(|path| self.analysis(path)).collect()
    }

    /// Returns every citation of the clause at a byte offset.
    fn cites_of(&self, path: &str, offset: usize) -> Vec<Place> {
        let Some((id, _)) = self.cited_at(path, offset) else { return Vec::new() };
        let mut all = OrdSet::new();
        for ruleset in self.rulesets() {
            let Some(text) = self.text(&ruleset) else { continue };
            for (at, _) in text.match_indices(&id) {
                let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-');
                let end = at + id.len();
                if !part(text[..at].chars().next_back()) && !part(text[end..].chars().next()) {
                    all.insert(Place { file: ruleset.clone(), start: at, end });
                }
            }
        }
        all.into_iter().collect()
    }
}

/// Returns the word at a byte offset, or directly before it.
pub(super) fn word_at(text: &str, offset: usize) -> Option<(usize, usize)> {
    let mut words = scan(text).filter(|t| t.kind == Lexeme::Word).take_while(|t| t.start <= offset);
    words.by_ref().find(|t| offset <= t.end).map(|t| (t.start, t.end))
}
