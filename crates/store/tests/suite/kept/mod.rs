//! What is kept over time, and the log of what was asked for.

mod numbers;
mod phases;
mod requests;
