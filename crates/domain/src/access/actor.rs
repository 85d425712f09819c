//! On whose behalf something is done.

use super::{Membership, Scopes};
use crate::{ApiKeyId, ProjectId};

/// Whoever asks a use case for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A person who is signed in, in their tenant.
    User(Membership),
    /// A program.
    Key(KeyOwner),
    /// Whoever runs this installation: beyond tenants, at `/admin` and on the command line.
    Operator,
    /// The same person, looking at a tenant's pages as it sees them: in that tenant, without belonging to it.
    Observer(Membership),
    /// The program itself: what reconcilers do unasked.
    System,
}

/// An API key, and for whom it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyOwner {
    pub key: ApiKeyId,
    /// Of the user who made the key.
    pub membership: Membership,
    /// The project that its jobs belong to.
    pub project: ProjectId,
    /// What it opens of the API; asked for by the routes.
    pub scopes: Scopes,
    /// How many requests a minute it may make, where that is less than its tenant may.
    pub requests_per_minute: Option<u32>,
}

impl Actor {
    /// The key by which a program acts.
    #[must_use]
    pub const fn key(self) -> Option<ApiKeyId> {
        match self {
            Self::Key(owner) => Some(owner.key),
            Self::User(_) | Self::Operator | Self::Observer(_) | Self::System => None,
        }
    }

    /// The project in which jobs are made: that of the key. `None`: the default one.
    #[must_use]
    pub const fn project(self) -> Option<ProjectId> {
        match self {
            Self::Key(owner) => Some(owner.project),
            Self::User(_) | Self::Operator | Self::Observer(_) | Self::System => None,
        }
    }
}
