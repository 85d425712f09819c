//! A tenant's API keys. Only a hash is kept.

use super::key_use::scopes;
use crate::{
    Store, StoreError, billing,
    database::write::Write,
    entity::{api_key as table, job, usage_day},
    open_work,
    queue::line::IS_IN_QUEUE,
    rows::account::{asked::Asked, audit, projects},
};
use domain::{
    Act, ApiKeyId, ProjectId, Scopes, TenantId, Timestamp, UserId,
    billing::{Day, month_of},
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait, SimpleExpr},
};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Of keys that opened something once, in one transaction.
const FORGOTTEN_AT_ONCE: u64 = 1000;
/// Of the keys that open nothing so many stay when another is made: most are rotated, and none of them is ever revoked.
const ENDED_KEPT: u64 = 50;
/// Keys that are being rotated are not counted as two; so many times more than a plan has can be in use for that.
const TIMES_MORE_WHILE_ROTATING: u64 = 2;

/// What a key is for, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyTerms {
    pub project: ProjectId,
    pub scopes: Scopes,
    /// `None`: never.
    pub expires_at: Option<Timestamp>,
    /// `None`: as many as its tenant.
    pub requests_per_minute: Option<u32>,
}

/// A secret, as it is known afterwards.
#[derive(Debug, Clone)]
pub struct KeySecret {
    pub id: ApiKeyId,
    /// The start and end of the key, by which its owner recognises it.
    pub hint: String,
    pub secret_sha256: [u8; 32],
}

#[derive(Debug, Clone)]
pub struct NewApiKey {
    pub secret: KeySecret,
    pub user: UserId,
    pub name: String,
    pub terms: KeyTerms,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub name: String,
    pub hint: String,
    pub terms: KeyTerms,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// It was rotated to another.
    pub is_replaced: bool,
    /// The first of the keys that were rotated to this one: they share a spending limit.
    pub spender: ApiKeyId,
}

impl ApiKey {
    /// Whether it opens nothing any more.
    #[must_use]
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.revoked_at.is_some() || self.terms.expires_at.is_some_and(|at| at <= now)
    }
}

/// Why there is no new key.
#[derive(Debug, thiserror::Error)]
pub enum NoKey {
    #[error("there are as many keys as there may be")]
    TooMany,
    #[error("there is no such project, or it is archived")]
    NoProject,
    #[error("there is no such key, or it opens nothing any more")]
    Unknown,
    #[error("this key was rotated before")]
    Rotated,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for NoKey {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

#[derive(Clone, Copy)]
pub struct ApiKeys<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> ApiKeys<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// The tenant has at most `live_max` keys in use.
    pub async fn create(self, key: NewApiKey, live_max: u64, address: &str) -> Result<ApiKey, NoKey> {
        let write = self.store.write_of(self.tenant).await?;
        let made = self.create_in(&write, key, live_max, address).await;
        write.end(made).await
    }

    async fn create_in(self, write: &Write, key: NewApiKey, live_max: u64, address: &str) -> Result<ApiKey, NoKey> {
        // Of two that come at once, the second counts the first.
        open_work::lock(write, self.tenant).await?;
        if self.live(write.now).count(&write.tx).await? >= live_max {
            return Err(NoKey::TooMany);
        }
        let projects = projects::of_tenant(&write.tx, self.tenant).await?;
        if !projects.iter().any(|project| project.id == key.terms.project && project.archived_at.is_none()) {
            return Err(NoKey::NoProject);
        }
        let asked = Asked { user: key.user, address };
        audit::insert(write, &asked.did_in(self.tenant, Act::KeyMade, &key.name)).await?;
        let made = self.row(write, key, None).insert(&write.tx).await?;
        self.forget_ended(write, ENDED_KEPT).await?;
        Ok(parsed(made)?)
    }

    fn row(self, write: &Write, key: NewApiKey, spender: Option<ApiKeyId>) -> table::ActiveModel {
        let NewApiKey { secret: KeySecret { id, hint, secret_sha256 }, user, name, terms } = key;
        table::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.tenant.uuid()),
            user_id: Set(user.uuid()),
            name: Set(name),
            hint: Set(hint),
            secret_sha256: Set(secret_sha256.to_vec()),
            created_at_ms: Set(write.now.ms()),
            last_used_at_ms: Set(None),
            revoked_at_ms: Set(None),
            project_id: Set(Some(terms.project.uuid())),
            scopes: Set(terms.scopes.to_string()),
            expires_at_ms: Set(terms.expires_at.map(Timestamp::ms)),
            requests_per_minute: Set(terms.requests_per_minute.map(|requests| i32::try_from(requests).unwrap_or(i32::MAX))),
            replaced_by: Set(None),
            spender_id: Set(spender.map(|spender| spender.uuid())),
        }
    }

    /// Another key for the same, which lives as long as the first was made for; that one ends after `overlap_ms`, unless it ends
    /// earlier. A key is rotated once.
    pub async fn rotate(self, asked: Asked<'_>, id: ApiKeyId, secret: KeySecret, overlap_ms: i64, live_max: u64) -> Result<ApiKey, NoKey> {
        let write = self.store.write_of(self.tenant).await?;
        let rotated = self.rotate_in(&write, asked, id, secret, (overlap_ms, live_max)).await;
        write.end(rotated).await
    }

    async fn rotate_in(
        self,
        write: &Write,
        asked: Asked<'_>,
        id: ApiKeyId,
        secret: KeySecret,
        (overlap_ms, live_max): (i64, u64),
    ) -> Result<ApiKey, NoKey> {
        open_work::lock(write, self.tenant).await?;
        let live = self.live(write.now);
        if live.clone().count(&write.tx).await? >= live_max.saturating_mul(TIMES_MORE_WHILE_ROTATING) {
            return Err(NoKey::TooMany);
        }
        let old = live.filter(table::Column::Id.eq(id.uuid())).one(&write.tx).await?.map(parsed).transpose()?.ok_or(NoKey::Unknown)?;
        if old.is_replaced {
            return Err(NoKey::Rotated);
        }
        let ends_at = write.now.plus_ms(overlap_ms);
        let ends_at = old.terms.expires_at.map_or(ends_at, |at| at.min(ends_at));
        table::Entity::update_many()
            .col_expr(table::Column::ExpiresAtMs, Expr::value(ends_at.ms()))
            .col_expr(table::Column::ReplacedBy, Expr::value(secret.id.uuid()))
            .filter(table::Column::Id.eq(id.uuid()))
            .exec(&write.tx)
            .await?;
        let lifetime_ms = old.terms.expires_at.map(|at| at.ms() - old.created_at.ms());
        let terms = KeyTerms { expires_at: lifetime_ms.map(|ms| write.now.plus_ms(ms)), ..old.terms };
        audit::insert(write, &asked.did_in(self.tenant, Act::KeyRotated, &old.name)).await?;
        let new = NewApiKey { secret, user: asked.user, name: old.name, terms };
        let made = self.row(write, new, Some(old.spender)).insert(&write.tx).await?;
        self.forget_ended(write, ENDED_KEPT).await?;
        Ok(parsed(made)?)
    }

    /// So many requests a minute from the next one on; `None`: as many as its tenant. `false`: no such key, or it opens nothing any more.
    pub async fn set_requests_per_minute(self, asked: Asked<'_>, id: ApiKeyId, requests: Option<u32>) -> Result<bool, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let Some(key) = self.live(write.now).filter(table::Column::Id.eq(id.uuid())).one(&write.tx).await? else {
            write.abandon().await?;
            return Ok(false);
        };
        let most = requests.map(|requests| i32::try_from(requests).unwrap_or(i32::MAX));
        let row = table::ActiveModel { id: Set(key.id), requests_per_minute: Set(most), ..Default::default() };
        row.update(&write.tx).await?;
        let told = requests.map_or_else(|| "no limit of its own".to_owned(), |requests| format!("{requests} requests a minute"));
        audit::insert(&write, &asked.did_in(self.tenant, Act::KeyChanged, &format!("{}: {told}", key.name))).await?;
        write.commit().await?;
        Ok(true)
    }

    /// The newest keys in use, newest first.
    pub async fn list_live(self, limit: u64) -> Result<Vec<ApiKey>, StoreError> {
        let newest = self.live(self.store.now().await?).order_by_desc(table::Column::CreatedAtMs).order_by_desc(table::Column::Id);
        newest.limit(limit).all(&self.store.of(self.tenant)).await?.into_iter().map(parsed).collect()
    }

    /// The keys that were revoked or expired last, the last of them first.
    pub async fn list_ended(self, limit: u64) -> Result<Vec<ApiKey>, StoreError> {
        self.ended(self.store.now().await?).limit(limit).all(&self.store.of(self.tenant)).await?.into_iter().map(parsed).collect()
    }

    /// The one that ended last first.
    fn ended(self, now: Timestamp) -> Select<table::Entity> {
        let ended_at = Expr::cust("COALESCE(revoked_at_ms, expires_at_ms)");
        self.all().filter(is_live(now).not()).order_by_desc(ended_at).order_by_desc(table::Column::Id)
    }

    fn all(self) -> Select<table::Entity> {
        table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid()))
    }

    fn live(self, now: Timestamp) -> Select<table::Entity> {
        self.all().filter(is_live(now))
    }

    /// Whether this key still opens anything.
    pub async fn is_live(self, id: ApiKeyId) -> Result<bool, StoreError> {
        let now = self.store.now().await?;
        Ok(self.live(now).filter(table::Column::Id.eq(id.uuid())).count(&self.store.of(self.tenant)).await? == 1)
    }

    /// `false`: no such key, or it opened nothing before. Of the keys that open nothing the newest `ended_kept` stay.
    pub async fn revoke(self, asked: Asked<'_>, id: ApiKeyId, ended_kept: u64) -> Result<bool, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        open_work::lock(&write, self.tenant).await?;
        if let Some(key) = self.live(write.now).filter(table::Column::Id.eq(id.uuid())).one(&write.tx).await? {
            audit::insert(&write, &asked.did_in(self.tenant, Act::KeyRevoked, &key.name)).await?;
        }
        let done = table::Entity::update_many()
            .col_expr(table::Column::RevokedAtMs, Expr::value(write.now.ms()))
            .filter(table::Column::Id.eq(id.uuid()))
            .filter(table::Column::TenantId.eq(self.tenant.uuid()))
            .filter(is_live(write.now))
            .exec(&write.tx)
            .await?;
        self.forget_ended(&write, ended_kept).await?;
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }

    /// A spending limit counts what each of its keys has used: those stay of which it counts something. The tenant's row must be locked.
    async fn forget_ended(self, write: &Write, ended_kept: u64) -> Result<(), StoreError> {
        let older = self.ended(write.now).offset(ended_kept).limit(FORGOTTEN_AT_ONCE).filter(self.is_counted(write.now).not());
        let older: Vec<Uuid> = older.select_only().column(table::Column::Id).into_tuple().all(&write.tx).await?;
        if older.is_empty() {
            return Ok(());
        }
        table::Entity::delete_many().filter(table::Column::Id.is_in(older)).exec(&write.tx).await?;
        billing::keys_gone(&write.tx, self.tenant).await
    }

    /// Of a key that has ended: whether a limit counts what it used in the month that runs, or holds for jobs of its that are open.
    fn is_counted(self, now: Timestamp) -> SimpleExpr {
        let (month, _) = month_of(Day::of(now));
        let is_limited = "COALESCE(spender_id, id) IN (SELECT subject_id FROM spending_limits WHERE kind = 'key' \
             AND spending_limits.tenant_id = api_keys.tenant_id)";
        let ended_in_month = Expr::cust("COALESCE(revoked_at_ms, expires_at_ms)").gte(month.start().ms());
        let used = usage_day::Entity::find().filter(usage_day::Column::TenantId.eq(self.tenant.uuid()));
        let used = used.filter(usage_day::Column::Day.gte(month.0)).select_only().column(usage_day::Column::ApiKeyId).into_query();
        let open = |which: &'static str| {
            let jobs = job::Entity::find().filter(job::Column::TenantId.eq(self.tenant.uuid())).filter(Expr::cust(which));
            jobs.filter(job::Column::ApiKeyId.is_not_null()).select_only().column(job::Column::ApiKeyId).into_query()
        };
        let uses = ended_in_month.or(table::Column::Id.in_subquery(used));
        let holds = table::Column::Id.in_subquery(open(IS_IN_QUEUE)).or(table::Column::Id.in_subquery(open("state = 'throttled'")));
        Expr::cust(is_limited).and(uses.or(holds))
    }
}

fn is_live(now: Timestamp) -> SimpleExpr {
    let expires = Expr::col((table::Entity, table::Column::ExpiresAtMs));
    Expr::col((table::Entity, table::Column::RevokedAtMs)).is_null().and(expires.clone().is_null().or(expires.gt(now.ms())))
}

/// Of somebody who is not in the tenant any more: they open nothing also when that person comes back.
pub(crate) async fn revoke_all_of(write: &Write, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
    revoke_all(write, tenant, table::Column::UserId.eq(user.uuid())).await
}

/// Of a project that is archived.
pub(crate) async fn revoke_all_in(write: &Write, tenant: TenantId, project: ProjectId) -> Result<(), StoreError> {
    revoke_all(write, tenant, table::Column::ProjectId.eq(project.uuid())).await
}

async fn revoke_all(write: &Write, tenant: TenantId, which: SimpleExpr) -> Result<(), StoreError> {
    let live = table::Entity::update_many().col_expr(table::Column::RevokedAtMs, Expr::value(write.now.ms()));
    let live = live.filter(table::Column::TenantId.eq(tenant.uuid())).filter(which);
    live.filter(table::Column::RevokedAtMs.is_null()).exec(&write.tx).await?;
    Ok(())
}

/// Of somebody whose account is deleted.
pub(crate) async fn delete_all_of(write: &Write, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
    let theirs = table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid()));
    theirs.filter(table::Column::UserId.eq(user.uuid())).exec(&write.tx).await?;
    billing::keys_gone(&write.tx, tenant).await
}

/// Of somebody who is gone, in whichever tenant. Returns which these were.
pub(crate) async fn delete_of_user(write: &Write, user: UserId) -> Result<BTreeSet<TenantId>, StoreError> {
    let theirs = table::Entity::find().filter(table::Column::UserId.eq(user.uuid())).select_only().column(table::Column::TenantId);
    let tenants: Vec<Uuid> = theirs.distinct().into_tuple().all(&write.tx).await?;
    let tenants: BTreeSet<_> = tenants.into_iter().map(TenantId::from_uuid).collect();
    for tenant in &tenants {
        billing::lock_tenant(&write.tx, *tenant).await?;
    }
    table::Entity::delete_many().filter(table::Column::UserId.eq(user.uuid())).exec(&write.tx).await?;
    Ok(tenants)
}

/// Of a tenant that is deleted.
pub(crate) async fn delete_all(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid())).exec(&write.tx).await?;
    billing::keys_gone(&write.tx, tenant).await
}

fn parsed(row: table::Model) -> Result<ApiKey, StoreError> {
    let project = row.project_id.unwrap_or(row.tenant_id);
    Ok(ApiKey {
        id: ApiKeyId::from_uuid(row.id),
        name: row.name,
        hint: row.hint,
        terms: KeyTerms {
            project: ProjectId::from_uuid(project),
            scopes: scopes(&row.scopes)?,
            expires_at: row.expires_at_ms.map(Timestamp::from_ms),
            requests_per_minute: row.requests_per_minute.map(i32::unsigned_abs),
        },
        created_at: Timestamp::from_ms(row.created_at_ms),
        last_used_at: row.last_used_at_ms.map(Timestamp::from_ms),
        revoked_at: row.revoked_at_ms.map(Timestamp::from_ms),
        is_replaced: row.replaced_by.is_some(),
        spender: ApiKeyId::from_uuid(row.spender_id.unwrap_or(row.id)),
    })
}
