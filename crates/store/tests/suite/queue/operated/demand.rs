//! What came of late and what it took: what the capacity planner begins with.

use crate::{MODELS, World, account, new_job, object};
use domain::{
    Clock, Stage, Timestamp, VideoTime,
    billing::{Lane, Plan},
};
use store::{ArtifactKind, Demand, MeasuredDemand, ModelDemand, StageTook, Waited, on_both_engines};

impl World {
    /// Samples and decodes the job that is next, in 1.2 and 0.3 seconds of a device.
    pub(super) async fn make_next(&self) {
        let sampling = self.claim(Stage::Sampling).await.unwrap().token;
        self.hand_over(&sampling).await;
        let decoding = self.claim(Stage::Decoding).await.unwrap().token;
        self.succeed(&decoding).await;
    }

    async fn demand(&self, since: Timestamp) -> Demand {
        self.store.operator().demand(since).await.unwrap()
    }
}

on_both_engines! {
    async fn what_came_is_added_up_by_model_and_lane_and_what_came_before_is_left_out(database: TempDatabase) {
        let world = World::new(database).await;
        let beginning = Timestamp::from_ms(0);
        let nothing = world.demand(beginning).await;
        assert_eq!((nothing.models, nothing.batch_tenants, nothing.since), (Vec::new(), 0, beginning));

        world.submit().await;
        world.dial.advance_ms(60_000);
        let since = world.dial.now();
        for _ in 0..2 {
            world.submit().await;
        }
        let team = world.team("batch", |plan| Plan { lane: Lane::Batch, ..plan }).await;
        for _ in 0..3 {
            world.submit_of(team, MODELS[0], 4000).await;
        }
        // The first one came before; it is interactive, as are those that are made with it.
        for _ in 0..2 {
            world.make_next().await;
        }
        let demand = world.demand(since).await;
        assert_eq!((demand.since, demand.until >= since, demand.batch_tenants), (since, true, 1));
        // The worker's kind of device is not known.
        let of = |lane, jobs, billed_ms, measured: &[MeasuredDemand]| ModelDemand {
            model: MODELS[0].to_owned(),
            lane,
            jobs,
            billed: VideoTime::from_ms(billed_ms),
            measured: measured.iter().map(|measured| (String::new(), *measured)).collect(),
        };
        let one = MeasuredDemand { jobs: 1, billed: VideoTime::from_ms(2000), sampling_ms: 1200, decoding_ms: 300, squares: 2_250_000.0 };
        let expected = [of(Lane::Batch, 3, 12_000, &[]), of(Lane::Interactive, 2, 4000, &[one])];
        assert_eq!(demand.models, expected);
        let all = world.demand(beginning).await;
        let two = MeasuredDemand { jobs: 2, billed: VideoTime::from_ms(4000), sampling_ms: 2400, decoding_ms: 600, squares: 4_500_000.0 };
        assert_eq!(all.models[1], of(Lane::Interactive, 3, 6000, &[two]));
        // What another kind of device made is told apart.
        world.sql("UPDATE jobs SET device = 'h100' WHERE state = 'succeeded' AND id = (SELECT id FROM jobs WHERE state = 'succeeded' ORDER BY created_at_ms LIMIT 1)").await;
        let apart = of(Lane::Interactive, 3, 6000, &[one]);
        let devices = [(String::new(), one), ("h100".to_owned(), one)];
        assert_eq!(world.demand(beginning).await.models[1], ModelDemand { measured: devices.into(), ..apart });
        assert_eq!(world.demand(world.dial.now().plus_ms(1)).await.models, []);
    }

    async fn what_jobs_take_that_share_a_device_is_what_they_have_of_it(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        world.queue().announce(&token, &[ArtifactKind::Latents]).await.unwrap();
        // One of four in a batch.
        let took = StageTook { elapsed_ms: 4800, device_ms: 1200, ..StageTook::default() };
        world.queue().hand_over(&token, object(ArtifactKind::Latents), took).await.unwrap();
        world.succeed(&world.claim(Stage::Decoding).await.unwrap().token).await;
        let demand = world.demand(Timestamp::from_ms(0)).await;
        let measured: Vec<_> = demand.models[0].measured.values().map(|of| (of.sampling_ms, of.decoding_ms, of.squares)).collect();
        assert_eq!(measured, [(1200, 300, 2_250_000.0)]);
    }

    async fn a_tenant_with_batches_of_two_models_is_one(database: TempDatabase) {
        let world = World::new(database).await;
        let teams = [world.team("a", |plan| Plan { lane: Lane::Batch, ..plan }).await, world.team("b", |plan| Plan { lane: Lane::Batch, ..plan }).await];
        for team in teams {
            for model in ["one-1", "two-1"] {
                world.submit_of(team, model, 1000).await;
            }
        }
        let demand = world.demand(Timestamp::from_ms(0)).await;
        let models: Vec<_> = demand.models.iter().map(|of| (&*of.model, of.jobs)).collect();
        assert_eq!((models, demand.batch_tenants), (vec![("one-1", 2), ("two-1", 2)], 2));
    }

    async fn waits_are_those_of_the_jobs_at_their_rank(database: TempDatabase) {
        let world = World::new(database).await;
        let operator = world.store.operator();
        assert_eq!(operator.waited(Timestamp::from_ms(0)).await.unwrap(), None);
        let (tenant, user) = account(&world.store, "eve@example.com").await;
        let before_ms = world.dial.now().ms();
        for _ in 0..20 {
            world.dial.advance_ms(1);
            world.store.tenant(tenant).jobs().submit(new_job(user), None).await.unwrap();
        }
        let nth = format!("(created_at_ms - {before_ms})");
        world.sql(&format!(
            "UPDATE jobs SET state = 'succeeded', waits_for = NULL, ended_at_ms = created_at_ms + {nth} * 1000, started_at_ms = created_at_ms + {nth} * 100"
        )).await;
        let waited = operator.waited(Timestamp::from_ms(0)).await.unwrap();
        assert_eq!(waited, Some(Waited { jobs: 20, p50_ms: 1000, p95_ms: 1900 }));
        let later = operator.waited(Timestamp::from_ms(before_ms + 20 + 20_000)).await.unwrap();
        assert_eq!(later, Some(Waited { jobs: 1, p50_ms: 2000, p95_ms: 2000 }));
    }
}
