//! Results as text, JSON, CSV and HTML, as the command line prints them.

use crate::{Played, Scenario};
use grognard_base::safe;
use grognard_play::map::Map;
use grognard_report::finding::Finding;
use std::fmt;

/// A result as the command line reports it: the same JSON, the same table, the same page.
///
/// [`Display`](fmt::Display) prints the human-readable text.
///
/// ```
/// use grognard::{Folder, Scenario};
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// let report = scenario.odds().of("raiders.men == 0").compute()?.report();
/// assert!(report.to_json().contains("1507/19683"));
/// assert!(report.to_csv().starts_with("scenario,rules,measure"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report(pub(crate) Finding);

impl Report {
    /// Returns the result as one JSON object, as `--format json` prints it.
    pub fn to_json(&self) -> String {
        safe::json(&self.0.json().to_string()).into_owned()
    }

    /// Returns the numbers as a table, as `--format csv` prints it. `docs/tables.md` describes the columns.
    pub fn to_csv(&self) -> String {
        self.0.csv()
    }

    /// Returns the result as a page of HTML that needs no other file, as `--report` writes it.
    pub fn to_html(&self) -> String {
        self.0.html()
    }

    #[doc(hidden)]
    pub fn finding(&self) -> &Finding {
        &self.0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text())
    }
}

impl Scenario {
    /// Returns a drawing of the table as SVG, or `None` if nothing has a position.
    pub fn map(&self) -> Option<String> {
        let map = Map::of(&self.plain().scenario, self.name())?;
        Some(grognard_report::map(&map))
    }
}

impl Played {
    /// Returns a drawing of the table before and after the run as SVG, as `run --map` writes it, or `None` if nothing has
    /// a position. A run without a trace has no moves.
    pub fn map(&self) -> Option<String> {
        let scenario = self.scenario();
        let mut map = Map::of(&scenario.plain().scenario, scenario.name())?;
        map.follow(self.trace().events());
        Some(grognard_report::map(&map))
    }
}
