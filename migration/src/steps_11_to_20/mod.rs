//! Steps that shipped long ago. A step is known by its file's name: moved it stays the same one, renamed it does not.

pub mod m0011_ended_jobs;
pub mod m0012_outbox_by_kind;
pub mod m0013_quotes;
pub mod m0014_models;
pub mod m0015_inbox;
pub mod m0016_worker_models;
pub mod m0017_new_events;
pub mod m0018_understanding;
pub mod m0019_arrangement;
pub mod m0020_expanded_prompt;
