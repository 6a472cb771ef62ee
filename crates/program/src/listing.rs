//! A program as text, for `dump --stage program`.

use super::{FuncSort, Instr, Program};
use grognard_base::order;
use std::fmt::Write;

/// Returns every function with its instructions, one per line.
pub fn listing(program: &Program) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "program {} {}: {} functions, {} instructions, {} asks",
        program.schema.path,
        program.schema.version,
        program.funcs.len(),
        program.code.len(),
        program.asks.len()
    );
    let mut starts: Vec<(u32, usize)> = program.funcs.iter().enumerate().map(|(n, f)| (f.entry, n)).collect();
    order::sort(&mut starts);
    let mut next = starts.iter().peekable();
    for (pc, instr) in program.code.iter().enumerate() {
        while let Some((entry, n)) = next.peek() {
            if *entry as usize > pc {
                break;
            }
            heading(&mut out, program, *n);
            next.next();
        }
        let _ = writeln!(out, "  {pc:5}  {}", line(program, *instr));
    }
    out
}

fn heading(out: &mut String, program: &Program, n: usize) {
    let func = &program.funcs[n];
    let name = match program.functions.get(n) {
        Some(f) => f.name.clone(),
        None => program.schema.items.get(func.item.at()).map_or(String::new(), |i| i.name.clone()),
    };
    let sort = match func.sort {
        FuncSort::Value => "value",
        FuncSort::Test => "test",
        FuncSort::Proc => "proc",
        FuncSort::Phase => "phase",
        FuncSort::Action => "action",
        FuncSort::Rule => "rule",
        FuncSort::Event => "event",
        FuncSort::Snippet => "snippet",
    };
    let _ = writeln!(
        out,
        "\n#{n} {sort} {name}  (parameters {}, frame {}, result {})",
        func.params, func.frame, func.result
    );
}

fn line(program: &Program, instr: Instr) -> String {
    let (name, mut operands) = instr.written();
    let at = |at: u32| at as usize;
    match instr {
        Instr::Ask { at: ask } => {
            let site = program.schema.sites.get(program.asks[at(ask)].site.at()).map_or("", |s| s.name.as_str());
            return format!("{name} {site}");
        }
        Instr::Wide { at: place, .. } => operands[1] = ("value", program.pool[at(place)].to_string()),
        _ => {}
    }
    let operands: Vec<String> = operands.into_iter().map(|(field, value)| format!(" {field}: {value}")).collect();
    format!("{name}{}", operands.join(","))
}
