//! A version of the rules on the command line.

use super::super::out::Stop;
use super::super::scenes::{self, Wanted};
use grognard_base::Sources;
use grognard_base::order;
use grognard_program::Detail;
use grognard_scenario::{Figure, Scenario};
use std::path::{Path, PathBuf};

/// One version: rules with settings, where no rules means the rules of the scenario; or a separate scenario.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// A rules file, or the name of a ruleset.
    pub rules: Option<String>,
    /// Params and readings as `name=value`.
    pub set: Vec<String>,
    /// The scenario, if the two versions are two scenarios.
    pub scenario: Option<PathBuf>,
}

impl Side {
    /// Creates the version of a scenario with its own rules.
    pub fn scenario(path: &Path) -> Side {
        Side { scenario: Some(path.to_path_buf()), ..Side::default() }
    }

    /// Parses a version in the form `rules:name=value,name=value`.
    pub fn of(text: &str) -> Side {
        let (rules, settings) = match text.rsplit_once(':') {
            Some((rules, settings)) if settings.contains('=') || rules.is_empty() => (rules, settings),
            _ => (text.trim_end_matches(':'), ""),
        };
        let mut set: Vec<String> = Vec::new();
        for part in settings.split(',').filter(|part| !part.is_empty()) {
            match set.last_mut() {
                // a comma inside a value
                Some(last) if !part.contains('=') => *last = format!("{last},{part}"),
                _ => set.push(part.to_string()),
            }
        }
        Side { rules: (!rules.is_empty()).then(|| rules.to_string()), set, scenario: None }
    }

    /// Returns the name of the version, once the rules are known.
    pub fn name(&self, scenario: &Scenario) -> String {
        if let Some(path) = &self.scenario {
            return path.display().to_string();
        }
        let settings = if self.set.is_empty() { String::new() } else { format!(":{}", self.set.join(",")) };
        format!("{}{settings}", scenario.plan.rules.trim_end_matches(".rules"))
    }

    /// Returns the command that runs one run of the version.
    pub fn command(&self, path: &Path, seed: u64, run: u64) -> String {
        let path = self.scenario.as_deref().unwrap_or(path);
        let rules = self.rules.as_ref().map_or(String::new(), |rules| format!(" --rules {rules}"));
        let set: String = self.set.iter().map(|set| format!(" --set {set}")).collect();
        format!("grognard run {}{rules}{set} --seed {seed} --run {run}", path.display())
    }

    /// Reads a scenario with this version. `other` is the version to compare with.
    pub fn load(
        &self,
        path: &Path,
        other: &Side,
        of: &[String],
        detail: Detail,
        sources: &mut Sources,
    ) -> Result<Scenario, Stop> {
        let path = self.scenario.as_deref().unwrap_or(path);
        let beside: Vec<String> = other.rules.iter().cloned().collect();
        let wanted = Wanted { rules: self.rules.as_deref(), beside: &beside, set: &self.set, of, ..Wanted::default() };
        scenes::load_as(path, wanted, detail, sources)
    }
}

/// Keeps the measures that both scenarios report, in the order of the first.
pub fn in_common(scenarios: &mut [Scenario; 2]) {
    scenarios.iter_mut().for_each(|scenario| scenario.plan.measure_once());
    let [a, b] = scenarios;
    a.plan.report.retain(|figure| b.plan.report.iter().any(|other| figure.measures_as(other)));
    let place = |figure: &Figure| a.plan.report.iter().position(|other| figure.measures_as(other));
    b.plan.report.retain(|figure| place(figure).is_some());
    order::sort_by_key(&mut b.plan.report, place);
}
