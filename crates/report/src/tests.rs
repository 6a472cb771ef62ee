//! Renders the results of `grognard test` as JSON and as JUnit XML.

use super::markup::Markup;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A test with its result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The kind of test: `example`, `scenario`, `rules` or `pin`.
    pub sort: Cow<'static, str>,
    /// The file that contains the test.
    pub file: String,
    /// The name of the test.
    pub name: String,
    /// Whether the test passed.
    pub good: bool,
    /// The human-readable line about the test.
    pub line: String,
    /// The human-readable description of the failure.
    pub rendered: String,
}

/// Renders all results as one JSON document.
pub fn json(cases: &[Case]) -> Value {
    let one = |case: &Case| json!({ "sort": case.sort, "file": case.file, "name": case.name, "good": case.good, "told": case.rendered });
    let failed = cases.iter().filter(|case| !case.good).count();
    json!({
        "schema": 1,
        "tests": cases.len(),
        "failed": failed,
        "cases": cases.iter().map(one).collect::<Vec<Value>>(),
    })
}

/// Renders all results as CSV, with a row for each test.
pub fn csv(cases: &[Case]) -> String {
    super::table::listed(&["sort", "file", "name", "good", "told"], &json(cases)["cases"])
}

/// Renders all results as JUnit XML, with a test suite for each file.
pub fn junit(cases: &[Case]) -> String {
    let mut files: Vec<&str> = cases.iter().map(|case| case.file.as_str()).collect();
    files.dedup();
    let failed = |cases: &[&Case]| cases.iter().filter(|case| !case.good).count().to_string();
    let all: Vec<&Case> = cases.iter().collect();
    let mut xml = Markup::default();
    let head = [("name", "grognard".to_string()), ("tests", all.len().to_string()), ("failures", failed(&all))];
    xml.begin("testsuites", &head);
    for file in files {
        let own: Vec<&Case> = cases.iter().filter(|case| case.file == file).collect();
        let head = [("name", file.to_string()), ("tests", own.len().to_string()), ("failures", failed(&own))];
        xml.begin("testsuite", &head);
        for case in own {
            let head = [("classname", file.to_string()), ("name", case.name.clone())];
            if case.good {
                xml.element("testcase", &head);
                continue;
            }
            xml.begin("testcase", &head);
            xml.lines("failure", &[("message", case.line.clone())], &case.rendered);
            xml.end();
        }
        xml.end();
    }
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", xml.finish())
}
