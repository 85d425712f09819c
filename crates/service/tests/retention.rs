//! Videos are kept as long as their tenant's plan says, and go whole, also when the process that removes them is killed.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod world;

use bytes::Bytes;
use domain::{Actor, Clock, JobId, Stage, WorkerId, billing::Plan, scheduling::Suspects};
use service::{Services, User, check::CheckOptions};
use sha2::{Digest, Sha256};
use std::{
    env, fs,
    path::Path,
    process::{Child, Command},
    time::Duration,
};
use store::{
    ArtifactKind::{self, Latents, Spritesheet, Thumbnail, Video},
    LeaseToken, StoredObject,
    clock::Instant,
    objects::{self, ObjectsConfig},
    on_both_engines,
    testing::Dial,
};
use uuid::Uuid;
use world::{PASSWORD, World};

const DAY_MS: i64 = 86_400_000;
/// Names the database, the objects and the time of a process that only removes.
const REMOVER: [&str; 3] = ["REELMILL_TEST_REMOVER_DATABASE", "REELMILL_TEST_REMOVER_OBJECTS", "REELMILL_TEST_REMOVER_NOW"];
const BYTES: Bytes = Bytes::from_static(b"not really a video");

/// From now on the tenant's plan keeps videos for so many days.
async fn keeps(world: &World, user: &User, days: Option<u32>) {
    let id = days.map_or_else(|| "for-ever".to_owned(), |days| format!("days-{days}"));
    let plans = world.services.plans(Actor::Operator).await.unwrap();
    let unlimited = plans.into_iter().find(|plan| plan.id == "unlimited").unwrap();
    let plan = Plan { id: id.clone(), name: id.clone(), retention_days: days, ..unlimited };
    world.services.define_plan(Actor::Operator, &plan, None).await.unwrap();
    world.services.set_plan(Actor::Operator, user.tenant, &id).await.unwrap();
}

/// A finished video with all its files.
async fn finished(world: &World, user: &User, prompt: &str) {
    world.make(user, prompt).await;
    let queue = world.services.store.queue();
    let sampling = claim(world, Stage::Sampling).await;
    let latents = upload(world, &sampling, &[Latents]).await.remove(0);
    queue.hand_over(&sampling, latents, 1).await.unwrap();
    let decoding = claim(world, Stage::Decoding).await;
    let files = upload(world, &decoding, &[Video, Thumbnail, Spritesheet]).await;
    queue.succeed(&decoding, files, None, 1).await.unwrap();
}

async fn claim(world: &World, stage: Stage) -> LeaseToken {
    let worker = WorkerId::from_uuid(Uuid::now_v7());
    let claimed = world.services.store.queue().claim(stage, worker, &["vignette-1"], 60_000, Suspects::Take).await.unwrap();
    claimed.expect("a job waits").token
}

async fn upload(world: &World, token: &LeaseToken, kinds: &[ArtifactKind]) -> Vec<StoredObject> {
    let keys = world.services.store.queue().announce(token, kinds).await.unwrap();
    for (key, kind) in keys.iter().zip(kinds) {
        world.services.objects.put(key, kind.content_type(), BYTES).await.unwrap();
    }
    let sha256 = hex::encode(Sha256::digest(&BYTES));
    kinds.iter().map(|kind| StoredObject { kind: *kind, bytes: BYTES.len() as u64, sha256: sha256.clone() }).collect()
}

async fn videos(world: &World, user: &User) -> Vec<JobId> {
    let all = service::PageQuery { after: None, limit: 100, order: service::Order::NewestFirst };
    world.services.jobs(user.actor(), all).await.unwrap().0.into_iter().map(|job| job.id).collect()
}

/// What a thorough check finds wrong, orphans included.
async fn flaws(world: &World) -> String {
    let report = world.services.check(Actor::Operator, CheckOptions { hashes: true, grace: Duration::ZERO }).await.unwrap();
    report.findings.iter().map(|finding| format!("{finding:?}")).collect()
}

async fn remove(services: &Services) {
    services.delete_expired(Actor::System).await.unwrap();
    services.remove_garbage(Actor::System, 0).await.unwrap();
}

fn files(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
}

/// The program of this test once more, which removes what is to be removed and does nothing else.
fn remover(world: &World) -> Child {
    let now = world.dial.now().ms().to_string();
    let values = [world.database.url.clone(), world.folder.path().display().to_string(), now];
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "what_removes_in_a_process_of_its_own"]).envs(REMOVER.into_iter().zip(values));
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
}

/// Does nothing but in a process that [`remover`] starts.
#[tokio::test]
async fn what_removes_in_a_process_of_its_own() {
    let [Ok(url), Ok(folder), Ok(now)] = REMOVER.map(env::var) else { return };
    let store = store::Store::open_at(&url, std::sync::Arc::new(Dial::at(now.parse().unwrap()))).await.unwrap();
    let objects = objects::open(ObjectsConfig::Folder(folder.into()), &store).await.unwrap();
    remove(&Services::new(store, objects)).await;
}

on_both_engines! {
    async fn what_ended_before_the_plan_keeps_it_goes_with_its_files_and_words(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        keeps(&world, &world.ada, Some(30)).await;
        finished(&world, &world.ada, "quetzal at dawn").await;
        finished(&world, &eve, "a lantern").await;
        let first = videos(&world, &world.ada).await[0];
        let view = world.services.job(world.ada.actor(), first).await.unwrap().unwrap();
        assert_eq!(view.kept_until.unwrap().ms() - view.ended_at.unwrap().ms(), 30 * DAY_MS);
        let kept = videos(&world, &eve).await;
        assert_eq!(world.services.job(eve.actor(), kept[0]).await.unwrap().unwrap().kept_until, None);
        world.dial.advance_ms(30 * DAY_MS);
        remove(&world.services).await;
        assert_eq!(videos(&world, &world.ada).await, [first], "to the last moment");
        finished(&world, &world.ada, "another lantern").await;
        world.make(&world.ada, "one that waits").await;
        world.dial.advance_ms(1);
        let entries = world.services.verify_ledger(Actor::Operator).await.unwrap().entries;
        remove(&world.services).await;
        assert_eq!(videos(&world, &world.ada).await.len(), 2, "what ended later and what has not ended stay");
        assert!(!videos(&world, &world.ada).await.contains(&first));
        assert_eq!(videos(&world, &eve).await, kept, "her plan keeps all");
        assert!(!world.holds("quetzal").await, "no text stays");
        assert_eq!(flaws(&world).await, "");
        let verified = world.services.verify_ledger(Actor::Operator).await.unwrap();
        assert_eq!((verified.entries, verified.faults), (entries, vec![]), "the ledger stays");
    }

    async fn a_plan_that_keeps_less_removes_more_and_one_that_keeps_all_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        keeps(&world, &world.ada, Some(30)).await;
        finished(&world, &world.ada, "a lantern").await;
        world.dial.advance_ms(2 * DAY_MS);
        keeps(&world, &world.ada, None).await;
        world.dial.advance_ms(100 * DAY_MS);
        assert_eq!(world.services.delete_expired(Actor::System).await.unwrap(), 0);
        keeps(&world, &world.ada, Some(1)).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        keeps(&world, &eve, Some(1)).await;
        let asked = world.services.store.retention().tenants_of("days-1", world.dial.now(), None, 10).await.unwrap();
        let visited: Vec<_> = asked.iter().map(|tenant| (tenant.id, tenant.has_ended)).collect();
        assert_eq!(visited, [(world.ada.tenant, true), (eve.tenant, false)], "she is passed over");
        assert_eq!(world.services.delete_expired(Actor::System).await.unwrap(), 1);
        assert!(world.services.delete_expired(Actor::Operator).await.is_err(), "it is the system's work");
    }

    async fn a_process_that_is_killed_in_the_middle_leaves_no_orphans(database: TempDatabase) {
        let world = World::new(database).await;
        keeps(&world, &world.ada, Some(1)).await;
        let mut killed_in_the_middle = false;
        while !killed_in_the_middle {
            for _ in 0..25 {
                finished(&world, &world.ada, "quetzal at dawn").await;
            }
            world.services.remove_garbage(Actor::System, 0).await.unwrap();
            world.dial.advance_ms(DAY_MS + 1);
            let (before, begun) = (files(world.folder.path()), Instant::now());
            let mut remover = remover(&world);
            while files(world.folder.path()) == before && begun.elapsed() < Duration::from_secs(60) {}
            remover.kill().unwrap();
            remover.wait().unwrap();
            // The object store's own mark is a file too.
            killed_in_the_middle = files(world.folder.path()) > 1;
            assert_eq!(flaws(&world).await, "", "right after the kill");
        }
        remove(&world.services).await;
        assert_eq!(flaws(&world).await, "", "and when another has gone on");
        assert_eq!(files(world.folder.path()), 1);
        assert!(!world.holds("quetzal").await);
    }
}
