//! Binds the things of a scenario: `[Kind.id]`, `[Kind]` with `id = {}`, and `[[line]]`.

use super::build::Builder;
use super::document::{Document, Entry, Node, Value, get};
use super::keys::is_key;
use super::values::shortened;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, OrdMap, OrdSet, Span, did_you_mean};
use grognard_board::{Point, Shape};
use grognard_rules::index::Means;
use grognard_rules::ruleset::{FieldSort, Ruleset, TypeName};
use grognard_syntax::{self as syntax, tree::TraitSort};
use grognard_vm::ThingSpec;
use std::cell::RefCell;

/// A thing that the scenario declares, with its span and keys.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The kind.
    pub kind: KindId,
    /// The name.
    pub name: String,
    /// The span of the declaration.
    pub span: Span,
    /// The keys.
    pub keys: Vec<Entry>,
    /// The place, if its line sets it.
    pub at: Option<(i64, i64)>,
    /// For a thing of `each`, the thing that it belongs to.
    pub of: Option<(KindId, i64)>,
}

/// All things, by kind and number.
#[derive(Clone, Debug, Default)]
pub struct Things {
    /// The things in the order of their numbers.
    pub all: Vec<Declared>,
    /// Kind and number by name.
    pub by_name: OrdMap<String, (KindId, i64)>,
    /// Names under an unknown kind. The unknown kind is reported once, and errors that result from it are suppressed.
    pub lost: OrdSet<String>,
    /// Things that can enter play later, by their substitute names in the current answer.
    pub coming: RefCell<OrdMap<String, (KindId, i64)>>,
}

/// Keys of a line that do not apply to its things.
const LINE_KEYS: &[&str] = &["kind", "ids", "at", "step", "each"];
/// Maximum number of things on a table.
const MOST_THINGS: usize = 10_000;

impl Things {
    /// Returns the thing with this name.
    pub fn named(&self, name: &str) -> Option<(KindId, i64)> {
        self.by_name.get(name).copied().or_else(|| self.coming.borrow().get(name).copied())
    }

    /// Collects the names and numbers of all things. Their values are bound later, when every name is known.
    pub fn declare(document: &Document, rules: &Ruleset, problems: &mut Vec<Diagnostic>) -> Things {
        let mut things = Things::default();
        for entry in &document.entries {
            if let Some(TypeName::Kind(kind)) = rules.names.types.get(&entry.key) {
                for thing in entry.node.table().unwrap_or_default() {
                    let keys = match &thing.node.value {
                        Value::Table(keys) => keys.clone(),
                        _ => {
                            let message =
                                format!("`{}` must be a table of values: `{} = {{ .. }}`", thing.key, thing.key);
                            problems.push(Diagnostic::new(Code::BadValue, thing.node.span, message));
                            Vec::new()
                        }
                    };
                    let declared =
                        Declared { kind: *kind, name: thing.key.clone(), span: thing.span, keys, at: None, of: None };
                    things.add(declared, problems);
                }
                if entry.node.table().is_none() {
                    let message = format!("`{}` must be a table of things: `[{}.some_name]`", entry.key, entry.key);
                    problems.push(Diagnostic::new(Code::BadValue, entry.node.span, message));
                }
            } else if entry.key == "line" {
                for line in entry.node.all() {
                    if std::ptr::eq(line, &raw const entry.node) || line.table().is_none() {
                        let problem = Diagnostic::new(Code::BadValue, line.span, "`line` must be a list of tables");
                        problems.push(problem.help("write `[[line]]`, and under it `kind`, `ids` and the position"));
                    } else {
                        things.line(line, rules, problems);
                    }
                }
            } else if !is_key(&entry.key)
                && let Some(below) = entry.node.table()
            {
                // `[Unitt.lions]`, `[unit.lions]` and `[lions]`
                let kind = entry.key.starts_with(|c: char| c.is_ascii_uppercase());
                let things_below = below.iter().filter(|e| kind || e.node.table().is_some());
                things.lost.extend(things_below.map(|e| e.key.clone()));
                if !kind {
                    things.lost.insert(entry.key.clone());
                }
            }
        }
        things
    }

    fn add(&mut self, thing: Declared, problems: &mut Vec<Diagnostic>) {
        let fine = thing.name.starts_with(|c: char| c.is_ascii_lowercase())
            && thing.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            && thing.name.len() <= 64;
        let kept = syntax::is_reserved(&thing.name);
        if !fine || kept {
            let message = format!("`{}` cannot be the name of a thing", thing.name);
            let help = match kept {
                true => "use another name; in rules and scenarios this is a word of the language",
                false => "use only lowercase letters, digits and `_` in a name, and begin with a letter",
            };
            problems.push(Diagnostic::new(Code::BadValue, thing.span, message).help(help));
            self.lost.insert(thing.name);
            return;
        }
        if self.by_name.contains_key(&thing.name) {
            let first = self.all.iter().find(|t| t.name == thing.name).map_or(thing.span, |t| t.span);
            let found = Diagnostic::new(Code::Twice, thing.span, format!("two things have the name `{}`", thing.name));
            problems.push(found.help("give each thing a different name, also across kinds").and(first, "the first"));
            return;
        }
        if self.all.len() >= MOST_THINGS {
            let full = |found: &Diagnostic| found.code == Code::TooLarge;
            if self.lost.insert(thing.name) && !problems.iter().any(full) {
                let message = format!("more than {MOST_THINGS} things are on the table");
                problems.push(Diagnostic::new(Code::TooLarge, thing.span, message).help("remove some of them"));
            }
            return;
        }
        let number = self.all.iter().filter(|t| t.kind == thing.kind).count() as i64;
        self.by_name.insert(thing.name.clone(), (thing.kind, number));
        self.all.push(thing);
    }

    /// Adds the things of a line.
    fn line(&mut self, line: &Node, rules: &Ruleset, problems: &mut Vec<Diagnostic>) {
        let Some(entries) = line.table() else { return };
        let mut bad = |span: Span, message: String| problems.push(Diagnostic::new(Code::BadValue, span, message));
        let Some(kind) = get(entries, "kind") else { return bad(line.span, "a line requires a `kind`".into()) };
        let Some(id) = kind.node.text().and_then(|k| kind_named(rules, k)) else {
            let near = did_you_mean(kind.node.text().unwrap_or_default(), rules.kinds.iter().map(|k| k.name.as_str()));
            bad(kind.node.span, format!("`kind` must name a kind of the rules{near}"));
            if let Some(Value::List(ids)) = get(entries, "ids").map(|e| &e.node.value) {
                self.lost.extend(ids.iter().filter_map(|id| id.text().map(str::to_string)));
            }
            return;
        };
        let Some(Value::List(ids)) = get(entries, "ids").map(|e| &e.node.value) else {
            return bad(line.span, "a line requires `ids`, a list of names".into());
        };
        let pair = |key: &str| match get(entries, key).map(|e| &e.node.value) {
            Some(Value::List(list)) => match list.as_slice() {
                [Node { value: Value::Number(x), .. }, Node { value: Value::Number(y), .. }] => {
                    super::values::thousandths(x).zip(super::values::thousandths(y))
                }
                _ => None,
            },
            _ => None,
        };
        for key in ["at", "step"] {
            if let (Some(entry), None) = (get(entries, key), pair(key)) {
                bad(entry.node.span, format!("`{key}` must be a pair of numbers, [x, y]"));
            }
        }
        let (at, step) = (pair("at"), pair("step").unwrap_or((0, 0)));
        let common: Vec<Entry> = entries.iter().filter(|e| !LINE_KEYS.contains(&e.key.as_str())).cloned().collect();
        let mut owners = Vec::new();
        for (n, name) in ids.iter().enumerate() {
            let Some(text) = name.text() else {
                problems.push(Diagnostic::new(Code::BadValue, name.span, "`ids` must be names in quotes"));
                continue;
            };
            let n = n as i64;
            let at = at.map(|(x, y)| (x + n * step.0, y + n * step.1));
            self.add(
                Declared { kind: id, name: text.to_string(), span: name.span, keys: common.clone(), at, of: None },
                problems,
            );
            owners.push((text.to_string(), name.span));
        }
        let Some(each) = get(entries, "each") else { return };
        let Some(linked) = each.node.table() else {
            return problems.push(Diagnostic::new(
                Code::BadValue,
                each.node.span,
                "`each` must be a table: `each = { Kind = { .. } }`",
            ));
        };
        for entry in linked {
            let Some(kind) = kind_named(rules, &entry.key) else {
                let near = did_you_mean(&entry.key, rules.kinds.iter().map(|k| k.name.as_str()));
                problems.push(Diagnostic::new(
                    Code::UnknownKey,
                    entry.span,
                    format!("there is no kind `{}`{near}", entry.key),
                ));
                continue;
            };
            let keys = entry.node.table().unwrap_or_default().to_vec();
            for (owner, span) in &owners {
                let Some(of) = self.by_name.get(owner).copied() else { continue };
                let name = format!("{owner}_{}", snake(&entry.key));
                self.add(Declared { kind, name, span: *span, keys: keys.clone(), at: None, of: Some(of) }, problems);
            }
        }
    }
}

fn kind_named(rules: &Ruleset, name: &str) -> Option<KindId> {
    match rules.names.types.get(name) {
        Some(TypeName::Kind(kind)) => Some(*kind),
        _ => None,
    }
}

/// Converts a name to snake case: `HeavyWeapon` to `heavy_weapon`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

impl Builder<'_> {
    /// Binds the values of all things.
    pub(super) fn things(&mut self) {
        let mut specs: Vec<ThingSpec> = Vec::new();
        for thing in &self.table.all {
            specs.push(self.spec(thing));
        }
        self.setup.things = specs;
    }

    fn spec(&mut self, thing: &Declared) -> ThingSpec {
        let mut spec = ThingSpec::new(thing.kind, thing.name.clone());
        spec.at = thing.at;
        let kind = self.rs().kinds[thing.kind.at()].clone();
        if kind.on_board {
            self.contradictions(thing);
        }
        let mut corners: Option<(&Node, Vec<(i64, i64)>)> = None;
        for entry in &thing.keys {
            let (key, node) = (entry.key.as_str(), &entry.node);
            let board = matches!(key, "at" | "facing" | "base" | "length" | "shape");
            // a settable field has precedence over a key of the board with the same name
            let field = self.rs().names.fields.get(&(thing.kind, key.to_string()));
            let given = |id: &FieldId| !matches!(self.rs().fields[id.at()].sort, FieldSort::Let(_));
            let own = field.is_some_and(given);
            match key {
                _ if own => self.field(entry, thing.kind, &mut spec),
                _ if board && !kind.on_board => {
                    let message = format!("`{key}`: a {} cannot be on the board", kind.name);
                    self.say_help(
                        Code::BadValue,
                        entry.span,
                        message,
                        "only kinds declared `on board` have a position",
                    );
                }
                "at" => spec.at = self.point(node, "`at`"),
                "facing" => spec.facing = self.facing(node),
                "base" => self.extent(node, "`base`", &mut spec, |n| Shape::Disc { radius: n }),
                "length" => {
                    self.extent(node, "`length`", &mut spec, |n| Shape::Segment { length: n });
                    if spec.shape == (Shape::Segment { length: 0 }) {
                        let message = format!("`{}` is a straight piece of length 0", thing.name);
                        self.problems.push(Diagnostic::new(Code::NoLength, node.span, message));
                    }
                }
                "shape" => {
                    let mut points = Vec::new();
                    for corner in self.list(node, "`shape`") {
                        points.extend(self.point(corner, "a corner"));
                    }
                    corners = Some((node, points));
                }
                // the key is only for the reader: the thing has no place
                "off" if kind.on_board => {
                    if thing.at.is_some() || thing.keys.iter().any(|entry| entry.key == "at") {
                        let message = format!("`{}` has a position and is also `off` the board", thing.name);
                        self.problems.push(Diagnostic::new(Code::Contradict, entry.span, message));
                    }
                    if !matches!(node.value, Value::Flag(true)) {
                        self.bad(node.span, "`off` must be `true`, or be omitted");
                    }
                }
                "traits" => self.given_traits(node, thing.kind, &mut spec),
                "status" => self.given_statuses(node, thing.kind, &mut spec),
                _ => self.field(entry, thing.kind, &mut spec),
            }
        }
        if let Some((node, points)) = corners {
            match polygon(&thing.name, &points) {
                Ok((place, shape)) => (spec.at, spec.shape) = (Some(place), shape),
                Err((code, why)) => self.problems.push(Diagnostic::new(code, node.span, why)),
            }
        }
        if let Some((owner, number)) = thing.of {
            self.link_to(thing, owner, number, &mut spec);
        }
        spec
    }

    /// Reports contradicting keys: a thing has one outline, and an area is located by its corners.
    fn contradictions(&mut self, thing: &Declared) {
        let keys = |wanted: &[&str]| -> Vec<&Entry> {
            thing.keys.iter().filter(|entry| wanted.contains(&entry.key.as_str())).collect()
        };
        let mut contradict = |entry: &Entry, message: String, help: &str| {
            self.problems.push(Diagnostic::new(Code::Contradict, entry.span, message).help(help));
        };
        if let [first, second, ..] = keys(&["base", "length", "shape"])[..] {
            let message = format!("`{}` has both a `{}` and a `{}`", thing.name, first.key, second.key);
            let help = "keep only one: `base` is the radius of a round base, `length` that of a straight piece, and \
                        `shape` lists the corners of an area";
            contradict(second, message, help);
        }
        if let [shape] = keys(&["shape"])[..]
            && (thing.at.is_some() || !keys(&["at"]).is_empty())
        {
            let message = format!("`{}` has both an `at` and a `shape`", thing.name);
            let help = "omit `at`: the corners of a `shape` are positions on the table";
            contradict(shape, message, help);
        }
    }

    /// Binds a facing. A value outside 0 to 360 degrees is an error.
    fn facing(&mut self, node: &Node) -> i64 {
        // numbers are in thousandths, angles in hundredths of a degree
        let turn = grognard_board::CIRCLE * 10;
        match self.number(node, "`facing`") {
            Some(n) if !(0..=turn).contains(&n) => {
                self.problems.push(Diagnostic::new(Code::NoFacing, node.span, "`facing` must be from 0 to 360"));
                0
            }
            Some(_) => self.angle(node, "`facing`").unwrap_or(0),
            None => 0,
        }
    }

    fn extent(&mut self, node: &Node, what: &str, spec: &mut ThingSpec, shape: impl Fn(i64) -> Shape) {
        match self.length(node, what) {
            Some(n) if n >= 0 => spec.shape = shape(n),
            Some(_) => self.bad(node.span, format!("{what} cannot be negative")),
            None => {}
        }
    }

    /// Binds a stat, state or link.
    fn field(&mut self, entry: &Entry, kind: KindId, spec: &mut ThingSpec) {
        let rules = self.rs();
        let name = rules.kinds[kind.at()].name.clone();
        let Some(&id) = rules.names.fields.get(&(kind, entry.key.clone())) else {
            if self.others.iter().any(|o| knows_field(o, &name, &entry.key)) {
                return;
            }
            let rules = self.rs();
            let own = rules.kinds[kind.at()].fields.iter().map(|f| rules.fields[f.at()].name.clone());
            let own: Vec<String> = own.collect();
            let common = ["at", "facing", "base", "length", "shape", "off", "traits", "status"];
            let known: Vec<&str> = own.iter().map(String::as_str).chain(common).collect();
            let near = did_you_mean(&entry.key, known.iter().copied());
            return self.no_key(entry, format!("a {name} has no `{}`{near}", entry.key), &known);
        };
        let field = rules.fields[id.at()].clone();
        self.note_key(entry, Means::Field(id));
        let what = format!("`{}`", entry.key);
        match field.sort {
            FieldSort::Stat | FieldSort::State | FieldSort::Link => {}
            FieldSort::BackLink(_) => {
                let message = format!("{what} is filled in from the links that point here");
                return self.say_help(Code::BadValue, entry.span, message, "set the link on the other side");
            }
            FieldSort::Let(_) => {
                let message = format!("{what} is computed by the rules");
                return self.say_help(
                    Code::BadValue,
                    entry.span,
                    message,
                    "set the stats and states that it is \
                                                                           computed from",
                );
            }
        }
        if field.keys.is_empty() {
            if let Some(cells) = self.value(&field.ty, &entry.node, &what) {
                spec.values.push((id, 0, cells));
            }
            return;
        }
        self.keyed(id, &field.keys, &field.ty, &entry.node, &what, 0, spec);
    }

    /// Binds a table of figures, nested once for each key.
    #[allow(clippy::too_many_arguments)] // where it is, what it is, and where it goes
    fn keyed(
        &mut self,
        id: FieldId,
        keys: &[(Type, i64)],
        ty: &Type,
        node: &Node,
        what: &str,
        at: i64,
        spec: &mut ThingSpec,
    ) {
        let Some(((key, size), rest)) = keys.split_first() else {
            if let Some(cells) = self.value(ty, node, what) {
                spec.values.push((id, at, cells));
            }
            return;
        };
        let names = self.case_names(key);
        if node.table().is_none() {
            return self.bad(node.span, format!("{what} must be a table with {}", shortened(&names)));
        }
        for entry in node.table().unwrap_or_default() {
            match names.iter().position(|n| *n == entry.key) {
                Some(n) => {
                    if let Type::Enum(id) = key {
                        self.note_key(entry, Means::Case(*id, n));
                    }
                    self.keyed(id, rest, ty, &entry.node, what, at * size + n as i64, spec);
                }
                None => {
                    let near = did_you_mean(&entry.key, names.iter().map(String::as_str));
                    self.unknown_key(
                        entry.span,
                        format!(
                            "{what} is identified by {}; `{}` is not one of them{near}",
                            shortened(&names),
                            entry.key
                        ),
                    );
                }
            }
        }
    }

    /// Returns the cases of an enum or the steps of a chain.
    pub(super) fn case_names(&self, ty: &Type) -> Vec<String> {
        match ty {
            Type::Enum(id) => self.rs().enums[id.at()].cases.clone(),
            Type::Chain(id) => self.rs().chains[id.at()].dice.iter().map(|d| format!("d{d}")).collect(),
            _ => Vec::new(),
        }
    }

    fn given_traits(&mut self, node: &Node, kind: KindId, spec: &mut ThingSpec) {
        if let Some(name) = node.text() {
            let help = format!("write `traits = [\"{name}\"]`");
            return self.bad_help(node.span, "`traits` must be a list in [ ], not a text", help);
        }
        for entry in self.list(node, "`traits`") {
            let Some(name) = self.text(entry, "a trait") else { continue };
            if let Some(id) = self.trait_named(name, entry.span, kind, TraitSort::Trait) {
                self.note(entry, 0, name.len(), Means::Trait(id));
                spec.traits.push(id);
            }
        }
    }

    fn given_statuses(&mut self, node: &Node, kind: KindId, spec: &mut ThingSpec) {
        if let Some(name) = node.text() {
            let help = format!("write `status = [{}]`", self.status_text(name));
            return self.bad_help(node.span, "`status` must be a list in [ ], not a text", help);
        }
        for entry in self.list(node, "`status`") {
            if let Some(name) = entry.text() {
                let help = format!("write `{}`", self.status_text(name));
                self.bad_help(entry.span, "a status must be a table, not a text", help);
                continue;
            }
            for status in self.entries(entry, "a status") {
                let Some(id) = self.trait_named(&status.key, status.span, kind, TraitSort::Status) else { continue };
                self.note_key(status, Means::Trait(id));
                let data = self.rs().traits[id.at()].data;
                if let Some(cells) = self.record(data, &status.node, &format!("status {}", status.key)) {
                    spec.statuses.push((id, cells));
                }
            }
        }
    }

    /// Returns a status as a scenario writes it, with its data.
    fn status_text(&self, name: &str) -> String {
        let data = self.rs().names.traits.get(name).map(|id| self.rs().traits[id.at()].data);
        let fields = data.map(|data| self.rs().records[data.at()].fields.as_slice()).unwrap_or_default();
        let fields: Vec<String> = fields.iter().map(|(field, ..)| format!("{field} = ..")).collect();
        if fields.is_empty() {
            format!("{{ {name} = {{}} }}")
        } else {
            format!("{{ {name} = {{ {} }} }}", fields.join(", "))
        }
    }

    fn trait_named(&mut self, name: &str, span: Span, kind: KindId, sort: TraitSort) -> Option<TraitId> {
        let word = if sort == TraitSort::Trait { "trait" } else { "status" };
        let rules = self.rs();
        let Some(&id) = rules.names.traits.get(name) else {
            if !self.others.iter().any(|o| o.names.traits.contains_key(name)) {
                let near = did_you_mean(name, self.rs().names.traits.keys().map(String::as_str));
                self.unknown_key(span, format!("there is no {word} `{name}`{near}"));
            }
            return None;
        };
        let found = &rules.traits[id.at()];
        let message = if found.sort != sort {
            Some(format!("`{name}` is not a {word}"))
        } else if found.on != kind {
            Some(format!(
                "{word} {name} is for a {}, not for a {}",
                rules.kinds[found.on.at()].name,
                rules.kinds[kind.at()].name
            ))
        } else {
            None
        };
        match message {
            Some(message) => self.wrong(span, message),
            None => Some(id),
        }
    }

    /// Links a thing of `each` to the thing of its line.
    fn link_to(&mut self, thing: &Declared, owner: KindId, number: i64, spec: &mut ThingSpec) {
        let rules = self.rs();
        let links: Vec<FieldId> = rules.kinds[thing.kind.at()]
            .fields
            .iter()
            .copied()
            .filter(|f| {
                rules.fields[f.at()].sort == FieldSort::Link && *rules.fields[f.at()].ty.present() == Type::Kind(owner)
            })
            .collect();
        let names = (rules.kinds[thing.kind.at()].name.clone(), rules.kinds[owner.at()].name.clone());
        match links.as_slice() {
            [link] => {
                if !spec.values.iter().any(|(f, _, _)| f == link) {
                    spec.values.push((*link, 0, vec![number]));
                }
            }
            [] => {
                self.bad(thing.span, format!("a {} has no link to a {}, so it cannot be in `each`", names.0, names.1))
            }
            _ => self.bad(
                thing.span,
                format!("a {} has several links to a {}; declare these things one by one", names.0, names.1),
            ),
        }
    }
}

fn knows_field(rules: &Ruleset, kind: &str, field: &str) -> bool {
    kind_named(rules, kind).is_some_and(|k| rules.names.fields.contains_key(&(k, field.to_string())))
}

/// Returns the place and the shape of an area whose corners are points of the table. Its place is its first corner.
pub(crate) fn polygon(name: &str, corners: &[(i64, i64)]) -> Result<((i64, i64), Shape), (Code, String)> {
    if corners.len() < 3 {
        return Err((Code::FewCorners, format!("the `shape` of `{name}` has {} corners", corners.len())));
    }
    let whole: Vec<Point> = corners.iter().map(|p| Point::new(p.0, p.1)).collect();
    if let Some((a, b)) = grognard_board::sides_that_cross(&whole) {
        let side = |n: usize| format!("from corner {} to corner {}", n + 1, (n + 1) % whole.len() + 1);
        return Err((Code::SidesCross, format!("the side {} of `{name}` crosses the side {}", side(a), side(b))));
    }
    let (x, y) = corners[0];
    Ok(((x, y), Shape::Polygon(corners.iter().map(|p| Point::new(p.0 - x, p.1 - y)).collect())))
}
