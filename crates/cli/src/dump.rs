//! `grognard dump`: prints the syntax tree, the checked rules or the program of a rules file.

use super::files::{Root, text_of};
use super::out::{Out, Stop};
use super::{FINE, FOUND};
use clap::ValueEnum;
use grognard_base::{Source, Sources};
use grognard_program::{self as program, Detail};
use grognard_rules as rules;
use grognard_syntax as syntax;
use std::path::PathBuf;

/// The arguments of `grognard dump`.
#[derive(clap::Args)]
pub struct DumpArgs {
    /// Stage to print
    #[arg(long, value_enum)]
    stage: Stage,
    /// Rules file
    file: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Stage {
    /// The syntax tree
    Syntax,
    /// Every item of the checked ruleset
    Rules,
    /// The compiled program
    Program,
}

pub fn run(args: &DumpArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let problems = match args.stage {
        Stage::Syntax => {
            let text = text_of(&args.file)?;
            let file = sources.add(Source::new(args.file.display().to_string(), text));
            let source = sources.get(file).cloned().unwrap_or_default();
            let (_, found) = syntax::parse(file, &source);
            out.line(syntax::dump(&source.text).trim_end())?;
            found
        }
        Stage::Rules | Stage::Program => {
            let (root, name) = Root::of_rules(&args.file)?;
            let loaded = rules::load(&name, &root, &mut sources);
            match loaded.ruleset {
                Some(set) if matches!(args.stage, Stage::Program) => {
                    out.line(program::listing(&program::compile(&set, Detail::Plain)).trim_end())?;
                    Vec::new()
                }
                Some(set) => {
                    for item in &set.items {
                        let from = set.chain.get(item.from).map_or("", |c| c.0.as_str());
                        let title = if item.title.is_empty() { String::new() } else { format!(" \"{}\"", item.title) };
                        let cites =
                            if item.cites.is_empty() { String::new() } else { format!(" [{}]", item.cites.join(", ")) };
                        out.line(&format!("{from}: {} {}{title}{cites}", item.word, item.name))?;
                    }
                    Vec::new()
                }
                None => loaded.problems,
            }
        }
    };
    out.errors(&problems, &sources)?;
    Ok(if problems.iter().any(grognard_base::Diagnostic::is_error) { FOUND } else { FINE })
}
