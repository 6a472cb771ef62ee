//! The options for measures of a comparison: which direction is better, and the equivalence margin.

use super::super::out::Stop;
use super::super::simulate::hundredth;
use super::CompareArgs;
use grognard_base::did_you_mean;
use grognard_scenario::{Good, Scenario};

/// Marks the measures for which higher values are better, and those for which lower values are better.
pub fn directed(args: &CompareArgs, scenario: &mut Scenario) -> Result<(), Stop> {
    let more = args.more.iter().map(|text| ("--more", text, Good::More));
    for (option, text, good) in more.chain(args.less.iter().map(|text| ("--less", text, Good::Less))) {
        let figures = &mut scenario.plan.report;
        if !figures.iter().any(|figure| figure.is_written(text)) {
            let names = figures.iter().map(|f| f.text.as_str());
            let near = did_you_mean(text, names.clone());
            let all = names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(Stop::failed(format!("`{option} {text}` is not a measure{near}; the measures are {all}")));
        }
        figures.iter_mut().filter(|f| f.is_written(text)).for_each(|f| f.good = Some(good));
    }
    if let Some(text) = args.more.iter().find(|text| args.less.contains(text)) {
        return Err(Stop::failed(format!("`{text}` is in both `--more` and `--less`")));
    }
    Ok(())
}

/// Parses a margin: `1%` for a condition, `0.1` for a number.
pub fn margin(text: &str, share: bool) -> Result<f64, Stop> {
    let number = if share { text.trim().strip_suffix('%') } else { Some(text.trim()) };
    let number = number.and_then(|n| n.trim_end().parse::<f64>().ok()).filter(|n| n.is_finite() && *n > 0.0);
    match number {
        Some(n) if share && n <= 100.0 => Ok(hundredth(n)),
        Some(n) if !share => Ok(n),
        _ => {
            let form = if share { "`1%` for a condition" } else { "`0.1` for a number" };
            Err(Stop::failed(format!("`--within {text}` is not a margin for the primary measure; write {form}")))
        }
    }
}
