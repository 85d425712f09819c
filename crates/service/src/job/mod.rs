//! A job from its owner's side: submit, look, watch, cancel, delete, fetch what it made.

mod content;
mod read;
mod submit;
mod watch;

pub use content::ContentError;
pub use submit::{Submission, SubmitError, Submitter, new_idempotency_key};
