//! One claimed job from its claim to its last word: done, failed, given back, or lost.

use crate::{
    batch::panic_text,
    device::sharing::Meter,
    trace::{JobTrace, Moment},
    work::decoding,
    work::lease::RETRY_PAUSE,
    work::outcome::{Stop, WorkError},
    work::running::{Running, Uploads},
    work::sampling,
    work::station::Station,
};
use domain::{
    Stage,
    job::{AttemptFailure, FailureClass},
};
use futures::FutureExt;
use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};
use store::{LeaseError, StoreError, in_time, queue::StageWork};
use tracing::Instrument;

/// A database that is away must not hold up the shutdown for longer.
const GIVE_BACK_WITHIN: Duration = Duration::from_secs(5);

/// What the operator is told of those.
const OUTAGE: &str = "the database did not answer until the lease was over";
const HUNG: &str = "the device did not come back from a call in time";

/// Works on a claimed job and says what became of it. Neither a panic nor a lost database gets out.
pub async fn run(station: Arc<Station>, StageWork { claimed, permit, claim_took }: StageWork) {
    let begun = Moment::now().before(claim_took);
    let memory = station.engine.model(&claimed.job.spec.model).map(|model| model.memory.clone());
    let trace = JobTrace::of(&station.services.traces, &claimed.job, memory);
    trace.note_for("job.claim", begun, claim_took);
    let span = tracing::info_span!(
        "job.work",
        job.id = %claimed.token.job,
        tenant.id = %claimed.token.tenant,
        // The id of the request that the job came with, as the server's log has it.
        request.id = claimed.job.trace_id,
        trace.id = trace.id(),
        model.name = claimed.job.spec.model,
        stage = %claimed.token.stage,
        attempt = claimed.job.lifecycle.attempts,
        epoch = claimed.token.epoch,
    );
    let held = station.leases.hold(claimed.token);
    let model = station.residency.begin(&claimed.job.spec.model).map(Arc::new);
    let job = Running { claimed, held, uploads: Uploads::default(), permit: Arc::new(permit), model, meter: Meter::default(), trace };
    async {
        tracing::info!("begun");
        let outcome = if job.model.is_some() { work(&station, &job).await } else { Err(Stop::Unloaded) };
        if !matches!(outcome, Ok(_) | Err(Stop::Lost | Stop::Unloaded)) {
            note_device_time(&station, &job).await;
        }
        job.trace.end(job.held.token.stage, begun, &job.claimed.job, outcome.as_ref().err().map(Stop::class));
        settle(&station, &job, outcome).await;
        station.sharing.give_up(&job.meter);
        job.uploads.take_back(station.services.objects.as_ref()).await;
    }
    .instrument(span)
    .await;
}

/// Returns what the stage took of the device: where others used it at the same time, its share.
async fn work(station: &Station, job: &Running) -> Result<Duration, Stop> {
    let stage = async {
        match job.held.token.stage {
            Stage::Sampling => sampling::sample(station, job).await,
            Stage::Decoding => decoding::decode(station, job).await,
        }
    };
    tokio::select! {
        // Who has come to an end is not asked whether the lease is lost: the last write was.
        biased;
        outcome = AssertUnwindSafe(stage).catch_unwind() => {
            outcome.unwrap_or_else(|panic| Err(Stop::Failed(WorkError::Panicked(panic_text(panic.as_ref())))))
        }
        () = job.held.hung.cancelled() => Err(Stop::Hung),
        () = job.held.lost() => Err(Stop::Lost),
        () = station.shutdown.time_is_up.cancelled() => Err(Stop::Closing),
    }
}

async fn settle(station: &Station, job: &Running, outcome: Result<Duration, Stop>) {
    if matches!(outcome, Err(Stop::Lost)) {
        station.services.metrics.note_lease_lost(job.held.token.stage);
    }
    match outcome {
        Ok(device) => {
            tracing::info!(device_ms = device.as_millis() as u64, "the stage is done");
            station.health.note_success(job.held.token.stage);
            station.record(&job.claimed.job.spec, job.held.token.stage, device).await;
        }
        Err(Stop::Closing | Stop::Unloaded) => give_back(station, job, None).await,
        Err(Stop::Lost) => give_back(station, job, Some(AttemptFailure::new(FailureClass::Network, OUTAGE))).await,
        Err(Stop::Hung) => lose_worker(station, job).await,
        Err(Stop::Failed(error)) => {
            report_failure(station, job, &error).await;
            if error.is_of_device() && station.health.note_failure(job.held.token.stage, job.held.token.job) {
                tracing::error!("the device failed job after job: taking no more, and ending");
                station.shutdown.device_fails();
            }
        }
    }
}

/// What was taken for nothing is told as well.
async fn note_device_time(station: &Station, job: &Running) {
    let (queue, device_ms) = (station.services.store.queue(), job.device_ms(&station.sharing));
    match in_time(queue.note_device_time(&job.held.token, device_ms)).await {
        Ok(()) => job.meter.told(device_ms),
        Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "the time of the device was not noted"),
    }
}

/// The device hangs over this job, and the process ends for it: that costs the job an attempt.
async fn lose_worker(station: &Station, job: &Running) {
    tracing::error!("the device does not come back from a call for this job");
    let (queue, hung) = (station.services.store.queue(), AttemptFailure::new(FailureClass::Timeout, HUNG));
    if let Err(error) = in_time(queue.report_failure(&job.held.token, hung)).await {
        tracing::warn!(error = &error as &dyn std::error::Error, "could not be let go of; its lease will run out");
    }
}

/// Lets go of a job in good order, so that the attempt does not count against it: at a shutdown, and when the
/// lease could not be renewed because of an `outage` of the database. It has the last word on whose the job is by now.
async fn give_back(station: &Station, job: &Running, outage: Option<AttemptFailure>) {
    let (queue, token) = (station.services.store.queue(), &job.held.token);
    let give_back = || async {
        match outage.clone() {
            Some(outage) => in_time(queue.report_failure(token, outage)).await,
            None => in_time(queue.give_back(token)).await,
        }
    };
    let answered = async {
        loop {
            match give_back().await {
                Ok(()) => return tracing::info!("given back"),
                Err(LeaseError::Lost { .. }) => return tracing::info!("no longer ours, so left alone"),
                Err(LeaseError::Store(StoreError::Database(_))) => {}
                Err(error) => return tracing::error!(error = &error as &dyn std::error::Error, "could not be given back"),
            }
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    };
    let out_of_time = async {
        station.shutdown.time_is_up.cancelled().await;
        tokio::time::sleep(GIVE_BACK_WITHIN).await;
    };
    tokio::select! {
        () = answered => {}
        () = out_of_time => tracing::warn!("could not be given back in time; its lease will run out"),
    }
}

async fn report_failure(station: &Station, job: &Running, error: &WorkError) {
    let failure = error.failure();
    let (class, code) = (failure.class.as_str(), failure.code);
    tracing::error!(error = error as &dyn std::error::Error, failure.class = class, failure.code = %code, "the stage failed");
    let queue = station.services.store.queue();
    let reported = job.held.write("failure", || queue.report_failure(&job.held.token, failure.clone())).await;
    if let Err(refusal) = reported {
        tracing::info!(%refusal, "the failure was not noted");
    }
}
