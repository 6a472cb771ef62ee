//! Hostile texts: deep nests and long chains come to an end, and to a message.

use super::kit::{findings, good};
use grognard_base::Code;

#[test]
fn deep_nests_and_long_chains() {
    let open = "(1 + ".repeat(60);
    let close = ")".repeat(60);
    let lets: Vec<String> = (0..150).map(|n| format!("let f{n}(n: Int) = {open}f{}(n){close}", n + 1)).collect();
    let text = format!("{}\nlet f150(n: Int) = n", lets.join("\n"));
    let codes: Vec<Code> = findings(&text).into_iter().map(|f| f.0).collect();
    assert!(!codes.is_empty() && codes.iter().all(|c| *c == Code::NeedType), "{codes:?}");
    good(&text.replace("(n: Int) =", "(n: Int): Int ="));
}

#[test]
fn chains_of_plain_lets() {
    let lets: Vec<String> = (0..30).map(|n| format!("let f{n}(n: Int) = f{}(n) + 1", n + 1)).collect();
    good(&format!("{}\nlet f30(n: Int) = n", lets.join("\n")));
}

#[test]
fn branches_without_a_type() {
    let open = "(if n > 1 then Bare else ".repeat(50);
    let close = ")".repeat(50);
    let found = findings(&format!("let f(n: Int) = {open}unknown_name{close}"));
    assert_eq!(found.len(), 1, "{found:?}");
    good(&format!("let f(u: Unit, n: Int) = {open}u.cover{close}"));
}

#[test]
fn queries_in_queries() {
    let open: String = (0..40).map(|n| format!("any x{n} in Unit where ")).collect();
    good(&format!("let f(u: Unit) = {open}x39 == u and x0 == u"));
}
