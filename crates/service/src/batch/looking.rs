//! Batches as a page shows them: with the names of their inputs, and line by line.

use super::LineResult;
use crate::{AccessError, Services};
use domain::{
    Actor, BatchId, Permission,
    batch::{BatchStatus, LineFault, LineState, UnmadeLines},
};
use store::{Batch, BatchQuery, File, StoreError, Texts};

/// More than a page shows of a text.
const START_CHARS: i32 = 200;

/// A batch in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedBatch {
    pub batch: Batch,
    /// `None`: it was deleted, or has expired.
    pub input: Option<File>,
    /// The batch that is made of it, where it was only quoted.
    pub started: Option<BatchId>,
    /// What is wrong with its input as a whole, where it failed over that.
    pub fault: Option<LineFault>,
}

impl ListedBatch {
    /// Whether it was only quoted, and whoever asked wants nothing of it.
    #[must_use]
    pub const fn is_discarded(&self) -> bool {
        self.batch.is_dry_run && (self.input.is_none() || self.batch.closing.is_some())
    }
}

/// Lines of a batch, in the order of its file.
#[derive(Debug, Clone)]
pub struct LinesPage {
    pub lines: Vec<LineResult>,
    pub has_more: bool,
}

impl Services {
    /// A page of batches with what was sent for them, and whether there are more.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn listed_batches(&self, actor: Actor, query: BatchQuery) -> Result<(Vec<ListedBatch>, bool), AccessError> {
        let tenant = self.tenant_of(actor, Permission::ReadJobs)?;
        let page = tenant.batches().list(query).await?;
        let mut listed = Vec::with_capacity(page.batches.len());
        for batch in page.batches {
            let input = tenant.files().get(batch.input).await?;
            let (started, fault) = (self.started_of(&batch).await?, self.fault_of_input(&batch).await?);
            listed.push(ListedBatch { batch, input, started, fault });
        }
        Ok((listed, page.has_more))
    }

    async fn fault_of_input(&self, batch: &Batch) -> Result<Option<LineFault>, StoreError> {
        if batch.status != BatchStatus::Failed {
            return Ok(None);
        }
        let first = self.store.tenant(batch.tenant).batches().lines_in(batch.id, LineState::Invalid, None, 1).await?;
        Ok(first.into_iter().find(|line| line.line == 0).and_then(|line| line.fault))
    }

    /// Whether the tenant has a batch that is more than a quote.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn has_batches(&self, actor: Actor) -> Result<bool, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.batches().is_any_made().await?)
    }

    /// What a batch is called: by its file, and where that is gone by its id. `None`: no such batch.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn batch_name(&self, actor: Actor, id: BatchId) -> Result<Option<String>, AccessError> {
        let tenant = self.tenant_of(actor, Permission::ReadJobs)?;
        let Some(batch) = tenant.batches().get(id).await? else { return Ok(None) };
        let input = tenant.files().get(batch.input).await?;
        Ok(Some(input.map_or_else(|| id.to_string(), |file| file.name)))
    }

    /// The lines of a batch that have ended without success; an entry of each is read. `None`: no such batch.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn unmade_lines(&self, actor: Actor, id: BatchId) -> Result<Option<UnmadeLines>, AccessError> {
        let batches = self.tenant_of(actor, Permission::ReadJobs)?.batches();
        let Some(batch) = batches.get(id).await? else { return Ok(None) };
        Ok(Some(if batch.failed > 0 { batches.unmade_lines(id).await? } else { UnmadeLines::default() }))
    }

    /// Lines of a batch that have ended in one of these states, behind that line, with the first 200 characters of the texts of their videos.
    /// `None`: no such batch.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn batch_lines(
        &self,
        actor: Actor,
        id: BatchId,
        states: &[LineState],
        after: Option<u32>,
        limit: usize,
    ) -> Result<Option<LinesPage>, AccessError> {
        let tenant = self.tenant_of(actor, Permission::ReadJobs)?;
        let batches = tenant.batches();
        let Some(batch) = batches.get(id).await? else { return Ok(None) };
        let mut lines = Vec::new();
        for state in states {
            lines.extend(batches.lines_in(id, *state, after, limit as u64 + 1).await?);
        }
        lines.sort_by_key(|line| line.line);
        let has_more = lines.len() > limit;
        lines.truncate(limit);
        Ok(Some(LinesPage { lines: self.line_results(batch.tenant, lines, Texts::Start(START_CHARS)).await?, has_more }))
    }
}
