//! The `invitations` table: who was asked to join which tenant, until they do, or are not wanted any more.

use crate::{Store, StoreError, database::write::Write, rows::account::memberships};
use domain::{Email, InvitationId, Role, TenantId, Timestamp, UserId, account::token::Purpose};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub tenant: TenantId,
    pub email: Email,
    pub role: Role,
    pub invited_by: UserId,
    pub sent_at: Timestamp,
    pub expires_at: Timestamp,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    tenant_id: Uuid,
    email: String,
    role: String,
    invited_by: Uuid,
    sent_at_ms: i64,
    expires_at_ms: i64,
}

const READ: &str = "SELECT id, tenant_id, email, role, invited_by, sent_at_ms, expires_at_ms FROM invitations";

impl Store {
    /// An invitation that is open, of whichever tenant: for the mail that brings it.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn invitation(&self, id: InvitationId) -> Result<Option<Invitation>, StoreError> {
        find(&self.db, id).await
    }
}

pub(crate) async fn insert(write: &Write, new: &Invitation) -> Result<(), StoreError> {
    let now: Value = write.now.ms().into();
    let statement = write.statement(
        "INSERT INTO invitations (id, tenant_id, email, role, invited_by, created_at_ms, sent_at_ms, expires_at_ms) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [
            new.id.uuid().into(),
            new.tenant.uuid().into(),
            new.email.as_str().into(),
            new.role.as_str().into(),
            new.invited_by.uuid().into(),
            now.clone(),
            now,
            new.expires_at.ms().into(),
        ],
    );
    write.tx.execute_raw(statement).await?;
    Ok(())
}

/// It is good for as long as a new one.
pub(crate) async fn renew(write: &Write, id: InvitationId) -> Result<(), StoreError> {
    let until = write.now.plus_ms(Purpose::Invitation.good_for_ms());
    let sql = "UPDATE invitations SET sent_at_ms = $1, expires_at_ms = $2 WHERE id = $3";
    let statement = write.statement(sql, [write.now.ms().into(), until.ms().into(), id.uuid().into()]);
    write.tx.execute_raw(statement).await?;
    Ok(())
}

pub(crate) async fn find(db: &impl ConnectionTrait, id: InvitationId) -> Result<Option<Invitation>, StoreError> {
    Ok(read(db, "WHERE id = $1", [id.uuid().into()]).await?.pop())
}

pub(crate) async fn of_tenant(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Vec<Invitation>, StoreError> {
    read(db, "WHERE tenant_id = $1 ORDER BY created_at_ms DESC, id", [tenant.uuid().into()]).await
}

pub(crate) async fn of_email(db: &impl ConnectionTrait, tenant: TenantId, email: &Email) -> Result<Option<Invitation>, StoreError> {
    Ok(read(db, "WHERE tenant_id = $1 AND email = $2", [tenant.uuid().into(), email.as_str().into()]).await?.pop())
}

async fn read<const N: usize>(db: &impl ConnectionTrait, which: &str, values: [Value; N]) -> Result<Vec<Invitation>, StoreError> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), format!("{READ} {which}"), values);
    Row::find_by_statement(statement).all(db).await?.into_iter().map(parsed).collect()
}

fn parsed(row: Row) -> Result<Invitation, StoreError> {
    Ok(Invitation {
        id: InvitationId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        email: row.email.parse().map_err(|_| StoreError::inconsistent("invitations", "email", &row.email))?,
        role: memberships::role(&row.role)?,
        invited_by: UserId::from_uuid(row.invited_by),
        sent_at: Timestamp::from_ms(row.sent_at_ms),
        expires_at: Timestamp::from_ms(row.expires_at_ms),
    })
}

/// `false`: it is gone.
pub(crate) async fn delete(write: &Write, id: InvitationId) -> Result<bool, StoreError> {
    Ok(delete_where(write, "id = $1", id.uuid().into()).await? > 0)
}

pub(crate) async fn delete_of_tenant(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    delete_where(write, "tenant_id = $1", tenant.uuid().into()).await.map(drop)
}

/// To an address that nobody has any more.
pub(crate) async fn delete_to(write: &Write, email: &Email) -> Result<(), StoreError> {
    delete_where(write, "email = $1", email.as_str().into()).await.map(drop)
}

/// By somebody who is not in the tenant any more: they could come back by one.
pub(crate) async fn delete_by(write: &Write, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
    let sql = "DELETE FROM invitations WHERE tenant_id = $1 AND invited_by = $2";
    write.tx.execute_raw(write.statement(sql, [tenant.uuid().into(), user.uuid().into()])).await?;
    Ok(())
}

/// How many.
async fn delete_where(write: &Write, which: &str, value: Value) -> Result<u64, StoreError> {
    let done = write.tx.execute_raw(write.statement(&format!("DELETE FROM invitations WHERE {which}"), [value])).await?;
    Ok(done.rows_affected())
}
