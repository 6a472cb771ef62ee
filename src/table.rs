//! A scenario that is built in code.

use crate::{Error, Rules, Scenario, Value};
use grognard_base::value::fixed;
use grognard_rules::ruleset::SiteSort;
use std::fmt;
use toml::value::Array;

/// A builder of a [`Scenario`]: things with their values, steps, players, and the measures of a report.
///
/// Each function returns the table. Errors are reported by [`Table::build`], so that calls can be chained. A table is a
/// scenario file in memory: [`Table::to_toml`] returns its text, and [`Table::open`] reads one.
///
/// ```
/// use grognard::{Folder, Rules};
///
/// let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
/// let table = rules
///     .table()
///     .thing("Squad", "guards")
///     .set("men", 10)
///     .thing("Squad", "raiders")
///     .set("men", 6)
///     .call("volley", ["guards", "raiders"])
///     .mean("raiders.men");
/// let odds = table.build()?.odds().compute()?;
/// assert_eq!(odds.first().mean().unwrap().to_string(), "158848/59049");
///
/// // the same table with one value changed
/// let fewer = table.thing("Squad", "guards").set("men", 2).build()?;
/// assert_eq!(fewer.odds().compute()?.first().mean().unwrap().to_string(), "16/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Table {
    rules: Rules,
    entries: toml::Table,
    /// The kind and the name of the thing that `set` changes.
    current: Option<(String, String)>,
    /// The first error of a call.
    wrong: Option<Error>,
}

impl Table {
    pub(crate) fn new(rules: Rules) -> Table {
        let mut entries = toml::Table::new();
        entries.insert("rules".into(), rules.path().into());
        Table { rules, entries, current: None, wrong: None }
    }

    /// Replaces the content of the table by a scenario in TOML.
    pub fn open(mut self, text: &str) -> Self {
        match text.parse::<toml::Table>() {
            Ok(entries) => self.entries = entries,
            Err(_) => {
                // the reader of scenarios finds the same error, and reports its place
                let found = self.rules.scenario_from_toml(text).err();
                let other = || Error::input("the text is not TOML", "use the text of a scenario file");
                self.fail(found.unwrap_or_else(other));
            }
        }
        self.entries.insert("rules".into(), self.rules.path().into());
        self
    }

    /// Adds a thing of a kind, or selects it if it is on the table. [`Table::set`] then sets its values.
    pub fn thing(mut self, kind: &str, name: &str) -> Self {
        if let Some(things) = self.table_at(kind) {
            things.entry(name).or_insert_with(|| toml::Table::new().into());
            self.current = Some((kind.into(), name.into()));
        }
        self
    }

    /// Sets a field of the thing that was last added or selected, or its `at`, `facing`, `base`, `traits` or `status`.
    pub fn set(mut self, field: &str, value: impl Into<Value>) -> Self {
        let value = toml(&value.into());
        let Some((kind, name)) = self.current.clone() else {
            self.fail(Error::input(format!("`set(\"{field}\", ..)` comes before any thing"), "call `thing` first"));
            return self;
        };
        let is_there = self.found(&kind).is_some_and(|things| things.get(&name).is_some());
        let thing = self.table_at(&kind).and_then(|things| things.get_mut(&name)).and_then(toml::Value::as_table_mut);
        match thing {
            Some(thing) => drop(thing.insert(field.into(), value)),
            None if is_there => {
                self.fail(Error::input(format!("`{name}` is not a table of values"), "write `[Kind.name]`"));
            }
            None => self.fail(Error::input(format!("`{name}` is not on the table"), "add it with `thing` first")),
        }
        self
    }

    /// Puts the thing that was last added or selected at a point, in thousandths of an inch.
    pub fn at(self, x: i64, y: i64) -> Self {
        self.set("at", Value::Point(x, y))
    }

    /// Sets a state of the game.
    pub fn state(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = toml(&value.into());
        self.table_at("state").map(|states| states.insert(name.into(), value));
        self
    }

    /// Sets a param or a reading.
    pub fn param(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = toml(&value.into());
        let reading = self.rules.param(name).is_some_and(|param| param.is_reading());
        self.table_at(if reading { "readings" } else { "params" }).map(|params| params.insert(name.into(), value));
        self
    }

    /// Adds a step with a statement of the rules: `do volley(guards, raiders)`, `test Morale(laans)`, `run Turn(red)`.
    pub fn step(mut self, statement: &str) -> Self {
        self.append("step", [("do", statement.into())]);
        self
    }

    /// Adds a step that calls a test, proc, phase or event by name. An action is chosen in its phase: see [`Table::decide`].
    ///
    /// Arguments of several types are [`Value`]s. A whole number for a length is a number of inches.
    ///
    /// ```
    /// use grognard::{Rules, Value};
    ///
    /// let rules = Rules::from_text("ruleset game/core
    ///
    /// kind Unit { state gone : Length = 0\" }
    /// proc advance(u: Unit, far: Length) { set u.gone += far }
    /// proc rest() { }
    /// ")?;
    /// let table = rules.table().thing("Unit", "wolves");
    /// let table = table
    ///     .call("advance", [Value::from("wolves"), 3.into()])
    ///     .call("advance", [Value::from("wolves"), Value::Length(1_500)]) // thousandths of an inch
    ///     .call("rest", [Value::None; 0]);
    /// let played = table.build()?.run().play()?;
    /// assert_eq!(played.thing("wolves").unwrap().get("gone"), Some(Value::Length(4_500)));
    /// # Ok::<(), grognard::Error>(())
    /// ```
    pub fn call<V: Into<Value>>(mut self, name: &str, arguments: impl IntoIterator<Item = V>) -> Self {
        match self.rules.statement(name) {
            Ok(word) => {
                let arguments: Vec<String> = arguments.into_iter().map(|value| literal(&value.into())).collect();
                self.step(&format!("{word} {name}({})", arguments.join(", ")))
            }
            Err(wrong) => {
                self.fail(wrong);
                self
            }
        }
    }

    /// Sets the phase that the run starts, such as `Battle()`, before any steps.
    pub fn start(mut self, call: &str) -> Self {
        self.entries.insert("start".into(), call.into());
        self
    }

    /// Repeats the start this many times.
    pub fn repeat(mut self, times: u32) -> Self {
        self.entries.insert("repeat".into(), i64::from(times).into());
        self
    }

    /// Repeats the start until a condition holds.
    pub fn until(mut self, condition: &str) -> Self {
        self.entries.insert("repeat".into(), format!("until {condition}").into());
        self
    }

    /// Sets who decides for a player: `policy:Bold`, `script`, `prefer`, `first`, `random`, `best` or `worst`.
    pub fn player(mut self, name: &str, source: &str) -> Self {
        self.table_at("players").map(|players| players.insert(name.into(), source.into()));
        self
    }

    /// Adds an answer for a decision of a player with the source `script`: see [`Table::player`]. Each answer is used once.
    /// For a decision that takes several entries, a list has the entries, as has the text `"[anna, ben]"`. For a decision
    /// of one entry, a list has alternatives: the first one on the menu counts.
    pub fn decide(mut self, choice: &str, pick: impl Into<Value>) -> Self {
        let pick = pick.into();
        let set = self.rules.set();
        let mut sorts = set.sites.iter().filter(|site| site.name == choice).map(|site| site.sort);
        let pick = match &pick {
            Value::List(entries) if sorts.any(|sort| sort == SiteSort::Subset) => {
                let entries: Vec<String> = entries.iter().map(literal).collect();
                format!("[{}]", entries.join(", ")).into()
            }
            pick => toml(pick),
        };
        self.append("decide", [("choice", choice.into()), ("pick", pick)]);
        self
    }

    /// Fixes the faces of a roll, such as `volley.aim`, in the run that is played.
    pub fn roll<V: Into<Value>>(mut self, roll: &str, faces: impl IntoIterator<Item = V>) -> Self {
        let faces: Array = faces.into_iter().map(|face| toml(&face.into())).collect();
        let row = toml::Table::from_iter([("roll".to_string(), roll.into()), ("give".to_string(), faces.into())]);
        if let Some(dice) = self.table_at("dice") {
            let rolls = dice.entry("rolls").or_insert_with(|| Array::new().into());
            if let Some(rolls) = rolls.as_array_mut() {
                rolls.push(row.into());
            }
        }
        self
    }

    /// Adds the mean of a number at the end to the report.
    pub fn mean(self, expression: &str) -> Self {
        self.report("mean", expression)
    }

    /// Adds the probability of a condition at the end to the report.
    pub fn chance(self, condition: &str) -> Self {
        self.report("chance", condition)
    }

    /// Adds the distribution of a value at the end to the report.
    pub fn hist(self, expression: &str) -> Self {
        self.report("hist", expression)
    }

    /// Adds a condition that must hold at the end of the run.
    pub fn expect(mut self, condition: &str) -> Self {
        self.append("expect", [("that", condition.into())]);
        self
    }

    /// Sets the seed of dice that nothing else fixes.
    pub fn seed(mut self, seed: u32) -> Self {
        self.entries.insert("seed".into(), i64::from(seed).into());
        self
    }

    /// Returns the names under a path, such as the things of a kind. The path has the keys of the scenario file with points
    /// between them, and numbers from 0 in lists; the empty path is the whole file. It is empty if the path does not lead to
    /// a table or a list.
    ///
    /// ```
    /// # use grognard::{Folder, Rules};
    /// let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
    /// let table = rules
    ///     .table()
    ///     .thing("Squad", "guards").set("men", 10)
    ///     .thing("Squad", "raiders")
    ///     .call("volley", ["guards", "raiders"])
    ///     .mean("raiders.men");
    /// assert_eq!(table.keys(""), ["rules", "Squad", "step", "report"]);
    /// assert_eq!(table.keys("Squad"), ["guards", "raiders"]);
    /// assert_eq!(table.get("Squad.guards.men").as_deref(), Some("10"));
    /// assert_eq!(table.get("step.0.do").as_deref(), Some("\"do volley(guards, raiders)\""));
    ///
    /// let other = table.remove("report.mean").chance("raiders.men == 0");
    /// assert_eq!(other.get("report").as_deref(), Some("{ chance = [\"raiders.men == 0\"] }"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keys(&self, path: &str) -> Vec<String> {
        match self.found(path) {
            _ if path.is_empty() => self.entries.keys().cloned().collect(),
            Some(toml::Value::Table(table)) => table.keys().cloned().collect(),
            Some(toml::Value::Array(list)) => (0..list.len()).map(|n| n.to_string()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns what a path leads to, as TOML: see [`Table::keys`]. Returns `None` if nothing is there.
    pub fn get(&self, path: &str) -> Option<String> {
        self.found(path).map(toml::Value::to_string)
    }

    /// Removes what a path leads to, such as a thing, a step, a measure or a value: see [`Table::keys`].
    pub fn remove(mut self, path: &str) -> Self {
        let route = self.route(None, path).unwrap_or_default();
        let (key, above) = route.split_last().map_or((path, String::new()), |(key, above)| (*key, above.join(".")));
        let above = above.as_str();
        let removed = match self.found_mut(above) {
            None if above.is_empty() && key != "rules" => self.entries.remove(key),
            Some(toml::Value::Table(table)) => table.remove(key),
            Some(toml::Value::Array(list)) => {
                key.parse().ok().filter(|n| *n < list.len()).map(|n: usize| list.remove(n))
            }
            _ => None,
        };
        if removed.is_none() {
            self.fail(Error::input(format!("the table has no `{path}` to remove"), "use a path that `keys` lists"));
        }
        self
    }

    /// Returns the table as the text of a scenario file.
    pub fn to_toml(&self) -> String {
        self.entries.to_string()
    }

    /// Checks the table against the rules.
    ///
    /// # Errors
    ///
    /// If a call was wrong, or the table does not fit the rules. Places are lines of [`Table::to_toml`].
    pub fn build(&self) -> Result<Scenario, Error> {
        match &self.wrong {
            Some(wrong) => Err(wrong.clone()),
            None => Scenario::bind(self.rules.shelf().clone(), "table", self.to_toml(), Some(self.rules.clone())),
        }
    }

    fn found(&self, path: &str) -> Option<&toml::Value> {
        self.route(None, path)?.iter().try_fold(None, |at, key| self.child(at, key).map(Some))?
    }

    fn found_mut(&mut self, path: &str) -> Option<&mut toml::Value> {
        let route = self.route(None, path)?;
        let (first, rest) = route.split_first()?;
        rest.iter().try_fold(self.entries.get_mut(*first)?, |at, key| match at {
            toml::Value::Array(list) => list.get_mut(key.parse::<usize>().ok()?),
            other => other.get_mut(*key),
        })
    }

    /// Returns the keys along a path. A key can contain points, so the longest key comes first.
    fn route<'p>(&self, at: Option<&toml::Value>, path: &'p str) -> Option<Vec<&'p str>> {
        if self.child(at, path).is_some() {
            return Some(vec![path]);
        }
        path.rmatch_indices('.').find_map(|(dot, _)| {
            let (key, rest) = (&path[..dot], &path[dot + 1..]);
            let below = self.route(Some(self.child(at, key)?), rest)?;
            Some(std::iter::once(key).chain(below).collect())
        })
    }

    /// Returns what a key of a value leads to, or of the whole table without a value.
    fn child<'t>(&'t self, at: Option<&'t toml::Value>, key: &str) -> Option<&'t toml::Value> {
        match at {
            None => self.entries.get(key),
            Some(toml::Value::Array(list)) => list.get(key.parse::<usize>().ok()?),
            Some(other) => other.get(key),
        }
    }

    fn report(mut self, sort: &str, expression: &str) -> Self {
        if let Some(report) = self.table_at("report") {
            let list = report.entry(sort).or_insert_with(|| Array::new().into());
            if let Some(list) = list.as_array_mut() {
                list.push(expression.into());
            }
        }
        self
    }

    /// Returns the table under a key, which is added if it is missing.
    fn table_at(&mut self, key: &str) -> Option<&mut toml::Table> {
        let is_table = self.entries.get(key).is_none_or(toml::Value::is_table);
        if !is_table {
            let message = format!("`{key}` is not a table in this scenario");
            self.fail(Error::input(message, "use the name of a kind of the rules"));
            return None;
        }
        self.entries.entry(key).or_insert_with(|| toml::Table::new().into()).as_table_mut()
    }

    /// Appends an entry to a list of tables.
    fn append<const N: usize>(&mut self, key: &str, row: [(&str, toml::Value); N]) {
        let row: toml::Table = row.into_iter().map(|(key, value)| (key.to_string(), value)).collect();
        match self.entries.entry(key).or_insert_with(|| Array::new().into()).as_array_mut() {
            Some(list) => list.push(row.into()),
            None => self.fail(Error::input(format!("`{key}` is not a list in this scenario"), "write `[[..]]`")),
        }
    }

    fn fail(&mut self, wrong: Error) {
        self.wrong.get_or_insert(wrong);
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_toml())
    }
}

/// Returns a number with its digits after the point.
fn number(n: i64, parts: i64) -> toml::Value {
    let text = fixed(n, parts);
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(whole), _) => whole.into(),
        (_, Ok(part)) => part.into(),
        _ => text.into(),
    }
}

/// Converts a value to its form in a scenario.
fn toml(value: &Value) -> toml::Value {
    let table = |parts: &[(grognard_base::value::plain::ShortText, Value)]| -> toml::Value {
        parts.iter().map(|(name, value)| (name.to_string(), toml(value))).collect::<toml::Table>().into()
    };
    match value {
        Value::Int(n) => (*n).into(),
        Value::Flag(yes) => (*yes).into(),
        Value::Length(n) | Value::Covered(n) => number(*n, 1000),
        Value::Angle(n) => number(*n, 100),
        Value::Point(x, y) => vec![number(*x, 1000), number(*y, 1000)].into(),
        Value::List(entries) | Value::Tuple(entries) => entries.iter().map(toml).collect::<Array>().into(),
        Value::Record(parts) => table(parts),
        Value::Thing(name) | Value::Word(name) | Value::Die(name) => name.as_str().into(),
        Value::Ratio(..) | Value::None => value.to_string().into(),
        Value::Action { .. } => value.to_string().into(),
    }
}

/// Converts a value to its form in a statement of the rules.
fn literal(value: &Value) -> String {
    match value {
        Value::Point(x, y) => format!("[{}, {}]", fixed(*x, 1000), fixed(*y, 1000)),
        value => value.to_string(),
    }
}
