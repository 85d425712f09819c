//! The device as seen from outside its calls: how long they take, whether one hangs, how many fail.

pub mod health;
pub mod pace;
pub mod watchdog;
