//! Short texts of traces: names and pieces of sentences.

use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, SmolStrBuilder};
use std::borrow::Borrow;
use std::fmt::{self, Write};
use std::ops::Deref;

/// A text in a trace, such as a name. It is used like a `&str`. A text of at most 23 bytes is stored inline, and a copy of a longer one shares it.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShortText(SmolStr);

impl ShortText {
    /// Creates a text from any string.
    pub fn new(text: impl AsRef<str>) -> ShortText {
        ShortText(SmolStr::new(text))
    }

    /// Returns the text with another one after it.
    pub(super) fn followed_by(&self, text: &str) -> ShortText {
        let mut both = SmolStrBuilder::new();
        both.push_str(self);
        both.push_str(text);
        ShortText(both.finish())
    }

    /// Returns the text as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for ShortText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for ShortText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ShortText {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ShortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for ShortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl From<&str> for ShortText {
    fn from(text: &str) -> ShortText {
        ShortText::new(text)
    }
}

impl From<&String> for ShortText {
    fn from(text: &String) -> ShortText {
        ShortText::new(text)
    }
}

impl From<String> for ShortText {
    fn from(text: String) -> ShortText {
        ShortText(text.into())
    }
}

impl From<fmt::Arguments<'_>> for ShortText {
    fn from(text: fmt::Arguments<'_>) -> ShortText {
        let mut short = SmolStrBuilder::new();
        // writing to a text in memory cannot fail
        let _ = short.write_fmt(text);
        ShortText(short.finish())
    }
}

impl From<ShortText> for String {
    fn from(text: ShortText) -> String {
        text.0.into()
    }
}

/// Compares texts of two types in both orders.
macro_rules! equal {
    ($($other:ty)*) => { $(
        impl PartialEq<$other> for ShortText {
            fn eq(&self, other: &$other) -> bool {
                let text: &str = other.as_ref();
                self.as_str() == text
            }
        }

        impl PartialEq<ShortText> for $other {
            fn eq(&self, other: &ShortText) -> bool {
                other == self
            }
        }
    )* };
}

equal!(str &str String);
