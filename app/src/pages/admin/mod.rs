//! For the operator alone; for everybody else there are no such pages.

pub mod overview;
