//! `grognard books`: lists, prints or copies the shipped rulesets.

use super::out::{Out, Product, Stop};
use super::{FINE, new, shipped};
use grognard_base::did_you_mean;
use std::path::PathBuf;

/// The arguments of `grognard books`.
#[derive(clap::Args)]
pub struct BooksArgs {
    /// Book or folder to list, or file to print
    ///
    /// For example `warstrike`, or `warstrike/core.rules`.
    name: Option<String>,
    /// Copy a book to a new folder
    #[arg(long, value_name = "FOLDER", requires = "name")]
    copy: Option<PathBuf>,
}

pub fn run(args: &BooksArgs, out: &mut Out) -> Result<u8, Stop> {
    let Some(name) = &args.name else {
        for book in shipped::books() {
            let files: Vec<&str> = shipped::below(book).collect();
            let scenarios = files.iter().filter(|file| file.contains("/scenarios/")).count();
            out.line(&format!("{book}  ({scenarios} scenarios)"))?;
            for (file, text) in
                shipped::all().iter().filter(|(file, _)| files.contains(file) && file.ends_with(".rules"))
            {
                let head = text.lines().next().unwrap_or_default();
                let default_value = ["extends", "of"].iter().find_map(|word| head.split_once(&format!(" {word} ")));
                let below = default_value.map_or(String::new(), |(_, below)| {
                    format!("  on {}", below.split_whitespace().next().unwrap_or_default())
                });
                out.line(&format!("  {}{below}", file.trim_end_matches(".rules")))?;
            }
        }
        return Ok(FINE);
    };
    let bare = name.strip_prefix(shipped::MARK).unwrap_or(name).trim_end_matches('/');
    let files: Vec<&str> = shipped::below(bare).collect();
    let text = shipped::read(bare).or_else(|| shipped::read(&format!("{bare}.rules")));
    match (&args.copy, text) {
        (Some(_), Some(_)) => Err(Stop::failed(format!("{bare} is a file; `--copy` takes a book, such as warstrike"))),
        (Some(folder), None) if !files.is_empty() && !folder.ends_with(bare) => Err(Stop::failed(format!(
            "a copy of a book must be in a folder with its name, because the first lines of its rules contain the name: `--copy {}`",
            folder.join(bare).display()
        ))),
        (Some(folder), None) if !files.is_empty() => {
            let texts =
                files.iter().filter_map(|file| Some((file[bare.len() + 1..].to_string(), shipped::read(file)?)));
            let texts: Vec<(String, String)> = texts.map(|(file, text)| (file, text.to_string())).collect();
            new::write_all(folder, &texts)?;
            out.line(&format!("{} files of {bare} copied to {}", texts.len(), folder.display()))?;
            out.line("rules next to this folder now extend your copy, because a folder with the name of a book replaces the book")?;
            Ok(FINE)
        }
        (None, Some(text)) => out.product(&Product::new(text)).map(|()| FINE),
        (None, None) if !files.is_empty() => {
            files.iter().try_for_each(|file| out.line(file))?;
            Ok(FINE)
        }
        _ => {
            let near = did_you_mean(bare, shipped::all().iter().map(|(file, _)| *file).chain(shipped::books()));
            Err(Stop::failed(format!("`{bare}` is not a shipped book or file{near}; `grognard books` lists them")))
        }
    }
}
