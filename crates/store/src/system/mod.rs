//! What only the system knows: the present, and chance. Everybody else asks here.

pub mod chance;
pub mod clock;
mod leader;

pub use leader::Leaders;
