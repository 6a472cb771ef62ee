//! Inside `report/explain`.

use grognard_base::Code;
use grognard_report::explain::*;

#[test]
fn every_page_is_that_of_its_code() {
    for code in Code::ALL {
        let page = explain(*code);
        let head = format!("# {}: {}", code.id(), code.title());
        assert_eq!(page.lines().next(), Some(head.as_str()));
        assert!((8..=60).contains(&page.lines().count()), "{code} is {} lines", page.lines().count());
        let fences = page.lines().filter(|line| line.starts_with("```")).count();
        assert!(fences >= 2 && fences % 2 == 0, "{code} has {fences} fences");
        let has = |tag: &str| page.lines().any(|line| line.starts_with(&format!("```{tag}")));
        let both = |tag: &str| has(&format!("{tag} bad")) && has(&format!("{tag} good"));
        let shown = ["rules", "toml", "console"].into_iter().any(both) || has("text");
        assert!(shown, "{code} shows nothing");
    }
}

#[test]
fn there_is_no_page_without_a_code() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diagnostics");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let id = name.strip_suffix(".md").unwrap();
        assert!(Code::of(id).is_some(), "{name}");
    }
}
