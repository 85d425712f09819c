//! What only the system knows: the present, and chance. Everybody else asks here.

mod backup;
pub mod chance;
pub mod clock;
pub(crate) mod leader;

pub use backup::sqlite_file;
pub use leader::Leaders;
