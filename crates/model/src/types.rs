//! Types of a ruleset: their width in cells, and their names in the language.

use super::code::{Expr, ExprKind};
use super::ruleset::{Ruleset, Schema, Site};
use grognard_base::value::*;

impl Ruleset {
    /// Returns the address of the dice of a roll: its stable key, or else the function and the name, as in
    /// `Volley.aim`.
    pub fn address(&self, site: &Site) -> String {
        site.address(self.functions.get(site.func.at()).map_or("", |f| f.name.as_str()))
    }

    /// Returns the name of a site with the function that it is in, such as `Volley.aim`.
    pub fn qualified(&self, site: &Site) -> String {
        site.qualified(self.functions.get(site.func.at()).map_or("", |f| f.name.as_str()))
    }

    /// Returns the name of a value that has one.
    pub fn called(&self, value: &Expr) -> Option<&str> {
        Some(match &value.kind {
            ExprKind::Field { field, .. } => &self.fields[field.at()].name,
            ExprKind::Setting(id) => &self.settings[id.at()].name,
            ExprKind::Global(id) => &self.globals[id.at()].name,
            ExprKind::Tally(id) => &self.tallies[id.at()].name,
            ExprKind::Ambient(id) => &self.ambients[id.at()].name,
            ExprKind::Call { func, .. } => &self.functions[func.at()].name,
            _ => return None,
        })
    }
}

impl Schema {
    /// Returns the number of cells that a value of the type occupies.
    pub fn width(&self, ty: &Type) -> usize {
        match ty {
            Type::Nothing => 0,
            Type::Ratio | Type::Place | Type::Route | Type::Met => 2,
            Type::Leg => 4,
            Type::Record(id) => self.records[id.at()].fields.iter().map(|(_, t)| self.width(t)).sum(),
            Type::Tuple(parts) => parts.iter().map(|t| self.width(t)).sum(),
            Type::Optional(inner) => self.width(inner).max(1),
            Type::Int(_) | Type::Flag | Type::Length | Type::Angle | Type::Enum(_) | Type::Chain(_) | Type::Die => 1,
            Type::Shifted(_) | Type::Faces(_) | Type::Kind(_) | Type::List(_) | Type::Unknown => 1,
        }
    }

    /// Returns whether the type is a list or has a list as one of its parts.
    pub fn holds_list(&self, ty: &Type) -> bool {
        match ty.present() {
            Type::List(_) | Type::Leg => true,
            Type::Tuple(parts) => parts.iter().any(|part| self.holds_list(part)),
            Type::Record(id) => {
                self.records.get(id.at()).is_some_and(|r| r.fields.iter().any(|(_, part)| self.holds_list(part)))
            }
            _ => false,
        }
    }

    /// Returns the type as written in the language.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Int(r) if r.holds(Range::ALL) => "Int".into(),
            Type::Int(r) if r.high >= Range::ALL.high => format!("{}..", r.low),
            Type::Int(r) => format!("{}..{}", r.low, r.high),
            Type::Flag => "Flag".into(),
            Type::Length => "Length".into(),
            Type::Angle => "Angle".into(),
            Type::Ratio => "Ratio".into(),
            Type::Enum(id) => self.enums[id.at()].name.clone(),
            Type::Chain(id) => self.chains[id.at()].name.clone(),
            Type::Die => "Die".into(),
            Type::Shifted(id) => format!("shifted {}", self.chains[id.at()].name),
            Type::Faces(id) => self.dice[id.at()].name.clone(),
            Type::Kind(id) => self.kinds[id.at()].name.clone(),
            Type::Record(id) => self.records[id.at()].name.clone(),
            Type::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|t| self.type_name(t)).collect();
                format!("({})", parts.join(", "))
            }
            Type::Place => "Place".into(),
            Type::Route => "Route".into(),
            Type::Leg => "Leg".into(),
            Type::Met => "met thing".into(),
            Type::List(inner) => format!("list of {}", self.type_name(inner)),
            Type::Optional(inner) => format!("{}?", self.type_name(inner)),
            Type::Nothing => "nothing".into(),
            Type::Unknown => "unknown".into(),
        }
    }
}
