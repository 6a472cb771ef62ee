//! Pictures of a run, as `run --map` and `run --map-steps` write them.

use super::out::Stop;
use super::outputs::{put, ready};
use grognard_play::map::Map;
use grognard_play::record::Event;
use grognard_report as report;
use grognard_scenario::{Mode, Scenario};
use std::path::{Path, PathBuf};

/// Which pictures are wanted.
#[derive(clap::Args)]
pub struct Pictures {
    /// Draws the table before and after, with all moves, as an SVG file.
    #[arg(long, value_name = "FILE.svg")]
    map: Option<PathBuf>,
    /// Draws each move as an SVG file of its own in this folder, numbered.
    #[arg(long, value_name = "DIR")]
    map_steps: Option<PathBuf>,
}

impl Pictures {
    /// True if there is anything to draw.
    pub fn wanted(&self) -> bool {
        self.map.is_some() || self.map_steps.is_some()
    }

    /// Says before the run that its map could not be written after it.
    pub fn ready(&self) -> Result<(), Stop> {
        self.map.as_deref().map_or(Ok(()), ready)
    }

    /// The start of the map, before anything is played; says why there can be none.
    pub fn start(&self, path: &Path, scenario: &Scenario) -> Result<Option<Map>, Stop> {
        if !self.wanted() {
            return Ok(None);
        }
        let shown = path.display();
        if scenario.plan.mode != Mode::Scripted {
            return Err(Stop::failed(format!(
                "{shown} is not one run, so there is no map of it; `mode` is \"scripted\" then"
            )));
        }
        let name = path.file_stem().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        let none = || {
            Stop::failed(format!(
                "nothing in {shown} stands on the table, so there is no map of it; a place is written `at = [12, 20]`"
            ))
        };
        Map::of(scenario, &name).map(Some).ok_or_else(none)
    }

    /// Draws what the events tell.
    pub fn draw(&self, mut map: Map, events: &[Event]) -> Result<(), Stop> {
        map.follow(events);
        if let Some(file) = &self.map {
            put(file, report::map(&map))?;
        }
        if let Some(folder) = &self.map_steps {
            let failed = |why: std::io::Error| Stop::failed(format!("{} cannot be made: {why}", folder.display()));
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
