//! The customer portal: where customers change plans, cards and cancel by themselves.

mod choices;
pub mod configurations;
pub mod flows;
pub mod sessions;

pub use choices::{Act, act, cards, plans};
