//! How much video time a tenant, its projects and its keys may use in a month, and have used.

use crate::{AccessError, Services};
use domain::{
    Actor, Forbidden, Membership, Permission,
    billing::{Day, Spender, Spending, SpendingLimits, SpendingLimitsError, month_of},
};
use store::{Asked, StoreError};

/// As many as any plan has.
const KEYS_SHOWN: u64 = 1000;

#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Limits(#[from] SpendingLimitsError),
    #[error("there is no such project or key any more")]
    Unknown,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// All limits of a tenant.
#[derive(Debug, Clone)]
pub struct SpendingOverview {
    pub spending: Vec<Spending>,
    /// All that can have limits, and what each is called.
    pub subjects: Vec<(Spender, String)>,
    /// The first day of the next month.
    pub resets_on: Day,
}

impl Services {
    /// All that have a limit, with what they have used of it.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn spending(&self, actor: Actor) -> Result<SpendingOverview, AccessError> {
        let tenant = self.tenant_of(actor, Permission::ReadBalance)?;
        let spending = tenant.spending().list().await?;
        let (_, resets_on) = month_of(Day::of(self.store.now().await?));
        let mut subjects = vec![(Spender::Tenant, "The whole team".to_owned())];
        let projects = tenant.projects().list().await?.into_iter().filter(|project| project.archived_at.is_none());
        subjects.extend(projects.map(|project| (Spender::Project(project.id), format!("Project: {}", project.name))));
        // Of keys that were rotated the newest comes first.
        for key in tenant.api_keys().list_live(KEYS_SHOWN).await? {
            if subjects.iter().all(|(spender, _)| *spender != Spender::Key(key.spender)) {
                subjects.push((Spender::Key(key.spender), format!("Key: {} ({})", key.name, key.hint)));
            }
        }
        Ok(SpendingOverview { spending, subjects, resets_on })
    }

    /// They hold from the next job on. No limit and no alert: what is used is not counted any more.
    ///
    /// # Errors
    /// [`LimitError`]; what was set before holds.
    pub async fn set_spending_limits(
        &self,
        actor: Actor,
        spender: Spender,
        limits: SpendingLimits,
        address: &str,
    ) -> Result<(), LimitError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::SetSpendingLimits)?;
        limits.check()?;
        let is_known = self.store.tenant(tenant).spending().set(Asked { user, address }, spender, limits).await?;
        if is_known { Ok(()) } else { Err(LimitError::Unknown) }
    }
}
