//! The forms of the language, each with a sentence and a snippet. One table feeds the panel of the studio, completion, hover and the cheat
//! sheet.

use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A form of the language.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The keyword.
    pub word: String,
    /// The form as the cheat sheet shows it, if it is not the keyword.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// Where the snippet belongs: in a `proc` or in a `kind`. Without a value, on the top level of a file.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// A short description, without a subject.
    pub says: String,
    /// The page of the reference, below `docs/language`.
    pub more: String,
    /// The text to insert, with stops such as `${1:hit_on}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
}

impl Card {
    /// Returns the snippet without its stops.
    pub fn plain(&self) -> Option<String> {
        let mut parts = self.snippet.as_deref()?.split("${");
        let mut plain = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (stop, rest) = part.split_once('}').unwrap_or((part, ""));
            plain += stop.split_once(':').map_or(stop, |(_, text)| text);
            plain += rest;
        }
        Some(plain)
    }
}

#[derive(Deserialize)]
struct Cards {
    card: Vec<Card>,
}

/// Returns all cards: first the ten forms that a first game needs.
pub fn cards() -> &'static [Card] {
    static CARDS: LazyLock<Vec<Card>> = LazyLock::new(|| {
        let read: Result<Cards, _> = toml::from_str(include_str!("cards.toml"));
        read.map(|cards| cards.card).unwrap_or_default()
    });
    &CARDS
}

/// Returns the card of a keyword.
pub fn card(word: &str) -> Option<&'static Card> {
    cards().iter().find(|card| card.word == word)
}
