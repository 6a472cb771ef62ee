//! The machine: runs a program on a state, and stops where dice, a decision or a move are wanted.
//!
//! It is generic over who throws, who decides and who watches, so a run that nobody watches pays nothing for traces.
//! It uses no host recursion for the rules' own calls: everything between two instructions is in the [`State`].

#![deny(clippy::wildcard_enum_match_arm)] // a new instruction or operator is thought of everywhere

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
    Answer, Asked, Decide, Dice, DrawAsk, Drive, Drivers, First, Flow, Form, Happening, Hindrance, Instance, Leaned,
    Menu, NoDice, NoTrace, NotOffered, Refused, Remark, Throw, Thrown, Trace, Who, Worded,
};
pub use fault::Fault;
pub use game::{FieldLayout, Game, KindLayout, Layout, StandIn};
pub use judging::{judge, judge_instance};
pub use layout::Pairs;
pub use lazy_dice::{LazyDice, MIXED, holds, is_open, is_unseen, is_untold, untold, wants};
pub use operate::apply;
pub use run::{Stop, call, call_onward, run};
pub use seeded::Seeded;
pub use setup::{Setup, ThingSpec, set_up};
pub use sight::Sight;
pub use state::{Frame, Handle, Running, State, TagRow, UNSET, UseRow, What};
pub use statuses::{granted, statuses};
pub use subsets::{Subsets, places};
pub use throws::Die;
