//! How far a job has come, as it is shown.

use crate::{PageQuery, Services, Submission, User};
use domain::{JobRequest, JobView, Stage, Status, WorkerId, catalog::testing::video_model, job::FailureClass, scheduling::Suspects};
use std::{future::pending, time::Duration};
use store::{
    ArtifactKind, LeaseToken, Order, ProgressReport, Registration, StageTiming, StoreError, StoredObject, WorkerRole,
    objects::{ObjectsConfig, open},
    on_both_engines,
    testing::TempDatabase,
};
use tempfile::TempDir;
use uuid::Uuid;

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

    /// The job's decoding, of which half is done.
    async fn half_decoded(&self) -> LeaseToken {
        let queue = self.services.store.queue();
        let sampling = self.claim(Stage::Sampling).await;
        queue.announce(&sampling, &[ArtifactKind::Latents]).await.unwrap();
        let latents = StoredObject { kind: ArtifactKind::Latents, bytes: 1, sha256: "ab".repeat(32) };
        queue.hand_over(&sampling, latents, 1).await.unwrap();
        let token = self.claim(Stage::Decoding).await;
        let half = ProgressReport { token, step: self.job.spec.steps, decoded_permille: 500, device_ms: 0, preview: None };
        assert_eq!(queue.progress(vec![half]).await.unwrap(), []);
        token
    }

    async fn look(&self) -> JobView {
        self.services.job(self.ada.actor(), self.job.id).await.unwrap().unwrap()
    }
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
        let token = world.half_decoded().await;
        let (half, whole) = (1500, 3000);
        let left = async || world.look().await.eta.unwrap().p50_ms;
        assert!((half..half + 100).contains(&left().await));
        let queue = world.services.store.queue();
        queue.give_back(&token).await.unwrap();
        let waiting = world.look().await;
        assert!(waiting.progress < 10 && (whole..whole + 300).contains(&left().await), "{waiting:?}");
        let again = world.claim(Stage::Decoding).await;
        queue.report_failure(&again, FailureClass::LostLatents).await.unwrap();
        let steps_ms = u64::from(waiting.spec.steps) * 10;
        let lost = world.look().await;
        let all = whole + steps_ms;
        assert!(lost.progress == 0 && (all - 100..all + 200).contains(&left().await), "{lost:?}");
    }
}
