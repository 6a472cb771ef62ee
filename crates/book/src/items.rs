//! Renders items as articles of the reference: their rules text with links, and their tables.

use super::model::{Article, Grid};
use super::tell::Teller;
use super::words::{Bit, Words, a, capital, human};
use grognard_base::Span;
use grognard_syntax::Lexeme;
use grognard_syntax::tree::{ClauseRef, Item, ItemKind, Let};

/// Returns the name of a form of item in a rulebook. `word` is its keyword in the rules.
pub fn sort_of(word: &'static str) -> &'static str {
    match word {
        "param" => "number",
        "enum" => "cases",
        "chain" => "ladder of dice",
        "let" => "value",
        "proc" => "procedure",
        "stat" | "state" => "figure",
        "extend kind" => "kind, continued",
        word => word,
    }
}

fn ids(of: &[ClauseRef]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for cite in of {
        if !all.contains(&cite.text) {
            all.push(cite.text.clone());
        }
    }
    all
}

impl Teller<'_> {
    /// Renders an item as an article. Returns `None` for params, which share an article, and for items that only change others.
    pub fn article(&self, item: &Item) -> Option<Article> {
        let name = grognard_rules::item_name(&item.kind);
        let mut heading = name.map_or(String::new(), |name| capital(&human(&name.text)));
        match &item.kind {
            ItemKind::Param(_) | ItemKind::SetReading { .. } | ItemKind::SetCell { .. } => return None,
            ItemKind::Section(_) | ItemKind::Clause(_) | ItemKind::Example(_) => return None,
            ItemKind::Change(_) | ItemKind::Remove { .. } => return None,
            ItemKind::ExtendKind { name, .. } => heading = format!("{} (more)", capital(&human(&name.text))),
            ItemKind::Let(Let { of: Some(of), .. }) => {
                heading = format!("{heading} of {}", a(&human(&of.text).to_lowercase()));
            }
            _ => {}
        }
        let title = grognard_rules::item_title(&item.kind).map_or(String::new(), |t| t.text.clone());
        let grids: Vec<Grid> = self.chart(&item.kind).into_iter().collect();
        Some(Article {
            word: sort_of(grognard_rules::item_word(&item.kind)).to_string(),
            heading,
            title,
            grids,
            cites: ids(&item.cited),
            source: self.linked(item.span),
            ..Article::default()
        })
    }

    /// Returns the rules text of an item. Each name is a link to its explanation, and the name of a field is its anchor.
    pub fn linked(&self, span: Span) -> Words {
        let text = self.sources.slice(span);
        let (mut words, mut at) = (Words::default(), 0);
        for token in grognard_syntax::scan(text).filter(|token| token.kind == Lexeme::Word) {
            let start = span.start as usize;
            let place = Span::new(span.file, start + token.start, start + token.end);
            let Some(declared) = self.declared(place) else { continue };
            let Some(target) = self.targets.get(&declared) else { continue };
            let (word, field) = (token.text(text).to_string(), target.href.split_once("#field-"));
            let bit = match field {
                _ if declared != self.sources.origin(place) => {
                    Bit::Link(word, target.href.clone(), target.title.clone())
                }
                Some((_, field)) => Bit::Anchor(word, format!("field-{field}")),
                None => continue,
            };
            words = words.then(&text[at..token.start]).then(Words(vec![bit]));
            at = token.end;
        }
        words.then(&text[at..])
    }
}

/// Returns the anchor of an item on its page.
pub fn id(word: &str, name: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '-' };
    format!("{}-{}", word.replace(' ', "-"), name.chars().map(sign).collect::<String>())
}
