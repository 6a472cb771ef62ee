//! Lists the files of the studio's page, which `grognard studio` serves: those in `studio/dist`, and the page's own engine if
//! `GROGNARD_ENGINE` names a folder that has it (`target/studio/site` after `studio/build site`).

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=studio/dist");
    println!("cargo:rerun-if-env-changed=GROGNARD_ENGINE");
    let home = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let page = std::fs::read_dir(home.join("studio/dist"));
    let mut files: Vec<PathBuf> = page.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    if let Some(engine) = std::env::var_os("GROGNARD_ENGINE") {
        for name in ["engine.wasm", "worker.js"] {
            let file = std::path::absolute(&engine)?.join(name);
            println!("cargo:rerun-if-changed={}", file.display());
            files.push(file);
        }
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in files.iter().filter(|file| file.is_file()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        // the compiler finds the folder, which can be renamed after this list was written
        let place = match file.strip_prefix(&home) {
            Ok(_) => format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/studio/dist/{name}\")"),
            Err(_) => format!("{file:?}"),
        };
        writeln!(list, "    ({name:?}, include_bytes!({place}) as &[u8]),")?;
    }
    list += "]\n";
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("page.rs"), list)?;
    Ok(())
}
