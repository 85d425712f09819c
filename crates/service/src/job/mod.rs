//! A job from its owner's side: submit, look, watch, cancel, delete, fetch what it made.

mod confirmed;
mod content;
mod estimates;
mod forecast;
mod kept;
mod list;
mod places;
mod queue;
mod read;
mod submit;
mod waiting;
mod watch;
mod watchers;

pub(crate) use confirmed::Confirmed;
pub(crate) use content::OutputKey;
pub use content::{ContentError, LinkError, OutputLink, OutputLinks};
pub(crate) use estimates::Estimates;
pub(crate) use forecast::{BatchAhead, Forecasts};
pub use list::JobList;
pub(crate) use places::Places;
pub use queue::{MoveError, OwnJobView, OwnQueue, OwnWaiting, QueueError};
pub(crate) use submit::FallbackAsked;
pub use submit::{Accepted, Besides, Submission, SubmitError, fingerprint, new_idempotency_key};
pub(crate) use watchers::Watchers;

#[cfg(test)]
mod tests;
