//! Steps 41 to 50.

pub mod m0041_makers;
