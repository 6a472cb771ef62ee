//! Running text with links: what a sentence of a rulebook is made of before it becomes HTML or plain text.

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bit {
    /// Plain words.
    Text(String),
    /// A name that stands for something in this rule alone.
    Var(String),
    /// A number or a case that can be turned: the value of a param or a reading.
    Value(String),
    /// Words that lead to where they are explained; the second is what is told of the place.
    Link(String, String, String),
    /// As it stands in the rules.
    Code(String),
    /// A clause.
    Cite(String),
}

/// A sentence or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<Bit>);

/// A line of a procedure, with the lines below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub words: Words,
    /// Clauses that are cited for this line.
    pub cites: Vec<String>,
    /// What belongs to it.
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
    /// A name of this rule.
    pub fn var(name: &str) -> Words {
        Words(vec![Bit::Var(name.to_string())])
    }

    /// With more words behind.
    pub fn then(mut self, more: impl Into<Words>) -> Words {
        for bit in more.into().0 {
            match (self.0.last_mut(), bit) {
                (Some(Bit::Text(old)), Bit::Text(new)) => old.push_str(&new),
                (_, bit) => self.0.push(bit),
            }
        }
        self
    }

    /// True without any words.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|bit| matches!(bit, Bit::Text(text) if text.is_empty()))
    }

    /// In brackets.
    pub fn bracketed(self) -> Words {
        Words::from("(").then(self).then(")")
    }

    /// Several in one, parted by a word such as `, ` or ` and `.
    pub fn join(all: impl IntoIterator<Item = Words>, between: &str) -> Words {
        let mut out = Words::default();
        for (n, words) in all.into_iter().enumerate() {
            out = if n == 0 { words } else { out.then(between).then(words) };
        }
        out
    }

    /// `a, b and c`.
    pub fn list(all: impl IntoIterator<Item = Words>, last: &str) -> Words {
        let mut all: Vec<Words> = all.into_iter().collect();
        match all.pop() {
            Some(end) if !all.is_empty() => Words::join(all, ", ").then(format!(" {last} ")).then(end),
            end => end.unwrap_or_default(),
        }
    }

    /// With a capital at the beginning.
    pub fn capital(mut self) -> Words {
        if let Some(Bit::Text(text) | Bit::Link(text, ..)) = self.0.first_mut() {
            *text = capital(text);
        }
        self
    }

    /// What is read, without links.
    pub fn plain(&self) -> String {
        let text = |bit: &Bit| match bit {
            Bit::Text(text) | Bit::Var(text) | Bit::Value(text) | Bit::Link(text, ..) | Bit::Code(text) => text.clone(),
            Bit::Cite(id) => format!("[{id}]"),
        };
        self.0.iter().map(text).collect()
    }
}

/// With a capital at the beginning.
pub fn capital(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}

/// A name as words: `fall_back_move` and `FallBackMove` as `fall back move` and `Fall Back Move`.
pub fn human(name: &str) -> String {
    let mut out = String::new();
    let mut before = None;
    for c in name.chars() {
        let starts = c.is_uppercase() && before.is_some_and(|b: char| b.is_lowercase() || b.is_ascii_digit());
        match c {
            '_' => out.push(' '),
            c if starts => out.extend([' ', c]),
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// With its article: `a unit`, `an element`.
pub fn a(word: &str) -> String {
    let vowel = word.chars().next().is_some_and(|c| "aeioAEIO".contains(c));
    format!("{} {word}", if vowel { "an" } else { "a" })
}

/// More than one of them.
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
