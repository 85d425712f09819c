//! A tenant's webhook endpoints. Secrets are sealed by whoever knows them.

use super::rows::{ENDPOINT, EndpointRow, WebhookEndpoint, WebhookRefusal, act_of, disable, lock, settle};
use crate::{
    Store, StoreError,
    database::write::Write,
    rows::account::{asked::Asked, audit, tenants},
};
use domain::{
    Act, TenantId, WebhookEndpointId,
    webhook::{DisabledReason, ENDPOINTS_MAX, WebhookEvent},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// A secret as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret {
    pub sealed: String,
    pub hint: String,
}

#[derive(Debug, Clone)]
pub struct NewWebhookEndpoint {
    pub id: WebhookEndpointId,
    pub name: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    pub secret: SealedSecret,
}

/// What is to be otherwise; `None`: as it is.
#[derive(Debug, Clone, Default)]
pub struct WebhookChange {
    pub name: Option<String>,
    pub url: Option<String>,
    pub events: Option<Vec<WebhookEvent>>,
    pub is_enabled: Option<bool>,
}

#[derive(Clone, Copy)]
pub struct WebhookEndpoints<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> WebhookEndpoints<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// The oldest first.
    pub async fn list(self) -> Result<Vec<WebhookEndpoint>, StoreError> {
        let db = self.store.of(self.tenant);
        let sql = format!(
            "SELECT {ENDPOINT} FROM webhook_endpoints WHERE tenant_id = $1 AND deleted_at_ms IS NULL AND receiver IS NULL ORDER BY created_at_ms, id"
        );
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [self.tenant.uuid().into()]);
        Ok(EndpointRow::find_by_statement(statement).all(&db).await?.into_iter().map(EndpointRow::parsed).collect())
    }

    pub async fn get(self, id: WebhookEndpointId) -> Result<Option<WebhookEndpoint>, StoreError> {
        let db = self.store.of(self.tenant);
        let sql = format!(
            "SELECT {ENDPOINT} FROM webhook_endpoints WHERE id = $1 AND tenant_id = $2 AND deleted_at_ms IS NULL AND receiver IS NULL"
        );
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.uuid().into(), self.tenant.uuid().into()]);
        Ok(EndpointRow::find_by_statement(statement).one(&db).await?.map(EndpointRow::parsed))
    }

    pub async fn create(self, asked: Asked<'_>, new: NewWebhookEndpoint) -> Result<WebhookEndpoint, WebhookRefusal> {
        let write = self.store.write_of(self.tenant).await?;
        let made = self.create_in(&write, asked, new).await;
        write.end(made).await
    }

    async fn create_in(self, write: &Write, asked: Asked<'_>, new: NewWebhookEndpoint) -> Result<WebhookEndpoint, WebhookRefusal> {
        // Of two that come at once, the second counts the first.
        if !tenants::lock(write, self.tenant).await? {
            return Err(StoreError::TenantGone(self.tenant).into());
        }
        let counted =
            "SELECT COUNT(*) AS endpoints FROM webhook_endpoints WHERE tenant_id = $1 AND deleted_at_ms IS NULL AND receiver IS NULL";
        let counted = write.tx.query_one_raw(write.statement(counted, [self.tenant.uuid().into()])).await?;
        let endpoints: i64 = counted.map_or(Ok(0), |row| row.try_get("", "endpoints"))?;
        if endpoints.unsigned_abs() >= ENDPOINTS_MAX {
            return Err(WebhookRefusal::TooMany);
        }
        audit::insert(write, &asked.did_in(self.tenant, Act::WebhookMade, &new.name)).await?;
        let sql = "INSERT INTO webhook_endpoints (id, tenant_id, name, url, event_types, sealed_secret, secret_hint, created_at_ms, \
             updated_at_ms, pending) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, 0)";
        let values = [
            new.id.uuid().into(),
            self.tenant.uuid().into(),
            new.name.as_str().into(),
            new.url.as_str().into(),
            names(&new.events).into(),
            new.secret.sealed.as_str().into(),
            new.secret.hint.as_str().into(),
            write.now.ms().into(),
        ];
        write.tx.execute_raw(write.statement(sql, values)).await?;
        Ok(self.locked(write, new.id).await?.parsed())
    }

    /// What is as it was before is no change.
    pub async fn change(self, asked: Asked<'_>, id: WebhookEndpointId, change: WebhookChange) -> Result<WebhookEndpoint, WebhookRefusal> {
        let write = self.store.write_of(self.tenant).await?;
        let changed = self.change_in(&write, asked, id, change).await;
        write.end(changed).await
    }

    async fn change_in(
        self,
        write: &Write,
        asked: Asked<'_>,
        id: WebhookEndpointId,
        change: WebhookChange,
    ) -> Result<WebhookEndpoint, WebhookRefusal> {
        let old = self.locked(write, id).await?;
        let name = change.name.unwrap_or_else(|| old.name.clone());
        let url = change.url.unwrap_or_else(|| old.url.clone());
        let events = change.events.map_or_else(|| old.event_types.clone(), |events| names(&events));
        if (&name, &url, &events) != (&old.name, &old.url, &old.event_types) {
            audit::insert(write, &asked.did_in(self.tenant, Act::WebhookChanged, &name)).await?;
            let sql = "UPDATE webhook_endpoints SET name = $2, url = $3, event_types = $4, updated_at_ms = $5 WHERE id = $1";
            let values = [id.uuid().into(), name.as_str().into(), url.into(), events.into(), write.now.ms().into()];
            write.tx.execute_raw(write.statement(sql, values)).await?;
        }
        let was_enabled = old.disabled_at_ms.is_none();
        if let Some(is_enabled) = change.is_enabled.filter(|is_enabled| *is_enabled != was_enabled) {
            audit::insert(write, &asked.did_in(self.tenant, act_of(is_enabled), &name)).await?;
            if is_enabled {
                let sql = "UPDATE webhook_endpoints SET disabled_at_ms = NULL, disabled_reason = NULL, failing_since_ms = NULL, \
                     updated_at_ms = $2 WHERE id = $1";
                write.tx.execute_raw(write.statement(sql, [id.uuid().into(), write.now.ms().into()])).await?;
                settle(write, id, 0).await?;
            } else {
                disable(write, id, DisabledReason::ByUser).await?;
            }
        }
        Ok(self.locked(write, id).await?.parsed())
    }

    /// Another secret; the one of before signs beside it for `old_kept_ms`.
    ///
    /// # Errors
    /// [`WebhookRefusal::OldSecretSigns`] where one still does so beside that one.
    pub async fn rotate(
        self,
        asked: Asked<'_>,
        id: WebhookEndpointId,
        secret: SealedSecret,
        old_kept_ms: Option<i64>,
    ) -> Result<WebhookEndpoint, WebhookRefusal> {
        let write = self.store.write_of(self.tenant).await?;
        let rotated = self.rotate_in(&write, asked, id, secret, old_kept_ms).await;
        write.end(rotated).await
    }

    async fn rotate_in(
        self,
        write: &Write,
        asked: Asked<'_>,
        id: WebhookEndpointId,
        secret: SealedSecret,
        old_kept_ms: Option<i64>,
    ) -> Result<WebhookEndpoint, WebhookRefusal> {
        let old = self.locked(write, id).await?;
        if old_kept_ms.is_some() && old.old_secret_until_ms.is_some_and(|until| until > write.now.ms()) {
            return Err(WebhookRefusal::OldSecretSigns);
        }
        audit::insert(write, &asked.did_in(self.tenant, Act::WebhookSecretRotated, &old.name)).await?;
        let sql = "UPDATE webhook_endpoints SET sealed_secret = $2, secret_hint = $3, old_sealed_secret = $4, old_secret_until_ms = $5, \
             updated_at_ms = $6 WHERE id = $1";
        let until = old_kept_ms.map(|ms| write.now.plus_ms(ms).ms());
        let kept = until.map(|_| old.sealed_secret);
        let values = [id.uuid().into(), secret.sealed.into(), secret.hint.into(), kept.into(), until.into(), write.now.ms().into()];
        write.tx.execute_raw(write.statement(sql, values)).await?;
        Ok(self.locked(write, id).await?.parsed())
    }

    /// Nothing is told to it any more, and nobody finds it; what was told is removed after it.
    pub async fn delete(self, asked: Asked<'_>, id: WebhookEndpointId) -> Result<(), WebhookRefusal> {
        let write = self.store.write_of(self.tenant).await?;
        let deleted = self.delete_in(&write, asked, id).await;
        write.end(deleted).await
    }

    async fn delete_in(self, write: &Write, asked: Asked<'_>, id: WebhookEndpointId) -> Result<(), WebhookRefusal> {
        let old = self.locked(write, id).await?;
        audit::insert(write, &asked.did_in(self.tenant, Act::WebhookDeleted, &old.name)).await?;
        let sql = "UPDATE webhook_endpoints SET deleted_at_ms = $2, sealed_secret = '', old_sealed_secret = NULL, next_at_ms = NULL WHERE id = $1";
        write.tx.execute_raw(write.statement(sql, [id.uuid().into(), write.now.ms().into()])).await?;
        Ok(())
    }

    async fn locked(self, write: &Write, id: WebhookEndpointId) -> Result<EndpointRow, WebhookRefusal> {
        lock(write, id).await?.filter(|row| row.is_of(self.tenant)).ok_or(WebhookRefusal::Unknown)
    }
}

fn names(events: &[WebhookEvent]) -> String {
    events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(" ")
}
