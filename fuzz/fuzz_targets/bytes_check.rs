//! Any bytes as a rules file: read, check, show what was found.
#![no_main]

use grognard::base::Sources;
use grognard::report::{Format, render};
use grognard::rules::{Library, load};
use libfuzzer_sys::fuzz_target;

struct One(String);

impl Library for One {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok((path == "fuzz/fuzz.rules").then(|| self.0.clone()))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut sources = Sources::default();
    let loaded = load("fuzz/fuzz", &One(text), &mut sources);
    let _ = render(&loaded.problems, &sources, Format::Short);
});
