//! The files of a rules root for an editor, with the shipped books.

use crate::files::{Root, read_text};
use crate::project::FILE;
use grognard_base::order;
use grognard_ide::lsp::relative;
use grognard_rules::{Library, OUTSIDE};
use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// Maximum number of folder entries that are read, so that an editor in a large folder does not wait.
const MOST_ENTRIES: usize = 20_000;
/// Maximum number of folders between the root and the project file above it.
const MOST_ABOVE: usize = 6;
/// Maximum depth of folders below the root.
const DEEPEST: usize = 3;

/// The files under a root, with a cached list.
pub struct Disk {
    root: PathBuf,
    files: Root,
    listed: RefCell<Option<Vec<String>>>,
}

impl Disk {
    /// Creates a disk for the files under a folder.
    pub fn of(root: &Path) -> Rc<Disk> {
        Rc::new(Disk { root: root.to_path_buf(), files: Root::at(root.to_path_buf()), listed: RefCell::default() })
    }

    /// Returns the text of a scenario or project file outside of the root. Links are not followed.
    fn outside(&self, path: &str) -> Result<Option<String>, String> {
        let mut full = std::fs::canonicalize(&self.root).map_err(|why| why.to_string())?;
        for part in Path::new(path).components() {
            match part {
                Component::ParentDir => drop(full.pop()),
                Component::Normal(part) => full.push(part),
                _ => return Err(OUTSIDE.to_string()),
            }
        }
        let is_toml = full.extension().is_some_and(|end| end == "toml");
        match std::fs::canonicalize(&full) {
            Err(_) => Ok(None),
            Ok(real) if real != full || !is_toml => Err(OUTSIDE.to_string()),
            Ok(real) => read_text(&real).map(Some),
        }
    }

    pub fn forget(&self) {
        *self.listed.borrow_mut() = None;
    }

    /// Returns the rules files and TOML files under the root. In a project, it also returns the TOML files of the other folders of
    /// the project, with paths that begin with `..`.
    fn walk(&self) -> Vec<String> {
        let (mut found, mut left) = (Vec::new(), MOST_ENTRIES);
        let above = self.root.ancestors().take(MOST_ABOVE);
        let project = above.map(Path::to_path_buf).find(|folder| folder.join(FILE).is_file());
        let mut folders = vec![(self.root.clone(), 0)];
        folders.extend(project.filter(|project| *project != self.root).map(|project| (project, 0)));
        while let Some((folder, depth)) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                left = left.saturating_sub(1);
                if left == 0 {
                    return found;
                }
                let (path, name) = (entry.path(), entry.file_name());
                let hidden = name.to_string_lossy().starts_with('.') || name == "target" || name == "node_modules";
                let ends = |end: &str| path.extension().is_some_and(|e| e == end);
                match entry.file_type() {
                    // the root itself is walked on its own
                    Ok(sort) if sort.is_dir() && depth < DEEPEST && !hidden && path != self.root => {
                        folders.push((path, depth + 1));
                    }
                    Ok(sort) if !sort.is_dir() && (ends("rules") || ends("toml")) => match self.files.name(&path) {
                        Some(name) => found.push(name),
                        None if ends("toml") => found.extend(relative(&path, &self.root)),
                        None => {}
                    },
                    _ => {}
                }
            }
        }
        order::sort(&mut found);
        found
    }
}

impl Library for Disk {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if path.starts_with("../") { self.outside(path) } else { self.files.read(path) }
    }

    fn list(&self) -> Vec<String> {
        self.listed.borrow_mut().get_or_insert_with(|| self.walk()).clone()
    }
}
