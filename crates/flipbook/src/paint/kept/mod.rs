//! What is painted once for a clip and kept for all of its frames.

mod apart;
pub(super) mod cast;
mod painted;
mod roles;
mod sky;
pub(super) mod stamps;

pub use apart::Apart;
pub use cast::Cast;
pub(super) use painted::{in_the_scenery, is_falls, is_sky_bow};
pub use roles::{Roles, of_each_slot};
pub(super) use sky::Drift;
pub use sky::Sky;
pub use stamps::Stamps;
