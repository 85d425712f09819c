//! Subscriptions: begun, changed, renewed and ended.

mod api;
mod cancel;
mod create;
mod document;
mod items;
mod preview;
mod renewal;
mod revision;
mod update;

pub use api::{create_item, delete_item, list, list_items, retrieve, retrieve_item, update_item};
pub use cancel::{cancel, end_at_period_end};
pub use create::{Extra, Wanted, begin, create};
pub use document::{interval_of, period_of};
pub use items::{Item, require_one_rhythm};
pub use preview::create_preview;
pub use renewal::renew;
pub use update::update;
