//! Steps 51 to 60.

pub mod m0051_placement;
pub mod m0052_deadlines;
