//! A tenant's spending limits: reading them, setting one, and telling that an alert was reached.

use crate::{
    Store, StoreError,
    billing::{self, Reached},
    database::write::Write,
    rows::account::{asked::Asked, audit, memberships, tenants},
};
use domain::{
    Act, Role, TenantId, VideoTime,
    account::mail::Mail,
    billing::{Spender, Spending, SpendingLimits},
};

#[derive(Clone, Copy)]
pub struct SpendingRows<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> SpendingRows<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// All that have limits, and what each has used in the month that runs.
    pub async fn list(self) -> Result<Vec<Spending>, StoreError> {
        billing::list_spending(&self.store.of(self.tenant), self.store.now().await?, self.tenant).await
    }

    /// `false`: there is no such project or key. They hold from the next job on; what is open goes on.
    pub async fn set(self, asked: Asked<'_>, spender: Spender, limits: SpendingLimits) -> Result<bool, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        tenants::lock(&write, self.tenant).await?;
        let Some(whose) = billing::set_spending(&write.tx, write.now, self.tenant, spender, limits).await? else {
            write.abandon().await?;
            return Ok(false);
        };
        let some = |name: &str, limit: VideoTime| format!("{name} {limit} video-{}", if limit.ms() == 1000 { "second" } else { "seconds" });
        let text = |name: &str, limit: Option<VideoTime>| limit.map_or_else(|| format!("no {name}"), |limit| some(name, limit));
        let subject = format!("{whose}: {}, {}", text("limit", limits.hard), text("alert", limits.soft));
        audit::insert(&write, &asked.did_in(self.tenant, Act::SpendingLimitSet, &subject)).await?;
        write.commit().await?;
        Ok(true)
    }
}

/// Has owners and billing members told that as much is used as they wanted to hear of.
pub(super) async fn tell(write: &mut Write, tenant: TenantId, reached: Vec<Reached>) -> Result<(), StoreError> {
    if reached.is_empty() {
        return Ok(());
    }
    let name = tenants::name(&write.tx, tenant).await?.unwrap_or_default();
    let members = memberships::of_tenant(&write.tx, tenant).await?;
    for Reached { whose, used, soft, hard, resets_on } in reached {
        for member in members.iter().filter(|member| matches!(member.role, Role::Owner | Role::Billing)) {
            let (user, tenant, whose, resets_on) = (member.user, name.clone(), whose.clone(), resets_on.to_string());
            write.add_mail(&Mail::SpendingReached { user, tenant, whose, used, soft, hard, resets_on });
        }
    }
    Ok(())
}
