//! What a client gets back when it does not get what it asked for.

mod error;

pub use error::StripeError;
