//! What a job costs. Only the price rule lives here yet; plans and the meter join it.

mod pricing;

pub use pricing::Quote;
pub(crate) use pricing::quote;
