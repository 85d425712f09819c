//! The queue as clients meet it: what is taken in, and why it waits.

mod admission;
mod deadlines;
mod operator;
mod own;
mod waiting;
