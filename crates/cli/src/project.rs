//! The project of a command: its file `grognard.toml` in a folder above a given path or above the current folder. Its
//! settings have the lowest priority, after options and environment variables.

use super::files::{self, canonical, read_text};
use super::out::Stop;
use super::{Findings, receipt};
use clap::builder::StyledStr;
use grognard_base::{Diagnostic, FileId, LOOKED_AT, Source, Sources, did_you_mean, order};
use grognard_report as report;
use grognard_scenario::Document;
pub use grognard_scenario::manifest::FILE;
use grognard_scenario::manifest::Manifest;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The project file that was found.
#[derive(Debug)]
pub struct ProjectFile {
    /// The folder of the project, without links.
    pub folder: PathBuf,
    /// The content of the project file.
    pub manifest: Manifest,
    /// The text of the project file.
    text: String,
}

static CURRENT: OnceLock<Option<ProjectFile>> = OnceLock::new();

/// Returns the project of this command, or `None` outside of projects.
pub fn current() -> Option<&'static ProjectFile> {
    CURRENT.get().and_then(Option::as_ref)
}

impl ProjectFile {
    /// Returns the folder from which rules are named.
    pub fn rules(&self) -> PathBuf {
        self.manifest.rules.as_deref().map_or_else(|| self.folder.clone(), |rules| self.below(rules))
    }

    /// Returns the folder for accepted traces and odds.
    pub fn pins(&self) -> PathBuf {
        self.below(self.manifest.pins.as_deref().unwrap_or("pins"))
    }

    /// Returns a folder of the project, without links if it exists.
    fn below(&self, folder: &str) -> PathBuf {
        let full = self.folder.join(if folder == "." { "" } else { folder });
        canonical(&full).unwrap_or(full)
    }

    /// Returns whether a path is in the project.
    pub fn holds(&self, full: &Path) -> bool {
        full.starts_with(&self.folder)
    }

    /// Returns whether a path is in a scenario folder of the project.
    pub fn has_scenario(&self, full: &Path) -> bool {
        self.manifest.scenarios.iter().any(|folder| full.starts_with(self.below(folder)))
    }

    /// Returns the scenario folders of the project.
    pub fn scenario_folders(&self) -> Vec<PathBuf> {
        self.manifest.scenarios.iter().map(|folder| self.below(folder)).collect()
    }

    /// Adds the decision sources of the project for players without one in the scenario.
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

/// Returns the folders to search if no path is given.
pub fn folders() -> Vec<PathBuf> {
    let here = files::here().ok();
    let own = current().zip(here).map(|(project, here)| PathBuf::from(receipt::from(&project.folder, &here)));
    vec![own.unwrap_or_else(|| PathBuf::from("."))]
}

/// Finds the project of a command line and reads its file.
///
/// # Errors
///
/// Fails if the project file cannot be used.
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
    /// The findings as text.
    pub found: String,
    /// The error that ends the command.
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
        stop: Stop::failed("fix the project file first"),
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
            return Err(UnfitProject::because(format!("{shown}: the folder {folder} of `{key}` does not exist{near}")));
        }
    }
    Ok(project)
}

/// The settings of a project file that are defaults of options: the key and the option.
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

/// Returns the environment variable for a key.
fn variable(key: &str) -> String {
    format!("GROGNARD_{}", key.to_uppercase())
}

/// Returns the environment variable with the invalid value of `fault`, or `None` if an option gave that value.
pub fn blamed(fault: &clap::Error) -> Option<String> {
    let value = match fault.get(clap::error::ContextKind::InvalidValue)? {
        clap::error::ContextValue::String(value) => value.clone(),
        _ => return None,
    };
    let given = std::env::args().any(|word| word == value || word.ends_with(&format!("={value}")));
    let holds = |name: &String| std::env::var(name).is_ok_and(|set| set == value);
    OPTIONS.iter().map(|(key, _)| variable(key)).find(holds).filter(|_| !given)
}

/// Returns the value of a key in the project file.
fn said(key: &str) -> Option<&'static str> {
    current()?.manifest.settings.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str())
}

/// Returns the number of a key from the environment or the project, for work without an option for it.
pub fn number(key: &str) -> Option<u64> {
    let set = std::env::var(variable(key)).ok().and_then(|value| value.parse().ok());
    set.or_else(|| said(key)?.parse().ok())
}

/// Returns the default that the help shows for an option without a value, if the default is fixed.
fn built_in(key: &str, command: &str) -> Option<&'static str> {
    match key {
        "budget" if command == "sweep" => None,
        // runs are an alternative to an exact answer
        "budget" if matches!(command, "compare" | "readings" | "play") => Some("50000"),
        "budget" => Some("2000000"),
        "time" => Some("none"),
        _ => None,
    }
}

/// Adds the environment and the project as sources of the values of options, and shows the defaults in the help.
pub fn with_settings(mut command: clap::Command) -> clap::Command {
    let subs: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    for (key, option) in OPTIONS {
        let set = |arg: clap::Arg, name: &str| {
            let text = |help: Option<&StyledStr>| help.map_or(String::new(), ToString::to_string);
            let (short, long) = (text(arg.get_help()), text(arg.get_long_help().or(arg.get_help())));
            // the name of the variable is a detail for `--help`
            let arg = arg.env(variable(key)).hide_env(true);
            let arg = arg.long_help(format!("{long}\n\nEnvironment variable: {}", variable(key)));
            match said(key) {
                Some(value) => arg.default_value(value),
                None if !arg.get_default_values().is_empty() => arg,
                None => match built_in(key, name) {
                    Some(default) => arg.help(format!("{short} [default: {default}]")),
                    None => arg,
                },
            }
        };
        let has = |command: &clap::Command| command.get_arguments().any(|arg| arg.get_id() == option);
        if has(&command) {
            command = command.mut_arg(option, |arg| set(arg, ""));
        }
        for name in &subs {
            let fits = *key != "findings" || FINDING.contains(&name.as_str());
            command = command.mut_subcommand(name, |sub| {
                if fits && has(&sub) { sub.mut_arg(option, |arg| set(arg, name)) } else { sub }
            });
        }
    }
    command
}
