//! Results of examples as text.

use super::{ExampleResult, ExampleVerdict};
use grognard_base::Sources;

/// Formats one line for each example, followed by the problems of an example that fails.
pub fn report(results: &[ExampleResult], sources: &Sources) -> String {
    let mut out = String::new();
    for result in results {
        out += &format!("{}\n", line(result));
        for problem in &result.problems {
            let place = problem.span.map(|s| sources.origin(s)).and_then(|s| sources.get(s.file).map(|f| (f, s)));
            let at = place.map_or(String::new(), |(f, s)| format!("{}:{}: ", f.name, f.place(s.start).line));
            out += &format!("       {at}{}\n", problem.message);
        }
    }
    out
}

/// Formats the result of an example as one line.
pub fn line(result: &ExampleResult) -> String {
    let word = match result.verdict {
        ExampleVerdict::Holds => "ok    ",
        ExampleVerdict::Fails => "FAILED",
        ExampleVerdict::Waits => "waits ",
    };
    let waits = match (result.verdict, result.waiting) {
        (_, 0) => String::new(),
        (ExampleVerdict::Waits, _) => format!("  ({})", result.why),
        (_, n) => format!("  ({n} {} {})", if n == 1 { "claim waits" } else { "claims wait" }, result.why),
    };
    format!("{word} {}: {}{waits}", result.ruleset, result.title)
}

/// Formats the totals: `12 examples: 9 hold, 1 fails, 2 wait`, and the number of claims not judged.
///
/// Each result is its verdict with the number of claims that wait.
pub fn summary(results: &[(ExampleVerdict, usize)]) -> String {
    let count = |verdict: ExampleVerdict| results.iter().filter(|(other, _)| *other == verdict).count();
    let (holds, fails, waits) =
        (count(ExampleVerdict::Holds), count(ExampleVerdict::Fails), count(ExampleVerdict::Waits));
    let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut text = format!(
        "{}: {}, {}",
        plural(results.len(), "example", "examples"),
        plural(holds, "holds", "hold"),
        plural(fails, "fails", "fail")
    );
    if waits > 0 {
        text += &format!(", {}", plural(waits, "waits", "wait"));
    }
    let claims: usize = results.iter().map(|(_, waiting)| waiting).sum();
    if claims > 0 {
        text += &format!(" ({} not judged)", plural(claims, "claim", "claims"));
    }
    text
}
