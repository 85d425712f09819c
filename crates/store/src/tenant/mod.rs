//! Everything that belongs to one tenant, reached through it.

mod acts;
pub(crate) mod api_keys;
mod batch_lines;
mod jobs;
pub(crate) mod key_use;
pub(crate) mod members;
mod moving;
mod operated;
mod own_queue;
mod projects;
pub(crate) mod promotion;
mod spending;
mod submit;
mod waiting;

pub use acts::{JobActError, JobActs};
pub use api_keys::{ApiKey, ApiKeys, KeySecret, KeyTerms, NewApiKey, NoKey};
pub use jobs::{JobOutline, JobPage, Jobs, PageOutline};
pub use key_use::FoundKey;
pub use members::{ChangeError, InviteError, Member, Members};
pub use moving::MoveError;
pub use own_queue::{OWN_COUNTED_MAX, OwnJob, OwnPage, OwnPhase};
pub use projects::{ProjectError, Projects};
pub use promotion::{NewPromoCode, PromoCodeRow, PromoCodes, PromoError, Redemption};
pub use spending::SpendingRows;
pub use submit::Earlier;
pub use waiting::Waiting;

use crate::{
    Store, StoreError,
    batches::{Batches, Files},
    billing::Credits,
    requests::Requests,
    rows::account::tenants,
};
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

    pub(crate) const fn store(self) -> &'a Store {
        self.store
    }

    pub(crate) const fn id(self) -> TenantId {
        self.id
    }

    #[must_use]
    pub const fn jobs(self) -> Jobs<'a> {
        Jobs::new(self.store, self.id)
    }

    #[must_use]
    pub const fn files(self) -> Files<'a> {
        Files::new(self.store, self.id)
    }

    #[must_use]
    pub const fn batches(self) -> Batches<'a> {
        Batches::new(self.store, self.id)
    }

    /// Its jobs as a log.
    #[must_use]
    pub const fn requests(self) -> Requests<'a> {
        Requests::new(self.store, Some(self.id))
    }

    /// For the operator alone.
    #[must_use]
    pub const fn acts(self) -> JobActs<'a> {
        JobActs::new(self.store, self.id)
    }

    #[must_use]
    pub const fn credits(self) -> Credits<'a> {
        Credits::new(self.store, self.id)
    }

    #[must_use]
    pub const fn api_keys(self) -> ApiKeys<'a> {
        ApiKeys::new(self.store, self.id)
    }

    #[must_use]
    pub const fn projects(self) -> Projects<'a> {
        Projects::new(self.store, self.id)
    }

    #[must_use]
    pub const fn spending(self) -> SpendingRows<'a> {
        SpendingRows::new(self.store, self.id)
    }

    #[must_use]
    pub const fn members(self) -> Members<'a> {
        Members::new(self.store, self.id)
    }

    /// What it is called; `None`: there is no such tenant any more.
    pub async fn name(self) -> Result<Option<String>, StoreError> {
        tenants::name(&self.store.of(self.id), self.id).await
    }
}
