//! What all tenants together have: a walk over their rows, so ask seldom.

use super::Operator;
use crate::StoreError;
use domain::VideoTime;
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

#[derive(FromQueryResult)]
struct Row {
    available_ms: i64,
    held_ms: i64,
}

impl Operator<'_> {
    /// Video time to use, and what is set aside for jobs that have not ended.
    pub async fn credit_totals(self) -> Result<(VideoTime, VideoTime), StoreError> {
        let sql = "SELECT CAST(COALESCE(SUM(available_ms), 0) AS BIGINT) AS available_ms, CAST(COALESCE(SUM(held_ms), 0) AS BIGINT) AS held_ms \
                   FROM tenants WHERE deleted_at_ms IS NULL";
        let db = &self.store.db;
        let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
        let Some(row) = row else { return Ok((VideoTime::default(), VideoTime::default())) };
        let Row { available_ms, held_ms } = Row::from_query_result(&row, "")?;
        // What somebody owes for the moment is nothing to use.
        let time = |ms: i64| VideoTime::from_ms(u64::try_from(ms).unwrap_or_default());
        Ok((time(available_ms), time(held_ms)))
    }
}
