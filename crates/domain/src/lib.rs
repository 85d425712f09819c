//! Nouns and rules of Reelmill: ids, units, the model catalog, prices, scheduling and a job's lifecycle.
//!
//! Everything here is pure: no I/O, no clock, no randomness. It compiles to wasm, so the browser
//! checks a form and quotes a price with the very code that the server runs.

pub mod access;
pub mod account;
pub mod alerts;
pub mod batch;
pub mod billing;
pub mod catalog;
pub mod delivery;
mod eta;
pub mod id;
pub mod job;
pub mod metrics;
pub mod number;
pub mod operations;
pub mod retention;
pub mod scheduling;
pub mod text;
pub mod time;
pub mod webhook;

pub use access::{
    Act, Actor, Audited, Forbidden, KeyOwner, Membership, Permission, ReasonError, Role, RoleChange, Scope, Scopes, ScopesError, TeamError,
    VIEWING_MINUTES_MAX, Viewing, check_reason,
};
pub use account::{Email, EmailError, PasswordError};
pub use catalog::{Catalog, JobRequest, JobSpec, Model, Quote, Seed, Shape, Size, SpecError};
pub use eta::{Eta, Interval, NoEta};
pub use id::{
    AlertAddressId, AlertRuleId, AlertSilenceId, ApiKeyId, BatchId, FileId, IncidentId, InvitationId, JobId, ProjectId, TenantId, UserId,
    WebhookDeliveryId, WebhookEndpointId, WorkerId,
};
pub use job::{Failure, FailureCode, JobState, JobUpdate, JobView, Lease, Lifecycle, Stage, Status};
pub use number::grouped;
pub use time::{Clock, Timestamp, VideoTime, VideoTimeError};
