//! Telling others what has happened: endpoints, signatures, deliveries, and what goes wrong with them on demand.

mod deliveries;
pub mod endpoints;
mod faults;
mod sender;
mod signature;

pub use deliveries::{Deliveries, Delivery, Status};
pub use faults::Faults;
pub use sender::run;
pub use signature::sign;
