//! Determines whether a quantity accumulates: a forward data-flow analysis from a parameter to `+=` and `-=`, through
//! variables, conditions, events and calls. A parameter that is only compared, such as the difficulty of a test, is not
//! a quantity that can be split.

use grognard_base::OrdSet;
use grognard_base::value::*;
use grognard_rules::code::*;
use grognard_rules::reads::walk::any_part;
use grognard_rules::ruleset::{Ruleset, Trigger};

/// Returns whether the parameter, or a condition on it, determines an amount that is added or subtracted, or whether a
/// thing is destroyed.
pub fn adds_up(rules: &Ruleset, func: FuncId, param: LocalId) -> bool {
    let mut flow = Flow { rules, done: OrdSet::new(), open: vec![(func, param)], found: false };
    while let Some((func, param)) = flow.open.pop() {
        if !flow.found && flow.done.insert((func, param)) {
            flow.function(func, param);
        }
    }
    flow.found
}

/// Returns the functions that an event calls, which are the bodies of rules on it, with the index of its first field
/// among their parameters.
pub fn rules_on(rules: &Ruleset, event: EventId) -> impl Iterator<Item = (FuncId, usize)> {
    let on = rules.rules.iter().filter(move |rule| rule.on == Trigger::Event(event));
    on.map(|rule| (rule.func, usize::from(rule.of_trait.is_some())))
}

struct Flow<'r> {
    rules: &'r Ruleset,
    done: OrdSet<(FuncId, LocalId)>,
    open: Vec<(FuncId, LocalId)>,
    found: bool,
}

/// The variables of a function that depend on the quantity.
type LocalNames = OrdSet<LocalId>;

impl Flow<'_> {
    fn function(&mut self, func: FuncId, param: LocalId) {
        let Body::Block(stmts) = &self.rules.functions[func.at()].body else { return };
        // the guard of a rule has the parameters of its body
        let guard = self.rules.rules.iter().find(|rule| rule.func == func).and_then(|rule| rule.guard);
        let guarded = guard.is_some_and(|guard| match &self.rules.functions[guard.at()].body {
            Body::Value(condition) => mentions(condition, &OrdSet::from([param])),
            _ => false,
        });
        let mut names = OrdSet::from([param]);
        self.block(stmts, &mut names, guarded);
    }

    fn block(&mut self, stmts: &[Stmt], names: &mut LocalNames, under: bool) {
        stmts.iter().for_each(|s| self.stmt(s, names, under));
    }

    fn stmt(&mut self, s: &Stmt, names: &mut LocalNames, under: bool) {
        match &s.kind {
            StmtKind::Let { local, value } if mentions(value, names) => drop(names.insert(*local)),
            StmtKind::Set { target, op, value, .. } => {
                let hangs = under || mentions(value, names);
                match target {
                    Target::Local(local) if hangs => drop(names.insert(*local)),
                    Target::Local(_) | Target::Tally(_) => {}
                    _ => self.found |= hangs && matches!(op, SetOp::Add | SetOp::Sub),
                }
            }
            StmtKind::Destroy { .. } => self.found |= under,
            StmtKind::If { arms, otherwise } => {
                let under = under || arms.iter().any(|(condition, _)| mentions(condition, names));
                arms.iter().for_each(|(_, body)| self.block(body, names, under));
                self.block(otherwise, names, under);
            }
            StmtKind::Match { subject, rows } => {
                let under = under || mentions(subject, names);
                rows.iter().for_each(|row| self.block(&row.body, names, under));
            }
            StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::May { body, .. } => {
                self.block(body, names, under);
            }
            StmtKind::ChooseOption { options, .. } => {
                options.iter().for_each(|option| self.block(&option.body, names, under));
            }
            StmtKind::Call { func, args, .. } => {
                for (n, _) in args.iter().enumerate().filter(|(_, arg)| mentions(arg, names)) {
                    self.open.push((*func, LocalId::from(n)));
                }
            }
            StmtKind::Emit { event, args } => {
                let hang: Vec<usize> =
                    args.iter().enumerate().filter(|(_, arg)| mentions(arg, names)).map(|(n, _)| n).collect();
                for (func, first) in rules_on(self.rules, *event) {
                    self.open.extend(hang.iter().map(|n| (func, LocalId::from(first + n))));
                }
            }
            _ => {}
        }
    }
}

fn mentions(e: &Expr, names: &LocalNames) -> bool {
    any_part(e, |part| matches!(part.kind, ExprKind::Local(id) if names.contains(&id)))
}
