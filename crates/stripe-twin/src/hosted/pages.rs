//! What people see: plain HTML without scripts.

mod checkout;
mod invoice;
mod layout;
mod portal;

pub use checkout::{agreement, checkout};
pub use invoice::invoice;
pub use layout::{authentication, message, place};
pub use portal::portal;
