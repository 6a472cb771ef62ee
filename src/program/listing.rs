//! A program as text, for `dump --stage program`.

use super::{FuncSort, Instr, Program};
use std::fmt::Write;

/// Every function with its instructions, one a line.
pub fn listing(program: &Program) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "program {} {}: {} functions, {} instructions, {} asks",
        program.rules.path,
        program.rules.version,
        program.funcs.len(),
        program.code.len(),
        program.asks.len()
    );
    let mut starts: Vec<(u32, usize)> = program.funcs.iter().enumerate().map(|(n, f)| (f.entry, n)).collect();
    starts.sort_unstable();
    let mut next = starts.iter().peekable();
    for (pc, instr) in program.code.iter().enumerate() {
        while let Some((entry, n)) = next.peek() {
            if *entry as usize > pc {
                break;
            }
            heading(&mut out, program, *n);
            next.next();
        }
        let _ = writeln!(out, "  {pc:5}  {}", line(program, instr));
    }
    out
}

fn heading(out: &mut String, program: &Program, n: usize) {
    let func = &program.funcs[n];
    let name = match program.rules.functions.get(n) {
        Some(f) => f.name.clone(),
        None => program.rules.items.get(func.item.at()).map_or(String::new(), |i| i.name.clone()),
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

fn line(program: &Program, instr: &Instr) -> String {
    let text = format!("{instr:?}");
    let text = text.replace(['{', '}'], "").replace("  ", " ");
    if let Instr::Ask { at } = instr {
        let ask = &program.asks[*at as usize];
        let site = program.rules.sites.get(ask.site.at()).map_or("", |s| s.name.as_str());
        format!("Ask {site}")
    } else if let Instr::Wide { dst, at } = instr {
        format!("Wide dst: {dst}, value: {}", program.pool[*at as usize])
    } else {
        text.trim_end().to_string()
    }
}
