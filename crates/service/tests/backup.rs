//! Backups: what was acknowledged before one is in it, whatever goes on meanwhile, and comes back whole.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod stored;

use domain::Actor;
use service::{
    SignIn,
    backup::{BackedUp, BackupError, restore},
    check::CheckOptions,
    config::Storage,
};
use std::{collections::HashSet, fs, path::Path, time::Duration};
use store::{on_both_engines, testing::TempDatabase};
use stored::World;
use tempfile::TempDir;

/// Where something is restored: nothing is there.
struct Elsewhere {
    folder: TempDir,
    database: TempDatabase,
}

impl Elsewhere {
    async fn new(world: &World) -> Self {
        let database = TempDatabase::new(world.database.engine).await.unwrap();
        database.clear().await;
        Self { folder: TempDir::new().unwrap(), database }
    }

    fn storage(&self) -> Storage {
        Storage::in_folder(self.folder.path().join("data"), Some(self.database.url.clone()))
    }
}

async fn back_up(world: &World, folder: &Path, keep: usize) -> Result<BackedUp, BackupError> {
    world.services.back_up(Actor::Operator, &world.storage(), folder, keep).await
}

fn objects_in(folder: &Path) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut folders = vec![folder.join("objects")];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { assert!(found.insert(path.display().to_string())) }
        }
    }
    found
}

on_both_engines! {
    async fn all_comes_back_and_the_product_goes_on(database: TempDatabase) {
        let world = World::new(database).await;
        let (waiting, backups) = (world.submit().await, TempDir::new().unwrap());
        let made = back_up(&world, backups.path(), 7).await.unwrap();
        assert_eq!((made.copied, made.removed.len()), (made.objects, 0));

        let elsewhere = Elsewhere::new(&world).await;
        let restored = restore(&elsewhere.storage(), backups.path(), None).await.unwrap();
        assert_eq!((restored.name, restored.objects), (made.name, made.objects));
        let services = elsewhere.storage().open().await.unwrap();
        let world = World { services, user: world.user, folder: elsewhere.folder, database: elsewhere.database, completed: world.completed };
        let report = world.check(true, Duration::ZERO).await;
        assert!(report.is_clean(), "{report}");
        let sign_in = SignIn { email: "tess@example.org", password: "correct horse battery staple", address: "198.51.100.7", known_browser: None };
        assert!(world.services.sign_in(sign_in).await.is_ok(), "who had an account has it");
        assert_eq!(world.make_next().await, waiting);
        assert!(world.check(true, Duration::ZERO).await.is_clean());
    }

    async fn what_is_acknowledged_before_a_backup_is_in_it_whatever_goes_on(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        for _ in 0..3 {
            let before = world.submit().await;
            let working = async {
                for _ in 0..5 {
                    let completed = world.complete().await;
                    world.services.store.tenant(world.user.tenant).jobs().delete(completed).await.unwrap();
                    world.services.remove_garbage(Actor::System, 0).await.unwrap();
                }
            };
            let (made, ()) = tokio::join!(back_up(&world, backups.path(), 7), working);
            let elsewhere = Elsewhere::new(&world).await;
            restore(&elsewhere.storage(), backups.path(), Some(&made.unwrap().name)).await.unwrap();
            let services = elsewhere.storage().open().await.unwrap();
            let check = services.store.check().jobs_after(None, 1000).await.unwrap();
            assert!(check.iter().any(|job| job.id == before), "{before} was acknowledged");
            let options = CheckOptions { hashes: true, grace: Duration::MAX };
            let report = services.check(Actor::Operator, options).await.unwrap();
            assert!(report.is_clean(), "{report}");
        }
    }

    async fn garbage_stays_while_a_backup_is_made_and_goes_afterwards(database: TempDatabase) {
        let world = World::new(database).await;
        let key = world.video_key().await;
        world.services.store.tenant(world.user.tenant).jobs().delete(world.completed).await.unwrap();
        let soon = world.services.store.now().await.unwrap().plus_ms(60_000).ms().to_string();
        world.services.store.settings().set("garbage_waits_until_ms", &soon).await.unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        assert!(world.services.objects.get(&key, None).await.is_ok());
        world.services.store.settings().set("garbage_waits_until_ms", "1").await.unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        assert!(world.services.objects.get(&key, None).await.is_err());
    }

    async fn backups_share_objects_and_old_ones_go_with_theirs(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        let first = back_up(&world, backups.path(), 2).await.unwrap();
        let before = objects_in(backups.path());
        world.services.store.tenant(world.user.tenant).jobs().delete(world.completed).await.unwrap();
        world.services.store.settings().set("garbage_waits_until_ms", "1").await.unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        world.complete().await;
        let second = back_up(&world, backups.path(), 2).await.unwrap();
        assert_eq!((second.copied, second.removed.len()), (second.objects, 0), "all of its objects are new");
        assert!(objects_in(backups.path()).is_superset(&before));
        let third = back_up(&world, backups.path(), 2).await.unwrap();
        assert_eq!((third.copied, &third.removed), (0, &vec![first.name]));
        assert!(objects_in(backups.path()).is_disjoint(&before), "nobody names them any more");
        let elsewhere = Elsewhere::new(&world).await;
        restore(&elsewhere.storage(), backups.path(), Some(&second.name)).await.unwrap();
    }

    async fn nothing_is_overwritten_and_nothing_damaged_or_half_made_is_restored(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        let nothing = restore(&world.storage(), backups.path(), None).await;
        assert!(matches!(nothing, Err(BackupError::NoBackup(_))), "{nothing:?}");
        fs::create_dir(backups.path().join(".unfinished")).unwrap();
        fs::write(backups.path().join(".unfinished/manifest.json"), "half").unwrap();
        let made = back_up(&world, backups.path(), 7).await.unwrap();
        let again = restore(&world.storage(), backups.path(), None).await;
        assert!(matches!(again, Err(BackupError::NotBlank)), "{again:?}");
        assert!(world.check(true, Duration::ZERO).await.is_clean());

        let elsewhere = Elsewhere::new(&world).await;
        fs::create_dir_all(elsewhere.folder.path().join("data/objects/others")).unwrap();
        let occupied = restore(&elsewhere.storage(), backups.path(), None).await;
        assert!(matches!(occupied, Err(BackupError::ObjectsNotEmpty)), "{occupied:?}");

        let elsewhere = Elsewhere::new(&world).await;
        let folder = backups.path().join(&made.name);
        let file = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.ends_with("database.sqlite") || path.ends_with("database.dump"));
        let file = file.unwrap();
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        let damaged = restore(&elsewhere.storage(), backups.path(), None).await;
        assert!(matches!(damaged, Err(BackupError::Damaged { .. })), "{damaged:?}");
    }

    async fn a_restore_that_was_broken_off_is_begun_again(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        back_up(&world, backups.path(), 7).await.unwrap();
        let lost = objects_in(backups.path()).into_iter().next().unwrap();
        let kept = fs::read(&lost).unwrap();
        fs::remove_file(&lost).unwrap();
        let elsewhere = Elsewhere::new(&world).await;
        let broken = restore(&elsewhere.storage(), backups.path(), None).await;
        assert!(matches!(broken, Err(BackupError::File { .. })), "{broken:?}");
        fs::write(&lost, kept).unwrap();
        restore(&elsewhere.storage(), backups.path(), None).await.unwrap();
    }
}

#[tokio::test]
async fn one_backup_at_a_time_is_made_in_a_folder() {
    let world = World::new(TempDatabase::sqlite()).await;
    let backups = TempDir::new().unwrap();
    let lock = fs::File::create(backups.path().join(".lock")).unwrap();
    lock.lock().unwrap();
    let second = back_up(&world, backups.path(), 7).await;
    assert!(matches!(second, Err(BackupError::Busy(_))), "{second:?}");
    lock.unlock().unwrap();
    back_up(&world, backups.path(), 7).await.unwrap();
}
