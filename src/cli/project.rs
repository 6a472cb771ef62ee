//! The project a command works in: `grognard.toml`, found upwards from what is named or from the current folder, and how its
//! settings stand behind flags and the environment.

use super::files::{self, canonical, read_text};
use super::out::Stop;
use super::{Findings, receipt};
pub use crate::project::FILE;
use crate::project::Manifest;
use grognard_base::{Diagnostic, FileId, LOOKED_AT, Source, Sources, did_you_mean, order};
use grognard_report as report;
use grognard_scenario::Document;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A project that was found.
#[derive(Debug)]
pub struct ProjectFile {
    /// Its folder, without links.
    pub folder: PathBuf,
    /// What its file says.
    pub manifest: Manifest,
    /// The text of that file.
    text: String,
}

static CURRENT: OnceLock<Option<ProjectFile>> = OnceLock::new();

/// The project of this command.
pub fn current() -> Option<&'static ProjectFile> {
    CURRENT.get().and_then(Option::as_ref)
}

impl ProjectFile {
    /// The folder from which rules are named.
    pub fn rules(&self) -> PathBuf {
        self.manifest.rules.as_deref().map_or_else(|| self.folder.clone(), |rules| self.below(rules))
    }

    /// The folder in which traces and odds are kept.
    pub fn pins(&self) -> PathBuf {
        self.below(self.manifest.pins.as_deref().unwrap_or("pins"))
    }

    /// A folder of the project, without links if it is there.
    fn below(&self, folder: &str) -> PathBuf {
        let full = self.folder.join(if folder == "." { "" } else { folder });
        canonical(&full).unwrap_or(full)
    }

    /// True for what lies in the project.
    pub fn holds(&self, full: &Path) -> bool {
        full.starts_with(&self.folder)
    }

    /// True for what lies in one of its folders of scenarios.
    pub fn has_scenario(&self, full: &Path) -> bool {
        self.manifest.scenarios.iter().any(|folder| full.starts_with(self.below(folder)))
    }

    /// Lets those answer who do where the scenario names nobody.
    pub fn players(&self, document: &mut Document, sources: &mut Sources) {
        if self.manifest.players.is_empty() {
            return;
        }
        let shown = files::here().map(|here| receipt::from(&self.folder.join(FILE), &here)).unwrap_or_default();
        let file: FileId = sources.add(Source::new(FILE, self.text.as_str()).shown_as(shown));
        for player in &self.manifest.players {
            document.decide_else(&player.name, &player.answers, file, player.start);
        }
    }
}

/// The folders that are looked at if none is named.
pub fn folders() -> Vec<PathBuf> {
    let here = files::here().ok();
    let own = current().zip(here).map(|(project, here)| PathBuf::from(receipt::from(&project.folder, &here)));
    vec![own.unwrap_or_else(|| PathBuf::from("."))]
}

/// Finds the project of a command line and reads its file; given is what to say if that cannot be used.
pub fn find(words: &[OsString]) -> Result<(), UnfitProject> {
    let named = words.iter().skip(1).filter(|word| !word.as_encoded_bytes().starts_with(b"-")).map(Path::new);
    let named = named.filter(|path| path.exists()).find_map(|path| canonical(path).ok());
    let above = |from: &Path| from.ancestors().map(|folder| folder.join(FILE)).find(|file| file.is_file());
    let file = named.as_deref().and_then(above).or_else(|| above(&files::here().ok()?));
    let project = file.map(|file| read(&file)).transpose()?;
    let _ = CURRENT.set(project);
    Ok(())
}

/// A project file that cannot be used.
pub struct UnfitProject {
    /// What was found in it, with its lines.
    pub found: String,
    /// What ends the command.
    pub stop: Stop,
}

impl UnfitProject {
    fn because(message: String) -> UnfitProject {
        UnfitProject { found: String::new(), stop: Stop::failed(message) }
    }
}

fn read(file: &Path) -> Result<ProjectFile, UnfitProject> {
    let shown = files::here().map_or_else(|_| file.display().to_string(), |here| receipt::from(file, &here));
    let text = read_text(file).map_err(|why| UnfitProject::because(format!("{shown} cannot be read: {why}")))?;
    let mut sources = Sources::default();
    let id = sources.add(Source::new(shown.as_str(), text.as_str()));
    let fail = |found: Vec<Diagnostic>| UnfitProject {
        found: report::render(&found, &sources, Findings::Human.format(false)),
        stop: Stop::failed("the project file has to be mended first"),
    };
    let manifest = Manifest::read(id, &text).map_err(fail)?;
    let folder = file.parent().unwrap_or(Path::new("/")).to_path_buf();
    let project = ProjectFile { folder, manifest, text };
    let folders =
        [("rules", &project.manifest.rules)].into_iter().filter_map(|(key, folder)| Some((key, folder.as_ref()?)));
    let folders = folders.chain(project.manifest.scenarios.iter().map(|folder| ("scenarios", folder)));
    for (key, folder) in folders {
        if !project.below(folder).is_dir() {
            let beside = std::fs::read_dir(&project.folder).into_iter().flatten().take(LOOKED_AT).flatten();
            let folders = beside.filter(|entry| entry.path().is_dir());
            let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
            order::sort(&mut names);
            let near = did_you_mean(folder, names.iter().map(String::as_str));
            return Err(UnfitProject::because(format!(
                "{shown}: `{key}` names the folder {folder}, and there is none{near}"
            )));
        }
    }
    Ok(project)
}

/// The settings of a project file that stand behind an option: the key, and the option where its name is another.
const OPTIONS: &[(&str, &str)] = &[
    ("budget", "budget"),
    ("time", "time"),
    ("threads", "threads"),
    ("trace", "trace"),
    ("findings", "format"),
    ("color", "color"),
];

/// The commands to which `findings` applies.
const FINDING: &[&str] = &["check"];

/// The variable of the environment for a key.
fn variable(key: &str) -> String {
    format!("GROGNARD_{}", key.to_uppercase())
}

/// The variable of the environment that holds the value which a mistake is about.
pub fn blamed(fault: &clap::Error) -> Option<String> {
    let value = match fault.get(clap::error::ContextKind::InvalidValue)? {
        clap::error::ContextValue::String(value) => value.clone(),
        _ => return None,
    };
    let given = std::env::args().any(|word| word == value || word.ends_with(&format!("={value}")));
    let holds = |name: &String| std::env::var(name).is_ok_and(|set| set == value);
    OPTIONS.iter().map(|(key, _)| variable(key)).find(holds).filter(|_| !given)
}

/// What a project file says for a key.
fn said(key: &str) -> Option<&'static str> {
    current()?.manifest.settings.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str())
}

/// What the environment or else the project says for a number, for work that no option steers.
pub fn number(key: &str) -> Option<u64> {
    let set = std::env::var(variable(key)).ok().and_then(|value| value.parse().ok());
    set.or_else(|| said(key)?.parse().ok())
}

/// The commands, where an option that is not given takes its value from the environment, and else from the project.
pub fn with_settings(mut command: clap::Command) -> clap::Command {
    let subs: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    for (key, option) in OPTIONS {
        let set = |arg: clap::Arg| {
            let arg = arg.env(variable(key)).hide_env_values(true);
            match said(key) {
                Some(value) => arg.default_value(value),
                None => arg,
            }
        };
        let has = |command: &clap::Command| command.get_arguments().any(|arg| arg.get_id() == option);
        if has(&command) {
            command = command.mut_arg(option, set);
        }
        for name in &subs {
            let fits = *key != "findings" || FINDING.contains(&name.as_str());
            command =
                command.mut_subcommand(name, |sub| if fits && has(&sub) { sub.mut_arg(option, set) } else { sub });
        }
    }
    command
}
