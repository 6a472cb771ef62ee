//! A ruleset that is loaded again is what it is when it is loaded alone.

use grognard_base::Sources;
use grognard_kit::{Shelf, Shipped, root};
use grognard_rules::{Library, Loaded, Memo, load};

/// The shipped rulesets, in which some texts are replaced, with a cache or without.
struct Books {
    files: Shipped,
    memo: Option<Memo>,
}

impl Library for Books {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        self.files.read(path)
    }
    fn list(&self) -> Vec<String> {
        self.files.list()
    }
    fn memo(&self) -> Option<&Memo> {
        self.memo.as_ref()
    }
}

fn names() -> Vec<String> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root().join("rulesets")).unwrap().flatten() {
        let book = folder.file_name().into_string().unwrap();
        for file in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let name = file.file_name().into_string().unwrap();
            let own = name.strip_suffix(".rules").filter(|name| !name.ends_with(".examples"));
            found.extend(own.map(|name| format!("{book}/{name}")));
        }
    }
    found.sort();
    found
}

fn told(loaded: &Loaded, sources: &Sources) -> String {
    let texts: Vec<_> = sources.iter().map(|(id, source)| (id, &source.name, &source.text)).collect();
    format!("{:?} {:?} {texts:?}", loaded.ruleset, loaded.problems)
}

#[test]
fn rules_loaded_again_are_what_they_are_alone() {
    let books = |own: &[(&str, &str)], memo| Books { files: Shipped(Shelf::of(own)), memo };
    let mut kept = books(&[], Some(Memo::default()));
    let plain = books(&[], None);
    let names = names();
    assert!(names.len() > 8, "{names:?}");
    // each with texts of its own
    for name in names.iter().chain(&names) {
        let [mut ours, mut theirs] = [Sources::default(), Sources::default()];
        let [again, alone] = [load(name, &kept, &mut ours), load(name, &plain, &mut theirs)];
        assert_eq!(told(&again, &ours), told(&alone, &theirs), "{name}");
    }
    // all with the same texts, in another order
    let [mut ours, mut theirs] = [Sources::default(), Sources::default()];
    for name in names.iter().rev().chain(&names) {
        let [again, alone] = [load(name, &kept, &mut ours), load(name, &plain, &mut theirs)];
        assert_eq!(told(&again, &ours), told(&alone, &theirs), "{name}");
    }
    // a text that has changed
    let [edited, other] = ["ruleset recoil/core version \"7\"\n", "ruleset recoil/core version \"8\"\n"];
    for text in [edited, other, edited] {
        let own = [("recoil/core.rules", text)];
        kept.files = Shipped(Shelf::of(&own));
        for name in &names {
            let [mut ours, mut theirs] = [Sources::default(), Sources::default()];
            let [again, alone] = [load(name, &kept, &mut ours), load(name, &books(&own, None), &mut theirs)];
            assert_eq!(told(&again, &ours), told(&alone, &theirs), "{name}");
        }
    }
}
