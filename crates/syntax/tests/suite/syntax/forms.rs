//! Every form of the language, and its layout.

use super::books::{books, prose};
use grognard_base::{FileId, Source};
use grognard_syntax as syntax;
use grognard_syntax::short_text;

fn fixture(name: &str) -> Source {
    let path = format!("tests/fixtures/syntax/{}", name.replace(".rules", ".txt"));
    Source::new(name, std::fs::read_to_string(path).expect("fixture"))
}

fn formatted(source: &Source) -> String {
    syntax::format(FileId(0), source).expect("it parses")
}

#[test]
fn every_form_is_shown_as_the_grammar_reads_it() {
    insta::assert_snapshot!(syntax::dump(&fixture("forms.rules").text));
}

#[test]
fn every_form_has_its_layout() {
    let once = formatted(&fixture("forms.rules"));
    assert_eq!(once, formatted(&Source::new("again", once.clone())));
    insta::assert_snapshot!(once);
}

#[test]
fn formatting_twice_changes_nothing_and_keeps_the_tree() {
    for book in books() {
        let once = formatted(&book);
        let again = Source::new(book.name.clone(), once.clone());
        assert_eq!(once, formatted(&again), "{}", book.name);
        assert!(syntax::same(&book.text, &once), "{}", book.name);
    }
}

#[test]
fn formatting_does_not_depend_on_the_layout() {
    for book in books() {
        // the lines of a paragraph are indented
        let squeeze = |(line, prose): (&str, bool)| format!("{}\n", if prose { line } else { line.trim_start() });
        let squeezed: String = book.text.lines().zip(prose(&book.text)).map(squeeze).collect();
        let squeezed = Source::new("squeezed", squeezed);
        let once = formatted(&squeezed);
        assert_eq!(once, formatted(&Source::new("again", once.clone())), "{}", book.name);
        assert!(syntax::same(&book.text, &squeezed.text), "{}", book.name);
    }
}

/// The text with blanks and empty lines at random: as many blanks as one likes where there are some, some indentation,
/// comments, and lines that are far too long for one.
fn strewn(text: &str, lots: &mut u64) -> String {
    let mut below = |n: u64| {
        *lots = lots.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*lots >> 33) % n
    };
    let (mut out, mut quoted) = (String::new(), false);
    for line in text.lines() {
        let (mut code, body) = (true, line.trim_start());
        out.push_str(&" ".repeat(below(4) as usize));
        for sign in body.chars() {
            quoted ^= sign == '"' && code;
            code &= sign != '#';
            out.push(sign);
            if sign == ' ' && code && !quoted {
                out.push_str(&" ".repeat(below(5).saturating_sub(1) as usize));
            }
        }
        quoted = false;
        if below(12) == 0 && code && !body.is_empty() {
            out.push_str(" # said");
        }
        out.push_str(&"\n".repeat(1 + below(8).saturating_sub(6) as usize));
    }
    out
}

/// Also of texts that nobody laid out: shipped books and every form, in hundreds of random layouts.
#[test]
fn formatting_any_layout_twice_changes_nothing() {
    let enums = "ruleset a/b version \"1\"\n\nenum  Cover   { Bare < Soft }\nchain Quality = d4 < d6\n";
    assert_eq!(
        formatted(&Source::new("first", enums.to_string())),
        enums.replace("enum  Cover   {", "enum Cover {").replace("}\n", "}\n\n")
    );
    let mut lots = 1;
    for text in books().iter().map(|book| book.text.as_str()).chain([fixture("forms.rules").text.as_str(), enums]) {
        let header = text.lines().find(|l| l.starts_with("ruleset") || l.starts_with("variant")).unwrap();
        let items: Vec<&str> = text.split("\n\n").filter(|item| !item.contains(header)).collect();
        for chunk in items.chunks(12).flat_map(|chunk| [chunk; 3]) {
            let text = format!("{header}\n\n{}", strewn(&chunk.join("\n\n"), &mut lots));
            // a cut may part a comment from its item, and never keeps a text from being read
            let Ok(once) = syntax::format(FileId(0), &Source::new("strewn", text.clone())) else { continue };
            assert_eq!(once, formatted(&Source::new("again", once.clone())), "{text}");
        }
    }
}

#[test]
fn odd_layout_is_put_right() {
    let text = "ruleset a/b # head\n\n\n\nparam a=1;param b =  2 ; # two\nkind K { stat x:Int=1 # one\nstate yy : 0.. = 0 }\n\
                proc c(u: K) { set u.yy=3 ;\n\n\n set u.yy = -4\n\n# last\n}\nproc d(u:K){\nif u.yy>1{ stop }\nelse { stop }\n}\n# end";
    insta::assert_snapshot!(formatted(&Source::new("odd", text)));
}

#[test]
fn strings_of_scenarios() {
    let source = |text: &str| Source::new("scenario", text);
    let file = FileId(0);
    let expr = |text: &str| short_text(&syntax::parse_expr(file, &source(text)).expect(text));
    assert_eq!(expr(" u.markers+1 "), "u.markers + 1");
    assert_eq!(expr("ActionPhase(red)"), "ActionPhase(red)");
    let (asked, given) = syntax::parse_query(file, &source("a == 1 given b")).expect("query");
    assert!(matches!(asked.kind, syntax::tree::ExprKind::Compare { .. }) && given.is_some());
    let stmt = syntax::parse_stmt(file, &source("set u.men += 1")).expect("stmt");
    assert!(matches!(stmt.kind, syntax::tree::StmtKind::Set { op: syntax::tree::SetOp::Add, .. }));
    assert!(matches!(syntax::parse_pick(file, &source("stop")), Ok(syntax::tree::Answer::Stop(_))));
    assert!(matches!(
        syntax::parse_pick(file, &source("most x.n")),
        Ok(syntax::tree::Answer::Extreme { most: true, .. })
    ));
    let mark = syntax::parse_mark(file, &source("end of Turn for u.side")).expect("mark");
    assert_eq!((mark.start, mark.phase.text.as_str(), mark.key.is_some()), (false, "Turn", true));
    for wrong in ["", "1 +", "a b", "(", "\"x"] {
        let found = syntax::parse_expr(file, &source(wrong)).expect_err(wrong);
        assert_eq!(found.len(), 1, "{wrong}");
    }
}

#[test]
fn rounding_closes_what_stands_left_of_it() {
    let text = syntax::parse_expr(FileId(0), &Source::new("x", "a + b / 2 rounded down + c up d - 1")).expect("value");
    insta::assert_debug_snapshot!(text.kind);
}

#[test]
fn texts_are_the_same_whatever_their_layout_and_differ_by_any_word() {
    let book = |body: &str| format!("ruleset a/b version \"1\"\n{body}\n");
    let one = book("proc c(u: K) { set u.yy = 3; if u.a { stop } }");
    assert!(syntax::same(&one, &book("proc  c(u:K) {\n set u.yy=3\n\n  if u.a {\n stop\n }\n}")));
    for other in ["set u.yy = 4; if u.a { stop }", "if u.a { set u.yy = 3; stop }", "set u.yy = 3; if u.a { stop } # x"]
    {
        assert!(!syntax::same(&one, &book(&format!("proc c(u: K) {{ {other}\n }}"))), "{other}");
    }
    assert!(!syntax::same("ruleset a/b\nproc c() { do a(b, c) }", "ruleset a/b\nproc c() { do a((b, c)) }"));
}
