//! How far a job has come, and when it will have ended, as it is shown.

use crate::{PageQuery, Services, Submission, SubmitError, User};
use domain::{
    JobId, JobRequest, JobState, JobView, NoEta, Stage, Status, VideoTime, WorkerId,
    billing::{Lane, Plan},
    catalog::testing::video_model,
    job::{Deadlines, FailureClass, WaitReason},
    scheduling::{AdmissionError, Suspects, Words},
};
use std::{future::pending, time::Duration};
use store::{
    ArtifactKind, HeldState, LeaseToken, ModelReport, ModelsReport, Order, ProgressReport, Registration, SpareTime, StageTiming,
    StoreError, StoredObject, WorkerCondition, WorkerRole,
    objects::{ObjectsConfig, open},
    on_both_engines,
    queue::Throttled,
    testing::TempDatabase,
};
use tempfile::TempDir;
use uuid::Uuid;

mod paused;

/// A product whose one job is to be decoded in 3 seconds, after steps of 10 milliseconds.
struct World {
    services: Services,
    ada: User,
    job: JobView,
    worker: WorkerId,
    _folder: TempDir,
    _database: TempDatabase,
}

impl World {
    async fn new(database: TempDatabase) -> Self {
        let (folder, store) = (tempfile::tempdir().unwrap(), database.open().await.unwrap());
        let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let services = Services::new(store, objects);
        let ada = services.sign_up("ada@example.com", "correct horse battery").await.unwrap();
        // Before anybody asks: answers are good for a second.
        let (worker, model) = (WorkerId::from_uuid(Uuid::now_v7()), video_model());
        services.store.workers().register(worker, Registration::new(WorkerRole::All, "cpu", &[&model.id])).await.unwrap();
        for (stage, steps, device_ms) in [(Stage::Sampling, 10, 100), (Stage::Decoding, 0, 3000)] {
            let timing = StageTiming {
                worker,
                device: "cpu".into(),
                model: model.id.clone(),
                stage,
                shape: model.shape_default(),
                steps,
                words: Words::NONE,
                device_ms,
            };
            services.store.timings().record(timing).await.unwrap();
        }
        let request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
        let job = services.submit(ada.actor(), Submission { request, ..Submission::default() }).await.unwrap().job;
        Self { services, ada, job, worker, _folder: folder, _database: database }
    }

    async fn claim(&self, stage: Stage) -> LeaseToken {
        let models = [self.job.spec.model.as_str()];
        self.services.store.queue().claim(stage, self.worker, &models, 60_000, Suspects::Take).await.unwrap().unwrap().token
    }

    async fn hand_over(&self, sampling: &LeaseToken) {
        let queue = self.services.store.queue();
        queue.announce(sampling, &[ArtifactKind::Latents]).await.unwrap();
        let latents = StoredObject { kind: ArtifactKind::Latents, bytes: 1, sha256: "ab".repeat(32) };
        queue.hand_over(sampling, latents, 1).await.unwrap();
    }

    /// The job's decoding, of which half is done.
    async fn half_decoded(&self) -> LeaseToken {
        let queue = self.services.store.queue();
        self.hand_over(&self.claim(Stage::Sampling).await).await;
        let token = self.claim(Stage::Decoding).await;
        let half = ProgressReport { token, step: self.job.spec.steps, decoded_permille: 500, device_ms: 0, preview: None };
        assert_eq!(queue.progress(vec![half]).await.unwrap(), []);
        token
    }

    /// One more job of `user`.
    async fn submit(&self, user: &User) -> JobView {
        let request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
        self.services.submit(user.actor(), Submission { request, ..Submission::default() }).await.unwrap().job
    }

    /// Somebody else, on a plan of their own.
    async fn on_plan(&self, name: &str, plan: impl Fn(Plan) -> Plan) -> User {
        let user = self.services.sign_up(&format!("{name}@example.com"), "correct horse battery").await.unwrap();
        let credits = self.services.store.tenant(user.tenant).credits();
        let plan = Plan { id: name.into(), ..plan(credits.plan().await.unwrap()) };
        self.services.store.plans().define(&plan, None).await.unwrap();
        credits.set_plan(name).await.unwrap();
        user
    }

    /// The first job has been made.
    async fn complete(&self) {
        let (queue, token) = (self.services.store.queue(), self.half_decoded().await);
        queue.announce(&token, &[ArtifactKind::Video]).await.unwrap();
        let video = StoredObject { kind: ArtifactKind::Video, bytes: 1, sha256: "ab".repeat(32) };
        queue.succeed(&token, vec![video], None, 1).await.unwrap();
    }

    async fn look(&self) -> JobView {
        self.services.job(self.ada.actor(), self.job.id).await.unwrap().unwrap()
    }
}

/// What this is when it is something: what is known may be a little old.
async fn until<T>(seen: impl AsyncFn() -> Option<T>) -> T {
    for _ in 0..200 {
        if let Some(seen) = seen().await {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it does not come")
}

on_both_engines! {
    async fn a_job_has_come_as_far_as_it_has_also_when_no_estimate_can_be_had_and_when_it_is_cancelled(database: TempDatabase) {
        let world = World::new(database).await;
        world.half_decoded().await;
        let services = &world.services;
        let listed = async || {
            let page = PageQuery { after: None, limit: 1, order: Order::NewestFirst };
            services.jobs(world.ada.actor(), page).await.unwrap().0.remove(0)
        };
        let shown = world.look().await.progress;
        assert!((40..70).contains(&shown), "{shown}");
        let late = services.estimates.attempt(Duration::ZERO, pending::<Result<(), StoreError>>()).await;
        assert!(late.is_none() && world.look().await.eta.is_err(), "no estimates for a while");
        assert_eq!([world.look().await.progress, listed().await.progress], [shown; 2]);
        let cancelled = services.cancel(world.ada.actor(), world.job.id).await.unwrap().unwrap();
        assert_eq!((cancelled.status, cancelled.progress), (Status::Cancelled, shown));
        assert_eq!([world.look().await.progress, listed().await.progress], [shown; 2]);
    }

    async fn what_was_drawn_counts_while_it_is_being_drawn_and_no_longer(database: TempDatabase) {
        let world = World::new(database).await;
        let (token, half, whole) = (world.half_decoded().await, 1500, 3000);
        let (services, now) = (&world.services, async || world.services.store.now().await.unwrap());
        let foretold_at = async || services.forecasts.simulated(&services.store, &services.costs).await.unwrap().at();
        // As it was foretold: on a busy machine, a forecast is told for seconds, less the time that has passed since.
        let is_left = async |ms: std::ops::Range<u64>| {
            let mut seen = Vec::new();
            for _ in 0..100 {
                let (at, before) = (foretold_at().await, now().await);
                let left = world.look().await.eta.unwrap().p50_ms;
                let (at_least, at_most) = (left + before.ms_since(at), left + now().await.ms_since(at));
                if left > 0 && foretold_at().await == at && at_least < ms.end && at_most >= ms.start {
                    return;
                }
                seen.push((at_least, at_most));
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            panic!("{seen:?}, where {ms:?} is left");
        };
        is_left(half..half + 100).await;
        assert_eq!(world.look().await.waiting, None);
        let queue = world.services.store.queue();
        queue.give_back(&token).await.unwrap();
        let waiting = world.look().await;
        assert_eq!(waiting.waiting.as_ref().and_then(|waiting| waiting.reason), Some(WaitReason::Decoder), "{waiting:?}");
        assert!(waiting.progress < 10, "{waiting:?}");
        is_left(whole..whole + 300).await;
        let again = world.claim(Stage::Decoding).await;
        queue.report_failure(&again, FailureClass::LostLatents).await.unwrap();
        let all = whole + u64::from(waiting.spec.steps) * 10;
        assert_eq!(world.look().await.progress, 0);
        is_left(all - 500..all + 200).await;
    }

    async fn a_decode_that_was_broken_off_is_no_wait_for_a_decoder(database: TempDatabase) {
        let world = World::new(database).await;
        let waited = async |id: JobId| {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let times = world.services.cancel(world.ada.actor(), id).await.unwrap().unwrap().times.unwrap();
            [times.decoder_wait_ms > 0, times.at_decoder_ms > 0]
        };
        let decoding = world.half_decoded().await;
        assert_eq!(waited(decoding.job).await, [false, true], "since when it was decoded is not known");
        world.submit(&world.ada).await;
        let sampling = world.claim(Stage::Sampling).await;
        world.hand_over(&sampling).await;
        assert_eq!(waited(sampling.job).await, [true, false]);
    }

    async fn one_that_has_begun_and_waits_again_says_why(database: TempDatabase) {
        let world = World::new(database).await;
        let (queue, token) = (world.services.store.queue(), world.claim(Stage::Sampling).await);
        let some = ProgressReport { token, step: 3, decoded_permille: 0, device_ms: 0, preview: None };
        assert_eq!(queue.progress(vec![some]).await.unwrap(), []);
        let running = world.look().await;
        assert_eq!((running.status, running.waiting), (Status::InProgress, None));
        queue.give_back(&token).await.unwrap();
        let waiting = until(async || world.look().await.waiting).await;
        assert_eq!(waiting.reason, Some(WaitReason::Capacity { position: 1 }), "{waiting:?}");
        assert_eq!(world.look().await.status, Status::InProgress);
    }

    async fn what_has_come_on_since_the_queue_was_simulated_is_told_of_the_line_of_the_decoder_too(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit(&world.ada).await;
        let (first, last) = (world.claim(Stage::Sampling).await, world.claim(Stage::Sampling).await);
        world.hand_over(&first).await;
        let (services, store) = (&world.services, &world.services.store);
        // What was asked at the submission is good for two seconds at the most.
        let is_known = async || {
            let simulated = services.forecasts.simulated(store, &services.costs).await.unwrap();
            let job = store.tenant(world.ada.tenant).jobs().get(last.job).await.unwrap().unwrap();
            let outlook = simulated.end_of(&job, &services.costs, store.now().await.unwrap())?;
            (outlook.ends_ms > 5000.0).then_some((simulated, outlook))
        };
        let (simulated, sampling) = until(is_known).await;
        world.hand_over(&last).await;
        let job = store.tenant(world.ada.tenant).jobs().get(last.job).await.unwrap().unwrap();
        let now = store.now().await.unwrap();
        // One decode of three seconds at a time.
        let sampled = simulated.end_of(&job, &services.costs, now).unwrap();
        assert!(sampled.ends_ms > 5000.0 && sampled.ends_ms <= sampling.ends_ms, "{sampled:?}, before {sampling:?}");
        assert_eq!(world.claim(Stage::Decoding).await.job, first.job);
        // The other one is decoded; it alone has come on.
        let of_first = store.tenant(world.ada.tenant).jobs().get(first.job).await.unwrap().unwrap();
        let decoding = simulated.end_of(&of_first, &services.costs, store.now().await.unwrap()).unwrap();
        assert!((3000.0..3500.0).contains(&decoding.ends_ms), "{decoding:?}");
    }

    async fn a_job_behind_many_of_another_team_is_told_of_its_fair_turn(database: TempDatabase) {
        let world = World::new(database).await;
        let bob = world.on_plan("bob", |plan| plan).await;
        for _ in 0..30 {
            world.submit(&bob).await;
        }
        let (next, last) = (world.submit(&world.ada).await, world.submit(&bob).await);
        // A decode takes 3 seconds, one at a time; a sampler takes four jobs, and those that it would have taken by then stand in front.
        let (next_ms, last_ms) = (next.eta.unwrap().p50_ms, last.eta.unwrap().p50_ms);
        assert!((6_000..45_000).contains(&next_ms) && next_ms * 2 < last_ms, "{:?}", next.eta);
        assert!((80_000..115_000).contains(&last_ms), "{:?}", last.eta);
        let before_the_click = world.services.expected_time(Some(bob.tenant), &next.spec.model, next.spec.shape(), next.spec.steps).await;
        assert!((80_000..120_000).contains(&before_the_click.unwrap().p50_ms), "{before_the_click:?}");
        let of_somebody_else = world.services.expected_time(None, &next.spec.model, next.spec.shape(), next.spec.steps).await;
        assert!((3_000..45_000).contains(&of_somebody_else.unwrap().p50_ms), "{of_somebody_else:?}");
    }

    async fn what_a_release_rate_keeps_outside_is_told_of_its_turn_by_the_rate(database: TempDatabase) {
        let world = World::new(database).await;
        let rate = Some(VideoTime::from_ms(4000));
        let bob = world.on_plan("bob", |plan| Plan { lane: Lane::Batch, release_rate: rate, ..plan }).await;
        let mut jobs = Vec::new();
        for _ in 0..20 {
            jobs.push(world.submit(&bob).await);
        }
        // Two seconds of video every half minute.
        for (n, job) in jobs.iter().enumerate().skip(2) {
            let eta = job.eta.unwrap();
            let expected_ms = 30_000 * n as u64;
            assert!((expected_ms - 2000..expected_ms + 8000).contains(&eta.p50_ms), "{n}: {eta:?}");
            assert!(eta.p90_ms <= eta.p50_ms * 12 / 10);
            let seen = world.services.job(bob.actor(), job.id).await.unwrap().unwrap();
            let Some(WaitReason::ReleaseRate { enters_at: Some(enters_at) }) = seen.waiting.as_ref().and_then(|waiting| waiting.reason) else { panic!("{seen:?}") };
            let until_ms = enters_at.ms_since(world.services.store.now().await.unwrap());
            assert!((expected_ms - 5000..expected_ms + 3000).contains(&until_ms), "{n}: {until_ms}");
        }
    }

    async fn what_a_release_rate_keeps_outside_is_told_of_its_turn_and_of_its_model_s_load_where_nobody_has_it(database: TempDatabase) {
        let world = World::new(database).await;
        world.complete().await;
        let (services, store) = (&world.services, &world.services.store);
        let (model, memory_bytes) = (world.job.spec.model.clone(), 20_000_000_000);
        let absent = ModelReport { model, memory_bytes, state: HeldState::Absent, since_ms: 0, used_ms: 0, running: 0, load_ms: None, failed: None };
        let report = ModelsReport { memory_max_bytes: Some(4 * memory_bytes), models: vec![absent] };
        store.workers().report(world.worker, WorkerCondition::Working, SpareTime::default(), &report).await.unwrap();
        let rate = Some(VideoTime::from_ms(4000));
        let bob = world.on_plan("bob", |plan| Plan { lane: Lane::Batch, release_rate: rate, ..plan }).await;
        let first = world.submit(&bob).await.id;
        services.cancel(bob.actor(), first).await.unwrap();
        // In half a minute it enters; then a gigabyte a second is loaded, and it is sampled and decoded.
        let expected = 50_000..57_000;
        let next = world.submit(&bob).await;
        let simulated = async || {
            let simulated = services.forecasts.simulated(store, &services.costs).await.unwrap();
            let job = store.tenant(bob.tenant).jobs().get(next.id).await.unwrap().unwrap();
            simulated.end_of(&job, &services.costs, store.now().await.unwrap())
        };
        let outlook = until(simulated).await;
        assert!(expected.contains(&(outlook.ends_ms as u64)) && (25_000.0..31_000.0).contains(&outlook.enters_ms), "{outlook:?}");
        let shown = services.job(bob.actor(), next.id).await.unwrap().unwrap();
        assert!(expected.contains(&shown.eta.unwrap().p50_ms), "{shown:?}");
        assert!(matches!(shown.waiting.and_then(|waiting| waiting.reason), Some(WaitReason::ReleaseRate { enters_at: Some(_) })));
    }

    async fn no_more_are_taken_in_with_one_deadline_than_can_keep_it(database: TempDatabase) {
        let world = World::new(database).await;
        let finish_by = Some(world.services.store.now().await.unwrap().plus_ms(40_000));
        let mut taken = 0;
        for _ in 0..30 {
            let request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
            let submission = Submission { request, deadlines: Deadlines { finish_by, ..Deadlines::default() }, ..Submission::default() };
            match world.services.submit(world.ada.actor(), submission).await {
                Ok(_) => taken += 1,
                Err(error) => assert!(matches!(error, SubmitError::NotAdmitted(AdmissionError::DeadlineInfeasible { .. })), "{error}"),
            }
        }
        // A decode takes 3 seconds, one at a time.
        assert!((4..=13).contains(&taken), "{taken}");
    }

    async fn of_many_behind_a_release_rate_the_first_alone_is_told_its_moment(database: TempDatabase) {
        let world = World::new(database).await;
        let rate = Some(VideoTime::from_ms(4000));
        let bob = world.on_plan("bob", |plan| Plan { lane: Lane::Batch, release_rate: rate, ..plan }).await;
        let mut ids = Vec::new();
        for _ in 0..6 {
            ids.push(world.submit(&bob).await.id);
        }
        let (services, now) = (&world.services, world.services.store.now().await.unwrap());
        let mut jobs = Vec::new();
        for id in &ids {
            jobs.push(services.store.tenant(bob.tenant).jobs().get(*id).await.unwrap().unwrap());
        }
        // As of one that has come since the last simulation, so that no moment of any was simulated.
        let unknown: Vec<_> = jobs.into_iter().filter(|job| job.lifecycle.state == JobState::Throttled).map(|mut job| {
            job.id = JobId::from_uuid(Uuid::now_v7());
            job
        }).collect();
        let placed: Vec<_> = unknown.iter().map(|job| (job, 1)).collect();
        let told = services.forecasts.of_many(&services.store, &placed, &services.costs, now).await.unwrap();
        let told: Vec<_> = told.into_iter().map(|foretold| foretold.throttled).collect();
        assert!(matches!(told[0], Some(Throttled::Until(_))) && told.len() > 2, "{told:?}");
        assert!(told[1..].iter().all(|told| *told == Some(Throttled::Behind)), "{told:?}");
    }

    async fn nothing_is_told_where_nobody_works_or_a_model_in_front_was_never_measured(database: TempDatabase) {
        let world = World::new(database).await;
        let mut other = domain::catalog::testing::image_model();
        other.id = "never-1".into();
        world.services.store.models().offer(&[video_model(), other]).await.unwrap();
        world.services.store.workers().register(world.worker, Registration::new(WorkerRole::All, "cpu", &[&world.job.spec.model, "never-1"])).await.unwrap();
        let request = JobRequest { prompt: "a red ball".into(), model: Some("never-1".into()), ..JobRequest::default() };
        let submit = || world.services.submit(world.ada.actor(), Submission { request: request.clone(), ..Submission::default() });
        // Catalogs are good for a second.
        let unmeasured = until(async || submit().await.ok()).await.job;
        let eta_of = async |id| world.services.job(world.ada.actor(), id).await.unwrap().unwrap().eta;
        until(async || (eta_of(unmeasured.id).await == Err(NoEta::NotMeasured)).then_some(())).await;
        until(async || (eta_of(world.job.id).await == Err(NoEta::OtherModels)).then_some(())).await;
        world.services.store.workers().retire(world.worker).await.unwrap();
        until(async || (eta_of(world.job.id).await == Err(NoEta::NoWorker)).then_some(())).await;
    }

    async fn what_was_told_at_first_is_written_down_and_learned_from(database: TempDatabase) {
        let world = World::new(database).await;
        let (services, told) = (&world.services, world.job.eta.unwrap());
        services.forecasts.told.settle(&services.store).await.unwrap();
        world.complete().await;
        services.forecasts.told.settle(&services.store).await.unwrap();
        let coverage = services.store.queue().eta_coverage(domain::Timestamp::from_ms(0)).await.unwrap();
        assert_eq!((coverage.ended, coverage.told, coverage.covered), (1, 1, 1));
        // It took no time at all, which moves what is told of the next one a little.
        let (model, shape, steps) = (&world.job.spec.model, world.job.spec.shape(), world.job.spec.steps);
        let next = async || services.expected_time(None, model, shape, steps).await.ok();
        let next = until(async || next().await.filter(|next| next.p50_ms < told.p50_ms)).await;
        assert!(next.p50_ms > told.p50_ms / 2, "{next:?}, before {told:?}");
        let another = Services::new(services.store.clone(), services.objects.clone());
        another.forecasts.told.settle(&another.store).await.unwrap();
        let there = another.expected_time(None, model, shape, steps).await.unwrap();
        assert!(next.p50_ms.abs_diff(there.p50_ms) < 200, "{next:?} here, {there:?} on another server");
    }
}
