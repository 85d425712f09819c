//! Which secret signs what is told of a tenant's jobs in Replicate's words: counted in the tenant's row.

use super::WebhookRefusal;
use crate::{
    StoreError, Tenant,
    database::write::Write,
    rows::account::{asked::Asked, audit, tenants},
};
use domain::{Act, TenantId, Timestamp, webhook::CallbackSecrets};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

const FIND: &str = "SELECT callback_secret, old_callback_secret_until_ms FROM tenants WHERE id = $1";

#[derive(FromQueryResult)]
struct Row {
    callback_secret: i64,
    old_callback_secret_until_ms: Option<i64>,
}

impl Row {
    fn parsed(row: Option<Self>) -> CallbackSecrets {
        row.map_or_else(CallbackSecrets::default, |row| CallbackSecrets {
            current: row.callback_secret.unsigned_abs(),
            old_until: row.old_callback_secret_until_ms.map(Timestamp::from_ms),
        })
    }
}

impl Tenant<'_> {
    pub async fn callback_secrets(self) -> Result<CallbackSecrets, StoreError> {
        let db = self.store().of(self.id());
        let statement = Statement::from_sql_and_values(db.get_database_backend(), FIND, [self.id().uuid().into()]);
        Ok(Row::parsed(Row::find_by_statement(statement).one(&db).await?))
    }

    /// Another secret; the one of before signs beside it for `old_kept_ms`.
    ///
    /// # Errors
    /// [`WebhookRefusal::OldSecretSigns`] where one still does so beside that one.
    pub async fn rotate_callback_secret(self, asked: Asked<'_>, old_kept_ms: Option<i64>) -> Result<CallbackSecrets, WebhookRefusal> {
        let write = self.store().write_of(self.id()).await?;
        let rotated = rotate(&write, asked, self.id(), old_kept_ms).await;
        write.end(rotated).await
    }
}

async fn rotate(write: &Write, asked: Asked<'_>, tenant: TenantId, old_kept_ms: Option<i64>) -> Result<CallbackSecrets, WebhookRefusal> {
    if !tenants::lock(write, tenant).await? {
        return Err(StoreError::TenantGone(tenant).into());
    }
    let found = Row::find_by_statement(write.statement(FIND, [tenant.uuid().into()])).one(&write.tx).await?;
    let rotated = Row::parsed(found).rotated(write.now, old_kept_ms).ok_or(WebhookRefusal::OldSecretSigns)?;
    audit::insert(write, &asked.did_in(tenant, Act::CallbackSecretRotated, "")).await?;
    let sql = "UPDATE tenants SET callback_secret = $2, old_callback_secret_until_ms = $3 WHERE id = $1";
    let current = i64::try_from(rotated.current).unwrap_or(i64::MAX);
    let values = [tenant.uuid().into(), current.into(), rotated.old_until.map(Timestamp::ms).into()];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    Ok(rotated)
}
