//! Tests of single functions.

mod base_flat;
mod base_meter;
mod base_near;
mod base_order;
mod base_safe;
mod value_bands;
mod value_bands_brute;
mod value_denominator;
mod value_dice;
mod value_dice_philox;
mod value_fraction;
mod value_lehmer;
mod value_ratio;
