//! Makes the table: sides, units, and the members of groups.

use super::Make;
use crate::reference::{Given, Row};

impl Make {
    /// Returns the things and the arguments of `main`.
    pub fn table(&mut self) -> (Vec<Row>, Vec<String>) {
        let word = |w: &str| Given::Word(w.to_string());
        let mut rows: Vec<Row> = Vec::new();
        let units: Vec<String> = (1..=self.number(2, 4)).map(|n| format!("u{n}")).collect();
        for side in ["red", "blue"] {
            rows.push(("Side".into(), side.into(), Vec::new(), Vec::new()));
        }
        let fleet = units.iter().filter(|_| self.one_in(2)).cloned().collect();
        rows.push(("Pile".into(), "pile".into(), vec![("fleet".into(), Given::Words(fleet))], Vec::new()));
        for (n, unit) in units.iter().enumerate() {
            let mut figures = vec![("side".to_string(), word(if n % 2 == 0 { "red" } else { "blue" }))];
            if self.one_in(2) {
                let foe = units[self.lots.below(units.len() as u64) as usize].clone();
                figures.push(("foe".into(), Given::Word(foe)));
            }
            for (field, most) in [("nv", 6), ("cap", 6), ("hp", 5), ("mark", 3)] {
                if self.one_in(2) {
                    figures.push((field.into(), Given::Int(self.number(0, most))));
                }
            }
            if self.one_in(3) {
                figures.push(("mood".into(), Given::Word(self.lots.of(&["Calm", "Wary", "Wild"]).into())));
            }
            if self.one_in(3) {
                figures.push(("acted".into(), Given::Flag(self.one_in(2))));
            }
            if self.one_in(3) {
                let list = (0..self.number(0, 3)).map(|_| self.number(1, 4)).collect();
                figures.push(("bag".into(), Given::Ints(list)));
            }
            if self.parts.chains && self.one_in(2) {
                figures.push(("q".into(), Given::Word(self.lots.of(&["d4", "d6", "d8"]).into())));
            }
            let mut traits = Vec::new();
            if self.parts.traits {
                for name in ["Hero", "Coward"] {
                    if self.one_in(3) {
                        traits.push(name.to_string());
                    }
                }
            }
            rows.push(("Unit".into(), unit.clone(), figures, traits));
        }
        let mut args: Vec<String> = ["red", "blue", "pile", "u1", "u2"].map(String::from).to_vec();
        if self.parts.groups {
            for (n, unit) in units.iter().enumerate() {
                for at in 0..self.number(1, 2) {
                    let mut figures =
                        vec![("unit".to_string(), word(unit)), ("rank".into(), Given::Int(self.number(0, 4)))];
                    figures.push(if self.one_in(12) {
                        self.form("thing without a place");
                        ("off".into(), Given::Flag(true))
                    } else {
                        ("at".into(), Given::Ints(vec![n as i64 + 1, at + 1]))
                    });
                    rows.push(("Man".into(), format!("m{n}{at}"), figures, Vec::new()));
                }
            }
            args.extend(["m00", "m10"].map(String::from));
        }
        (rows, args)
    }
}
