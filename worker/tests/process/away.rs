//! A database that is away for longer than a lease, an object store that is away at the wrong moment: what
//! was under way costs no attempt. Latents that were damaged are made again.

use crate::plant::{Plant, Worker, eventually};
use domain::{
    Actor, JobState,
    job::{Decision, FailureClass},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use store::testing::{Engine, TempDatabase};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

/// A wire to a PostgreSQL server that can be cut.
struct Wire {
    /// Where to connect instead.
    address: String,
    cut: Arc<AtomicBool>,
}

impl Wire {
    async fn to(address: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let wire = Self { address: listener.local_addr().unwrap().to_string(), cut: Arc::default() };
        let cut = Arc::clone(&wire.cut);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let (address, cut) = (address.clone(), Arc::clone(&cut));
                tokio::spawn(async move {
                    tokio::select! {
                        () = until_cut(&cut) => {}
                        _ = async {
                            let mut far = TcpStream::connect(address).await?;
                            copy_bidirectional(&mut near, &mut far).await
                        } => {}
                    }
                });
            }
        });
        wire
    }

    fn cut(&self, cut: bool) {
        self.cut.store(cut, Ordering::SeqCst);
    }
}

async fn until_cut(cut: &AtomicBool) {
    while !cut.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Host and port of `postgres://user@host:port/database`.
fn authority(url: &str) -> &str {
    url.split_once("://").unwrap().1.split('/').next().unwrap().rsplit('@').next().unwrap()
}

/// Waits until the worker has given up a job so often, by its own clock.
async fn until_dropped(worker: &Worker, times: usize) {
    eventually("the worker has dropped the job", || async { (worker.times_said("not renewed in time") >= times).then_some(()) }).await;
}

/// On PostgreSQL alone: SQLite is a file, which is never away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_whose_database_was_away_longer_than_its_lease_loses_no_attempt() {
    let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
    let mut plant = Plant::new(database).await;
    let direct = plant.database_url.clone();
    let wire = Wire::to(authority(&direct).to_owned()).await;
    plant.database_url = direct.replace(authority(&direct), &wire.address);

    let mut worker = plant.start("--lease-ms 12000 --fault hold:step:3");
    let job = plant.submit("a campfire at night", 1, 60).await;
    plant.until_held(&worker, "step-3").await;
    wire.cut(true);
    until_dropped(&worker, 1).await;
    wire.cut(false);
    plant.let_go(&worker);
    let done = plant.until_succeeded(job).await;
    assert_eq!((done.lifecycle.attempts, done.lifecycle.suspect), (1, false));
    assert!(done.lifecycle.epoch > 2, "it was given back and claimed anew: {done:?}");
    let told: Vec<_> = done.failed_attempts.iter().map(|attempt| (attempt.class, attempt.decision)).collect();
    assert_eq!(told, [(FailureClass::Network, Decision::GiveBack)], "the outage is written down");
    assert!(!worker.has_exited());
}

store::on_both_engines! {
    async fn a_database_that_nobody_can_write_for_longer_than_a_lease_costs_no_attempt(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut worker = plant.start("--lease-ms 12000 --fault hold:step:3");
        let job = plant.submit("a campfire at night", 1, 12).await;
        plant.until_held(&worker, "step-3").await;
        // Another process, which expires leases, has just been started.
        let _other = plant.start_many(1, "--role decoder --lease-ms 12000").await;
        for round in 1..=3 {
            let held = plant.database.hold("BEGIN IMMEDIATE", "LOCK TABLE jobs IN EXCLUSIVE MODE").await;
            until_dropped(&worker, round).await;
            drop(held);
            let epoch = 1 + round as u32;
            plant.until(job, "the job is claimed again", |job| job.lifecycle.epoch >= epoch).await;
        }
        plant.let_go(&worker);
        let done = plant.until_succeeded(job).await;
        assert_eq!((done.lifecycle.attempts, done.lifecycle.suspect), (1, false));
        assert!(!worker.has_exited());
    }

    async fn a_job_waits_for_an_object_store_that_is_away(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut worker = plant.start("--fault hold:step:3");
        let job = plant.submit("a campfire at night", 1, 12).await;
        plant.until_held(&worker, "step-3").await;
        let (objects, elsewhere) = (plant.data.path().join("objects"), plant.data.path().join("elsewhere"));
        fs::rename(&objects, &elsewhere).unwrap();
        fs::write(&objects, "no folder").unwrap();
        plant.let_go(&worker);
        eventually("the worker has tried twice", || async { (worker.times_said("the object store fails") >= 2).then_some(()) }).await;
        fs::remove_file(&objects).unwrap();
        fs::rename(&elsewhere, &objects).unwrap();
        let done = plant.until_succeeded(job).await;
        assert_eq!((done.lifecycle.attempts, plant.files(job).await.len()), (1, 3));
        assert!(!worker.has_exited());
    }
}

/// The latents that wait for a decoder.
fn latents(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find_map(|path| match path.is_dir() {
        true => latents(&path),
        false => path.ends_with("latents.safetensors").then_some(path),
    })
}

store::on_both_engines! {
    async fn latents_that_are_damaged_or_gone_are_made_again(database: TempDatabase) {
        let plant = Plant::new(database).await;
        for (seed, damage) in [remove, cut, flip].into_iter().enumerate() {
            let sampler = plant.start("--role sampler");
            let job = plant.submit("a campfire at night", seed as u64, 2).await;
            plant.until(job, "the job is sampled", |job| job.lifecycle.state == JobState::Sampled).await;
            drop(sampler);
            damage(&latents(plant.data.path()).expect("there are latents")).unwrap();
            let _worker = plant.start("");
            assert_eq!(plant.until_succeeded(job).await.lifecycle.attempts, 2);
            assert_eq!(plant.files(job).await.len(), 3);
            plant.services.remove_garbage(Actor::System, 0).await.unwrap();
        }
    }
}

store::on_both_engines! {
    async fn latents_that_cannot_be_read_where_other_objects_can_are_made_again(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let sampler = plant.start("--role sampler");
        let job = plant.submit("a campfire at night", 1, 2).await;
        plant.until(job, "the job is sampled", |job| job.lifecycle.state == JobState::Sampled).await;
        drop(sampler);
        let object = latents(plant.data.path()).expect("there are latents");
        fs::remove_file(&object).unwrap();
        // To open it is an error of the file system, for ever.
        std::os::unix::fs::symlink(&object, &object).unwrap();
        let worker = plant.start("--objects-timeout-ms 1000");
        assert_eq!(plant.until_succeeded(job).await.lifecycle.attempts, 2);
        assert!(worker.has_said("the object store fails"), "not taken for missing at once");
    }
}

fn remove(file: &Path) -> io::Result<()> {
    fs::remove_file(file)
}

fn cut(file: &Path) -> io::Result<()> {
    fs::write(file, "short")
}

/// Changes one bit of the last number.
fn flip(file: &Path) -> io::Result<()> {
    let mut bytes = fs::read(file)?;
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(file, bytes)
}
