//! The second wall between tenants: on PostgreSQL, each transaction says whose rows it may touch, and row-level security keeps it to that.
//!
//! The policies (`migration/src/steps_31_to_40/m0035_row_level_security.rs`) compare with two settings that end with the transaction. A transaction that sets
//! neither sees nothing. All that the store does goes through here; see decision 0031.

use crate::{Store, StoreError};
use domain::TenantId;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement, TransactionTrait,
};

/// Whose rows a transaction may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All tenants': the queue, the reconcilers, the operator, and accounts, which may belong to several.
    System,
    Tenant(TenantId),
    /// Nobody's: what is no tenant's at all.
    Nobody,
}

/// Milliseconds. What nobody waits for any more must not hold its connection, whatever lock it waits for; and a process that was stopped or cut
/// off inside a transaction must not hold its locks.
pub(crate) const TIMEOUTS: [(&str, &str); 2] = [("statement_timeout", "10000"), ("idle_in_transaction_session_timeout", "15000")];

const ENTRANCE: &str = "SELECT set_config('reelmill.system', $1, true), set_config('reelmill.tenant', $2, true), \
     (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms";

/// What others prepared on this connection may have the names of what we are going to prepare; it is theirs no more.
fn pooled_entrance(system: &str, tenant: &str) -> String {
    let settings = TIMEOUTS.into_iter().chain([("reelmill.system", system), ("reelmill.tenant", tenant)]);
    let settings: Vec<_> = settings.map(|(name, value)| format!("set_config('{name}', '{value}', true)")).collect();
    format!("DEALLOCATE ALL; SELECT {}", settings.join(", "))
}

/// A connection, and how its transactions begin.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub db: DatabaseConnection,
    /// Somebody between us and the server hands out connections by the transaction: what holds for a session cannot be set.
    pub is_pooled: bool,
}

impl Door {
    /// Confines a transaction that has just begun; the server's time in milliseconds, where it came along.
    pub(crate) async fn enter(&self, transaction: &DatabaseTransaction, scope: Scope) -> Result<Option<i64>, DbErr> {
        if transaction.get_database_backend() != DbBackend::Postgres {
            return Ok(None);
        }
        let (system, tenant) = match scope {
            Scope::System => ("on", String::new()),
            Scope::Tenant(id) => ("", id.uuid().to_string()),
            Scope::Nobody => ("", String::new()),
        };
        if self.is_pooled {
            transaction.execute_unprepared(&pooled_entrance(system, &tenant)).await?;
            return Ok(None);
        }
        let entrance = Statement::from_sql_and_values(DbBackend::Postgres, ENTRANCE, [system.into(), tenant.into()]);
        let row = transaction.query_one_raw(entrance).await?;
        row.map(|row| row.try_get("", "now_ms")).transpose()
    }

    pub(crate) const fn of(self, scope: Scope) -> Walled {
        Walled { door: self, scope }
    }
}

/// For single statements: on PostgreSQL each is a transaction of its own, so that its scope ends with it.
#[derive(Debug, Clone)]
pub(crate) struct Walled {
    door: Door,
    scope: Scope,
}

impl Walled {
    pub(crate) const fn door(&self) -> &Door {
        &self.door
    }

    /// The same connection for somebody else.
    pub(crate) fn to(&self, scope: Scope) -> Self {
        self.door.clone().of(scope)
    }

    async fn begin(&self) -> Result<Option<DatabaseTransaction>, DbErr> {
        // A statement for which nothing is to be said needs no transaction, unless it is prepared on one connection and run on another.
        if self.get_database_backend() != DbBackend::Postgres || self.scope == Scope::Nobody && !self.door.is_pooled {
            return Ok(None);
        }
        let transaction = self.door.db.begin().await?;
        self.door.enter(&transaction, self.scope).await?;
        Ok(Some(transaction))
    }
}

impl Store {
    /// Whether the database would keep tenants apart, and our role passes over that.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn passes_row_level_security(&self) -> Result<bool, StoreError> {
        Ok(is_passed(&self.shared).await?)
    }
}

/// Whether policies bind our role on a server that has them.
async fn is_passed(shared: &Walled) -> Result<bool, DbErr> {
    if shared.get_database_backend() != DbBackend::Postgres {
        return Ok(false);
    }
    let sql = "SELECT rolsuper OR rolbypassrls AS is_passed FROM pg_roles WHERE rolname = current_user";
    let row = shared.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    row.map_or(Ok(false), |row| row.try_get("", "is_passed"))
}

#[async_trait::async_trait]
impl ConnectionTrait for Walled {
    fn get_database_backend(&self) -> DbBackend {
        self.door.db.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let Some(transaction) = self.begin().await? else { return self.door.db.execute_raw(statement).await };
        let done = transaction.execute_raw(statement).await?;
        transaction.commit().await?;
        Ok(done)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let Some(transaction) = self.begin().await? else { return self.door.db.execute_unprepared(sql).await };
        let done = transaction.execute_unprepared(sql).await?;
        transaction.commit().await?;
        Ok(done)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let Some(transaction) = self.begin().await? else { return self.door.db.query_one_raw(statement).await };
        let row = transaction.query_one_raw(statement).await?;
        transaction.commit().await?;
        Ok(row)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let Some(transaction) = self.begin().await? else { return self.door.db.query_all_raw(statement).await };
        let rows = transaction.query_all_raw(statement).await?;
        transaction.commit().await?;
        Ok(rows)
    }
}
