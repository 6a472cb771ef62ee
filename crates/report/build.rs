//! Finds the pages of the diagnostic codes: next to this crate in a package, or in the documentation of the repository.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    // a checkout without symbolic links has a file in place of the folder; the path is relative to `src`
    let pages = if Path::new("diagnostics").is_dir() { "../diagnostics" } else { "../../../docs/diagnostics" };
    println!("cargo:rustc-env=GROGNARD_DIAGNOSTICS={pages}");
    Ok(())
}
