//! The table: points, shapes, distances, bearings and sight, all in whole numbers.
//!
//! Lengths are thousandths of an inch, angles hundredths of a degree. 0 points up (+y), bearings grow clockwise,
//! so 9,000 points right (+x). Nothing here uses floating point; every answer is the same on every machine.

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
pub use sight::{Outline, crosses, length_in, line_at_once, line_past};
pub use stand::{
    Table, ahead, in_arc, in_front, in_rear, just_behind, just_beyond, near_point, rear, room_behind, same_facing,
    spots_near,
};
pub use way::Way;

/// No coordinate, radius or length of a shape is larger than this (16,777 inches); what is larger is read as this.
pub const LIMIT: i64 = 1 << 24;

/// The length that means "farther than anything", also the largest a cell can hold.
pub const FAR: i64 = (1 << 31) - 1;
