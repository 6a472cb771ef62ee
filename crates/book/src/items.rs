//! Renders items as articles, according to their form.

use super::model::{Article, Grid, Part};
use super::tell::{Scope, Teller};
use super::words::{Bit, Step, Words, a, capital, human};
use grognard_base::value::FuncId;
use grognard_rules::ruleset::Setting;
use grognard_syntax::tree::{
    Body, Cell, CellKind, ClauseRef, DieFace, Expr, ExprKind, Formal, Item, ItemKind, Let, Match, MatchRow, Member,
    MemberKind, ModifyOp, Pattern, PatternKind, Rule, Table, Trait, TraitMemberKind, TraitSort, Trigger,
};

/// Returns the name of a form of item in a rulebook. `word` is its keyword in the rules.
pub fn sort_of(word: &'static str) -> &'static str {
    match word {
        "param" => "number",
        "enum" => "cases",
        "chain" => "ladder of dice",
        "let" => "value",
        "proc" => "procedure",
        "stat" | "state" => "figure",
        "extend kind" => "kind, continued",
        word => word,
    }
}

fn ids(of: &[ClauseRef]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for cite in of {
        if !all.contains(&cite.text) {
            all.push(cite.text.clone());
        }
    }
    all
}

impl Teller<'_> {
    /// Returns the functions of the item with this name.
    fn functions_of(&self, name: grognard_base::Span) -> Vec<FuncId> {
        let at = self.sources.origin(name);
        let own = |item: grognard_base::value::ItemId| {
            self.rules.items.get(item.at()).is_some_and(|item| self.sources.origin(item.span) == at)
        };
        let all = self.rules.functions.iter().enumerate().filter(|(_, f)| own(f.item));
        all.map(|(n, _)| FuncId::from(n)).collect()
    }

    fn scope_of(&self, name: grognard_base::Span, bound: Option<&grognard_syntax::tree::Name>) -> Scope {
        let scope = self.scope(self.functions_of(name).into_iter());
        Scope { bound: bound.map(|b| b.text.clone()), ..scope }
    }

    /// Renders an item as an article. Returns `None` for params, which share an article, and for items without content.
    pub fn article(&self, item: &Item) -> Option<Article> {
        let name = grognard_rules::item_name(&item.kind);
        let scope = name.map(|name| self.scope_of(name.span, None)).unwrap_or_default();
        let s = &scope;
        let mut heading = name.map_or(String::new(), |name| capital(&human(&name.text)));
        match &item.kind {
            ItemKind::ExtendKind { name, .. } => heading = format!("{} (more)", capital(&human(&name.text))),
            ItemKind::Let(Let { of: Some(of), .. }) => {
                heading = format!("{heading} of {}", a(&human(&of.text).to_lowercase()));
            }
            _ => {}
        }
        let parts = self.declared_as(&item.kind, s).or_else(|| self.carried_out(&item.kind, s))?;
        let title = grognard_rules::item_title(&item.kind).map_or(String::new(), |t| t.text.clone());
        Some(Article {
            word: sort_of(grognard_rules::item_word(&item.kind)).to_string(),
            heading,
            title,
            parts,
            cites: ids(&item.cited),
            source: self.sources.slice(item.span).to_string(),
            ..Article::default()
        })
    }

    /// Renders a declaration, or returns `None` for other items.
    fn declared_as(&self, kind: &ItemKind, s: &Scope) -> Option<Vec<Part>> {
        Some(match kind {
            ItemKind::Reading(reading) => self.reading(&reading.name.text),
            ItemKind::Enum(e) => {
                let between = if e.ordered { " < " } else { ", " };
                let cases = e.cases.iter().map(|c| Words::from(human(&c.text)));
                let order = if e.ordered { ", in rising order" } else { "" };
                vec![Part::Text(Words::from("One of ").then(Words::join(cases, between)).then(order).then("."))]
            }
            ItemKind::Chain { dice, .. } => {
                let dice: Vec<String> = dice.iter().map(|(sides, _)| format!("d{sides}")).collect();
                vec![Part::Text(Words::from(format!("Dice in rising order: {}.", dice.join(", "))))]
            }
            ItemKind::Die { sides, .. } => {
                let face = |side: &grognard_syntax::tree::DieSide| {
                    let face = match &side.face {
                        DieFace::Number(_) => self.plain.line(side.span),
                        DieFace::Case(name) => human(&name.text),
                    };
                    let times = if side.times > 1 { format!("{} × ", side.times) } else { String::new() };
                    if matches!(side.face, DieFace::Number(_)) { face } else { format!("{times}{face}") }
                };
                let faces: Vec<String> = sides.iter().map(face).collect();
                vec![Part::Text(Words::from(format!("A die with the faces {}.", faces.join(", "))))]
            }
            ItemKind::Kind(kind) => {
                let mut rendered = Vec::new();
                if kind.on_board {
                    rendered.push(Part::Text("It is on the table and has a position and a front.".into()));
                }
                if let Some(of) = &kind.group_of {
                    rendered
                        .push(Part::Text(Words::from("A group: it is where its ").then(self.named(of)).then(" are.")));
                }
                rendered.extend(self.members(&kind.name.text, &kind.members));
                rendered
            }
            ItemKind::ExtendKind { name, members } => {
                let also = Words::from(format!("{} also has:", capital(&a(&human(&name.text).to_lowercase()))));
                let mut rendered = vec![Part::Text(also)];
                rendered.extend(self.members(&name.text, members));
                rendered
            }
            ItemKind::State(slot) => {
                let first = slot
                    .default
                    .as_ref()
                    .map_or(Words::default(), |e| Words::from("; ").then(self.value(e, s)).then(" at first"));
                vec![Part::Text(
                    Words::from("Kept for the whole game: ").then(self.kind(&slot.ty)).then(first).then("."),
                )]
            }
            ItemKind::Tally { .. } => vec![Part::Text("Counted only for reports; no rule reads it.".into())],
            ItemKind::Record { fields, .. } => {
                vec![Part::Text(Words::from("Holds ").then(self.formals(fields, s)).then("."))]
            }
            ItemKind::Event { fields, external, .. } => {
                let words = Words::from("Something that happens, and that rules may wait for");
                let words = if fields.is_empty() { words } else { words.then(", with ").then(self.formals(fields, s)) };
                let outside = if *external { " It is announced by chapters that are not here." } else { "" };
                vec![Part::Text(words.then(".").then(outside))]
            }
            ItemKind::Let(found) => self.derived(found, s),
            ItemKind::Table(table) => self.table(table, s),
            ItemKind::Law { holds, .. } => {
                vec![Part::Text(Words::from("Always: ").then(self.condition(holds, true, s)).then("."))]
            }
            _ => return None,
        })
    }

    /// Renders an item that has a procedure, or returns `None` for other items.
    fn carried_out(&self, kind: &ItemKind, s: &Scope) -> Option<Vec<Part>> {
        Some(match kind {
            ItemKind::Trait(found) => self.special(found, s),
            ItemKind::Test(test) => {
                let mut rendered = self.with(&test.params, s);
                if let Some(grade) = &test.grade {
                    rendered.push(Part::Text(Words::from("Graded as ").then(self.named(grade)).then(".")));
                }
                rendered.extend(stand_in(test.external));
                rendered.push(Part::Steps(true, self.steps(&test.body, s)));
                rendered
            }
            ItemKind::Proc(found) => {
                let mut rendered = self.with(&found.params, s);
                rendered.extend(stand_in(found.external));
                match &found.body {
                    Some(body) => rendered.push(Part::Steps(true, self.steps(body, s))),
                    None => rendered.push(open()),
                }
                rendered
            }
            ItemKind::Phase(phase) => {
                let mut rendered = self.with(&phase.params, s);
                if !phase.shares.is_empty() {
                    let first = |f: &Formal| match &f.default {
                        Some(e) => Words::var(&human(&f.name.text)).then(", at first ").then(self.value(e, s)),
                        None => Words::var(&human(&f.name.text)),
                    };
                    let shared = Words::join(phase.shares.iter().map(first), "; ");
                    rendered
                        .push(Part::Text(Words::from("Everybody in it sees and may change ").then(shared).then(".")));
                }
                match &phase.body {
                    Some(body) => rendered.push(Part::Steps(true, self.steps(body, s))),
                    None => rendered.push(open()),
                }
                rendered
            }
            ItemKind::Action(action) => {
                let phases = Words::list(action.phases.iter().map(|p| self.named(p)), "and");
                let mut words = Words::from("An action in ").then(phases);
                if let Some(by) = &action.by {
                    words = words.then(" by ").then(self.local(&by.text, s));
                }
                vec![Part::Text(words.then(".")), Part::Steps(true, self.steps(&action.body, s))]
            }
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Policy { entries, .. } => {
                let entry = |entry: &grognard_syntax::tree::PolicyEntry| {
                    let pref = |pref: &grognard_syntax::tree::Preference| {
                        let words = self.answer(&pref.answer, s);
                        match &pref.when {
                            Some(when) => words.then(" if ").then(self.condition(when, true, s)),
                            None => words,
                        }
                    };
                    let prefs = Words::join(entry.prefs.iter().map(pref), "; else ");
                    let words = Words::from(format!("{}: ", capital(&human(&entry.choice.text)))).then(prefs);
                    Step { words, ..Step::default() }
                };
                vec![
                    Part::Text("How a player may decide, the first that fits:".into()),
                    Part::Steps(false, entries.iter().map(entry).collect()),
                ]
            }
            _ => return None,
        })
    }

    /// Renders parameters, such as `the unit, *shots* (number)`.
    fn formals(&self, formals: &[Formal], s: &Scope) -> Words {
        let one = |f: &Formal| {
            let words = self.local(&f.name.text, s);
            match &f.ty {
                Some(ty) if !s.called.contains_key(&f.name.text) => words.then(" (").then(self.kind(ty)).then(")"),
                _ => words,
            }
        };
        Words::list(formals.iter().map(one), "and")
    }

    fn with(&self, formals: &[Formal], s: &Scope) -> Vec<Part> {
        if formals.is_empty() {
            return Vec::new();
        }
        vec![Part::Text(Words::from("Given ").then(self.formals(formals, s)).then(":"))]
    }

    fn reading(&self, name: &str) -> Vec<Part> {
        let Some(setting) = self.rules.settings.iter().find(|s| s.name == name) else { return Vec::new() };
        let step = |((cells, written), gloss): ((&Vec<i64>, &String), &String)| {
            let mut words = Words(vec![Bit::Value(human(written))]);
            if !gloss.is_empty() {
                words = words.then(format!(": {gloss}"));
            }
            if *cells == setting.value {
                words = words.then(" — this holds");
            }
            Step { words, ..Step::default() }
        };
        let cells = setting.alternatives.iter().map(|(cells, written)| (cells, written));
        let mut rendered = vec![Part::Steps(false, cells.zip(&setting.glosses).map(step).collect())];
        if !setting.because.is_empty() {
            rendered.push(Part::Text(Words::from(format!("Open because {}.", setting.because))));
        }
        if !setting.default_because.is_empty() {
            rendered.push(Part::Text(Words::from(format!("Read so because {}.", setting.default_because))));
        }
        rendered
    }

    /// Returns the value of a param or reading, as written in the rules.
    pub fn worth(setting: &Setting, written: Option<String>) -> Option<String> {
        let alternative = setting.alternatives.iter().find(|(cells, _)| *cells == setting.value);
        alternative.map(|(_, text)| human(text)).or(written.map(|text| text.replace('"', "″")))
    }

    /// Renders the fields of a kind.
    fn members(&self, kind: &str, members: &[Member]) -> Vec<Part> {
        let mut grid =
            Grid { heads: ["", "meaning", "range", "at first"].map(Words::from).to_vec(), ..Grid::default() };
        let mut worked = Vec::new();
        let s = &Scope::default();
        for member in members {
            let (name, word, ty, default, title) = match &member.kind {
                MemberKind::Stat(f) => (&f.name, "figure", self.kind(&f.ty), f.default.as_ref(), f.title.as_ref()),
                MemberKind::State(f) => (&f.name, "changes", self.kind(&f.ty), f.default.as_ref(), f.title.as_ref()),
                MemberKind::Link { name, ty, .. } => (name, "leads to", self.kind(ty), None, None),
                MemberKind::Let(found) => {
                    worked.push((found, member));
                    continue;
                }
                MemberKind::Owner(name) => {
                    grid.caption = format!("Decided for by its {}", human(&name.text));
                    continue;
                }
            };
            let what = match title {
                Some(title) => Words::from(format!("{} ({word})", title.text)),
                None => Words::from(word),
            };
            let first = default.map_or(Words::default(), |e| self.value(e, s));
            let row = vec![Words::from(human(&name.text)), what, ty, first];
            grid.rows.push((id("field", &format!("{kind}.{}", name.text)), row));
        }
        let mut rendered = Vec::new();
        if !grid.rows.is_empty() {
            if !grid.rows.iter().any(|(_, row)| !row[3].is_empty()) {
                grid.heads.pop();
                grid.rows.iter_mut().for_each(|(_, row)| drop(row.pop()));
            }
            rendered.push(Part::Grid(grid));
        }
        if !worked.is_empty() {
            let mut grid = Grid { caption: "Computed on demand".into(), ..Grid::default() };
            for (found, _) in worked {
                let value = found.value.as_ref().map_or("left open".into(), |e| self.answer_to(e, s));
                let value =
                    found.title.as_ref().map_or(value.clone(), |t| Words::from(format!("{}: ", t.text)).then(value));
                let at = id("field", &format!("{kind}.{}", found.name.text));
                grid.rows.push((at, vec![Words::from(human(&found.name.text)), value]));
            }
            rendered.push(Part::Grid(grid));
        }
        rendered
    }

    /// Renders a value. A condition is preceded by `whether`.
    pub fn answer_to(&self, e: &Expr, s: &Scope) -> Words {
        if self.asks(e) && !matches!(e.kind, ExprKind::Name(_)) {
            Words::from("whether ").then(self.condition(e, true, s))
        } else {
            self.value(e, s)
        }
    }

    fn derived(&self, found: &Let, s: &Scope) -> Vec<Part> {
        let mut rendered = found.params.as_ref().map_or(Vec::new(), |params| self.with(params, s));
        rendered.extend(stand_in(found.external));
        match &found.value {
            None => rendered.push(open()),
            Some(Expr { kind: ExprKind::Match(rows), .. }) => rendered.push(Part::Grid(self.rows(rows, s))),
            Some(e) if self.asks(e) => {
                rendered.push(Part::Text(Words::from("It holds if ").then(self.condition(e, true, s)).then(".")));
            }
            Some(e) => rendered.push(Part::Text(Words::from("It is ").then(self.value(e, s)).then("."))),
        }
        rendered
    }

    /// Renders the rows of a match expression. A match over several values has a column for each value.
    fn rows(&self, found: &Match, s: &Scope) -> Grid {
        let parts = match &found.subject.kind {
            ExprKind::Tuple(parts) => parts.as_slice(),
            _ => std::slice::from_ref(&*found.subject),
        };
        let row = |row: &MatchRow| {
            let value = match &row.body {
                Body::Value(e) => self.answer_to(e, s),
                Body::Block(_) | Body::Stmt(_) | Body::Lasts(..) => Words::default(),
            };
            let holds = if self.row_holds(found, row) { " (this holds)" } else { "" };
            let cite = |words: Words, id| words.then(" ").then(Words(vec![Bit::Cite(id)]));
            let value = ids(&row.cites).into_iter().fold(value, cite);
            let mut cells = match row.patterns.as_slice() {
                [Pattern { kind: PatternKind::Tuple(own), .. }] if own.len() == parts.len() => {
                    let cell = |all: &Vec<Pattern>| match all.as_slice() {
                        [Pattern { kind: PatternKind::Any | PatternKind::Else, .. }] => Words::from("any"),
                        all => Words::list(all.iter().map(|p| self.pattern(p, s)), "or"),
                    };
                    own.iter().map(cell).collect()
                }
                _ => {
                    let mut cells = vec![self.row_head(row, s).then(holds)];
                    cells.resize(parts.len(), Words::from("any"));
                    cells
                }
            };
            match (&row.when, parts.len()) {
                (Some(when), 2..) => cells.push(value.then(", if ").then(self.condition(when, true, s))),
                _ => cells.push(value),
            }
            (String::new(), cells)
        };
        let heads = parts.iter().map(|e| self.value(e, s)).chain([Words::from("then")]);
        Grid { heads: heads.collect(), rows: found.rows.iter().map(row).collect(), ..Grid::default() }
    }

    fn table(&self, table: &Table, s: &Scope) -> Vec<Part> {
        let cell = |cell: &Cell| match &cell.kind {
            CellKind::Blank => Words::default(),
            CellKind::Dash => Words::from("–"),
            CellKind::Value(e) => self.value(e, s),
            CellKind::Keys(patterns) => Words::list(patterns.iter().map(|p| self.pattern(p, s)), "or"),
        };
        let two = table.keys.len() == 2;
        let key = |n: usize| table.keys.get(n).map_or(String::new(), |f| human(&f.name.text));
        let mut rows = table.rows.iter();
        let heads = if two {
            let head = rows.next().map(|row| row.cells.iter().map(cell).collect::<Vec<Words>>()).unwrap_or_default();
            let corner = Words::from(format!("{} / {}", key(0), key(1)));
            [vec![corner], head.into_iter().skip(1).collect()].concat()
        } else {
            vec![Words::from(key(0)), Words::from("then")]
        };
        let rows = rows.map(|row| (String::new(), row.cells.iter().map(cell).collect())).collect();
        vec![Part::Grid(Grid { heads, rows, numbers: two, ..Grid::default() })]
    }

    fn trigger(&self, on: &Trigger) -> Words {
        match on {
            Trigger::Event(name) => Words::from("Whenever there is ").then(self.named(name)),
            Trigger::StartOf(name) => Words::from("At the start of ").then(self.named(name)),
            Trigger::EndOf(name) => Words::from("At the end of ").then(self.named(name)),
            Trigger::StartOfAction(None) => "Before any action".into(),
            Trigger::DestroyOf(name) => Words::from("Before a ").then(self.named(name)).then(" is destroyed"),
            Trigger::EndOfAction(None) => "After any action".into(),
            Trigger::StartOfAction(Some(name)) => Words::from("Before any action in ").then(self.named(name)),
            Trigger::EndOfAction(Some(name)) => Words::from("After any action in ").then(self.named(name)),
        }
    }

    /// Renders the trigger of a rule and its procedure.
    fn rule(&self, rule: &Rule) -> Vec<Part> {
        let s = &self.scope_of(rule.name.span, rule.bound.as_ref());
        let mut rendered = Vec::new();
        if let Some((before, other)) = &rule.order {
            let word = if *before { "It comes before " } else { "It comes after " };
            rendered.push(Part::Text(Words::from(word).then(self.named(other)).then(".")));
        }
        rendered.push(Part::Text(self.rule_head(rule, s)));
        rendered.push(Part::Steps(true, self.steps(&rule.body, s)));
        rendered
    }

    fn rule_head(&self, rule: &Rule, s: &Scope) -> Words {
        let words = self.trigger(&rule.on);
        let words = match &rule.when {
            Some(when) => words.then(", if ").then(self.condition(when, true, s)),
            None => words,
        };
        words.then(":")
    }

    fn special(&self, found: &Trait, s: &Scope) -> Vec<Part> {
        let bearer = a(&human(&found.on.text).to_lowercase());
        let mut words = match found.sort {
            TraitSort::Trait => Words::from(format!("Given to {bearer} from the start")),
            TraitSort::Status => Words::from(format!("Gained and lost by {bearer} in play")),
            TraitSort::Condition => Words::from(format!("Held by {bearer}")),
        };
        if !found.params.is_empty() {
            words = words.then(", with ").then(self.formals(&found.params, s));
        }
        if let Some(when) = &found.when {
            words = words.then(" while ").then(self.condition(when, true, s));
        }
        let mut steps = Vec::new();
        for member in &found.members {
            let when = |words: Words, when: &Option<Expr>| match when {
                Some(when) => words.then(", if ").then(self.condition(when, true, s)),
                None => words,
            };
            let cites = ids(&member.cites);
            let one = match &member.kind {
                TraitMemberKind::Replace { name, value, when: c, over, .. } => {
                    let words = when(self.named(name).then(" is ").then(self.value(value, s)).then(" instead"), c);
                    match over {
                        Some(over) => words.then("; this goes before ").then(self.named(over)),
                        None => words,
                    }
                }
                TraitMemberKind::Modify { name, op, value, when: c, over } => {
                    let (value, name) = (self.value(value, s), self.named(name));
                    let words = match op {
                        ModifyOp::Add => Words::from("Add ").then(value).then(" to ").then(name),
                        ModifyOp::Sub => Words::from("Take ").then(value).then(" from ").then(name),
                        ModifyOp::Times(None) => Words::from("Multiply ").then(name).then(" by ").then(value),
                        ModifyOp::Times(Some(to)) => {
                            let by = Words::from("Multiply ").then(name).then(" by ").then(value);
                            by.then(format!(", {}", to.op().written()))
                        }
                        ModifyOp::AtMost => name.then(" is at most ").then(value).capital(),
                        ModifyOp::AtLeast => name.then(" is at least ").then(value).capital(),
                    };
                    let words = when(words, c);
                    match over {
                        Some(over) => {
                            words.then("; the change by ").then(self.named(over)).then(" does not count then")
                        }
                        None => words,
                    }
                }
                TraitMemberKind::Forbid { actions, when: c } => {
                    let names = Words::list(actions.iter().map(|n| self.named(n)), "or");
                    when(Words::from("It may not take the action ").then(names), c)
                }
                TraitMemberKind::Let(found) => {
                    let value = found.value.as_ref().map_or("left open".into(), |e| self.answer_to(e, s));
                    Words::from(capital(&human(&found.name.text))).then(" is ").then(value)
                }
                TraitMemberKind::Rule(rule) => {
                    let own = self.scope_of(rule.name.span, rule.bound.as_ref());
                    let words = self.rule_head(rule, &own);
                    steps.push(Step { words, cites, steps: self.steps(&rule.body, &own) });
                    continue;
                }
            };
            steps.push(Step { words: one.capital(), cites, steps: Vec::new() });
        }
        let mut rendered = vec![Part::Text(words.then("."))];
        if !steps.is_empty() {
            rendered.push(Part::Steps(false, steps));
        }
        rendered
    }
}

fn stand_in(external: bool) -> Option<Part> {
    external.then(|| Part::Text("This stands in for a chapter that is not here.".into()))
}

fn open() -> Part {
    Part::Text("Left open here: each edition says it.".into())
}

/// Returns the anchor of an item on its page.
pub fn id(word: &str, name: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '-' };
    format!("{}-{}", word.replace(' ', "-"), name.chars().map(sign).collect::<String>())
}
