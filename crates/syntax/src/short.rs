//! Renders short values as text.

use super::tree::{Expr, ExprKind};

/// Returns a short value as text, with `..` in place of its longer parts.
pub fn short_text(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Name(n) | ExprKind::Upper(n) => n.clone(),
        ExprKind::Field(x, n) => format!("{}.{}", short_text(x), n.text),
        ExprKind::Neg(x) => format!("-{}", short_text(x)),
        ExprKind::Paren(x) => format!("({})", short_text(x)),
        ExprKind::Rounded { value, to } => format!("{} {}", short_text(value), to.op().written()),
        ExprKind::Arith { first, rest } => rest
            .iter()
            .fold(short_text(first), |text, (op, e)| format!("{text} {} {}", op.op().written(), short_text(e))),
        ExprKind::Call(of, args) => {
            let args: Vec<String> = args.iter().map(|arg| short_text(&arg.value)).collect();
            format!("{}({})", short_text(of), args.join(", "))
        }
        _ => "..".into(),
    }
}
