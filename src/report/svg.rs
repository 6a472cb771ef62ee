//! A small writer of SVG: elements with attributes, everything escaped, coordinates as whole thousandths of a pixel.

use super::clean;

/// A picture at work.
pub(super) struct Svg {
    out: String,
    open: Vec<&'static str>,
}

/// Attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'a str, String)];

impl Svg {
    /// A picture of so many pixels, with a title and a style sheet.
    pub(super) fn new(width: i64, height: i64, title: &str, style: &str) -> Svg {
        let mut svg = Svg { out: String::new(), open: Vec::new() };
        let size = [
            ("xmlns", "http://www.w3.org/2000/svg".to_string()),
            ("viewBox", format!("0 0 {width} {height}")),
            ("width", width.to_string()),
            ("height", height.to_string()),
            ("role", "img".to_string()),
        ];
        svg.begin("svg", &size);
        svg.content("title", &[], title);
        svg.content("style", &[], style);
        svg
    }

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

    /// An element that holds nothing.
    pub(super) fn element(&mut self, tag: &str, attributes: Attributes) {
        self.start(tag, attributes);
        self.out.push_str("/>\n");
    }

    /// An element that holds a text.
    pub(super) fn content(&mut self, tag: &str, attributes: Attributes, text: &str) {
        self.start(tag, attributes);
        self.out.push_str(&format!(">{}</{tag}>\n", escape(text)));
    }

    /// The text of the picture.
    pub(super) fn finish(mut self) -> String {
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

/// Thousandths of a pixel as a number, rounded to tenths.
pub(super) fn px(thousandths: i64) -> String {
    let tenths = (thousandths + 50).div_euclid(100);
    let (sign, tenths) = if tenths < 0 { ("-", -tenths) } else { ("", tenths) };
    match tenths % 10 {
        0 => format!("{sign}{}", tenths / 10),
        rest => format!("{sign}{}.{rest}", tenths / 10),
    }
}

/// A text in which nothing is taken for a tag, an end of an attribute or a control character.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // no characters of a document
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_tenths() {
        let shown: Vec<String> = [0, 49, 50, 1000, -1049, -1050, -1051, 12_340].map(px).to_vec();
        assert_eq!(shown, ["0", "0", "0.1", "1", "-1", "-1", "-1.1", "12.3"]);
    }

    #[test]
    fn nothing_escapes() {
        let mut svg = Svg::new(1, 1, "</title><script>alert(1)</script>", "");
        svg.content("text", &[("class", "\"><script>".into())], "a & 'b' ]]> \u{1b}[2J\u{ffff}");
        let text = svg.finish();
        assert!(!text.contains("<script") && !text.contains('\u{1b}') && !text.contains('\u{ffff}'));
        assert!(text.contains("&quot;&gt;&lt;script&gt;") && text.contains("a &amp; &#39;b&#39; ]]&gt;"));
    }
}
