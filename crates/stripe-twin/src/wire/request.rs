//! What a client sends: parameters in Stripe's bracket notation, read by name and type.

mod form;
mod params;

pub use form::parse;
pub use params::Params;
