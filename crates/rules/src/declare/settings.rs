//! Declares params and readings: constants that a scenario can set.

use super::Declarer;
use super::constants::Constant;
use crate::index::Means;
use crate::ruleset::{Setting, TypeName, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, did_you_mean};
use grognard_syntax::tree::{self, ExprKind, ItemKind, Param, Reading};

/// Maximum number of values in a sweep.
const SWEEP_LIMIT: usize = 1000;

impl<'a> Declarer<'a, '_> {
    /// Declares params and readings, then applies the values that an extension or variant sets.
    pub fn declare_settings(&mut self) {
        let items = self.items;
        for item in items {
            match &item.kind {
                ItemKind::Param(p) => self.declare_param(p, item),
                ItemKind::Reading(r) => self.declare_reading(r, item),
                _ => {}
            }
        }
        for item in items {
            if let ItemKind::SetReading { name, value, because } = &item.kind {
                self.set_reading(name, value, because.as_ref(), item);
            }
        }
    }

    fn declare_param(&mut self, p: &'a Param, item: &'a tree::Item) {
        let id = self.item("param", p.name.text.clone(), &p.title, &item.cites, p.name.span);
        let ty = p.ty.as_ref().map(|t| self.resolve(t, None));
        let found = self.constant(&p.value, ty.as_ref());
        let ty = ty.or_else(|| found.as_ref().map(|f| f.0.clone())).unwrap_or(Type::Unknown);
        let value = found.map(|f| f.1).unwrap_or_else(|| vec![0; self.c.rs.width(&ty)]);
        let sweep = if ty == Type::Unknown { Vec::new() } else { self.sweep(p, &ty) };
        self.add_setting(Setting {
            name: p.name.text.clone(),
            ty,
            value,
            alternatives: Vec::new(),
            glosses: Vec::new(),
            sweep,
            because: String::new(),
            default_because: String::new(),
            item: id,
        });
    }

    fn add_setting(&mut self, setting: Setting) {
        let id = SettingId::from(self.c.rs.settings.len());
        self.c.rs.names.values.insert(setting.name.clone(), ValueName::Setting(id));
        self.c.rs.settings.push(setting);
    }

    fn sweep(&mut self, p: &Param, ty: &Type) -> Vec<Vec<i64>> {
        let mut found = Vec::new();
        for range in &p.sweep {
            let Some(low) = self.constant(&range.low, Some(ty)) else { continue };
            let Some(high) = &range.high else {
                found.push(low.1);
                continue;
            };
            let Some(high) = self.constant(high, Some(ty)) else { continue };
            let step = match ty {
                Type::Length => 1000,
                Type::Int(_) | Type::Enum(_) | Type::Chain(_) => 1,
                _ => {
                    self.say(
                        Code::WrongType,
                        range.span,
                        "only whole numbers, inches and cases can have a range; list the values",
                    );
                    continue;
                }
            };
            let count = ((high.1[0] - low.1[0]) / step + 1).max(0) as usize;
            if count + found.len() > SWEEP_LIMIT {
                self.say(Code::TooLarge, range.span, format!("a sweep can try at most {SWEEP_LIMIT} values"));
                continue;
            }
            found.extend((0..count as i64).map(|n| vec![low.1[0] + n * step]));
        }
        found
    }

    fn declare_reading(&mut self, r: &'a Reading, item: &'a tree::Item) {
        let name = r.name.text.clone();
        let (id, ty, alternatives) = match &r.ty {
            Some(written) => {
                let id = self.item("reading", name.clone(), &r.title, &item.cites, r.name.span);
                let ty = self.resolve(written, None);
                let found = self.alternatives(r, &ty);
                (id, narrow(ty, &found), found)
            }
            None => {
                let Some(TypeName::Enum(id)) = self.c.rs.names.types.get(&name).copied() else { return };
                let cases = self.c.rs.enums[id.at()].cases.clone();
                let found = cases.into_iter().enumerate().map(|(at, case)| (vec![at as i64], case)).collect();
                (self.c.rs.enums[id.at()].item, Type::Enum(id), found)
            }
        };
        let value = alternatives.first().map(|a: &(Vec<i64>, String)| a.0.clone());
        let value = value.unwrap_or_else(|| vec![0; self.c.rs.width(&ty)]);
        let because = r.because.as_ref().map_or(String::new(), |why| why.text.clone());
        let default_because = r.default_because.as_ref().map_or(String::new(), |why| why.text.clone());
        let gloss = |(_, written): &(Vec<i64>, String)| {
            let own = r.alternatives.iter().find(|a| self.text(a.value.span) == *written);
            own.and_then(|a| a.gloss.as_ref()).map_or(String::new(), |g| g.text.clone())
        };
        let glosses = alternatives.iter().map(gloss).collect();
        let sweep = Vec::new();
        self.add_setting(Setting { name, ty, value, alternatives, glosses, sweep, because, default_because, item: id });
    }

    /// Returns the values of a reading with a type. Reports a value that appears twice.
    fn alternatives(&mut self, r: &Reading, ty: &Type) -> Vec<(Vec<i64>, String)> {
        let mut found: Vec<(Vec<i64>, String)> = Vec::new();
        if *ty == Type::Unknown {
            return found;
        }
        for alternative in &r.alternatives {
            let Some((_, cells)) = self.constant(&alternative.value, Some(ty)) else { continue };
            let written = self.text(alternative.value.span);
            if found.iter().any(|(c, _)| *c == cells) {
                let message = format!("`{written}` is listed twice as an alternative of `{}`", r.name.text);
                self.say(Code::Twice, alternative.value.span, message);
                continue;
            }
            found.push((cells, written));
        }
        found
    }

    /// Sets the reading that an `override reading x = A because "..."` names.
    fn set_reading(&mut self, name: &tree::Name, value: &tree::Expr, because: Option<&tree::Text>, item: &tree::Item) {
        let Some(ValueName::Setting(id)) = self.c.rs.names.values.get(&name.text).copied() else { return };
        self.c.means(name.span, || Means::Value(ValueName::Setting(id)));
        let setting = &self.c.rs.settings[id.at()];
        if setting.alternatives.is_empty() {
            let message = format!("`{}` is a param; write `override param {} = ..`", name.text, name.text);
            return self.say(Code::NoOverride, name.span, message);
        }
        let ty = match &setting.ty {
            Type::Int(_) => Type::INT,
            other => other.clone(),
        };
        let names: Vec<String> = setting.alternatives.iter().map(|a| a.1.clone()).collect();
        if let (ExprKind::Upper(case), Type::Enum(_)) = (&value.kind, &ty)
            && !names.contains(case)
        {
            let near = did_you_mean(case, names.iter().map(String::as_str));
            let message = format!("`{case}` is not an alternative of `{}`{near}", name.text);
            let found = Diagnostic::new(Code::UnknownType, value.span, message);
            return self.c.problems.push(found.help(format!("its alternatives are {}", names.join(" or "))));
        }
        let Some((_, cells)): Option<Constant> = self.constant(value, Some(&ty)) else { return };
        let setting = &mut self.c.rs.settings[id.at()];
        if !setting.alternatives.iter().any(|(c, _)| *c == cells) {
            let message = format!("the alternatives of `{}` are {}, nothing else", name.text, names.join(" or "));
            return self.say(Code::WrongType, value.span, message);
        }
        // the old reason applies to the old alternative
        if because.is_some() || setting.value != cells {
            setting.default_because = because.map_or(String::new(), |why| why.text.clone());
        }
        setting.value = cells;
        let cited = item.cites.iter().map(|c| c.text.clone());
        let at = setting.item.at();
        self.c.rs.items[at].cites.extend(cited);
    }
}

/// Narrows the range of an Int reading to the range of its alternatives.
fn narrow(ty: Type, alternatives: &[(Vec<i64>, String)]) -> Type {
    let values = alternatives.iter().map(|(cells, _)| cells[0]);
    match (&ty, values.clone().min(), values.max()) {
        (Type::Int(_), Some(low), Some(high)) => Type::Int(Range::new(low, high)),
        _ => ty,
    }
}
