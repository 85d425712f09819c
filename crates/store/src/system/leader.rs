//! Which of several servers does what only one may do at a time.
//!
//! Who holds a name holds it for a while and holds on to it; whoever finds that time over takes it. On both engines it is a row, by the clock of the database: an
//! advisory lock of PostgreSQL would be held by a connection, which PgBouncer shares.

use crate::{Store, StoreError};
use domain::Timestamp;
use sea_orm::{ConnectionTrait, Statement};

/// Whether `holder` holds `name` still, as what is written in the same transaction finds it.
pub(crate) async fn leads(tx: &impl ConnectionTrait, now: Timestamp, (name, holder): (&str, &str)) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM leaders WHERE name = $1 AND holder = $2 AND until_ms > $3";
    let leads = Statement::from_sql_and_values(tx.get_database_backend(), sql, [name.into(), holder.into(), now.ms().into()]);
    Ok(tx.query_one_raw(leads).await?.is_some())
}

#[derive(Clone, Copy)]
pub struct Leaders<'a> {
    store: &'a Store,
}

impl<'a> Leaders<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Takes `name` for `holder`, or holds on to it, for `ms` from now; `false`: somebody else holds it.
    pub async fn hold(self, name: &str, holder: &str, ms: i64) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        // One that is held until far ahead was taken before the clock was put back; by a little, it was taken while this waited for the row.
        let sql = "INSERT INTO leaders (name, holder, until_ms) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE \
                   SET holder = excluded.holder, until_ms = excluded.until_ms \
                   WHERE leaders.holder = excluded.holder OR leaders.until_ms <= $4 OR leaders.until_ms > $5";
        let (now, until) = (write.now, write.now.plus_ms(ms));
        let values = [name.into(), holder.into(), until.ms().into(), now.ms().into(), until.plus_ms(ms).ms().into()];
        let taken = write.tx.execute_raw(write.statement(sql, values)).await?.rows_affected() == 1;
        write.commit().await?;
        Ok(taken)
    }

    /// Whether anybody holds a name that begins so.
    pub async fn is_any_held(self, beginning: &str) -> Result<bool, StoreError> {
        let (db, now) = (&self.store.shared, self.store.now().await?);
        let held = "SELECT name FROM leaders WHERE until_ms > $1";
        // They are few.
        for row in db.query_all_raw(Statement::from_sql_and_values(db.get_database_backend(), held, [now.ms().into()])).await? {
            if row.try_get_by_index::<String>(0)?.starts_with(beginning) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets go of it, so that another need not wait.
    pub async fn release(self, name: &str, holder: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let sql = "DELETE FROM leaders WHERE name = $1 AND holder = $2";
        write.tx.execute_raw(write.statement(sql, [name.into(), holder.into()])).await?;
        write.commit().await
    }
}
