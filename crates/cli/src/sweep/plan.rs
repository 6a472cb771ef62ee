//! Plans of sweeps: TOML files with the measures, the scenarios and the grid.

use super::super::FOUND;
use super::super::files::text_of;
use super::super::mode::{MOST_STATES, ModeArg};
use super::super::out::Stop;
use super::super::simulate::MOST_RUNS;
use super::beside;
use grognard_base::{Code, Diagnostic, Source, Sources, Span, did_you_mean};
use grognard_scenario::{self as scenario, Node, Over, Value, whole};
use grognard_stats::stats::{LEVELS, Level};
use std::path::{Path, PathBuf};

/// The keys of a plan.
const KEYS: [&str; 9] = ["scenarios", "rules", "measures", "grid", "mode", "budget", "runs", "seed", "level"];

/// The settings of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The name of the plan file, or `None` for the command line.
    pub name: Option<String>,
    /// The folder from which scenarios are named.
    pub folder: PathBuf,
    /// Scenarios and folders of them.
    pub scenarios: Vec<PathBuf>,
    /// Rulesets; empty for the rules of each scenario.
    pub rules: Vec<String>,
    /// Measures; empty for the reports of the scenarios.
    pub of: Vec<String>,
    /// Settings to vary; empty for those of each scenario.
    pub over: Vec<Over>,
    /// Params and readings with one value at all points, as `name=value`.
    pub set: Vec<String>,
    /// The mode, or `None` for the mode of each scenario.
    pub mode: Option<ModeArg>,
    /// The state limit at each point.
    pub budget: Option<u64>,
    /// Runs at each point.
    pub runs: Option<u64>,
    /// The seed of all points.
    pub seed: Option<u64>,
    /// The confidence level.
    pub level: Option<Level>,
}

/// Reads a plan file, or fails with its diagnostics.
pub fn read(file: &Path, sources: &mut Sources) -> Result<Plan, Stop> {
    let shown = file.display();
    let text = text_of(file)?;
    let id = sources.add(Source::new(shown.to_string(), text.as_str()));
    let stop = Stop::found(sources, FOUND);
    let entries = scenario::entries(id, &text);
    let entries = entries.map_err(|(span, why)| stop(vec![Diagnostic::new(Code::BadPlan, span, why)]))?;
    let folder = beside(file);
    let mut reader =
        Reader { plan: Plan { name: Some(shown.to_string()), folder, ..Plan::default() }, problems: Vec::new() };
    for entry in &entries {
        reader.key(&entry.key, entry.span, &entry.node);
    }
    if reader.plan.scenarios.is_empty() && reader.problems.is_empty() {
        reader.bad(Span::new(id, 0, 0), "the key `scenarios` is missing");
    }
    if reader.problems.is_empty() { Ok(reader.plan) } else { Err(stop(reader.problems)) }
}

struct Reader {
    plan: Plan,
    problems: Vec<Diagnostic>,
}

impl Reader {
    fn bad(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(Code::BadPlan, span, message));
    }

    fn key(&mut self, key: &str, span: Span, node: &Node) {
        match key {
            "scenarios" => {
                let folder = self.plan.folder.clone();
                self.plan.scenarios = self.texts(node, key).into_iter().map(|path| folder.join(path)).collect();
            }
            "rules" => self.plan.rules = self.texts(node, key),
            "measures" => self.plan.of = self.texts(node, key),
            "grid" => self.grid(node),
            "mode" => match node.text().and_then(ModeArg::of) {
                Some(mode) => self.plan.mode = Some(mode),
                None => self.bad(node.span, "`mode` must be \"exact\", \"sampled\" or \"auto\""),
            },
            "budget" => self.plan.budget = self.count(node, key, 1, MOST_STATES),
            "runs" => self.plan.runs = self.count(node, key, 1, MOST_RUNS),
            "seed" => self.plan.seed = self.count(node, key, 0, 999_999_999),
            "level" => {
                let text = match &node.value {
                    Value::Number(text) | Value::Text(text, _) => text.as_str(),
                    _ => "",
                };
                self.plan.level = Level::of(text);
                if self.plan.level.is_none() {
                    self.bad(node.span, format!("`level` must be one of {}", LEVELS.map(|l| l.name).join(", ")));
                }
            }
            key => {
                let near = did_you_mean(key, KEYS.iter().copied());
                self.bad(span, format!("unknown key `{key}`{near}"));
            }
        }
    }

    /// Returns the texts of a text or of a list of texts.
    fn texts(&mut self, node: &Node, key: &str) -> Vec<String> {
        let mut found = Vec::new();
        for node in node.all() {
            match node.text() {
                Some(text) => found.push(text.to_string()),
                None => self.bad(node.span, format!("`{key}` must be a text or a list of texts, not {}", node.sort())),
            }
        }
        found
    }

    fn count(&mut self, node: &Node, key: &str, least: u64, most: u64) -> Option<u64> {
        let number = match &node.value {
            Value::Number(text) => whole(text).and_then(|n| u64::try_from(n).ok()),
            _ => None,
        };
        let fits = number.filter(|n| (least..=most).contains(n));
        if fits.is_none() {
            self.bad(node.span, format!("`{key}` must be a whole number from {least} to {most}"));
        }
        fits
    }

    /// Reads the settings to vary: `name = [values]`, or `name = "declared"`.
    fn grid(&mut self, node: &Node) {
        let Some(entries) = node.table() else {
            return self.bad(node.span, "`grid` must be a table, such as `hit_on = [3, 4]` or `hit_on = \"declared\"`");
        };
        for entry in entries {
            let values = match &entry.node.value {
                Value::Text(text, _) if text == "declared" => None,
                Value::List(_) => Some(entry.node.clone()),
                _ => Some(Node { span: entry.node.span, value: Value::List(vec![entry.node.clone()]) }),
            };
            self.plan.over.push(Over { name: (entry.key.clone(), entry.span), values });
        }
    }
}
