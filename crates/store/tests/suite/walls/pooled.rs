//! Through PgBouncer in transaction mode, where one is installed: it gives each transaction whichever connection is free.

use crate::{LEASE_MS, MODELS, account, new_job, object, worker};
use domain::{Stage, scheduling::Suspects};
use futures::future::join_all;
use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command},
    time::Duration,
};
use store::{
    Addresses, ArtifactKind, Change, PageQuery, Store, Texts,
    testing::{Engine, TempDatabase},
};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

const PATIENCE: Duration = Duration::from_secs(60);

struct PgBouncer {
    process: Child,
    url: String,
    _folder: TempDir,
}

impl PgBouncer {
    /// In front of `database`, with two connections for whoever comes. `None`: it is not installed.
    async fn before(database: &TempDatabase) -> Option<Self> {
        let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].into_iter().find(|path| Path::new(path).exists());
        let Some(program) = program else {
            eprintln!("skipped: pgbouncer is not installed");
            return None;
        };
        let options: sqlx::postgres::PgConnectOptions = database.url.parse().unwrap();
        let (host, port, user, name) = (options.get_host(), options.get_port(), options.get_username(), options.get_database().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let settings = format!(
            "[databases]\n{name} = host={host} port={port} user={user}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {free}\n\
             unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 2\nignore_startup_parameters = extra_float_digits\n"
        );
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, settings).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = Command::new(program);
        // It refuses to run as root.
        if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
            command.args(["--user", "nobody"]);
        }
        let process = command.arg("--quiet").arg(&file).spawn().unwrap();
        let url = format!("postgres://{user}@127.0.0.1:{free}/{name}");
        let pooled = Self { process, url, _folder: folder };
        let listening = async {
            while tokio::net::TcpStream::connect(("127.0.0.1", free)).await.is_err() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, listening).await.expect("PgBouncer should listen");
        Some(pooled)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_are_taken_in_claimed_finished_and_watched_and_tenants_stay_apart() {
    let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
    let direct = database.open().await.unwrap();
    let Some(pooled) = PgBouncer::before(&database).await else { return };
    let addresses = Addresses { url: &pooled.url, direct_url: Some(&database.url) };
    let store = Store::open_through(addresses, Some(8)).await.unwrap().patient();
    store.migrate().await.unwrap();
    store.check_schema().await.unwrap();
    let (ada, eve) = (account(&store, "ada@example.com").await, account(&store, "eve@example.com").await);

    let mut changes = store.signals().subscribe();
    let job = store.tenant(ada.0).jobs().submit(new_job(ada.1), None).await.unwrap().job;
    let heard = async { while changes.recv().await.unwrap() != Change::Job(job.id) {} };
    timeout(PATIENCE, heard).await.expect("what one process writes, another hears of");

    let sampling = store.queue().claim(Stage::Sampling, worker(), MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap().token;
    store.queue().announce(&sampling, &[ArtifactKind::Latents]).await.unwrap();
    store.queue().hand_over(&sampling, object(ArtifactKind::Latents), 1).await.unwrap();
    let decoding = store.queue().claim(Stage::Decoding, worker(), MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap().token;
    assert!(store.queue().renew(&[decoding], LEASE_MS).await.unwrap().lost.is_empty());
    let kinds = [ArtifactKind::Video, ArtifactKind::Thumbnail, ArtifactKind::Spritesheet];
    store.queue().announce(&decoding, &kinds).await.unwrap();
    store.queue().succeed(&decoding, kinds.map(object).to_vec(), None, 1).await.unwrap();
    let seen = direct.tenant(ada.0).jobs().get(job.id).await.unwrap().unwrap();
    assert_eq!(seen.lifecycle.state.name(), "succeeded");

    // Many at once on two connections: none takes what another has set.
    let page = PageQuery { after: None, limit: 100, order: store::Order::NewestFirst };
    let looks = (0..200).map(|at| {
        let (store, (tenant, user)) = (store.clone(), if at % 2 == 0 { ada } else { eve });
        async move {
            if at % 10 == 1 {
                store.tenant(tenant).jobs().submit(new_job(user), None).await.unwrap();
            }
            let jobs = store.tenant(tenant).jobs().list(page, Texts::Whole).await.unwrap().jobs;
            jobs.iter().all(|job| job.tenant == tenant)
        }
    });
    assert!(join_all(looks).await.into_iter().all(|is_own| is_own));
    assert_eq!(direct.tenant(eve.0).jobs().list(page, Texts::Whole).await.unwrap().jobs.len(), 20);
}
