//! What estimates are made of: the fleet and measured times.

use crate::{MODELS, World, worker};
use domain::{
    Shape, Size, Stage, VideoTime,
    scheduling::{Fleet, Words},
};
use store::{Beat, Registration, StageTiming, WorkerCondition, WorkerRole, on_both_engines};

const fn shape(side: u32, seconds: u64) -> Shape {
    Shape { size: Size { width: side, height: side }, duration: VideoTime::from_ms(seconds * 1000) }
}

const SMALL: Shape = shape(96, 2);
const LARGE: Shape = shape(768, 2);

fn timing(stage: Stage, shape: Shape, steps: u32, device_ms: u64) -> StageTiming {
    StageTiming {
        worker: worker(),
        device: "cpu".into(),
        model: "vignette-1".into(),
        stage,
        shape,
        steps,
        words: Words::of("a red ball"),
        device_ms,
    }
}

on_both_engines! {
    async fn a_worker_counts_as_long_as_it_gives_signs_of_life(database: TempDatabase) {
        let world = World::new(database).await;
        let (workers, all, sampler) = (world.store.workers(), worker(), worker());
        workers.register(all, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        workers.register(sampler, Registration::new(WorkerRole::Sampler, "cuda:0", MODELS)).await.unwrap();
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet { samplers: 2, decoders: 1 });
        workers.register(worker(), Registration::new(WorkerRole::Sampler, "cuda:1", &["another-1"])).await.unwrap();
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet { samplers: 3, decoders: 1 });
        let live = world.queue().state().await.unwrap().workers;
        let of_model = |model: &str| {
            let serving = live.iter().filter(|worker| worker.serves(model));
            serving.fold((0, 0), |(samplers, decoders), worker| {
                (samplers + usize::from(worker.slots.sampling.all() > 0), decoders + usize::from(worker.slots.decoding.all() > 0))
            })
        };
        assert_eq!([of_model(MODELS[0]), of_model("another-1"), of_model("a third")], [(2, 1), (1, 0), (0, 0)]);
        world.dial.advance_ms(10_000);
        assert_eq!(workers.beat(all, WorkerCondition::Working, store::SpareTime::default()).await.unwrap(), Beat::GoOn);
        world.dial.advance_ms(10_000);
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet { samplers: 1, decoders: 1 });
        for condition in [WorkerCondition::Stalled, WorkerCondition::Failing] {
            assert_eq!(workers.beat(all, condition, store::SpareTime::default()).await.unwrap(), Beat::GoOn);
            assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet::default(), "{condition:?}");
        }
        workers.retire(all).await.unwrap();
        assert_eq!(workers.beat(all, WorkerCondition::Working, store::SpareTime::default()).await.unwrap(), Beat::Unknown);
        assert_eq!(workers.fleet(15_000).await.unwrap(), Fleet::default());
        world.dial.advance_ms(25 * 60 * 60 * 1000);
        workers.register(worker(), Registration::new(WorkerRole::Decoder, "cpu", MODELS)).await.unwrap();
        assert_eq!(workers.beat(sampler, WorkerCondition::Working, store::SpareTime::default()).await.unwrap(), Beat::Unknown, "silent for a day: forgotten");
    }

    async fn measurements_are_read_on_from_where_one_was(database: TempDatabase) {
        let world = World::new(database).await;
        let timings = world.store.timings();
        assert_eq!(timings.after(None, 10).await.unwrap(), []);
        let all = [timing(Stage::Sampling, SMALL, 24, 2400), timing(Stage::Decoding, SMALL, 0, 100), timing(Stage::Decoding, LARGE, 0, 900)];
        for timing in &all {
            world.dial.advance_ms(1);
            timings.record(timing.clone()).await.unwrap();
        }
        let read = timings.after(None, 2).await.unwrap();
        assert_eq!(read.iter().map(|(_, timing)| timing.clone()).collect::<Vec<_>>(), all[..2]);
        let rest = timings.after(Some(read[1].0), 10).await.unwrap();
        assert_eq!(rest.iter().map(|(_, timing)| timing.clone()).collect::<Vec<_>>(), all[2..]);
        world.sql("UPDATE stage_timings SET duration_ms = NULL WHERE device_ms = 900").await;
        assert_eq!(timings.after(Some(read[1].0), 10).await.unwrap(), [], "servers of before do not say how long it was");
        timings.trim().await.unwrap();
        assert_eq!(timings.after(None, 10).await.unwrap().len(), 2);
    }
}
