//! The queue as clients meet it: what is taken in, and why it waits.

mod admission;
mod capacity;
mod fleet;
mod waiting;
