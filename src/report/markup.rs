//! A small writer of SVG and HTML: elements with attributes, everything escaped.

use crate::base::safe::markup as escape;

/// A text of elements at work.
#[derive(Default)]
pub struct Markup {
    out: String,
    open: Vec<&'static str>,
}

/// Attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'a str, String)];

impl Markup {
    /// An element that holds others.
    pub(super) fn begin(&mut self, tag: &'static str, attributes: Attributes) {
        self.start(tag, attributes);
        self.out.push_str(">\n");
        self.open.push(tag);
    }

    /// Ends the element begun last.
    pub(super) fn end(&mut self) {
        if let Some(tag) = self.open.pop() {
            self.indent();
            self.out.push_str(&format!("</{tag}>\n"));
        }
    }

    /// An element that holds nothing; in HTML only one that never does.
    pub(super) fn element(&mut self, tag: &str, attributes: Attributes) {
        self.start(tag, attributes);
        self.out.push_str("/>\n");
    }

    /// An element that holds a text.
    pub fn content(&mut self, tag: &str, attributes: Attributes, text: &str) {
        self.start(tag, attributes);
        self.out.push_str(&format!(">{}</{tag}>\n", escape(text)));
    }

    /// An element that holds a text whose lines stay lines.
    pub fn lines(&mut self, tag: &str, attributes: Attributes, text: &str) {
        self.start(tag, attributes);
        let lines: Vec<String> = text.lines().map(escape).collect();
        self.out.push_str(&format!(">{}</{tag}>\n", lines.join("\n")));
    }

    /// A style sheet of our own.
    pub(super) fn style(&mut self, sheet: &'static str) {
        self.start("style", &[]);
        self.out.push_str(&format!(">\n{sheet}</style>\n"));
    }

    /// Ends all that is open and gives the text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.out
    }

    fn indent(&mut self) {
        self.out.push_str(&"  ".repeat(self.open.len()));
    }

    fn start(&mut self, tag: &str, attributes: Attributes) {
        self.indent();
        self.out.push_str(&format!("<{tag}"));
        for (name, value) in attributes {
            self.out.push_str(&format!(" {name}=\"{}\"", escape(value)));
        }
    }
}
