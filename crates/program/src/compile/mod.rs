//! Compiles a ruleset to code, function by function.
//!
//! Registers are allocated like a stack. Variables of a function have fixed registers, and intermediate values are
//! above them. The arguments of a call are computed where the frame of the callee begins, so a call copies nothing.

#![deny(clippy::wildcard_enum_match_arm)] // forces every match to handle a new kind of value, statement or type

mod actions;
mod asks;
mod collections;
mod distances;
mod events;
mod fallen;
mod faces;
mod fields;
mod guards;
mod marks;
mod moves;
mod never;
mod notes;
mod patterns;
mod ranges;
mod statements;
mod values;
mod writes;

use super::instr::*;
use super::*;
use grognard_rules::code::{Body, Expr, Function, Local, Stmt, StmtKind};
use grognard_rules::reads::reads_of_all;
use grognard_rules::ruleset::Ruleset;
use std::collections::{HashMap, HashSet};

/// A function that [`extend`] compiled for a scenario or an example.
#[derive(Clone, Copy, Debug)]
pub struct Snippet {
    /// Id of the function.
    pub func: FuncId,
    /// Number of cells of its result.
    pub width: usize,
}

/// Compiles a checked ruleset to a program with the given detail.
pub fn compile(rules: &Ruleset, detail: Detail) -> Program {
    let mut program = empty(rules, detail);
    program.debug = Debug::of(rules);
    let links = &mut program.links;
    links.reads = reads_of_all(rules);
    (links.mortal, links.layered) = (fallen::mortal(rules), writes::layered(rules, &links.reads));
    if detail == Detail::Traced {
        program.links.written = Compiler::written(rules);
    }
    let mut compiler = Compiler::new(program, rules, None);
    compiler.everything();
    compiler.program
}

/// Compiles a function of a scenario or an example and appends it to a program of these rules.
pub fn extend(program: &mut Program, rules: &Ruleset, function: &Function) -> Snippet {
    let taken = std::mem::replace(program, empty(rules, Detail::Plain));
    let mut compiler = Compiler::new(taken, rules, Some(function));
    let snippet = compiler.snippet(function);
    *program = compiler.program;
    snippet
}

fn empty(rules: &Ruleset, detail: Detail) -> Program {
    Program {
        schema: rules.schema.clone(),
        functions: Vec::new().into(),
        links: Links::default().into(),
        code: Vec::new(),
        funcs: Vec::new(),
        pool: Vec::new(),
        asks: Vec::new(),
        board: Vec::new(),
        tags: Vec::new(),
        lookups: Vec::new(),
        cells: Vec::new(),
        bounds: Vec::new(),
        notes: Vec::new(),
        texts: Vec::new(),
        phases: Vec::new(),
        actions: Vec::new(),
        events: Vec::new(),
        policies: Vec::new(),
        orderless: Vec::new(),
        pairs: Vec::new(),
        gathers: Vec::new(),
        detail,
        tagged: Vec::new(),
        keeps_heap: false,
        debug: Debug::default(),
    }
}

/// State of the compiler for the current function.
struct Compiler<'r> {
    rules: &'r Ruleset,
    /// A function of a scenario or an example. Its id is the one after those of the rules.
    own: Option<&'r Function>,
    program: Program,
    frame: Frame,
    /// Out-of-line code of the current function, emitted after it.
    later: Vec<Later>,
    /// Index of each constant in the pool.
    pool_at: HashMap<i64, u32>,
    /// Index of each clause in the register, if coverage marks are compiled.
    clause_at: HashMap<String, u32>,
    /// Functions without separate marks.
    aside: HashSet<FuncId>,
    /// Duration of the current write, while its consequences are compiled.
    until: Option<grognard_rules::code::Until>,
}

/// Registers and jumps of the current function.
#[derive(Clone, Debug, Default)]
struct Frame {
    /// The function, if it belongs to the ruleset.
    func: FuncId,
    /// First register of each local.
    locals: Vec<Reg>,
    /// First free register.
    top: Reg,
    /// Maximum number of registers in use.
    most: Reg,
    /// Exit jumps of the enclosing loops.
    loops: Vec<LoopExit>,
    /// Register of the verdict of a test, which `pass` and `grade` write.
    verdict: Option<Reg>,
    /// Jumps from `return` to the end of the function, if there is code at the end.
    exits: Option<Vec<usize>>,
    /// Kind of the function. It determines the result: the record of a test is built from locals.
    sort: Option<FuncSort>,
    /// The current action.
    action: Option<ActionId>,
    /// Clauses of the current statement.
    cites: Vec<String>,
    /// Location of the innermost current statement.
    span: Option<Span>,
    /// Registers of the dice of rolls that can be rerolled.
    recipes: HashMap<SiteId, Recipe>,
}

/// Dice of a roll, for a reroll.
#[derive(Clone, Copy, Debug)]
struct Recipe {
    /// The die, or a list of dice.
    dice: Reg,
    sort: DiceSort,
    list: bool,
    /// For a roll of which only the sum is kept: the number of dice, `None` for one die.
    summed: Option<Option<Reg>>,
}

/// Exit jumps of a loop whose targets are not known yet.
#[derive(Clone, Debug, Default)]
struct LoopExit {
    jumps: Vec<usize>,
}

/// Pure code to be emitted after the function. It is evaluated on behalf of a driver or a trace.
struct Later {
    work: Work,
    top: Reg,
    slot: LaterSlot,
}

/// Kind of deferred code.
#[derive(Clone)]
enum Work {
    /// The value of an expression.
    Value(Expr),
    /// Lines of a move.
    Lines(Vec<grognard_rules::code::MoveLine>),
}

/// Location that receives the fragment.
#[derive(Clone)]
enum LaterSlot {
    Prefer { ask: usize },
    OptionPrefer { ask: usize, option: usize },
    May { ask: usize },
    Line { ask: usize, line: usize },
    Policy { at: usize, when: bool },
    Piece { of: WordingOf, piece: usize },
    Again { note: usize },
    Never { of: WordingOf, at: usize },
    MoveAgain { ask: usize, readings: Vec<SettingId>, asked: Vec<SettingId> },
}

/// Owner of a wording.
#[derive(Clone, Copy)]
enum WordingOf {
    /// A note, by its index.
    Note(usize),
    /// A line of an action's header that rejects an instance.
    Refusal(ActionId, usize),
}

impl WordingOf {
    fn wording(self, program: &mut Program) -> &mut Wording {
        match self {
            WordingOf::Note(at) => &mut program.notes[at].wording,
            WordingOf::Refusal(action, line) => &mut program.actions[action.at()].lines[line].figures,
        }
    }

    fn never(self, program: &mut Program) -> &mut Vec<Never> {
        match self {
            WordingOf::Note(at) => &mut program.notes[at].never,
            WordingOf::Refusal(action, line) => &mut program.actions[action.at()].lines[line].never,
        }
    }
}

impl<'r> Compiler<'r> {
    fn new(program: Program, rules: &'r Ruleset, own: Option<&'r Function>) -> Self {
        let pool_at = program.pool.iter().enumerate().map(|(i, v)| (*v, i as u32)).collect();
        let register: &[_] = if program.detail == Detail::Covered { &rules.register } else { &[] };
        let clause_at = register.iter().enumerate().map(|(n, c)| (c.id.clone(), n as u32)).collect();
        let aside = HashSet::new();
        Compiler {
            rules,
            own,
            program,
            frame: Frame::default(),
            later: Vec::new(),
            pool_at,
            clause_at,
            aside,
            until: None,
        }
    }

    /// Returns a function of the rules, or the added function.
    fn function_of(&self, id: FuncId) -> Option<&'r Function> {
        self.rules.functions.get(id.at()).or(self.own.filter(|_| id.at() == self.rules.functions.len()))
    }

    /// Returns the variables of a function.
    fn locals_of(&self, id: FuncId) -> &'r [Local] {
        self.function_of(id).map_or(&[], |f| &f.locals)
    }

    fn width(&self, ty: &Type) -> Reg {
        self.rules.width(ty) as Reg
    }

    // ---------------------------------------------------------------- code

    fn emit(&mut self, instr: Instr) -> usize {
        self.program.code.push(instr);
        self.program.code.len() - 1
    }

    fn here(&self) -> Pc {
        self.program.code.len() as Pc
    }

    /// Records the source location of the code from here on.
    fn place(&mut self, span: Span) {
        let pc = self.here();
        match self.program.debug.places.last_mut() {
            Some((at, s)) if *at == pc => *s = span,
            Some((_, s)) if *s == span => {}
            _ => self.program.debug.places.push((pc, span)),
        }
    }

    /// Sets the target of a jump to the next instruction.
    fn aim(&mut self, at: usize) {
        let here = self.here();
        self.aim_at(at, here);
    }

    fn aim_at(&mut self, at: usize, to_pc: Pc) {
        if let Some(to) = self.program.code[at].target() {
            *to = to_pc;
        }
    }

    fn jump(&mut self) -> usize {
        self.emit(Instr::Jump { to: 0 })
    }

    // ---------------------------------------------------------------- registers

    fn take(&mut self, n: Reg) -> Reg {
        let reg = self.frame.top;
        self.frame.top = self.frame.top.saturating_add(n);
        self.frame.most = self.frame.most.max(self.frame.top);
        reg
    }

    /// Runs `f` and then frees the registers that it allocated.
    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let top = self.frame.top;
        let result = f(self);
        self.frame.top = top;
        result
    }

    fn local(&self, id: LocalId) -> Reg {
        self.frame.locals.get(id.at()).copied().unwrap_or(0)
    }

    fn local_type(&self, id: LocalId) -> Type {
        self.locals_of(self.frame.func).get(id.at()).map_or(Type::Unknown, |l| l.ty.clone())
    }

    fn local_name(&self, id: LocalId) -> String {
        self.locals_of(self.frame.func).get(id.at()).map_or_else(String::new, |l| l.name.clone())
    }

    fn constant(&mut self, dst: Reg, value: i64) {
        if let Ok(value) = i32::try_from(value) {
            self.emit(Instr::Const { dst, value });
            return;
        }
        let next = self.program.pool.len() as u32;
        let at = *self.pool_at.entry(value).or_insert(next);
        if at == next {
            self.program.pool.push(value);
        }
        self.emit(Instr::Wide { dst, at });
    }

    /// Emits `none` for a value of `width` cells. The other cells are 0, so they hold no list.
    fn none(&mut self, dst: Reg, width: Reg) {
        self.constant(dst, NONE);
        (1..width).for_each(|n| self.constant(dst + n, 0));
    }

    fn copy(&mut self, dst: Reg, src: Reg, n: Reg) {
        if dst == src {
            return;
        }
        match n {
            0 => {}
            1 => {
                self.emit(Instr::Copy { dst, src });
            }
            _ => {
                self.emit(Instr::CopyMany { dst, src, n });
            }
        }
    }

    // ---------------------------------------------------------------- functions

    /// Reserves an id for a function of the compiler.
    fn own_function(&mut self, sort: FuncSort, item: ItemId) -> FuncId {
        let id = FuncId::from(self.program.funcs.len());
        self.program.funcs.push(Func::new(sort, item, Vec::new()));
        id
    }

    /// Begins the code of a function and allocates registers for its locals. Returns the previous frame.
    fn open(&mut self, func: FuncId) -> Frame {
        let (places, top) = self.places_of_locals(func);
        let frame = Frame { func, locals: places, top, most: top, ..Frame::default() };
        std::mem::replace(&mut self.frame, frame)
    }

    /// Ends the code of a function: emits deferred code and records the frame layout.
    fn close(&mut self, id: FuncId, entry: Pc, params: Reg, result: &Type, outer: Frame) {
        self.emit_later();
        let lists = self.list_cells(result);
        let width = self.width(result);
        let most = self.frame.most;
        let func = &mut self.program.funcs[id.at()];
        func.entry = entry;
        func.params = params;
        func.frame = most.max(width).max(1);
        func.result = width;
        func.lists = lists;
        self.frame = outer;
    }

    /// Returns the cells of a value that are list handles.
    fn list_cells(&self, ty: &Type) -> Vec<(Reg, Reg)> {
        let mut found = Vec::new();
        find_lists(self.rules, ty, 0, &mut found);
        found
    }

    /// Compiles all code of the ruleset.
    fn everything(&mut self) {
        let functions: Vec<_> = self.rules.functions.iter().map(|f| Signature::of(f, self.rules)).collect();
        self.program.functions = functions.into();
        for n in 0..self.rules.functions.len() {
            let f = &self.rules.functions[n];
            let types = self.types_of_params(FuncId::from(n));
            let (sort, item) = (self.sort_of(FuncId::from(n)), f.item);
            self.program.funcs.push(Func::new(sort, item, types));
        }
        self.aside = self.functions_aside();
        self.program.tagged = self.find_tagged();
        self.program.links.rerolled = self.find_rerolled();
        self.program.keeps_heap = self.rules.ambients.iter().any(|a| !self.list_cells(&a.ty).is_empty());
        self.prepare_phases();
        self.prepare_fields();
        self.prepare_events();
        for n in 0..self.rules.functions.len() {
            self.function(FuncId::from(n));
        }
        self.field_functions();
        self.event_functions();
        self.action_headers();
        self.policies();
    }

    /// Returns the kind of a function of the ruleset.
    fn sort_of(&self, id: FuncId) -> FuncSort {
        let rs = self.rules;
        if rs.phases.iter().any(|p| p.func == id) {
            FuncSort::Phase
        } else if rs.actions.iter().any(|a| a.func == id) {
            FuncSort::Action
        } else if rs.rules.iter().any(|r| r.func == id) {
            FuncSort::Rule
        } else if rs.names.tests.values().any(|t| *t == id) {
            FuncSort::Test
        } else {
            match rs.functions[id.at()].body {
                Body::Value(_) | Body::Open => FuncSort::Value,
                Body::Block(_) => FuncSort::Proc,
            }
        }
    }

    /// Compiles a function of the ruleset.
    fn function(&mut self, id: FuncId) {
        let function = &self.rules.functions[id.at()];
        let (body, result) = (&function.body, &function.result);
        let sort = self.program.funcs[id.at()].sort;
        let outer = self.open(id);
        self.frame.sort = Some(sort);
        let entry = self.here();
        let rest = self.bound_in_body(id);
        let param_cells = match &rest {
            Some(_) => self.program.funcs[id.at()].types.iter().map(|ty| self.width(ty)).sum(),
            None => self.param_cells(function.params),
        };
        self.ran_function(id);
        match sort {
            FuncSort::Phase => self.phase_body(id, body),
            FuncSort::Action => self.action_body(id, body),
            FuncSort::Test => self.test_body(id, body, result),
            FuncSort::Value | FuncSort::Proc | FuncSort::Rule | FuncSort::Event | FuncSort::Snippet => match rest {
                Some((_, stmts)) => self.plain_block(stmts, result),
                None => self.plain_body(body, result),
            },
        }
        self.close(id, entry, param_cells, result, outer);
        self.widen_guard(id);
    }

    fn plain_block(&mut self, stmts: &[Stmt], result: &Type) {
        self.block(stmts);
        if *result != Type::Nothing {
            self.emit(Instr::Fault { code: FaultCode::NoResult, at: 0 });
        }
        self.emit(Instr::Return { src: 0, n: 0 });
    }

    fn plain_body(&mut self, body: &Body, result: &Type) {
        match body {
            Body::Value(expr) => {
                self.place(expr.span);
                let n = self.width(result);
                let reg = if self.width(&expr.ty) == n {
                    self.value(expr)
                } else {
                    let reg = self.take(n.max(1));
                    self.value_to(expr, reg);
                    reg
                };
                self.check_result(reg, expr, result);
                self.note_guard(self.frame.func, expr, reg);
                match self.frame.func {
                    guard if self.bound_cells(Some(guard)) > 0 => self.return_bound(guard, reg),
                    _ => drop(self.emit(Instr::Return { src: reg, n })),
                }
            }
            Body::Block(stmts) => self.plain_block(stmts, result),
            Body::Open => {
                self.emit(Instr::Fault { code: FaultCode::NoResult, at: 0 });
            }
        }
    }

    /// Compiles a test. Its result is the record of the verdict and the named values, which are locals.
    fn test_body(&mut self, id: FuncId, body: &Body, result: &Type) {
        let Type::Record(record) = result else { return self.plain_body(body, result) };
        let fields = self.rules.records[record.at()].fields.clone();
        let width = self.width(result);
        let out = self.take(width);
        self.frame.verdict = Some(out);
        self.frame.exits = Some(Vec::new());
        self.clear(out, &fields);
        if let Body::Block(stmts) = body {
            self.block(stmts);
        }
        for exit in self.frame.exits.take().unwrap_or_default() {
            self.aim(exit);
        }
        let mut at = out;
        for (n, (name, ty)) in fields.iter().enumerate() {
            let w = self.width(ty);
            let verdict = n == 0 && (name == "passed" || name == "grade");
            if let (false, Some(local)) = (verdict, self.local_named(id, name)) {
                self.copy(at, local, w);
            }
            at += w;
        }
        self.emit(Instr::Return { src: out, n: width });
    }

    /// Initializes fields of a result that a path may omit to `none` or 0.
    fn clear(&mut self, out: Reg, fields: &[(String, Type)]) {
        let mut at = out;
        for (_, ty) in fields {
            let w = self.width(ty);
            if let Type::List(_) = ty {
                self.emit(Instr::NewList { dst: at });
            } else {
                (0..w).for_each(|cell| self.constant(at + cell, 0));
            }
            at += w;
        }
    }

    /// Returns the register of the local that provides a field of a result: the one named at the top level, else a
    /// parameter.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other statement names what follows it")]
    fn local_named(&self, id: FuncId, name: &str) -> Option<Reg> {
        let function = &self.rules.functions[id.at()];
        let is = |local: &LocalId| function.locals.get(local.at()).is_some_and(|l| l.name == name);
        let top: &[grognard_rules::code::Stmt] = if let Body::Block(stmts) = &function.body { stmts } else { &[] };
        // a candidate of a choice has the same name as the answer, so the search uses statements, not only by names
        let bound = top.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Let { local, .. } | StmtKind::Roll { local, .. } | StmtKind::Draw { local, .. } => {
                Some(*local).filter(is)
            }
            StmtKind::LetTuple { locals, .. } => locals.iter().copied().find(is),
            StmtKind::Choose(choose) => Some(choose.local).filter(is),
            StmtKind::Call { into: Some(local), .. } | StmtKind::Move { leg: Some(local), .. } => {
                Some(*local).filter(is)
            }
            _ => None,
        });
        let at = bound.map(LocalId::at).or_else(|| function.locals.iter().position(|l| l.name == name))?;
        self.frame.locals.get(at).copied()
    }

    /// Compiles a function of a scenario after all other functions.
    fn snippet(&mut self, function: &Function) -> Snippet {
        // its locals have an id after those of the rules, which must not collide with ids of the compiler
        let shadow = FuncId::from(self.rules.functions.len());
        let id = self.own_function(FuncSort::Snippet, function.item);
        let outer = self.open(shadow);
        self.frame.sort = Some(FuncSort::Snippet);
        let entry = self.here();
        let param_cells = self.param_cells(function.params);
        self.plain_body(&function.body, &function.result);
        self.close(id, entry, param_cells, &function.result, outer);
        Snippet { func: id, width: self.width(&function.result) as usize }
    }

    /// Returns the number of cells of the first variables of the current frame.
    fn param_cells(&self, params: usize) -> Reg {
        self.frame.locals.get(params).copied().unwrap_or(if params == 0 { 0 } else { self.frame.top })
    }
}

/// Finds the cells of a value at `at` that are list handles, each with the width of its entries in cells.
pub fn find_lists(rules: &Schema, ty: &Type, at: Reg, found: &mut Vec<(Reg, Reg)>) {
    let parts: Vec<&Type> = match ty {
        Type::List(inner) => return found.push((at, rules.width(inner) as Reg)),
        Type::Leg => return found.push((at + 3, 1)),
        Type::Optional(inner) => vec![inner],
        Type::Record(id) => rules.records[id.at()].fields.iter().map(|(_, t)| t).collect(),
        Type::Tuple(parts) => parts.iter().collect(),
        Type::Int(_) | Type::Flag | Type::Length | Type::Angle | Type::Ratio | Type::Enum(_) => return,
        Type::Chain(_) | Type::Die | Type::Shifted(_) | Type::Faces(_) | Type::Kind(_) => return,
        Type::Place | Type::Route | Type::Met | Type::Nothing | Type::Unknown => return,
    };
    let mut at = at;
    for part in parts {
        find_lists(rules, part, at, found);
        at += rules.width(part) as Reg;
    }
}
