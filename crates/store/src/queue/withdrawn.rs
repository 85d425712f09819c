//! Jobs that wait for a model which is not on offer any more: they would wait for ever.

use super::release::IS_THROTTLED;
use crate::{
    Store, StoreError,
    entity::{job as table, model},
    rows::{
        jobs,
        texts::{self, Texts},
        unreadable::Locked,
    },
};
use domain::{Stage, Timestamp};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, LockBehavior, LockType},
};
use uuid::Uuid;

/// Jobs ended in one transaction, so that nobody who writes waits long.
const ENDED_AT_ONCE: usize = 20;

/// Where jobs wait.
#[derive(Clone, Copy)]
enum Where {
    InQueue,
    /// Outside of it, by the limits of their tenants' plans.
    Throttled,
}

pub(super) async fn fail_all(store: &Store, grace_ms: i64) -> Result<u64, StoreError> {
    Ok(fail_those(store, Where::InQueue, grace_ms).await? + fail_those(store, Where::Throttled, grace_ms).await?)
}

async fn fail_those(store: &Store, place: Where, grace_ms: i64) -> Result<u64, StoreError> {
    let mut failed = 0;
    loop {
        // Mostly there are none, and nobody has to wait for a writer.
        let withdrawn_until = store.now().await?.plus_ms(-grace_ms);
        if ids(store, place, withdrawn_until, 1).into_tuple::<Uuid>().one(&store.db).await?.is_none() {
            return Ok(failed);
        }
        let known = store.unreadable().len();
        let Some(some) = fail_some(store, place, withdrawn_until).await? else { return Ok(failed) };
        failed += some;
        if some == 0 && store.unreadable().len() <= known {
            // More cannot be read than are remembered: those behind them have their turn in a minute.
            return Ok(failed);
        }
    }
}

/// How many could be read and have failed; the others are passed over next time. `None`: others are just writing them all.
async fn fail_some(store: &Store, place: Where, withdrawn_until: Timestamp) -> Result<Option<u64>, StoreError> {
    let mut write = store.write().await?;
    let some = ids(store, place, withdrawn_until, ENDED_AT_ONCE as u64).lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let some: Vec<Uuid> = some.into_tuple().all(&write.tx).await?;
    if some.is_empty() {
        write.abandon().await?;
        return Ok(None);
    }
    let mut locked = Locked::read(&write, texts::jobs(Texts::LeftOut), some).await?;
    let mut failed = 0;
    for job in std::mem::take(&mut locked.jobs) {
        let Ok(next) = job.lifecycle.clone().withdraw() else {
            // It says that it waits, and does not.
            store.remember_unreadable(job.id.uuid());
            continue;
        };
        match jobs::store(&mut write, &job, next, |_| ()).await {
            Ok(_) => failed += 1,
            Err(error) => locked.pass_over(job.id, error)?,
        }
    }
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(Some(failed))
}

/// Of jobs that wait for a model which was withdrawn by then, and is not on offer again.
fn ids(store: &Store, place: Where, withdrawn_until: Timestamp, limit: u64) -> Select<table::Entity> {
    let withdrawn = model::Entity::find()
        .select_only()
        .column(model::Column::Id)
        .filter(model::Column::IsOffered.eq(false))
        .filter(model::Column::WithdrawnAtMs.lte(withdrawn_until.ms()));
    // As the index of either place has them.
    let waits = match place {
        Where::InQueue => table::Column::WaitsFor.is_in([Stage::Sampling, Stage::Decoding].map(Stage::as_str)),
        Where::Throttled => Expr::cust(IS_THROTTLED),
    };
    table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(waits)
        .filter(table::Column::Model.in_subquery(withdrawn.into_query()))
        .filter(table::Column::Id.is_not_in(store.unreadable()))
        .limit(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{ConnectionTrait, DbBackend, Statement};

    #[tokio::test]
    async fn jobs_that_have_ended_are_not_looked_at() {
        let store = TempDatabase::sqlite().open().await.unwrap();
        for (place, index) in [(Where::InQueue, "INDEX jobs_by_line"), (Where::Throttled, "INDEX jobs_throttled_by_model")] {
            let sql = format!("EXPLAIN QUERY PLAN {}", ids(&store, place, Timestamp::from_ms(0), 1).build(DbBackend::Sqlite));
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.iter().any(|step| step.contains(index)), "{steps:?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN jobs")), "{steps:?}");
        }
    }
}
