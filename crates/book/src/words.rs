//! Text with links: the sentences of a rulebook before they become HTML or plain text.

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bit {
    /// Text without markup.
    Text(String),
    /// A name that is local to this rule.
    Var(String),
    /// The value of a param or a reading, which can be varied.
    Value(String),
    /// A link: its text, its target, and its tooltip.
    Link(String, String, String),
    /// Text from the rules.
    Code(String),
    /// A citation of a clause.
    Cite(String),
}

/// A sentence or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<Bit>);

/// A step of a procedure, with its substeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The text of the step.
    pub words: Words,
    /// IDs of the clauses that are cited for this step.
    pub cites: Vec<String>,
    /// The substeps, in order.
    pub steps: Vec<Step>,
}

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
    /// Creates a text from a local name.
    pub fn var(name: &str) -> Words {
        Words(vec![Bit::Var(name.to_string())])
    }

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

    /// Returns the text in brackets.
    pub fn bracketed(self) -> Words {
        Words::from("(").then(self).then(")")
    }

    /// Joins several texts with a separator such as `, ` or ` and `.
    pub fn join(all: impl IntoIterator<Item = Words>, between: &str) -> Words {
        let mut out = Words::default();
        for (n, words) in all.into_iter().enumerate() {
            out = if n == 0 { words } else { out.then(between).then(words) };
        }
        out
    }

    /// Joins several texts as a list, such as `a, b and c`.
    pub fn list(all: impl IntoIterator<Item = Words>, last: &str) -> Words {
        let mut all: Vec<Words> = all.into_iter().collect();
        match all.pop() {
            Some(end) if !all.is_empty() => Words::join(all, ", ").then(format!(" {last} ")).then(end),
            end => end.unwrap_or_default(),
        }
    }

    /// Returns the text with its first letter capitalized.
    pub fn capital(mut self) -> Words {
        if let Some(Bit::Text(text) | Bit::Link(text, ..)) = self.0.first_mut() {
            *text = capital(text);
        }
        self
    }

    /// Returns the text without links and markup.
    pub fn plain(&self) -> String {
        let text = |bit: &Bit| match bit {
            Bit::Text(text) | Bit::Var(text) | Bit::Value(text) | Bit::Link(text, ..) | Bit::Code(text) => text.clone(),
            Bit::Cite(id) => format!("[{id}]"),
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

/// Returns the plural of a word.
pub fn plural(word: &str) -> String {
    let consonant_y = word.ends_with('y') && !word.ends_with(['a', 'e', 'o']) && !word.ends_with("ey");
    match word {
        _ if consonant_y => format!("{}ies", word.trim_end_matches('y')),
        _ if word.ends_with('s') || word.ends_with('x') || word.ends_with("ch") || word.ends_with("sh") => {
            format!("{word}es")
        }
        _ => format!("{word}s"),
    }
}
