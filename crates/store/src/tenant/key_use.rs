//! What opens a request: a key, found by its secret or by its id, and its use, which is noted in passing.

use crate::{Store, StoreError, entity::api_key as table, rows::account::memberships};
use domain::{ApiKeyId, KeyOwner, Membership, ProjectId, Scopes, TenantId, Timestamp, UserId};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, Statement, Value, sea_query::Expr};
use std::{
    collections::HashSet,
    error::Error,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

/// A key's last use is known to the minute: a busy key is not a write for each request.
const USE_NOTED_EVERY_MS: i64 = 60_000;

/// Keys whose use is being written down by this process.
pub(crate) type NotingUse = Arc<Mutex<HashSet<Uuid>>>;

/// What a key is worth now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundKey {
    Live(KeyOwner),
    Expired(Timestamp),
    /// It never was, is revoked, or its owner does not belong to its tenant.
    None,
}

const FIND: &str = "SELECT api_keys.id, api_keys.tenant_id, api_keys.user_id, last_used_at_ms, role, project_id, scopes, expires_at_ms, \
     requests_per_minute FROM api_keys \
     JOIN memberships ON memberships.tenant_id = api_keys.tenant_id AND memberships.user_id = api_keys.user_id \
     WHERE revoked_at_ms IS NULL AND";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    tenant_id: Uuid,
    user_id: Uuid,
    last_used_at_ms: Option<i64>,
    role: String,
    project_id: Option<Uuid>,
    scopes: String,
    expires_at_ms: Option<i64>,
    requests_per_minute: Option<i32>,
}

/// See [`crate::Accounts::by_key`].
pub(crate) async fn by_secret(store: &Store, secret_sha256: [u8; 32]) -> Result<FoundKey, StoreError> {
    find(store, "secret_sha256 = $1", secret_sha256.as_slice().into()).await
}

/// See [`crate::Accounts::by_key_id`].
pub(crate) async fn by_id(store: &Store, id: ApiKeyId) -> Result<FoundKey, StoreError> {
    find(store, "api_keys.id = $1", id.uuid().into()).await
}

async fn find(store: &Store, by: &str, value: Value) -> Result<FoundKey, StoreError> {
    let statement = Statement::from_sql_and_values(store.db.get_database_backend(), format!("{FIND} {by}"), [value]);
    let Some(row) = Row::find_by_statement(statement).one(&store.db).await? else { return Ok(FoundKey::None) };
    let now = store.now().await?;
    if let Some(expired_at) = row.expires_at_ms.filter(|at| *at <= now.ms()) {
        return Ok(FoundKey::Expired(Timestamp::from_ms(expired_at)));
    }
    let minute_ago = now.plus_ms(-USE_NOTED_EVERY_MS).ms();
    if row.last_used_at_ms.is_none_or(|used| used <= minute_ago) {
        spawn_note_use(store.clone(), row.id, minute_ago);
    }
    let (tenant, user) = (TenantId::from_uuid(row.tenant_id), UserId::from_uuid(row.user_id));
    Ok(FoundKey::Live(KeyOwner {
        key: ApiKeyId::from_uuid(row.id),
        membership: Membership { tenant, user, role: memberships::role(&row.role)? },
        project: row.project_id.map_or(ProjectId::default_of(tenant), ProjectId::from_uuid),
        scopes: scopes(&row.scopes)?,
        requests_per_minute: row.requests_per_minute.map(i32::unsigned_abs),
    }))
}

/// As they are stored.
pub(super) fn scopes(text: &str) -> Result<Scopes, StoreError> {
    Scopes::parse(text).map_err(|_| StoreError::inconsistent("api_keys", "scopes", text))
}

/// The request neither waits for it nor fails with it: what is only read can be read while nothing is written.
fn spawn_note_use(store: Store, key: Uuid, unless_after_ms: i64) {
    let Some(turn) = Turn::of(&store.noting_use, key) else { return };
    tokio::spawn(async move {
        let _turn = turn;
        if let Err(error) = note_use(&store, key, unless_after_ms).await {
            tracing::warn!(key.id = %ApiKeyId::from_uuid(key), error = &error as &dyn Error, "the use of a key is not noted");
        }
    });
}

/// While it lives, nobody else in this process notes the use of its key.
struct Turn {
    noting: NotingUse,
    key: Uuid,
}

impl Turn {
    /// `None`: somebody has it.
    fn of(noting: &NotingUse, key: Uuid) -> Option<Self> {
        let is_first = lock(noting).insert(key);
        is_first.then(|| Self { noting: Arc::clone(noting), key })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        lock(&self.noting).remove(&self.key);
    }
}

fn lock(noting: &NotingUse) -> MutexGuard<'_, HashSet<Uuid>> {
    noting.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_use_of_a_key_is_noted_again_after_a_task_that_broke() {
        let (noting, key) = (NotingUse::default(), Uuid::nil());
        let turn = Turn::of(&noting, key).unwrap();
        assert!(Turn::of(&noting, key).is_none());
        let broken = tokio::spawn(async move {
            let _turn = turn;
            panic!("on purpose");
        });
        broken.await.unwrap_err();
        assert!(Turn::of(&noting, key).is_some());
    }
}
