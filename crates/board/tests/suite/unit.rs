//! Tests of single functions.

mod board_angle;
mod board_contact;
mod board_gap;
mod board_motion_outermost;
mod board_motion_sectors;
mod board_sight;
mod board_stand;
mod board_way;
mod board_wide;
