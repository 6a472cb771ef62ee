//! Compares two programs without their source spans.

use grognard_program::Program;
use std::fmt::{self, Write};
use std::hash::Hasher;

/// Returns a fingerprint of a program that ignores spans.
pub fn print_of(program: &Program) -> u64 {
    let mut print = Print { hash: std::hash::DefaultHasher::new(), run: String::new() };
    // writing to a hasher never fails
    let _ = write!(print, "{program:?}");
    print.end_of_run();
    print.hash.finish()
}

/// A writer that hashes the text of a value, except text in the form of a span: `3:10..42`.
struct Print {
    hash: std::hash::DefaultHasher,
    run: String,
}

impl Print {
    fn end_of_run(&mut self) {
        if !(self.run.contains(':') && self.run.contains("..")) {
            self.hash.write(self.run.as_bytes());
        }
        self.run.clear();
    }
}

impl Write for Print {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if c.is_ascii_digit() || c == ':' || c == '.' {
                self.run.push(c);
            } else {
                self.end_of_run();
                self.hash.write_u32(c as u32);
            }
        }
        Ok(())
    }
}
