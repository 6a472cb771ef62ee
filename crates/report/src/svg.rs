//! Adds to [`Markup`](super::markup::Markup) what only pictures need. Coordinates are in thousandths of a pixel.

pub use super::markup::Markup as Svg;

impl Svg {
    /// Creates a picture with a title and a style sheet. The size is in pixels.
    pub fn new(width: i64, height: i64, title: &str, style: &str) -> Svg {
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

/// Formats thousandths of a pixel as pixels, rounded to tenths.
pub fn px(thousandths: i64) -> String {
    let tenths = (thousandths + 50).div_euclid(100);
    let (sign, tenths) = if tenths < 0 { ("-", -tenths) } else { ("", tenths) };
    match tenths % 10 {
        0 => format!("{sign}{}", tenths / 10),
        rest => format!("{sign}{}.{rest}", tenths / 10),
    }
}
