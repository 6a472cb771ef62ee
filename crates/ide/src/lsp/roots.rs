//! Finds the roots of rules files and scenarios.
//!
//! The search is that of `grognard check`. The root of a rules file is the rules root of its project, if the file is below it. A
//! scenario needs the root of the rules that it names: first the rules root of the project, then each folder above the scenario, and
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

    /// Returns the folder of the project around a folder, and its rules root.
    fn project_of(&self, folder: &Path) -> Option<(PathBuf, PathBuf)> {
        let (project, text) = folder.ancestors().find_map(|above| Some((above, self.text_at(&above.join(FILE))?)))?;
        let rules = Manifest::read(FileId::default(), &text).ok().and_then(|manifest| manifest.rules);
        Some((project.to_path_buf(), joined(project, &rules.unwrap_or_default())))
    }

    /// Returns the root of a rules file or register and its path from there: in a project the rules root, if the file is below
    /// it, and otherwise the parent of the file's folder.
    pub(super) fn rules_place(&self, path: &Path) -> Option<(PathBuf, String)> {
        let folder = path.parent()?;
        let own = self.project_of(folder).filter(|_| path.file_name().is_none_or(|name| name != FILE));
        let own = own.map(|(_, root)| root).filter(|root| folder.starts_with(root));
        let root = own.or_else(|| folder.parent().map(Path::to_path_buf))?;
        let name = path.strip_prefix(&root).ok()?.to_str()?.replace('\\', "/");
        Some((root, name))
    }

    /// Returns the root of the rules of a scenario and the path of the scenario from there, or `None` for another file.
    pub(super) fn scene_place(&self, path: &Path, text: &str) -> Option<(PathBuf, String)> {
        let name = path.to_str()?.replace('\\', "/");
        if toml_sort(&name, text) != TomlSort::Scene {
            return None;
        }
        let folder = path.parent()?;
        let (project, own) = self.project_of(folder).unzip();
        let wanted = format!("{}.rules", self.rules_named(path, text, own.as_deref()));
        let inside = |above: &&Path| project.as_ref().is_none_or(|project| above.starts_with(project));
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

    /// Moves open documents to their roots. These can differ after a scenario or a project file was opened or edited.
    pub(super) fn place_documents(&mut self) {
        // a document without a file has no root
        let files = self.open.iter().filter(|(_, open)| self.shelves[open.address.root].folder.is_some());
        let all: Vec<(String, DocumentPath)> = files.map(|(uri, open)| (uri.clone(), open.address.clone())).collect();
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
