//! Garbage keeps pace with what is made, and an object that cannot be removed stands in nobody's way.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use domain::{Actor, JobRequest, Seed, Stage, WorkerId, catalog, job::Deadlines, scheduling::Suspects};
use service::{Services, User};
use std::{path::PathBuf, time::Instant};
use store::{
    ArtifactKind, NewJob, StoredObject,
    objects::{ObjectsConfig, open},
    on_both_engines,
    testing::{Dial, TempDatabase},
};
use tempfile::TempDir;
use uuid::Uuid;

/// More than are looked at together.
const JOBS: usize = 600;
const OBJECT: &[u8] = &[7; 20_000];

struct World {
    services: Services,
    user: User,
    dial: Dial,
    folder: TempDir,
    _database: TempDatabase,
}

impl World {
    async fn new(database: TempDatabase) -> Self {
        let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
        let store = database.open_at(&dial).await.unwrap();
        let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let services = Services::new(store, objects);
        let user = services.sign_up("ada@example.com", "correct horse battery").await.unwrap();
        Self { services, user, dial, folder, _database: database }
    }

    /// A job that has ended after its latents were stored; returns their key.
    async fn ended_job(&self) -> String {
        let (jobs, queue) = (self.services.store.tenant(self.user.tenant).jobs(), self.services.store.queue());
        let request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
        let (spec, quote) = request.parse(&catalog::testing::catalog(), Seed::ZERO).unwrap();
        let job = NewJob {
            user: self.user.id,
            api_key: None,
            project: None,
            remixed_from: None,
            trace_id: None,
            traceparent: None,
            quote,
            work: None,
            spec,
            understanding: None,
            deadlines: Deadlines::default(),
            fallback: None,
            callback: None,
            refused: None,
        };
        let id = jobs.submit(job, None).await.unwrap().job.id;
        let worker = WorkerId::from_uuid(Uuid::now_v7());
        let claimed = queue.claim(Stage::Sampling, worker, &["vignette-1"], 60_000, Suspects::Take).await.unwrap().unwrap();
        let key = queue.announce(&claimed.token, &[ArtifactKind::Latents]).await.unwrap().remove(0);
        self.services.objects.put(&key, "application/octet-stream", OBJECT.into()).await.unwrap();
        let latents = StoredObject { kind: ArtifactKind::Latents, bytes: OBJECT.len() as u64, sha256: "ab".repeat(32) };
        queue.hand_over(&claimed.token, latents, 1).await.unwrap();
        jobs.cancel(id).await.unwrap();
        key
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.path().join(key)
    }
}

on_both_engines! {
    async fn the_latents_of_all_jobs_that_ended_go_in_one_turn(database: TempDatabase) {
        let world = World::new(database).await;
        let mut keys = Vec::new();
        for _ in 0..JOBS {
            keys.push(world.ended_job().await);
        }
        let started = Instant::now();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        let took = started.elapsed();
        eprintln!("garbage of {JOBS} jobs removed in {took:?}");
        assert!(keys.iter().all(|key| !world.file(key).exists()));
        assert!(world.services.store.queue().garbage(0, 1).await.unwrap().is_empty());
        assert!(took.as_secs() < 36, "slower than a thousand jobs a minute: {took:?}");
    }

    async fn what_cannot_be_removed_is_left_behind_and_tried_again(database: TempDatabase) {
        let world = World::new(database).await;
        let mut keys = Vec::new();
        for _ in 0..12 {
            keys.push(world.ended_job().await);
        }
        let (stuck, others) = keys.split_at(4);
        for key in stuck {
            std::fs::remove_file(world.file(key)).unwrap();
            std::fs::create_dir_all(world.file(key).join("in the way")).unwrap();
        }
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        assert!(others.iter().all(|key| !world.file(key).exists()));
        assert!(world.services.store.queue().garbage(0, 100).await.unwrap().is_empty(), "they have to wait");
        for key in stuck {
            std::fs::remove_dir_all(world.file(key)).unwrap();
        }
        world.dial.advance_ms(60_000);
        assert_eq!(world.services.store.queue().garbage(0, 100).await.unwrap().len(), 4);
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        world.dial.advance_ms(600_000);
        assert!(world.services.store.queue().garbage(0, 100).await.unwrap().is_empty());
    }

    async fn an_object_store_that_is_away_is_nobodys_fault(database: TempDatabase) {
        let world = World::new(database).await;
        let key = world.ended_job().await;
        let marker = world.folder.path().join(".reelmill-store");
        let aside = world.folder.path().join("aside");
        std::fs::rename(&marker, &aside).unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        assert!(world.file(&key).exists());
        std::fs::rename(&aside, &marker).unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        assert!(!world.file(&key).exists());
    }
}
