//! The `audit_log` table: rows are added in the transaction of the act that they tell of, and never changed.

use super::asked::Asked;
use crate::{StoreError, database::write::Write};
use domain::{Act, Audited, Email, Role, TenantId, Timestamp, UserId};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement};
use uuid::Uuid;

/// An act as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub number: i64,
    /// The email address of who did it; `None`: somebody whose account is gone, or the command line.
    pub user: Option<String>,
    pub act: Act,
    pub subject: String,
    pub address: String,
    pub at: Timestamp,
}

#[derive(FromQueryResult)]
struct Row {
    number: i64,
    email: Option<String>,
    act: String,
    subject: String,
    address: String,
    at_ms: i64,
}

pub(crate) async fn insert(write: &Write, entry: &Audited) -> Result<(), StoreError> {
    let statement = write.statement(
        "INSERT INTO audit_log (tenant_id, user_id, act, subject, address, at_ms) VALUES ($1, $2, $3, $4, $5, $6)",
        [
            entry.tenant.map(TenantId::uuid).into(),
            entry.user.map(UserId::uuid).into(),
            entry.act.as_str().into(),
            entry.subject.as_str().into(),
            entry.address.as_str().into(),
            write.now.ms().into(),
        ],
    );
    write.tx.execute_raw(statement).await?;
    Ok(())
}

/// What the operator did to a tenant, in the tenant's log and in their own; `by`: `None` of the command line.
pub(crate) async fn insert_of_operator(
    write: &Write,
    tenant: TenantId,
    by: Option<Asked<'_>>,
    act: Act,
    subject: String,
) -> Result<(), StoreError> {
    let (user, address) = by.map_or((None, String::new()), |by| (Some(by.user), by.address.to_owned()));
    let in_tenant = Audited { tenant: Some(tenant), user, act, subject: subject.clone(), address };
    insert(write, &in_tenant).await?;
    match user {
        Some(_) => insert(write, &Audited { tenant: None, subject: format!("{tenant}: {subject}"), ..in_tenant }).await,
        None => Ok(()),
    }
}

/// What the operator did to the queue, in their own log, and in that of the tenant whose jobs it is about; `by`: `None` of the command line.
pub(crate) async fn insert_of_queue(
    write: &Write,
    tenant: Option<TenantId>,
    by: Option<Asked<'_>>,
    act: Act,
    subject: String,
) -> Result<(), StoreError> {
    let (user, address) = by.map_or((None, String::new()), |by| (Some(by.user), by.address.to_owned()));
    let own = Audited { tenant: None, user, act, subject, address };
    insert(write, &own).await?;
    match tenant {
        Some(_) => insert(write, &Audited { tenant, ..own }).await,
        None => Ok(()),
    }
}

const READ: &str = "SELECT number, users.email, act, subject, address, at_ms FROM audit_log \
     LEFT JOIN users ON users.id = audit_log.user_id AND users.deleted_at_ms IS NULL";

/// The newest acts in a tenant, before the one of this number.
pub(crate) async fn of_tenant(
    db: &impl ConnectionTrait,
    tenant: TenantId,
    before: Option<i64>,
    limit: u64,
) -> Result<Vec<AuditEntry>, StoreError> {
    read(db, "tenant_id = $1", tenant.uuid(), before, limit).await
}

/// The newest acts of a user that are about no tenant.
pub(crate) async fn of_user(db: &impl ConnectionTrait, user: UserId, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
    read(db, "tenant_id IS NULL AND user_id = $1", user.uuid(), None, limit).await
}

/// In the words of the index `audit_log_of_queue`: SQLite takes it for nothing else.
const OF_QUEUE: &str = "act IN ('queue_paused', 'queue_resumed', 'worker_drained', 'job_expedited', 'job_requeued', 'job_quarantined', \
     'quarantine_lifted') AND (tenant_id IS NULL) = TRUE";

/// The newest acts of operators upon the queue.
pub(crate) async fn of_queue(db: &impl ConnectionTrait, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let statement = Statement::from_sql_and_values(db.get_database_backend(), acts_of_queue(), [limit.into()]);
    Ok(Row::find_by_statement(statement).all(db).await?.into_iter().filter_map(parsed).collect())
}

fn acts_of_queue() -> String {
    format!("{READ} WHERE {OF_QUEUE} ORDER BY number DESC LIMIT $1")
}

async fn read(db: &impl ConnectionTrait, whose: &str, id: Uuid, before: Option<i64>, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
    let sql = format!("{READ} WHERE {whose} AND number < $2 ORDER BY number DESC LIMIT $3");
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let values = [id.into(), before.unwrap_or(i64::MAX).into(), limit.into()];
    let rows = Row::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).all(db).await?;
    // An act of a newer version is left out.
    Ok(rows.into_iter().filter_map(parsed).collect())
}

fn parsed(row: Row) -> Option<AuditEntry> {
    let act = Act::named(&row.act)?;
    let Row { number, email, subject, address, at_ms, .. } = row;
    Some(AuditEntry { number, user: email, act, subject, address, at: Timestamp::from_ms(at_ms) })
}

/// All that is said of somebody whose account is gone, but for what they did to others, which then nobody did.
pub(crate) async fn forget_user(write: &Write, user: UserId, email: &Email) -> Result<(), StoreError> {
    for statement in [
        write.statement("DELETE FROM audit_log WHERE tenant_id IS NULL AND user_id = $1", [user.uuid().into()]),
        write.statement("UPDATE audit_log SET user_id = NULL, address = '' WHERE user_id = $1", [user.uuid().into()]),
    ] {
        write.tx.execute_raw(statement).await?;
    }
    forget_email(write, email).await
}

/// An address that somebody had, wherever something was done to them, also where a role stands behind it.
pub(crate) async fn forget_email(write: &Write, email: &Email) -> Result<(), StoreError> {
    write.tx.execute_raw(forget_subject(write.backend(), email)).await?;
    Ok(())
}

/// How many looks at a tenant's pages this user has begun and not ended, of those since `since`.
pub(crate) async fn open_viewings(write: &Write, tenant: TenantId, user: UserId, since: Timestamp) -> Result<i64, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(CASE WHEN act = $4 THEN 1 ELSE -1 END), 0) AS BIGINT) AS viewings FROM audit_log \
         WHERE tenant_id = $1 AND user_id = $2 AND (at_ms > $3 OR at_ms = $3 AND act = $4) AND act IN ($4, $5)";
    let acts = [Act::ViewingBegan, Act::ViewingEnded].map(Act::as_str);
    let values = [tenant.uuid().into(), user.uuid().into(), since.ms().into(), acts[0].into(), acts[1].into()];
    let row = write.tx.query_one_raw(write.statement(sql, values)).await?;
    Ok(row.map(|row| row.try_get("", "viewings")).transpose()?.unwrap_or_default())
}

/// Of somebody who was given a role.
pub(crate) fn changed_role(email: &str, role: Role) -> String {
    format!("{email} to {}", role.label())
}

/// As a whole, also where a role stands behind it: so they are found along an index, which on PostgreSQL has those with an address alone.
fn forget_subject(backend: DbBackend, email: &Email) -> Statement {
    let with_roles = Role::EVERY.map(|role| changed_role(email.as_str(), role));
    let subjects = [email.as_str().to_owned()].into_iter().chain(with_roles);
    let places: Vec<_> = (1..=1 + Role::EVERY.len()).map(|at| format!("${at}")).collect();
    let sql = format!("UPDATE audit_log SET subject = '' WHERE subject IN ({}) AND subject LIKE '%@%'", places.join(", "));
    Statement::from_sql_and_values(backend, sql, subjects.map(Into::into))
}

pub(crate) async fn forget_tenant(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let statement = write.statement("DELETE FROM audit_log WHERE tenant_id = $1", [tenant.uuid().into()]);
    write.tx.execute_raw(statement).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn what_is_said_of_somebody_is_found_along_an_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let asked = forget_subject(DbBackend::Sqlite, &"ada@example.com".parse().unwrap());
        let plan = Statement { sql: format!("EXPLAIN QUERY PLAN {}", asked.sql), ..asked };
        let plan = store.db.query_all_raw(plan).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps.iter().any(|step| step.contains("INDEX audit_log_by_subject (subject=?)")), "{steps:?}");
    }

    #[tokio::test]
    async fn acts_upon_the_queue_are_read_along_an_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let sql = format!("EXPLAIN QUERY PLAN {}", acts_of_queue().replace("$1", "5"));
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps[0].contains("INDEX audit_log_of_queue") && steps.iter().all(|step| !step.contains("B-TREE")), "{steps:?}");
    }
}
