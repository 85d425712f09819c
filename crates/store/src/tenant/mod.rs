//! Everything that belongs to one tenant, reached through it.

pub(crate) mod api_keys;
mod jobs;
mod submit;
mod waiting;

pub use api_keys::{ApiKey, ApiKeys, NewApiKey};
pub use jobs::{JobOutline, JobPage, Jobs, Order, PageOutline, PageQuery};
pub use submit::Earlier;
pub use waiting::Waiting;

use crate::{Store, billing::Credits};
use domain::TenantId;

/// The door to one tenant's rows.
#[derive(Clone, Copy)]
pub struct Tenant<'a> {
    store: &'a Store,
    id: TenantId,
}

impl<'a> Tenant<'a> {
    pub(crate) const fn new(store: &'a Store, id: TenantId) -> Self {
        Self { store, id }
    }

    #[must_use]
    pub const fn jobs(self) -> Jobs<'a> {
        Jobs::new(self.store, self.id)
    }

    #[must_use]
    pub const fn credits(self) -> Credits<'a> {
        Credits::new(self.store, self.id)
    }

    #[must_use]
    pub const fn api_keys(self) -> ApiKeys<'a> {
        ApiKeys::new(self.store, self.id)
    }
}
