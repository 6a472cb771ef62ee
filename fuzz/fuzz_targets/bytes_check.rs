//! Any bytes as a rules file: read, check, show what was found.
#![no_main]

use grognard_base::{OrdMap, Sources};
use grognard_report::{Format, render};
use grognard_rules::load;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut sources = Sources::default();
    let loaded = load("fuzz/fuzz", &OrdMap::from([("fuzz/fuzz.rules".to_string(), text)]), &mut sources);
    let _ = render(&loaded.problems, &sources, Format::Short);
});
