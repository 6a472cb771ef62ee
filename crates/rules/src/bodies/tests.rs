//! Checks bodies of tests: their verdict, and the result fields that their top level declares.

use super::super::code::Stmt;
use super::body::BodyChecker;
use super::paths;
use grognard_base::value::*;
use grognard_base::{Code, did_you_mean};
use grognard_syntax::tree::{self, StmtKind as TreeStmt};

/// The kinds of verdicts in a body.
#[derive(Clone, Copy, Default)]
struct Spoken {
    pass: bool,
    grade: bool,
}

impl BodyChecker<'_, '_> {
    /// Checks the body of a test.
    pub fn test(&mut self, block: &tree::Block, record: RecordId, grade: Option<EnumId>, gives: bool) -> Vec<Stmt> {
        let gives = gives || self.ck.rs.functions.get(self.func.at()).is_some_and(|f| f.external);
        let mut spoken = Spoken::default();
        block.stmts.iter().for_each(|s| listen(s, &mut spoken));
        let given = if gives { std::mem::take(&mut self.ck.rs.records[record.at()].fields) } else { Vec::new() };
        let given: Vec<_> = given.into_iter().filter(|(n, _)| n != "passed" && n != "grade").collect();
        let mut fields = Vec::new();
        match grade {
            Some(of) => fields.push(("grade".to_string(), Type::Enum(of))),
            None if spoken.pass => fields.push(("passed".to_string(), Type::Flag)),
            None => {}
        }
        if gives {
            fields.extend(given.iter().cloned());
        } else {
            fields.extend(self.scope.params.iter().map(|(n, t, _)| (n.clone(), t.clone())));
        }
        self.ck.rs.records[record.at()].fields = fields;
        let before = self.names.len();
        let stmts = self.stmts(&block.stmts);
        let top: Vec<(String, LocalId)> = self.names[before..].iter().map(|s| (s.name.clone(), s.local)).collect();
        if gives {
            self.given(block, &given, &top);
        } else {
            self.keep(record, &block.stmts, &top);
        }
        self.names.truncate(before);
        self.check_verdicts(block, &stmts, spoken, grade);
        stmts
    }

    /// Turns the top-level names into result fields, in order. Variables declared with `var` are excluded.
    fn keep(&mut self, record: RecordId, stmts: &[tree::Stmt], top: &[(String, LocalId)]) {
        let vars: Vec<&str> = stmts
            .iter()
            .filter_map(|s| match &s.kind {
                TreeStmt::Var { name, .. } => Some(name.text.as_str()),
                _ => None,
            })
            .collect();
        for (name, local) in top {
            if vars.contains(&name.as_str()) {
                continue;
            }
            let (ty, span) = (self.locals[local.at()].ty.clone(), self.locals[local.at()].span);
            if let Some(noted) = &mut self.ck.noted {
                noted.part(record, name, span);
            }
            self.ck.rs.records[record.at()].fields.push((name.clone(), ty));
        }
    }

    /// Checks that the default of an extern test declares each field of the result.
    fn given(&mut self, block: &tree::Block, given: &[(String, Type)], top: &[(String, LocalId)]) {
        for (name, ty) in given {
            let Some((_, local)) = top.iter().find(|(n, _)| n == name) else {
                let near = did_you_mean(name, top.iter().map(|(n, _)| n.as_str()));
                self.say(
                    Code::UnknownName,
                    block.span,
                    format!("the default has no `{name}`, which the test returns{near}"),
                );
                continue;
            };
            let have = self.locals[local.at()].clone();
            if !super::types::same_cells(&have.ty, ty) {
                let (a, b) = (self.type_name(&have.ty), self.type_name(ty));
                self.say(Code::WrongType, have.span, format!("the test returns `{name}` as {b}, but here it is {a}"));
            }
        }
    }

    fn check_verdicts(&mut self, block: &tree::Block, stmts: &[Stmt], spoken: Spoken, grade: Option<EnumId>) {
        let name = self.own_name();
        if spoken.pass && (spoken.grade || grade.is_some()) {
            return self.say(Code::TestPath, block.span, format!("{name} has both `pass` and `grade`"));
        }
        let word = if grade.is_some() { "`grade`" } else { "`pass`" };
        let (least, most) = paths::verdicts(stmts);
        if least == 0 && (spoken.pass || grade.is_some()) {
            self.say(Code::NoResult, block.span, format!("{name} can end without {word}"));
        } else if most > 1 {
            self.say(Code::NoResult, block.span, format!("{name} can reach {word} twice"));
        }
    }
}

/// Records the kinds of verdicts in a statement.
fn listen(s: &tree::Stmt, spoken: &mut Spoken) {
    match &s.kind {
        TreeStmt::PassWhen(_) => spoken.pass = true,
        TreeStmt::Grade(_) => spoken.grade = true,
        TreeStmt::If { arms, otherwise } => {
            let blocks = arms.iter().map(|(_, b)| b).chain(otherwise);
            blocks.flat_map(|b| &b.stmts).for_each(|s| listen(s, spoken));
        }
        TreeStmt::Match(m) => m.rows.iter().for_each(|r| listen_body(&r.body, spoken)),
        TreeStmt::ChooseOption { options, .. } => options.iter().for_each(|o| listen_body(&o.body, spoken)),
        TreeStmt::May { body, .. }
        | TreeStmt::Each { body, .. }
        | TreeStmt::Repeat { body, .. }
        | TreeStmt::AtOnce(body) => {
            body.stmts.iter().for_each(|s| listen(s, spoken));
        }
        _ => {}
    }
}

fn listen_body(body: &tree::Body, spoken: &mut Spoken) {
    match body {
        tree::Body::Block(block) => block.stmts.iter().for_each(|s| listen(s, spoken)),
        tree::Body::Stmt(stmt) => listen(stmt, spoken),
        tree::Body::Lasts(..) => {}
        tree::Body::Value(value) => {
            if let tree::ExprKind::Match(m) = &value.kind {
                m.rows.iter().for_each(|r| listen_body(&r.body, spoken));
            }
        }
    }
}
