//! The queue as an apalis `Backend`: apalis' workers, monitor and layers drive it, our rows stay the truth.
//!
//! Nothing is fetched ahead: a job is claimed when there is a slot to run it in, and the slot travels
//! inside the task. apalis ends a worker whose backend reports an error, so this one never does: it logs,
//! pauses and tries again.

use super::{
    Slots,
    claimer::{ClaimErrors, Claimer, FleetSize, StageWork, give_back},
};
use crate::Store;
use apalis_core::{
    backend::{Backend, BackendConfig, finalize::Ephemeral},
    task::{Task, task_id::RandomId},
    worker::context::WorkerContext,
};
use domain::{Stage, WorkerId};
use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

/// How long a worker sleeps at most when no wake-up reaches it.
const SLOW_TIMER: Duration = Duration::from_secs(1);

/// What apalis hands to a handler.
pub type StageTask = Task<StageWork>;

/// One stage's queue for one worker process.
pub struct StageBackend {
    feed: Feed,
}

enum Feed {
    /// The claimer starts when it is first polled, on the runtime of the worker.
    Idle(Option<Claimer>),
    Running {
        store: Store,
        works: mpsc::Receiver<StageWork>,
    },
}

impl StageBackend {
    /// Claims jobs of `stage` for `models` into `slots` until `shutdown`, then ends the stream; jobs that
    /// run by then run on.
    #[must_use]
    pub fn new(
        store: Store,
        stage: Stage,
        worker: WorkerId,
        models: Vec<String>,
        lease_ms: i64,
        slots: Slots,
        shutdown: CancellationToken,
    ) -> Self {
        let rotation = Arc::default();
        // Nobody changes them: a receiver keeps what was sent last.
        let models = watch::channel(models).1;
        let claimer = Claimer {
            store,
            stage,
            worker,
            models,
            lease_ms,
            slots,
            shutdown,
            slow_timer: SLOW_TIMER,
            rotation,
            errors: None,
            fleet: FleetSize::default(),
        };
        Self { feed: Feed::Idle(Some(claimer)) }
    }

    /// Claims jobs of the models that are named at the moment, instead of those of the beginning.
    #[must_use]
    pub fn with_live_models(mut self, models: watch::Receiver<Vec<String>>) -> Self {
        if let Feed::Idle(Some(claimer)) = &mut self.feed {
            claimer.models = models;
        }
        self
    }

    /// Tells `errors` of each claim that failed, or got no answer.
    #[must_use]
    pub fn with_errors_told(mut self, errors: ClaimErrors) -> Self {
        if let Feed::Idle(Some(claimer)) = &mut self.feed {
            claimer.errors = Some(errors);
        }
        self
    }

    /// Sleeps up to `slow_timer` between looks at the queue when no wake-up comes.
    #[must_use]
    pub fn with_slow_timer(mut self, slow_timer: Duration) -> Self {
        if let Feed::Idle(Some(claimer)) = &mut self.feed {
            claimer.slow_timer = slow_timer;
        }
        self
    }
}

impl Drop for StageBackend {
    /// A worker that is dropped between a claim and its task gives the job back.
    fn drop(&mut self) {
        let Feed::Running { store, works } = &mut self.feed else { return };
        works.close();
        while let (Ok(work), Ok(runtime)) = (works.try_recv(), tokio::runtime::Handle::try_current()) {
            let store = store.clone();
            runtime.spawn(async move { give_back(&store, work).await });
        }
    }
}

/// A claimer that panics is started again: without one the worker would look well and take nothing.
async fn keep_claiming(claimer: Claimer, sender: mpsc::Sender<StageWork>) {
    while let Err(panic) = tokio::spawn(claimer.clone().run(sender.clone())).await {
        tracing::error!(error = &panic as &dyn std::error::Error, "claiming broke; starting it again");
        tokio::time::sleep(SLOW_TIMER).await;
    }
}

impl Backend for StageBackend {
    type Task = StageTask;
    type Error = Infallible;

    fn poll_ready(&mut self, _cx: &mut Context<'_>, _worker: &WorkerContext) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn poll_next(&mut self, cx: &mut Context<'_>, worker: &WorkerContext) -> Poll<Option<Result<StageTask, Infallible>>> {
        if let Feed::Idle(claimer) = &mut self.feed
            && let Some(claimer) = claimer.take()
        {
            let (sender, works) = mpsc::channel(1);
            self.feed = Feed::Running { store: claimer.store.clone(), works };
            tokio::spawn(keep_claiming(claimer, sender));
        }
        let Feed::Running { works, .. } = &mut self.feed else { return Poll::Ready(None) };
        let work = std::task::ready!(works.poll_recv(cx));
        if work.is_none() {
            // apalis waits for this even when there is nothing more to come. It fails on a worker that has
            // not started, which would not poll.
            let _ = worker.stop();
        }
        Poll::Ready(work.map(|work| Ok(Task::new(work))))
    }

    fn poll_close(&mut self, _cx: &mut Context<'_>, _worker: &WorkerContext) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }
}

impl BackendConfig for StageBackend {
    type Args = StageWork;
    type Id = RandomId;
    type Kind = Ephemeral;
    type Config = ();
    type Layer = tower_layer::Identity;

    fn config(&self) -> &() {
        &()
    }

    fn middleware(&mut self, _worker: &mut WorkerContext) -> Self::Layer {
        Self::Layer::new()
    }
}
