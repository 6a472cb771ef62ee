//! The TextMate grammar of the editors against the pest grammar, on every shipped file: what each word, number and quoted
//! text is. The tokeniser here follows TextMate for grammars of single lines: the leftmost match, the first rule of those
//! that begin there.

use super::shipped;
use crate::common::{root, text_of};
use fancy_regex::Regex;
use grognard_syntax::{Class, Lexeme, Trees, classes_known, scan};
use serde_json::Value;
use std::process::Command;

struct Rule {
    pattern: Regex,
    /// The scope of all of it.
    name: Option<String>,
    /// Scopes of its groups.
    groups: Vec<(usize, String)>,
}

fn grammar() -> Vec<Rule> {
    let file: Value = serde_json::from_str(&text_of("editors/vscode/syntaxes/grognard.tmLanguage.json")).unwrap();
    let rule = |include: &Value| {
        let name = include["include"].as_str().unwrap().strip_prefix('#').unwrap();
        let rule = &file["repository"][name];
        let groups = rule["captures"].as_object().into_iter().flatten();
        Rule {
            pattern: Regex::new(rule["match"].as_str().unwrap_or_else(|| panic!("{name}"))).unwrap(),
            name: rule["name"].as_str().map(str::to_string),
            groups: groups.map(|(n, g)| (n.parse().unwrap(), g["name"].as_str().unwrap().to_string())).collect(),
        }
    };
    file["patterns"].as_array().unwrap().iter().map(rule).collect()
}

/// The scope of each byte of a text; empty where there is none.
fn scopes(rules: &[Rule], text: &str) -> Vec<String> {
    let mut found = vec![String::new(); text.len()];
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let plain = line.trim_end_matches('\n');
        let mut at = 0;
        // where each rule matches next: it is looked for again only behind what was taken
        let mut next: Vec<_> = rules.iter().map(|rule| rule.pattern.captures_from_pos(plain, 0).unwrap()).collect();
        while at <= plain.len() {
            for (rule, next) in rules.iter().zip(&mut next) {
                if next.as_ref().is_some_and(|hit| hit.get(0).unwrap().start() < at) {
                    *next = rule.pattern.captures_from_pos(plain, at).unwrap();
                }
            }
            let starts =
                next.iter().enumerate().filter_map(|(n, hit)| Some((hit.as_ref()?.get(0).unwrap().start(), n)));
            let Some((_, n)) = starts.min() else { break };
            let hit = next[n].as_ref().unwrap();
            let whole = hit.get(0).unwrap();
            if let Some(name) = &rules[n].name {
                found[start + whole.start()..start + whole.end()].fill(name.clone());
            }
            for (group, name) in &rules[n].groups {
                if let Some(part) = hit.get(*group) {
                    found[start + part.start()..start + part.end()].fill(name.clone());
                }
            }
            at = whole.end() + usize::from(whole.start() == whole.end());
        }
        start += line.len();
    }
    found
}

/// How the scope of something of a class begins.
fn wanted(class: Class) -> &'static [&'static str] {
    match class {
        Class::Keyword => &["keyword", "storage"],
        Class::Constant => &["constant.language", "keyword"],
        Class::Name | Class::Path => &["variable", "entity.name.function", ""],
        Class::Capital => &["entity.name.type"],
        Class::Clause => &["constant.other.clause"],
        Class::Number | Class::Die => &["constant.numeric"],
        Class::Text => &["string"],
    }
}

#[test]
fn both_grammars_agree_on_every_shipped_file() {
    let rules = grammar();
    let (mut agreed, mut wrong) = (0, Vec::new());
    for path in shipped() {
        let text = text_of(&format!("rulesets/{path}"));
        let scopes = scopes(&rules, &text);
        let comments = scan(&text).filter(|t| t.kind == Lexeme::Comment).map(|t| (t.start, t.end, None));
        let words =
            classes_known(&text, &Trees::default()).into_iter().map(|(start, end, class)| (start, end, Some(class)));
        for (start, end, class) in words.chain(comments) {
            let fits = |scope: &String| match class {
                None => scope.starts_with("comment"),
                Some(class) => {
                    wanted(class).iter().any(|w| if w.is_empty() { scope.is_empty() } else { scope.starts_with(w) })
                }
            };
            if scopes[start..end].iter().all(fits) {
                agreed += 1;
            } else {
                let line = text[..start].matches('\n').count() + 1;
                wrong.push(format!("{path}:{line} `{}` is {class:?}, and {:?}", &text[start..end], scopes[start]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} agree, {} do not:\n{}", agreed, wrong.len(), wrong.join("\n"));
    assert!(agreed > 30_000, "{agreed}");
}

/// The files that the manifest names are there, and what the script packs is what the manifest needs.
#[test]
fn the_extension_is_whole() {
    let folder = root().join("editors/vscode");
    let manifest: Value = serde_json::from_str(&text_of("editors/vscode/package.json")).unwrap();
    let script = text_of("editors/vscode/package.py");
    let contributes = &manifest["contributes"];
    let named = [&manifest["main"], &contributes["languages"][0]["configuration"], &contributes["grammars"][0]["path"]];
    for file in named {
        let file = file.as_str().unwrap().trim_start_matches("./");
        assert!(folder.join(file).is_file(), "{file}");
        assert!(script.contains(&format!("\"{file}\"")), "{file} is not packed");
    }
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    // what the program of the extension fetches by name is beside it
    for line in text_of("editors/vscode/extension.js").lines().filter(|l| l.contains("require(\"./")) {
        let file = line.split("require(\"./").nth(1).unwrap().split('"').next().unwrap();
        assert!(script.contains(&format!("\"{file}.js\"")), "{file}");
    }
    let to = crate::common::folder("vsix", &[]);
    let Ok(packed) = Command::new("python3").arg(folder.join("package.py")).arg(&to).output() else { return };
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let package = std::fs::read(to.join(format!("grognard-{}.vsix", env!("CARGO_PKG_VERSION")))).unwrap();
    assert!(package.starts_with(b"PK"));
}
