//! A short value as text.

use super::tree::{self, ArithOp, Expr, ExprKind};
use grognard_base::value::fixed;

fn number_text(n: tree::Number) -> String {
    let unit = match n.unit {
        tree::Unit::Plain => "",
        tree::Unit::Inches => "\"",
        tree::Unit::Percent => "%",
        tree::Unit::Degrees => "°",
    };
    format!("{}{unit}", fixed(n.thousandths, 1000))
}

/// A short value as text; what is longer is `..`.
pub fn short_text(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => number_text(*n),
        ExprKind::Name(n) | ExprKind::Upper(n) => n.clone(),
        ExprKind::Field(x, n) => format!("{}.{}", short_text(x), n.text),
        ExprKind::Neg(x) => format!("-{}", short_text(x)),
        ExprKind::Paren(x) => format!("({})", short_text(x)),
        ExprKind::Rounded { value, to } => format!("{} rounded {}", short_text(value), to.word()),
        ExprKind::Arith { first, rest } => {
            let sign = |op: ArithOp| match op {
                ArithOp::Add => '+',
                ArithOp::Sub => '-',
                ArithOp::Mul => '*',
                ArithOp::Div => '/',
            };
            rest.iter().fold(short_text(first), |text, (op, e)| format!("{text} {} {}", sign(*op), short_text(e)))
        }
        ExprKind::Call(of, args) => {
            let args: Vec<String> = args.iter().map(|arg| short_text(&arg.value)).collect();
            format!("{}({})", short_text(of), args.join(", "))
        }
        _ => "..".into(),
    }
}
