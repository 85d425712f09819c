//! The workers one by one, why there are so many, and what so many can do.

pub mod capacity;
mod decisions;
mod missed;
pub mod workers;
