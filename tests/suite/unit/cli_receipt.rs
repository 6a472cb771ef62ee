//! Inside `cli/receipt`.

use grognard_cli::receipt::*;
use std::ffi::OsString;
use std::path::Path;

#[test]
fn paths_lead_from_folder_to_file() {
    let way = |path: &str, folder: &str| from(Path::new(path), Path::new(folder));
    assert_eq!(way("/a/b/c.toml", "/a"), "b/c.toml");
    assert_eq!(way("/a/b/c.toml", "/a/d/e"), "../../b/c.toml");
    assert_eq!(way("/a", "/a"), ".");
}

#[test]
fn absolute_paths_in_a_command_are_made_relative() {
    let here = std::fs::canonicalize(env!("CARGO_MANIFEST_DIR")).expect("the crate is there");
    let full = here.join("src/lib.rs").display().to_string();
    for (word, wanted) in [
        (full.clone(), "src/lib.rs"),
        (format!("--plan={full}"), "--plan=src/lib.rs"),
        (format!("{full}:a=1"), "src/lib.rs:a=1"),
        ("/no/such/file".to_string(), "/no/such/file"),
        ("simulate".to_string(), "simulate"),
    ] {
        assert_eq!(relative(&word, &here), wanted);
    }
    let words = ["grognard", "--receipt", "x", "run", "--receipt=y", "s.toml"].map(OsString::from);
    assert!(portable(&words).is_ok_and(|left| alone(&left) == ["run", "s.toml"]));
}
