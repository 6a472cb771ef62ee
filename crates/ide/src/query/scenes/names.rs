//! The names of the rules in a scenario: where each is declared, and the hover text of keys.

use super::super::find::Found;
use super::super::{Analysis, Hover, Place, Workspace};
use super::walk::{KeyUse, walk};
use super::{SceneAnalysis, TomlSort};
use grognard_base::value::ItemId;
use grognard_base::{OrdMap, OrdSet, Span};
use grognard_rules::CLAUSE_KEYS;
use grognard_rules::index::Means;
use grognard_rules::ruleset::{Ruleset, TypeName, ValueName};
use grognard_scenario::keys::{TABLE, THING};
use grognard_scenario::manifest::KEYS;

/// A use of a name of the rules in a scenario.
pub(in super::super) struct SceneUse {
    /// The start of the name in the scenario, in bytes.
    pub start: usize,
    /// The end of the name, in bytes.
    pub end: usize,
    /// The declaration, in the texts of the rules.
    pub declared: Span,
    /// The meaning of the declaration.
    pub means: Means,
}

/// The declarations of a ruleset by their meanings.
struct Declared<'a> {
    rules: &'a Ruleset,
    items: OrdMap<ItemId, Span>,
    others: Vec<(&'a Means, Span)>,
}

impl Declared<'_> {
    fn of(analysis: &Analysis) -> Declared<'_> {
        let (mut items, mut others) = (OrdMap::new(), Vec::new());
        for (span, means) in &analysis.names.index.declared {
            match means {
                // items of the same number are overrides; the last one is that of the ruleset itself
                Means::Item(id) => drop(items.insert(*id, *span)),
                other => others.push((other, *span)),
            }
        }
        Declared { rules: &analysis.rules, items, others }
    }

    /// Returns the declaration that a name refers to, and its meaning.
    fn place(&self, means: &Means) -> Option<(Span, Means)> {
        let rules = self.rules;
        let item = match means {
            Means::Item(id) => Some(*id),
            Means::Type(name) => rules.item_of_type(*name),
            Means::Value(name) => rules.item_of_value(*name),
            Means::Trait(id) => rules.traits.get(id.at()).map(|of| of.item),
            Means::Test(id) => rules.functions.get(id.at()).map(|of| of.item),
            Means::Phase(id) => rules.phases.get(id.at()).map(|of| of.item),
            Means::Action(id) => rules.actions.get(id.at()).map(|of| of.item),
            Means::Event(id) => rules.events.get(id.at()).map(|of| of.item),
            Means::Field(id) => rules.fields.get(id.at()).map(|of| of.item),
            other => {
                let (means, span) = self.others.iter().find(|(means, _)| *means == other)?;
                return Some((*span, (*means).clone()));
            }
        };
        let item = item?;
        Some((*self.items.get(&item)?, Means::Item(item)))
    }
}

/// Returns the referent of a key that can be written in several headers.
fn key_means(key: &KeyUse, rules: &Ruleset) -> Option<Means> {
    let names = &rules.names;
    let kind = |name: &str| match names.types.get(name) {
        Some(TypeName::Kind(id)) => Some(*id),
        _ => None,
    };
    let above: Vec<&str> = key.above.iter().map(String::as_str).collect();
    match above.as_slice() {
        [] | ["reserve"] => kind(&key.name).map(|id| Means::Type(TypeName::Kind(id))),
        ["params" | "readings"] | ["sweep", "values"] => {
            names.setting(&key.name).map(|id| Means::Value(ValueName::Setting(id)))
        }
        [of, _] => {
            let field = names.fields.get(&(kind(of)?, key.name.clone()))?;
            Some(Means::Field(*field))
        }
        _ => None,
    }
}

impl Workspace {
    /// Returns the uses of names of the rules in the text of a scenario, without those in its bases.
    pub(in super::super) fn scene_uses(&self, path: &str, scene: &SceneAnalysis) -> Vec<SceneUse> {
        let (Some(document), Some(analysis), Some(text)) = (&scene.document, &scene.rules, self.text(path)) else {
            return Vec::new();
        };
        let declared = Declared::of(analysis);
        let mut found: OrdMap<(usize, usize), (Span, Means)> = OrdMap::new();
        for (at, means) in grognard_scenario::names(document, Ruleset::clone(&analysis.rules), &scene.sources) {
            let own = scene.sources.get(at.file).is_some_and(|source| source.name == path && source.text == text);
            if let (true, Some(place)) = (own, declared.place(&means)) {
                // a key in quotes has its quotes in its span
                let (mut start, mut end) = (at.start as usize, at.end as usize);
                if text.get(start..end).is_some_and(|key| key.starts_with(['"', '\'']) && key.len() > 1) {
                    (start, end) = (start + 1, end - 1);
                }
                found.insert((start, end), place);
            }
        }
        for key in walk(&text).keys {
            if let Some(place) = key_means(&key, &analysis.rules).and_then(|means| declared.place(&means)) {
                found.insert((key.start, key.end), place);
            }
        }
        let of = |((start, end), (declared, means))| SceneUse { start, end, declared, means };
        found.into_iter().map(of).filter(|of| of.start < of.end).collect()
    }

    /// Resolves the name at a byte offset of a scenario.
    pub(in super::super) fn find_in_scene(&self, path: &str, offset: usize) -> Option<Found> {
        if self.toml_sort(path) != TomlSort::Scene {
            return None;
        }
        let scene = self.scene(path);
        let analysis = scene.rules.clone()?;
        let uses = self.scene_uses(path, &scene);
        let one = uses.into_iter().find(|one| one.start <= offset && offset <= one.end)?;
        let at = Place { file: path.to_string(), start: one.start, end: one.end };
        Some(Found { analysis, at, declared: one.declared, means: Some(one.means) })
    }

    /// Returns the uses in scenarios of a name, by its root declaration. `name` is the text of the name.
    pub(in super::super) fn uses_in_scenes(&self, root: &Place, name: &str) -> Vec<Place> {
        let mut all = OrdSet::new();
        for path in self.scenes_with(root, &[name]) {
            let scene = self.scene(&path);
            let Some(analysis) = &scene.rules else { continue };
            for one in self.scene_uses(&path, &scene) {
                if analysis.place(analysis.names.index.root(one.declared)) == *root {
                    all.insert(Place { file: path.clone(), start: one.start, end: one.end });
                }
            }
        }
        all.into_iter().collect()
    }

    /// Returns the scenarios whose rules depend on the file of a declaration, and whose texts contain one of some words.
    pub(in super::super) fn scenes_with(&self, root: &Place, words: &[&str]) -> Vec<String> {
        let mut all = self.scenarios();
        all.retain(|path| {
            let text = self.text(path).unwrap_or_default();
            // a scenario with a base can use a name that only the base contains
            let based = grognard_scenario::scene::value_of("base", &text).is_some();
            based || words.iter().any(|word| has_word(&text, word))
        });
        all.retain(|path| {
            let scene = self.scene(path);
            let rests = scene.rests_on.iter().any(|(file, _)| *file == root.file);
            rests && words.iter().any(|word| scene.sources_of(path).any(|text| has_word(text, word)))
        });
        all
    }

    /// Returns the hover text at a byte offset of a TOML file.
    pub(in super::super) fn toml_hover(&self, path: &str, offset: usize) -> Option<Hover> {
        let text = self.text(path)?;
        let key = walk(&text).keys.into_iter().find(|key| key.start <= offset && offset <= key.end)?;
        let says = match self.toml_sort(path) {
            TomlSort::Scene => scene_key(&key)?,
            TomlSort::Project => KEYS.iter().find(|one| key.above.is_empty() && one.name == key.name)?.says,
            TomlSort::Register => CLAUSE_KEYS
                .iter()
                .find(|(name, _)| key.above == ["clause"] && *name == key.name)
                .map(|(_, says)| *says)?,
            TomlSort::Other => return None,
        };
        let at = Place { file: path.to_string(), start: key.start, end: key.end };
        Some(Hover { at, text: format!("`{}`: {says}", key.name) })
    }
}

/// Returns the meaning of a key of a scenario that is not a name of the rules.
fn scene_key(key: &KeyUse) -> Option<&'static str> {
    let whole = key.above.iter().chain([&key.name]).map(String::as_str).collect::<Vec<_>>().join(".");
    let above: Vec<&str> = key.above.iter().map(String::as_str).collect();
    if let ["report", "mean" | "chance" | "hist" | "of"] | ["sweep", "report"] = above.as_slice() {
        return Some("a caption, which outputs show in place of its expression");
    }
    let own = TABLE.iter().find(|one| one.path == whole).map(|one| one.says);
    let thing =
        key.above.len() == 2 && key.above[0].starts_with(|c: char| c.is_ascii_uppercase()) || key.above == ["line"];
    own.or_else(|| THING.iter().find(|one| thing && one.path == key.name).map(|one| one.says))
}

/// Returns whether a text contains a whole word.
pub(in super::super) fn has_word(text: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut all = text.match_indices(word);
    !word.is_empty()
        && all.any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + word.len()..].chars().next()))
}

impl SceneAnalysis {
    /// Returns the texts of a scenario and its bases.
    fn sources_of<'s>(&'s self, path: &'s str) -> impl Iterator<Item = &'s str> {
        let read = |name: &str| self.rests_on.iter().any(|(file, _)| file == name);
        let toml = self
            .sources
            .iter()
            .map(|(_, source)| source)
            .filter(move |source| source.name == path || source.name.ends_with(".toml") && read(&source.name));
        toml.map(|source| source.text.as_str())
    }

    /// Returns the first error of the scenario.
    pub(in super::super) fn error(&self) -> Option<&str> {
        self.found.iter().find(|one| one.is_error()).map(|one| one.message.as_str())
    }
}
