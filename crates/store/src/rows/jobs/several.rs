//! Storing the moves of several jobs in one transaction, with about as many statements as one job takes.

use super::{Ends, TABLE, changed, parsed, tell};
use crate::{
    Job, StoreError,
    database::{transitions::Transition, write::Write},
    entity::job as table,
    rows::{artifacts, charges, previews, webhooks},
    sql::{in_steps, places},
};
use domain::Lifecycle;
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, EntityTrait, IdenStatic, Iterable, QueryFilter, QueryOrder, QuerySelect,
    Statement, TryIntoModel, Value, sea_query::LockType,
};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A job whose row is locked in this transaction, and that row.
pub(crate) struct LockedJob {
    pub job: Job,
    row: table::Model,
}

impl LockedJob {
    pub(crate) fn new(job: Job, row: table::Model) -> Self {
        Self { job, row }
    }
}

/// What becomes of a job that is locked.
pub(crate) struct Move {
    pub of: LockedJob,
    pub next: Lifecycle,
    /// What is set besides.
    pub also: table::ActiveModel,
}

/// Locks those of these jobs that are there and not deleted, in the order of their ids: whoever locks several does so in that order.
///
/// # Errors
/// Also where one of them cannot be read.
pub(crate) async fn lock(write: &Write, ids: Vec<Uuid>) -> Result<Vec<LockedJob>, StoreError> {
    let these = table::Entity::find().filter(table::Column::Id.is_in(in_steps(ids))).filter(table::Column::DeletedAtMs.is_null());
    let rows = these.order_by_asc(table::Column::Id).lock(LockType::NoKeyUpdate).all(&write.tx).await?;
    rows.into_iter().map(|row| Ok(LockedJob { job: parsed(row.clone())?, row })).collect()
}

/// As [`super::store`], of several jobs, each of which stands there once. Returns them in their order.
pub(crate) async fn store(write: &mut Write, moves: Vec<Move>) -> Result<Vec<Job>, StoreError> {
    let (mut rows, mut stored) = (Vec::with_capacity(moves.len()), Vec::with_capacity(moves.len()));
    let (mut leased, mut begun) = (Vec::new(), Vec::new());
    for Move { of: LockedJob { job, row }, next, also } in moves {
        let ends = Ends::of(&job, &next);
        let set_besides = |row: &mut table::ActiveModel| {
            set(row, &also);
            Ok(())
        };
        let change = changed(write, &job, &next, ends, set_besides)?;
        if job.lifecycle.state.lease().is_some() {
            leased.push(job.id.uuid());
        }
        if ends.is_end() && job.lifecycle.epoch > 0 {
            begun.push(job.id.uuid());
        }
        let after = after(&row, &change)?;
        rows.push((row, change));
        stored.push((job, next, ends, after));
    }
    previews::remove_all(write, &begun).await?;
    artifacts::abandon_unneeded(write, &leased, &begun).await?;
    update(write, rows).await?;
    let ended: Vec<&Job> = stored.iter().filter(|(_, _, ends, _)| ends.is_end()).map(|(.., after)| after).collect();
    webhooks::jobs_ended(write, &ended).await?;
    let mut moved = Vec::with_capacity(stored.len());
    for (before, next, ends, after) in stored {
        if let Some(charged) = ends.charged() {
            write.settlement.add(before.tenant, charges::ended(&after, charged));
        }
        write.note(Transition::between(&before, &after));
        tell(write, &next, after.id);
        moved.push(after);
    }
    Ok(moved)
}

fn set(row: &mut table::ActiveModel, also: &table::ActiveModel) {
    for column in table::Column::iter() {
        if let ActiveValue::Set(value) = also.get(column) {
            row.set(column, value);
        }
    }
}

/// The job as its row is after `change`.
fn after(row: &table::Model, change: &table::ActiveModel) -> Result<Job, StoreError> {
    let mut whole = table::ActiveModel::from(row.clone());
    set(&mut whole, change);
    parsed(whole.try_into_model()?)
}

/// Writes rows that must still stand where they stood: one statement for all that set the same columns.
async fn update(write: &Write, rows: Vec<(table::Model, table::ActiveModel)>) -> Result<(), StoreError> {
    let mut by_columns: BTreeMap<Vec<&'static str>, Vec<Vec<Value>>> = BTreeMap::new();
    for (row, change) in rows {
        let mut columns = Vec::new();
        let mut values: Vec<Value> = vec![row.id.into(), row.state.into(), row.epoch.into()];
        for column in table::Column::iter() {
            if let ActiveValue::Set(value) = change.get(column) {
                columns.push(column.as_str());
                values.push(value);
            }
        }
        by_columns.entry(columns).or_default().push(values);
    }
    for (columns, rows) in by_columns {
        let count = rows.len() as u64;
        let names: Vec<_> = columns.iter().map(|column| format!("new_{column}")).collect();
        let sets: Vec<_> = columns.iter().map(|column| format!("{column} = new_{column}")).collect();
        let rows = in_steps(rows);
        let sql = format!(
            "WITH moves (job_id, from_state, from_epoch, {}) AS (VALUES {}) UPDATE {TABLE} SET {} FROM moves \
             WHERE id = job_id AND state = from_state AND epoch = from_epoch",
            names.join(", "),
            places(rows.len(), 3 + columns.len()),
            sets.join(", "),
        );
        let statement = Statement::from_sql_and_values(write.backend(), sql, rows.into_iter().flatten());
        if write.tx.execute_raw(statement).await?.rows_affected() != count {
            return Err(StoreError::Raced { table: TABLE });
        }
    }
    Ok(())
}
