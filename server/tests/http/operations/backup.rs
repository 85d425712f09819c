//! The command that makes one backup after another, as a process of its own.

use crate::harness::Product;
use domain::operations::status::{Part, PartState};
use std::{env, fs, os::unix::fs::PermissionsExt};
use store::{on_both_engines, testing};
use tempfile::TempDir;
use tokio::process::Command;

/// Instead of PostgreSQL's own: it says that it has begun, and never ends.
const PG_DUMP: &str = "#!/bin/sh\n: > \"$(dirname \"$0\")/begun\"\nexec sleep 600\n";

const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// The database of a product as it comes back from a backup.
async fn brought_back(product: &Product) -> testing::TempDatabase {
    let elsewhere = testing::TempDatabase::new(product.database().engine).await.unwrap();
    elsewhere.clear().await;
    let (backups, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let data = folder.path().join("data");
    for (act, data, url) in [("backup", product.folder(), &product.database().url), ("restore", &*data, &elsewhere.url)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reelmill"));
        command.arg(act).arg(backups.path()).arg("--data").arg(data).env("DATABASE_URL", url);
        let done = command.output().await.unwrap();
        assert!(done.status.success(), "{act}: {done:?}");
    }
    elsewhere
}

on_both_engines! {
    async fn what_was_still_to_be_told_to_the_payment_processor_may_have_been_told_since_the_backup(database: TempDatabase) {
        let product = Product::new(database).await;
        let used = format!("INSERT INTO meter_events (entry_id, tenant_id, amount_ms, at_ms) VALUES ('{NIL}', '{NIL}', 1, 1)");
        product.database().damage(&used).await;
        let elsewhere = brought_back(&product).await;
        elsewhere.damage("UPDATE meter_events SET amount_ms = 2 WHERE begun_at_ms IS NOT NULL").await;
    }

    async fn what_came_between_a_backup_and_its_restore_is_no_time_in_which_nothing_worked(database: TempDatabase) {
        let product = Product::new(database).await;
        product.services().store.operator().note_look(&[(Part::Api, PartState::Works)]).await.unwrap();
        let elsewhere = brought_back(&product).await;
        let (seen, days) = elsewhere.open().await.unwrap().operator().parts_seen().await.unwrap();
        assert_eq!((seen, days.len()), (vec![], 1), "what was looked at before stays");
    }

    async fn who_ends_it_does_not_wait_for_the_backup_that_is_being_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let programs = TempDir::new().unwrap();
        let program = programs.path().join("pg_dump");
        fs::write(&program, PG_DUMP).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", programs.path().display(), env::var("PATH").unwrap_or_default());
        for signal in ["-INT", "-TERM"] {
            let backups = TempDir::new().unwrap();
            let mut command = Command::new(env!("CARGO_BIN_EXE_reelmill"));
            command.arg("backup").arg(backups.path()).args(["--every", "600", "--data"]).arg(product.folder());
            let mut backup = command.env("DATABASE_URL", &product.database().url).env("PATH", &path).kill_on_drop(true).spawn().unwrap();
            // On SQLite it is whole by then, and the next is waited for: it lies beside the objects.
            let are_whole = || fs::read_dir(backups.path()).unwrap().filter(|entry| !entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.')).count() == 2;
            let has_begun = async || (programs.path().join("begun").exists() || are_whole()).then_some(());
            product.soon("a backup is being made", has_begun).await;
            assert!(Command::new("kill").args([signal, &backup.id().unwrap().to_string()]).status().await.unwrap().success());
            let ended = backup.wait().await.unwrap();
            assert!(ended.success(), "{signal}: {ended:?}");
            let _ = fs::remove_file(programs.path().join("begun"));
        }
    }
}
