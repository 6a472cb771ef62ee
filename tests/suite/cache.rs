//! Results that are kept between commands: they change no output, they end with a change of anything that they depend on, and a
//! folder that cannot be used does no harm.

use crate::common::{folder, grognard, out, output, said};
use grognard_cli::seal;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A project: rules on a base, a register, examples in a file of their own, a scenario on a base, a pinned trace, accepted results.
fn project(name: &str) -> PathBuf {
    let on = |more: &str| format!("base = \"base.toml\"\n{more}");
    let volley = on("name = \"volley\"\n[[expect]]\ntrace = \"volley.trace\"\n");
    let odds = on("mode = \"exact\"\n[[expect]]\nchance = { \"beta.men == 5\" = \"4/9\" }\n");
    let sample = on("mode = \"sampled\"\nruns = 20\n[[expect]]\nthat = \"beta.men <= 6\"\n");
    let place = folder(
        name,
        &[
            ("grognard.toml", "name = \"game\"\nrules = \".\"\nscenarios = [\"scenarios\"]\n"),
            ("game/core.rules", CORE),
            ("game/clauses.toml", CLAUSES),
            ("game/more.rules", "variant game/more of game/core\noverride param hit_on = 3\n"),
            ("game/more.examples.rules", EXAMPLES),
            ("scenarios/base.toml", BASE),
            ("scenarios/volley.toml", &volley),
            ("scenarios/odds.toml", &odds),
            ("scenarios/sample.toml", &sample),
        ],
    );
    let trace = out(&output(&place, &["run", "scenarios/volley.toml", "--trace", "full"]));
    let (trace, _) = trace.split_once("\n\nbeta.men").or(trace.split_once("\nbeta.men")).unwrap();
    fs::write(place.join("scenarios/volley.trace"), trace.trim_end()).unwrap();
    let (code, accepted) = said(&place, &["review", "--accept-all", "-q", "--no-cache"]);
    assert_eq!(code, 0, "{accepted}");
    place
}

const CORE: &str = "ruleset game/core\nparam hit_on \"A shot hits on\" = 4\nkind Side { }\n\
    kind Squad {\n  link side: Side\n  state men : 0..20\n}\n\
    cite G-1\nproc volley(from: Squad, at: Squad) \"A volley\" {\n  roll aim = from.men of d6\n  \
    set at.men -= count aim >= hit_on\n}\n";
const CLAUSES: &str = "[[clause]]\nid = \"G-1\"\nsection = \"1\"\nsays = \"A squad shoots.\"\nstatus = \"modelled\"\n";
const EXAMPLES: &str =
    "example \"one hits\" for volley(a, b)\n  with a.men = 2, b.men = 6\n  rolling aim = [1, 5] { b.men = 5 }\n";
const BASE: &str = "rules = \"game/more\"\nname = \"base\"\nseed = 4\n[Side.red]\n[Side.blue]\n[Squad]\n\
    alpha = { side = \"red\", men = 2 }\nbeta = { side = \"blue\", men = 6 }\n[[step]]\ndo = \"do volley(alpha, beta)\"\n\
    [report]\nmean = [\"beta.men\"]\n";

/// The commands that keep results.
const COMMANDS: &[&[&str]] = &[
    &["test", "--format", "json"],
    &["test"],
    &["review", "--list"],
    &["watch", "--saves", "0", "--format", "json"],
    &["mutants", "--format", "json"],
];

/// Checks that a command prints the same bytes without kept results, with those that exist, and again. Returns the output.
#[track_caller]
fn same(place: &Path, args: &[&str]) -> (i32, String) {
    let without = said(place, &[args, &["--no-cache"]].concat());
    assert_eq!(said(place, args), without, "{args:?}");
    assert_eq!(said(place, args), without, "{args:?}");
    without
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    all.map(|entry| entry.path()).filter(|path| path.file_name().unwrap().len() == 64).collect()
}

fn cache(place: &Path) -> PathBuf {
    place.join(".grognard/cache")
}

#[test]
fn a_change_of_anything_ends_a_result() {
    let place = project("changes");
    let before: Vec<(i32, String)> = COMMANDS.iter().map(|args| same(&place, args)).collect();
    assert!(before.iter().all(|(code, _)| *code == 0 || *code == 1) && before[0].0 == 0, "{before:?}");
    // a file, the edit, and whether the result of each command changes
    let edits = [
        ("game/core.rules", "= 4", "= 5", [false, false, false, false, true]),
        ("game/core.rules", "-= count", "-= 2 * count", [true; 5]),
        ("game/more.rules", "= 3", "= 6", [true; 5]),
        ("game/more.examples.rules", "b.men = 5 }", "b.men = 4 }", [true, true, false, true, true]),
        ("game/more.examples.rules", "one hits", "one of them hits", [true, true, false, false, true]),
        ("game/clauses.toml", "G-1", "G-2", [true; 5]),
        ("scenarios/base.toml", "men = 6", "men = 7", [true; 5]),
        ("scenarios/base.toml", "seed = 4", "seed = 6", [true; 5]),
        ("scenarios/odds.toml", "4/9", "5/9", [true, true, false, true, true]),
        ("scenarios/sample.toml", "beta.men <= 6", "beta.men < 6", [true; 5]),
        ("scenarios/volley.trace", "aim", "aims", [true, true, false, true, true]),
        ("pins/scenarios/odds.pin", "mean", "men", [true, true, true, true, false]),
        (
            "grognard.toml",
            "[\"scenarios\"]",
            "[\"scenarios\"]\n[players]\nred = \"first\"",
            [true, true, false, false, false],
        ),
    ];
    for (file, old, new, moved) in edits {
        let path = place.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file}: {text}");
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        for ((args, before), moved) in COMMANDS.iter().zip(&before).zip(moved) {
            assert_eq!(same(&place, args) != *before, moved, "{file}: {new}: {args:?} {before:?}");
        }
        fs::write(&path, text).unwrap();
        for (args, before) in COMMANDS.iter().zip(&before) {
            assert_eq!(same(&place, args), *before, "{file} as before");
        }
    }
}

#[test]
fn files_that_come_and_go_end_a_result() {
    let place = project("come_and_go");
    let before = same(&place, COMMANDS[0]);
    let files = [
        ("game/more.examples.rules", true),
        ("game/clauses.toml", false),
        ("scenarios/volley.trace", true),
        ("pins/scenarios/odds.pin", false),
    ];
    for (file, moved) in files {
        let text = fs::read_to_string(place.join(file)).unwrap();
        fs::remove_file(place.join(file)).unwrap();
        let gone = same(&place, COMMANDS[0]);
        assert_eq!(gone != before, moved, "{file} {gone:?}");
        same(&place, COMMANDS[3]);
        fs::write(place.join(file), text).unwrap();
        assert_eq!(same(&place, COMMANDS[0]), before);
    }
    // the rules have another name
    fs::rename(place.join("game"), place.join("games")).unwrap();
    assert_ne!(same(&place, COMMANDS[0]), before);
}

#[test]
fn options_names_and_the_program_are_part_of_the_key() {
    let place = project("options");
    let plain = same(&place, &["test", "scenarios/odds.toml"]);
    let small = same(&place, &["test", "scenarios/odds.toml", "--budget", "1"]);
    assert!(plain.0 == 0 && small != plain, "{small:?}");
    assert_ne!(same(&place.join("scenarios"), &["test", "odds.toml"]), plain);
    let colored = output(&place, &["test", "--color", "always"]).stdout;
    assert_eq!(colored, output(&place, &["test", "--color", "always", "--no-cache"]).stdout);
    assert_eq!(same(&place, &["test", "--filter", "one"]), same(&place, &["test", "--filter", "one hits"]));
    assert_ne!(same(&place, &["test", "--filter", "odds"]), same(&place, &["test", "--filter", "one"]));
    // another build: one byte more changes nothing but the hash
    let known = entries(&cache(&place)).len();
    same(&place, &["test"]);
    let args = ["test", "scenarios"];
    let run = |program: &Path| std::process::Command::new(program).args(args).current_dir(&place).output().unwrap();
    let own = PathBuf::from(env!("CARGO_BIN_EXE_grognard"));
    let count = |program: &Path| {
        let before = entries(&cache(&place)).len();
        assert!(run(program).status.success());
        entries(&cache(&place)).len() - before
    };
    assert!(known > 0 && count(&own) <= 1);
    let other = place.join("other");
    fs::copy(&own, &other).unwrap();
    assert_eq!(count(&other), 1, "a copy has the same hash");
    let mut bytes = fs::read(&own).unwrap();
    bytes.push(0);
    fs::write(&other, bytes).unwrap();
    assert!(count(&other) > 4, "each result is computed again");
    // with a time limit, a result depends on the machine
    let _ = fs::remove_dir_all(place.join(".grognard"));
    assert_eq!(said(&place, &["test", "--time", "100"]).0, 0);
    assert_eq!(said(&place, &["test", "--no-cache"]).0, 0);
    assert!(!place.join(".grognard").exists());
}

#[test]
fn kept_results_are_used_and_no_cache_leaves_them_out() {
    let place = project("used");
    let before = same(&place, &["test"]);
    let mut forged = 0;
    for path in entries(&cache(&place)) {
        let key = path.file_name().unwrap().to_str().unwrap().to_string();
        let line = fs::read_to_string(&path).unwrap();
        let json = seal::unsealed(line.trim_end(), &key).unwrap();
        if json.contains("\"counts\":[1,1]") {
            fs::write(&path, seal::line(&json.replace("[1,1]", "[7,7]"), &key)).unwrap();
            forged += 1;
        }
    }
    assert!(forged >= 2, "{before:?}");
    assert!(said(&place, &["test"]).1.contains("7 of 7 hold"));
    assert_eq!(said(&place, &["test", "--no-cache"]), before);
}

#[test]
fn damage_does_no_harm() {
    let place = project("damage");
    let before = same(&place, &["test"]);
    let damage: [&dyn Fn(&Path, &Path); 6] = [
        &|path, _| File::options().write(true).open(path).unwrap().set_len(40).unwrap(),
        &|path, _| fs::write(path, "").unwrap(),
        &|path, _| fs::write(path, [0xff, b'{', 0]).unwrap(),
        &|path, _| fs::write(path, fs::read_to_string(path).unwrap().replacen("true", "false", 1) + "{").unwrap(),
        &|path, other| assert!(fs::copy(other, path).unwrap() > 0),
        &|path, _| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
    ];
    for (n, harm) in damage.iter().enumerate() {
        let all = entries(&cache(&place));
        let other = place.join("other");
        fs::copy(&all[0], &other).unwrap();
        all.iter().skip(1).for_each(|path| harm(path, &other));
        assert_eq!(said(&place, &["test"]), before, "{n}");
        assert_eq!(said(&place, &["test"]), before, "{n}");
    }
    // what is in the place of the folder stays as it is
    fs::remove_dir_all(place.join(".grognard")).unwrap();
    fs::write(place.join(".grognard"), "mine").unwrap();
    assert_eq!(said(&place, &["test"]), before);
    assert_eq!(fs::read_to_string(place.join(".grognard")).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn a_project_cannot_lead_the_cache_elsewhere() {
    let place = project("links");
    let before = said(&place, &["test", "--no-cache"]);
    let elsewhere = folder("elsewhere", &[]);
    let old = elsewhere.join("a".repeat(64));
    File::create(&old).unwrap().set_len(100 << 20).unwrap();
    for link in [".grognard/cache", ".grognard"] {
        let _ = fs::remove_dir_all(place.join(".grognard"));
        fs::create_dir_all(place.join(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&elsewhere, place.join(link)).unwrap();
        assert_eq!(said(&place, &["test"]), before);
        fs::remove_file(place.join(link)).unwrap();
        assert_eq!(entries(&elsewhere), std::slice::from_ref(&old), "{link}");
        let others = fs::read_dir(&elsewhere).unwrap().flatten().map(|entry| entry.file_name());
        assert!(others.filter(|name| *name != *"cache").count() == 1, "{link}");
        let _ = fs::remove_dir_all(elsewhere.join("cache"));
    }
}

#[test]
fn the_folder_hides_itself_and_has_a_limit() {
    let place = project("limit");
    same(&place, &["test"]);
    assert_eq!(fs::read_to_string(place.join(".grognard/.gitignore")).unwrap(), "*\n");
    let folder = cache(&place);
    let own = entries(&folder);
    for n in 0..10 {
        let file = File::create(folder.join(format!("{n:064}"))).unwrap();
        file.set_len(8 << 20).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(1_000 - n)).unwrap();
    }
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::remove_file(&own[0]).unwrap();
    same(&place, &["test"]);
    let size: u64 = entries(&folder).iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(size < 64 << 20, "{size}");
    assert!(own.iter().all(|path| path.exists()) && folder.join("notes.txt").exists());
    assert!(!folder.join(format!("{:064}", 0)).exists() && folder.join(format!("{:064}", 9)).exists());
}

#[test]
fn commands_at_once_share_the_folder() {
    let place = project("at_once");
    let before = out(&output(&place, &["test", "--no-cache"]));
    for _ in 0..3 {
        let _ = fs::remove_dir_all(place.join(".grognard"));
        let all: Vec<_> =
            (0..4).map(|_| grognard(&place, &["test"]).stdout(std::process::Stdio::piped()).spawn().unwrap()).collect();
        all.into_iter().for_each(|child| assert_eq!(out(&child.wait_with_output().unwrap()), before));
        let files = fs::read_dir(cache(&place)).unwrap().flatten();
        let others: Vec<_> = files.map(|file| file.file_name()).filter(|name| name.len() != 64).collect();
        assert!(others.is_empty(), "{others:?}");
    }
}

#[test]
fn outside_of_a_project_the_cache_of_the_user_is_used() {
    let place = folder(
        "user",
        &[("game/core.rules", CORE), ("game/clauses.toml", CLAUSES), ("game/a.toml", "rules = \"game/core\"\n")],
    );
    let users = folder("users", &[]);
    let run = |folder: &str| {
        let output = grognard(&place, &["test"]).env("XDG_CACHE_HOME", folder).output().unwrap();
        (output.status.code(), out(&output))
    };
    let first = run(users.to_str().unwrap());
    assert_eq!(run(users.to_str().unwrap()), first);
    assert!(!entries(&users.join("grognard")).is_empty() && !place.join(".grognard").exists(), "{first:?}");
    // a folder that cannot be made
    let file = place.join("game/core.rules");
    assert_eq!(run(file.to_str().unwrap()), first);
}
