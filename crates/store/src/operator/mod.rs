//! What only the operator sees: rows that cannot be read, every worker, and the work of all tenants in numbers.

mod costs;
mod demand;
mod ended;
mod fleet;
mod ledger;
mod load;
mod placement;
mod queue;
mod revenue;
mod scaling;
mod status;
mod tenants;
mod totals;

pub use demand::{Demand, MeasuredDemand, ModelDemand, Waited};
pub use ended::{ENDED_READ_MAX, Ending, FailedJob, Failures, HOURLY_READ_MAX, Hour, LATENCY_BOUNDS_MS, Latency, Percentiles};
pub use fleet::{Drained, FLEET_JOBS_MAX, FLEET_WORKERS_MAX, FleetJob, FleetWorker};
pub use ledger::{LedgerEntries, LedgerEntry, LedgerFilter, LedgerPlace, TenantFound};
pub use load::{COUNTED_MAX, Load, StageLoad};
pub use placement::{LoadCost, ModelRule, Placement, PlacementChange, Submission};
pub use queue::{ActOfOperator, LineWaiting, QUARANTINED_LISTED, QueuedRow, ThrottledWork, WeighedTenant};
pub use revenue::{Revenue, Subscribers};
pub use scaling::{Scaling, ScalingDecision};
pub use status::{PartSeen, Said};
pub use tenants::{TenantPage, TenantRow};

pub(crate) use queue::{KeptPauses, forget_pauses};

use crate::{
    Store, StoreError,
    entity::{unreadable_row as table, worker},
    requests::Requests,
    rows::jobs,
};
use domain::{Stage, Timestamp, WorkerId};
use sea_orm::{
    ActiveValue::Set,
    ConnectionTrait, EntityTrait, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// A row is written down again only after so long.
const AGAIN_AFTER_MS: i64 = 60 * 60 * 1000;
/// Rows that a process remembers to have noted.
const REMEMBERED_MAX: usize = 10_000;
const NOTED_WITHIN: Duration = Duration::from_secs(1);
const LISTED: u64 = 200;
/// A row that was not met for so long is mended or gone.
const KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;
const FORGOTTEN_AT_ONCE: i64 = 5000;

/// A row that a process could not make sense of, such as one of a newer version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRow {
    pub table: String,
    pub row: String,
    pub column: String,
    pub reason: String,
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
}

/// One start of a worker process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSeen {
    pub id: WorkerId,
    pub role: String,
    pub device: String,
    /// `working`, `stalled` or `failing`.
    pub condition: String,
    pub started_at: Timestamp,
    pub seen_at: Timestamp,
    /// It takes no more jobs.
    pub is_draining: bool,
    /// Jobs it has in each stage.
    pub sampling: u64,
    pub decoding: u64,
}

/// When each row was noted last by this process.
pub(crate) type Noted = Arc<Mutex<HashMap<(&'static str, String), Timestamp>>>;

#[derive(Clone, Copy)]
pub struct Operator<'a> {
    store: &'a Store,
}

impl<'a> Operator<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// The jobs of all tenants as a log.
    #[must_use]
    pub const fn requests(self) -> Requests<'a> {
        Requests::new(self.store, None)
    }

    /// Writes down that a row of `table` cannot be read, and says so in the log: once an hour, however often it
    /// is met. An `error` that is not about a row is nobody's row, and is left to the caller.
    pub async fn note_unreadable(self, row: impl ToString, error: &StoreError) -> Result<(), StoreError> {
        let (table, column, value) = match error {
            StoreError::Inconsistent { table, column, value } => (*table, *column, value.clone()),
            StoreError::Database(cause) if error.is_of_row() => (jobs::TABLE, "", cause.to_string()),
            _ => return Ok(()),
        };
        let (row, now) = (row.to_string(), self.store.now().await?);
        let key = (table, row.clone());
        if self.is_noted(&key, now) {
            return Ok(());
        }
        tracing::error!(db.table = table, db.row = row, db.column = column, "a row cannot be read and is passed over: {error}");
        let model = table::ActiveModel {
            table_name: Set(table.to_owned()),
            row_id: Set(row),
            column_name: Set(column.to_owned()),
            reason: Set(value.chars().take(200).collect()),
            first_seen_ms: Set(now.ms()),
            last_seen_ms: Set(now.ms()),
        };
        let long_ago = Expr::col((table::Entity, table::Column::LastSeenMs)).lte(now.plus_ms(-AGAIN_AFTER_MS).ms());
        let again = OnConflict::columns([table::Column::TableName, table::Column::RowId])
            .update_columns([table::Column::ColumnName, table::Column::Reason, table::Column::LastSeenMs])
            .action_and_where(long_ago)
            .to_owned();
        let write = self.store.write().await?;
        table::Entity::insert(model).on_conflict(again).exec_without_returning(&write.tx).await?;
        write.commit().await?;
        self.remember(key, now);
        Ok(())
    }

    /// The same for rows that were met on the way to others. What cannot be written down soon is met again.
    pub(crate) async fn note_in_passing<R: ToString>(self, met: &[(R, StoreError)]) {
        let noting = async {
            for (row, error) in met {
                self.note_unreadable(row.to_string(), error).await?;
            }
            Ok::<_, StoreError>(())
        };
        match tokio::time::timeout(NOTED_WITHIN, noting).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(error = &error as &dyn std::error::Error, "unreadable rows were not noted"),
            Err(_) => tracing::warn!("unreadable rows were not noted in time"),
        }
    }

    /// Drops what was not seen for a week, some thousand rows at once.
    pub async fn forget_unreadable(self) -> Result<(), StoreError> {
        while self.forget_some_unreadable().await? == FORGOTTEN_AT_ONCE.unsigned_abs() {}
        Ok(())
    }

    async fn forget_some_unreadable(self) -> Result<u64, StoreError> {
        let write = self.store.write().await?;
        let old = write.statement(
            "DELETE FROM unreadable_rows WHERE (table_name, row_id) IN \
             (SELECT table_name, row_id FROM unreadable_rows WHERE last_seen_ms <= $1 ORDER BY last_seen_ms LIMIT $2)",
            [write.now.plus_ms(-KEPT_MS).ms().into(), FORGOTTEN_AT_ONCE.into()],
        );
        let done = write.tx.execute_raw(old).await?;
        write.commit().await?;
        Ok(done.rows_affected())
    }

    /// Whether this process has noted the row within the hour.
    fn is_noted(self, row: &(&'static str, String), now: Timestamp) -> bool {
        let noted = self.store.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.get(row).is_some_and(|at| now.ms() - at.ms() < AGAIN_AFTER_MS)
    }

    fn remember(self, row: (&'static str, String), now: Timestamp) {
        let mut noted = self.store.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() >= REMEMBERED_MAX {
            noted.clear();
        }
        noted.insert(row, now);
    }

    /// Rows that could not be read, those seen last first.
    pub async fn unreadable_rows(self) -> Result<Vec<UnreadableRow>, StoreError> {
        let rows = table::Entity::find()
            .order_by_desc(table::Column::LastSeenMs)
            .order_by_asc(table::Column::RowId)
            .limit(LISTED)
            .all(&self.store.db)
            .await?;
        let read = |row: table::Model| UnreadableRow {
            table: row.table_name,
            row: row.row_id,
            column: row.column_name,
            reason: row.reason,
            first_seen: Timestamp::from_ms(row.first_seen_ms),
            last_seen: Timestamp::from_ms(row.last_seen_ms),
        };
        Ok(rows.into_iter().map(read).collect())
    }

    /// Workers with what they hold, those seen last first, [`FLEET_WORKERS_MAX`] of them at most.
    pub async fn workers(self) -> Result<Vec<WorkerSeen>, StoreError> {
        let rows = worker::Entity::find().order_by_desc(worker::Column::SeenAtMs).limit(FLEET_WORKERS_MAX).all(&self.store.db).await?;
        let held = load::held(self.store).await?;
        Ok(rows.into_iter().map(|row| seen(row, &held)).collect())
    }

    /// How many jobs of each stage each worker has, where it has any.
    pub async fn jobs_by_worker(self) -> Result<HashMap<(WorkerId, Stage), u64>, StoreError> {
        let held = load::held(self.store).await?;
        Ok(held.into_iter().map(|held| ((held.worker, held.stage), held.jobs)).collect())
    }

    /// What waits and what is at work in each stage, of each state at most [`COUNTED_MAX`] jobs.
    pub async fn load(self) -> Result<[StageLoad; 2], StoreError> {
        load::by_stage(self.store).await
    }

    /// What ended so in each of `hours` hours from `first` on; the newest [`HOURLY_READ_MAX`] jobs are counted.
    pub async fn ended_by_hour(self, ending: Ending, first: Timestamp, hours: u16) -> Result<Vec<Hour>, StoreError> {
        ended::by_hour(self.store, ending, first, hours).await
    }

    /// How long the jobs took that succeeded after this moment. `None`: there are none.
    pub async fn latency(self, after: Timestamp) -> Result<Option<Latency>, StoreError> {
        ended::latency(self.store, after).await
    }

    /// Why jobs failed after this moment.
    pub async fn failures(self, after: Timestamp) -> Result<Failures, StoreError> {
        ended::failures(self.store, after).await
    }
}

fn seen(row: worker::Model, held: &[load::Held]) -> WorkerSeen {
    let id = WorkerId::from_uuid(row.id);
    let holds = |stage: Stage| held.iter().filter(|held| held.worker == id && held.stage == stage).map(|held| held.jobs).sum::<u64>();
    WorkerSeen {
        id,
        role: row.role,
        device: row.device,
        condition: row.condition,
        started_at: Timestamp::from_ms(row.started_at_ms),
        seen_at: Timestamp::from_ms(row.seen_at_ms),
        is_draining: row.draining_since_ms.is_some(),
        sampling: holds(Stage::Sampling),
        decoding: holds(Stage::Decoding),
    }
}
