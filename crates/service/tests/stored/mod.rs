//! A product that has made one video, in a folder and a database of its own.

#![allow(dead_code, reason = "each test program uses a part of it")]

use bytes::Bytes;
use domain::{Actor, JobId, JobRequest, Stage, WorkerId, catalog, scheduling::Suspects};
use service::{
    Services, Submission, User,
    check::{CheckOptions, CheckReport},
    config::Storage,
};
use sha2::{Digest, Sha256};
use std::time::Duration;
use store::{
    ArtifactKind::{self, Latents, Spritesheet, Thumbnail, Video},
    LeaseToken, StoredObject,
    testing::TempDatabase,
};
use tempfile::TempDir;
use uuid::Uuid;

pub const BYTES: Bytes = Bytes::from_static(b"not really a video");

/// A product that has made one video.
pub struct World {
    pub services: Services,
    pub user: User,
    pub folder: TempDir,
    pub database: TempDatabase,
    pub completed: JobId,
}

impl World {
    pub async fn new(database: TempDatabase) -> Self {
        let folder = TempDir::new().unwrap();
        let storage = Storage::in_folder(folder.path().to_owned(), Some(database.url.clone()));
        let services = storage.open().await.unwrap();
        services.store.migrate().await.unwrap();
        services.store.models().offer(catalog::testing::catalog().models()).await.unwrap();
        let user = services.sign_up("tess@example.org", "correct horse battery staple").await.unwrap();
        let mut world = Self { services, user, folder, database, completed: JobId::from_uuid(Uuid::nil()) };
        world.completed = world.complete().await;
        world
    }

    pub fn storage(&self) -> Storage {
        Storage::in_folder(self.folder.path().to_owned(), Some(self.database.url.clone()))
    }

    /// Makes one more video.
    pub async fn complete(&self) -> JobId {
        self.submit().await;
        self.make_next().await
    }

    /// Makes the one that waits for the longest time.
    pub async fn make_next(&self) -> JobId {
        let sampling = self.claim(Stage::Sampling).await;
        let latents = self.upload(&sampling, &[Latents]).await.remove(0);
        self.services.store.queue().hand_over(&sampling, latents, 1).await.unwrap();
        let decoding = self.claim(Stage::Decoding).await;
        let files = self.upload(&decoding, &[Video, Thumbnail, Spritesheet]).await;
        self.services.store.queue().succeed(&decoding, files, None, 1).await.unwrap();
        decoding.job
    }

    pub async fn submit(&self) -> JobId {
        let request = JobRequest { prompt: "the sea".into(), ..JobRequest::default() };
        let submission = Submission { request, ..Submission::default() };
        self.services.submit(self.user.actor(), submission).await.unwrap().job.id
    }

    pub async fn claim(&self, stage: Stage) -> LeaseToken {
        let worker = WorkerId::from_uuid(Uuid::now_v7());
        let claimed = self.services.store.queue().claim(stage, worker, &["vignette-1"], 60_000, Suspects::Take).await.unwrap();
        claimed.expect("a job waits").token
    }

    pub async fn upload(&self, token: &LeaseToken, kinds: &[ArtifactKind]) -> Vec<StoredObject> {
        let keys = self.services.store.queue().announce(token, kinds).await.unwrap();
        for (key, kind) in keys.iter().zip(kinds) {
            self.services.objects.put(key, kind.content_type(), BYTES).await.unwrap();
        }
        let sha256 = hex::encode(Sha256::digest(&BYTES));
        kinds.iter().map(|kind| StoredObject { kind: *kind, bytes: BYTES.len() as u64, sha256: sha256.clone() }).collect()
    }

    pub async fn video_key(&self) -> String {
        self.key_of(self.completed).await
    }

    /// Of the video of a job.
    pub async fn key_of(&self, job: JobId) -> String {
        let jobs = self.services.store.tenant(self.user.tenant).jobs();
        jobs.artifact(job, Some(Video)).await.unwrap().unwrap().object_key
    }

    pub async fn check(&self, hashes: bool, grace: Duration) -> CheckReport {
        self.services.check(Actor::Operator, CheckOptions { hashes, grace }).await.unwrap()
    }
}
