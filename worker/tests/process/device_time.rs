//! What is noted of stages that use the device at the same time.

use crate::plant::{Plant, eventually};
use diffusion::testing::{Reference, ReplayTimes, write_replay};
use domain::{Actor, JobRequest};
use std::{
    fs,
    time::{Duration, Instant},
};
use store::on_both_engines;

const MODEL: &str = "replay-1";
const JOBS: u64 = 8;

on_both_engines! {
    async fn stages_that_share_the_device_share_its_time(database: TempDatabase) {
        let models = tempfile::tempdir().unwrap();
        let folder = models.path().join(MODEL);
        fs::create_dir(&folder).unwrap();
        let reference = Reference { width: 32, height: 32, frames: 9 };
        write_replay(&folder, MODEL, &ReplayTimes { step_ms: vec![30.0], decode_ms: vec![250.0], reference, spread: 0.0 });
        let plant = Plant::new(database).await;
        plant.services.offer_models(Actor::System, models.path()).await.unwrap();
        let _worker = plant.start_many(1, &format!("--models {}", models.path().display())).await;
        let timings = plant.services.store.timings();
        let warmed_up = timings.after(None, 100).await.unwrap().last().map(|(place, _)| *place);
        let begun = Instant::now();
        let mut jobs = Vec::new();
        for seed in 0..JOBS {
            let text = |text: String| Some(text);
            let request = JobRequest {
                prompt: "a red ball".into(),
                model: text(MODEL.to_owned()),
                size: text("32x32".to_owned()),
                steps: text((4 + 2 * seed).to_string()),
                seed: text(seed.to_string()),
                ..JobRequest::default()
            };
            jobs.push(plant.ask(request).await);
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
}
