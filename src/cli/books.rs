//! `grognard books`: the rulesets that are part of the program, to list, to read and to copy.

use super::out::{Out, Product, Stop};
use super::{FINE, new, shipped};
use grognard_base::did_you_mean;
use std::path::PathBuf;

/// What to show.
#[derive(clap::Args)]
pub struct BooksArgs {
    /// A file such as `warstrike/core.rules`, whose text is shown, or a book or folder, whose files are listed.
    name: Option<String>,
    /// Copies a book, to change it as your own: to a folder that is not there yet.
    #[arg(long, value_name = "FOLDER", requires = "name")]
    copy: Option<PathBuf>,
}

/// Shows or copies.
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
                let stands = ["extends", "of"].iter().find_map(|word| head.split_once(&format!(" {word} ")));
                let below = stands.map_or(String::new(), |(_, below)| {
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
            "the rules of a book have its name in their first lines, so a copy stands in a folder of that name: `--copy {}`",
            folder.join(bare).display()
        ))),
        (Some(folder), None) if !files.is_empty() => {
            let texts =
                files.iter().filter_map(|file| Some((file[bare.len() + 1..].to_string(), shipped::read(file)?)));
            let texts: Vec<(String, String)> = texts.map(|(file, text)| (file, text.to_string())).collect();
            new::write_all(folder, &texts)?;
            out.line(&format!("{} files of {bare} are in {}", texts.len(), folder.display()))?;
            out.line("a folder of the name of a book hides the book: rules beside this folder now stand on your copy")?;
            Ok(FINE)
        }
        (None, Some(text)) => out.product(&Product::new(text)).map(|()| FINE),
        (None, None) if !files.is_empty() => {
            files.iter().try_for_each(|file| out.line(file))?;
            Ok(FINE)
        }
        _ => {
            let near = did_you_mean(bare, shipped::all().iter().map(|(file, _)| *file).chain(shipped::books()));
            Err(Stop::failed(format!("no book or file `{bare}` is shipped{near}; `grognard books` lists them")))
        }
    }
}
