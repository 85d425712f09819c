//! A tenant's API keys. Only a hash is kept.

use crate::{
    Store, StoreError,
    database::write::Write,
    entity::api_key as table,
    open_work,
    rows::account::{asked::Asked, audit, memberships},
};
use domain::{Act, ApiKeyId, KeyOwner, Membership, TenantId, Timestamp, UserId};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select, Statement, sea_query::Expr,
};
use std::{
    collections::HashSet,
    error::Error,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

/// A key's last use is known to the minute: a busy key is not a write for each request.
const USE_NOTED_EVERY_MS: i64 = 60_000;
/// Of revoked keys, in one transaction.
const FORGOTTEN_AT_ONCE: u64 = 1000;

#[derive(Debug, Clone)]
pub struct NewApiKey {
    pub id: ApiKeyId,
    pub user: UserId,
    pub name: String,
    /// The start and end of the key, by which its owner recognises it.
    pub hint: String,
    pub secret_sha256: [u8; 32],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub name: String,
    pub hint: String,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// Keys whose use is being written down by this process.
pub(crate) type NotingUse = Arc<Mutex<HashSet<Uuid>>>;

#[derive(Clone, Copy)]
pub struct ApiKeys<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> ApiKeys<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// `None`: the tenant has `live_max` keys that are not revoked, or more.
    pub async fn create(self, key: NewApiKey, live_max: u64, address: &str) -> Result<Option<ApiKey>, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        // Of two that come at once, the second counts the first.
        open_work::lock(&write, self.tenant).await?;
        if self.live().count(&write.tx).await? >= live_max {
            write.abandon().await?;
            return Ok(None);
        }
        let row = table::ActiveModel {
            id: Set(key.id.uuid()),
            tenant_id: Set(self.tenant.uuid()),
            user_id: Set(key.user.uuid()),
            name: Set(key.name.clone()),
            hint: Set(key.hint),
            secret_sha256: Set(key.secret_sha256.to_vec()),
            created_at_ms: Set(write.now.ms()),
            last_used_at_ms: Set(None),
            revoked_at_ms: Set(None),
        };
        let asked = Asked { user: key.user, address };
        audit::insert(&write, &asked.did_in(self.tenant, Act::KeyMade, &key.name)).await?;
        let stored = row.insert(&write.tx).await?;
        write.commit().await?;
        Ok(Some(parsed(stored)))
    }

    /// The newest keys that are not revoked, newest first.
    pub async fn list_live(self, limit: u64) -> Result<Vec<ApiKey>, StoreError> {
        let newest = self.live().order_by_desc(table::Column::CreatedAtMs).order_by_desc(table::Column::Id);
        Ok(newest.limit(limit).all(&self.store.of(self.tenant)).await?.into_iter().map(parsed).collect())
    }

    /// The keys that were revoked last, the last of them first.
    pub async fn list_revoked(self, limit: u64) -> Result<Vec<ApiKey>, StoreError> {
        Ok(self.revoked().limit(limit).all(&self.store.of(self.tenant)).await?.into_iter().map(parsed).collect())
    }

    /// The one that was revoked last first.
    fn revoked(self) -> Select<table::Entity> {
        let revoked = self.all().filter(table::Column::RevokedAtMs.is_not_null());
        revoked.order_by_desc(table::Column::RevokedAtMs).order_by_desc(table::Column::Id)
    }

    fn all(self) -> Select<table::Entity> {
        table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid()))
    }

    fn live(self) -> Select<table::Entity> {
        self.all().filter(table::Column::RevokedAtMs.is_null())
    }

    /// Whether this key still opens anything.
    pub async fn is_live(self, id: ApiKeyId) -> Result<bool, StoreError> {
        Ok(self.live().filter(table::Column::Id.eq(id.uuid())).count(&self.store.of(self.tenant)).await? == 1)
    }

    /// `false`: no such key, or revoked before. Of the revoked keys the newest `revoked_kept` stay.
    pub async fn revoke(self, asked: Asked<'_>, id: ApiKeyId, revoked_kept: u64) -> Result<bool, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        if let Some(key) = self.live().filter(table::Column::Id.eq(id.uuid())).one(&write.tx).await? {
            audit::insert(&write, &asked.did_in(self.tenant, Act::KeyRevoked, &key.name)).await?;
        }
        let done = table::Entity::update_many()
            .col_expr(table::Column::RevokedAtMs, Expr::value(write.now.ms()))
            .filter(table::Column::Id.eq(id.uuid()))
            .filter(table::Column::TenantId.eq(self.tenant.uuid()))
            .filter(table::Column::RevokedAtMs.is_null())
            .exec(&write.tx)
            .await?;
        let older = self.revoked().offset(revoked_kept).limit(FORGOTTEN_AT_ONCE);
        let older: Vec<Uuid> = older.select_only().column(table::Column::Id).into_tuple().all(&write.tx).await?;
        if !older.is_empty() {
            table::Entity::delete_many().filter(table::Column::Id.is_in(older)).exec(&write.tx).await?;
        }
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }
}

/// Of somebody who is not in the tenant any more: they open nothing also when that person comes back.
pub(crate) async fn revoke_all_of(write: &Write, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
    let live = table::Entity::update_many().col_expr(table::Column::RevokedAtMs, Expr::value(write.now.ms()));
    let live = live.filter(table::Column::TenantId.eq(tenant.uuid())).filter(table::Column::UserId.eq(user.uuid()));
    live.filter(table::Column::RevokedAtMs.is_null()).exec(&write.tx).await?;
    Ok(())
}

/// Of somebody whose account is deleted.
pub(crate) async fn delete_all_of(write: &Write, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
    let theirs = table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid()));
    theirs.filter(table::Column::UserId.eq(user.uuid())).exec(&write.tx).await?;
    Ok(())
}

/// Of a tenant that is deleted.
pub(crate) async fn delete_all(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid())).exec(&write.tx).await?;
    Ok(())
}

/// A key of somebody who does not belong to its tenant opens nothing.
const LIVE_KEY: &str = "SELECT api_keys.id, api_keys.tenant_id, api_keys.user_id, last_used_at_ms, role FROM api_keys \
     JOIN memberships ON memberships.tenant_id = api_keys.tenant_id AND memberships.user_id = api_keys.user_id \
     WHERE secret_sha256 = $1 AND revoked_at_ms IS NULL";

#[derive(FromQueryResult)]
struct LiveKey {
    id: Uuid,
    tenant_id: Uuid,
    user_id: Uuid,
    last_used_at_ms: Option<i64>,
    role: String,
}

/// See [`crate::Accounts::by_key`].
pub(crate) async fn owner(store: &Store, secret_sha256: [u8; 32]) -> Result<Option<KeyOwner>, StoreError> {
    let statement = Statement::from_sql_and_values(store.db.get_database_backend(), LIVE_KEY, [secret_sha256.as_slice().into()]);
    let Some(key) = LiveKey::find_by_statement(statement).one(&store.db).await? else { return Ok(None) };
    let minute_ago = store.now().await?.plus_ms(-USE_NOTED_EVERY_MS).ms();
    if key.last_used_at_ms.is_none_or(|used| used <= minute_ago) {
        spawn_note_use(store.clone(), key.id, minute_ago);
    }
    let (tenant, user) = (TenantId::from_uuid(key.tenant_id), UserId::from_uuid(key.user_id));
    let membership = Membership { tenant, user, role: memberships::role(&key.role)? };
    Ok(Some(KeyOwner { key: ApiKeyId::from_uuid(key.id), membership }))
}

/// The request neither waits for it nor fails with it: what is only read can be read while nothing is written.
fn spawn_note_use(store: Store, key: Uuid, unless_after_ms: i64) {
    if !noting(&store).insert(key) {
        return;
    }
    tokio::spawn(async move {
        if let Err(error) = note_use(&store, key, unless_after_ms).await {
            tracing::warn!(key.id = %ApiKeyId::from_uuid(key), error = &error as &dyn Error, "the use of a key is not noted");
        }
        noting(&store).remove(&key);
    });
}

fn noting(store: &Store) -> MutexGuard<'_, HashSet<Uuid>> {
    store.noting_use.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn note_use(store: &Store, key: Uuid, unless_after_ms: i64) -> Result<(), StoreError> {
    let write = store.write().await?;
    let stale = Condition::any().add(table::Column::LastUsedAtMs.is_null()).add(table::Column::LastUsedAtMs.lte(unless_after_ms));
    table::Entity::update_many()
        .col_expr(table::Column::LastUsedAtMs, Expr::value(write.now.ms()))
        .filter(table::Column::Id.eq(key))
        .filter(stale)
        .exec(&write.tx)
        .await?;
    write.commit().await
}

fn parsed(row: table::Model) -> ApiKey {
    ApiKey {
        id: ApiKeyId::from_uuid(row.id),
        name: row.name,
        hint: row.hint,
        created_at: Timestamp::from_ms(row.created_at_ms),
        last_used_at: row.last_used_at_ms.map(Timestamp::from_ms),
        revoked_at: row.revoked_at_ms.map(Timestamp::from_ms),
    }
}
