//! A scenario that is bound to its rules.

use crate::library::Shelf;
use crate::rules::read;
use crate::{
    CompareRequest, Diagnostic, Error, ErrorKind, Game, Library, OddsRequest, Rules, Run, SampleRequest, Value,
};
use grognard_base::value::SettingId;
use grognard_base::{Source, Sources, did_you_mean};
use grognard_program::Detail;
use grognard_scenario as inner;
use grognard_scenario::scene::{Asker, SceneTexts, Wanted, bind};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A scenario: a table with its rules, ready to be played. A copy shares its parts and is cheap.
///
/// ```
/// use grognard::{Folder, Scenario};
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// assert_eq!(scenario.odds().compute()?.first().mean().unwrap().to_string(), "158848/59049");
///
/// let harder = scenario.with("hit_on", 6)?;
/// let odds = harder.odds().of("raiders.men == 6").compute()?;
/// assert_eq!(odds.first().chance().exact().unwrap().decimal(3), "0.308"); // (8/9)^10
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Scenario(Arc<Inner>);

struct Inner {
    shelf: Shelf,
    name: String,
    text: String,
    /// The rules in place of those that the scenario names.
    rules: Option<Rules>,
    changes: Changes,
    plain: Bound,
    /// The same with the marks for traces, once a trace is requested.
    traced: OnceLock<Bound>,
    /// The scenario for environments, once one is requested.
    engine: OnceLock<Arc<inner::Scenario>>,
}

/// A scenario with the texts that its spans refer to.
pub(crate) struct Bound {
    pub scenario: inner::Scenario,
    pub sources: Sources,
}

/// The changes after the scenario was read, in the forms of the command line.
#[derive(Clone, Default)]
#[cfg_attr(feature = "scale", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Changes {
    set: Vec<String>,
    of: Vec<String>,
    hist: Vec<String>,
    decide: Vec<String>,
    objective: Option<String>,
}

impl Scenario {
    /// Loads a scenario with the rules that it names, such as `game/scenarios/duel.toml`.
    ///
    /// # Errors
    ///
    /// If a file is missing, or the rules or the scenario have errors.
    pub fn load(library: impl Library + 'static, path: &str) -> Result<Scenario, Error> {
        let shelf = Shelf::new(library);
        let text = read(&shelf, path)?;
        Scenario::bind(shelf, path, text, None)
    }

    /// Loads a scenario that is part of this crate, such as `warstrike/scenarios/orders-under-fire.toml`.
    ///
    /// # Errors
    ///
    /// If no shipped scenario has this path.
    #[cfg(feature = "books")]
    pub fn shipped(path: &str) -> Result<Scenario, Error> {
        Scenario::load(crate::Texts::shipped(), path)
    }

    pub(crate) fn bind(shelf: Shelf, name: &str, text: String, rules: Option<Rules>) -> Result<Scenario, Error> {
        Scenario::of(shelf, name.to_string(), text, rules, Changes::default())
    }

    fn of(shelf: Shelf, name: String, text: String, rules: Option<Rules>, changes: Changes) -> Result<Scenario, Error> {
        let plain = bound(&shelf, (&name, &text), rules.as_ref(), &changes, Detail::Plain)?;
        Ok(Scenario(Arc::new(Inner {
            shelf,
            name,
            text,
            rules,
            changes,
            plain,
            traced: OnceLock::new(),
            engine: OnceLock::new(),
        })))
    }

    /// Returns the scenario with another value of a param or a reading.
    ///
    /// # Errors
    ///
    /// If the rules have no such param, or the value does not fit it.
    pub fn with(&self, name: &str, value: impl Into<Value>) -> Result<Scenario, Error> {
        let value = value.into();
        self.changed(|changes| {
            changes.set.retain(|set| set.split_once('=').is_none_or(|(other, _)| other != name));
            changes.set.push(format!("{name}={value}"));
        })
    }

    /// Returns the scenario with another source of decisions for a player: `policy:Bold`, `prefer`, `random`, `best`.
    ///
    /// # Errors
    ///
    /// If there is no such player or no such source.
    pub fn with_player(&self, player: &str, source: &str) -> Result<Scenario, Error> {
        self.changed(|changes| {
            changes.decide.retain(|set| set.split_once('=').is_none_or(|(other, _)| other != player));
            changes.decide.push(format!("{player}={source}"));
        })
    }

    /// Returns the scenario with other measures: expressions at the end, such as `red.men` or `red.men == 0`.
    ///
    /// # Errors
    ///
    /// If there is no expression, or one does not fit the table.
    pub fn measuring<E: Into<String>>(&self, expressions: impl IntoIterator<Item = E>) -> Result<Scenario, Error> {
        let expressions: Vec<String> = expressions.into_iter().map(Into::into).collect();
        if expressions.is_empty() {
            let help = "name an expression such as `red.men`, or use the scenario itself";
            return Err(Error::input("there is nothing to measure", help));
        }
        self.measured(expressions, Vec::new())
    }

    /// Returns the scenario with other measures, and further ones of which all values are counted.
    pub(crate) fn measured(&self, of: Vec<String>, hist: Vec<String>) -> Result<Scenario, Error> {
        self.changed(|changes| (changes.of, changes.hist) = (of, hist))
    }

    /// Returns the scenario with another value that `best` and `worst` players optimize.
    ///
    /// # Errors
    ///
    /// If the expression does not fit the table.
    pub fn with_objective(&self, expression: &str) -> Result<Scenario, Error> {
        self.changed(|changes| changes.objective = Some(expression.to_string()))
    }

    fn changed(&self, change: impl FnOnce(&mut Changes)) -> Result<Scenario, Error> {
        let Inner { shelf, name, text, rules, changes, .. } = &*self.0;
        let mut changes = changes.clone();
        change(&mut changes);
        Scenario::of(shelf.clone(), name.clone(), text.clone(), rules.clone(), changes)
    }

    /// Returns the path of the rules.
    pub fn rules(&self) -> &str {
        &self.plain().scenario.plan.rules
    }

    /// Returns the rules, checked again from the library of the scenario.
    ///
    /// ```
    /// # use grognard::{Folder, Scenario};
    /// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?.with("hit_on", 5)?;
    /// let param = scenario.ruleset()?.param("hit_on").unwrap().default();
    /// assert_eq!((param.as_int(), scenario.param("hit_on").unwrap().as_int()), (Some(4), Some(5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the library has changed since the scenario was loaded, and the rules now have errors.
    pub fn ruleset(&self) -> Result<Rules, Error> {
        match &self.0.rules {
            Some(rules) => Ok(rules.clone()),
            None => Rules::of(self.0.shelf.clone(), self.rules()),
        }
    }

    /// Returns the value of a param or a reading in this scenario, or `None` if the rules have no such name.
    pub fn param(&self, name: &str) -> Option<Value> {
        let game = &self.plain().scenario.game;
        let n = game.program.schema.settings.iter().position(|setting| setting.name == name)?;
        Some(crate::value::of(game, &game.program.schema.settings[n].ty, game.setting(SettingId::from(n))))
    }

    /// Returns the text of the scenario in TOML. Later changes are not part of it.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the expressions of the report.
    pub fn measures(&self) -> impl Iterator<Item = &str> {
        self.plain().scenario.plan.report.iter().map(|figure| figure.text.as_str())
    }

    /// Returns remarks about text that suggests another meaning.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let Bound { scenario, sources } = self.plain();
        Diagnostic::all(&scenario.remarks(), sources)
    }

    /// Starts a question about one run.
    pub fn run(&self) -> Run<'_> {
        Run::new(self)
    }

    /// Starts a run that waits for each decision.
    ///
    /// # Errors
    ///
    /// If the run ends in an error before its first decision.
    pub fn start(&self) -> Result<Game, Error> {
        Game::new(self, true, false)
    }

    /// Starts a run that waits for each decision, and for each roll and draw that the scenario does not fix: see
    /// [`Game::hold_rolls`].
    ///
    /// ```
    /// use grognard::{Folder, Pending, Scenario};
    ///
    /// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
    /// let game = scenario.start_held()?;
    /// assert!(matches!(game.pending(), Pending::Roll(roll) if roll.name == "volley.aim" && roll.count() == 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the run ends in an error before its first question.
    pub fn start_held(&self) -> Result<Game, Error> {
        Game::new(self, true, true)
    }

    /// Starts a run that waits for each decision and records no trace, which is faster. [`Game::seed`] and [`Game::number`]
    /// choose the run.
    ///
    /// ```
    /// use grognard::{Pending, Scenario};
    ///
    /// let scenario = Scenario::shipped("warstrike/scenarios/orders-under-fire.toml")?;
    /// let mut game = scenario.start_untraced()?.seed(4)?;
    /// while !matches!(game.pending(), Pending::Over(_)) {
    ///     game.auto()?;
    /// }
    /// assert!(game.trace().events().is_empty());
    /// # Ok::<(), grognard::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the run ends in an error before its first decision.
    pub fn start_untraced(&self) -> Result<Game, Error> {
        Game::new(self, false, false)
    }

    /// Starts a question about exact odds.
    pub fn odds(&self) -> OddsRequest<'_> {
        OddsRequest::new(self)
    }

    /// Starts a question about many runs.
    pub fn sample(&self, runs: u64) -> SampleRequest<'_> {
        SampleRequest::new(self, runs)
    }

    /// Starts a comparison with a second version, B. This scenario is A.
    pub fn compare<'s>(&'s self, b: &'s Scenario) -> CompareRequest<'s> {
        CompareRequest::new(self, b)
    }

    /// Starts a question about the effects of the readings: the answers to open points of the rulebook.
    #[cfg(feature = "report")]
    pub fn readings(&self) -> crate::ReadingsRequest<'_> {
        crate::ReadingsRequest::new(self)
    }

    /// Starts a sweep: the measures at each point of a grid of params and readings.
    #[cfg(feature = "report")]
    pub fn sweep(&self) -> crate::SweepRequest<'_> {
        crate::SweepRequest::new(self)
    }

    pub(crate) fn shared(&self) -> &Arc<inner::Scenario> {
        self.0.engine.get_or_init(|| Arc::new(self.plain().scenario.clone()))
    }

    pub(crate) fn plain(&self) -> &Bound {
        &self.0.plain
    }

    pub(crate) fn traced(&self) -> Result<&Bound, Error> {
        let Inner { shelf, name, text, rules, changes, traced, .. } = &*self.0;
        if let Some(bound) = traced.get() {
            return Ok(bound);
        }
        let found = bound(shelf, (name, text), rules.as_ref(), changes, Detail::Traced)?;
        Ok(traced.get_or_init(|| found))
    }

    /// Returns the path in the library.
    pub(crate) fn path(&self) -> &str {
        &self.0.name
    }

    /// Returns everything that the scenario is made of, as data. The texts are those that are read to load it.
    #[cfg(feature = "scale")]
    pub(crate) fn packed(&self) -> Result<crate::scale::Packed, Error> {
        let Inner { shelf, name, text, rules, changes, .. } = &*self.0;
        let shelf = Shelf::new(shelf.seen().into_iter().collect::<crate::Texts>());
        let packed = |texts| crate::scale::Packed {
            texts,
            path: name.clone(),
            text: text.clone(),
            rules: rules.as_ref().map(|rules| rules.path().to_string()),
            changes: changes.clone(),
        };
        Scenario::unpacked_from(shelf.clone(), packed(Default::default()))?;
        Ok(packed(shelf.seen()))
    }

    /// Loads a scenario from data.
    #[cfg(feature = "scale")]
    pub(crate) fn unpacked(packed: crate::scale::Packed) -> Result<Scenario, Error> {
        let texts: crate::Texts = packed.texts.iter().map(|(path, text)| (path.clone(), text.clone())).collect();
        Scenario::unpacked_from(Shelf::new(texts), packed)
    }

    #[cfg(feature = "scale")]
    fn unpacked_from(shelf: Shelf, packed: crate::scale::Packed) -> Result<Scenario, Error> {
        let rules = packed.rules.map(|path| Rules::of(shelf.clone(), &path)).transpose()?;
        Scenario::of(shelf, packed.path, packed.text, rules, packed.changes)
    }

    /// Returns the rules with the settings, as `grognard compare` names a version.
    #[cfg(feature = "report")]
    pub(crate) fn version(&self) -> String {
        let set = self.0.changes.set.join(",");
        let settings = if set.is_empty() { String::new() } else { format!(":{set}") };
        format!("{}{settings}", self.rules().trim_end_matches(".rules"))
    }

    /// Prepares the scenario with measures in place of its own, if there are any, and with params and readings that are
    /// varied.
    #[cfg(feature = "report")]
    pub(crate) fn prepared(&self, of: &[String], over: Option<&Varied>) -> Result<(inner::Prepared, Sources), Error> {
        let Inner { shelf, name, text, rules, changes, .. } = &*self.0;
        let mut changes = changes.clone();
        if !of.is_empty() {
            changes.of = of.to_vec();
        }
        let mut sources = rules.as_ref().map(|rules| rules.sources().clone()).unwrap_or_default();
        let prepared = prepared(shelf, (name, text), rules.as_ref(), (&changes, over), Detail::Plain, &mut sources)?;
        Ok((prepared, sources))
    }

    /// Returns the file name without its ending.
    pub(crate) fn name(&self) -> &str {
        let file = self.0.name.rsplit('/').next().unwrap_or_default();
        file.strip_suffix(".toml").unwrap_or(file)
    }

    /// Returns the error for a name that is not a player on the table, or `None` if it is one.
    pub(crate) fn not_a_player(&self, name: &str) -> Option<Error> {
        let game = &self.plain().scenario.game;
        if let Some((kind, _)) = game.thing(name) {
            let schema = &game.program.schema;
            let owner = &schema.fields[schema.kinds[kind.at()].owner?.at()].name;
            let message = format!("`{name}` is not a player: its `{owner}` decides for it");
            return Some(Error::input(message, "name the player who decides"));
        }
        let names = game.names.iter().flatten().map(String::as_str);
        let near = did_you_mean(name, names);
        Some(Error::input(
            format!("there is no `{name}` on the table{near}"),
            "use the name of a thing of the scenario",
        ))
    }
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario").field("name", &self.0.name).field("rules", &self.rules()).finish()
    }
}

fn bound(
    shelf: &Shelf,
    (name, text): (&str, &str),
    rules: Option<&Rules>,
    changes: &Changes,
    detail: Detail,
) -> Result<Bound, Error> {
    let mut sources = rules.map(|rules| rules.sources().clone()).unwrap_or_default();
    let found = prepared(shelf, (name, text), rules, (changes, None), detail, &mut sources)?;
    let scenario = found.settle().map_err(|found| Error::found(ErrorKind::Scenario, &found, &sources))?;
    Ok(Bound { scenario, sources })
}

/// Params and readings that a sweep varies, each as `name` or as `name=values`.
pub(crate) type Varied = [String];

fn prepared(
    shelf: &Shelf,
    (name, text): (&str, &str),
    rules: Option<&Rules>,
    (changes, over): (&Changes, Option<&Varied>),
    detail: Detail,
    sources: &mut Sources,
) -> Result<inner::Prepared, Error> {
    let texts = SceneTexts { name, text: text.to_string(), own: shelf, root: shelf };
    let wanted = Wanted {
        set: &changes.set,
        of: &changes.of,
        hist: &changes.hist,
        asker: Asker::Library,
        decide: &changes.decide,
        objective: changes.objective.as_deref(),
        instead: rules.map(Rules::set),
        spares: true,
        ..Wanted::default()
    };
    let instead = rules.map(|rules| rules.path().to_string());
    let over = over.map(|over| {
        let read = |text: &String| inner::Over::read(text, sources.add(Source::new("over", text.as_str())));
        over.iter().map(read).collect::<Vec<inner::Over>>()
    });
    let found = bind(texts, instead, wanted, over.as_deref(), |_, _| (), detail, sources);
    let found = found.map_err(|why| Error::input(why, "use the names and values that the rules declare"))?;
    let found = found.map_err(|found| Error::found(ErrorKind::Scenario, &found, sources))?;
    Ok(found.compile())
}
