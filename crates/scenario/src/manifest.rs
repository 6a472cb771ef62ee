//! The project file `grognard.toml` (a manifest): its keys, their values, and the findings about wrong ones.

use super::document::{Entry, Node, Value, entries};
use grognard_base::{Code, Diagnostic, FileId, did_you_mean};

/// The name of the project file.
pub const FILE: &str = "grognard.toml";

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// Any text.
    Text,
    /// A folder below the project.
    Folder,
    /// Several folders below the project.
    Folders,
    /// A whole number between two others.
    Count(u64, u64),
    /// One of several words.
    Word(&'static [&'static str]),
    /// The decision source of each player.
    Players,
}

/// A key, the type of its value and its meaning.
#[derive(Debug)]
pub struct Key {
    /// The name of the key.
    pub name: &'static str,
    /// The type of the value.
    pub sort: Sort,
    /// The meaning of the key, for the table in the docs.
    pub says: &'static str,
}

const fn key(name: &'static str, sort: Sort, says: &'static str) -> Key {
    Key { name, sort, says }
}

/// All keys of a project file.
pub const KEYS: &[Key] = &[
    key("name", Sort::Text, "the name of the project"),
    key("rules", Sort::Folder, "the rules root: the folder from which rules are named; the default is `.`"),
    key("scenarios", Sort::Folders, "folders in which every TOML file is a scenario"),
    key("pins", Sort::Folder, "the folder in which `test` and `review` save traces and odds; the default is `pins`"),
    key("players", Sort::Players, "the decision source of a player without one in the scenario"),
    key("budget", Sort::Count(1, 100_000_000), "`--budget`: the state limit for exact answers"),
    key("time", Sort::Count(1, 1_000_000), "`--time`: the time limit for exact answers, in seconds"),
    key("threads", Sort::Count(1, 256), "`--threads`: the number of threads; results do not depend on it"),
    key("trace", Sort::Word(&["brief", "full", "none"]), "`--trace` of `run`"),
    key("findings", Sort::Word(&["human", "short", "json", "github", "sarif"]), "`--format` of `check`"),
    key("color", Sort::Word(&["auto", "always", "never"]), "`--color`"),
];

/// The decision source of a player without one in the scenario.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name of the player.
    pub name: String,
    /// The source as in `[players]` of a scenario, such as `policy:Cautious` or `first`.
    pub answers: String,
    /// Byte offset of the source in the file.
    pub start: usize,
}

/// The content of a project file.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The name of the project.
    pub name: Option<String>,
    /// The folder from which rules are named.
    pub rules: Option<String>,
    /// Folders of scenarios.
    pub scenarios: Vec<String>,
    /// The folder for traces and odds.
    pub pins: Option<String>,
    /// The decision sources of players.
    pub players: Vec<Player>,
    /// The defaults of options, by key.
    pub settings: Vec<(&'static str, String)>,
}

impl Manifest {
    /// Reads the text of a project file.
    ///
    /// # Errors
    ///
    /// Returns the findings about the text.
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
            let message = format!("unknown key `{}`{near}", entry.key);
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
                    let message = format!("`{name}` must be one of {}, not `{word}`{near}", words.join(", "));
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

/// Returns the finding for a value of a wrong type.
fn wants(name: &str, node: &Node, wanted: &str) -> Diagnostic {
    let is = match &node.value {
        Value::Number(digits) => format!("`{digits}`"),
        _ => node.sort().to_string(),
    };
    Diagnostic::new(Code::BadManifest, node.span, format!("`{name}` must be {wanted}, not {is}"))
}

fn text(name: &str, node: &Node) -> Result<String, Diagnostic> {
    node.text().map(str::to_string).ok_or_else(|| wants(name, node, "a text in quotes"))
}

/// Returns a folder below the project, without a `./` before it and a slash after it.
fn folder(name: &str, node: &Node) -> Result<String, Diagnostic> {
    let text = text(name, node)?;
    let bare = text.trim_end_matches('/');
    let bare = bare.strip_prefix("./").unwrap_or(bare);
    let outside = bare.starts_with('/') || bare.contains(['\\', ':', '\0']) || bare.split('/').any(|part| part == "..");
    if outside || bare.is_empty() {
        let message = format!("`{name}` must be a folder below the project, not `{text}`");
        return Err(Diagnostic::new(Code::BadManifest, node.span, message));
    }
    Ok(bare.to_string())
}
