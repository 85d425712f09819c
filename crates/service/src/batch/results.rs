//! What came of lines: read while a batch runs, in the order in which they end, and written into its files.

use crate::{AccessError, Services};
use domain::{
    Actor, BatchId, JobId, JobView, Permission, TenantId,
    batch::{BatchStatus, LineFault, LineState},
};
use std::collections::HashMap;
use store::{BatchLine, StoreError, Texts};

/// Of one look.
pub(super) const RESULTS_AT_ONCE: u64 = 50;
/// Of the requests of videos that are read at once: in them stand their texts. One with more is read alone.
const REQUEST_BYTES_AT_ONCE: u64 = 64 * 1024;

/// What came of a line.
#[derive(Debug, Clone)]
pub struct LineResult {
    /// From 1, in the file; 0 is the file as a whole.
    pub line: u32,
    pub custom_id: Option<String>,
    /// Its place among those that have ended: who has read up to here goes on behind it. Of a batch that failed, its line.
    pub number: u32,
    pub outcome: LineOutcome,
}

#[derive(Debug, Clone)]
pub enum LineOutcome {
    Made(Box<JobView>),
    Failed(LineFault),
}

impl Services {
    /// What came of the next lines of a batch that have ended, behind the one of this number; of a batch that failed, what is wrong with which
    /// line. Some at a time, and none at the end. `None`: no such batch.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn batch_results(&self, actor: Actor, id: BatchId, after: Option<u32>) -> Result<Option<Vec<LineResult>>, AccessError> {
        let tenant = self.tenant_of(actor, Permission::ReadJobs)?;
        let batches = tenant.batches();
        let Some(batch) = batches.get(id).await? else { return Ok(None) };
        let lines = if batch.status == BatchStatus::Failed {
            batches.lines_in(id, LineState::Invalid, after, RESULTS_AT_ONCE).await?
        } else {
            batches.finished_lines(id, after.unwrap_or_default(), RESULTS_AT_ONCE).await?
        };
        Ok(Some(self.line_results(batch.tenant, read_at_once(lines), Texts::Whole).await?))
    }

    /// What came of these lines, of those of them that have ended, with so much of the texts of their videos.
    pub(super) async fn line_results(&self, tenant: TenantId, lines: Vec<BatchLine>, texts: Texts) -> Result<Vec<LineResult>, StoreError> {
        let made: Vec<JobId> = lines.iter().filter(|line| line.state == LineState::Succeeded).filter_map(|line| line.job).collect();
        let jobs = self.store.tenant(tenant).jobs().get_all(&made, texts).await?;
        let mut views: HashMap<JobId, JobView> = self.plain_views(&jobs).await.into_iter().map(|view| (view.id, view)).collect();
        let result = |line: BatchLine| {
            let view = line.job.filter(|_| line.state == LineState::Succeeded).and_then(|job| views.remove(&job));
            let outcome = match (line.state, view) {
                (LineState::Waiting | LineState::Open, _) => return None,
                (_, Some(view)) => LineOutcome::Made(Box::new(view)),
                (state, None) => LineOutcome::Failed(line.fault.unwrap_or_else(|| fault_of(state))),
            };
            Some(LineResult { line: line.line, custom_id: line.custom_id, number: line.number.unwrap_or(line.line), outcome })
        };
        Ok(lines.into_iter().filter_map(result).collect())
    }
}

/// The first of these lines, as many as are read at once: whoever reads them on goes on behind the last.
pub(super) fn read_at_once(mut lines: Vec<BatchLine>) -> Vec<BatchLine> {
    let mut bytes = 0;
    let fits = |line: &&BatchLine| {
        bytes += if line.state == LineState::Succeeded { u64::from(line.length) } else { 0 };
        bytes <= REQUEST_BYTES_AT_ONCE
    };
    let fitting = lines.iter().take_while(fits).count();
    lines.truncate(fitting.max(1));
    lines
}

/// Of a line that says no more itself.
fn fault_of(state: LineState) -> LineFault {
    let (code, text) = match state {
        LineState::Succeeded => ("video_deleted", "The video was made, and deleted since."),
        LineState::Cancelled => ("batch_cancelled", "The batch was cancelled before this line was made. It costs nothing."),
        LineState::Expired => ("batch_expired", "The batch's time was over before this line was made. It costs nothing."),
        _ => ("failed", "This line was not made."),
    };
    LineFault { code: code.to_owned(), text: text.to_owned(), param: None }
}
