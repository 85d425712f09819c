//! Money that moves: payment methods, intents, charges and refunds.

pub mod charges;
pub mod disputes;
pub mod intents;
pub mod methods;
pub mod refunds;
pub mod setups;

pub use charges::{list as list_charges, retrieve as retrieve_charge};
