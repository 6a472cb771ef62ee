//! Writes SVG and HTML: elements with attributes. All text is escaped.

use grognard_base::safe::markup as escape;

/// A document under construction.
#[derive(Default)]
pub struct Markup {
    out: String,
    open: Vec<&'static str>,
}

/// A run of text, optionally in an inline element.
#[derive(Clone, Debug, Default)]
pub struct MarkupPiece {
    /// The inline element, or `None` for plain text.
    pub tag: Option<&'static str>,
    /// The attributes of the element.
    pub attributes: Vec<(&'static str, String)>,
    pub text: String,
}

/// The attributes of an element.
pub type Attributes<'a> = &'a [(&'a str, String)];

/// The content security policy: a page loads nothing and runs no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

impl Markup {
    /// Creates an HTML page with an open `body`.
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

    /// Opens an element that contains others.
    pub fn begin(&mut self, tag: &'static str, attributes: Attributes) {
        self.start(tag, attributes);
        self.out.push_str(">\n");
        self.open.push(tag);
    }

    /// Closes the innermost open element.
    pub fn end(&mut self) {
        if let Some(tag) = self.open.pop() {
            self.indent();
            self.out.push_str(&format!("</{tag}>\n"));
        }
    }

    /// Writes an empty element. In HTML, only void elements are allowed.
    pub fn element(&mut self, tag: &str, attributes: Attributes) {
        self.start(tag, attributes);
        self.out.push_str("/>\n");
    }

    /// Writes an element that contains text.
    pub fn content(&mut self, tag: &str, attributes: Attributes, text: &str) {
        self.start(tag, attributes);
        self.out.push_str(&format!(">{}</{tag}>\n", escape(text)));
    }

    /// Writes an element that contains text, and keeps its line breaks.
    pub fn lines(&mut self, tag: &str, attributes: Attributes, text: &str) {
        self.start(tag, attributes);
        let lines: Vec<String> = text.lines().map(escape).collect();
        self.out.push_str(&format!(">{}</{tag}>\n", lines.join("\n")));
    }

    /// Writes an element that contains runs of text, some in inline elements. Adds no white space between them.
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

    /// Writes a built-in style sheet.
    pub fn style(&mut self, sheet: &'static str) {
        self.start("style", &[]);
        self.out.push_str(&format!(">\n{sheet}</style>\n"));
    }

    /// Closes all open elements and returns the document.
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
