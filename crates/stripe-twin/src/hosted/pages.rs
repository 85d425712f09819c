//! What people see: plain HTML without scripts.

mod checkout;
mod invoice;
mod layout;
mod portal;

pub use checkout::checkout;
pub use invoice::invoice;
pub use layout::{message, place};
pub use portal::portal;
