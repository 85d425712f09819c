//! Steps 51 to 60.

pub mod m0051_deadlines;
