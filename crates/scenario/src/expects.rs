//! Binds the steps, expectations and reports of a scenario: `[[step]]`, `[[expect]]`, `[report]`, `[sweep]`.

use super::build::Builder;
use super::document::{Entry, Node, Value, get};
use super::*;
use grognard_base::{Code, Diagnostic, Source, did_you_mean};
use grognard_rules::index::Means;
use grognard_rules::ruleset::ValueName;

impl Builder<'_> {
    pub(super) fn steps(&mut self, node: &Node) -> Vec<Step> {
        let mut steps = Vec::new();
        for entry in self.tables(node, "step", "a step", "do") {
            let keys = self.entries(entry, "a step");
            self.only(keys, &["do", "decide", "expect"], "a step");
            let Some(action) = get(keys, "do") else {
                if entry.table().is_some() {
                    self.bad(entry.span, "a step requires a statement in `do`");
                }
                continue;
            };
            let piece = self.step(&action.node);
            let (decides, always) = get(keys, "decide").map(|e| self.decisions(&e.node)).unwrap_or_default();
            let mut expects = Vec::new();
            if let Some(expect) = get(keys, "expect") {
                let all = expect.node.all().iter();
                expects = self.after_steps(|own| all.filter_map(|node| own.step_condition(node)).collect());
            }
            if let Some(piece) = piece {
                let text = action.node.text().unwrap_or_default().to_string();
                steps.push(Step { text, action: piece, decides, always, expects });
            }
        }
        steps
    }

    pub(super) fn expects(&mut self, node: &Node, plan: &mut Plan) {
        let own = match self.key("mode") {
            Some(Node { value: Value::Text(text, _), .. }) => text.clone(),
            _ => "scripted".into(),
        };
        for entry in self.tables(node, "expect", "an expectation", "that") {
            let keys = self.entries(entry, "an expectation");
            self.only(keys, &["that", "chance", "mean", "mode", "where", "trace", "given"], "an expectation");
            let mode = get(keys, "mode").map(|e| self.mode(&e.node));
            let before = (plan.expects.len() + plan.traces.len(), self.problems.len());
            let exact = mode == Some(Mode::Exact) || (mode.is_none() && own == "exact") || get(keys, "given").is_some();
            let odds = exact || ["chance", "mean"].iter().any(|key| get(keys, key).is_some());
            if let (Some(entry), false) = (get(keys, "where"), odds) {
                let wanted = "`where` applies only to `chance`, `mean`, and `that` with `mode = \"exact\"`; in a single run, \
                     use `decide`";
                self.bad(entry.span, wanted);
            }
            let instead = get(keys, "where").map(|e| self.standing(&e.node, "`where`")).unwrap_or_default();
            let given = get(keys, "given").and_then(|e| self.condition(&e.node, "`given`"));
            if let Some(trace) = get(keys, "trace")
                && let Some(name) = self.text(&trace.node, "`trace`")
            {
                if own != "scripted" || mode.is_some_and(|m| m != Mode::Scripted) {
                    self.bad(trace.node.span, "a trace belongs to a single run; pin it where the mode is scripted");
                }
                plan.traces.push((name.to_string(), trace.node.span));
            }
            if let Some(that) = get(keys, "that") {
                for node in that.node.all() {
                    if let Some(piece) = self.condition(node, "an expectation") {
                        let asked = Question { piece, given, ty: Type::Flag, counted: None };
                        let claim = Claim { what: ClaimedValue::Always, asked, instead: instead.clone() };
                        let what = if exact { Expected::Odds(claim) } else { Expected::That(piece) };
                        plan.expects.push(Expect {
                            text: node.text().unwrap_or_default().to_string(),
                            span: node.span,
                            what,
                            measures: self.measures(piece),
                        });
                    }
                }
            }
            for (key, flag) in [("chance", true), ("mean", false)] {
                let Some(table) = get(keys, key) else { continue };
                for claim in self.entries(&table.node, &format!("`{key}`")) {
                    if let Some((asked, what)) = self.claim(claim, key, flag) {
                        let asked = Question { given: asked.given.or(given), ..asked };
                        let ends = claim.node.all().iter().filter_map(|end| match &end.value {
                            Value::Text(text, _) | Value::Number(text) => Some(text.as_str()),
                            _ => None,
                        });
                        let ends: Vec<&str> = ends.collect();
                        let text = format!("{key} {} = {}", claim.key, ends.join(" to "));
                        let claimed = Claim { what, asked, instead: instead.clone() };
                        let what = Expected::Odds(claimed);
                        plan.expects.push(Expect { text, span: claim.span, what, measures: Vec::new() });
                    }
                }
            }
            if before == (plan.expects.len() + plan.traces.len(), self.problems.len()) && self.table.lost.is_empty() {
                self.bad(entry.span, "this expectation is empty; write `that`, `chance`, `mean` or `trace`");
            }
        }
    }

    /// Binds one claim: `"condition" = "9/16"` or `"condition" = ["0.52", "0.54"]`.
    fn claim(&mut self, claim: &Entry, key: &str, flag: bool) -> Option<(Question, ClaimedValue)> {
        let source = Source::new("", claim.key.as_str()).starting_at(claim.span.start as usize + 1);
        let found = self.query(&claim.key, &source, claim.span, flag);
        if let (Some(asked), false) = (&found, flag) {
            self.figure_type(&asked.ty, claim.span);
        }
        let fraction = |node: &Node| {
            let found = match &node.value {
                Value::Text(text, _) => text.parse().ok().or_else(|| values::fraction(text).map(Fraction::from)),
                Value::Number(text) => values::whole(text).map(Fraction::whole),
                _ => None,
            };
            found.filter(|r: &Fraction| !flag || (*r >= Fraction::zero() && *r <= Fraction::one()))
        };
        let within = match claim.node.all() {
            [one] => fraction(one).map(Within::from),
            [low, high] => fraction(low).zip(fraction(high)).map(|(low, high)| Within { low, high }),
            _ => None,
        };
        let within = within.filter(|within| within.low <= within.high);
        if within.is_none() {
            let message = format!(
                "a {key} must be a fraction in a text, such as \"9/16\", or its minimum and maximum, such as \
                 [\"0.42\", \"0.43\"]"
            );
            self.bad(claim.node.span, message);
        }
        let (asked, Within { low, high }) = found.zip(within)?;
        let scale = Fraction::whole(if !flag && asked.ty == Type::Length { 1000 } else { 1 });
        let within = Within { low: &low * &scale, high: &high * &scale };
        Some((asked, if flag { ClaimedValue::Chance(within) } else { ClaimedValue::Mean(within) }))
    }

    fn figure_type(&mut self, ty: &Type, span: Span) {
        if !matches!(ty, Type::Int(_) | Type::Length | Type::Ratio | Type::Flag | Type::Unknown) {
            let message = format!("a mean needs numbers; this is {}", self.rs().type_name(ty));
            self.problems.push(
                Diagnostic::new(Code::WrongType, span, message).help("use `hist` for values that are not numbers"),
            );
        }
    }

    pub(super) fn report(&mut self, node: &Node) -> Vec<Figure> {
        let entries = self.entries(node, "`report`");
        self.only(entries, &["mean", "chance", "hist", "of", "good"], "`report`");
        let mut figures = Vec::new();
        // in source order, because the first figure is the primary measure of a comparison
        for entry in entries {
            let sort = match entry.key.as_str() {
                "mean" => Some(FigureSort::Mean),
                "chance" => Some(FigureSort::Chance),
                "hist" => Some(FigureSort::Hist),
                "of" => None,
                _ => continue,
            };
            entry.node.all().iter().for_each(|node| figures.extend(self.figures(node, sort)));
        }
        if let Some(good) = get(entries, "good") {
            self.good(&good.node, &mut figures);
        }
        figures
    }

    /// Binds `good = { more = [..], less = [..] }`, the direction in which each figure is good.
    fn good(&mut self, node: &Node, figures: &mut [Figure]) {
        if let Some(text) = node.text() {
            let help = format!(
                "write `good = {{ more = [\"{text}\"] }}` if a larger value is better, or `less = [..]` if a smaller value is"
            );
            let found = Diagnostic::new(
                Code::BadValue,
                node.span,
                "`good` must list the measures of which more is better, and those of which less is",
            );
            return self.problems.push(found.help(help));
        }
        let entries = self.entries(node, "`good`");
        self.only(entries, &["more", "less"], "`good`");
        for entry in entries {
            let good = if entry.key == "more" { Good::More } else { Good::Less };
            for node in entry.node.all() {
                let Some(text) = self.text(node, "a measure") else { continue };
                let named: Vec<usize> = (0..figures.len()).filter(|n| figures[*n].is_written(text)).collect();
                if named.is_empty() {
                    let near = did_you_mean(text, figures.iter().map(|f| f.text.as_str()));
                    let message = format!("`report` has no measure `{text}`{near}");
                    self.say_help(
                        Code::UnknownKey,
                        node.span,
                        message,
                        "name a measure by its expression or its caption in `report`",
                    );
                } else if named.iter().any(|n| figures[*n].good.is_some_and(|other| other != good)) {
                    self.bad(node.span, format!("`{text}` is listed under both `more` and `less`"));
                }
                named.into_iter().for_each(|n| figures[n].good = Some(good));
            }
        }
    }

    /// Binds the value that `best` makes large.
    pub(super) fn objective(&mut self, node: &Node) -> Option<(String, Question)> {
        let source = self.fragment(node, "`objective`")?;
        let asked = self.query(&source.text.clone(), &source, node.span, false)?;
        if !asked.ty.present().has_mean() && asked.ty != Type::Unknown {
            let ty = self.rs().type_name(&asked.ty);
            let message = format!("an objective must be a number or a condition, found {ty}");
            let help = "name the value that `best` makes large: `red.points`";
            self.say_help(Code::WrongType, node.span, message, help);
        }
        Some((node.text().unwrap_or_default().to_string(), asked))
    }

    /// Binds a text, or a table of captions and texts.
    fn figures(&mut self, node: &Node, sort: Option<FigureSort>) -> Vec<Figure> {
        match node.table() {
            Some(entries) => entries.iter().filter_map(|entry| self.captioned(entry, sort)).collect(),
            None => self.figure(node, sort).into_iter().collect(),
        }
    }

    /// Binds one figure with a caption: `"All raiders down" = "raiders.men == 0"`.
    fn captioned(&mut self, entry: &Entry, sort: Option<FigureSort>) -> Option<Figure> {
        if entry.key.trim().is_empty() || entry.key.chars().any(char::is_control) {
            let help = "write a few words on one line, such as \"All raiders down\"".to_string();
            self.bad_help(entry.span, "a caption must be a line of text", help);
            return None;
        }
        let figure = self.figure(&entry.node, sort)?;
        Some(Figure { text: entry.key.trim().to_string(), ..figure })
    }

    /// Binds one figure. If `sort` is `None`, the type of the figure determines how it is reported.
    fn figure(&mut self, node: &Node, sort: Option<FigureSort>) -> Option<Figure> {
        let text = self.text(node, "a measure")?.to_string();
        let source = self.fragment(node, "a measure")?;
        let asked = self.query(&text, &source, node.span, sort == Some(FigureSort::Chance))?;
        let ty = &asked.ty;
        let sort = sort.unwrap_or(match ty {
            Type::Flag => FigureSort::Chance,
            Type::Int(_) | Type::Length | Type::Ratio => FigureSort::Mean,
            _ => FigureSort::Hist,
        });
        if sort == FigureSort::Mean {
            self.figure_type(&asked.ty, node.span);
        }
        let ty = &asked.ty;
        let inner = if let Type::List(inner) = ty { inner } else { ty };
        if self.rs().holds_list(inner) {
            let message = format!("{} contains lists, and such values cannot be counted", self.rs().type_name(ty));
            self.say_help(Code::WrongType, node.span, message, "use a part of it, such as `size(...)`");
        }
        Some(Figure { expr: text.clone(), text, span: node.span, sort, asked, bounds: None, good: None })
    }

    pub(super) fn sweep(&mut self, node: &Node) -> Sweep {
        let entries = self.entries(node, "`sweep`");
        self.only(entries, &["over", "values", "report"], "`sweep`");
        let mut sweep = Sweep::default();
        let values = get(entries, "values").map(|e| self.entries(&e.node, "`values`")).unwrap_or_default();
        let mut names = Vec::new();
        for node in get(entries, "over").map(|e| e.node.all()).unwrap_or_default() {
            let Some(name) = self.text(node, "`over`") else { continue };
            if names.contains(&name) {
                let help = "list it once, with all its values";
                self.say_help(Code::BadValue, node.span, format!("`{name}` is varied twice"), help);
                continue;
            }
            names.push(name);
            let Some(id) = self.rs().names.setting(name) else {
                let near = did_you_mean(name, self.rs().settings.iter().map(|s| s.name.as_str()));
                let help = match self.rs().settings.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().as_slice() {
                    [] => "these rules declare no param and no reading; declare one in the rules, as in `param name = \
                           3`"
                    .to_string(),
                    all => format!("they have {}", all[..all.len().min(20)].join(", ")),
                };
                self.say_help(
                    Code::UnknownKey,
                    node.span,
                    format!("the rules have no param or reading `{name}`{near}"),
                    help,
                );
                continue;
            };
            let means = Means::Value(ValueName::Setting(id));
            self.note(node, 0, name.len(), means.clone());
            values.iter().filter(|entry| entry.key == *name).for_each(|entry| self.note_key(entry, means.clone()));
            let setting = self.rs().settings[id.at()].clone();
            let given = get(values, name).map(|entry| self.list(&entry.node, "values of a sweep"));
            let tried: Vec<_> = match given {
                Some(given) => given.iter().filter_map(|n| self.value(&setting.ty, n, &format!("`{name}`"))).collect(),
                None if !setting.sweep.is_empty() => setting.sweep,
                None => setting.alternatives.into_iter().map(|(cells, _)| cells).collect(),
            };
            for (at, node) in given.unwrap_or_default().iter().enumerate().skip(1) {
                if tried.len() == given.map_or(0, <[Node]>::len) && tried[..at].contains(&tried[at]) {
                    let message = format!("`{name}` has the value {} twice", self.sources.slice(node.span));
                    self.say_help(Code::BadValue, node.span, message, "name each value once");
                }
            }
            if tried.is_empty() && given.is_none_or(<[Node]>::is_empty) {
                self.say_help(
                    Code::BadValue,
                    node.span,
                    format!("`{name}` has no values to try"),
                    format!("list them: `--over {name}=2,3,4`, or `values = {{ {name} = [2, 3, 4] }}` under `[sweep]`"),
                );
            }
            sweep.over.push((id, tried.into()));
        }
        for entry in values {
            if !names.contains(&entry.key.as_str()) {
                self.unknown_key(entry.span, format!("`{}` is not varied in the sweep", entry.key));
            }
        }
        for node in get(entries, "report").map(|e| e.node.all()).unwrap_or_default() {
            self.figures(&self.doc.by_caption(node.clone()), None);
        }
        sweep
    }
}
