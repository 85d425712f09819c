//! Tenants as the operator sees them: who they are, on which plan, and what they have left.

use super::Operator;
use crate::{
    StoreError,
    rows::account::{asked::Asked, audit, tenants},
};
use domain::{Act, TenantId, Timestamp, VideoTime, Viewing};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantRow {
    pub id: TenantId,
    pub name: String,
    /// The address of its member who joined first.
    pub email: String,
    pub plan: String,
    pub created_at: Timestamp,
    pub open: VideoTime,
    pub held: VideoTime,
    /// Without what is unlimited and what is paid for afterwards, and as it was when it was last looked at.
    pub available: VideoTime,
}

#[derive(Debug, Clone)]
pub struct TenantPage {
    pub tenants: Vec<TenantRow>,
    pub has_more: bool,
}

/// The newest first. Addresses are stored in lower case.
const LIST: &str = "SELECT tenants.id, tenants.name, tenants.plan, tenants.created_at_ms, open_ms, held_ms, \
     available_ms - CAST(COALESCE((SELECT SUM(remaining_ms) FROM grants WHERE grants.tenant_id = tenants.id AND kind = 'overage' AND remaining_ms > 0), 0) AS BIGINT) AS available_ms, \
     (SELECT email FROM users JOIN memberships ON memberships.user_id = users.id WHERE memberships.tenant_id = tenants.id \
     ORDER BY memberships.created_at_ms, users.id LIMIT 1) AS email, \
     EXISTS (SELECT 1 FROM grants WHERE grants.tenant_id = tenants.id AND kind = 'unlimited' AND remaining_ms > 0) AS is_unlimited \
     FROM tenants WHERE tenants.deleted_at_ms IS NULL AND tenants.id < $1 AND ($2 = '' OR EXISTS (SELECT 1 FROM users JOIN memberships ON memberships.user_id = users.id \
     WHERE memberships.tenant_id = tenants.id AND email LIKE $3 ESCAPE '!')) ORDER BY tenants.id DESC LIMIT $4";

#[derive(FromQueryResult)]
struct Found {
    id: Uuid,
    name: String,
    plan: String,
    created_at_ms: i64,
    open_ms: i64,
    held_ms: i64,
    available_ms: i64,
    email: Option<String>,
    is_unlimited: bool,
}

impl Operator<'_> {
    /// Those before `before`; with `search`, those of which a member's address has it.
    pub async fn tenants(self, search: &str, before: Option<TenantId>, limit: u64) -> Result<TenantPage, StoreError> {
        let before = before.map_or(Uuid::max(), TenantId::uuid);
        let search = search.replace('\0', "").trim().to_lowercase();
        let pattern = format!("%{}%", search.replace('!', "!!").replace('%', "!%").replace('_', "!_"));
        let db = &self.store.db;
        let values = [before.into(), search.into(), pattern.into(), limit.saturating_add(1).cast_signed().into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), LIST, values);
        let mut found = Found::find_by_statement(statement).all(db).await?;
        let has_more = found.len() as u64 > limit;
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(TenantPage { tenants: found.into_iter().map(row).collect(), has_more })
    }
}

impl Operator<'_> {
    /// Writes into the log of the tenant, and into that of who looks at its pages, that this begins, and why. `false`: there is no such tenant
    /// any more.
    pub async fn note_viewing(self, asked: Asked<'_>, tenant: TenantId, reason: &str) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        let Some(name) = tenants::name(&write.tx, tenant).await? else {
            write.abandon().await?;
            return Ok(false);
        };
        audit::insert(&write, &asked.did_in(tenant, Act::ViewingBegan, reason)).await?;
        audit::insert(&write, &asked.did(Act::ViewingBegan, &format!("{name}: {reason}"))).await?;
        write.commit().await?;
        Ok(true)
    }

    /// The same of its end: once, however many pages of a browser find out at once that its time is over.
    pub async fn note_viewing_ended(self, asked: Asked<'_>, viewing: Viewing) -> Result<(), StoreError> {
        let (write, tenant) = (self.store.write().await?, viewing.tenant);
        let is_noted =
            !tenants::lock(&write, tenant).await? || audit::open_viewings(&write, tenant, asked.user, viewing.began_at()).await? <= 0;
        if is_noted {
            return write.abandon().await;
        }
        let name = tenants::name(&write.tx, tenant).await?.unwrap_or_default();
        audit::insert(&write, &asked.did_in(tenant, Act::ViewingEnded, "")).await?;
        audit::insert(&write, &asked.did(Act::ViewingEnded, &name)).await?;
        write.commit().await
    }
}

fn row(found: Found) -> TenantRow {
    let time = |ms: i64| VideoTime::from_ms(u64::try_from(ms).unwrap_or_default());
    TenantRow {
        id: TenantId::from_uuid(found.id),
        name: found.name,
        email: found.email.unwrap_or_default(),
        plan: found.plan,
        created_at: Timestamp::from_ms(found.created_at_ms),
        open: time(found.open_ms),
        held: time(found.held_ms),
        available: if found.is_unlimited { VideoTime::default() } else { time(found.available_ms) },
    }
}
