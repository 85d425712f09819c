//! What was decided about the number of workers.

use crate::{Store, StoreError, chance, database::write::Write, system::leader};
use domain::Timestamp;
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// Decisions that are kept, beside the last one of each kind of device: how many workers there should be is told by it, however long ago it was.
const KEPT: i64 = 1000;

/// How many workers of a kind of device there were and should be, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalingDecision {
    pub at: Timestamp,
    /// What the kind of device is called.
    pub device: String,
    /// Those that were there or starting.
    pub workers: u32,
    pub wanted: u32,
    pub started: u32,
    pub drained: u32,
    /// In words, with its numbers.
    pub reason: String,
}

#[derive(FromQueryResult)]
struct Row {
    at_ms: i64,
    device: String,
    workers: i32,
    wanted: i32,
    started: i32,
    drained: i32,
    reason: String,
}

#[derive(Clone, Copy)]
pub struct Scaling<'a> {
    store: &'a Store,
}

impl<'a> Scaling<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Writes a decision down, and drops all but the newest 1,000 and the last of each kind of device; says under which id.
    pub async fn note(self, decision: &ScalingDecision) -> Result<String, StoreError> {
        let write = self.store.write().await?;
        self.note_in(write, decision).await
    }

    /// The same, if `holder` still leads what `name` says; else nothing is written.
    pub async fn note_as(self, (name, holder): (&str, &str), decision: &ScalingDecision) -> Result<Option<String>, StoreError> {
        let write = self.store.write().await?;
        if !leader::leads(&write.tx, write.now, (name, holder)).await? {
            write.abandon().await?;
            return Ok(None);
        }
        self.note_in(write, decision).await.map(Some)
    }

    async fn note_in(self, write: Write, decision: &ScalingDecision) -> Result<String, StoreError> {
        let sql = "INSERT INTO scaling_decisions (id, at_ms, device, workers, wanted, started, drained, reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let count = |workers: u32| i32::try_from(workers).unwrap_or(i32::MAX).into();
        let id = chance::new_id().to_string();
        let values = [
            id.as_str().into(),
            write.now.ms().into(),
            decision.device.as_str().into(),
            count(decision.workers),
            count(decision.wanted),
            count(decision.started),
            count(decision.drained),
            decision.reason.as_str().into(),
        ];
        write.tx.execute_raw(write.statement(sql, values)).await?;
        let sql = "DELETE FROM scaling_decisions WHERE at_ms < (SELECT MIN(at_ms) FROM (SELECT at_ms FROM scaling_decisions ORDER BY at_ms DESC LIMIT $1) AS kept) \
             AND EXISTS (SELECT 1 FROM scaling_decisions AS later WHERE later.device = scaling_decisions.device AND later.at_ms > scaling_decisions.at_ms)";
        write.tx.execute_raw(write.statement(sql, [KEPT.into()])).await?;
        write.commit().await?;
        Ok(id)
    }

    /// One of the workers could not be started after all.
    pub async fn one_failed(self, id: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let sql = "UPDATE scaling_decisions SET started = started - 1 WHERE id = $1 AND started > 0";
        write.tx.execute_raw(write.statement(sql, [id.into()])).await?;
        write.commit().await
    }

    /// By the last decision about a kind of device.
    pub async fn wanted(self, device: &str) -> Result<Option<u32>, StoreError> {
        let sql = "SELECT wanted FROM scaling_decisions WHERE device = $1 ORDER BY at_ms DESC, id DESC LIMIT 1";
        let statement = Statement::from_sql_and_values(self.store.db.get_database_backend(), sql, [device.into()]);
        let row = self.store.shared.query_one_raw(statement).await?;
        Ok(row.and_then(|row| row.try_get_by_index::<i32>(0).ok()).and_then(|wanted| u32::try_from(wanted).ok()))
    }

    /// The newest first.
    pub async fn decisions(self, limit: u32) -> Result<Vec<ScalingDecision>, StoreError> {
        self.newest("", limit).await
    }

    /// Of those by which workers were started or drained, the newest first.
    pub async fn changes(self, limit: u32) -> Result<Vec<ScalingDecision>, StoreError> {
        self.newest("WHERE started + drained > 0 ", limit).await
    }

    async fn newest(self, of: &str, limit: u32) -> Result<Vec<ScalingDecision>, StoreError> {
        let sql = format!(
            "SELECT at_ms, device, workers, wanted, started, drained, reason FROM scaling_decisions {of}ORDER BY at_ms DESC, id DESC LIMIT $1"
        );
        let statement = Statement::from_sql_and_values(self.store.db.get_database_backend(), sql, [i64::from(limit).into()]);
        let rows = self.store.shared.query_all_raw(statement).await?;
        let count = |workers: i32| u32::try_from(workers).unwrap_or_default();
        let read = |row: Row| ScalingDecision {
            at: Timestamp::from_ms(row.at_ms),
            device: row.device,
            workers: count(row.workers),
            wanted: count(row.wanted),
            started: count(row.started),
            drained: count(row.drained),
            reason: row.reason,
        };
        Ok(rows.iter().filter_map(|row| Row::from_query_result(row, "").ok()).map(read).collect())
    }
}
