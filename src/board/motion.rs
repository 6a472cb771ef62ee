//! moves
