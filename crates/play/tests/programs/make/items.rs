//! Makes items: declarations, rules, phases, actions, and the variant.

use super::{Make, Scope, T};
use std::fmt::Write;

impl Make {
    /// Returns the text of the ruleset and of its variant.
    pub fn rules(&mut self) -> (String, Option<String>) {
        let parts = self.parts;
        let mut text = String::from("ruleset g/book version \"1\"\n");
        let hit_on = self.number(1, 4);
        writeln!(text, "param hit_on = {hit_on}").unwrap();
        text += "reading way \"Which way\" = Old \"as it was\" or New \"as it is\" because \"the book is silent\"\n";
        text += "enum Mood { Calm < Wary < Wild }\ndie Odd of 0..3 = 0, 1, 1, 3\n";
        if parts.chains {
            text += "chain Quality = d4 < d6 < d8\n";
        }
        text += "state day : 0..6 = 0\ntally shots\n";
        text += "let twice(n: Int): Int = n + n\n";
        if parts.tables {
            text += "table chart(pip: 1..6, mood: Mood): Int {\n  |  | Calm | Wary | Wild |\n  | 1 to 2 | 0 | 1 | 2 |\n  | 3, 4 | 1 | 1 | 5 |\n  | at least 5 | 2 | 0 | 3 |\n}\n";
        }
        text += "kind Side { link units : list of Unit; state points : 0..9 = 0 }\nkind Pile { link fleet : list of Unit }\n";
        text += &self.kind_of_unit();
        if parts.groups {
            text += "kind Man on board { link unit : Unit; stat rank : 0..5 = 1; state tired : 0..3 = 0 }\n";
        }
        if parts.events {
            text += "event Hit(target: Unit, n: Int)\n";
        }
        if parts.law {
            self.form("law");
            text += "law Few = every u in Unit: u.mark < 9\n";
        }
        text += &self.traits();
        text += &self.all_rules();
        text += &self.procs();
        if parts.phase {
            text += &self.phases();
        }
        text += &self.main();
        text += &self.policy(&text);
        let variant = parts.variant.then(|| self.variant());
        (text, variant)
    }

    fn kind_of_unit(&mut self) -> String {
        let parts = self.parts;
        let mut text = String::from("kind Unit");
        if parts.groups {
            self.form("group");
            text += " group of men";
            if parts.stays {
                self.form("group that stays when empty");
                text += " stays when empty";
            }
        }
        text += " {\nowner side\nlink side : Side\nlink foe : Unit?\n";
        if parts.groups {
            text += "link men : list of Man\n";
        }
        text += "stat nv : 0..6 = NV\nstate cap : 0..6 = 4\nstate mood : Mood = Calm\nstate hp : 0..cap = 3\nstate mark : 0..9 = 0\n";
        text += "state acted : Flag = no\nstate bag : list of Int = [1, 2]\n";
        if parts.chains {
            text += "stat q : Quality = d6\n";
        }
        let scope = Scope { vars: vec![("self".into(), T::Unit)], ..Scope::default() };
        let nv = if self.one_in(4) {
            self.form("param as a default");
            "hit_on"
        } else {
            "3"
        };
        text = text.replace("NV", nv);
        let power = match self.lots.below(3) {
            0 => "nv + mark".to_string(),
            1 => "nv * 2 - mark".to_string(),
            _ => format!("nv + (hp / {} rounded down)", self.number(2, 3)),
        };
        let _ = scope;
        writeln!(text, "let power : Int = {power}\nlet weak : Flag = hp < {}\n}}", self.number(1, 3)).unwrap();
        text
    }

    fn own(&self, name: &str) -> Scope {
        Scope { vars: vec![(name.to_string(), T::Unit)], ..Scope::default() }
    }

    fn traits(&mut self) -> String {
        let mut text = String::new();
        let by = |make: &mut Self, text: &mut String| {
            let field = make.lots.of(&["nv", "power"]);
            let op = make.lots.of(&["+=", "-="]);
            if make.one_in(6) {
                make.form("modify below the least");
                writeln!(text, "modify nv -= 8\nmodify power -= 9").unwrap();
            }
            make.form("modify");
            writeln!(text, "modify {field} {op} {}", make.number(1, 2)).unwrap();
            if make.one_in(4) {
                make.form("modify by a factor");
                let factor = make.lots.of(&["2", "3", "1/2 rounded up", "2/3 rounded down", "3/2 rounded nearest"]);
                writeln!(text, "modify {field} *= {factor}").unwrap();
            }
            if make.one_in(4) {
                make.form("modify to a limit");
                let limit = make.lots.of(&["at most", "at least"]);
                writeln!(text, "modify {field} {limit} {}", make.number(1, 4)).unwrap();
            }
            if make.one_in(3) {
                make.form("modify when");
                writeln!(text, "modify power += 1 when mark > {}", make.number(0, 1)).unwrap();
            }
        };
        if self.parts.statuses {
            text += "status Fear on Unit {\n";
            by(self, &mut text);
            text += &self.trait_rules("Fear");
            text += "}\nstatus Oath(by_whom: Unit) on Unit {\n";
            by(self, &mut text);
            text += "}\n";
        }
        if self.parts.conditions {
            self.form("condition");
            writeln!(text, "condition Low on Unit when hp < {} {{", self.number(1, 3)).unwrap();
            by(self, &mut text);
            if self.parts.actions && self.one_in(2) {
                self.form("forbid");
                text += "forbid Fire\n";
            }
            text += &self.trait_rules("Low");
            text += "}\n";
        }
        if self.parts.traits {
            self.form("trait");
            text += "trait Hero on Unit {\n";
            if self.one_in(2) {
                self.form("replace");
                writeln!(text, "replace nv = {}", self.number(0, 6)).unwrap();
            }
            by(self, &mut text);
            text += &self.trait_rules("Hero");
            text += "}\ntrait Coward on Unit {\n";
            if self.one_in(2) {
                self.form("replace over another trait");
                text += "replace nv = 1 over Hero\n";
            }
            text += "modify power -= 1\n}\n";
        }
        text
    }

    fn trait_rules(&mut self, of: &str) -> String {
        let mut text = String::new();
        let mut scope = Scope { vars: vec![("self".into(), T::Unit)], calls: false, ..Scope::default() };
        if self.parts.events && self.one_in(2) {
            self.form("rule of a trait on an event");
            let mut hit = scope.clone();
            let own = if self.one_in(4) {
                self.form("rule of a trait when a name is bound");
                hit.vars.push(("f".into(), T::Unit));
                "h.target == self and self.foe is some f"
            } else if self.one_in(4) {
                self.form("rule of a trait that answers for every bearer");
                "h.n > 0"
            } else {
                "h.target == self"
            };
            let body = self.body_of_rule(&mut hit);
            writeln!(text, "rule {of}Hit on Hit as h when {own} {{\n{body}}}").unwrap();
        }
        if self.parts.phase && self.one_in(3) {
            self.form("rule of a trait on a phase");
            scope.vars.push(("t.side".into(), T::Side));
            let body = self.body_of_rule(&mut scope.clone());
            writeln!(
                text,
                "rule {of}Turn on {} of Turn as t when t.side == self.side {{\n{body}}}",
                self.lots.of(&["start", "end"])
            )
            .unwrap();
        }
        if self.parts.destruction && self.one_in(3) {
            self.form("rule of a trait on destruction");
            let k = self.number(1, 2);
            writeln!(text, "rule {of}Gone on destroy of Unit as d when d.thing == self {{\neach o in Unit where o != self {{ set o.hp -= {k} }}\n}}").unwrap();
        }
        text
    }

    fn body_of_rule(&mut self, scope: &mut Scope) -> String {
        let count = self.number(1, 2) as usize;
        self.within(3, |make| make.stmts(scope, count))
    }

    fn all_rules(&mut self) -> String {
        let mut text = String::new();
        if self.parts.events {
            let rules = self.number(1, 3);
            for n in 0..rules {
                let mut scope =
                    Scope { vars: vec![("h.target".into(), T::Unit), ("h.n".into(), T::Int)], ..Scope::default() };
                let when = if self.one_in(2) {
                    self.form("rule when");
                    if self.one_in(4) {
                        self.form("rule when a name is bound");
                        scope.vars.push(("f".into(), T::Unit));
                        format!(" when h.target.foe is some f and {}", self.flag(&scope, 0))
                    } else {
                        format!(" when {}", self.flag(&scope, 1))
                    }
                } else {
                    String::new()
                };
                self.form("rule on an event");
                let order = if n > 0 && self.one_in(3) {
                    self.form("rule before or after another");
                    format!(" {} OnHit0", self.lots.of(&["before", "after"]))
                } else {
                    String::new()
                };
                let body = self.body_of_rule(&mut scope);
                writeln!(text, "rule OnHit{n}{order} on Hit as h{when} {{\n{body}}}").unwrap();
            }
        }
        if self.parts.destruction && self.one_in(2) {
            self.form("rule on destruction");
            writeln!(
                text,
                "rule Fallen on destroy of Unit as d {{\nset day += 1\nset d.thing.side.points += d.thing.{}\n}}",
                self.lots.of(&["hp", "power", "mark"])
            )
            .unwrap();
        }
        if self.parts.destruction && self.parts.groups && self.one_in(2) {
            self.form("rule on destruction of a member");
            text += "rule Loss on destroy of Man as d { set d.thing.unit.mark += 1 }\n";
        }
        if self.parts.phase {
            for (n, edge) in ["start", "end"].iter().enumerate() {
                if !self.one_in(2) {
                    continue;
                }
                self.form("rule on a phase");
                let mut scope = Scope { vars: vec![("t.side".into(), T::Side)], in_turn: true, ..Scope::default() };
                let mut body = self.body_of_rule(&mut scope);
                if self.one_in(3) {
                    self.form("shared variable set by a rule");
                    body += "set t.picks -= 1\n";
                }
                writeln!(text, "rule OnTurn{n} on {edge} of Turn as t {{\n{body}}}").unwrap();
            }
        }
        if self.parts.actions && self.one_in(2) {
            self.form("rule on an action");
            let k = self.number(1, 3);
            let back = self.lots.of(&["", " and return cost"]);
            match self.lots.below(3) {
                0 => {
                    self.form("cancel action");
                    writeln!(text, "rule Balk on start of Fire as a when a.unit.mark >= {k} {{ set a.unit.mark -= 1\ncancel action{back} }}").unwrap();
                }
                1 => {
                    self.form("rule on any action in a phase");
                    text += "rule Weary on end of action in Turn as a { set a.side.points += 1 }\n";
                }
                _ => writeln!(text, "rule After on end of Fire as a when a.foe.hp == 0 {{ set a.unit.mark += {k} }}")
                    .unwrap(),
            }
        }
        text
    }

    fn procs(&mut self) -> String {
        let mut text = String::new();
        if self.parts.procs {
            let mut scope = self.own("u");
            scope.vars.push(("n".into(), T::Int));
            let (count, early) = (self.number(1, 3) as usize, self.flag(&scope, 1));
            let body = self.within(3, |make| make.stmts(&mut scope.clone(), count));
            writeln!(text, "proc rally(u: Unit, n: Int) {{\n{body}if u.alive {{ set u.mark += n }}\n}}").unwrap();
            self.form("return early");
            let (a, b) = (self.int(&scope, 1), self.int(&scope, 1));
            let body = self.within(3, |make| make.stmts(&mut scope.clone(), 1));
            writeln!(text, "proc strike(u: Unit, n: Int) -> Int {{\nif {early} {{ return {a} }}\n{body}return {b}\n}}")
                .unwrap();
        }
        if self.parts.tests {
            let mut scope = self.own("u");
            scope.pure = true;
            let sides = self.number(2, 4);
            scope.vars.push(("luck".into(), T::Int));
            let body = self.within(1, |make| make.stmts(&mut scope, 1));
            let pass = self.flag(&scope, 1);
            writeln!(text, "test Nerve(u: Unit) {{\nroll luck = d{sides}\n{body}pass when luck <= u.nv and {pass}\n}}")
                .unwrap();
            text += "test Rank(u: Unit) -> Mood {\nroll luck = d3\ngrade if luck > u.nv then Wild else if luck == 2 then Wary else Calm\n}\n";
        }
        text
    }

    fn phases(&mut self) -> String {
        let picks = self.number(1, 2);
        let mut scope = Scope { vars: vec![("side".into(), T::Side)], in_turn: true, calls: true, ..Scope::default() };
        let count = self.number(1, 3) as usize;
        let mut body = self.within(4, |make| make.stmts(&mut scope, count));
        if self.parts.actions {
            let stop = self.lots.of(&[" or stop", " or stop when day > 0", " or stop"]);
            self.form("choose action");
            writeln!(body, "repeat {{ choose action{stop} }} while picks > 0").unwrap();
        }
        if self.one_in(3) {
            self.form("end of a phase from inside");
            let cond = self.flag(&scope, 0);
            writeln!(body, "if {cond} {{ end Turn }}\nset side.points += 1").unwrap();
        }
        let mut text = format!("phase Turn(side: Side) shares picks: 0..3 = {picks} {{\n{body}}}\n");
        text += "phase Night(side: Side) { set side.points += 1 }\n";
        if self.parts.actions {
            text += &self.actions();
        }
        text
    }

    fn actions(&mut self) -> String {
        let mut text = String::from("action Fire in Turn by unit {\nchoose unit in side.units where not unit.acted\n");
        let scope = Scope { vars: vec![("unit".into(), T::Unit), ("side".into(), T::Side)], ..Scope::default() };
        if self.one_in(2) {
            self.form("needs");
            writeln!(text, "needs unit.hp >= {} else \"too weak\"", self.number(1, 2)).unwrap();
        }
        text += "choose foe in Unit where foe.side != side\n";
        if self.one_in(2) {
            self.form("limit");
            let per =
                self.lots.of(&["limit 1 per Turn", "limit 1 per Turn for foe", "limit 2 per Turn when unit.mark > 0"]);
            writeln!(text, "{per}").unwrap();
        }
        self.form("cost");
        text += "cost 1 picks\nset unit.acted = yes until end of Turn\n";
        let mut scope = scope.with("foe", T::Unit);
        scope.in_turn = true;
        let count = self.number(1, 2) as usize;
        text += &self.within(2, |make| make.stmts(&mut scope, count));
        text += "set foe.hp -= 1\n}\n";
        if self.one_in(2) {
            self.form("action of the phase's own");
            text += "action Rest in Turn {\ncost 1 picks\neach u in side.units { set u.hp += 1 }\n}\n";
        }
        text
    }

    fn main(&mut self) -> String {
        let mut scope = Scope { calls: true, ..Scope::default() };
        let mut params = String::new();
        for (name, ty, kind) in [
            ("s", T::Side, "Side"),
            ("o", T::Side, "Side"),
            ("p", T::Pile, "Pile"),
            ("a", T::Unit, "Unit"),
            ("b", T::Unit, "Unit"),
        ] {
            write!(params, "{name}: {kind}, ").unwrap();
            scope.vars.push((name.into(), ty));
        }
        if self.parts.groups {
            params += "m: Man, l: Man, ";
            scope.vars.extend(["m", "l"].map(|name| (name.into(), T::Man)));
        }
        let params = params.trim_end_matches(", ").to_string();
        let mut body = String::new();
        for _ in 0..self.number(1, 2) {
            let first = std::iter::repeat_with(|| self.chance(&mut scope)).take(4).flatten().next();
            body += &first.map_or(String::new(), |first| first + "\n");
        }
        for _ in 0..2 {
            let call = if self.one_in(2) { self.call(&mut scope) } else { None };
            body += &call.map_or(String::new(), |call| call + "\n");
        }
        let count = self.number(3, 6) as usize;
        body += &self.stmts(&mut scope, count);
        if self.parts.phase {
            self.form("run of a phase");
            body += "run Turn(s)\n";
            if self.one_in(2) {
                let count = self.number(1, 2) as usize;
                body += &self.stmts(&mut scope, count);
                body += "run Turn(o)\n";
            }
        }
        if !self.parts.variant && self.one_in(6) {
            body += &self.said_line(&scope);
        }
        let asked = self.int(&scope, 2);
        let mut digest = vec!["asked".to_string()];
        for u in ["a", "b"] {
            for field in ["hp", "mark", "cap", "nv", "power"] {
                digest.push(format!("{u}.{field}"));
            }
            digest.push(format!("if {u}.alive then 1 else 0"));
            digest.push(format!("if {u}.acted then 1 else 0"));
            digest.push(format!("total({u}.bag) * 10 + size({u}.bag)"));
            digest.push(format!("if {u}.mood == Calm then 0 else if {u}.mood == Wary then 1 else 2"));
            digest.push(format!("if {u}.foe is some f{u} then f{u}.hp else 9"));
            if self.parts.statuses {
                digest.push(format!("if {u} has Fear then 1 else 0"));
                digest.push(format!("size({u}.Oath)"));
            }
        }
        for s in ["s", "o"] {
            digest.push(format!("{s}.points"));
            digest.push(format!("size({s}.units)"));
        }
        digest.push("day".into());
        digest.push("size(p.fleet)".into());
        digest.push("sum u in Unit of u.hp * 10 + u.mark".into());
        if self.parts.groups {
            digest.push("sum n in Man of n.tired * 10 + n.rank".into());
            digest.extend(["m", "l"].map(|name| format!("if {name}.alive then 1 else 0")));
        }
        let digest: Vec<String> = digest
            .into_iter()
            .map(|d| if d.starts_with("if ") || d.starts_with("sum ") { format!("({d})") } else { d })
            .collect();
        let args = params.replace(": Side", "").replace(": Pile", "").replace(": Unit", "").replace(": Man", "");
        format!(
            "proc play({params}) -> Int {{\n{body}return {asked}\n}}\nproc main({params}) -> list of Int {{\nlet asked = do play({args})\nreturn [{}]\n}}\n",
            digest.join(", ")
        )
    }

    fn policy(&mut self, rules: &str) -> String {
        let mut entries = Vec::new();
        for (site, answers) in std::mem::take(&mut self.sites) {
            // a statement may have been dropped after it got its name
            if rules.contains(&format!("{site} ")) && self.one_in(2) {
                self.form("policy for a decision");
                let at = self.lots.below(answers.len() as u64) as usize;
                entries.push(format!("{site} = {}", answers[at]));
            }
        }
        if self.parts.actions && self.one_in(2) {
            self.form("policy for actions");
            let action =
                ["Fire when foe.hp > 1, Fire", "Fire when unit.mark > 0", "Fire when foe.mark > 1, stop", "stop"];
            entries.push(format!("action = {}", self.lots.of(&action)));
        }
        if entries.is_empty() {
            return "proc ask() { may nothing { set day += 1 } }\npolicy Bold { nothing = yes }\n".into();
        }
        format!("policy Bold {{ {} }}\n", entries.join("\n"))
    }

    fn variant(&mut self) -> String {
        let mut text = String::from("variant g/house of g/book version \"1\"\n");
        self.form("variant");
        if self.one_in(2) {
            self.form("override of a param");
            writeln!(text, "override param hit_on = {}", self.number(2, 6)).unwrap();
        }
        if self.one_in(2) {
            self.form("override of a reading");
            text += "override reading way = New\n";
        }
        if self.parts.events {
            if self.one_in(2) {
                self.form("override of a rule");
                let mut scope =
                    Scope { vars: vec![("h.target".into(), T::Unit), ("h.n".into(), T::Int)], ..Scope::default() };
                let body = self.body_of_rule(&mut scope);
                writeln!(text, "override rule OnHit0 on Hit as h when h.n > 1 {{\n{body}}}").unwrap();
            }
            if self.one_in(2) {
                self.form("rule added by a variant");
                text += "rule House on Hit as h { set h.target.mark += h.n }\n";
            }
        }
        if self.parts.actions && self.one_in(2) {
            self.form("action added by a variant");
            text += "action Wait in Turn {\ncost 1 picks\nset side.points += 2\n}\n";
        }
        if self.parts.procs && self.one_in(2) {
            self.form("override of a proc");
            text += "override proc rally(u: Unit, n: Int) { if u.alive { set u.hp += n } }\n";
        }
        text
    }
}
