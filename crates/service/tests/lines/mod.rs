//! A site where batches are sent, with lines in a form of its own, and a worker that makes whatever waits at once.

#![allow(dead_code, reason = "each test program uses a part of it")]

use crate::world::World;
use domain::{
    Actor, BatchId, FileId, JobRequest, Stage, VideoTime, WorkerId,
    batch::{FaultCode, FileExpiry, FilePurpose, LineFault},
    billing::Plan,
    catalog::testing::video_model,
    job::Deadlines,
    scheduling::{Suspects, Words},
};
use futures::TryStreamExt;
use service::{
    BatchRepetition, BatchRequest, BatchView, LineFormat, LineOutcome, LineRequest, LineResult, NewFile, ReadLine,
    webhook::{WebhookOptions, WebhookRequest},
};
use std::sync::Arc;
use store::{ArtifactKind, FileQuery, LeaseToken, Registration, StageTiming, StoredObject, WorkerRole, testing::TempDatabase};
use uuid::Uuid;

const LEASE_MS: i64 = 31_000;
const MODEL: &str = "vignette-1";

/// A line of an input.
pub fn line(name: &str, prompt: &str) -> String {
    format!("{name}|{prompt}\n")
}

/// `name|prompt`, maybe with `|fallback model|field that no request has` behind it, and `number|name|ok` or the code of what was wrong.
struct PlainLines;

impl LineFormat for PlainLines {
    fn read(&self, _: &str, line: &[u8]) -> ReadLine {
        let Some((name, prompt)) = std::str::from_utf8(line).ok().and_then(|text| text.split_once('|')) else {
            return ReadLine { custom_id: None, asked: Err(LineFault::new(FaultCode::InvalidJson, "no line")) };
        };
        let mut parts = prompt.split('|').map(|part| (!part.is_empty()).then(|| part.to_owned()));
        let request = JobRequest { prompt: parts.next().flatten().unwrap_or_default(), ..JobRequest::default() };
        let (deadlines, fallback_model, unknown_field) = (Deadlines::default(), parts.next().flatten(), parts.next().flatten());
        let asked = Ok(LineRequest { request, force: true, deadlines, fallback_model, unknown_field });
        ReadLine { custom_id: Some(name.to_owned()), asked }
    }

    fn write(&self, _: BatchId, result: &LineResult) -> Vec<u8> {
        let said = match &result.outcome {
            LineOutcome::Made(_) => "ok",
            LineOutcome::Failed(fault) => &fault.code,
        };
        format!("{}|{}|{said}\n", result.number, result.custom_id.as_deref().unwrap_or_default()).into_bytes()
    }
}

pub struct Site {
    pub world: World,
    worker: WorkerId,
}

impl Site {
    pub async fn new(database: TempDatabase) -> Self {
        let world = World::new(database).await;
        let services = world.services.clone().with_line_format(Arc::new(PlainLines)).with_webhooks(&WebhookOptions::default());
        // Where nobody wants to be told, nothing waits to be.
        let (name, url, events) = ("batches".to_owned(), "https://receiver.example.com/".to_owned(), vec!["batch.completed".to_owned()]);
        let receiver = WebhookRequest { name: Some(name), url: Some(url), events: Some(events), is_enabled: None };
        services.create_webhook(world.ada.actor(), receiver, "").await.unwrap();
        Self { world: World { services, ..world }, worker: WorkerId::from_uuid(Uuid::now_v7()) }
    }

    pub fn actor(&self) -> Actor {
        self.world.ada.actor()
    }

    pub async fn upload_by(&self, actor: Actor, text: &str) -> FileId {
        let mut upload = self.world.services.begin_file(actor).await.unwrap();
        for piece in text.as_bytes().chunks(1000) {
            upload.write(piece.to_vec().into()).await.unwrap();
        }
        let new = NewFile { name: "lines".into(), purpose: FilePurpose::Batch, expiry: FileExpiry::default() };
        upload.finish(new).await.unwrap().id
    }

    pub fn request(&self, input: FileId, window: &str, is_dry_run: bool) -> BatchRequest {
        let (endpoint, window) = ("/v1/videos".to_owned(), window.parse().unwrap());
        BatchRequest {
            input,
            endpoint,
            window,
            metadata: None,
            output_expiry: FileExpiry::default(),
            is_dry_run,
            repetition: BatchRepetition::default(),
        }
    }

    pub async fn batch(&self, text: &str, window: &str) -> BatchId {
        let input = self.upload_by(self.actor(), text).await;
        self.world.services.create_batch(self.actor(), self.request(input, window, false)).await.unwrap().batch.id
    }

    pub async fn quoted(&self, text: &str) -> BatchId {
        let input = self.upload_by(self.actor(), text).await;
        self.world.services.create_batch(self.actor(), self.request(input, "24h", true)).await.unwrap().batch.id
    }

    pub async fn look(&self, id: BatchId) -> BatchView {
        self.world.services.batch(self.actor(), id).await.unwrap().unwrap()
    }

    /// Every batch that is due goes on by a step; then those that rest are due.
    pub async fn step(&self) {
        self.world.services.step_batches(Actor::System).await.unwrap();
        self.world.dial.advance_ms(12_000);
    }

    /// The same, dropped after it was looked at so often; then its lease has run out.
    pub async fn step_broken_off_after(&self, looks: u32) {
        let stopped = async {
            for _ in 0..looks {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            done = self.world.services.step_batches(Actor::System) => drop(done.unwrap()),
            () = stopped => {}
        }
        self.world.dial.advance_ms(LEASE_MS);
    }

    pub async fn run_until_ended(&self, id: BatchId) {
        for _ in 0..200 {
            if self.look(id).await.batch.status.is_final() {
                return;
            }
            self.step().await;
            self.make_all().await;
        }
        panic!("it does not end: {:?}", self.look(id).await);
    }

    async fn claim(&self, stage: Stage) -> Option<LeaseToken> {
        let queue = self.world.services.store.queue();
        queue.release().await.unwrap();
        queue.claim(stage, self.worker, &[MODEL], 10 * 3_600_000, Suspects::Take).await.unwrap().map(|claimed| claimed.token)
    }

    /// A job that a worker has.
    pub async fn begin_one(&self) -> LeaseToken {
        self.claim(Stage::Sampling).await.unwrap()
    }

    pub async fn end_one(&self, token: &LeaseToken) {
        let queue = self.world.services.store.queue();
        let object = |kind| StoredObject { kind, bytes: 1, sha256: "ab".repeat(32) };
        queue.announce(token, &[ArtifactKind::Latents]).await.unwrap();
        queue.hand_over(token, object(ArtifactKind::Latents), 1).await.unwrap();
        let token = self.claim(Stage::Decoding).await.unwrap();
        queue.announce(&token, &[ArtifactKind::Video]).await.unwrap();
        queue.succeed(&token, vec![object(ArtifactKind::Video)], None, 1).await.unwrap();
    }

    /// Samples a job that a worker has, and leaves it to a decoder.
    pub async fn half_make(&self, token: &LeaseToken) {
        let queue = self.world.services.store.queue();
        let latents = StoredObject { kind: ArtifactKind::Latents, bytes: 1, sha256: "ab".repeat(32) };
        queue.announce(token, &[ArtifactKind::Latents]).await.unwrap();
        queue.hand_over(token, latents, 1).await.unwrap();
    }

    /// Makes all that waits.
    pub async fn make_all(&self) {
        while let Some(token) = self.claim(Stage::Sampling).await {
            self.end_one(&token).await;
        }
    }

    pub async fn results(&self, id: BatchId) -> Vec<LineResult> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let some = self.world.services.batch_results(self.actor(), id, after).await.unwrap().unwrap();
            let Some(last) = some.last() else { return all };
            after = Some(last.number);
            all.extend(some);
        }
    }

    pub async fn content(&self, id: FileId) -> String {
        let content = self.world.services.file_content(self.actor(), id).await.unwrap().unwrap();
        let bytes: Vec<u8> =
            content.stream.body.try_fold(Vec::new(), |all, piece| async move { Ok([all, piece.to_vec()].concat()) }).await.unwrap();
        assert_eq!(bytes.len() as u64, content.file.bytes);
        String::from_utf8(bytes).unwrap()
    }

    pub async fn listed(&self) -> usize {
        let query = FileQuery { after: None, limit: 100, oldest_first: false, purpose: None };
        self.world.services.files(self.actor(), query).await.unwrap().files.len()
    }

    /// Of all tenants, as they lie in the object store, without temporary ones, which go by themselves.
    pub async fn stored_files(&self) -> usize {
        let listed: Vec<_> = self.world.services.objects.list().try_collect().await.unwrap();
        let is_temporary = |key: &str| key.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        listed.iter().filter(|object| object.key.contains("/files/") && !is_temporary(&object.key)).count()
    }

    /// Removes what is garbage, some time later.
    pub async fn settle(&self) {
        self.world.dial.advance_ms(3_700_000);
        self.world.services.expire_files(Actor::System).await.unwrap();
        self.world.dial.advance_ms(1);
        self.world.services.remove_garbage(Actor::System, 0).await.unwrap();
    }

    /// The kinds of events of batches that wait to be told.
    pub async fn events(&self) -> Vec<String> {
        self.texts("SELECT kind FROM outbox WHERE kind LIKE 'batch.%' ORDER BY number").await
    }

    pub async fn texts(&self, select: &str) -> Vec<String> {
        self.world.database.texts(select).await
    }

    /// What was charged by the ledger.
    pub async fn charged(&self) -> VideoTime {
        let sum = "SELECT CAST(COALESCE(SUM(charged_ms), 0) AS TEXT) FROM jobs";
        VideoTime::from_ms(self.texts(sum).await[0].parse().unwrap())
    }

    pub async fn set_plan(&self, change: impl FnOnce(Plan) -> Plan) {
        let credits = self.world.services.store.tenant(self.world.ada.tenant).credits();
        let plan = Plan { id: "own".into(), ..change(credits.plan().await.unwrap()) };
        self.world.services.store.plans().define(&plan, None).await.unwrap();
        credits.set_plan("own").await.unwrap();
    }

    /// A worker whose times are known.
    pub async fn measured_worker(&self) {
        let (store, model) = (&self.world.services.store, video_model());
        store.workers().register(self.worker, Registration::new(WorkerRole::All, "cpu", &[&model.id])).await.unwrap();
        for (stage, steps, device_ms) in [(Stage::Sampling, 10, 100), (Stage::Decoding, 0, 100)] {
            let (device, shape) = ("cpu".into(), model.shape_default());
            let timing =
                StageTiming { worker: self.worker, device, model: model.id.clone(), stage, shape, steps, words: Words::NONE, device_ms };
            store.timings().record(timing).await.unwrap();
        }
    }
}
