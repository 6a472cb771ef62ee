//! `grognard new`: creates the files of a new project.

use super::FINE;
use super::out::{Out, Stop};
use super::project::FILE;
use super::temps::beside;
use clap::ValueEnum;
use grognard_ide::studio::copies::{CopyNames, copied};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `grognard new`.
#[derive(clap::Args)]
pub struct NewArgs {
    /// Folder of the project, which is new or empty
    folder: PathBuf,
    /// Template
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Template::Blank)]
    template: Template,
    /// Copy a game of the gallery instead
    ///
    /// `grognard books gallery` lists the games.
    #[arg(long, value_name = "NAME", conflicts_with = "template")]
    example: Option<String>,
    /// List the shipped books; runs `grognard books`
    #[arg(long, help_heading = "Other commands")]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Template {
    /// House rules for the first edition of the shipped book `warstrike`
    Warstrike,
    /// House rules for the second edition of it
    Leadership,
    /// House rules for the shipped book `alternate`
    Alternate,
    /// House rules for the shipped book `recoil`
    Recoil,
    /// A small separate game
    Blank,
    /// Two fighters
    Duel,
    /// Fire and morale
    Squads,
    /// Three provinces, and who holds most
    Provinces,
    /// A deck and a turn
    Cards,
}

/// Returns the files of a template by path.
macro_rules! files {
    ($template:literal: $($path:literal)*) => { &[$(($path, include_str!(concat!("new/", $template, "/", $path)))),*] };
}

/// Returns the files of a shipped game as files of a project.
fn copied_game(of: &str) -> Option<Vec<(String, String)>> {
    let names = CopyNames { rules: "rules/game", scenarios: "scenarios" };
    copied(super::shipped::all(), of, &names)
}

impl Template {
    fn files(self) -> Vec<(String, String)> {
        let files: &[(&str, &str)] = match self {
            Template::Duel | Template::Squads | Template::Provinces | Template::Cards => {
                let name =
                    self.to_possible_value().map_or(String::new(), |value| format!("templates/{}", value.get_name()));
                return copied_game(&name).unwrap_or_default();
            }
            Template::Warstrike => {
                files!("warstrike": "rules/house.rules" "rules/house.examples.rules" "scenarios/first.toml")
            }
            Template::Leadership => {
                files!("leadership": "rules/house.rules" "rules/house.examples.rules" "scenarios/first.toml")
            }
            Template::Alternate => {
                files!("alternate": "rules/house.rules" "rules/house.examples.rules" "scenarios/first.toml")
            }
            Template::Recoil => {
                files!("recoil": "rules/house.rules" "rules/house.examples.rules" "scenarios/first.toml")
            }
            Template::Blank => files!("blank": "rules/game.rules" "rules/game.examples.rules" "scenarios/first.toml"),
        };
        files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
    }

    /// Returns the ruleset that the rules of the project extend.
    fn book(self) -> Option<&'static str> {
        match self {
            Template::Warstrike => Some("warstrike/action-phase"),
            Template::Leadership => Some("warstrike/leadership"),
            Template::Alternate => Some("alternate/activation"),
            Template::Recoil => Some("recoil/skirmish"),
            _ => None,
        }
    }
}

/// The project file, with placeholders for names.
const MANIFEST: &str = include_str!("new/grognard.toml");

/// Writes the files and prints the next steps.
pub fn run(args: &NewArgs, out: &mut Out) -> Result<u8, Stop> {
    let full = std::path::absolute(&args.folder).unwrap_or_else(|_| args.folder.clone());
    let name = full.file_name().map_or("game".into(), |name| name.to_string_lossy().into_owned());
    let (game, book) = match &args.example {
        None => (args.template.files(), args.template.book()),
        Some(name) => {
            let unknown =
                || Stop::failed(format!("the gallery has no game `{name}`; `grognard books gallery` lists them"));
            (copied_game(&format!("gallery/{name}")).ok_or_else(unknown)?, None)
        }
    };
    let rules = if book.is_some() { "house" } else { "game" };
    let scene = game.iter().find(|(path, _)| path.ends_with(".toml")).map_or(String::new(), |(path, _)| path.clone());
    let manifest = MANIFEST.replace("{rules}", rules).replace("{name}", &toml::Value::from(name).to_string());
    let mut files = vec![(FILE.to_string(), manifest)];
    files.extend(game);
    write_all(&args.folder, &files)?;
    let shown = args.folder.display();
    out.line(&format!("{shown} is ready:"))?;
    files.iter().try_for_each(|(path, _)| out.line(&format!("  {path}")))?;
    out.line("next:")?;
    let here = args.folder == Path::new(".");
    let go = if here { String::new() } else { format!("cd {} && ", super::receipt::quoted(&shown.to_string())) };
    out.line(&format!("  {go}grognard run {scene}"))?;
    out.line("  grognard test")?;
    out.line(&match book {
        Some(book) => format!("  grognard compare {book} rules/house {scene}"),
        None => format!("  grognard odds {scene}"),
    })?;
    Ok(FINE)
}

/// Writes files into a folder that is new or empty: all of them or none.
pub fn write_all(folder: &Path, files: &[(String, String)]) -> Result<(), Stop> {
    let shown = folder.display();
    let failed = |why: std::io::Error| Stop::failed(format!("{shown} cannot be written: {why}"));
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(Stop::failed(format!("{shown} is not empty; name a new folder")));
            }
            // an empty folder can be the current one, which cannot be replaced
            let written = fill(folder, files);
            if written.is_err() {
                clear(folder);
            }
            written.map_err(failed)
        }
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
            let full = std::path::absolute(folder).map_err(failed)?;
            let above = full.parent().unwrap_or(Path::new("/"));
            fs::create_dir_all(above).map_err(failed)?;
            let fresh = beside(&full);
            let written =
                fs::create_dir(&fresh).and_then(|()| fill(&fresh, files)).and_then(|()| fs::rename(&fresh, &full));
            if written.is_err() {
                let _ = fs::remove_dir_all(&fresh);
            }
            written.map_err(failed)
        }
        Err(_) if folder.is_file() => Err(Stop::failed(format!("{shown} is a file; name a new folder"))),
        Err(why) => Err(failed(why)),
    }
}

fn fill(folder: &Path, files: &[(String, String)]) -> std::io::Result<()> {
    for (path, text) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(file)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
    }
    Ok(())
}

/// Deletes everything in a folder that was empty before.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let _ = if entry.path().is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
    }
}
