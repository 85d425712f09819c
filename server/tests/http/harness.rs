//! A product in a temporary folder, people who use it, and the work a GPU would do.

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, Request, StatusCode, request::Builder},
};
use domain::{Catalog, JobId, Model, Stage, WorkerId, catalog::testing, job::Layout, scheduling::Suspects};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use server::{Context, JsonLines, config::Limits, router};
use service::{Services, User, config::Storage};
use sha2::{Digest, Sha256};
use std::{
    path::Path,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    ArtifactKind, Claimed, LeaseToken, StoredObject,
    objects::ObjectsConfig,
    testing::{Dial, TempDatabase},
};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;
use tower_sessions::Session;
use uuid::Uuid;

pub struct Product {
    pub context: Context,
    pub router: Router,
    folder: TempDir,
    database: TempDatabase,
}

/// A customer with a user and a key.
pub struct Customer {
    pub user: User,
    pub key: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// All that another tenant may tell it by.
    pub fn without_request_id(mut self) -> Self {
        for name in ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "ratelimit"] {
            self.headers.remove(name);
        }
        self.headers.remove("x-request-id");
        self
    }
}

/// For tests that are not about time.
fn patient() -> Limits {
    Limits { request_deadline: Duration::from_secs(120), ..Limits::default() }
}

impl Product {
    pub async fn new(database: TempDatabase) -> Self {
        Self::with(database, patient()).await
    }

    pub async fn with(database: TempDatabase, limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path().to_owned(), Some(database.url.clone()));
        let services = storage.open().await.unwrap();
        let patient = services.store.clone().patient();
        let services = services.with_store(patient);
        services.store.migrate().await.unwrap();
        services.store.models().offer(testing::catalog().models()).await.unwrap();
        Self::of(services, folder, database, limits)
    }

    /// By this clock.
    pub async fn on(database: TempDatabase, dial: &Dial) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = database.open_at(dial).await.unwrap();
        let objects = store::objects::open(ObjectsConfig::Folder(folder.path().join("objects")), &store).await.unwrap();
        Self::of(Services::new(store, objects), folder, database, patient())
    }

    fn of(services: Services, folder: TempDir, database: TempDatabase, limits: Limits) -> Self {
        let context = Context::new(services.with_line_format(Arc::new(JsonLines)), None).with_limits(limits);
        let router = router(&context, folder.path());
        Self { context, router, folder, database }
    }

    /// The same with other services.
    pub fn changed(self, change: impl FnOnce(Services) -> Services) -> Self {
        let Self { context, folder, database, .. } = self;
        Self::of(change(context.services), folder, database, context.limits)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub const fn database(&self) -> &TempDatabase {
        &self.database
    }

    pub fn services(&self) -> &Services {
        &self.context.services
    }

    pub async fn customer(&self, name: &str) -> Customer {
        let user = self.services().sign_up(&format!("{name}@example.com"), "correct horse battery").await.unwrap();
        let key = self.services().create_key(user.actor(), "test", "").await.unwrap().secret;
        Customer { user, key }
    }

    /// What `look` brings once it brings something: what is known of the queue may be a little old, on a busy machine by more than a little.
    pub async fn soon<T>(&self, what: &str, look: impl AsyncFn() -> Option<T>) -> T {
        for _ in 0..400 {
            if let Some(seen) = look().await {
                return seen;
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!("{what}: it does not come")
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = Box::pin(self.router.clone().oneshot(request)).await.unwrap();
        let (parts, body) = response.into_parts();
        Answer { status: parts.status, headers: parts.headers, body: body.collect().await.unwrap().to_bytes() }
    }

    pub async fn get(&self, who: &Customer, path: &str) -> Answer {
        self.send(who.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, who: &Customer, path: &str, body: Value) -> Answer {
        let request = who.request("POST", path).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// A page, as a browser with this cookie gets it.
    pub async fn open(&self, cookie: &str, path: &str) -> Answer {
        self.send(Request::get(path).header("cookie", cookie).body(Body::empty()).unwrap()).await
    }

    /// Its HTML, also when it is led to first.
    pub async fn page(&self, cookie: &str, path: &str) -> String {
        let mut answer = self.open(cookie, path).await;
        if answer.status == StatusCode::FOUND {
            answer = self.open(cookie, answer.header("location")).await;
        }
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        String::from_utf8_lossy(&answer.body).into_owned()
    }

    /// A form, as a browser posts it: without a script, which `accept` says.
    pub async fn post_form(&self, cookie: &str, path: &str, form: &str) -> Answer {
        self.post_form_for("text/html", cookie, path, form).await
    }

    pub async fn post_form_for(&self, accept: &str, cookie: &str, path: &str, form: &str) -> Answer {
        let request = Request::post(path).header("accept", accept).header("cookie", cookie);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(Body::from(form.to_owned())).unwrap();
        self.send(request).await
    }

    pub async fn create(&self, who: &Customer, prompt: &str) -> JobId {
        let key = Uuid::now_v7().to_string();
        loop {
            let request = who.request("POST", "/v1/videos").header("content-type", "application/json").header("idempotency-key", &key);
            let answer = self.send(request.body(Body::from(json!({ "prompt": prompt, "seed": 7 }).to_string())).unwrap()).await;
            // On a busy machine it may not be known in time.
            if answer.status != StatusCode::SERVICE_UNAVAILABLE {
                assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
                return answer.json()["id"].as_str().unwrap().parse().unwrap();
            }
        }
    }

    /// A cookie of a browser in which `who` has signed in.
    pub async fn cookie(&self, who: &Customer) -> String {
        let session = Session::new(None, Arc::new(self.services().store.sessions()), None);
        session.insert(store::SESSION_USER, who.user.id).await.unwrap();
        session.save().await.unwrap();
        format!("reelmill_session={}", session.id().unwrap())
    }

    /// Offers these models and no others, and waits until this server does.
    pub async fn offer(&self, models: &[Model]) {
        self.services().store.models().offer(models).await.unwrap();
        self.until(|catalog| catalog.models() == models).await;
    }

    /// Waits until this server goes by a catalog of which that is true: it reads it again once a second.
    pub async fn until(&self, is_true: impl Fn(&Catalog) -> bool) {
        let seen = async {
            while !is_true(&self.services().catalog().await.unwrap()) {
                sleep(Duration::from_millis(50)).await;
            }
        };
        within(Duration::from_secs(60), seen).await.expect("the catalog should be read again");
    }

    /// Takes the oldest waiting job through a stage's claim.
    pub async fn claim(&self, stage: Stage) -> LeaseToken {
        self.claimed(stage).await.token
    }

    async fn claimed(&self, stage: Stage) -> Claimed {
        let (worker, models) = (WorkerId::from_uuid(Uuid::now_v7()), ["vignette-1", "tiny-1"]);
        let claimed = self.services().store.queue().claim(stage, worker, &models, 60_000, Suspects::Take).await.unwrap();
        claimed.expect("a job should be waiting")
    }

    /// Does what workers do with the only waiting job, on small real files.
    pub async fn finish(&self) {
        self.finish_with(content).await;
    }

    /// The same, with files of the test's own.
    pub async fn finish_with(&self, content: impl Fn(ArtifactKind) -> Bytes) {
        self.finish_as(content, None).await;
    }

    /// The same, as a model does that places things.
    pub async fn finish_drawn(&self, layout: &Layout) {
        self.finish_as(content, Some(layout)).await;
    }

    async fn finish_as(&self, content: impl Fn(ArtifactKind) -> Bytes, layout: Option<&Layout>) {
        let queue = self.services().store.queue();
        let sampling = self.claim(Stage::Sampling).await;
        let latents = self.upload(&sampling, &[ArtifactKind::Latents], &content).await.remove(0);
        queue.hand_over(&sampling, latents, 100).await.unwrap();
        let Claimed { token: decoding, job } = self.claimed(Stage::Decoding).await;
        let files = self.upload(&decoding, ArtifactKind::results(&job.spec), &content).await;
        queue.succeed(&decoding, files, layout, 50).await.unwrap();
    }

    async fn upload(&self, token: &LeaseToken, kinds: &[ArtifactKind], content: &impl Fn(ArtifactKind) -> Bytes) -> Vec<StoredObject> {
        let keys = self.services().store.queue().announce(token, kinds).await.unwrap();
        let mut stored = Vec::new();
        for (kind, key) in kinds.iter().zip(keys) {
            let bytes = content(*kind);
            self.services().objects.put(&key, kind.content_type(), bytes.clone()).await.unwrap();
            stored.push(StoredObject { kind: *kind, bytes: bytes.len() as u64, sha256: hex(&bytes) });
        }
        stored
    }
}

impl Customer {
    pub fn request(&self, method: &str, path: &str) -> Builder {
        Request::builder().method(method).uri(path).header("authorization", format!("Bearer {}", self.key))
    }
}

/// As `timeout`, by a clock that nearly stands still while this process is not let to run.
pub async fn within<F: Future>(limit: Duration, work: F) -> Option<F::Output> {
    const TICK: Duration = Duration::from_millis(50);
    let (mut work, mut passed) = (pin!(work), Duration::ZERO);
    while passed < limit {
        let begun = Instant::now();
        if let Ok(done) = timeout(TICK, &mut work).await {
            return Some(done);
        }
        passed += begun.elapsed().min(2 * TICK);
    }
    None
}

/// What the test's worker makes of every job.
pub fn content(kind: ArtifactKind) -> Bytes {
    Bytes::from(format!("the bytes of the {}", kind.as_str()))
}

pub fn hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Pretty JSON with what differs from run to run replaced by its name.
pub fn redacted(mut value: Value) -> String {
    redact(&mut value);
    serde_json::to_string_pretty(&value).unwrap()
}

fn redact(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                match (name.as_str(), &value) {
                    ("id" | "first_id" | "last_id" | "remixed_from_video_id", Value::String(text)) if text.starts_with("job_") => {
                        *value = json!("[id]")
                    }
                    ("project_id", Value::String(text)) if text.starts_with("project_") => *value = json!("[project]"),
                    ("created_at" | "completed_at", Value::Number(_)) => *value = json!("[moment]"),
                    _ => redact(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        _ => {}
    }
}
