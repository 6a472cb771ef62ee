//! Finds the root of the rules that a scenario names.
//!
//! The search is that of `grognard check`: first the rules root of the project, then each folder above the scenario, and
//! `rulesets` in each of these. A scenario outside of the root has a path that begins with `..`.

use super::state::{DocumentPath, Server};
use crate::query::{TomlSort, toml_sort};
use grognard_base::FileId;
use grognard_scenario::manifest::{FILE, Manifest};
use grognard_scenario::scene::value_of;
use std::path::{Component, Path, PathBuf};

/// Maximum number of scenarios that extend each other.
const MOST_BASES: usize = 16;
/// Maximum number of folders between a root and a file outside of it.
const MOST_ABOVE: usize = 6;

/// Returns a path relative to a folder, with `/` and with `..` for each folder above it. Returns `None` if the path is too far
/// from the folder.
pub fn relative(path: &Path, folder: &Path) -> Option<String> {
    let above = folder.ancestors().take(MOST_ABOVE).enumerate();
    let (up, below) = above.filter_map(|(up, above)| Some((up, path.strip_prefix(above).ok()?))).next()?;
    Some(format!("{}{}", "../".repeat(up), below.to_str()?.replace('\\', "/")))
}

/// Returns the path of a file that is given relative to a folder.
pub fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut full = folder.to_path_buf();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(full.pop()),
            part => full.push(part),
        }
    }
    full
}

impl Server {
    /// Returns the text of a file: of the open document, or of the host.
    fn text_at(&self, path: &Path) -> Option<String> {
        let is = |address: &DocumentPath| {
            let folder = self.shelves[address.root].folder.as_deref();
            folder.is_some_and(|folder| joined(folder, &address.path) == path)
        };
        let open = self.open.values().find(|open| is(&open.address));
        match open {
            Some(open) => self.shelves[open.address.root].space.text(&open.address.path),
            None => self.host.text(path),
        }
    }

    /// Returns the root of the rules of a scenario and the path of the scenario from there, or `None` for another file.
    pub(super) fn scene_place(&self, path: &Path, text: &str) -> Option<(PathBuf, String)> {
        let name = path.to_str()?.replace('\\', "/");
        if toml_sort(&name, text) != TomlSort::Scene {
            return None;
        }
        let folder = path.parent()?;
        let project = folder.ancestors().find_map(|above| Some((above, self.text_at(&above.join(FILE))?)));
        let own = project.as_ref().map(|(above, text)| {
            let rules = Manifest::read(FileId::default(), text).ok().and_then(|manifest| manifest.rules);
            joined(above, &rules.unwrap_or_default())
        });
        let wanted = format!("{}.rules", self.rules_named(path, text, own.as_deref()));
        let inside = |above: &&Path| project.as_ref().is_none_or(|(project, _)| above.starts_with(project));
        let above = folder.ancestors().take_while(inside);
        let above = above.flat_map(|above| [above.to_path_buf(), above.join("rulesets")]);
        let there = |root: &PathBuf| self.text_at(&root.join(&wanted)).is_some();
        let found = own.clone().into_iter().chain(above).find(there);
        let root = found.or(own).unwrap_or_else(|| folder.to_path_buf());
        let name = relative(path, &root)?;
        Some((root, name))
    }

    /// Returns the `rules` of a scenario or of its base, or an empty text.
    fn rules_named(&self, path: &Path, text: &str, own: Option<&Path>) -> String {
        let (mut path, mut text) = (path.to_path_buf(), text.to_string());
        for _ in 0..MOST_BASES {
            if let Some(rules) = value_of("rules", &text) {
                return rules;
            }
            let Some((base, folder)) = value_of("base", &text).zip(path.parent()) else { break };
            let places = [Some(joined(folder, &base)), own.map(|own| joined(own, &base))];
            let below = places.into_iter().flatten().find_map(|place| Some((self.text_at(&place)?, place)));
            let Some(below) = below else { break };
            (text, path) = below;
        }
        String::new()
    }

    /// Moves open scenarios to the roots of their rules. These can differ after a text was opened or edited.
    pub(super) fn place_scenes(&mut self) {
        let toml = self.open.iter().filter(|(_, open)| open.address.path.ends_with(".toml"));
        let all: Vec<(String, DocumentPath)> = toml.map(|(uri, open)| (uri.clone(), open.address.clone())).collect();
        for (uri, was) in all {
            let Some(text) = self.shelves[was.root].space.text(&was.path) else { continue };
            let now = self.place_for(&uri, &text);
            if now == was {
                continue;
            }
            self.shelves[was.root].space.close(&was.path);
            self.shelves[now.root].space.set(&now.path, &text);
            if let Some(open) = self.open.get_mut(&uri) {
                open.address = now.clone();
            }
            self.touched(&now);
        }
    }
}
