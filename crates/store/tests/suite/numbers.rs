//! What estimates are made of: the fleet and measured times.

use crate::{MODELS, World, worker};
use domain::{Interval, Shape, Size, Stage, VideoTime, scheduling::Fleet};
use store::{StageTiming, WorkerCondition, WorkerRole, on_both_engines};

const fn shape(side: u32, seconds: u64) -> Shape {
    Shape { size: Size { width: side, height: side }, duration: VideoTime::from_ms(seconds * 1000) }
}

const SMALL: Shape = shape(96, 2);
const LARGE: Shape = shape(768, 2);

fn timing(stage: Stage, shape: Shape, steps: u32, device_ms: u64) -> StageTiming {
    StageTiming { worker: worker(), model: "vignette-1".into(), stage, shape, steps, device_ms }
}

on_both_engines! {
    async fn a_worker_counts_as_long_as_it_gives_signs_of_life(database: TempDatabase) {
        let world = World::new(database).await;
        let (workers, all, sampler) = (world.store.workers(), worker(), worker());
        workers.register(all, WorkerRole::All, "cpu", MODELS).await.unwrap();
        workers.register(sampler, WorkerRole::Sampler, "cuda:0", MODELS).await.unwrap();
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet { samplers: 2, decoders: 1 });
        workers.register(worker(), WorkerRole::Sampler, "cuda:1", &["another-1"]).await.unwrap();
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet { samplers: 3, decoders: 1 });
        assert_eq!(workers.fleet_of(MODELS[0], 15_000).await.unwrap(), Fleet { samplers: 2, decoders: 1 });
        assert_eq!(workers.fleet_of("another-1", 15_000).await.unwrap(), Fleet { samplers: 1, decoders: 0 });
        assert_eq!(workers.fleet_of("a third", 15_000).await.unwrap(), Fleet::default());
        world.dial.advance_ms(10_000);
        assert!(workers.beat(all, WorkerCondition::Working, store::SpareTime::default()).await.unwrap());
        world.dial.advance_ms(10_000);
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet { samplers: 1, decoders: 1 });
        for condition in [WorkerCondition::Stalled, WorkerCondition::Failing] {
            assert!(workers.beat(all, condition, store::SpareTime::default()).await.unwrap());
            assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet::default(), "{condition:?}");
        }
        workers.retire(all).await.unwrap();
        assert!(!workers.beat(all, WorkerCondition::Working, store::SpareTime::default()).await.unwrap());
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet::default());
        world.dial.advance_ms(25 * 60 * 60 * 1000);
        workers.register(worker(), WorkerRole::Decoder, "cpu", MODELS).await.unwrap();
        assert!(!workers.beat(sampler, WorkerCondition::Working, store::SpareTime::default()).await.unwrap(), "silent for a day: forgotten");
    }

    async fn costs_come_from_the_newest_measurements_of_both_stages(database: TempDatabase) {
        let world = World::new(database).await;
        let timings = world.store.timings();
        assert_eq!(timings.costs("vignette-1", SMALL).await.unwrap(), None);
        timings.record(timing(Stage::Sampling, SMALL, 24, 2400)).await.unwrap();
        assert_eq!(timings.costs("vignette-1", SMALL).await.unwrap(), None);
        timings.record(timing(Stage::Decoding, SMALL, 0, 100)).await.unwrap();
        timings.record(timing(Stage::Decoding, LARGE, 0, 900)).await.unwrap();
        let costs = timings.costs("vignette-1", SMALL).await.unwrap().unwrap();
        assert_eq!((costs.step, costs.decode), (Interval { p50_ms: 100, p90_ms: 100 }, Interval { p50_ms: 100, p90_ms: 100 }));
        let decode = async |shape| timings.costs("vignette-1", shape).await.unwrap().unwrap().decode.p50_ms;
        assert_eq!(decode(LARGE).await, 900);
        assert_eq!([decode(shape(384, 2)).await, decode(shape(768, 4)).await, decode(shape(96, 1)).await], [225, 1800, 50], "as the nearest");
        world.sql("UPDATE stage_timings SET duration_ms = NULL").await;
        assert_eq!([decode(LARGE).await, decode(shape(768, 4)).await], [900, 900], "servers of before do not say how long it was");
        timings.record(timing(Stage::Decoding, shape(768, 4), 0, 4000)).await.unwrap();
        assert_eq!([decode(shape(768, 4)).await, decode(LARGE).await], [4000, 2000], "what says how long it was comes first");
        for _ in 0..64 {
            world.dial.advance_ms(1);
            timings.record(timing(Stage::Sampling, SMALL, 10, 70)).await.unwrap();
        }
        assert_eq!(timings.costs("vignette-1", SMALL).await.unwrap().unwrap().step, Interval { p50_ms: 7, p90_ms: 7 });
        timings.trim().await.unwrap();
        assert_eq!(timings.costs("flux", SMALL).await.unwrap(), None);
    }
}
