//! Reports to look at: what they show, pinned; that they need nothing but themselves; that no text breaks out of its place.

mod common;
#[path = "page/samples.rs"]
mod samples;
#[path = "page/strict.rs"]
mod strict;

use common::{err, folder, out, output};
use grognard::report::{clean, page};
use std::path::{Path, PathBuf};
use strict::Part;

/// Elements a page may have.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "main",
    "h1",
    "h2",
    "p",
    "b",
    "i",
    "em",
    "span",
    "bdi",
    "div",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "pre",
    "section",
    "figure",
    "figcaption",
    "details",
    "summary",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "svg",
    "defs",
    "pattern",
    "path",
    "rect",
    "line",
    "polyline",
    "polygon",
    "text",
    "use",
];
/// Attributes they may have. None of them is followed by a browser but `href`, which stays on the page.
const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "title",
    "role",
    "tabindex",
    "scope",
    "rowspan",
    "colspan",
    "aria-hidden",
    "aria-label",
    "width",
    "height",
    "viewBox",
    "preserveAspectRatio",
    "patternUnits",
    "d",
    "points",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "dx",
    "fill",
    "stroke-dasharray",
    "text-anchor",
    "href",
];

fn parts(page: &str) -> Vec<Part> {
    strict::read(page).unwrap_or_else(|fault| panic!("{fault}"))
}

/// A page without its style sheet, which is pinned by being a file.
fn without_style(page: &str) -> String {
    assert_eq!(page.matches(page::STYLE).count(), 1);
    page.replace(page::STYLE, "")
}

/// Elements and attributes are those a page may have, nothing is fetched, followed or run.
fn stays_at_home(name: &str, page: &str) {
    let mut ids = std::collections::BTreeSet::new();
    for part in parts(page) {
        let Part::Begin(tag, attributes, _) = part else { continue };
        assert!(ELEMENTS.contains(&tag.as_str()), "{name}: <{tag}>");
        for (key, value) in attributes {
            assert!(ATTRIBUTES.contains(&key.as_str()), "{name}: {tag} {key}");
            assert!(key != "href" || value.strip_prefix("#mark").is_some_and(|n| n.len() == 1), "{name}: {value}");
            assert!(key != "fill" || value.strip_prefix("url(#hatch").is_some_and(|n| n.len() == 2), "{name}: {value}");
            assert!(key != "id" || ids.insert(value.clone()), "{name}: twice {value}");
        }
    }
    assert!(!page::STYLE.contains("url(") && !page::STYLE.contains("@import") && !page::STYLE.contains('<'));
}

#[test]
fn pages_need_nothing_but_themselves() {
    for (name, page) in samples::all() {
        stays_at_home(name, &page.html());
        assert_eq!(page.html(), page.html());
    }
}

#[test]
fn every_kind_of_block() {
    insta::assert_snapshot!(without_style(&samples::all()[0].1.html()));
}

/// The hostile page has the elements of the plain one, in the same order, with the same attributes: what is in its texts
/// stays text, and all of it is there.
#[test]
fn no_text_breaks_out() {
    let all = samples::all();
    let [plain, hostile] = [all[0].1.html(), all[1].1.html()];
    let shape = |page: &str| -> Vec<String> {
        let keys =
            |attributes: &[(String, String)]| attributes.iter().map(|(key, _)| format!(" {key}")).collect::<String>();
        let shape = |part| match part {
            Part::Begin(tag, attributes, holds) => Some(format!("<{tag}{} {holds}", keys(&attributes))),
            Part::End(tag) => Some(format!("</{tag}")),
            Part::Text(_) => None,
        };
        parts(page).into_iter().filter_map(shape).collect()
    };
    assert_eq!(shape(&plain), shape(&hostile));
    let texts: Vec<String> = parts(&hostile)
        .into_iter()
        .flat_map(|part| match part {
            Part::Text(text) => vec![text],
            Part::Begin(_, attributes, _) => attributes.into_iter().map(|(_, value)| value).collect(),
            Part::End(_) => vec![],
        })
        .collect();
    for text in samples::HOSTILE {
        let seen = clean(text);
        assert!(texts.iter().any(|t| t.contains(&seen)), "{seen} is not there");
    }
    let unsafe_signs = ['\u{202e}', '\u{2066}', '\u{200f}', '\u{0}', '\u{1b}', '\u{feff}', '\t', '\r'];
    assert!(!hostile.contains(unsafe_signs));
}

/// Wherever a number stands, it says how it was found.
#[test]
fn every_number_says_how_it_was_found() {
    for (name, page) in samples::all() {
        let parts = parts(&page.html());
        let class = |part: &Part, wanted: &str| match part {
            Part::Begin(_, attributes, _) => {
                attributes.iter().any(|(key, value)| key == "class" && value.split(' ').any(|word| word == wanted))
            }
            _ => false,
        };
        let values = parts.iter().enumerate().filter(|(_, part)| class(part, "value"));
        let mut seen = 0;
        for (n, _) in values {
            // the tag is the next element but for the interval
            let next = parts[n + 1..].iter().filter(|p| matches!(p, Part::Begin(..))).find(|p| !class(p, "ends"));
            assert!(next.is_some_and(|p| class(p, "how")), "{name}: {:?}", &parts[n..n + 4]);
            seen += 1;
        }
        assert!(seen > 20, "{name}: {seen}");
    }
}

const RULES: &str = "ruleset g/x version \"1\"\n\nparam most \"Most\" = 3  sweep 1 .. 5\nreading side = Left or Right because \"not said\"\nreading twice : Flag = no or yes because \"not said\"\n\nkind Side \"A side\" {\n  state pips : 0..9 = 0\n}\n\nproc gain(s: Side) {\n  roll dice = d6\n  set s.pips += min(dice, most)\n  if twice and side == Left { set s.pips += 1 }\n}\n";
const SCENE: &str = "rules = \"g/x\"\nmode = \"sampled\"\nseed = 7\n[Side.red]\n[[step]]\ndo = \"do gain(red)\"\n[report]\nmean = [\"red.pips\"]\nchance = [\"red.pips < 3\"]\nhist = [\"red.pips\"]\n";

/// A folder with a small game in it.
fn game(name: &str, scene: &str) -> PathBuf {
    folder(name, &[("g/x.rules", RULES), (scene, SCENE)])
}

/// The page a command writes, the same on one thread and on three.
fn written(folder: &Path, args: &[&str]) -> String {
    let pages = ["1", "3"].map(|threads| {
        let output = output(folder, &[args, &["--threads", threads, "--report", "page.html"]].concat());
        // 3: all runs were used up
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", out(&output));
        std::fs::read_to_string(folder.join("page.html")).unwrap()
    });
    assert_eq!(pages[0], pages[1]);
    stays_at_home(args[0], &pages[0]);
    pages[0].clone()
}

#[test]
fn a_sample_to_look_at() {
    let folder = game("simulate", "scene.toml");
    insta::assert_snapshot!(without_style(&written(&folder, &["simulate", "scene.toml", "--runs", "600"])));
}

#[test]
fn a_comparison_to_look_at() {
    let folder = game("compare", "scene.toml");
    let asked = ["compare", ":most=4", "scene.toml", "--of", "red.pips", "--of", "red.pips < 3"];
    insta::assert_snapshot!(without_style(&written(&folder, &[&asked[..], &["--mode", "sampled"]].concat())));
    insta::assert_snapshot!("a_comparison_without_runs", without_style(&written(&folder, &asked)));
}

#[test]
fn a_sweep_to_look_at() {
    let folder = game("sweep", "scene.toml");
    let sweep = ["sweep", "scene.toml", "--runs", "200", "--of", "red.pips", "--of", "red.pips < 3", "--over"];
    let one = written(&folder, &[&sweep[..], &["most=1,2,5"]].concat());
    insta::assert_snapshot!(without_style(&one));
    // two that are turned: lines and a heat map of each measure; of three the third has plots of its own
    let count = |page: &str, what: &str| page.matches(&format!("<figure class=\"{what}\"")).count();
    let two = written(&folder, &[&sweep[..], &["most=1,2,5", "--over", "side"]].concat());
    assert_eq!((count(&two, "curve"), count(&two, "heat")), (2, 2));
    let three = written(&folder, &[&sweep[..], &["most=1,2,5", "--over", "side", "--over", "twice"]].concat());
    assert_eq!((count(&three, "curve"), count(&three, "heat")), (4, 4));
    let word = written(&folder, &[&sweep[..], &["side"]].concat());
    assert_eq!((count(&word, "curve"), count(&word, "intervals")), (0, 2));
}

#[test]
fn readings_to_look_at() {
    let folder = game("readings", "scene.toml");
    let exact = written(&folder, &["readings", "scene.toml"]);
    assert!(exact.contains("exact") && !exact.contains("sampled</span>"));
    let sampled = ["readings", "scene.toml", "--mode", "sampled", "--runs", "900", "--set", "twice=yes"];
    insta::assert_snapshot!(without_style(&written(&folder, &sampled)));
}

#[test]
fn odds_to_look_at() {
    let folder = game("odds", "scene.toml");
    let page = |args: &[&str], code: i32| {
        let output = output(&folder, &[&["odds"], args, &["--report", "page.html"]].concat());
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
        stays_at_home("odds", &page);
        page
    };
    insta::assert_snapshot!(without_style(&page(&["scene.toml"], 0)));
    let dice = without_style(&page(&["total(highest(3, 10 of d6))"], 0));
    assert!(dice.contains("<figure class=\"distribution\"") && !dice.contains("sampled"));
    let part = page(&["scene.toml", "--budget", "2"], 3);
    assert!(part.contains("was not explored") && part.contains("≤ bounded"), "{part}");
}

#[test]
fn the_line_of_play_to_look_at() {
    let scene = "<b>&\"'.toml";
    let folder = game("policy", scene);
    let rules = RULES.to_string()
        + "\nphase Dare(s: Side) {\n  choose heart {\n    bold => do gain(s)\n    meek => set s.pips += 3\n  }\n}\n";
    std::fs::write(folder.join("g/x.rules"), rules).unwrap();
    let scenario =
        SCENE.replace("do gain(red)", "run Dare(red)").replace("[Side.red]", "[players]\nred = \"best\"\n[Side.red]");
    std::fs::write(folder.join(scene), scenario.replace("sampled", "exact")).unwrap();
    let args = ["odds", scene, "--of", "red.pips", "--table", "--report", "page.html"];
    let output = output(&folder, &args);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    stays_at_home("odds", &page);
    assert!(page.contains("odds of &lt;b&gt;&amp;"), "{page}");
    assert!(page.contains("heart of red (best)") && page.contains("meek"), "{page}");
}

#[test]
fn where_nothing_was_compared_there_is_no_page() {
    let folder = game("none", "scene.toml");
    std::fs::write(folder.join("scene.toml"), SCENE.replace("red.pips < 3", "red.pips <")).unwrap();
    let output = output(&folder, &["compare", ":most=4", "scene.toml", "--report", "page.html"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.join("page.html").exists());
}

#[test]
fn names_of_files_stay_names() {
    let scene = "<img src=x onerror=alert(1)>&amp;.toml";
    let folder = game("names", scene);
    let page = written(&folder, &["simulate", scene, "--runs", "10"]);
    assert!(page.contains("simulate &lt;img src=x onerror=alert(1)&gt;&amp;amp;.toml"));
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_the_work() {
    let folder = game("nowhere", "scene.toml");
    for (place, why) in [("none/page.html", "there is no folder none"), ("g", "is a folder")] {
        let output = output(&folder, &["simulate", "scene.toml", "--runs", "100000000", "--report", place]);
        assert_eq!(output.status.code(), Some(2));
        assert!(err(&output).contains(why));
    }
}
