//! Types that the state of the game cannot store.

use crate::ruleset::{FieldSort, Ruleset};
use grognard_base::value::{ItemId, Type};
use grognard_base::{Code, Diagnostic};

/// Returns an error for each `state`, field and status that would store a list inside a record. The layout of the state has no
/// room for such lists. The parts of a test result are known only after its body is checked.
pub fn lists_in_records(rs: &Ruleset) -> Vec<Diagnostic> {
    let fields =
        rs.fields.iter().filter(|field| matches!(field.sort, FieldSort::State | FieldSort::Stat | FieldSort::Link));
    let fields = fields.map(|field| (field.name.as_str(), &field.ty, field.item));
    let globals = rs.globals.iter().filter(|global| !global.hidden);
    let globals = globals.map(|global| (global.name.as_str(), &global.ty, global.item));
    let data = rs.traits.iter().flat_map(|status| {
        rs.records
            .get(status.data.at())
            .into_iter()
            .flat_map(|data| &data.fields)
            .map(|(name, ty)| (name.as_str(), ty, status.item))
    });
    fields.chain(globals).chain(data).filter_map(|stored| error(rs, stored)).collect()
}

fn error(rs: &Ruleset, (name, ty, item): (&str, &Type, ItemId)) -> Option<Diagnostic> {
    let Type::Record(record) = ty.present() else { return None };
    let record = rs.records.get(record.at())?;
    let (list, _) = record.fields.iter().find(|(_, part)| rs.holds_list(part))?;
    let message = format!("`{name}` cannot store a {}, because its `{list}` is a list or contains one", record.name);
    let help = format!("store the parts that the rules read, such as `size(result.{list})` in a number");
    Some(Diagnostic::new(Code::WrongType, rs.items[item.at()].span, message).help(help))
}
