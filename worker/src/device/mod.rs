//! The device as seen from outside its calls: how long they take, whose its time is, whether one hangs, how many fail.

pub mod health;
pub mod pace;
pub mod sharing;
pub mod watchdog;
