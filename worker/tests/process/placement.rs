//! Models that are loaded and unloaded by what waits for them, with weights that are more than the device has memory for.

use crate::{
    plant::{Plant, Worker, eventually},
    small_model,
};
use diffusion::testing::{DECODER_BYTES, DENOISER, DENOISER_BYTES, TEXT_ENCODER_BYTES};
use domain::{
    Actor, JobId, JobRequest, WorkerId,
    job::{FailureClass, WaitReason},
};
use service::placement::PlacementOptions;
use std::{fs, path::Path, time::Duration};
use store::{HeldModels, HeldState, LiveWorker, ModelRule, PlacementChange, on_both_engines};
use tokio::task::JoinHandle;

const TINY: u64 = TEXT_ENCODER_BYTES + DENOISER_BYTES + DECODER_BYTES;
/// Room for one model, and for two.
const ONE: u64 = TINY + TINY / 4;
const TWO: u64 = 2 * TINY + TINY / 4;

/// A plant whose server places models.
struct Placed {
    plant: Plant,
    server: JoinHandle<()>,
}

impl Drop for Placed {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Placed {
    async fn new(database: store::testing::TempDatabase, models: &Path) -> Self {
        let plant = Plant::new(database).await;
        plant.services.offer_models(Actor::System, models).await.unwrap();
        let services = plant.services.clone().with_placement(&PlacementOptions { model_wait_max: 2 });
        let server = tokio::spawn(service::reconcile(services));
        Self { plant, server }
    }

    async fn start(&self, models: &Path, memory: u64, more: &str) -> Worker {
        let arguments = format!("--models {} --device-memory {memory} {more}", models.display());
        self.plant.start_many(1, &arguments).await.remove(0)
    }

    async fn submit(&self, model: &str, seed: u64) -> JobId {
        let text = |text: &str| Some(text.to_owned());
        let request = JobRequest {
            prompt: "a red ball".into(),
            model: text(model),
            size: text("32x32"),
            seed: Some(seed.to_string()),
            ..JobRequest::default()
        };
        self.plant.ask(request).await
    }

    /// The newest worker; whenever it is looked at, its models are within the memory that they may take.
    async fn worker(&self) -> LiveWorker {
        let newest = || async {
            let live = self.plant.services.store.workers().live(store::ALIVE_MS).await.unwrap();
            live.into_iter().filter(|worker| worker.held.is_some() && !worker.is_draining).max_by_key(|worker| worker.started_at)
        };
        let worker = eventually("the worker tells of its models", newest).await;
        let HeldModels { memory_max_bytes, models } = worker.held.clone().unwrap();
        let used: u64 = models.iter().filter(|held| held.is_present()).map(|held| held.memory_bytes).sum();
        assert!(used <= memory_max_bytes.unwrap(), "{models:?}");
        worker
    }

    /// Those that are warm, by name.
    async fn warm(&self) -> Vec<String> {
        let held = self.worker().await.held.unwrap().models;
        held.into_iter().filter(|held| held.state == HeldState::Warm).map(|held| held.model).collect()
    }

    async fn until_warm(&self, models: &[&str]) {
        eventually(&format!("{models:?} are warm, and no others"), || async { (self.warm().await == models).then_some(()) }).await;
    }

    async fn rule(&self, model: &str, pinned_workers: u32, keep_warm_ms: Option<u64>) {
        let rule = ModelRule { pinned_workers, keep_warm_ms };
        self.plant.services.place_model(Actor::Operator, None, model, rule).await.unwrap();
    }

    /// What was decided for a worker, the oldest first.
    async fn changes(&self, worker: WorkerId) -> Vec<PlacementChange> {
        let mut changes = self.plant.services.store.placement().changes(1000).await.unwrap();
        changes.retain(|change| change.worker == worker);
        changes.reverse();
        changes
    }

    async fn wait_reason(&self, id: JobId) -> Option<(WaitReason, String)> {
        let job = self.plant.services.job(self.plant.user.actor(), id).await.unwrap().unwrap();
        job.waiting.and_then(|waiting| Some((waiting.reason?, waiting.sentence)))
    }
}

on_both_engines! {
    async fn models_are_swapped_for_what_waits_pinned_and_let_go(database: TempDatabase) {
        let placed = Placed::new(database, small_model::three()).await;
        let worker = placed.start(small_model::three(), ONE, "--fault hold:load").await;
        placed.until_warm(&["tiny-a"]).await;
        let first = placed.submit("tiny-a", 1).await;
        placed.plant.until_succeeded(first).await;
        // While its model is loaded, a job says so.
        let swapped = placed.submit("tiny-b", 2).await;
        placed.plant.until_held(&worker, "load").await;
        let (reason, sentence) = eventually("the job waits for its model to be loaded", || async {
            placed.wait_reason(swapped).await.filter(|(reason, _)| matches!(reason, WaitReason::ColdLoad { .. }))
        }).await;
        assert!(sentence.starts_with("Its model is being loaded: ") && sentence.ends_with(" %."), "{reason:?} {sentence}");
        placed.plant.let_go(&worker);
        placed.plant.until_succeeded(swapped).await;
        placed.until_warm(&["tiny-b"]).await;
        let me = placed.worker().await.id;
        let changes = placed.changes(me).await;
        let told: Vec<_> = changes.iter().map(|change| (change.is_load, &*change.model)).collect();
        assert_eq!(told, [(false, "tiny-a"), (true, "tiny-b")], "{changes:?}");
        assert!(changes[0].reason.starts_with("makes room for tiny-b: ") && changes[1].reason.contains("of work wait") | changes[1].reason.contains("has waited"), "{changes:?}");
        // A pin is kept against work that waits, and a model that waits too long is made once it may be.
        placed.rule("tiny-a", 1, None).await;
        placed.until_warm(&["tiny-a"]).await;
        let starving = placed.submit("tiny-b", 3).await;
        tokio::time::sleep(Duration::from_secs(6)).await;
        assert_eq!((placed.warm().await, placed.plant.job(starving).await.lifecycle.attempts), (vec!["tiny-a".to_owned()], 0));
        placed.rule("tiny-a", 0, None).await;
        placed.plant.until_succeeded(starving).await;
        // What nobody uses goes when its time is over, and comes back when it is asked for.
        placed.rule("tiny-b", 0, Some(0)).await;
        placed.until_warm(&[]).await;
        let again = placed.submit("tiny-b", 4).await;
        placed.plant.until_succeeded(again).await;
        for id in [first, swapped, starving, again] {
            assert_eq!(placed.plant.job(id).await.lifecycle.attempts, 1, "nothing was interrupted");
        }
        let costs = placed.plant.services.store.placement().costs().await.unwrap();
        let of_b = costs.iter().find(|cost| cost.model == "tiny-b").unwrap();
        assert!(of_b.loads >= 2 && of_b.memory_bytes == Some(TINY) && of_b.load_ms.is_some() && of_b.unload_ms.is_some(), "{of_b:?}");
    }

    async fn the_model_that_usually_follows_is_loaded_ahead_into_free_memory(database: TempDatabase) {
        let placed = Placed::new(database, small_model::three()).await;
        let mut before = placed.start(small_model::three(), TWO, "").await;
        placed.until_warm(&["tiny-a", "tiny-b"]).await;
        let mut jobs = Vec::new();
        for n in 0..6 {
            jobs.push(placed.submit("tiny-a", 2 * n).await);
            jobs.push(placed.submit("tiny-c", 2 * n + 1).await);
        }
        for id in jobs {
            placed.plant.until_succeeded(id).await;
        }
        before.signal("TERM");
        before.exited().await;
        // The next worker begins with a and b, and b is not kept where nobody uses it.
        placed.rule("tiny-b", 0, Some(0)).await;
        let _worker = placed.start(small_model::three(), TWO, "").await;
        let asked = placed.submit("tiny-a", 99).await;
        placed.plant.until_succeeded(asked).await;
        placed.until_warm(&["tiny-a", "tiny-c"]).await;
        let changes = placed.changes(placed.worker().await.id).await;
        let ahead = changes.iter().find(|change| change.is_load).unwrap();
        assert!(ahead.model == "tiny-c" && ahead.reason.starts_with("follows tiny-a in "), "{changes:?}");
    }

    async fn a_model_that_cannot_be_loaded_is_told_and_the_others_go_on(database: TempDatabase) {
        let models = tempfile::tempdir().unwrap();
        ["tiny-a", "tiny-b"].iter().for_each(|id| small_model::put_tiny(models.path(), id));
        let broken = models.path().join("tiny-b").join(DENOISER);
        let whole = fs::read(&broken).unwrap();
        fs::write(&broken, "no weights").unwrap();
        let placed = Placed::new(database, models.path()).await;
        let _worker = placed.start(models.path(), TWO, "").await;
        placed.until_warm(&["tiny-a"]).await;
        let (waits, made) = (placed.submit("tiny-b", 1).await, placed.submit("tiny-a", 2).await);
        placed.plant.until_succeeded(made).await;
        let problem = eventually("it is told why a model cannot be loaded", || async {
            placed.worker().await.held.unwrap().of("tiny-b").unwrap().failed.clone()
        }).await;
        assert!(problem.contains("diffusion_pytorch_model"), "{problem}");
        let failed = eventually("no worker can load its model, so the job ends", || async {
            let job = placed.plant.job(waits).await;
            job.lifecycle.state.is_terminal().then_some(job)
        }).await;
        assert_eq!((failed.lifecycle.state.name(), failed.lifecycle.attempts), ("failed", 0), "no job is tried on it");
        assert_eq!(failed.failed_attempts[0].class, FailureClass::BrokenWeights);
        fs::write(&broken, whole).unwrap();
        eventually("it may be tried again", || async {
            let held = placed.worker().await.held.unwrap();
            (held.of("tiny-b").unwrap().state == HeldState::Absent).then_some(())
        }).await;
        let again = placed.submit("tiny-b", 3).await;
        placed.plant.until_succeeded(again).await;
        eventually("nothing is wrong with it any more", || async {
            placed.worker().await.held.unwrap().of("tiny-b").unwrap().failed.is_none().then_some(())
        }).await;
    }
}
