//! How much work lies in front of a job.

use crate::{
    Job, Store, StoreError,
    entity::job as table,
    rows::{jobs, unsigned},
};
use domain::{JobState, Stage, scheduling::WorkAhead};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, QueryFilter, QuerySelect,
    sea_query::{Alias, Expr, ExprTrait, Func, SimpleExpr},
};

#[derive(FromQueryResult)]
struct Load {
    jobs: i64,
    /// Denoising steps still to be done.
    steps: Option<i64>,
}

pub(super) async fn ahead_of(store: &Store, job: Option<&Job>) -> Result<(u64, WorkAhead), StoreError> {
    let (stage, in_front) = match job {
        None => (Stage::Sampling, Condition::all()),
        Some(job) => match &job.lifecycle.state {
            JobState::Ready | JobState::Retrying { stage: Stage::Sampling, .. } => (Stage::Sampling, before(job)),
            JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. } => (Stage::Decoding, before(job)),
            _ => return Ok((0, WorkAhead::default())),
        },
    };
    let waits_for = |stage: Stage| Condition::all().add(table::Column::WaitsFor.eq(stage.as_str()));
    let runs = |stage: Stage| Condition::all().add(table::Column::State.eq(stage.as_str()));
    let waiting = load(store, waits_for(stage).add(in_front)).await?;
    let decoding = load(store, runs(Stage::Decoding)).await?;
    let place = count(waiting.jobs)? + 1;
    if stage == Stage::Decoding {
        return Ok((place, WorkAhead { steps: 0, decodes: count(waiting.jobs + decoding.jobs)? }));
    }
    let sampling = load(store, runs(Stage::Sampling)).await?;
    let sampled = load(store, waits_for(Stage::Decoding)).await?;
    let steps = count(waiting.steps.unwrap_or(0) + sampling.steps.unwrap_or(0))?;
    let decodes = count(waiting.jobs + sampling.jobs + sampled.jobs + decoding.jobs)?;
    Ok((place, WorkAhead { steps, decodes }))
}

/// In front of `job` in the order in which claims take.
fn before(job: &Job) -> Condition {
    let older = table::Column::CreatedAtMs.lt(job.created_at.ms());
    let as_old = Condition::all().add(table::Column::CreatedAtMs.eq(job.created_at.ms())).add(table::Column::Id.lt(job.id.uuid()));
    Condition::any().add(older).add(as_old)
}

async fn load(store: &Store, which: Condition) -> Result<Load, StoreError> {
    let left = SimpleExpr::from(Func::sum(Expr::col(table::Column::Steps).sub(Expr::col(table::Column::Step))));
    let load = table::Entity::find()
        .select_only()
        .expr_as(table::Column::Id.count(), "jobs")
        .expr_as(left.cast_as(Alias::new("BIGINT")), "steps")
        .filter(which)
        .into_model::<Load>()
        .one(&store.db)
        .await?;
    Ok(load.unwrap_or(Load { jobs: 0, steps: None }))
}

fn count(value: i64) -> Result<u64, StoreError> {
    unsigned(jobs::TABLE, "step", value)
}
