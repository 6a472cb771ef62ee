//! The rulesets of this repository.

use grognard_base::{Code, Diagnostic, Severity, Sources};
use grognard_kit::Shipped;
use grognard_kit::checked::{check, shown};
use grognard_rules::{audit_register, load};

const BOOKS: &[&str] = &[
    "warstrike/core",
    "warstrike/action-phase",
    "warstrike/leadership",
    "warstrike/salvo-threshold",
    "alternate/activation",
    "recoil/results",
];

#[test]
fn every_book_loads() {
    let mut text = String::new();
    for book in BOOKS {
        let mut sources = Sources::default();
        let loaded = load(book, &Shipped::default(), &mut sources);
        // Alternate does not say what becomes of a detachment whose parent is destroyed
        let told = |p: &&Diagnostic| p.severity >= Severity::Warning && p.code != Code::Lasting;
        for p in loaded.problems.iter().filter(told) {
            let place = p.span.and_then(|s| sources.get(s.file).map(|f| (f.name.clone(), f.place(s.start))));
            let (name, place) =
                place.map_or((String::new(), String::new()), |(n, p)| (n, format!("{}:{}", p.line, p.column)));
            text += &format!("{book}: {name}:{place}: {}", shown(std::slice::from_ref(p)));
        }
    }
    assert!(text.is_empty(), "{text}");
}

#[test]
fn the_registers_agree_with_the_books() {
    for folder in ["warstrike", "alternate", "recoil"] {
        let books = BOOKS.iter().filter(|b| b.starts_with(folder));
        let loaded: Vec<_> =
            books.filter_map(|b| load(b, &Shipped::default(), &mut Sources::default()).ruleset).collect();
        assert!(!loaded.is_empty());
        let found = audit_register(&loaded);
        assert!(found.is_empty(), "{folder}:\n{}", shown(&found));
    }
}

/// Files of one shape, the second twice as long: the time must not grow by much more.
#[test]
fn time_grows_with_the_text() {
    let shapes: [(&str, fn(usize) -> String); 5] = [
        ("params", |n| format!("param k{n} = {n}\n")),
        ("lets", |n| format!("let f{n}(x: Int) \"t\" = x + {n}\n")),
        ("chained fields", |n| match n {
            0 => "kind K { stat s: Int = 0 }\nlet K.a0 : Int \"t\" = s\n".to_string(),
            n => format!("let K.a{n} : Int \"t\" = a{} + 1\n", n - 1),
        }),
        ("rules", |n| match n {
            0 => "kind K { state s: Int = 0 }\nevent E(k: K)\n".to_string(),
            n => format!("rule R{n} on E as e when e.k.s > 0 {{ set e.k.s += 1 }}\n"),
        }),
        ("traits", |n| match n {
            0 => "kind K { stat s: Int = 0 }\n".to_string(),
            n => format!("trait T{n} on K {{ modify s += {n} }}\n"),
        }),
    ];
    for (name, shape) in shapes {
        let time = |count: usize| {
            let text: String = (0..count).fold(String::new(), |text, n| text + &shape(n));
            let start = std::time::Instant::now();
            let loaded = check(&text);
            let errors: Vec<_> = loaded.problems.iter().filter(|p| p.is_error()).cloned().collect();
            assert!(errors.is_empty(), "{name}: {}", shown(&errors[..1]));
            start.elapsed()
        };
        let (one, two) = (time(1000), time(4000));
        if std::env::var("DUMP").is_ok() {
            eprintln!("{name}: {one:?}, {two:?}");
        }
        assert!(two.as_secs() < 20, "{name}: {one:?}, then {two:?}");
    }
}
