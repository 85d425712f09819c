//! Lines become jobs: a few at a time, each in a transaction of its own, as long as there is room for more of the batch.

use super::{
    LineRequest,
    run::Pause,
    validation::{fault_of, fault_of_fallback, without_mark},
};
use crate::{AccessError, Services, SubmitError, job::FallbackAsked, models::WITHDRAWN_GRACE_MS, telemetry::trace};
use bytes::Bytes;
use domain::{
    VideoTime,
    batch::{Allowance, BatchWait, FaultCode, LINE_BYTES_MAX, LineFault, LineState, OpenBatch, Room, gives_way_ms},
    catalog::{Field, SpecError},
    job::{FallbackError, held},
    scheduling::AdmissionError,
};
use futures::{StreamExt, TryStreamExt, stream};
use std::{error::Error, time::Duration};
use store::{Batch, BatchLine, BatchLineKey, NewJob, Repetition, StoreError, objects::ObjectError};

/// Looked at in one step.
const LINES_AT_ONCE: u64 = 50;
const READ_AT_ONCE: usize = 8;

/// What has become of a line that was to be a job.
enum Opened {
    Done,
    /// It will never be made.
    Failed(LineFault),
    /// Neither it nor those behind it go on for now.
    Waits(BatchWait, String),
    /// It or its batch changed meanwhile: both are looked at anew before any other is tried.
    Overtaken,
}

impl Services {
    /// How much of it may become jobs now; else how long it gives way to another batch of its team. `has_ended`: lines of it have just ended.
    pub(super) async fn room_of(&self, batch: &Batch, has_ended: bool) -> Result<Result<Room, Pause>, AccessError> {
        let tenant = self.store.tenant(batch.tenant);
        // Of all of its tenant's batches: a single request stands behind what any of them has open.
        let open = tenant.batches().open_of_each().await?;
        let own = open.iter().find(|(id, _)| *id == batch.id).map(|(_, own)| *own).unwrap_or_default();
        let others: Vec<OpenBatch> = open.into_iter().filter(|(id, _)| *id != batch.id).map(|(_, other)| other).collect();
        if let Some(ms) = gives_way_ms(own, has_ended, &others) {
            return Ok(Err(Pause::giving_way(ms)));
        }
        Ok(Ok(Room::of(Allowance::of(&tenant.credits().plan().await?), own, &others)))
    }

    pub(super) async fn open_lines(&self, batch: &Batch, mut room: Room) -> Result<Pause, AccessError> {
        let batches = self.store.tenant(batch.tenant).batches();
        let waiting = batches.lines_in(batch.id, LineState::Waiting, None, LINES_AT_ONCE).await?;
        let mut chosen: Vec<BatchLine> = Vec::new();
        let mut bytes = 0;
        for line in waiting {
            bytes += line.length as usize;
            let fits = chosen.is_empty() || bytes <= 4 * LINE_BYTES_MAX;
            if !fits || !room.take(line.billed) {
                break;
            }
            chosen.push(line);
        }
        if chosen.is_empty() {
            return Ok(Pause::of(BatchWait::Pace));
        }
        let texts = match self.texts(batch, &chosen).await {
            Ok(texts) => texts,
            Err(ObjectError::NotFound { .. }) => return self.without_input(batch, &chosen).await,
            Err(error) => {
                tracing::warn!(batch.id = %batch.id, error = &error as &dyn Error, "the input of a batch cannot be read for now");
                return Ok(Pause::of(BatchWait::Storage));
            }
        };
        for (line, text) in chosen.iter().zip(texts) {
            match Box::pin(self.open_line(batch, line, &text)).await? {
                Opened::Done => {}
                Opened::Failed(fault) => batches.steps(batch.id).fail_line(line.line, fault).await?,
                Opened::Waits(wait, text) => return Ok(Pause::saying(wait, text)),
                Opened::Overtaken => return Ok(Pause::OVERTAKEN),
            }
        }
        Ok(Pause::NONE)
    }

    /// Nobody can delete the input of a batch that goes on; the object store may have lost it.
    async fn without_input(&self, batch: &Batch, lines: &[BatchLine]) -> Result<Pause, AccessError> {
        for line in lines {
            let fault = LineFault::new(FaultCode::InputUnreadable, "The input file is gone.");
            self.store.tenant(batch.tenant).batches().steps(batch.id).fail_line(line.line, fault).await?;
        }
        Ok(Pause::NONE)
    }

    /// The lines as they stand in the input.
    pub(super) async fn texts(&self, batch: &Batch, lines: &[BatchLine]) -> Result<Vec<Bytes>, ObjectError> {
        let file = self.store.tenant(batch.tenant).files().get(batch.input).await?;
        let key = file.map(|file| file.object_key).ok_or_else(|| ObjectError::NotFound { key: batch.input.to_string() })?;
        let read = |line: &BatchLine| {
            let (key, from, length) = (key.clone(), line.offset, u64::from(line.length));
            async move {
                if length == 0 {
                    return Ok(Bytes::new());
                }
                let broken = |error: std::io::Error| ObjectError::Unavailable(Box::new(error));
                let stream = self.objects.get(&key, Some(from..=from + length - 1)).await?;
                let text = stream.body.map_err(broken).try_fold(Vec::<u8>::new(), async |mut text, piece| {
                    text.extend_from_slice(&piece);
                    Ok(text)
                });
                Ok(text.await?.into())
            }
        };
        let reading: Vec<_> = lines.iter().map(read).collect();
        stream::iter(reading).buffered(READ_AT_ONCE).try_collect().await
    }

    async fn open_line(&self, batch: &Batch, line: &BatchLine, text: &[u8]) -> Result<Opened, AccessError> {
        let Some(format) = &self.line_format else { return Ok(Opened::Done) };
        let asked = match format.read(&batch.endpoint, without_mark(line.line, text)).asked {
            Ok(asked) => asked,
            Err(fault) => return Ok(Opened::Failed(fault)),
        };
        match Box::pin(self.submit_line(batch, line, asked)).await {
            Ok(()) => Ok(Opened::Done),
            Err(SubmitError::Spec(SpecError::ModelUnknown { .. } | SpecError::NoModel)) if self.may_come_back(batch).await? => {
                Ok(Opened::Waits(BatchWait::Model, BatchWait::Model.text().to_owned()))
            }
            Err(error) => judged(error),
        }
    }

    /// Whether its model was taken off offer just lately, maybe by mistake, or is back already.
    async fn may_come_back(&self, batch: &Batch) -> Result<bool, StoreError> {
        let Some(model) = &batch.model else { return Ok(false) };
        let since = self.store.now().await?.plus_ms(-WITHDRAWN_GRACE_MS);
        self.store.models().was_offered(model, since).await
    }

    async fn submit_line(&self, batch: &Batch, line: &BatchLine, asked: LineRequest) -> Result<(), SubmitError> {
        let LineRequest { mut request, force, deadlines, fallback_model, unknown_field: _ } = asked;
        // What a line names may stand for another model since it was quoted, and so may naming none.
        if let Some(model) = &batch.model {
            request.set(Field::Model, Some(model.clone()));
        }
        let (spec, mut quote, understanding) = self.checked(&request, None, force, None).await?;
        let mut fallback = match &fallback_model {
            Some(model) => {
                let named = FallbackAsked { tenant: batch.tenant, model, asked: &request, spec: &spec, force, source: None };
                match self.fallback(named).await {
                    // It went off offer since the line was read, whose own model can make it still.
                    Err(SubmitError::Fallback(FallbackError::Spec(SpecError::ModelUnknown { .. }))) => None,
                    fallback => Some(fallback?),
                }
            }
            None => None,
        };
        if let Some(error) = self.queue_is_full(held(&quote, fallback.as_ref())).await {
            return Err(SubmitError::NotAdmitted(error));
        }
        let work: Option<VideoTime> = self.work(&spec, quote.billed).await;
        // No dearer than it was quoted, whatever prices have become.
        quote = quote.at_most(line.billed);
        if let Some(fallback) = &mut fallback {
            fallback.quote = fallback.quote.at_most(line.billed);
        }
        let job = NewJob {
            user: batch.user,
            api_key: batch.api_key,
            project: Some(batch.project),
            remixed_from: None,
            trace_id: None,
            // Both of its stages are of one trace, which no request has begun.
            traceparent: Some(trace::continued(None, &self.traces).0.to_string()),
            quote,
            work,
            spec,
            understanding,
            deadlines,
            fallback,
            callback: None,
            refused: None,
        };
        let key = Repetition::Line(BatchLineKey { batch: batch.id, line: line.line });
        let submitted = self.store.tenant(batch.tenant).jobs().submit_within(Duration::MAX, job, key).await?;
        tracing::debug!(batch.id = %batch.id, job.id = %submitted.job.id, "a line of a batch has become a job");
        Ok(())
    }
}

fn judged(error: SubmitError) -> Result<Opened, AccessError> {
    let waits = |wait: BatchWait, text: String| Ok(Opened::Waits(wait, text));
    let failed = |code: &str, text: String| Ok(Opened::Failed(LineFault { code: code.to_owned(), text, param: None }));
    match error {
        SubmitError::Spec(error) => Ok(Opened::Failed(fault_of(&error))),
        SubmitError::Fallback(error) => Ok(Opened::Failed(fault_of_fallback(&error))),
        SubmitError::NotAdmitted(error) | SubmitError::NotNow { error, .. } => match &error {
            AdmissionError::TooMuchOpenWork { .. } => waits(BatchWait::OpenWork, BatchWait::OpenWork.text().to_owned()),
            AdmissionError::QueueFull { .. } => waits(BatchWait::QueueFull, BatchWait::QueueFull.text().to_owned()),
            AdmissionError::OutOfCredit { .. } => waits(BatchWait::Credit, error.to_string()),
            AdmissionError::SpendingLimitReached { .. } => waits(BatchWait::SpendingLimit, error.to_string()),
            AdmissionError::TooLargeForPlan { .. } => failed("too_large_for_plan", error.to_string()),
            AdmissionError::ModelNotInPlan { .. } => failed("model_not_in_plan", error.to_string()),
            AdmissionError::DeadlineInfeasible { .. } => failed("deadline_infeasible", error.to_string()),
            // No line has a callback.
            AdmissionError::TooManyCallbacks { .. } => failed("too_many_webhooks_waiting", error.to_string()),
        },
        // Such as that the line waits no more, or its batch goes on no more.
        SubmitError::Store(StoreError::Raced { .. }) => Ok(Opened::Overtaken),
        SubmitError::Store(error) => Err(error.into()),
        SubmitError::Forbidden(error) => Err(error.into()),
        error => {
            tracing::warn!(error = &error as &dyn Error, "a line of a batch was not taken in, and is tried again");
            waits(BatchWait::Storage, BatchWait::Storage.text().to_owned())
        }
    }
}
