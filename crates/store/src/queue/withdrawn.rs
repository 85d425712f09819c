//! Jobs that wait for a model which is not on offer any more: they would wait for ever.

use crate::{
    Store, StoreError,
    entity::{job as table, model},
    rows::{
        jobs,
        texts::{self, Texts},
        unreadable::Locked,
    },
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{LockBehavior, LockType},
};
use uuid::Uuid;

/// Jobs ended in one transaction, so that nobody who writes waits long.
const ENDED_AT_ONCE: u64 = 20;

pub(super) async fn fail_all(store: &Store, grace_ms: i64) -> Result<u64, StoreError> {
    let until = store.now().await?.plus_ms(-grace_ms).ms();
    let withdrawn = model::Entity::find()
        .select_only()
        .column(model::Column::Id)
        .filter(model::Column::IsOffered.eq(false))
        .filter(model::Column::WithdrawnAtMs.lte(until));
    let models: Vec<String> = withdrawn.into_tuple().all(&store.db).await?;
    let mut failed = 0;
    // Most of the time there are none, and no job is looked at.
    while !models.is_empty() {
        match fail_some(store, &models).await? {
            0 => break,
            some => failed += some,
        }
    }
    Ok(failed)
}

async fn fail_some(store: &Store, models: &[String]) -> Result<u64, StoreError> {
    let mut write = store.write().await?;
    let waiting = texts::jobs(Texts::LeftOut).filter(table::Column::WaitsFor.is_not_null()).filter(table::Column::Model.is_in(models));
    let some = waiting.clone().filter(table::Column::Id.is_not_in(store.unreadable())).limit(ENDED_AT_ONCE);
    let some = some.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let ids: Vec<Uuid> = some.select_only().column(table::Column::Id).into_tuple().all(&write.tx).await?;
    let mut locked = Locked::read(&write, waiting, ids).await?;
    let mut failed = 0;
    for job in std::mem::take(&mut locked.jobs) {
        let Ok(next) = job.lifecycle.clone().withdraw() else { continue };
        match jobs::store(&mut write, &job, next, |_| ()).await {
            Ok(_) => failed += 1,
            Err(error) => locked.pass_over(job.id, error)?,
        }
    }
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(failed)
}
