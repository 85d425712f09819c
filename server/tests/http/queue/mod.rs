//! The queue as clients meet it: what is taken in, and why it waits.

mod admission;
mod capacity;
mod deadlines;
mod fallback;
mod fleet;
mod operator;
mod own;
mod waiting;
