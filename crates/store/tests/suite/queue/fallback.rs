//! A job that its model cannot make is made by the other one that its request allows: in that one's line, from the beginning, charged as made.

use crate::{LEASE_MS, World, worker};
use domain::{
    FailureCode, JobId, Model, Stage, VideoTime,
    catalog::testing,
    job::{Device, FailureClass, Fallback, FallbackTexts},
    scheduling::Suspects,
};
use store::{ArtifactKind, Claimed, Job, NewJob, on_both_engines, queue::UnloadableModel};

const OTHER: &str = "tiny-1";
/// What the two models ask for it.
const PRICE_MS: u64 = 2000;
const PRICE_OF_OTHER_MS: u64 = 3000;

impl World {
    /// With both models on offer and so much to use.
    async fn with_two_models(database: store::testing::TempDatabase, ms: u64) -> Self {
        let world = Self::with_credit(database, ms).await;
        world.offer(&[testing::video_model(), testing::image_model()]).await;
        world
    }

    async fn offer(&self, models: &[Model]) {
        self.store.models().offer(models).await.unwrap();
    }

    fn job_with_fallback(&self) -> NewJob {
        let job = self.new_job();
        let billed = VideoTime::from_ms(PRICE_OF_OTHER_MS);
        let quote = domain::Quote { steps: 4, steps_default: 4, billed, ..job.quote };
        let texts = FallbackTexts { read_as: Some("a crimson ball".into()), ..FallbackTexts::default() };
        let fallback = Fallback { model: OTHER.into(), steps: 4, guidance: 1.5, quote, work: billed, texts };
        NewJob { fallback: Some(fallback), ..job }
    }

    async fn submit_with_fallback(&self) -> Job {
        self.dial.advance_ms(1);
        self.store.tenant(self.tenant).jobs().submit(self.job_with_fallback(), None).await.unwrap().job
    }

    async fn claim_of_model(&self, model: &str, stage: Stage) -> Option<Claimed> {
        self.queue().claim(stage, worker(), &[model], LEASE_MS, Suspects::Take).await.unwrap()
    }

    async fn fail_with(&self, class: FailureClass) -> JobId {
        let token = self.claim(Stage::Sampling).await.expect("a job waits").token;
        self.queue().report_failure(&token, class).await.unwrap();
        token.job
    }

    /// The other model makes what waits for it.
    async fn made_by_other(&self) {
        let token = self.claim_of_model(OTHER, Stage::Sampling).await.expect("a job waits for the other model").token;
        self.hand_over(&token).await;
        let token = self.claim_of_model(OTHER, Stage::Decoding).await.expect("it is decoded by the same").token;
        self.succeed(&token).await;
    }
}

fn decisions(job: &Job) -> Vec<(&'static str, &'static str)> {
    job.failed_attempts.iter().map(|attempt| (attempt.class.as_str(), attempt.decision.as_str())).collect()
}

on_both_engines! {
    async fn broken_weights_have_the_other_model_make_it_and_its_price_is_charged(database: TempDatabase) {
        let world = World::with_two_models(database, 10_000).await;
        let id = world.submit_with_fallback().await.id;
        assert_eq!(world.left_ms().await, 10_000 - PRICE_OF_OTHER_MS, "the dearer price is held");
        world.fail_with(FailureClass::BrokenWeights).await;
        let job = world.job(id).await;
        assert_eq!(decisions(&job), [("broken_weights", "fall_back")]);
        assert_eq!((job.spec.model.as_str(), job.requested_model.as_deref(), job.fallback.is_none()), (OTHER, Some("vignette-1"), true));
        assert_eq!((job.spec.steps, job.spec.guidance, job.spec.read_as.as_deref()), (4, 1.5, Some("a crimson ball")));
        assert_eq!((job.quote.billed.ms(), job.held.ms(), job.work.ms()), (PRICE_OF_OTHER_MS, PRICE_OF_OTHER_MS, PRICE_OF_OTHER_MS));
        world.ledger_is_true().await;
        world.pass_pause();
        assert!(world.claim(Stage::Sampling).await.is_none(), "no worker of the first model takes it");
        world.made_by_other().await;
        let made = world.job(id).await;
        assert_eq!((made.lifecycle.state.name(), made.charge.charged.map(VideoTime::ms)), ("succeeded", Some(PRICE_OF_OTHER_MS)));
        assert_eq!(world.left_ms().await, 10_000 - PRICE_OF_OTHER_MS);
        world.ledger_is_true().await;
    }

    async fn what_its_own_model_makes_is_charged_by_that_ones_price(database: TempDatabase) {
        let world = World::with_two_models(database, 10_000).await;
        let id = world.submit_with_fallback().await.id;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        world.hand_over(&token).await;
        world.succeed(&world.claim(Stage::Decoding).await.unwrap().token).await;
        assert_eq!((world.job(id).await.charge.charged.map(VideoTime::ms), world.left_ms().await), (Some(PRICE_MS), 10_000 - PRICE_MS));
        world.ledger_is_true().await;
    }

    async fn one_that_fails_with_both_costs_nothing_and_is_held_again_whole(database: TempDatabase) {
        let world = World::with_two_models(database, 10_000).await;
        let id = world.submit_with_fallback().await.id;
        world.fail_with(FailureClass::BrokenWeights).await;
        world.pass_pause();
        let token = world.claim_of_model(OTHER, Stage::Sampling).await.unwrap().token;
        world.queue().report_failure(&token, FailureClass::BrokenWeights).await.unwrap();
        let job = world.job(id).await;
        assert_eq!(decisions(&job), [("broken_weights", "fall_back"), ("broken_weights", "fail")]);
        assert_eq!(world.left_ms().await, 10_000);
        world.ledger_is_true().await;
        world.requeue(id).await.unwrap();
        assert_eq!((world.left_ms().await, world.job(id).await.spec.model.as_str()), (10_000 - PRICE_OF_OTHER_MS, OTHER));
        world.ledger_is_true().await;
        world.made_by_other().await;
        assert_eq!(world.left_ms().await, 10_000 - PRICE_OF_OTHER_MS);
        world.ledger_is_true().await;
    }

    async fn it_stands_in_the_other_line_behind_its_tenants_own_and_takes_no_virtual_time_along(database: TempDatabase) {
        let world = World::with_two_models(database, 100_000).await;
        let moved = world.submit_with_fallback().await;
        let mut own = world.new_job();
        own.spec.model = OTHER.into();
        let first = world.store.tenant(world.tenant).jobs().submit(own, None).await.unwrap().job;
        world.fail_with(FailureClass::BrokenWeights).await;
        let job = world.job(moved.id).await;
        assert!(job.tag.start >= first.tag.finish, "{:?} behind {:?}", job.tag, first.tag);
        // Of a tenant of the same weight that work which is half as much again is half as long again.
        assert_eq!(job.tag.length().value(), moved.tag.length().value() * 3 / 2);
    }

    async fn it_has_waited_in_the_other_line_since_it_came_into_it(database: TempDatabase) {
        let world = World::with_two_models(database, 10_000).await;
        world.submit_with_fallback().await;
        world.dial.advance_ms(3_600_000);
        world.fail_with(FailureClass::BrokenWeights).await;
        let lines = world.store.operator().waiting_by_line().await.unwrap();
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert!(line.model == OTHER && line.in_line_since.ms_since(line.since) >= 3_600_000, "{line:?}");
    }

    async fn a_decode_that_breaks_begins_anew_without_the_latents_of_the_first_model(database: TempDatabase) {
        let world = World::with_two_models(database, 10_000).await;
        let id = world.submit_with_fallback().await.id;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        world.hand_over(&token).await;
        let token = world.claim(Stage::Decoding).await.unwrap().token;
        world.queue().report_failure(&token, FailureClass::BrokenWeights).await.unwrap();
        let job = world.job(id).await;
        assert_eq!((job.lifecycle.state.name(), job.step, job.sampling_ms), ("retry_sampling", 0, None));
        let took = "SELECT CAST(COALESCE(sampled_at_ms, load_ms, encode_ms, latents_upload_ms, sampling_device_ms, -1) AS TEXT) FROM jobs";
        assert_eq!(world.texts(took).await, ["-1"], "should it end before the other has sampled it, nothing is told of the first");
        assert!(world.store.tenant(world.tenant).jobs().artifact(id, Some(ArtifactKind::Latents)).await.unwrap().is_none());
        world.pass_pause();
        world.made_by_other().await;
    }

    async fn a_model_that_is_not_on_offer_is_no_way_out(database: TempDatabase) {
        let world = World::with_two_models(database, 10_000).await;
        let id = world.submit_with_fallback().await.id;
        world.offer(&[testing::video_model()]).await;
        world.fail_with(FailureClass::BrokenWeights).await;
        assert_eq!((world.state(id).await, world.left_ms().await), ("failed", 10_000));
        world.ledger_is_true().await;
    }

    async fn jobs_of_a_withdrawn_model_go_over_in_the_queue_and_outside_of_it(database: TempDatabase) {
        let world = World::with_two_models(database, 100_000).await;
        let (waits, without) = (world.submit_with_fallback().await.id, world.submit().await.id);
        let next = world.submit_with_fallback().await.id;
        world.sql("UPDATE jobs SET state = 'throttled', waits_for = NULL WHERE created_at_ms = (SELECT MIN(created_at_ms) FROM jobs)").await;
        world.offer(&[testing::image_model()]).await;
        assert_eq!(world.queue().fail_withdrawn(0).await.unwrap(), 3);
        let [waits, next, without] = [world.job(waits).await, world.job(next).await, world.job(without).await];
        assert_eq!([&waits, &next, &without].map(|job| job.lifecycle.state.name()), ["throttled", "ready", "failed"]);
        assert_eq!([&waits, &next].map(|job| job.spec.model.as_str()), [OTHER; 2]);
        assert_eq!(decisions(&next), [("withdrawn", "fall_back")]);
        let times = world.store.tenant(world.tenant).requests().times(next.id).await.unwrap().unwrap();
        assert_eq!(times.timeline.queued_at, None, "it was in the queue before, of the other model");
        assert_eq!(decisions(&without), [("withdrawn", "fail")]);
        let domain::JobState::Failed(failure) = without.lifecycle.state else { panic!("it has failed") };
        assert_eq!(failure.code, FailureCode::ModelWithdrawn);
        assert_eq!(world.queue().fail_withdrawn(0).await.unwrap(), 0);
        world.made_by_other().await;
    }

    async fn jobs_of_a_model_that_nobody_can_load_go_over(database: TempDatabase) {
        let world = World::with_two_models(database, 10_000).await;
        let id = world.submit_with_fallback().await.id;
        let broken = UnloadableModel {
            model: "vignette-1".into(),
            stage: Stage::Sampling,
            worker: worker(),
            device: Device::default(),
            problem: "cut short".into(),
        };
        assert_eq!(world.queue().fail_unloadable(&broken).await.unwrap(), 1);
        assert_eq!(decisions(&world.job(id).await), [("broken_weights", "fall_back")]);
        world.made_by_other().await;
        assert_eq!(world.left_ms().await, 10_000 - PRICE_OF_OTHER_MS);
        world.ledger_is_true().await;
    }
}
