//! When a batch will have ended: what is left of it is laid behind the live queue, as its tenant's plan lets it in.

use super::{BatchEta, validation::without_mark};
use crate::{Services, costs::workload, job::BatchAhead};
use bytes::Bytes;
use domain::{
    JobState, NoEta, Seed, VideoTime,
    batch::{BatchStatus, BatchWait, LineState, OPEN_LINES_MAX},
    billing::Lane,
    catalog::Field,
    scheduling::LineOf,
};
use store::{Batch, StoreError, Texts};

impl Services {
    /// Nothing is asked of a batch that has ended, unless it was only quoted.
    pub(super) async fn batch_eta(&self, batch: &Batch) -> Result<BatchEta, NoEta> {
        let is_quoted = batch.is_dry_run && batch.status == BatchStatus::Completed;
        if batch.closing.is_some() || !is_quoted && !matches!(batch.status, BatchStatus::InProgress) {
            return Err(NoEta::NotAsked);
        }
        // It goes on once somebody has paid or raised a limit, which nobody can foretell.
        if matches!(batch.wait, Some((BatchWait::Credit | BatchWait::SpendingLimit, _))) {
            return Err(NoEta::NotAsked);
        }
        let (services, asked) = (self.clone(), batch.clone());
        let ask = || async move { services.batch_forecast(&asked).await };
        self.estimates.attempt_apart(self.batch_etas.get(batch.id, ask)).await.unwrap_or(Err(NoEta::NotAsked))
    }

    async fn batch_forecast(self, batch: &Batch) -> Result<Result<BatchEta, NoEta>, StoreError> {
        let Some(turn) = self.estimates.turn_apart().await else { return Ok(Err(NoEta::NotAsked)) };
        let tenant = self.store.tenant(batch.tenant);
        let now = self.store.now().await?;
        let left = batch.lines.saturating_sub(batch.finished);
        let waiting = tenant.batches().lines_in(batch.id, LineState::Waiting, None, 1).await?;
        let is_paused = match &batch.model {
            Some(model) => self.store.pauses().await?.of(LineOf { lane: Lane::Batch, model }, batch.tenant).is_some(),
            None => false,
        };
        let (Some(line), Some(model)) = (waiting.first(), &batch.model) else { return self.until_open_end(batch, is_paused).await };
        if is_paused {
            return Ok(Err(NoEta::Paused));
        }
        let Ok(texts) = self.texts(batch, &waiting).await else { return Ok(Err(NoEta::NotAsked)) };
        let format = self.line_format.clone();
        let read = |text: &Bytes| format.as_ref()?.read(&batch.endpoint, without_mark(line.line, text)).asked.ok();
        let Some(mut asked) = texts.first().and_then(read) else { return Ok(Err(NoEta::NotAsked)) };
        asked.request.set(Field::Model, Some(model.clone()));
        let catalog = self.catalog().await?;
        let Ok((spec, quote)) = asked.request.parse_arranged(&catalog, Seed::ZERO) else { return Ok(Err(NoEta::NotAsked)) };
        let Some(limits) = self.store.queue().limits_of(batch.tenant).await? else { return Ok(Err(NoEta::NotAsked)) };
        let (open, _) = tenant.batches().open_lines(batch.id).await?;
        let Some(of_line) = catalog.by_id(&spec.model) else { return Ok(Err(NoEta::NotAsked)) };
        let each = VideoTime::from_ms(batch.quoted.ms() / u64::from(batch.lines.max(1)));
        let simulated = self.forecasts.simulated(&self.store, &self.costs).await?;
        let ahead = BatchAhead {
            limits,
            line: LineOf { lane: Lane::Batch, model },
            workload: workload(&spec),
            // By the costs as they were just read: who asks for them anew waits for a turn that he holds.
            work: self.costs.work(of_line, workload(&spec), quote.billed),
            billed: quote.billed.min(line.billed),
            each,
            jobs: left.saturating_sub(open),
            at: now,
        };
        let outlook = simulated.of_batch(&ahead, &self.costs, turn).await;
        let told = outlook.map(|outlook| self.forecasts.told.eta(Lane::Batch, outlook));
        let at = |ms: u64| now.plus_ms(ms.cast_signed());
        Ok(told.map(|told| BatchEta { p50_at: at(told.p50_ms), p90_at: at(told.p90_ms) }))
    }

    /// When the last of its jobs will have ended, where no more follow. `is_paused`: the operator keeps them from being begun.
    async fn until_open_end(&self, batch: &Batch, is_paused: bool) -> Result<Result<BatchEta, NoEta>, StoreError> {
        let batches = self.store.tenant(batch.tenant).batches();
        let open = batches.lines_in(batch.id, LineState::Open, None, OPEN_LINES_MAX.into()).await?;
        let ids: Vec<_> = open.iter().filter_map(|line| line.job).collect();
        let jobs = self.store.tenant(batch.tenant).jobs().get_all(&ids, Texts::LeftOut).await?;
        let now = self.store.now().await?;
        let going_on: Vec<_> = jobs.iter().filter(|job| !job.lifecycle.state.is_terminal()).collect();
        if going_on.is_empty() {
            // It ends with its next step.
            return Ok(Ok(BatchEta { p50_at: now, p90_at: now }));
        }
        // What is decoded goes on to its end.
        if is_paused && going_on.iter().any(|job| !matches!(job.lifecycle.state, JobState::Decoding(_))) {
            return Ok(Err(NoEta::Paused));
        }
        let simulated = self.forecasts.simulated(&self.store, &self.costs).await?;
        // Nothing is known of the last one where one is not known.
        let ends: Option<Vec<_>> = going_on.into_iter().map(|job| simulated.end_of(job, &self.costs, now)).collect();
        let last = ends.and_then(|ends| ends.into_iter().max_by(|one, other| one.ends_ms.total_cmp(&other.ends_ms)));
        let Some(last) = last else { return Ok(Err(simulated.unknown(batch.model.as_deref().unwrap_or_default()))) };
        let told = self.forecasts.told.eta(Lane::Batch, last);
        let at = |ms: u64| now.plus_ms(ms.cast_signed());
        Ok(Ok(BatchEta { p50_at: at(told.p50_ms), p90_at: at(told.p90_ms) }))
    }
}
