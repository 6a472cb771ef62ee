//! The project file `grognard.toml` (a manifest): its keys, their values, and what is said of wrong ones.

use grognard_base::{Code, Diagnostic, FileId, did_you_mean};
use grognard_scenario::{Entry, Node, Value, entries};

/// What the file is called.
pub const FILE: &str = "grognard.toml";

/// What a key holds.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// Any text.
    Text,
    /// A folder below the project.
    Folder,
    /// Several of them.
    Folders,
    /// A whole number between two others.
    Count(u64, u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Who answers for each player.
    Players,
}

/// A key, what it holds and what it says.
#[derive(Debug)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// What it holds.
    pub sort: Sort,
    /// What it says, for the table in the docs.
    pub says: &'static str,
}

const fn key(name: &'static str, sort: Sort, says: &'static str) -> Key {
    Key { name, sort, says }
}

/// Every key.
pub const KEYS: &[Key] = &[
    key("name", Sort::Text, "what the project is called"),
    key("rules", Sort::Folder, "the rules root: the folder from which rules are named, `.` if it is left out"),
    key("scenarios", Sort::Folders, "folders in which every TOML file is a scenario"),
    key("pins", Sort::Folder, "where `test` and `review` keep traces and odds, `pins` if it is left out"),
    key("players", Sort::Players, "who answers for a player to whom a scenario gives nobody"),
    key("budget", Sort::Count(1, 100_000_000), "`--budget`: positions that are explored for an exact answer"),
    key("time", Sort::Count(1, 1_000_000), "`--time`: seconds for an exact answer"),
    key("threads", Sort::Count(1, 256), "`--threads`: how many work at once; results do not hang on it"),
    key("trace", Sort::Word(&["brief", "full", "none"]), "`--trace` of `run`"),
    key("findings", Sort::Word(&["human", "short", "json", "github", "sarif"]), "`--format` of `check`"),
    key("color", Sort::Word(&["auto", "always", "never"]), "`--color`"),
];

/// Who answers for a player where a scenario does not say it.
#[derive(Clone, Debug)]
pub struct Player {
    /// The player.
    pub name: String,
    /// As in `[players]` of a scenario, such as `policy:Cautious` or `first`.
    pub answers: String,
    /// Byte at which that stands in the file.
    pub start: usize,
}

/// What a project file says.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// What the project is called.
    pub name: Option<String>,
    /// The folder from which rules are named.
    pub rules: Option<String>,
    /// Folders of scenarios.
    pub scenarios: Vec<String>,
    /// Where traces and odds are kept.
    pub pins: Option<String>,
    /// Who answers for players.
    pub players: Vec<Player>,
    /// What options say unless a flag or the environment does, by key.
    pub settings: Vec<(&'static str, String)>,
}

impl Manifest {
    /// Reads the text of a project file.
    pub fn read(file: FileId, text: &str) -> Result<Manifest, Vec<Diagnostic>> {
        let all = entries(file, text)
            .map_err(|(span, why)| vec![Diagnostic::new(Code::BadManifest, span, format!("it is {why}"))])?;
        let mut manifest = Manifest::default();
        let found: Vec<Diagnostic> = all.iter().filter_map(|entry| manifest.take(entry).err()).collect();
        if found.is_empty() { Ok(manifest) } else { Err(found) }
    }

    fn take(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        let Some(key) = KEYS.iter().find(|key| key.name == entry.key) else {
            let near = did_you_mean(&entry.key, KEYS.iter().map(|key| key.name));
            let known: Vec<String> = KEYS.iter().map(|key| format!("`{}`", key.name)).collect();
            let message = format!("there is no key `{}`{near}", entry.key);
            let help = format!("the keys are {}", known.join(", "));
            return Err(Diagnostic::new(Code::BadManifest, entry.span, message).help(help));
        };
        let (name, node) = (key.name, &entry.node);
        match key.sort {
            Sort::Text => self.name = Some(text(name, node)?),
            Sort::Folder if name == "rules" => self.rules = Some(folder(name, node)?),
            Sort::Folder => self.pins = Some(folder(name, node)?),
            Sort::Folders => {
                let Value::List(list) = &node.value else { return Err(wants(name, node, "a list of folders")) };
                self.scenarios = list.iter().map(|node| folder(name, node)).collect::<Result<_, _>>()?;
            }
            Sort::Count(least, most) => {
                let count = match &node.value {
                    Value::Number(digits) => digits.replace('_', "").parse::<u64>().ok(),
                    _ => None,
                };
                let wanted = || wants(name, node, &format!("a whole number from {least} to {most}"));
                let count = count.filter(|n| (least..=most).contains(n)).ok_or_else(wanted)?;
                self.settings.push((name, count.to_string()));
            }
            Sort::Word(words) => {
                let word = text(name, node)?;
                if !words.contains(&word.as_str()) {
                    let near = did_you_mean(&word, words.iter().copied());
                    let message = format!("`{name}` is one of {}, and not `{word}`{near}", words.join(", "));
                    return Err(Diagnostic::new(Code::BadManifest, node.span, message));
                }
                self.settings.push((name, word));
            }
            Sort::Players => {
                let players = node.table().ok_or_else(|| wants(name, node, "a table, as in `red = \"first\"`"))?;
                for player in players {
                    let Value::Text(answers, start) = &player.node.value else {
                        return Err(wants(&player.key, &player.node, "a text, such as \"policy:Cautious\""));
                    };
                    self.players.push(Player { name: player.key.clone(), answers: answers.clone(), start: *start });
                }
            }
        }
        Ok(())
    }
}

/// A key wants something else.
fn wants(name: &str, node: &Node, wanted: &str) -> Diagnostic {
    let is = match &node.value {
        Value::Number(digits) => format!("`{digits}`"),
        _ => node.sort().to_string(),
    };
    Diagnostic::new(Code::BadManifest, node.span, format!("`{name}` is {wanted}, and not {is}"))
}

fn text(name: &str, node: &Node) -> Result<String, Diagnostic> {
    node.text().map(str::to_string).ok_or_else(|| wants(name, node, "a text in quotes"))
}

/// A folder below the project, without the dot and the slash that may stand around it.
fn folder(name: &str, node: &Node) -> Result<String, Diagnostic> {
    let text = text(name, node)?;
    let bare = text.trim_end_matches('/');
    let bare = bare.strip_prefix("./").unwrap_or(bare);
    let outside = bare.starts_with('/') || bare.contains(['\\', ':', '\0']) || bare.split('/').any(|part| part == "..");
    if outside || bare.is_empty() {
        let message = format!("`{name}` names `{text}`, which is no folder below the project");
        return Err(Diagnostic::new(Code::BadManifest, node.span, message));
    }
    Ok(bare.to_string())
}
