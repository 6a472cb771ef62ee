//! Units written as words, as in `6 inches` or `45 degrees`, with their form in the rules language.

/// Returns the message and the help for a number with such a unit, or `None` if the unit is unknown.
pub(super) fn with_unit(amount: &str, unit: &str) -> Option<(String, String)> {
    let unit = unit.to_ascii_lowercase();
    let mark = match unit.as_str() {
        "in" | "inch" | "inches" => Some(("a length is written with an inch mark", '"')),
        "deg" | "degs" | "degree" | "degrees" => Some(("an angle is written with the sign °", '°')),
        "percent" | "pct" => Some(("a fraction of a hundred is written with the sign %", '%')),
        _ => None,
    };
    if let Some((message, sign)) = mark {
        return Some((message.to_string(), format!("write `{amount}{sign}`")));
    }
    // number of units, the equal number of inches, and the conversion as text
    let (units, inches, equal) = match unit.as_str() {
        "mm" | "millimetre" | "millimetres" | "millimeter" | "millimeters" => (254, 10, "an inch is 25.4 mm"),
        "cm" | "centimetre" | "centimetres" | "centimeter" | "centimeters" => (254, 100, "an inch is 2.54 cm"),
        "m" | "metre" | "metres" | "meter" | "meters" => (254, 10_000, "an inch is 2.54 cm"),
        "ft" | "foot" | "feet" => (1, 12, "a foot is 12 inches"),
        "yd" | "yard" | "yards" => (1, 36, "a yard is 36 inches"),
        _ => return None,
    };
    let (whole, part) = amount.split_once('.').unwrap_or((amount, ""));
    if whole.len() > 6 || part.len() > 3 {
        return None;
    }
    let thousandths = format!("{whole}{part:0<3}").parse::<i64>().ok()? * inches;
    let length = (thousandths + units / 2) / units;
    let length = format!("{}.{:03}", length / 1000, length % 1000);
    let length = length.trim_end_matches('0').trim_end_matches('.');
    Some(("lengths are in inches, and written with an inch mark".to_string(), format!("write `{length}\"`; {equal}")))
}
