//! Sending webhooks: signed as the Standard Webhooks specification says, and only to addresses that may be reached.
//!
//! The hidden decision: which address a name leads to is looked up here, each address is checked, and the connection goes to one of those
//! that were checked. So a name that leads elsewhere a moment later leads nowhere. Nothing is redirected, no proxy of the environment is
//! asked, and no connection is used twice.

mod connect;
mod fal;
mod send;
mod sign;

pub use connect::Resolve;
pub use fal::FalKey;
pub use send::{ANSWERED_WITHIN, Answer, Message, SendError, Sender, Signing};
pub use sign::{Secret, SecretError};
