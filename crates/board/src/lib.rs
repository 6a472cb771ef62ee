//! The table: distances, bearings, sight and the search for the path of a move, all in integers.
//!
//! This crate does not depend on rules or on other crates of the workspace. The machine (`grognard-vm`) converts the
//! things of a scenario to bodies and queries this crate. Maps of a run use its measurements too.
//!
//! * **Bodies.** A [`Body`] is a [`Shape`] at a [`Point`] with a facing. Lengths are thousandths of an inch, angles are
//!   hundredths of a degree. Bearing 0 points up (+y), and bearings grow clockwise, so 9,000 points right (+x).
//! * **Measures.** [`dist`] and [`within`] measure between the nearest edges of two groups of bodies, [`bearing`] and
//!   [`in_arc`] measure angles, and [`touches`] and [`crosses`] test for contact.
//! * **Sight.** [`line_at_once`] tries a few lines between two groups of bodies. If all of them are blocked,
//!   [`line_past`] searches the critical lines of the visibility graph (Lozano-Pérez and Wesley 1979).
//! * **Moves.** A [`motion::Problem`] is the mover, the table, and the [`motion::Line`]s that a move must obey.
//!   [`motion::canonical`] finds the canonical path and whether there is another (branch and bound over bearings).
//!   [`motion::settle`] checks an end point that a player chose.
//!
//! # Example
//!
//! A wall hides the raider from the guard. The guard runs toward the raider and passes the wall on its right:
//!
//! ```
//! use grognard_board::motion::{Line, Problem, Solution, Thing, canonical};
//! use grognard_board::{Body, Point, Table, crosses, dist, line_at_once, line_past};
//!
//! let guard = [Body::disc(Point::inches(10, 10), 500)];
//! let raider = [Body::disc(Point::inches(10, 20), 500)];
//! let wall = Body::area(&[(8, 15), (12, 15), (12, 16), (8, 16)].map(|(x, y)| Point::inches(x, y)));
//! assert_eq!(dist(&guard, &raider), Some(9_000)); // from edge to edge
//! assert!(line_at_once(&guard, &raider, |p, q| !crosses(p, q, &wall)).is_none());
//! assert!(line_past(&guard, &raider, &[wall.clone()]).is_none());
//!
//! let lines = [Line::Toward(raider.to_vec()), Line::AtMost(6_000)];
//! let mut problem = Problem {
//!     movers: guard.to_vec(),
//!     table: Table { width: 48_000, height: 48_000 },
//!     things: vec![Thing::new(0, wall)],
//!     lines: lines.into_iter().enumerate().collect(),
//!     grid: 1_000,
//!     judge: &mut |_, _| true, // no line has a condition
//! };
//! let Solution::Free(path) = canonical(&mut problem) else { panic!("there are several paths") };
//! assert_eq!((path.covered, path.end), (6_000, Point::new(12_736, 15_340)));
//! ```
//!
//! No function uses floating point numbers, so every answer is the same on every machine. Roots and directions are
//! computed by integer square roots and by CORDIC (Volder 1959). Paths are sequences of straight pieces, and their ends
//! are whole thousandths of an inch.

#[doc(hidden)]
pub mod angle;
#[doc(hidden)]
pub mod contact;
#[doc(hidden)]
pub mod gap;
mod index;
pub mod motion;
mod shape;
#[doc(hidden)]
pub mod sight;
mod sightlines;
#[doc(hidden)]
pub mod stand;
#[doc(hidden)]
pub mod way;
#[doc(hidden)]
pub mod wide;

pub use angle::{CIRCLE, ONE, bearing, direction, normal, turn_between};
pub use gap::{
    CLEARLY, Gap, TOUCH, compare_distance, compare_distances, dist, gap, gap_between, ranks, touches, within,
};
pub use index::{Bounds, Index, bounds_of, line_meets, meets, widened};
pub use shape::{Body, Point, Shape, sides_that_cross};
pub use sight::{Outline, SightLine, crosses, length_in, line_at_once, line_past};
pub use stand::{
    Table, ahead, in_arc, in_front, in_rear, just_behind, just_beyond, near_point, rear, room_behind, same_facing,
    spots_near,
};
pub use way::Way;

/// Maximum absolute value of a coordinate, radius or length of a shape (16,777 inches). Larger values are clamped.
pub const LIMIT: i64 = 1 << 24;

/// The length that means "farther than anything". It is also the maximum value of a cell.
pub const FAR: i64 = (1 << 31) - 1;
