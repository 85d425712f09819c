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

#[derive(FromQueryResult, Default)]
struct Load {
    jobs: i64,
    /// Denoising steps still to be done.
    steps: Option<i64>,
}

impl Load {
    fn steps(&self) -> i64 {
        self.steps.unwrap_or(0)
    }
}

pub(super) async fn ahead_of(store: &Store, job: Option<&Job>) -> Result<(u64, WorkAhead), StoreError> {
    let (stage, in_front) = match job {
        None => (Stage::Sampling, Condition::all()),
        Some(job) => match &job.lifecycle.state {
            JobState::Ready | JobState::Retrying { stage: Stage::Sampling, .. } => (Stage::Sampling, before(job)),
            JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. } => (Stage::Decoding, before(job)),
            JobState::Sampling(_) => return Ok((0, beside(store, job).await?)),
            _ => return Ok((0, WorkAhead::default())),
        },
    };
    let waiting = load(store, waits_for(stage).add(in_front), Expr::col(table::Column::Steps)).await?;
    let decoding = load(store, runs(Stage::Decoding), left()).await?;
    let place = count(waiting.jobs)? + 1;
    if stage == Stage::Decoding {
        return Ok((place, WorkAhead { steps: 0, decodes: count(waiting.jobs + decoding.jobs)? }));
    }
    let sampling = load(store, runs(Stage::Sampling), left()).await?;
    let sampled = load(store, waits_for(Stage::Decoding), left()).await?;
    let decodes = count(waiting.jobs + sampling.jobs + sampled.jobs + decoding.jobs)?;
    Ok((place, WorkAhead { steps: count(waiting.steps() + sampling.steps())?, decodes }))
}

/// A running job takes turns with those sampled beside it, for as long as either has steps left.
async fn beside(store: &Store, job: &Job) -> Result<WorkAhead, StoreError> {
    let own = i64::from(job.spec.steps.saturating_sub(job.step));
    let others = runs(Stage::Sampling).add(table::Column::Id.ne(job.id.uuid()));
    let shared = Expr::case(left().lt(own), left()).finally(own);
    let sampling = load(store, others, shared.into()).await?;
    let sampled = load(store, waits_for(Stage::Decoding), left()).await?;
    let decoding = load(store, runs(Stage::Decoding), left()).await?;
    Ok(WorkAhead { steps: count(sampling.steps())?, decodes: count(sampled.jobs + decoding.jobs)? })
}

fn waits_for(stage: Stage) -> Condition {
    Condition::all().add(table::Column::WaitsFor.eq(stage.as_str()))
}

fn runs(stage: Stage) -> Condition {
    Condition::all().add(table::Column::State.eq(stage.as_str()))
}

/// Denoising steps that a job which has begun still needs.
fn left() -> SimpleExpr {
    Expr::col(table::Column::Steps).sub(Expr::col(table::Column::Step))
}

/// In front of `job` in the order in which claims take.
fn before(job: &Job) -> Condition {
    let place = Expr::tuple([Expr::col(table::Column::CreatedAtMs), Expr::col(table::Column::Id)]);
    Condition::all().add(place.lt(Expr::tuple([job.created_at.ms().into(), job.id.uuid().into()])))
}

/// `steps` is added up over the jobs.
async fn load(store: &Store, which: Condition, steps: SimpleExpr) -> Result<Load, StoreError> {
    let left = SimpleExpr::from(Func::sum(steps));
    let load = table::Entity::find()
        .select_only()
        .expr_as(table::Column::Id.count(), "jobs")
        .expr_as(left.cast_as(Alias::new("BIGINT")), "steps")
        .filter(which)
        .into_model::<Load>()
        .one(&store.db)
        .await?;
    Ok(load.unwrap_or_default())
}

fn count(value: i64) -> Result<u64, StoreError> {
    unsigned(jobs::TABLE, "step", value)
}
