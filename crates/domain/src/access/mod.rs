//! Who acts, and what each of them may do.
//!
//! Every use case is handed an [`Actor`] and asks the table in `permission.rs` before it touches anything.

mod actor;
mod audit;
mod membership;
mod permission;
mod scope;
mod team;
mod viewing;

pub use actor::{Actor, KeyOwner};
pub use audit::{Act, Audited};
pub use membership::{Membership, Role};
pub use permission::{Forbidden, Permission};
pub use scope::{Scope, Scopes, ScopesError};
pub use team::{RoleChange, TeamError};
pub use viewing::{ReasonError, VIEWING_MINUTES_MAX, Viewing, check_reason};
