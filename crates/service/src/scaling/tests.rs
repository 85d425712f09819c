//! What is started when, and what is not.

use super::*;
use std::path::Path;
use store::{
    Registration, SpareTime, Store, WorkerCondition, WorkerRole,
    objects::{ObjectsConfig, open},
    testing::{Dial, TempDatabase},
};

/// One worker that is always there, on a database of its own.
async fn services(database: &TempDatabase, folder: &Path, provisioner: impl Provisioner + 'static) -> Services {
    services_on(database.open().await.unwrap(), folder, provisioner).await
}

async fn services_on(store: Store, folder: &Path, provisioner: impl Provisioner + 'static) -> Services {
    let objects = open(ObjectsConfig::Folder(folder.to_owned()), &store).await.unwrap();
    let options = ScalingOptions {
        workers_min: 1,
        workers_max: 1,
        workers_headroom: 0,
        workers_idle: 60,
        workers_device: "cpu".into(),
        workers_command: None,
    };
    Services::new(store, objects).with_scaling(&options, Arc::new(provisioner))
}

#[tokio::test]
async fn who_leads_no_more_starts_nothing() {
    let (folder, database) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite());
    let asked = folder.path().join("asked");
    let services = services(&database, folder.path(), OperatorCommand(format!("echo >> {}", asked.display()))).await;
    let scaling = services.scaling.clone().unwrap();
    let mut leading = Leading::begin(&services, &scaling).await.unwrap();
    assert!(services.store.leaders().hold("scaling", "another", HELD_MS).await.unwrap());
    leading.decide(&services, &scaling, ("scaling", "me")).await.unwrap();
    assert!(leading.starting.is_empty() && services.store.scaling().decisions(1).await.unwrap().is_empty());
    leading.decide(&services, &scaling, ("scaling", "another")).await.unwrap();
    assert_eq!(leading.starting.len(), 1);
    leading.starting.join_next().await;
}

#[tokio::test]
async fn a_worker_beside_the_server_that_ends_before_it_is_ready_is_not_on_its_way() {
    let (folder, database) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite());
    let services = services(&database, folder.path(), LocalProcesses { program: "false".into(), environment: Vec::new() }).await;
    let (scaling, me) = (services.scaling.clone().unwrap(), ("scaling", "me"));
    assert!(services.store.leaders().hold(me.0, me.1, 600_000).await.unwrap());
    let mut leading = Leading::begin(&services, &scaling).await.unwrap();
    for _ in 0..600 {
        leading.decide(&services, &scaling, me).await.unwrap();
        if leading.not_before.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let decisions = services.store.scaling().decisions(10).await.unwrap();
    assert_eq!((leading.seen.awaited().count(), decisions.iter().map(|decision| decision.started).sum::<u32>()), (0, 0), "{decisions:?}");
    assert!(leading.not_before.is_some(), "and is not started again at once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_fails_is_not_on_its_way_and_is_not_tried_again_at_once() {
    let (folder, database) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite());
    let asked = folder.path().join("asked");
    let services = services(&database, folder.path(), OperatorCommand(format!("echo >> {}; exit 1", asked.display()))).await;
    let scaling = tokio::spawn(scale(services.clone()));
    let tries = || std::fs::read_to_string(&asked).unwrap_or_default().lines().count();
    for _ in 0..100 {
        let decisions = services.store.scaling().decisions(10).await.unwrap();
        if tries() > 0 && decisions.first().is_some_and(|decision| decision.started == 0) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let decisions = services.store.scaling().decisions(10).await.unwrap();
    assert_eq!((tries(), decisions.iter().map(|decision| decision.started).sum::<u32>()), (1, 0), "{decisions:?}");
    scaling.abort();
}

#[tokio::test]
async fn workers_that_could_not_say_that_they_live_are_waited_for_and_one_that_is_gone_is_replaced() {
    let (folder, database, dial) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite(), Dial::default());
    let (command, me) = (OperatorCommand("true".into()), ("scaling", "me"));
    let services = services_on(database.open_at(&dial).await.unwrap(), folder.path(), command).await;
    let scaling = services.scaling.clone().unwrap();
    assert!(services.store.leaders().hold(me.0, me.1, 86_400_000).await.unwrap());
    let (workers, worker) = (services.store.workers(), WorkerId::from_uuid(chance::new_id()));
    workers.register(worker, Registration::new(WorkerRole::All, "cpu", &[])).await.unwrap();
    let started = async |leading: &mut Leading| {
        leading.decide(&services, &scaling, me).await.unwrap();
        leading.starting.len()
    };
    // Another server takes over after an hour without a database; so does a machine that slept.
    dial.advance_ms(3_600_000);
    let mut leading = Leading::begin(&services, &scaling).await.unwrap();
    assert_eq!(started(&mut leading).await, 0);
    workers.beat(worker, WorkerCondition::Working, SpareTime::default()).await.unwrap();
    leading.absence = Absence::over();
    assert_eq!(started(&mut leading).await, 0, "it is there");
    dial.advance_ms(3_600_000);
    assert_eq!(started(&mut leading).await, 0, "the clock of the database was put on");
    // With no gap in what was seen it is gone.
    leading.absence = Absence::over();
    assert_eq!(started(&mut leading).await, 1);
    leading.starting.join_next().await;
}

#[tokio::test]
async fn who_was_told_to_go_is_not_waited_for() {
    let (folder, database, dial) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite(), Dial::default());
    let services = services_on(database.open_at(&dial).await.unwrap(), folder.path(), OperatorCommand("true".into())).await;
    let (scaling, workers) = (services.scaling.clone().unwrap(), services.store.workers());
    assert!(services.store.leaders().hold("scaling", "me", 86_400_000).await.unwrap());
    let [drained, other] = [0, 1].map(|_| WorkerId::from_uuid(chance::new_id()));
    workers.register(drained, Registration::new(WorkerRole::All, "cpu", &[])).await.unwrap();
    workers.register(other, Registration::new(WorkerRole::All, "h100", &[])).await.unwrap();
    workers.drain(&[drained]).await.unwrap();
    dial.advance_ms(3_600_000);
    let mut leading = Leading::begin(&services, &scaling).await.unwrap();
    leading.decide(&services, &scaling, ("scaling", "me")).await.unwrap();
    assert_eq!(leading.starting.len(), 1, "nor are others of another kind");
    leading.starting.join_next().await;
}

#[tokio::test]
async fn a_clock_that_is_put_back_by_an_hour_makes_no_pause_and_no_start_an_hour_longer() {
    let (folder, database, dial) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite(), Dial::default());
    let services = services_on(database.open_at(&dial).await.unwrap(), folder.path(), OperatorCommand("exit 1".into())).await;
    let (scaling, me, hour_ms) = (services.scaling.clone().unwrap(), ("scaling", "me"), 3_600_000);
    assert!(services.store.leaders().hold(me.0, me.1, 86_400_000).await.unwrap());
    let mut leading = Leading::begin(&services, &scaling).await.unwrap();
    leading.decide(&services, &scaling, me).await.unwrap();
    dial.advance_ms(-hour_ms);
    for _ in 0..600 {
        leading.decide(&services, &scaling, me).await.unwrap();
        if leading.not_before.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(leading.not_before.is_some());
    assert_eq!(leading.seen.awaited().count(), 0, "the one that failed is not on its way");
    dial.advance_ms(-hour_ms);
    leading.decide(&services, &scaling, me).await.unwrap();
    assert!(leading.starting.is_empty(), "a start has just failed");
    dial.advance_ms(10_000);
    leading.decide(&services, &scaling, me).await.unwrap();
    assert_eq!(leading.starting.len(), 1, "the pause of five seconds is over");
    leading.starting.join_next().await;
}

#[tokio::test]
async fn a_worker_that_comes_after_the_clock_was_put_back_is_the_one_that_was_asked_for_before() {
    let (folder, database, dial) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite(), Dial::default());
    let services = services_on(database.open_at(&dial).await.unwrap(), folder.path(), OperatorCommand("true".into())).await;
    let (scaling, me) = (services.scaling.clone().unwrap(), ("scaling", "me"));
    assert!(services.store.leaders().hold(me.0, me.1, 86_400_000).await.unwrap());
    let mut leading = Leading::begin(&services, &scaling).await.unwrap();
    leading.decide(&services, &scaling, me).await.unwrap();
    leading.starting.join_next().await;
    dial.advance_ms(-3_600_000);
    leading.decide(&services, &scaling, me).await.unwrap();
    assert_eq!(leading.seen.awaited().count(), 1);
    dial.advance_ms(10_000);
    let worker = WorkerId::from_uuid(chance::new_id());
    services.store.workers().register(worker, Registration::new(WorkerRole::All, "cpu", &[])).await.unwrap();
    leading.decide(&services, &scaling, me).await.unwrap();
    assert_eq!(leading.seen.awaited().count(), 0);
}
