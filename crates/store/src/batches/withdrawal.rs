//! What becomes of lines that are begun no more: those that wait end, and so do jobs that no worker has.

use super::steps::{BatchSteps, LineEnd};
use crate::{
    Job, StoreError,
    rows::jobs::{self, Lock},
};
use domain::{
    JobId, JobState, Quote, Stage, VideoTime,
    batch::{Closing, LineFault, LineState},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use std::error::Error;
use uuid::Uuid;

/// No worker has them.
pub(super) const LEFT: &str = "SELECT jobs.id FROM batch_lines JOIN jobs ON jobs.id = batch_lines.job_id \
     WHERE batch_lines.batch_id = $1 AND batch_lines.state = 'open' \
     AND jobs.state IN ('throttled', 'ready', 'retry_sampling', 'sampled', 'retry_decoding') ORDER BY batch_lines.line LIMIT $2";
/// Nor has one had them: none of their stages is done.
pub(super) const UNBEGUN: &str = "SELECT jobs.id FROM batch_lines JOIN jobs ON jobs.id = batch_lines.job_id \
     WHERE batch_lines.batch_id = $1 AND batch_lines.state = 'open' AND jobs.state IN ('throttled', 'ready', 'retry_sampling') \
     ORDER BY batch_lines.line LIMIT $2";
pub(super) const RUNNING: &str = "SELECT jobs.id FROM batch_lines JOIN jobs ON jobs.id = batch_lines.job_id \
     WHERE batch_lines.batch_id = $1 AND batch_lines.state = 'open' AND jobs.ended_at_ms IS NULL ORDER BY batch_lines.line LIMIT $2";

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

#[derive(FromQueryResult)]
struct LineRow {
    line: i32,
}

const fn is_unbegun(state: &JobState) -> bool {
    matches!(state, JobState::Throttled | JobState::Ready | JobState::Retrying { stage: Stage::Sampling, .. })
}

const fn is_left(state: &JobState) -> bool {
    is_unbegun(state) || matches!(state, JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. })
}

fn pass_over(job: JobId, error: &StoreError) {
    tracing::warn!(job.id = %job, error = error as &dyn Error, "a job of a batch that closes cannot be read");
}

impl BatchSteps<'_> {
    /// Ends lines that wait, at most `limit`; says how many these were.
    pub async fn withdraw_waiting(self, closing: Closing, limit: u32) -> Result<u32, StoreError> {
        let waiting = self.of.lines_in(self.id, LineState::Waiting, None, limit.into()).await?;
        let end = |line: &super::BatchLine| LineEnd::free(line.line, LineState::Waiting, closing.line(), None);
        let ends: Vec<_> = waiting.iter().map(end).collect();
        if !ends.is_empty() {
            self.end_lines(&ends).await?;
        }
        Ok(u32::try_from(ends.len()).unwrap_or(u32::MAX))
    }

    /// Cancels jobs of its lines that no worker has, at most `limit`, each in a transaction of its own; says how many these were. Who cancels a
    /// batch wants none of those either that wait for a decoder; when its time is over, they are nearly done.
    pub async fn withdraw_jobs(self, closing: Closing, limit: u32) -> Result<u32, StoreError> {
        let (jobs, is_to_end): (&str, fn(&JobState) -> bool) = match closing {
            Closing::Cancelled => (LEFT, is_left),
            Closing::Expired => (UNBEGUN, is_unbegun),
        };
        let mut withdrawn = 0;
        for id in self.jobs(jobs, limit).await? {
            match self.withdraw_job(id, is_to_end).await {
                Err(error) if error.is_of_row() => pass_over(id, &error),
                done => withdrawn += u32::from(done?),
            }
        }
        Ok(withdrawn)
    }

    /// Cancels jobs of its lines that have not ended, whether they were begun or not, at most `limit`. What was done of them is not charged.
    pub async fn cancel_jobs(self, limit: u32) -> Result<(), StoreError> {
        for id in self.jobs(RUNNING, limit).await? {
            match self.withdraw_job(id, |_| true).await {
                Err(error) if error.is_of_row() => {
                    pass_over(id, &error);
                    self.give_up(id).await?;
                }
                done => {
                    done?;
                }
            }
        }
        Ok(())
    }

    /// The line of a job that cannot be read ends without it, or its batch would never end.
    async fn give_up(self, job: JobId) -> Result<(), StoreError> {
        let db = self.of.store.of(self.of.tenant);
        let sql = "SELECT batch_line AS line FROM jobs WHERE id = $1 AND batch_id = $2";
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [job.uuid().into(), self.id.uuid().into()]);
        let Some(LineRow { line }) = LineRow::find_by_statement(statement).one(&db).await? else { return Ok(()) };
        let fault = LineFault { code: "internal_error".to_owned(), text: "The video could not be made.".to_owned(), param: None };
        self.end_lines(&[LineEnd::free(line.unsigned_abs(), LineState::Open, LineState::Failed, Some(fault))]).await
    }

    async fn jobs(self, sql: &str, limit: u32) -> Result<Vec<JobId>, StoreError> {
        let db = self.of.store.of(self.of.tenant);
        let values = [self.id.uuid().into(), i64::from(limit).into()];
        let rows = IdRow::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).all(&db).await?;
        Ok(rows.into_iter().map(|row| JobId::from_uuid(row.id)).collect())
    }

    /// `false`: it stands elsewhere by now, such as with a worker, and what that makes is delivered.
    async fn withdraw_job(self, id: JobId, is_to_end: impl Fn(&JobState) -> bool) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let found = jobs::find(&write.tx, self.of.tenant, id, Lock::Yes).await?;
        let withdrawn = found.filter(|job| is_to_end(&job.lifecycle.state));
        let Some((job, next)) = withdrawn.and_then(|job| Some((job.clone(), job.lifecycle.cancel().ok()?))) else {
            write.abandon().await?;
            return Ok(false);
        };
        // A line costs what it costs when it is made, and a part of it nothing.
        let free = Job { quote: Quote { billed: VideoTime::default(), ..job.quote }, ..job };
        jobs::store(&mut write, &free, next, |_| ()).await?;
        write.commit().await?;
        Ok(true)
    }
}
