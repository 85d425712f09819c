//! What only SQLite could get wrong.

use crate::{MODELS, World, worker};
use domain::{Stage, scheduling::Suspects};
use futures::future::join_all;
use std::{
    fs,
    time::{Duration, Instant},
};
use store::{Idempotency, Store, StoreError, SubmitError, testing::TempDatabase};
use tokio::time::sleep;

/// On a busy machine somebody's turn may not come in time, and is waited for again; any other error is one.
async fn in_turn<T, E: std::fmt::Debug, F: Future<Output = Result<T, E>>>(ask: impl Fn() -> F) -> T {
    loop {
        match ask().await {
            Err(error) if format!("{error:?}").contains("PoolTimedOut") => {}
            answer => return answer.unwrap(),
        }
    }
}

/// Two stores on one file stand for two processes: they share neither pool nor queue of writers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_writers_in_two_processes_never_find_the_database_locked() {
    let world = World::new(TempDatabase::sqlite()).await;
    let stores = [world.store.clone(), world.database.open_at(&world.dial).await.unwrap()];
    let until = Instant::now() + Duration::from_secs(10);
    let writers = (0..64_usize).map(|n| {
        let (store, tenant, user) = (stores[n % 2].clone(), world.tenant, world.user);
        tokio::spawn(async move {
            let (mut writes, mut slowest) = (0_u32, Duration::ZERO);
            while Instant::now() < until {
                let started = Instant::now();
                let jobs = store.tenant(tenant).jobs();
                let id = in_turn(|| jobs.submit(crate::new_job(user), None)).await.job.id;
                slowest = slowest.max(started.elapsed());
                in_turn(|| store.queue().claim(Stage::Sampling, worker(), MODELS, 10_000, Suspects::Take)).await;
                in_turn(|| jobs.cancel(id)).await;
                writes += 3;
            }
            (writes, slowest)
        })
    });
    let done = join_all(writers).await;
    let writes: u32 = done.iter().map(|writer| writer.as_ref().unwrap().0).sum();
    let slowest = done.iter().map(|writer| writer.as_ref().unwrap().1).max().unwrap();
    eprintln!("64 writers, 10 s: {writes} transactions, slowest submission {slowest:?}");
    assert!(writes > 64);
}

/// A connection that counts it on would take the lock only when it writes, which fails if another has written since.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_sqlite_ended_by_itself_stops_no_writer() {
    let world = World::new(TempDatabase::sqlite()).await;
    let stores = [world.store.clone(), world.database.open_at(&world.dial).await.unwrap()];
    for store in &stores {
        store.end_transactions().await.unwrap();
    }
    // Both connections are given back by then.
    sleep(Duration::from_millis(200)).await;
    let writers = stores.iter().cycle().take(8).cloned().map(|store| async move {
        for _ in 0..20 {
            let jobs = store.tenant(world.tenant).jobs();
            let submitted = jobs.submit(crate::new_job(world.user), None).await.unwrap();
            assert!(jobs.delete(submitted.job.id).await.unwrap());
        }
    });
    join_all(writers.map(tokio::spawn)).await.into_iter().for_each(Result::unwrap);
}

/// What was written since it was last moved into the database.
fn log(world: &World) -> Vec<u8> {
    fs::read(world.database.url.replace("sqlite://", "") + "-wal").unwrap()
}

/// So its job is found on a full disk as well.
#[tokio::test]
async fn a_submission_that_is_repeated_under_its_key_writes_nothing() {
    let world = World::new(TempDatabase::sqlite()).await;
    let jobs = world.store.tenant(world.tenant).jobs();
    let before = log(&world);
    let submitted =
        |fingerprint: &str| jobs.submit(world.new_job(), Some(Idempotency { key: "once".into(), fingerprint: fingerprint.into() }));
    let first = submitted("same").await.unwrap();
    let after = log(&world);
    assert_ne!(after, before);
    let again = submitted("same").await.unwrap();
    assert_eq!((again.replayed, again.job.id), (true, first.job.id));
    assert!(matches!(submitted("another").await, Err(SubmitError::KeyReused)));
    assert_eq!(log(&world), after);
}

#[tokio::test]
async fn whether_leases_can_be_renewed_is_asked_without_writing_where_only_an_unreadable_one_is_due() {
    let world = World::new(TempDatabase::sqlite()).await;
    world.submit().await;
    let lost = world.claim(Stage::Sampling).await.unwrap().token;
    world.store.spoil(lost.job, "seed", -1).await.unwrap();
    world.dial.advance_ms(crate::LEASE_MS);
    assert_eq!(world.expire_leases().await, 0);
    let before = log(&world);
    world.queue().can_renew().await.unwrap();
    assert_eq!(log(&world), before);
}

#[tokio::test]
async fn several_processes_may_open_and_migrate_a_new_file_at_once() {
    let database = TempDatabase::sqlite();
    database.clear().await;
    for opened in join_all((0..8).map(|_| database.open())).await {
        opened.unwrap().ping().await.unwrap();
    }
}

#[tokio::test]
async fn an_address_of_another_kind_is_refused_without_its_password() {
    for url in ["", "mysql://root:secret@host/db", "sqlite::memory:", "/just/a/path"] {
        let Err(StoreError::Address { url }) = Store::open(url, None).await else { panic!("{url} was opened") };
        assert!(!url.contains("secret"));
    }
}

#[tokio::test]
async fn the_files_are_their_owners_alone_also_when_an_older_version_made_them() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("reelmill.db");
    let modes = || {
        let beside = ["", "-wal", "-shm"].map(|ending| format!("{}{ending}", file.display()));
        beside.map(|path| fs::metadata(path).unwrap().permissions().mode() & 0o777)
    };
    let url = format!("sqlite://{}", file.display());
    let store = Store::open(&url, None).await.unwrap();
    store.migrate().await.unwrap();
    assert_eq!(modes(), [0o600; 3]);
    for ending in ["", "-wal", "-shm"] {
        fs::set_permissions(format!("{}{ending}", file.display()), fs::Permissions::from_mode(0o644)).unwrap();
    }
    Store::open(&url, None).await.unwrap();
    assert_eq!(modes(), [0o600; 3]);
}

/// SQLite takes `UUID` for a number's type, and looks along no index where such a column is compared with one of `uuid_text`.
#[tokio::test]
async fn every_column_of_ids_is_declared_as_text() {
    let ids = "SELECT tables.name || '.' || columns.name || ' ' || columns.type FROM sqlite_schema AS tables, \
         pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND columns.type LIKE '%uuid%'";
    let ids = TempDatabase::sqlite().texts(ids).await;
    let (texts, others): (Vec<_>, Vec<_>) = ids.iter().partition(|column| column.ends_with(" uuid_text"));
    assert!(others.is_empty(), "a step of the migration is to declare these as uuid_text on SQLite: {others:?}");
    for column in ["jobs.id uuid_text", "batch_lines.job_id uuid_text"] {
        assert!(texts.iter().any(|text| *text == column), "{texts:?}");
    }
}
