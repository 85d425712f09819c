//! A database, a folder of objects, a tenant, and workers that are started, stopped and killed.

use crate::small_model;
use domain::{Actor, JobId, JobRequest, JobState, Size, Stage, WorkerId, scheduling::Suspects};
use service::{
    Services, Submission, User,
    config::Storage,
    job::{SubmitError, new_idempotency_key},
};
use sha2::{Digest, Sha256};
use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    future::Future,
    process::{self, Child, Command, ExitStatus},
    time::{Duration, Instant},
};
use store::{Artifact, ArtifactKind, Job, StoreError, StoredObject, WorkerCondition, testing::TempDatabase};
use tempfile::{NamedTempFile, TempDir};

/// Nothing here takes so long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(180);
const PLANTS: usize = 4;

pub struct Plant {
    pub services: Services,
    pub user: User,
    /// Where workers find the database.
    pub database_url: String,
    pub data: TempDir,
    /// Where held workers say so.
    faults: TempDir,
    pub database: TempDatabase,
    _turn: File,
}

/// A worker process; killed when dropped.
pub struct Worker {
    child: Child,
    log: NamedTempFile,
}

impl Plant {
    pub async fn new(database: TempDatabase) -> Self {
        let turn = turn();
        let data = tempfile::tempdir().unwrap();
        let services = storage(&data, &database).open().await.unwrap();
        services.store.migrate().await.unwrap();
        services.offer_models(Actor::System, small_model::models()).await.unwrap();
        let user = services.sign_up("tess@example.org", "correct horse battery staple").await.unwrap();
        let faults = tempfile::tempdir().unwrap();
        Self { services, user, database_url: database.url.clone(), data, faults, database, _turn: turn }
    }

    /// Starts a worker with these arguments beside those that name the plant.
    pub fn start(&self, arguments: &str) -> Worker {
        self.start_in(arguments, &[])
    }

    /// The same with these variables in its environment.
    pub fn start_in(&self, arguments: &str, variables: &[(&str, &str)]) -> Worker {
        // Not even a killed test leaves its workers behind.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", env!("CARGO_BIN_EXE_reelmill-worker")]);
        command
            .env("REELMILL_MODELS", small_model::models())
            .arg("--data")
            .arg(self.data.path())
            .args(["--database-url", &self.database_url])
            .arg("--log-json")
            .arg("--fault-folder")
            .arg(self.faults.path())
            .args(arguments.split_whitespace());
        command.envs(variables.iter().copied());
        for name in ["DATABASE_URL", "S3_BUCKET", "REELMILL_DATA"] {
            command.env_remove(name);
        }
        let log = NamedTempFile::new_in(self.data.path()).unwrap();
        command.stderr(log.reopen().unwrap()).env("RUST_LOG", "info").env("RAYON_NUM_THREADS", "2");
        Worker { child: command.spawn().unwrap(), log }
    }

    /// What tells a worker where the plant is.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mut environment = storage(&self.data, &self.database).environment();
        environment.push(("REELMILL_MODELS", small_model::models().into()));
        environment
    }

    /// Starts so many workers and waits until all have registered.
    pub async fn start_many(&self, count: usize, arguments: &str) -> Vec<Worker> {
        let before = self.alive().await;
        let workers = (0..count).map(|_| self.start(arguments)).collect();
        eventually("all workers have registered", || async { (self.alive().await >= before + count).then_some(()) }).await;
        workers
    }

    /// Rows of workers that have not retired; a worker for both stages counts twice.
    pub async fn alive(&self) -> usize {
        let fleet = self.services.store.workers().fleet(i64::from(u32::MAX)).await.unwrap();
        (fleet.samplers + fleet.decoders) as usize
    }

    /// Whether nobody sits on the database's write lock.
    pub async fn can_be_written(&self) -> bool {
        let nobody = WorkerId::from_uuid(uuid::Uuid::nil());
        let workers = self.services.store.workers();
        let write = workers.beat(nobody, WorkerCondition::Working, store::SpareTime::default());
        tokio::time::timeout(Duration::from_secs(5), write).await.is_ok_and(|written| written.is_ok())
    }

    /// Waits until the worker is held at a point.
    pub async fn until_held(&self, worker: &Worker, point: &str) {
        let said = self.faults.path().join(format!("{}.{point}", worker.child.id()));
        eventually(&format!("a worker is held at {point}"), || async { said.exists().then_some(()) }).await;
    }

    /// Lets a held worker go on.
    pub fn let_go(&self, worker: &Worker) {
        fs::write(self.faults.path().join(format!("{}.go", worker.child.id())), "").unwrap();
    }

    /// Takes the leases of these jobs for expired, whoever holds them.
    pub async fn expire(&self, jobs: &[JobId]) {
        for job in jobs {
            self.services.store.end_lease(*job).await.unwrap();
        }
        let store = &self.services.store;
        store.queue().expire_leases(store.now().await.unwrap()).await.unwrap();
    }

    /// Submits a small video.
    pub async fn submit(&self, prompt: &str, seed: u64, steps: u32) -> JobId {
        let request = JobRequest {
            prompt: prompt.to_owned(),
            size: Some(Size { width: 96, height: 96 }.to_string()),
            steps: Some(steps.to_string()),
            seed: Some(seed.to_string()),
            ..JobRequest::default()
        };
        self.ask(request).await
    }

    pub async fn ask(&self, request: JobRequest) -> JobId {
        self.ask_with(Submission { request, ..Submission::default() }).await
    }

    pub async fn ask_with(&self, submission: Submission) -> JobId {
        // Prompts of these tests name faults, which the model has no picture of.
        let submission = Submission { idempotency_key: Some(new_idempotency_key()), force: true, ..submission };
        // As a client does, again where many workers write at once on a busy machine.
        let submit = || async {
            match self.services.submit(self.user.actor(), submission.clone()).await {
                Ok(accepted) => Some(accepted.job.id),
                Err(SubmitError::Unknown | SubmitError::Store(StoreError::Database(_))) => None,
                Err(error) => panic!("{error}"),
            }
        };
        eventually("a video is taken in", submit).await
    }

    pub async fn job(&self, id: JobId) -> Job {
        self.services.store.tenant(self.user.tenant).jobs().get(id).await.unwrap().unwrap()
    }

    /// Does what a sampler of another version does with the only waiting job of a model: its latents are none that workers here can read.
    pub async fn sample_as_another_version(&self, model: &str) {
        let (queue, worker) = (self.services.store.queue(), WorkerId::from_uuid(uuid::Uuid::now_v7()));
        let claimed = queue.claim(Stage::Sampling, worker, &[model], 60_000, Suspects::Take).await.unwrap();
        let (token, latents, kind) = (claimed.unwrap().token, b"as another version writes them", ArtifactKind::Latents);
        let key = queue.announce(&token, &[kind]).await.unwrap().remove(0);
        self.services.objects.put(&key, kind.content_type(), latents.as_slice().into()).await.unwrap();
        let sha256 = hex::encode(Sha256::digest(latents));
        queue.hand_over(&token, StoredObject { kind, bytes: latents.len() as u64, sha256 }, 1).await.unwrap();
    }

    /// Looks at the job until it is as wanted.
    pub async fn until(&self, id: JobId, what: &str, wanted: impl Fn(&Job) -> bool) -> Job {
        eventually(what, || async { Some(self.job(id).await).filter(|job| wanted(job)) }).await
    }

    pub async fn until_sampling(&self, id: JobId, step: u32) -> Job {
        self.until(id, "the job is being sampled", |job| matches!(job.lifecycle.state, JobState::Sampling(_)) && job.step >= step).await
    }

    /// Waits for the job's end, which must be a good one.
    pub async fn until_succeeded(&self, id: JobId) -> Job {
        let job = self.until(id, "the job has ended", |job| job.lifecycle.state.is_terminal()).await;
        assert_eq!(job.lifecycle.state, JobState::Succeeded, "{job:?}");
        job
    }

    /// The files of a finished job, after a look at each: its bytes are the ones that were promised.
    pub async fn files(&self, id: JobId) -> Vec<Artifact> {
        let jobs = self.services.store.tenant(self.user.tenant).jobs();
        let mut files = Vec::new();
        for kind in ArtifactKind::results(&self.job(id).await.spec) {
            let artifact = jobs.artifact(id, Some(*kind)).await.unwrap().expect("the artifact is committed");
            let bytes = self.bytes(&artifact).await;
            let sha256 = hex::encode(Sha256::digest(&bytes));
            assert_eq!((artifact.bytes, &artifact.sha256), (bytes.len() as u64, &sha256), "{artifact:?}");
            files.push(artifact);
        }
        files
    }

    pub async fn bytes(&self, artifact: &Artifact) -> Vec<u8> {
        use futures::TryStreamExt;
        let stream = self.services.objects.get(&artifact.object_key, None).await.expect("the file is there");
        stream.body.try_collect::<Vec<_>>().await.unwrap().concat()
    }
}

impl Worker {
    /// Sends a signal by its name: KILL, TERM, STOP, CONT.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success(), "SIG{name}");
    }

    /// Whether the worker has said this, as it stands in its JSON log.
    pub fn has_said(&self, words: &str) -> bool {
        fs::read_to_string(self.log.path()).unwrap().contains(words)
    }

    /// All that it has said.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log.path()).unwrap()
    }

    /// How often the worker has said this.
    pub fn times_said(&self, words: &str) -> usize {
        fs::read_to_string(self.log.path()).unwrap().matches(words).count()
    }

    pub async fn exited(&mut self) -> ExitStatus {
        let child = std::cell::RefCell::new(&mut self.child);
        eventually("the worker has exited", || async { child.borrow_mut().try_wait().unwrap() }).await
    }

    pub fn has_exited(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A few plants at a time, even between processes: each has workers that use all cores.
fn turn() -> File {
    let files: Vec<File> =
        (0..PLANTS).map(|n| File::create(env::temp_dir().join(format!("reelmill-worker-tests-{n}.lock"))).unwrap()).collect();
    let free = files.iter().position(|file| file.try_lock().is_ok()).unwrap_or(process::id() as usize % PLANTS);
    let file = files.into_iter().nth(free).unwrap();
    file.lock().unwrap();
    file
}

fn storage(data: &TempDir, database: &TempDatabase) -> Storage {
    Storage::in_folder(data.path().to_owned(), Some(database.url.clone()))
}

/// Looks again and again until there is something to see.
pub async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, look: impl Fn() -> F) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
