//! The `artifacts` table: every object that was ever promised a key, until it is known to be gone.
//!
//! | written            | when                                                                   |
//! |--------------------|------------------------------------------------------------------------|
//! | the row            | before the upload, under the epoch of the lease                        |
//! | `committed`        | in the transaction of the transition that makes the object count       |
//! | `unneeded_since_ms`| in the transaction after which nobody will read the object any more     |

use crate::{
    Artifact, ArtifactKind, LeaseToken, StoreError, StoredObject,
    database::write::Write,
    entity::{artifact as table, signed, unsigned},
    sql::{in_steps, places},
};
use domain::{JobId, Timestamp, retention::removal_pause_ms};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Statement, Value,
    sea_query::{Expr, ExprTrait, IntoColumnRef, OnConflict, SimpleExpr},
};
use std::collections::BTreeSet;
use uuid::Uuid;

const TABLE: &str = "artifacts";

/// Where an object of this lease belongs; the epoch keeps two holders apart.
fn object_key(token: &LeaseToken, kind: ArtifactKind) -> String {
    format!("tenants/{}/jobs/{}/{}/{}", token.tenant, token.job, token.epoch, kind.file_name())
}

/// Where the objects of these kinds belong, in their order.
pub(crate) fn object_keys(token: &LeaseToken, kinds: &[ArtifactKind]) -> Vec<String> {
    kinds.iter().map(|kind| object_key(token, *kind)).collect()
}

/// Writes down that these objects may be there soon. Asked twice, nothing is changed.
pub(crate) async fn announce(write: &Write, announced: &[(LeaseToken, ArtifactKind)]) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    for (token, kind) in announced {
        rows.push(table::ActiveModel {
            job_id: Set(token.job.uuid()),
            kind: Set(kind.as_str().to_owned()),
            epoch: Set(signed(TABLE, "epoch", token.epoch)?),
            object_key: Set(object_key(token, *kind)),
            content_type: Set(kind.content_type().to_owned()),
            committed: Set(false),
            created_at_ms: Set(write.now.ms()),
            removal_failures: Set(0),
            remove_after_ms: Set(0),
            ..Default::default()
        });
    }
    if rows.is_empty() {
        return Ok(());
    }
    let key = [table::Column::JobId, table::Column::Kind, table::Column::Epoch];
    let once = OnConflict::columns(key).do_nothing().to_owned();
    table::Entity::insert_many(in_steps(rows)).on_conflict(once).exec_without_returning(&write.tx).await?;
    Ok(())
}

/// Makes announced objects count.
pub(crate) async fn commit(write: &Write, objects: &[(LeaseToken, &StoredObject)]) -> Result<(), StoreError> {
    let mut rows: Vec<[Value; 5]> = Vec::new();
    for (token, object) in objects {
        let (epoch, bytes): (i32, i64) = (signed(TABLE, "epoch", token.epoch)?, signed(TABLE, "bytes", object.bytes)?);
        rows.push([token.job.uuid().into(), object.kind.as_str().into(), epoch.into(), bytes.into(), (&*object.sha256).into()]);
    }
    if rows.is_empty() {
        return Ok(());
    }
    let count = rows.len() as u64;
    let rows = in_steps(rows);
    let sql = format!(
        "WITH stored (of_job, of_kind, of_epoch, new_bytes, new_sha256) AS (VALUES {}) \
         UPDATE {TABLE} SET bytes = new_bytes, sha256 = new_sha256, committed = TRUE FROM stored \
         WHERE job_id = of_job AND kind = of_kind AND epoch = of_epoch",
        places(rows.len(), 5)
    );
    let statement = Statement::from_sql_and_values(write.backend(), sql, rows.into_iter().flatten());
    let done = write.tx.execute_raw(statement).await?;
    if done.rows_affected() == count {
        Ok(())
    } else {
        Err(StoreError::inconsistent(TABLE, "object_key", "committed without being announced"))
    }
}

pub(crate) async fn find_committed(db: &impl ConnectionTrait, job: JobId, kind: ArtifactKind) -> Result<Option<Artifact>, StoreError> {
    let row = table::Entity::find()
        .filter(table::Column::JobId.eq(job.uuid()))
        .filter(table::Column::Kind.eq(kind.as_str()))
        .filter(table::Column::Committed.eq(true))
        .order_by_desc(table::Column::Epoch)
        .one(db)
        .await?;
    row.map(|row| {
        let missing = |column| StoreError::inconsistent(TABLE, column, "null in a committed row");
        Ok(Artifact {
            kind,
            object_key: row.object_key,
            content_type: row.content_type,
            bytes: unsigned(TABLE, "bytes", row.bytes.ok_or_else(|| missing("bytes"))?)?,
            sha256: row.sha256.ok_or_else(|| missing("sha256"))?,
        })
    })
    .transpose()
}

/// A lease has ended: what it announced and did not commit will never count.
pub(crate) async fn abandon_uncommitted(write: &Write, job: JobId) -> Result<(), StoreError> {
    abandon(write, job, Condition::all().add(table::Column::Committed.eq(false))).await
}

/// A job has ended: nobody will decode its latents any more.
pub(crate) async fn abandon_latents(write: &Write, job: JobId) -> Result<(), StoreError> {
    abandon(write, job, Condition::all().add(table::Column::Kind.eq(ArtifactKind::Latents.as_str()))).await
}

/// The same of several jobs at once: of those of which a `lease` has ended, and of those that have `ended`.
pub(crate) async fn abandon_unneeded(write: &Write, leases: &[Uuid], ended: &[Uuid]) -> Result<(), StoreError> {
    let of = |jobs: &[Uuid]| Condition::all().add(table::Column::JobId.is_in(in_steps(jobs.to_vec())));
    let mut unneeded = Condition::any();
    if !leases.is_empty() {
        unneeded = unneeded.add(of(leases).add(table::Column::Committed.eq(false)));
    }
    if !ended.is_empty() {
        unneeded = unneeded.add(of(ended).add(table::Column::Kind.eq(ArtifactKind::Latents.as_str())));
    }
    if unneeded.is_empty() {
        return Ok(());
    }
    table::Entity::update_many()
        .col_expr(table::Column::UnneededSinceMs, Expr::value(write.now.ms()))
        .filter(table::Column::UnneededSinceMs.is_null())
        .filter(unneeded)
        .exec(&write.tx)
        .await?;
    Ok(())
}

/// A job is deleted: all of it goes.
pub(crate) async fn abandon_all(write: &Write, job: JobId) -> Result<(), StoreError> {
    abandon(write, job, Condition::all()).await
}

/// The same for many jobs.
pub(crate) async fn abandon_all_of(write: &Write, jobs: &[Uuid]) -> Result<(), StoreError> {
    table::Entity::update_many()
        .col_expr(table::Column::UnneededSinceMs, Expr::value(write.now.ms()))
        .filter(table::Column::JobId.is_in(jobs.iter().copied()))
        .filter(table::Column::UnneededSinceMs.is_null())
        .exec(&write.tx)
        .await?;
    Ok(())
}

async fn abandon(write: &Write, job: JobId, which: Condition) -> Result<(), StoreError> {
    table::Entity::update_many()
        .col_expr(table::Column::UnneededSinceMs, Expr::value(write.now.ms()))
        .filter(table::Column::JobId.eq(job.uuid()))
        .filter(table::Column::UnneededSinceMs.is_null())
        .filter(which)
        .exec(&write.tx)
        .await?;
    Ok(())
}

/// Keys of unneeded objects: committed ones at once, others only when their lease ended before
/// `ended_before_ms`, as its holder may not have noticed yet and still be uploading. Those that could not be
/// removed before come last, and not before their time.
pub(crate) async fn garbage(
    db: &impl ConnectionTrait,
    now: Timestamp,
    ended_before_ms: i64,
    limit: u64,
) -> Result<Vec<String>, StoreError> {
    let quiet = Condition::any().add(table::Column::Committed.eq(true)).add(table::Column::UnneededSinceMs.lte(ended_before_ms));
    let keys = table::Entity::find()
        .select_only()
        .column(table::Column::ObjectKey)
        .filter(table::Column::UnneededSinceMs.is_not_null())
        .filter(table::Column::RemoveAfterMs.lte(now.ms()))
        .filter(quiet)
        .order_by_asc(table::Column::RemoveAfterMs)
        .order_by_asc(table::Column::UnneededSinceMs)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await?;
    Ok(keys)
}

/// These could not be removed: the next try is later, the later the more often it failed.
pub(crate) async fn postpone(write: &Write, object_keys: &[String]) -> Result<(), StoreError> {
    let stuck: Vec<(String, i32)> = table::Entity::find()
        .select_only()
        .columns([table::Column::ObjectKey, table::Column::RemovalFailures])
        .filter(table::Column::ObjectKey.is_in(object_keys))
        .into_tuple()
        .all(&write.tx)
        .await?;
    let counts: BTreeSet<i32> = stuck.iter().map(|(_, failures)| *failures).collect();
    for failures in counts {
        let keys = stuck.iter().filter(|(_, count)| *count == failures).map(|(key, _)| key);
        let after = write.now.plus_ms(removal_pause_ms(unsigned(TABLE, "removal_failures", failures)?));
        table::Entity::update_many()
            .col_expr(table::Column::RemoveAfterMs, Expr::value(after.ms()))
            .col_expr(table::Column::RemovalFailures, Expr::value(failures.saturating_add(1)))
            .filter(table::Column::ObjectKey.is_in(keys))
            .exec(&write.tx)
            .await?;
    }
    Ok(())
}

/// Whether any job has an object that is still needed.
pub(crate) async fn is_any_needed(db: &impl ConnectionTrait) -> Result<bool, StoreError> {
    let needed = table::Entity::find().filter(table::Column::Committed.eq(true)).filter(table::Column::UnneededSinceMs.is_null());
    Ok(needed.one(db).await?.is_some())
}

pub(crate) async fn forget(write: &Write, object_keys: &[String]) -> Result<(), StoreError> {
    table::Entity::delete_many()
        .filter(table::Column::ObjectKey.is_in(in_steps(object_keys.to_vec())))
        .filter(table::Column::UnneededSinceMs.is_not_null())
        .exec(&write.tx)
        .await?;
    Ok(())
}

/// That a job has objects, in a query of jobs.
pub(crate) fn of_job(job_id: impl IntoColumnRef) -> SimpleExpr {
    let own = Expr::col((table::Entity, table::Column::JobId)).equals(job_id);
    Expr::exists(table::Entity::find().select_only().column(table::Column::JobId).filter(own).into_query())
}
