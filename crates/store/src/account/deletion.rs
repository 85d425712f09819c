//! An account that is deleted, with the tenants that it alone owns: what goes, and in which order.
//!
//! Nobody finds it from the transaction on that deletes it. Its jobs, their objects and the rows that others refer to go after
//! it, by the reconciler; see [`Deletions`].

use super::{Accounts, identities, mails, second_factor, sessions};
use crate::{
    Store, StoreError, batches, billing,
    database::{deadlock, events, write::Write},
    metrics, operator, payment,
    rows::{
        account::{audit, invitations, memberships, tenants, tokens, users},
        ended, idempotency, makers,
    },
    tenant::{api_keys, members, promotion},
    webhook,
};
use domain::{Act, Audited, Email, JobId, Role, TenantId, Timestamp, UserId, VideoTime};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use std::{collections::BTreeSet, error::Error};
use uuid::Uuid;

/// What becomes of a tenant with the account of one of its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fate {
    pub tenant: TenantId,
    pub name: String,
    /// It has no other owner, so it goes; else it stays, with all that was made in it.
    pub goes: bool,
    pub other_members: u64,
    pub videos: u64,
    pub keys: u64,
    /// It pays for a subscription.
    pub is_subscribed: bool,
    /// What is left of credit that was bought.
    pub bought: VideoTime,
}

/// Whether an account was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    Done,
    /// Who runs the installation stays.
    Operator,
    Gone,
}

#[derive(FromQueryResult)]
struct FateRow {
    id: Uuid,
    name: String,
    role: String,
    owners: i64,
    members: i64,
    videos: i64,
    keys: i64,
    subscriptions: i64,
    bought_ms: i64,
}

const FATES: &str = "SELECT tenants.id, tenants.name, role, \
     (SELECT COUNT(*) FROM memberships AS m WHERE m.tenant_id = tenants.id AND m.role = 'owner') AS owners, \
     (SELECT COUNT(*) FROM memberships AS m WHERE m.tenant_id = tenants.id) AS members, \
     (SELECT COUNT(*) FROM jobs WHERE jobs.tenant_id = tenants.id AND jobs.deleted_at_ms IS NULL) AS videos, \
     (SELECT COUNT(*) FROM api_keys WHERE api_keys.tenant_id = tenants.id AND revoked_at_ms IS NULL) AS keys, \
     (SELECT COUNT(*) FROM subscriptions WHERE subscriptions.tenant_id = tenants.id AND ended_at_ms IS NULL) AS subscriptions, \
     (SELECT CAST(COALESCE(SUM(remaining_ms), 0) AS BIGINT) FROM grants WHERE grants.tenant_id = tenants.id AND kind = 'purchase') AS bought_ms \
     FROM memberships JOIN tenants ON tenants.id = tenant_id WHERE user_id = $1 ORDER BY memberships.created_at_ms, tenants.id";

/// That are given away in one transaction.
const JOBS_AT_ONCE: u64 = 500;

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

impl Accounts<'_> {
    /// What would go, and what would stay.
    pub async fn fates(self, user: UserId) -> Result<Vec<Fate>, StoreError> {
        let db = &self.store.db;
        let statement = Statement::from_sql_and_values(db.get_database_backend(), FATES, [user.uuid().into()]);
        let fate = |row: FateRow| {
            let goes = memberships::role(&row.role)? == Role::Owner && row.owners <= 1;
            let (other_members, videos, keys) = (row.members.unsigned_abs() - 1, row.videos.unsigned_abs(), row.keys.unsigned_abs());
            let (is_subscribed, bought) = (row.subscriptions > 0, VideoTime::from_ms(row.bought_ms.max(0).unsigned_abs()));
            Ok(Fate { tenant: TenantId::from_uuid(row.id), name: row.name, goes, other_members, videos, keys, is_subscribed, bought })
        };
        FateRow::find_by_statement(statement).all(db).await?.into_iter().map(fate).collect()
    }

    /// Deletes an account: nothing of it is found any more, and what it made goes as [`Self::fates`] says.
    pub async fn delete(self, user: UserId) -> Result<Deletion, StoreError> {
        // Whoever changes the members of a tenant locks it before its users.
        deadlock::retried(StoreError::is_deadlock, || self.try_to_delete(user)).await
    }

    async fn try_to_delete(self, user: UserId) -> Result<Deletion, StoreError> {
        let mut write = self.store.write().await?;
        let Some(row) = users::locked(&write, user).await? else {
            write.abandon().await?;
            return Ok(Deletion::Gone);
        };
        if row.is_operator {
            write.abandon().await?;
            return Ok(Deletion::Operator);
        }
        let email: Email = row.email.parse().map_err(|_| StoreError::inconsistent("users", "email", &row.email))?;
        let mut own = memberships::of_user(&write.tx, user).await?;
        // All who take the locks of several tenants take them in one order.
        own.sort_by_key(|membership| membership.tenant);
        for membership in own {
            tenants::lock(&write, membership.tenant).await?;
            let is_last_owner = membership.role == Role::Owner && memberships::owners(&write.tx, membership.tenant).await? <= 1;
            if is_last_owner {
                delete_tenant(&mut write, membership.tenant, user).await?
            } else {
                leave(&write, membership.tenant, user).await?
            }
        }
        sessions::end_all(&write, user, None).await?;
        second_factor::delete(&write, user).await?;
        identities::delete(&write, user).await?;
        tokens::delete_of(&write, user, &email).await?;
        invitations::delete_to(&write, &email).await?;
        audit::forget_user(&write, user, &email).await?;
        events::forget_mails(&write.tx, user, &email).await?;
        mails::forget_about(&write, &email).await?;
        users::mark_deleted(&write, user).await?;
        write.commit().await?;
        Ok(Deletion::Done)
    }
}

/// Whoever else is in it belongs elsewhere from now on.
async fn delete_tenant(write: &mut Write, tenant: TenantId, owner: UserId) -> Result<(), StoreError> {
    for member in memberships::of_tenant(&write.tx, tenant).await? {
        match users::locked(write, member.user).await? {
            Some(row) if member.user != owner => members::take_out(write, tenant, member.user, &row.email).await?,
            _ => memberships::delete(write, tenant, member.user).await?,
        }
    }
    invitations::delete_of_tenant(write, tenant).await?;
    audit::forget_tenant(write, tenant).await?;
    api_keys::delete_all(write, tenant).await?;
    webhook::delete_all(write, tenant).await?;
    payment::delete(write, tenant).await?;
    batches::end_all_of_tenant(write, tenant).await?;
    tenants::mark_deleted(write, tenant).await
}

/// What they made there is given to an owner later: see [`Deletions::finish`].
async fn leave(write: &Write, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
    memberships::delete(write, tenant, user).await?;
    invitations::delete_by(write, tenant, user).await?;
    api_keys::delete_all_of(write, tenant, user).await?;
    let left = Audited { tenant: Some(tenant), user: None, act: Act::AccountDeleted, subject: String::new(), address: String::new() };
    audit::insert(write, &left).await
}

/// What is left of accounts that were deleted.
#[derive(Clone, Copy)]
pub struct Deletions<'a> {
    store: &'a Store,
}

impl<'a> Deletions<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Tenants whose jobs are still to be deleted, or whose rows; those that were deleted first come first.
    pub async fn tenants(self) -> Result<Vec<TenantId>, StoreError> {
        let ids = self.marked("tenants").await?;
        Ok(ids.into_iter().map(TenantId::from_uuid).collect())
    }

    /// All of them: some may have to stay for long, and keep no other waiting.
    async fn marked(self, table: &str) -> Result<Vec<Uuid>, StoreError> {
        let db = &self.store.db;
        let sql = format!("SELECT id FROM {table} WHERE deleted_at_ms IS NOT NULL ORDER BY deleted_at_ms");
        let rows = IdRow::find_by_statement(Statement::from_string(db.get_database_backend(), sql)).all(db).await?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }

    /// Deletes a job of such a tenant as its owner would, also where its row cannot be read.
    pub async fn delete_job(self, tenant: TenantId, id: JobId) -> Result<(), StoreError> {
        match self.store.tenant(tenant).jobs().delete(id).await {
            Err(error) if error.is_of_row() => {
                tracing::warn!(job.id = %id, error = &error as &dyn Error, "a job that cannot be read goes with its tenant");
                let mut write = self.store.write_of(tenant).await?;
                ended::delete_unread(&mut write, id).await?;
                write.commit().await
            }
            deleted => deleted.map(drop),
        }
    }

    /// Gives what deleted users made in tenants that stay to an owner, and removes the rows of tenants and users to which no job refers any
    /// more. One that cannot be removed keeps no other waiting; the error is then that of the first.
    pub async fn finish(self) -> Result<(), StoreError> {
        let mut failed = None;
        for tenant in self.tenants().await? {
            if let Err(error) = self.finish_tenant(tenant).await {
                tracing::warn!(tenant.id = %tenant, error = &error as &dyn Error, "a deleted tenant stays for now");
                failed.get_or_insert(error);
            }
        }
        for user in self.marked("users").await?.into_iter().map(UserId::from_uuid) {
            if let Err(error) = self.finish_user(user).await {
                tracing::warn!(user.id = %user, error = &error as &dyn Error, "a deleted user stays for now");
                failed.get_or_insert(error);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    async fn finish_tenant(self, tenant: TenantId) -> Result<(), StoreError> {
        // Each takes SQLite's one writer only where there is something to do.
        batches::end_late_files(self.store, tenant).await?;
        webhook::end_late_lines(self.store, tenant).await?;
        if is_needed(&self.store.db, self.store.now().await?, tenant).await? {
            return Ok(());
        }
        batches::forget_tenant(self.store, tenant).await?;
        let write = self.store.write().await?;
        if is_needed(&write.tx, write.now, tenant).await? {
            return write.abandon().await;
        }
        idempotency::delete_all(&write, tenant).await?;
        api_keys::delete_all(&write, tenant).await?;
        billing::delete_spending(&write.tx, tenant).await?;
        billing::forget_usage(&write.tx, tenant).await?;
        billing::delete_metering(&write.tx, tenant).await?;
        metrics::forget_tenant(&write, tenant).await?;
        operator::forget_pauses(&write, tenant).await?;
        promotion::delete_all(&write.tx, tenant).await?;
        tenants::delete(&write, tenant).await?;
        write.commit().await
    }

    /// Also in tenants that they had left before.
    async fn finish_user(self, user: UserId) -> Result<(), StoreError> {
        let tenants = [makers::tenants_of(&self.store.db, user).await?, batches::tenants_of(&self.store.db, user).await?];
        for tenant in tenants.into_iter().flatten().collect::<BTreeSet<_>>() {
            self.give_jobs(tenant, user).await?;
        }
        if makers::has_user_any(&self.store.db, user).await? {
            return Ok(());
        }
        let write = self.store.write().await?;
        if makers::has_user_any(&write.tx, user).await? {
            return write.abandon().await;
        }
        for tenant in billing::tenants_of_usage(&write.tx, user).await? {
            if tenants::lock(&write, tenant).await?
                && let Some(owner) = owner_of(&write, tenant).await?
            {
                billing::give_usage(&write.tx, tenant, user, owner).await?;
            }
        }
        for tenant in api_keys::delete_of_user(&write, user).await? {
            billing::keys_gone(&write.tx, tenant).await?;
        }
        users::delete(&write, user).await?;
        write.commit().await
    }

    /// Nobody has those of a tenant that goes: they go with it.
    async fn give_jobs(self, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let Some(owner) = owner_of(&write, tenant).await? else { return write.abandon().await };
        batches::give(&write, tenant, user, owner).await?;
        write.commit().await?;
        loop {
            let write = self.store.write().await?;
            let Some(owner) = owner_of(&write, tenant).await? else { return write.abandon().await };
            let given = makers::give(&write, tenant, user, owner, JOBS_AT_ONCE).await?;
            write.commit().await?;
            if given < JOBS_AT_ONCE {
                return Ok(());
            }
        }
    }
}

/// Whether the rows of a tenant that is deleted have to stay for now.
async fn is_needed(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId) -> Result<bool, StoreError> {
    Ok(makers::has_tenant_any(db, tenant).await?
        || batches::has_tenant_any(db, tenant).await?
        || webhook::has_any(db, tenant).await?
        || billing::is_unreported(db, now, tenant).await?)
}

async fn owner_of(write: &Write, tenant: TenantId) -> Result<Option<UserId>, StoreError> {
    let members = memberships::of_tenant(&write.tx, tenant).await?;
    Ok(members.into_iter().find(|member| member.role == Role::Owner).map(|owner| owner.user))
}
