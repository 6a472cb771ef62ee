//! Pictures: what of markup is theirs alone, coordinates as whole thousandths of a pixel.

pub(super) use super::markup::Markup as Svg;

impl Svg {
    /// A picture of so many pixels, with a title and a style sheet.
    pub(super) fn new(width: i64, height: i64, title: &str, style: &str) -> Svg {
        let mut svg = Svg::default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_tenths() {
        let shown: Vec<String> = [0, 49, 50, 1000, -1049, -1050, -1051, 12_340].map(px).to_vec();
        assert_eq!(shown, ["0", "0", "0.1", "1", "-1", "-1", "-1.1", "12.3"]);
    }

    #[test]
    fn a_title_stays_a_title() {
        let text = Svg::new(1, 1, "</title><script>alert(1)</script>", "").finish();
        assert!(!text.contains("<script") && text.contains("&lt;/title&gt;&lt;script&gt;"));
    }
}
