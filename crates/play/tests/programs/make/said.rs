//! Makes lines that `check` must refuse or remark on.

use super::{Make, Scope, T};

impl Make {
    /// Returns a line with the lines that it needs, and notes the code that is due there.
    pub fn said_line(&mut self, scope: &Scope) -> String {
        let (u, v) = (self.var(scope, T::Unit).expect("a unit"), self.fresh("z"));
        let k = self.number(1, 4);
        // a stored list has an order, a pool has none
        let (list, code_of_list) = match scope.pools.last() {
            Some(pool) => (pool.clone(), "R0420"),
            None => (format!("{u}.nv > 9 and {u}.bag"), "R0408"),
        };
        let change = match k {
            1 | 2 if self.parts.statuses => format!("revoke all Oath from {u}"),
            _ => format!("set {u}.mark = {k}"),
        };
        let lines: &[(&'static str, &'static str, String)] = &[
            ("percentage against a number", "R0302", format!("if {u}.hp > {k}0% {{ set day += 1 }}")),
            (
                "percentage against a number",
                "R0302",
                format!("let {v} = match {u}.hp {{ at least 50% => 1; else => 0 }}"),
            ),
            ("share against a number", "R0408", format!("let {v} = if {u}.hp / {k} > 50 then 1 else 0")),
            ("angles in order", "R0302", format!("if {u}.hp * 50° - 10° <= 45° {{ set day += 1 }}")),
            ("angle of more than a circle", "R0111", format!("let {v} = turn_between({u}.hp * 1°, 999°)")),
            ("rounding of a sum", "R0317", format!("let {v} = {k} - {u}.hp / 2 rounded up")),
            (
                "rounding of a sum",
                "R0317",
                format!("let {v} = (count w in Unit where w.acted) - {u}.hp / 2 rounded down"),
            ),
            ("sum with a sum", "R0317", format!("let {v} = sum w in Unit of w.hp + {k}")),
            ("else with a sum", "R0317", format!("let {v} = if {u}.acted then 1 else 0 + {k}")),
            ("difference taken away", "R0318", format!("set {u}.hp -= {u}.mark - {k}")),
            ("comparison of one outcome", "R0408", format!("if {u}.nv > 9 {{ set day += 1 }}")),
            ("entry before the first", "R0408", format!("let {v} = nth(0, {u}.bag) otherwise {k}")),
            (
                "foes that fall in a loop",
                "R0424",
                format!("each w in Unit where w.side != {u}.side and w.hp > {k} {{ destroy w \"shot\" }}"),
            ),
            ("change after destruction", "R0422", change),
            ("list compared in order", code_of_list, format!("if {list} == [1, 2] {{ set day += 1 }}")),
            ("variable that nobody reads", "R0214", format!("let {v} = {u}.hp + {k}")),
        ];
        let (form, code, line) = &lines[self.lots.below(lines.len() as u64) as usize];
        let (mut before, mut after) = (String::new(), String::new());
        match (*code, *form) {
            ("R0422", _) => before = format!("destroy {u} \"gone\"\n"),
            ("R0424", _) => {
                before = format!("each {v} in Unit {{\n");
                after = "}\n".into();
            }
            _ => {}
        }
        self.form(form);
        self.said = Some((line.clone(), code));
        format!("{before}{line}\n{after}")
    }
}
