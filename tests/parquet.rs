//! Rows as Parquet are the rows as JSON Lines: `cargo test --features parquet --test parquet`.

#![cfg(feature = "parquet")]
#[path = "suite/common/mod.rs"]
mod common;

use common::{folder, said_apart};
use parquet::basic::Type;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;
use std::path::{Path, PathBuf};

const RULES: &str = "ruleset g/x version \"1\"\n\nparam need = 4  sweep 3 .. 5\nparam far = 6\"  sweep 4\", 6.5\"\nreading order = First or Last because \"not said\"\nreading twice : Flag = no or yes because \"not said\"\nkind Side { state pips : 0..60 = 0; state hit : Flag = no }\nphase Go(s: Side) {\n  roll aim = d6\n  set s.hit = aim >= need or order == Last or far > 6\"\n  set s.pips = aim\n  if twice { set s.pips += aim }\n}\n";
const SCENE: &str = "rules = \"g/x\"\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 50\n[Side.red]\n[report]\nchance = \"red.hit\"\nmean = \"red.pips\"\nhist = \"red.pips\"\n";

fn game(name: &str) -> PathBuf {
    folder(name, &[("g/x.rules", RULES), ("s.toml", SCENE)])
}

/// What a sweep prints as JSON Lines, and the file it writes.
fn swept(folder: &Path, more: &[&str]) -> (Vec<Value>, SerializedFileReader<std::fs::File>) {
    let over = ["--over", "need=3,4", "--over", "far", "--over", "order", "--over", "twice"];
    let args = [&["sweep", "s.toml", "--format", "jsonl", "--out", "rows.parquet"], &over[..], more].concat();
    let (code, printed, errors) = said_apart(folder, &args);
    assert_eq!(code, 0, "{errors}");
    let rows = printed.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    (rows, SerializedFileReader::new(std::fs::File::open(folder.join("rows.parquet")).unwrap()).unwrap())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(yes) => Value::from(*yes),
        Field::Long(n) => Value::from(*n),
        Field::ULong(n) => Value::from(*n),
        Field::Double(x) => Value::from(*x),
        Field::Str(text) => Value::from(text.as_str()),
        other => panic!("{other}"),
    }
}

#[test]
fn rows_are_those_of_json_lines() {
    for mode in ["sampled", "exact"] {
        let (rows, file) = swept(&game(mode), &["--mode", mode]);
        let read: Vec<_> = file.get_row_iter(None).unwrap().map(|row| row.unwrap()).collect();
        assert_eq!(read.len(), rows.len());
        assert!(rows.len() > 32);
        for (row, wanted) in read.iter().zip(&rows) {
            let names: Vec<&String> = row.get_column_iter().map(|(name, _)| name).collect();
            assert!(names.into_iter().eq(wanted.as_object().unwrap().keys()), "the same columns in the same order");
            for (name, field) in row.get_column_iter() {
                let (found, wanted) = (value(field), &wanted[name]);
                let same = found == *wanted || (found.is_number() && found.as_f64() == wanted.as_f64());
                assert!(same, "{name}: {found} {wanted}");
            }
        }
    }
}

/// A column has one type, whether or not all its rows are empty.
#[test]
fn columns_have_types() {
    let types = |mode: &str| -> Vec<(String, Type)> {
        let (_, file) = swept(&game(&format!("types-{mode}")), &["--mode", mode]);
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        schema.columns().iter().map(|c| (c.name().to_string(), c.physical_type())).collect()
    };
    let sampled = types("sampled");
    assert_eq!(sampled, types("exact"));
    let of = |name: &str| sampled.iter().find(|(n, _)| n == name).unwrap().1;
    for (name, ty) in [
        ("point", Type::INT64),
        ("need", Type::INT64),
        ("far", Type::DOUBLE),
        ("twice", Type::BOOLEAN),
        ("order", Type::BYTE_ARRAY),
        ("estimate", Type::DOUBLE),
        ("n", Type::INT64),
        ("level", Type::DOUBLE),
        ("fraction", Type::BYTE_ARRAY),
    ] {
        assert_eq!(of(name), ty, "{name}");
    }
}
