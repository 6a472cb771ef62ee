//! The machine: interprets a program on a state, and asks drivers for dice, decisions and moves.
//!
//! The input is a [`Program`](grognard_program::Program) and a [`Setup`] (the things of a table, their values and the
//! params, all as ids and cells), which `grognard-scenario` reads from TOML. [`set_up`] binds them to a [`Game`].
//! [`call`] runs a function of the game on a [`State`] until it ends or a driver defers its answer; the result is at
//! the bottom of the stack of the state. The drivers are three traits: [`Dice`], [`Decide`] and [`Trace`].
//! `grognard-play` implements them for scripts, players and traces, and `grognard-odds` for all outcomes at once.
//! `grognard-batch` runs the same programs in lockstep, and leaves to this crate whatever it cannot do.
//!
//! # Example
//!
//! ```
//! use grognard_base::value::{FieldId, FuncId, KindId};
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//! use grognard_program::{Detail, compile};
//! use grognard_vm::{First, NoTrace, Run, Seeded, Setup, Stop, ThingSpec, call, set_up};
//!
//! let text = "ruleset first/volley
//! param hit_on = 4
//! param save_on = 5
//! kind Squad { state men : 0..20 }
//! proc volley(shooters: Squad, target: Squad) {
//!   roll aim = shooters.men of d6
//!   roll armour = (count aim >= hit_on) of d6
//!   set target.men -= count armour < save_on
//! }";
//! let (loaded, _) = Shelf::of(&[("first/volley.rules", text)]).load("first/volley");
//! let program = compile(&loaded.sound().unwrap(), Detail::Plain);
//! let volley = program.functions.iter().position(|f| f.name == "volley").map(FuncId::from).unwrap();
//!
//! let squad = |name, men| ThingSpec { values: vec![(FieldId(0), 0, vec![men])], ..ThingSpec::new(KindId(0), name) };
//! let things = vec![squad("guards", 10), squad("raiders", 6)];
//! let game = set_up(program, Setup { things, ..Setup::default() }).unwrap();
//!
//! let mut state = game.start.clone();
//! let mut run = Run::new(&game, Seeded::new(&game, 4, 0), First, NoTrace); // seed 4, run 0
//! assert_eq!(call(&game, &mut state, &mut run, volley, &[0, 1]), Ok(Stop::Finished));
//! assert_eq!(state.cells[game.layout.field(FieldId(0), 1, 0)], 4); // two of the six raiders fell
//! ```
//!
//! # Plan of the crate
//!
//! Three values meet in each run, and the caller owns all of them:
//!
//! * The [`Game`] does not change. It has the program, the [`Layout`] of the cells, the names and shapes of the things,
//!   and the code in the form that the fast loop runs (`layout`, which `linker` makes when `setup` binds a table).
//! * The [`State`] is everything that the machine knows between two instructions: cells of fields, statuses, durations,
//!   running phases, frames, registers, lists and the program counter. It has no names. It can be copied, compared,
//!   hashed and resumed. Two caches in it are not part of its value: `moving_index` (where to search for moving things)
//!   and `memo` (results of derived functions).
//! * The [`Run`] is the execution context: the drivers, the fuel, the tallies, and buffers.
//!
//! | files | what they do |
//! |---|---|
//! | `drive`, `context` | driver traits, their questions and answers, the context of a run |
//! | `state`, `game`, `layout`, `throws` | the data, and the code as the fast loop runs it |
//! | `bodies`, `fixed_index`, `moving_index` | where things are |
//! | `memo` | results of derived functions |
//! | `setup`, `linker` | bind a program to a table |
//! | `run`, `fast` | the dispatch |
//! | `operate`, `lists`, `ambient`, `fault` | operators, lists, variables of phases, errors |
//! | `writes`, `statuses`, `durations`, `laws` | changes of the state, and what follows from them |
//! | `ask`, `dice` | questions to the drivers: rolls, rerolls, draws, choices |
//! | `prefer`, `subsets`, `menu` | preferences, choices of several, menus of actions |
//! | `motion`, `stand_in` | moves, and chapters that the book does not have |
//! | `board`, `sight` | queries of the board, and instructions that put and turn things |
//! | `judging`, `judgements` | pure code that the machine evaluates in between |
//! | `note`, `otherwise`, `tell` | values and words for traces |
//! | `seeded`, `lazy_dice` | dice from a seed, and unsampled dice for exact odds |
//!
//! `run::steps` is the dispatch: a loop over instructions. It first enters `fast::fast`, which runs steps that need
//! only registers, cells, lists and dice that the driver has at once. It executes several instructions as one step
//! where the linker has fused them (superinstructions). At the first step that needs more, fails, or must be traced,
//! the fast loop returns, and the dispatch executes that one instruction. It passes rare instructions to `writes::rare`
//! and from there to `lists::list_instr`. Only these two loops are compiled for each type of drivers, so a run without
//! a trace pays nothing for traces. All other code takes the drivers as a trait object ([`With`]).
//!
//! `Instr::Ask` goes to `ask::ask`. Rolls and draws ask [`Dice`]; choices, menus and moves ask [`Decide`]. If
//! [`Trace::on`] returns `true`, each event is passed to [`Trace`] as a [`MachineEvent`]. A driver that cannot answer yet
//! returns [`Flow::Wait`] or [`Answer::Wait`]. The machine then stops before the question with [`Stop::Waiting`], and
//! [`run`](run()) asks again.
//!
//! Some questions need code of the rules before they can be answered: headers of actions, preferences, lines of a move,
//! derived flags that block sight, values in a trace. The machine runs that code itself, in a nested dispatch with a
//! [`Pure`] context (`judging`). That is why some files form an import cycle: `run`, `ask`, `menu`, `motion`, `prefer`,
//! `note`, `otherwise`, `judging`, `judgements`, `board`, `sight`, `durations` and `writes`. The files of the data form
//! another, because a [`Game`] has its start state. All other files are outside of both. Calls between rules do not
//! recurse on the host: their frames are in the state.
//!
//! While exact odds are computed ([`Dice::exact`]), a pool on the heap can hold unsampled dice ([`LazyDice`]). Before
//! each instruction `lazy_dice::see` checks what it demands of them. If too little is known, the machine stops, and
//! `grognard-odds` splits the state.
//!
//! To read the crate, start with `drive` (what the outside sees), then `state` and `game`, then `run::steps`, then
//! `ask`.

#![deny(clippy::wildcard_enum_match_arm)] // forces every match to handle a new instruction or operator

mod ambient;
mod ask;
mod board;
mod bodies;
mod context;
mod moving_index;
mod dice;
mod drive;
mod durations;
mod fast;
mod fault;
mod game;
mod statuses;
mod fixed_index;
mod judgements;
mod judging;
mod laws;
mod layout;
mod linker;
mod lists;
mod memo;
mod menu;
mod motion;
mod note;
mod operate;
mod otherwise;
mod prefer;
mod run;
mod setup;
mod sight;
mod stand_in;
mod state;
#[doc(hidden)]
pub mod subsets;
mod tell;
mod seeded;
mod throws;
mod lazy_dice;
mod writes;

pub use context::{Halt, Pure, Run, With};
pub use drive::{
    Answer, Asked, Decide, Dice, DrawAsk, Drive, Drivers, First, Flow, Form, Hindrance, Instance, Leaned, MachineEvent,
    Menu, NoDice, NoTrace, NotOffered, Refused, Remark, Throw, Thrown, Trace, Who, Worded,
};
pub use fault::Fault;
pub use game::{FieldLayout, Game, KindLayout, Layout, StandIn};
pub use judging::{judge, judge_instance};
pub use layout::Pairs;
pub use lazy_dice::{LazyDice, MIXED, holds, is_open, is_unsampled_fault, is_unseen, unsampled_fault, wants};
pub use operate::{apply, plain};
pub use run::{Stop, begin, call, call_onward, run};
pub use seeded::Seeded;
pub use setup::{Setup, ThingSpec, set_up};
pub use sight::Sight;
pub use state::{Frame, Handle, JudgedMove, Running, State, TagRow, UNSET, UseRow, What};
pub use statuses::{granted, statuses};
pub use subsets::{Subsets, places};
pub use throws::Die;
