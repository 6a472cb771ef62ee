//! Reports to look at: what they show, pinned; that they need nothing but themselves; that no text breaks out of its place.

pub(crate) mod samples;
pub(crate) mod strict;

use crate::common::{err, folder, out, output};
use grognard_report::{clean, page};
use std::path::{Path, PathBuf};
use strict::Part;

/// Elements a page may have.
const ELEMENTS: &[&str] = &[
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "b", "i", "em", "span", "bdi", "div",
    "ul", "ol", "li", "dl", "dt", "dd", "pre", "section", "figure", "figcaption", "details", "summary", "table",
    "caption", "thead", "tbody", "tr", "th", "td", "svg", "defs", "pattern", "path", "rect", "line", "polyline",
    "polygon", "text", "use",
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
    "open",
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

/// What a reader sees of a page, in one line.
fn words(page: &str) -> String {
    assert_eq!(page.matches(page::STYLE).count(), 1);
    let texts = parts(&page.replace(page::STYLE, "")).into_iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.trim().to_string()).filter(|text| !text.is_empty()),
        _ => None,
    });
    texts.collect::<Vec<String>>().join(" ")
}

/// The page shows each of these.
fn shows(page: &str, wanted: &[&str]) {
    let words = words(page);
    wanted.iter().for_each(|text| assert!(words.contains(text), "{text} is not there: {words}"));
}

/// The plots of a page, in their order.
fn plots(page: &str) -> Vec<String> {
    let class = |part: Part| match part {
        Part::Begin(tag, attributes, _) if tag == "figure" => attributes.into_iter().next().map(|(_, value)| value),
        _ => None,
    };
    parts(page).into_iter().filter_map(class).collect()
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
    let page = samples::all()[0].1.html();
    let (scales, shares) = (["intervals"; 2], ["distribution"; 3]);
    assert_eq!(plots(&page), [&scales[..], &shares, &["curve", "heat", "heat"]].concat());
    // lines with marks and bands, bars with whiskers, outlines over bars, shades one way and both ways
    for drawn in
        ["<polyline class=\"line s2\"", "<polygon class=\"band s0\"", "class=\"whisker\"", "class=\"outline s1\""]
    {
        assert!(page.contains(drawn), "{drawn}");
    }
    for shade in ["shade0", "shade7", "both0", "both8"] {
        assert!(page.contains(&format!("<td class=\"{shade}\"")), "{shade}");
    }
    shows(
        &page,
        &[
            "← fewer in B more in B →",
            // a grey band has its key, below its axis
            "a difference that is too small to matter: the same",
            "break_at 3 4 5 6 7 8",
            "= exact, ≈ sampled",
            "seed 7",
        ],
    );
    assert_eq!(page.matches("too small to matter").count(), 1);
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
    let page = written(&folder, &["simulate", "scene.toml", "--runs", "600"]);
    assert_eq!(plots(&page), ["distribution", "intervals"]);
    let rendered = ["600 runs, seed 7, 0 ended in an error", "value exactly at most at least", "from 600 runs", "95%"];
    shows(&page, &rendered);
    // all runs come to 1 at least
    shows(&page, &["100.00% 95% 99.36% to 100.00% ≈ sampled 2", "command grognard simulate scene.toml --runs 600"]);
}

#[test]
fn a_comparison_to_look_at() {
    let folder = game("compare", "scene.toml");
    let asked = ["compare", ":most=4", "scene.toml", "--of", "red.pips", "--of", "red.pips < 3"];
    for (mode, rendered) in [("sampled", "pairs of runs, seed 7, same dice"), ("exact", "states of A and")] {
        let page = written(&folder, &[&asked[..], &["--mode", mode]].concat());
        let other = if mode == "exact" { "sampled" } else { "exact" };
        assert_eq!(plots(&page), ["intervals", "intervals", "distribution", "distribution"], "{mode}");
        assert!(page.contains(&format!("{mode}</span>")) && !page.contains(&format!("{other}</span>")), "{mode}");
        shows(&page, &[rendered, "red.pips (primary)", "too small to matter", "A g/x", "B g/x:most=4"]);
    }
}

#[test]
fn a_sweep_to_look_at() {
    let folder = game("sweep", "scene.toml");
    let sweep = ["sweep", "scene.toml", "--runs", "200", "--of", "red.pips", "--of", "red.pips < 3", "--over"];
    let one = written(&folder, &[&sweep[..], &["most=1,2,5"]].concat());
    assert_eq!(plots(&one), ["curve", "curve"]);
    shows(
        &one,
        &[
            "sweep over most",
            "mean red.pips scene.toml with g/x over most",
            "chance red.pips &lt; 3".replace("&lt;", "<").as_str(),
        ],
    );
    // ticks stand at the points, and columns that say the same everywhere are left out
    shows(&one, &["1 2 5 most", "point most measure estimate method 0 1 red.pips"]);
    // two that are turned: lines and a heat map of each measure; of three the third has plots of its own
    let count = |page: &str, what: &str| page.matches(&format!("<figure class=\"{what}\"")).count();
    let two = written(&folder, &[&sweep[..], &["most=1,2,5", "--over", "side"]].concat());
    assert_eq!((count(&two, "curve"), count(&two, "heat")), (2, 2));
    let three = written(&folder, &[&sweep[..], &["most=1,2,5", "--over", "side", "--over", "twice"]].concat());
    assert_eq!((count(&three, "curve"), count(&three, "heat")), (4, 4));
    let word = written(&folder, &[&sweep[..], &["twice"]].concat());
    assert_eq!((count(&word, "curve"), count(&word, "intervals")), (0, 2));
    // what is the same at every point is no plot
    let same = written(&folder, &[&sweep[..], &["side"]].concat());
    assert_eq!(plots(&same).len(), 0);
    shows(&same, &["(sampled) at each of 2 points."]);
}

/// Plots of one measure have one scale, and exact numbers no more digits than a reader needs.
#[test]
fn facets_of_a_sweep_share_their_scales() {
    let folder = game("facets", "scene.toml");
    let over = ["--over", "most=1,2,5", "--over", "side", "--over", "twice", "--mode", "exact"];
    let page =
        written(&folder, &[&["sweep", "scene.toml", "--of", "red.pips", "--of", "red.pips < 3"], &over[..]].concat());
    let heads: Vec<&str> = page.split("<figure class=\"").skip(1).collect();
    let axis =
        |figure: &&str| figure.split("class=\"left\"").nth(1).map(|s| s.split("</svg>").next().unwrap().to_string());
    let axes: Vec<String> = heads.iter().filter_map(axis).collect();
    assert!(axes.len() == 4 && axes[0] == axes[1] && axes[2] == axes[3] && axes[0] != axes[2], "{axes:?}");
    let scale =
        |figure: &&str| figure.split("class=\"scale\"").nth(1).map(|s| s.split("</p>").next().unwrap().to_string());
    let scales: Vec<String> = heads.iter().filter_map(scale).collect();
    assert!(scales.len() == 4 && scales[0] == scales[1] && scales[2] == scales[3], "{scales:?}");
    shows(&page, &["33.33%", "3.33"]);
    assert!(!words(&page).contains("3.333"), "{page}");
}

#[test]
fn readings_to_look_at() {
    let folder = game("readings", "scene.toml");
    let exact = written(&folder, &["readings", "scene.toml"]);
    assert!(exact.contains("exact") && !exact.contains("sampled</span>"));
    let sampled = ["readings", "scene.toml", "--mode", "sampled", "--runs", "900", "--set", "twice=yes"];
    let page = written(&folder, &sampled);
    shows(&page, &["readings of scene.toml", "twice = no, not yes", "less with it", "All numbers read as instead of"]);
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
    let scene = page(&["scene.toml"], 0);
    assert_eq!(plots(&scene), ["intervals", "distribution"]);
    shows(
        &scene,
        &["1/3 = 33.33%", "value exactly at most at least 1 1/6 = 16.67% = exact 1/6 = 16.67% = exact 1 = 100.00%"],
    );
    let dice = page(&["2d6"], 0);
    shows(&dice, &["11 1/18 = 5.56% = exact 35/36 = 97.22% = exact 1/12 = 8.33%"]);
    assert!(plots(&dice) == ["distribution"] && !words(&dice).contains("sampled"));
    // all that the text of `--why` says
    let why = page(&["scene.toml", "--why"], 0);
    shows(&why, &["causes of red.pips", "causes of red.pips < 3", "changes it by", "roll dice"]);
    shows(
        &why,
        &[
            "changes it by 2/3 = 0.6667, to between 1 and 3; 100.00% of its variance; made once",
            "changes it by 4/9 = 44.44%",
        ],
    );
    shows(&why, &["twice = no 100.00%", "asked for in no run: 1 of 2 readings"]);
    let part = page(&["scene.toml", "--budget", "2"], 3);
    assert!(part.contains("unexplored") && part.contains("≤ bounded"), "{part}");
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
    for (place, why) in [("none/page.html", "the folder none does not exist"), ("g", "is a folder")] {
        let output = output(&folder, &["simulate", "scene.toml", "--runs", "100000000", "--report", place]);
        assert_eq!(output.status.code(), Some(2));
        assert!(err(&output).contains(why));
    }
}
