//! The drawings of a run that `run --map` and `run --map-steps` write.

use super::out::Stop;
use super::outputs::{put, ready};
use grognard_play::map::Map;
use grognard_play::record::Event;
use grognard_report as report;
use grognard_scenario::{Mode, Scenario};
use std::path::{Path, PathBuf};

/// The options for drawings.
#[derive(clap::Args)]
pub struct Pictures {
    /// Draw the table before and after the run
    ///
    /// The drawing is an SVG file with all moves.
    #[arg(long, value_name = "FILE.svg")]
    map: Option<PathBuf>,
    /// Draw one numbered map for each move
    ///
    /// Each drawing is an SVG file in this folder.
    #[arg(long, value_name = "DIR")]
    map_steps: Option<PathBuf>,
}

impl Pictures {
    /// Returns whether a drawing was requested.
    pub fn wanted(&self) -> bool {
        self.map.is_some() || self.map_steps.is_some()
    }

    /// Fails before the run if its map could not be written after it.
    pub fn ready(&self) -> Result<(), Stop> {
        self.map.as_deref().map_or(Ok(()), ready)
    }

    /// Creates the map of the table before the run, if one was requested.
    ///
    /// # Errors
    ///
    /// Fails if the scenario is not a single run, or if nothing has a position on the table.
    pub fn start(&self, path: &Path, scenario: &Scenario) -> Result<Option<Map>, Stop> {
        if !self.wanted() {
            return Ok(None);
        }
        let shown = path.display();
        if scenario.plan.mode != Mode::Scripted {
            return Err(Stop::failed(format!(
                "{shown} is not a single run, so there is no map of it; set `mode = \"scripted\"`"
            )));
        }
        let name = path.file_stem().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        let none = || {
            Stop::failed(format!(
                "nothing in {shown} has a position on the table, so there is no map of it; write a position as `at = [12, 20]`"
            ))
        };
        Map::of(scenario, &name).map(Some).ok_or_else(none)
    }

    /// Draws the map of the events.
    pub fn draw(&self, mut map: Map, events: &[Event]) -> Result<(), Stop> {
        map.follow(events);
        if let Some(file) = &self.map {
            put(file, report::map(&map))?;
        }
        if let Some(folder) = &self.map_steps {
            let failed = |why: std::io::Error| Stop::failed(format!("{} cannot be created: {why}", folder.display()));
            std::fs::create_dir_all(folder).map_err(failed)?;
            let pictures = report::map_steps(&map);
            let digits = pictures.len().to_string().len().max(2);
            for (n, picture) in pictures.iter().enumerate() {
                put(&folder.join(format!("move-{:0digits$}.svg", n + 1)), picture)?;
            }
        }
        Ok(())
    }
}
