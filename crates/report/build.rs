//! Finds the pages of the diagnostic codes: next to this crate in a package, or in the documentation of the repository.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let here = std::env::var("CARGO_MANIFEST_DIR")?;
    // a checkout without symbolic links has a file in place of the folder
    let own = Path::new(&here).join("diagnostics");
    let pages = if own.is_dir() { own } else { Path::new(&here).join("../../docs/diagnostics") };
    println!("cargo:rustc-env=GROGNARD_DIAGNOSTICS={}", pages.display());
    Ok(())
}
