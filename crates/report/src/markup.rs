//! A small writer of SVG and HTML: elements with attributes, everything escaped.

use grognard_base::safe::markup as escape;

/// A text of elements at work.
#[derive(Default)]
pub struct Markup {
    out: String,
    open: Vec<&'static str>,
}

/// Words of a line; in an element of their own, if they have a tag.
#[derive(Clone, Debug, Default)]
pub struct MarkupPiece {
    /// The element.
    pub tag: Option<&'static str>,
    /// Its attributes.
    pub attributes: Vec<(&'static str, String)>,
    /// The words.
    pub text: String,
}

/// Attributes of an element.
pub type Attributes<'a> = &'a [(&'a str, String)];

/// What a page may do: nothing but be looked at.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

impl Markup {
    /// A page of HTML up to what stands on it.
    pub fn page(title: &str, style: &'static str) -> Markup {
        let mut out = Markup::default();
        out.begin("html", &[("lang", "en".into())]);
        out.begin("head", &[]);
        out.element("meta", &[("charset", "utf-8".into())]);
        out.element("meta", &[("http-equiv", "Content-Security-Policy".into()), ("content", POLICY.into())]);
        let phone = [("name", "viewport".into()), ("content", "width=device-width, initial-scale=1".into())];
        out.element("meta", &phone);
        out.element("meta", &[("name", "color-scheme".into()), ("content", "light dark".into())]);
        out.content("title", &[], title);
        out.style(style);
        out.end();
        out.begin("body", &[]);
        out
    }

    /// An element that holds others.
    pub fn begin(&mut self, tag: &'static str, attributes: Attributes) {
        self.start(tag, attributes);
        self.out.push_str(">\n");
        self.open.push(tag);
    }

    /// Ends the element begun last.
    pub fn end(&mut self) {
        if let Some(tag) = self.open.pop() {
            self.indent();
            self.out.push_str(&format!("</{tag}>\n"));
        }
    }

    /// An element that holds nothing; in HTML only one that never does.
    pub fn element(&mut self, tag: &str, attributes: Attributes) {
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

    /// An element that holds a line of words, some of them in elements of their own: blanks stay as they are.
    pub fn run(&mut self, tag: &str, attributes: Attributes, pieces: &[MarkupPiece]) {
        self.start(tag, attributes);
        self.out.push('>');
        for piece in pieces {
            let text = escape(&piece.text);
            match piece.tag {
                None => self.out.push_str(&text),
                Some(tag) => {
                    let of = |(name, value): &(&str, String)| format!(" {name}=\"{}\"", escape(value));
                    let attributes: String = piece.attributes.iter().map(of).collect();
                    self.out.push_str(&format!("<{tag}{attributes}>{text}</{tag}>"));
                }
            }
        }
        self.out.push_str(&format!("</{tag}>\n"));
    }

    /// A style sheet of our own.
    pub fn style(&mut self, sheet: &'static str) {
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
