//! Text with links: the sentences of a rulebook before they become HTML or plain text.

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bit {
    /// Text without markup.
    Text(String),
    /// The value of a param or a reading, which can be varied.
    Value(String),
    /// A link: its text, its target, and its tooltip.
    Link(String, String, String),
    /// A place to which links lead: its text and its ID.
    Anchor(String, String),
    /// Text from the rules.
    Code(String),
}

/// A sentence or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<Bit>);

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        Words(vec![Bit::Text(text.to_string())])
    }
}

impl From<String> for Words {
    fn from(text: String) -> Words {
        Words(vec![Bit::Text(text)])
    }
}

impl Words {
    /// Returns the text with more text appended.
    pub fn then(mut self, more: impl Into<Words>) -> Words {
        for bit in more.into().0 {
            match (self.0.last_mut(), bit) {
                (Some(Bit::Text(old)), Bit::Text(new)) => old.push_str(&new),
                (_, bit) => self.0.push(bit),
            }
        }
        self
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|bit| matches!(bit, Bit::Text(text) if text.is_empty()))
    }

    /// Returns the text without links and markup.
    pub fn plain(&self) -> String {
        let text = |bit: &Bit| match bit {
            Bit::Text(text) | Bit::Value(text) | Bit::Code(text) => text.clone(),
            Bit::Link(text, ..) | Bit::Anchor(text, _) => text.clone(),
        };
        self.0.iter().map(text).collect()
    }
}

/// Returns a text with its first letter capitalized.
pub fn capital(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}

/// Splits a name into words: `fall_back_move` becomes `fall back move`, and `AsAMark` becomes `As A Mark`.
pub fn human(name: &str) -> String {
    let mut out = String::new();
    let mut before = None;
    let mut signs = name.chars().peekable();
    while let Some(c) = signs.next() {
        let ends = before.is_some_and(|b: char| b.is_lowercase() || b.is_ascii_digit());
        let begins = before.is_some_and(char::is_uppercase) && signs.peek().is_some_and(|next| next.is_lowercase());
        match c {
            '_' => out.push(' '),
            c if c.is_uppercase() && (ends || begins) => out.extend([' ', c]),
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// Returns a name as part of a sentence: `WholeLadder` becomes `whole ladder`, and `GEVOnly` becomes `GEV only`.
pub fn phrase(name: &str) -> String {
    let short = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    let word = |word: &str| if short(word) { word.to_string() } else { word.to_lowercase() };
    human(name).split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Returns a word with its indefinite article, such as `a unit` or `an element`.
pub fn a(word: &str) -> String {
    let vowel = word.chars().next().is_some_and(|c| "aeioAEIO".contains(c));
    format!("{} {word}", if vowel { "an" } else { "a" })
}
