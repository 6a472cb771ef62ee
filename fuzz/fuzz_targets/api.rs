//! Calls of the library in any order and with any arguments.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/suite/common/calls.rs"]
mod calls;

fuzz_target!(|bytes: &[u8]| calls::call(bytes));
