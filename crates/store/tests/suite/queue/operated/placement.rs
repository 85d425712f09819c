//! What workers say of their models and are told, what is written down of both, and that jobs are taken of the models of the moment.

use crate::{LEASE_MS, MODELS, World, worker};
use apalis_core::{backend::Backend, worker::context::WorkerContext};
use domain::{Act, Stage, catalog::testing::video_model, job::FailureClass, scheduling::Suspects};
use std::time::Duration;
use store::{
    ALIVE_MS, Asked, Beat, DesiredModel, HeldState, ModelReport, ModelRule, ModelsReport, PlacementChange, Registration, SpareTime, Told,
    WorkerCondition, WorkerRole, on_both_engines,
    queue::{Slots, StageBackend, UnloadableModel},
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

fn report(state: HeldState) -> ModelsReport {
    let model = ModelReport {
        model: "vignette-1".into(),
        memory_bytes: 700,
        state,
        since_ms: 2000,
        used_ms: 500,
        running: 1,
        load_ms: Some(1000),
        failed: None,
    };
    ModelsReport { memory_max_bytes: Some(900), models: vec![model] }
}

fn desired(load_ms: u64) -> DesiredModel {
    DesiredModel { model: "vignette-1".into(), reason: "2 s of work wait for it".into(), load_ms }
}

on_both_engines! {
    async fn a_worker_says_what_it_has_and_is_told_what_it_should_have(database: TempDatabase) {
        let world = World::new(database).await;
        let (me, workers) = (worker(), world.store.workers());
        let say = async |report: &ModelsReport| workers.report(me, WorkerCondition::Working, SpareTime::default(), report).await.unwrap();
        assert_eq!(say(&report(HeldState::Warm)).await, Told { beat: Beat::Unknown, desired: None });
        workers.register(me, Registration::new(WorkerRole::All, "h100", MODELS)).await.unwrap();
        let live = workers.live(ALIVE_MS).await.unwrap().remove(0);
        assert!(live.held.is_none() && live.has_warm("vignette-1"), "who says nothing has them all");
        assert_eq!(say(&report(HeldState::Loading { permille: 250 })).await, Told { beat: Beat::GoOn, desired: None });
        let live = workers.live(ALIVE_MS).await.unwrap().remove(0);
        let held = live.held.clone().unwrap();
        assert_eq!((held.memory_max_bytes, held.models[0].memory_bytes, held.models[0].running), (Some(900), 700, 1));
        assert_eq!((world.now_ms() - held.models[0].since.ms(), world.now_ms() - held.models[0].used_at.ms()), (2000, 500));
        assert!(!live.has_warm("vignette-1") && live.serves("vignette-1"));
        assert_eq!((live.loading_permille("vignette-1"), live.load_left_ms("vignette-1")), (Some(250), 750));

        let change = PlacementChange {
            at: domain::Timestamp::from_ms(0), worker: me, device: "h100".into(), model: "vignette-1".into(), is_load: true, reason: "why".into(),
        };
        world.store.placement().decide(me, &[desired(4000)], std::slice::from_ref(&change)).await.unwrap();
        assert_eq!(workers.live(ALIVE_MS).await.unwrap()[0].load_left_ms("vignette-1"), 3000, "as who decides expects");
        assert_eq!(say(&report(HeldState::Warm)).await.desired, Some(vec![desired(4000)]));
        let written = world.store.placement().changes(10).await.unwrap();
        assert_eq!(written, [PlacementChange { at: domain::Timestamp::from_ms(world.now_ms()), ..change }]);
        // A plain sign of life leaves both as they are, and so does a worker that registers again.
        assert_eq!(workers.beat(me, WorkerCondition::Working, SpareTime::default()).await.unwrap(), Beat::GoOn);
        workers.register(me, Registration::new(WorkerRole::All, "h100", MODELS)).await.unwrap();
        let live = workers.live(ALIVE_MS).await.unwrap().remove(0);
        assert!(live.has_warm("vignette-1") && live.desired.is_some());
    }

    async fn a_retry_is_left_to_another_worker_only_while_that_has_the_model_warm(database: TempDatabase) {
        let world = World::new(database).await;
        let (mine, other, workers) = (worker(), worker(), world.store.workers());
        let say = async |id, state| {
            workers.report(id, WorkerCondition::Working, SpareTime::default(), &report(state)).await.unwrap();
        };
        for id in [mine, other] {
            workers.register(id, Registration::new(WorkerRole::All, "h100", MODELS)).await.unwrap();
        }
        say(other, HeldState::Absent).await;
        say(mine, HeldState::Warm).await;
        let job = world.submit().await.id;
        let claim = async || world.queue().claim(Stage::Sampling, mine, MODELS, LEASE_MS, Suspects::Take).await.unwrap();
        let claimed = claim().await.unwrap();
        world.queue().report_failure(&claimed.token, FailureClass::BrokenWeights).await.unwrap();
        assert_eq!(world.state(job).await, "retry_sampling", "another could load it");
        world.pass_pause();
        say(mine, HeldState::Warm).await;
        say(other, HeldState::Warm).await;
        assert!(claim().await.is_none(), "another has it");
        say(other, HeldState::Absent).await;
        assert!(claim().await.is_some(), "nobody else takes it");
    }

    async fn what_loading_takes_is_smoothed_by_model_and_kind_of_device(database: TempDatabase) {
        let world = World::new(database).await;
        let placement = world.store.placement();
        placement.note_unload(("a", "h100"), 50).await.unwrap();
        for (model, device, load_ms) in [("a", "h100", 1000), ("a", "h100", 2000), ("a", "l4", 9000), ("b", "h100", 5)] {
            placement.note_load((model, device), load_ms, load_ms * 10).await.unwrap();
        }
        placement.note_unload(("a", "h100"), 90).await.unwrap();
        let costs = placement.costs().await.unwrap();
        let told: Vec<_> = costs.iter().map(|cost| (&*cost.model, &*cost.device, cost.load_ms, cost.unload_ms, cost.memory_bytes, cost.loads)).collect();
        assert_eq!(told, [
            ("a", "h100", Some(1250), Some(60), Some(20_000), 2),
            ("a", "l4", Some(9000), None, Some(90_000), 1),
            ("b", "h100", Some(5), None, Some(50), 1),
        ]);
    }

    async fn a_rule_of_the_operator_is_kept_with_who_made_it(database: TempDatabase) {
        let world = World::new(database).await;
        let placement = world.store.placement();
        let by = Asked { user: world.user, address: "192.0.2.7" };
        let rule = ModelRule { pinned_workers: 2, keep_warm_ms: Some(60_000) };
        assert!(!placement.set_rule(Some(by), "none-1", rule, "told").await.unwrap(), "there is no such model");
        world.store.models().offer(&[video_model()]).await.unwrap();
        assert!(placement.set_rule(Some(by), "vignette-1", rule, "vignette-1: pinned").await.unwrap());
        assert_eq!(placement.rules().await.unwrap().into_iter().collect::<Vec<_>>(), [("vignette-1".to_owned(), rule)]);
        let rule = ModelRule { pinned_workers: 0, keep_warm_ms: None };
        assert!(placement.set_rule(None, "vignette-1", rule, "").await.unwrap());
        assert_eq!(placement.rules().await.unwrap()["vignette-1"], rule);
        let acts = world.texts("SELECT act || ' ' || subject || ' ' || address FROM audit_log").await;
        assert_eq!(acts, [format!("{} vignette-1: pinned 192.0.2.7", Act::ModelPlaced.as_str())]);
    }

    async fn submissions_are_read_once_in_the_order_of_time(database: TempDatabase) {
        let world = World::new(database).await;
        let mut jobs = Vec::new();
        for _ in 0..5 {
            jobs.push(world.submit().await.id);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let placement = world.store.placement();
        let read = async |after, limit| placement.submissions(after, limit).await.unwrap().iter().map(|one| one.id).collect::<Vec<_>>();
        assert_eq!(read(None, 3).await, jobs[2..]);
        assert_eq!(read(Some(jobs[0]), 2).await, jobs[1..3]);
        assert!(read(Some(jobs[4]), 10).await.is_empty());
        let one = placement.submissions(Some(jobs[3]), 1).await.unwrap().remove(0);
        assert_eq!((one.tenant, &*one.model, one.workload.steps > 0), (world.tenant, "vignette-1", true));
    }

    async fn only_who_leads_decides(database: TempDatabase) {
        let world = World::new(database).await;
        let (me, workers, placement) = (worker(), world.store.workers(), world.store.placement());
        workers.register(me, Registration::new(WorkerRole::All, "h100", MODELS)).await.unwrap();
        let decide = async |holder| placement.decide_as(("placement", holder), me, &[desired(1)], &[]).await.unwrap();
        let is_told = async || workers.live(ALIVE_MS).await.unwrap()[0].desired.is_some();
        assert!(!decide("first").await && !is_told().await, "nobody leads");
        assert!(world.store.leaders().hold("placement", "first", 4000).await.unwrap());
        assert!(!decide("second").await && !is_told().await, "another leads");
        assert!(decide("first").await && is_told().await);
        world.dial.advance_ms(4001);
        assert!(!decide("first").await, "its time is over, and another may lead");
    }

    async fn jobs_fail_whose_model_no_worker_can_load_and_others_wait_on(database: TempDatabase) {
        let world = World::new(database).await;
        let (held, waits) = (world.submit().await.id, world.submit().await.id);
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        let (model, problem) = ("vignette-1".to_owned(), "it is cut short".to_owned());
        let device = domain::job::Device { kind: "h100".into(), memory_bytes: Some(80) };
        let broken = |stage| UnloadableModel { model: model.clone(), stage, worker: worker(), device: device.clone(), problem: problem.clone() };
        assert_eq!(world.queue().fail_unloadable(&broken(Stage::Decoding)).await.unwrap(), 0, "none waits for that");
        let other = UnloadableModel { model: "other-1".into(), ..broken(Stage::Sampling) };
        assert_eq!(world.queue().fail_unloadable(&other).await.unwrap(), 0);
        assert_eq!(world.queue().fail_unloadable(&broken(Stage::Sampling)).await.unwrap(), 1);
        let waited = if claimed.token.job == held { waits } else { held };
        let job = world.job(waited).await;
        assert_eq!(job.lifecycle.state, domain::JobState::Failed(domain::Failure::new(FailureClass::BrokenWeights.code())));
        let attempt = &job.failed_attempts[0];
        assert_eq!((attempt.class, &*attempt.detail, attempt.attempt), (FailureClass::BrokenWeights, "could not be loaded: it is cut short", 1));
        assert_eq!(world.texts("SELECT CAST(charged_ms AS TEXT) FROM jobs WHERE state = 'failed'").await, ["0"]);
        assert_eq!(world.state(claimed.token.job).await, "sampling", "whoever has one finishes it");
    }

    async fn jobs_that_wait_for_more_memory_are_told_with_how_much(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        world.submit().await;
        let [small, large] = [worker(), worker()];
        for (me, bytes) in [(small, 40), (large, 80)] {
            let registration = Registration { memory_bytes: Some(bytes), ..Registration::new(WorkerRole::All, "h100", MODELS) };
            world.store.workers().register(me, registration).await.unwrap();
        }
        let claim = async |me| world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap();
        let claimed = claim(small).await.unwrap();
        assert_eq!((claimed.token.job, world.store.placement().needs().await.unwrap().len()), (id, 0));
        world.queue().report_failure(&claimed.token, FailureClass::DeviceMemory).await.unwrap();
        assert_eq!(world.store.placement().needs().await.unwrap().into_iter().collect::<Vec<_>>(), [(id, 41)]);
        world.pass_pause();
        let say = async |state| {
            world.store.workers().report(large, WorkerCondition::Working, SpareTime::default(), &report(state)).await.unwrap();
        };
        say(HeldState::Absent).await;
        assert_ne!(claim(small).await.map(|claimed| claimed.token.job), Some(id), "the larger one loads the model for it");
        assert_eq!(claim(small).await.map(|claimed| claimed.token.job), None);
        say(HeldState::Warm).await;
        assert_eq!(claim(large).await.map(|claimed| claimed.token.job), Some(id));
        assert!(world.store.placement().needs().await.unwrap().is_empty(), "it does not wait");
    }

    async fn jobs_are_taken_of_the_models_of_the_moment(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let (models, shutdown) = (watch::Sender::new(Vec::new()), CancellationToken::new());
        let mut backend =
            StageBackend::new(world.store.clone(), Stage::Sampling, worker(), Vec::new(), LEASE_MS, Slots::new(4, 1), shutdown.clone())
                .with_live_models(models.subscribe())
                .with_slow_timer(Duration::from_secs(600));
        let context = WorkerContext::new("sampler");
        let mut taken = async |within_ms| {
            let next = std::future::poll_fn(|cx| backend.poll_next(cx, &context));
            tokio::time::timeout(Duration::from_millis(within_ms), next).await.ok()
        };
        assert!(taken(200).await.is_none(), "none is warm");
        models.send_replace(MODELS.iter().map(ToString::to_string).collect());
        let first = taken(10_000).await;
        assert!(first.is_some(), "it is taken as soon as its model is there");
        models.send_replace(Vec::new());
        tokio::time::sleep(Duration::from_millis(100)).await;
        world.submit().await;
        assert!(taken(300).await.is_none());
        shutdown.cancel();
    }
}

impl World {
    fn now_ms(&self) -> i64 {
        domain::Clock::now(&self.dial).ms()
    }
}
