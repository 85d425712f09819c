//! What the operator does to the queue: pausing parts of it, and acts upon single jobs and workers.

mod act;
mod pause;
mod tenants;

pub use act::{QueueAct, QueueActError};
pub use pause::{Pause, PauseScope, PauseScopeError, Pauses};
pub use tenants::{TenantShare, TenantWork, shares_of};
