//! Writes the trace and the final table of the machine as the reference evaluator writes its own.

use crate::reference::World;
use grognard_base::value::plain::Value;
use grognard_base::value::*;
use grognard_program::schema::{FieldSort, Stored};
use grognard_vm::*;

/// Starts of the lines that the machine reports too.
const WATCHED: &[&str] = &["roll ", "draw ", "choose ", "action ", "set ", "destroy ", "grant ", "spawn ", "rule "];

/// Returns the lines of the reference that the machine reports too.
pub fn watched(world: &World<'_>) -> Vec<String> {
    world.log.iter().filter(|l| WATCHED.iter().any(|w| l.starts_with(w))).cloned().collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::List(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(" ")),
        value => value.clone().into(),
    }
}

/// Returns the table of the machine in the form of [`World::table`].
pub fn table(game: &Game, state: &State, tallies: &[i64]) -> Vec<String> {
    let rules = &game.program.schema;
    let mut lines = Vec::new();
    let mut stored = |name: String, slot: Stored, thing: i64, ty: &Type| {
        let cells = &state.cells[game.layout.cells(slot, thing)];
        let shown = match ty {
            Type::List(inner) => {
                let entry = game.layout.stored(slot).entry;
                let entries = game.values(state, inner, &cells[1..1 + cells[0] as usize * entry]);
                shown(&Value::List(entries))
            }
            ty => game.tell(state, ty, cells),
        };
        lines.push(format!("{name} {shown}"));
    };
    for (n, field) in rules.fields.iter().enumerate() {
        let kind = &game.layout.kinds[field.kind.at()];
        let is_stored = matches!(field.sort, FieldSort::Stat | FieldSort::State | FieldSort::Link);
        if !is_stored || field.name.ends_with(" as borrowed") {
            continue;
        }
        for thing in 0..state.cells[kind.used] {
            let name = format!("{}.{}", game.name(field.kind, thing), field.name);
            stored(name, Stored::Field(FieldId::from(n)), thing, &field.ty);
        }
    }
    for (n, global) in rules.globals.iter().enumerate() {
        stored(global.name.clone(), Stored::Global(GlobalId::from(n)), 0, &global.ty);
    }
    for (n, kind) in game.layout.kinds.iter().enumerate().filter(|(_, kind)| kind.place > 0) {
        for thing in 0..state.cells[kind.used] {
            let at = kind.place + 3 * thing as usize;
            if let [x, y] = state.cells[at..at + 2]
                && x != NONE
            {
                lines.push(format!("{} at {x} {y}", game.name(KindId::from(n), thing)));
            }
        }
    }
    for (n, kind) in game.layout.kinds.iter().enumerate() {
        let things = 0..state.cells[kind.used];
        let dead = things.filter(|thing| state.cells[kind.alive + *thing as usize] == 0);
        lines.extend(dead.map(|thing| format!("{} is out of play", game.name(KindId::from(n), thing))));
    }
    lines.extend(granted(game, state).into_iter().map(|(status, bearer)| format!("{bearer} bears {status}")));
    lines.extend(rules.tallies.iter().zip(tallies).map(|(t, n)| format!("{} {n}", t.name)));
    lines.sort();
    lines
}

/// Keeps the trace in the form of the reference.
#[derive(Default)]
pub struct Log {
    pub lines: Vec<String>,
    /// The thing that has just been spawned, and the fields that have got their first value.
    fresh: Option<(KindId, i64)>,
    seen: Vec<FieldId>,
}

impl Trace for Log {
    fn happen(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>) {
        let rules = &game.program.schema;
        let line = match what {
            MachineEvent::Roll { throw, name, faces } if !faces.is_empty() => {
                let _ = throw;
                let site = &rules.sites[name.at()];
                let faces: Vec<String> = faces.iter().map(|f| game.tell(state, &site.ty, &[*f])).collect();
                format!("roll {} {}", site.name, faces.join(" "))
            }
            MachineEvent::Draw { draw, picks, .. } if !picks.is_empty() => {
                let drawn: Vec<&str> = picks.iter().map(|n| draw.names[*n].as_str()).collect();
                format!("draw {} {}", rules.sites[draw.site.at()].name, drawn.join(" "))
            }
            // the first values of a spawned thing are part of its spawn line
            MachineEvent::Set { slot: Stored::Field(id), thing, .. }
                if self.fresh == Some((rules.fields[id.at()].kind, *thing))
                    && !self.seen.contains(id)
                    && !matches!(rules.fields[id.at()].ty, Type::Optional(_)) =>
            {
                self.seen.push(*id);
                return;
            }
            MachineEvent::Set { slot, thing, old, new, .. } => {
                let declared = rules.declared(*slot);
                let name = match slot {
                    Stored::Field(id) => {
                        format!("{}.{}", game.name(rules.fields[id.at()].kind, *thing), declared.name)
                    }
                    Stored::Global(_) => declared.name.to_string(),
                };
                match declared.ty {
                    Type::List(_) => format!("set {name}"),
                    ty => format!("set {name} {} -> {}", game.tell(state, ty, old), game.tell(state, ty, new)),
                }
            }
            MachineEvent::Decided { site, who, answer, .. } => {
                let player = game.packed_name(who.player);
                let site = &rules.sites[site.at()];
                match answer {
                    Value::Action { name, with } => {
                        let with: Vec<String> = with.iter().map(|(_, v)| shown(v)).collect();
                        format!("action {player} {name} {}", with.join(" "))
                    }
                    Value::Word(stop) if site.name == "action" => format!("action {player} {stop}"),
                    answer => format!("choose {player} {} {}", game.program.address(site), shown(answer)),
                }
            }
            MachineEvent::Destroyed { kind, thing, .. } => format!("destroy {}", game.name(*kind, *thing)),
            MachineEvent::Spawned { kind, thing } => format!("spawn {}", game.name(*kind, *thing)),
            MachineEvent::Granted { status, thing, .. } => {
                let of = &rules.traits[status.at()];
                format!("grant {} {}", of.name, game.name(of.on, *thing))
            }
            MachineEvent::Enter { func, args } => match rules.rules.iter().find(|r| r.func == *func) {
                Some(rule) => match rule.of_trait {
                    Some(of) => {
                        let bearer = game.name(rules.traits[of.at()].on, args[0]);
                        format!("rule {} {bearer}", rule.name)
                    }
                    None => format!("rule {}", rule.name),
                },
                None => return,
            },
            _ => return,
        };
        // the slot in which a test keeps a borrowed figure
        if line.contains(" as borrowed ") {
            return;
        }
        if let MachineEvent::Spawned { kind, thing } = what {
            self.fresh = Some((*kind, *thing));
            self.seen.clear();
        } else {
            self.fresh = None;
        }
        self.lines.push(line);
    }
}
