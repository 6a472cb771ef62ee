//! The examples at the end of the help of each command.

/// Two lines to try for each command. Tests run them in this order in a project that `grognard new` created.
pub const EXAMPLES: &[(&str, [&str; 2])] = &[
    ("new", ["grognard new my-game", "grognard new house-rules --template warstrike"]),
    ("books", ["grognard books", "grognard books warstrike/core"]),
    ("scenarios", ["grognard scenarios", "grognard scenarios first"]),
    ("check", ["grognard check", "grognard check rules --format short"]),
    ("fmt", ["grognard fmt --check rules", "grognard fmt rules/game.rules"]),
    ("run", ["grognard run first", "grognard run scenarios/first.toml --set hit_on=3 --trace full"]),
    ("play", ["grognard play scenarios/first.toml", "grognard play scenarios/first.toml --do 'auto all'"]),
    (
        "simulate",
        [
            "grognard simulate scenarios/first.toml",
            "grognard simulate scenarios/first.toml --of raiders.men --runs 500",
        ],
    ),
    ("odds", ["grognard odds 'total(highest(3, 10 of d6))'", "grognard odds scenarios/first.toml --of raiders.men"]),
    (
        "compare",
        [
            "grognard compare :hit_on=3 scenarios/first.toml",
            "grognard compare :hit_on=3 scenarios/first.toml --first-difference",
        ],
    ),
    ("why", ["grognard why scenarios/first.toml raiders.men", "grognard why scenarios/first.toml raiders.men --all"]),
    ("test", ["grognard test", "grognard test rules --filter hits --format junit"]),
    ("watch", ["grognard watch --saves 0", "grognard watch scenarios --saves 0 --format json"]),
    ("review", ["grognard review --accept-all", "grognard review --list"]),
    ("restate", ["grognard restate rules/game.rules", "grognard restate rules/game.rules --write"]),
    ("coverage", ["grognard coverage", "grognard coverage rules --format json"]),
    ("mutants", ["grognard mutants rules --list", "grognard mutants rules --sample 3"]),
    ("holes", ["grognard holes", "grognard holes rules --only gap --format json"]),
    ("explain", ["grognard explain", "grognard explain R0501"]),
    (
        "diff",
        [
            "grognard diff warstrike/leadership.rules warstrike/every-hit.rules",
            "grognard diff warstrike/action-phase.rules edits/dig-in.rules --format json",
        ],
    ),
    (
        "book",
        [
            "grognard book rules/game.rules -o book",
            "grognard book warstrike/leadership --sheet -o leadership-sheet.html",
        ],
    ),
    ("readings", ["grognard readings", "grognard readings scenarios/first.toml"]),
    (
        "sweep",
        [
            "grognard sweep scenarios/first.toml --over hit_on --runs 500",
            "grognard sweep scenarios/first.toml --over hit_on=3,4 --mode exact",
        ],
    ),
    ("replay", ["grognard odds 2d6 --receipt odds.receipt.toml", "grognard replay odds.receipt.toml"]),
    (
        "dump",
        ["grognard dump --stage rules rules/game.rules", "grognard dump --stage program warstrike/leadership.rules"],
    ),
    ("schema", ["grognard schema scenario", "grognard schema project"]),
    ("studio", ["grognard studio --no-open", "grognard studio --port 8080 --no-open"]),
    ("lsp", ["grognard man lsp", "grognard lsp"]),
    ("completions", ["grognard completions bash", "grognard completions zsh"]),
    ("man", ["grognard man", "grognard man run"]),
    ("version", ["grognard version", "grognard version --format json"]),
    ("help", ["grognard help odds", "grognard help --all"]),
];
