//! Writes the parser of the grammar.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out).join("grammar.rs"), grammar()?)?;
    Ok(())
}

/// The parser that pest generates, with calls of the trait `Thin` in place of generic ones: those are compiled once for each of the
/// grammar's thousands of closures, which was a sixth of all code of the library.
fn grammar() -> Result<String, Box<dyn std::error::Error>> {
    // a package has the folder of the grammar; a checkout without symbolic links has a file in its place
    let folder = if Path::new("grammar").is_dir() { "grammar" } else { "../../grammar" };
    println!("cargo:rerun-if-changed={folder}/rules.pest");
    let parser = format!("#[grammar = \"{folder}/rules.pest\"] struct Grammar;").parse()?;
    let text = thin(pest_generator::derive_parser(parser, false)).to_string();
    Ok(text.replace("use super :: super :: Rule ;", "use super :: super :: { Rule , Then , Thin } ;"))
}

/// Combinators of the parser that take a closure.
const GENERIC: [&str; 8] = ["rule", "sequence", "repeat", "optional", "lookahead", "atomic", "and_then", "or_else"];

fn thin(tokens: TokenStream) -> TokenStream {
    let mut method = false;
    let one = |token: TokenTree| {
        let is_method = std::mem::replace(&mut method, matches!(&token, TokenTree::Punct(p) if p.as_char() == '.'));
        match token {
            TokenTree::Group(group) => Group::new(group.delimiter(), thin(group.stream())).into(),
            TokenTree::Ident(name) if is_method && GENERIC.contains(&name.to_string().as_str()) => {
                Ident::new(&format!("thin_{name}"), name.span()).into()
            }
            other => other,
        }
    };
    tokens.into_iter().map(one).collect()
}
