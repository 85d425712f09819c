//! What is noted of stages that use the device at the same time.

use crate::plant::{Plant, eventually};
use diffusion::testing::{Reference, ReplayTimes, write_replay};
use domain::{Actor, JobRequest, Stage};
use std::{
    fs,
    time::{Duration, Instant},
};
use store::{on_both_engines, testing::TempDatabase};
use tempfile::TempDir;

const MODEL: &str = "replay-1";
const JOBS: u64 = 8;

/// A plant with a model that takes so long on its device, and the folder in which that is.
async fn replaying(database: TempDatabase, step_ms: f64, decode_ms: f64) -> (Plant, TempDir) {
    let models = tempfile::tempdir().unwrap();
    let folder = models.path().join(MODEL);
    fs::create_dir(&folder).unwrap();
    let reference = Reference { width: 32, height: 32, frames: 9 };
    write_replay(&folder, MODEL, &ReplayTimes { step_ms: vec![step_ms], decode_ms: vec![decode_ms], reference, spread: 0.0 });
    let plant = Plant::new(database).await;
    plant.services.offer_models(Actor::System, models.path()).await.unwrap();
    (plant, models)
}

fn request(seed: u64, steps: u64) -> JobRequest {
    JobRequest {
        prompt: "a red ball".into(),
        model: Some(MODEL.to_owned()),
        size: Some("32x32".to_owned()),
        steps: Some(steps.to_string()),
        seed: Some(seed.to_string()),
        ..JobRequest::default()
    }
}

on_both_engines! {
    async fn stages_that_share_the_device_share_its_time(database: TempDatabase) {
        let (plant, models) = replaying(database, 30.0, 250.0).await;
        let _worker = plant.start_many(1, &format!("--models {}", models.path().display())).await;
        let timings = plant.services.store.timings();
        let warmed_up = timings.after(None, 100).await.unwrap().last().map(|(place, _)| *place);
        let begun = Instant::now();
        let mut jobs = Vec::new();
        for seed in 0..JOBS {
            jobs.push(plant.ask(request(seed, 4 + 2 * seed)).await);
        }
        for id in jobs {
            plant.until_succeeded(id).await;
        }
        let noted = eventually("all stages are noted", || async {
            let noted = timings.after(warmed_up, 100).await.unwrap();
            (noted.len() as u64 == 2 * JOBS).then_some(noted)
        }).await;
        let (passed, noted_ms) = (begun.elapsed(), noted.iter().map(|(_, timing)| timing.device_ms).sum::<u64>());
        assert!(Duration::from_millis(noted_ms) <= passed, "{noted_ms} ms of a device in {passed:?}: {noted:?}");
        // What the calls took in truth, but for what encoding and the rest of a processor add.
        let least_ms: u64 = (0..JOBS).map(|seed| 30 * (4 + 2 * seed) + 250).sum();
        assert!(noted_ms >= least_ms * 9 / 10, "{noted_ms} ms, and no less than {least_ms}");
    }

    async fn what_a_decoder_has_to_sample_again_is_not_noted_as_decoding(database: TempDatabase) {
        let (plant, models) = replaying(database, 200.0, 50.0).await;
        let job = plant.ask(request(0, 10)).await;
        plant.sample_as_another_version(MODEL).await;
        let _worker = plant.start_many(1, &format!("--models {}", models.path().display())).await;
        plant.until_succeeded(job).await;
        let decoded_ms = eventually("its decoding is noted, behind that of the first clip", || async {
            let noted = plant.services.store.timings().after(None, 100).await.unwrap();
            let decoding: Vec<_> = noted.iter().filter(|(_, timing)| timing.stage == Stage::Decoding).collect();
            (decoding.len() == 2).then(|| decoding[1].1.device_ms)
        }).await;
        assert!(decoded_ms < 10 * 200, "{decoded_ms} ms, which is longer than sampling takes");
    }
}
