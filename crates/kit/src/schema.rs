//! The part of JSON Schema that the schemas of this repository use. An unknown keyword is an error.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A schema that can refer to parts of itself.
pub struct Schema(Value);

/// The names of the properties that were checked, or a mismatch with its location.
type Checked<'s> = Result<BTreeSet<&'s str>, String>;

impl Schema {
    pub fn parse(text: &str) -> Schema {
        Schema(serde_json::from_str(text).expect("a schema"))
    }

    /// Returns the alternatives of the root schema.
    pub fn alternatives(&self) -> &[Value] {
        self.0["oneOf"].as_array().expect("alternatives")
    }

    /// Checks a value against the schema.
    ///
    /// # Errors
    ///
    /// Returns the first mismatch with its location.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.fits(&self.0, value).map(|_| ())
    }

    fn fits<'s>(&self, schema: &Value, value: &'s Value) -> Checked<'s> {
        let schema = schema.as_object().expect("a schema is an object");
        let mut seen = BTreeSet::new();
        // keywords for the remaining properties are evaluated last
        let (last, first): (Vec<_>, Vec<_>) = schema.iter().partition(|(key, _)| key.ends_with("dProperties"));
        for (key, wanted) in first.into_iter().chain(last) {
            seen.append(&mut self.keyword(key, wanted, value, schema, &seen)?);
        }
        Ok(seen)
    }

    fn keyword<'s>(
        &self,
        key: &str,
        wanted: &Value,
        value: &'s Value,
        schema: &Map<String, Value>,
        seen: &BTreeSet<&'s str>,
    ) -> Checked<'s> {
        let mut found = BTreeSet::new();
        let object = || value.as_object().into_iter().flatten();
        let within = |part: &str, why: String| format!("{part}: {why}");
        let size = |n: usize| n as u64;
        let counted = |n: Option<usize>, fits: fn(u64, u64) -> bool| {
            n.is_none_or(|n| fits(size(n), wanted.as_u64().expect("a number")))
        };
        let holds = match key {
            "$schema" | "title" | "description" | "$defs" => true,
            "$ref" => {
                let path = wanted.as_str().and_then(|r| r.strip_prefix('#')).expect("a place in the schema");
                found = self.fits(self.0.pointer(path).unwrap_or_else(|| panic!("{path}")), value)?;
                true
            }
            "type" => match wanted {
                Value::Array(sorts) => sorts.iter().any(|sort| is(value, sort)),
                sort => is(value, sort),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().expect("a list").contains(value),
            "minimum" => value.as_i64().is_none_or(|n| n >= wanted.as_i64().expect("a number")),
            "minItems" => counted(value.as_array().map(Vec::len), |n, least| n >= least),
            "maxItems" => counted(value.as_array().map(Vec::len), |n, most| n <= most),
            "minProperties" => counted(value.as_object().map(Map::len), |n, least| n >= least),
            "maxProperties" => counted(value.as_object().map(Map::len), |n, most| n <= most),
            "required" => {
                let missing = |name: &&Value| value.get(name.as_str().expect("a name")).is_none();
                match wanted.as_array().expect("a list").iter().find(|name| value.is_object() && missing(name)) {
                    Some(name) => return Err(format!("{name} is missing")),
                    None => true,
                }
            }
            "properties" => {
                for (name, part) in object() {
                    if let Some(wanted) = wanted.get(name) {
                        self.fits(wanted, part).map_err(|why| within(name, why))?;
                        found.insert(name.as_str());
                    }
                }
                true
            }
            "items" => {
                for (n, entry) in value.as_array().into_iter().flatten().enumerate() {
                    self.fits(wanted, entry).map_err(|why| within(&n.to_string(), why))?;
                }
                true
            }
            "additionalProperties" | "unevaluatedProperties" => {
                let own = schema.get("properties");
                let known = |name: &str| match key {
                    "additionalProperties" => own.is_some_and(|own| own.get(name).is_some()),
                    _ => seen.contains(name),
                };
                for (name, part) in object().filter(|(name, _)| !known(name)) {
                    match wanted {
                        Value::Bool(false) => return Err(format!("{name} is not known")),
                        wanted => self.fits(wanted, part).map_err(|why| within(name, why))?,
                    };
                    found.insert(name.as_str());
                }
                true
            }
            "oneOf" | "anyOf" => {
                let mut fitting = Vec::new();
                let mut failures = Vec::new();
                for part in wanted.as_array().expect("a list") {
                    match self.fits(part, value) {
                        Ok(seen) => fitting.push(seen),
                        Err(why) => failures.push(why),
                    }
                }
                if fitting.is_empty() || key == "oneOf" && fitting.len() > 1 {
                    return Err(format!("{} of {key} fit: {failures:?}", fitting.len()));
                }
                found = fitting.into_iter().flatten().collect();
                true
            }
            other => panic!("the keyword {other} is not known here"),
        };
        if holds { Ok(found) } else { Err(format!("{value} is not {key} {wanted}")) }
    }
}

fn is(value: &Value, sort: &Value) -> bool {
    match sort.as_str().expect("the name of a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is not known here"),
    }
}
