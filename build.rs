//! Writes a list of the files of the page of the studio, as far as it was built: `grognard studio` serves them.

use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out).join("page.rs"), page()?)?;
    Ok(())
}

fn page() -> Result<String, Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=studio/dist");
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("studio/dist");
    let mut names: Vec<String> = Vec::new();
    if let Ok(entries) = std::fs::read_dir(&folder) {
        let files = entries.flatten().filter(|entry| entry.path().is_file());
        names.extend(files.filter_map(|entry| entry.file_name().into_string().ok()));
    }
    names.sort();
    let mut list = String::from("&[\n");
    for name in names.iter().filter(|name| !name.starts_with('.')) {
        writeln!(list, "    ({name:?}, include_bytes!({:?}) as &[u8]),", folder.join(name))?;
    }
    list += "]\n";
    Ok(list)
}
