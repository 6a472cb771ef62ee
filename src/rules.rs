//! A checked ruleset.

use crate::library::Shelf;
use crate::{Call, Diagnostic, Error, ErrorKind, Library, Scenario, Table, Texts, Value};
use grognard_base::Sources;
use grognard_base::value::{Ratio, Type};
use grognard_rules::ruleset::{Ruleset, ValueName};
use grognard_rules::schema::{self, Setting};
use grognard_rules::wording::constant;
use std::fmt;
use std::sync::Arc;

/// Checked rules. A copy shares the rules and is cheap.
///
/// ```
/// use grognard::{Folder, Rules};
///
/// let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
/// let hit_on = rules.param("hit_on").unwrap();
/// assert_eq!(hit_on.default().as_int(), Some(4));
/// assert!(rules.warnings().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Rules(Arc<Inner>);

struct Inner {
    shelf: Shelf,
    sources: Sources,
    set: Ruleset,
    warnings: Vec<Diagnostic>,
}

impl Rules {
    /// Loads and checks the rules at a path such as `game/core`, with the rules that they extend.
    ///
    /// # Errors
    ///
    /// If a file is missing or the rules have errors. The error lists all of them.
    pub fn load(library: impl Library + 'static, path: &str) -> Result<Rules, Error> {
        Rules::of(Shelf::new(library), path)
    }

    /// Checks rules that are one text. Their path is the one after `ruleset` or `variant`. They can build on a shipped book.
    ///
    /// ```
    /// let rules = grognard::Rules::from_text("variant mine/duel of warstrike/leadership\noverride param hit_on = 5\n");
    /// # #[cfg(feature = "books")]
    /// assert_eq!(rules?.path(), "mine/duel");
    /// # Ok::<(), grognard::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the rules have errors.
    pub fn from_text(text: &str) -> Result<Rules, Error> {
        let of = |line: &str| line.strip_prefix("ruleset ").or(line.strip_prefix("variant ")).map(str::to_string);
        let head = text.trim_start_matches('\u{feff}').lines().map(str::trim).find_map(of);
        let head = head.as_deref();
        let path = head.and_then(|rest| rest.split_whitespace().next()).unwrap_or("rules/text");
        Rules::load(Texts::from([(format!("{path}.rules"), text)]), path)
    }

    /// Loads rules that are part of this crate, such as `warstrike/core`.
    ///
    /// # Errors
    ///
    /// If no shipped rules have this path.
    #[cfg(feature = "books")]
    pub fn shipped(path: &str) -> Result<Rules, Error> {
        Rules::load(Texts::shipped(), path)
    }

    /// Returns rules without content, for questions about dice.
    ///
    /// ```
    /// # use grognard::Rules;
    /// let odds = Rules::dice()?.call("total(highest(3, 4 of d6)) >= 12").compute()?;
    /// assert_eq!(odds.first().chance().to_string(), "799/1296");
    /// # Ok::<(), grognard::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None that is known: the rules are empty.
    pub fn dice() -> Result<Rules, Error> {
        let (texts, path) = grognard_ask::dice_only();
        let texts: Texts = texts.iter().map(|(path, text)| (path.clone(), text.clone())).collect();
        Rules::load(texts, path)
    }

    pub(crate) fn of(shelf: Shelf, path: &str) -> Result<Rules, Error> {
        let path = path.trim_end_matches(".rules");
        let mut sources = Sources::default();
        let loaded = grognard_rules::load(path, &shelf, &mut sources);
        let warnings = Diagnostic::all(&loaded.problems, &sources);
        let set = loaded.sound().map_err(|found| Error::found(ErrorKind::Rules, &found, &sources))?;
        Ok(Rules(Arc::new(Inner { shelf, sources, set, warnings })))
    }

    /// Returns the path, such as `game/core`.
    pub fn path(&self) -> &str {
        &self.0.set.path
    }

    /// Returns the version that the rules state. It can be empty.
    pub fn version(&self) -> &str {
        &self.0.set.version
    }

    /// Returns the warnings and remarks about the rules.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.0.warnings
    }

    /// Returns the params and readings, in the order of the rules.
    pub fn params(&self) -> impl Iterator<Item = Param<'_>> {
        self.0.set.settings.iter().map(|setting| Param { set: &self.0.set, setting })
    }

    /// Returns the param or reading with this name.
    pub fn param(&self, name: &str) -> Option<Param<'_>> {
        let id = self.0.set.names.setting(name)?;
        Some(Param { set: &self.0.set, setting: &self.0.set.settings[id.at()] })
    }

    /// Returns what the rules declare, in their order: kinds and their fields, procs, tests, actions, phases and so on.
    ///
    /// ```
    /// use grognard::{Folder, Rules};
    ///
    /// let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
    /// let procs: Vec<_> = rules.items().filter(|item| item.word() == "proc").collect();
    /// assert_eq!(procs[0].name(), "volley");
    /// assert_eq!(procs[0].parameters(), [("shooters", "Squad".to_string()), ("target", "Squad".to_string())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.0.set.items.iter().map(|item| Item { set: &self.0.set, item })
    }

    /// Starts a table: a scenario that is built in code.
    pub fn table(&self) -> Table {
        Table::new(self.clone())
    }

    /// Binds the scenario at a path of the library to these rules, also if it names others.
    ///
    /// # Errors
    ///
    /// If the file is missing, or the scenario does not fit the rules.
    pub fn scenario(&self, path: &str) -> Result<Scenario, Error> {
        let text = read(&self.0.shelf, path)?;
        Scenario::bind(self.0.shelf.clone(), path, text, Some(self.clone()))
    }

    /// Binds a scenario in TOML to these rules.
    ///
    /// # Errors
    ///
    /// If the scenario does not fit the rules.
    pub fn scenario_from_toml(&self, text: &str) -> Result<Scenario, Error> {
        Scenario::bind(self.0.shelf.clone(), "scenario.toml", text.to_string(), Some(self.clone()))
    }

    /// Starts a question about a call or about dice: `Morale(u)`, `volley(a, b)`, `2d6 + bonus`,
    /// `total(highest(3, 10 of d6))`.
    ///
    /// ```
    /// # use grognard::Rules;
    /// let rules = Rules::from_text("ruleset game/core\n\nparam bonus = 1\n")?;
    /// let odds = rules.call("2d6 + bonus >= 9").compute()?;
    /// assert_eq!(odds.first().chance().to_string(), "5/12");
    /// # Ok::<(), grognard::Error>(())
    /// ```
    pub fn call(&self, text: &str) -> Call {
        Call::new(self.clone(), text)
    }

    pub(crate) fn shelf(&self) -> &Shelf {
        &self.0.shelf
    }

    pub(crate) fn set(&self) -> &Ruleset {
        &self.0.set
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.0.sources
    }

    /// Returns the statement that calls a test, proc, phase or event.
    pub(crate) fn statement(&self, name: &str) -> Result<&'static str, Error> {
        let names = &self.0.set.names;
        if let Some(word) = names.statement(name) {
            return Ok(word);
        }
        if names.actions.contains_key(name) {
            let message = format!("`{name}` is an action, which players choose from the menu of its phase");
            return Err(Error::input(message, "call the phase, and choose the action by `Table::decide`"));
        }
        let all = names.tests.keys().chain(names.phases.keys()).chain(names.events.keys()).chain(names.values.keys());
        let all = all.map(String::as_str).filter(|name| names.statement(name).is_some());
        let near = grognard_base::did_you_mean(name, all);
        let message = format!("the rules have no test, proc, phase or event `{name}`{near}");
        Err(Error::input(message, "use a name that the rules declare"))
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.path()).finish()
    }
}

/// Returns the text of a scenario.
pub(crate) fn read(shelf: &Shelf, path: &str) -> Result<String, Error> {
    let found = grognard_rules::Library::read(shelf, path);
    let why = match found {
        Ok(Some(text)) => return Ok(text),
        Ok(None) => {
            let all = grognard_rules::Library::list(shelf);
            let scenarios = all.iter().map(String::as_str).filter(|path| path.ends_with(".toml"));
            format!("there is no scenario `{path}`{}", grognard_base::did_you_mean(path, scenarios))
        }
        Err(why) => format!("`{path}` cannot be read: {why}"),
    };
    Err(Error::input(why, "use the path of a scenario in the library, such as `game/scenarios/duel.toml`"))
}

/// Something that rules declare.
#[derive(Clone, Copy)]
pub struct Item<'r> {
    set: &'r Ruleset,
    item: &'r schema::Item,
}

impl<'r> Item<'r> {
    /// Returns the keyword, such as `kind`, `proc` or `test`.
    pub fn word(&self) -> &'static str {
        self.item.word
    }

    /// Returns the name. A field has the name of its kind before it: `Unit.nerve`.
    pub fn name(&self) -> &'r str {
        &self.item.name
    }

    /// Returns the title. It can be empty.
    pub fn title(&self) -> &'r str {
        &self.item.title
    }

    /// Returns the clauses of the rulebook that it cites.
    pub fn cites(&self) -> &'r [String] {
        &self.item.cites
    }

    /// Returns the parameters of a test, proc, phase or let, with their types as the rules write them.
    pub fn parameters(&self) -> Vec<(&'r str, String)> {
        let (names, set) = (&self.set.names, self.set);
        let func = match self.item.word {
            "test" => names.tests.get(self.name()).copied(),
            "phase" => names.phases.get(self.name()).map(|phase| set.phases[phase.at()].func),
            _ => match names.values.get(self.name()) {
                Some(ValueName::Proc(func) | ValueName::Let(func)) => Some(*func),
                _ => None,
            },
        };
        let Some(func) = func.map(|func| &set.functions[func.at()]) else { return Vec::new() };
        let params = func.locals.iter().take(func.params);
        params.map(|param| (param.name.as_str(), set.type_name(&param.ty))).collect()
    }
}

impl fmt::Debug for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.word(), self.name())
    }
}

/// A param or a reading of rules: a number or a choice that a scenario can change.
#[derive(Clone, Copy)]
pub struct Param<'r> {
    set: &'r Ruleset,
    setting: &'r Setting,
}

impl<'r> Param<'r> {
    /// Returns the name in the rules.
    pub fn name(&self) -> &'r str {
        &self.setting.name
    }

    /// Returns whether it is a reading: an answer to an open point of the rulebook.
    pub fn is_reading(&self) -> bool {
        !self.setting.alternatives.is_empty()
    }

    /// Returns the value without a scenario.
    pub fn default(&self) -> Value {
        self.value(&self.setting.value)
    }

    /// Returns the values that the rules declare for a sweep, or the alternatives of a reading. It can be empty.
    pub fn values(&self) -> Vec<Value> {
        let sweep = self.setting.sweep.iter();
        let alternatives = self.setting.alternatives.iter().map(|(cells, _)| cells);
        if self.is_reading() {
            alternatives.map(|c| self.value(c)).collect()
        } else {
            sweep.map(|c| self.value(c)).collect()
        }
    }

    /// Returns the open point of the rulebook that a reading answers. It can be empty.
    pub fn because(&self) -> &'r str {
        &self.setting.because
    }

    fn value(&self, cells: &[i64]) -> Value {
        match (self.setting.ty.present(), cells) {
            (Type::Ratio, [num, den, ..]) => {
                Ratio::new(*num, *den).map_or(Value::None, |r| Value::Ratio(r.num(), r.den()))
            }
            (ty, [cell, ..]) => constant(self.set, ty, *cell),
            _ => Value::None,
        }
    }
}

impl fmt::Debug for Param<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name(), self.default())
    }
}
