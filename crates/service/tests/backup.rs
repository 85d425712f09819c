//! Backups: what was acknowledged before one is in it, whatever goes on meanwhile, and comes back whole.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod stored;

use domain::Actor;
use service::{
    SignIn,
    backup::{BackedUp, BackupError, RestoreOptions, restore},
    check::CheckOptions,
    config::Storage,
};
use std::{collections::HashSet, fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};
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

fn named(name: &str) -> RestoreOptions<'_> {
    RestoreOptions { name: Some(name), ..RestoreOptions::default() }
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
        let restored = restore(&elsewhere.storage(), backups.path(), RestoreOptions::default()).await.unwrap();
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
            restore(&elsewhere.storage(), backups.path(), named(&made.unwrap().name)).await.unwrap();
            let services = elsewhere.storage().open().await.unwrap();
            let check = services.store.check().jobs_after(None, 1000).await.unwrap();
            assert!(check.iter().any(|job| job.id == before), "{before} was acknowledged");
            services.remove_strays(Actor::System).await.unwrap();
            let options = CheckOptions { hashes: true, grace: Duration::ZERO };
            let report = services.check(Actor::Operator, options).await.unwrap();
            assert!(report.is_clean(), "{report}");
        }
    }

    async fn garbage_stays_while_a_backup_is_made_and_goes_afterwards(database: TempDatabase) {
        let world = World::new(database).await;
        let key = world.video_key().await;
        world.services.store.tenant(world.user.tenant).jobs().delete(world.completed).await.unwrap();
        // One that lies a little too far ahead was said after the time was asked for.
        for ahead_ms in [60_000, 125_000] {
            let soon = world.services.store.now().await.unwrap().plus_ms(ahead_ms).ms().to_string();
            world.services.store.settings().set("garbage_waits_until_ms", &soon).await.unwrap();
            world.services.remove_garbage(Actor::System, 0).await.unwrap();
            assert!(world.services.objects.get(&key, None).await.is_ok());
        }
        world.services.store.settings().set("garbage_waits_until_ms", "1").await.unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        assert!(world.services.objects.get(&key, None).await.is_err());
    }

    async fn a_backup_for_which_garbage_did_not_wait_all_the_time_is_none(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        // What is said is past at once.
        let lapsing = world.database.hold(
            "CREATE TRIGGER lapse AFTER INSERT ON settings WHEN NEW.name LIKE 'garbage_waits_until_ms:%' \
             BEGIN UPDATE settings SET value = '1' WHERE name = NEW.name; END",
            "CREATE FUNCTION lapse() RETURNS trigger LANGUAGE plpgsql AS \
             $$BEGIN IF NEW.name LIKE 'garbage_waits_until_ms:%' THEN NEW.value := '1'; END IF; RETURN NEW; END$$; \
             CREATE TRIGGER lapse BEFORE INSERT ON settings FOR EACH ROW EXECUTE FUNCTION lapse(); COMMIT",
        );
        drop(lapsing.await);
        let made = back_up(&world, backups.path(), 7).await;
        assert!(matches!(made, Err(BackupError::GarbageGone)), "{made:?}");
        let restored = restore(&Elsewhere::new(&world).await.storage(), backups.path(), RestoreOptions::default()).await;
        assert!(matches!(restored, Err(BackupError::NoBackup(_))), "{restored:?}");
    }

    async fn a_backup_that_is_over_keeps_no_garbage_waiting_and_another_that_goes_on_does(database: TempDatabase) {
        let world = World::new(database).await;
        let (backups, broken) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        fs::create_dir(broken.path().join("objects")).unwrap();
        fs::write(broken.path().join("objects/tenants"), "no folder").unwrap();
        let soon = world.services.store.now().await.unwrap().plus_ms(60_000).ms().to_string();
        for failing in [false, true] {
            let completed = world.complete().await;
            let key = world.key_of(completed).await;
            world.services.store.tenant(world.user.tenant).jobs().delete(completed).await.unwrap();
            let made = back_up(&world, if failing { broken.path() } else { backups.path() }, 7).await;
            assert_eq!(made.is_err(), failing, "{made:?}");
            world.services.store.settings().set("garbage_waits_until_ms:other", &soon).await.unwrap();
            world.services.remove_garbage(Actor::System, 0).await.unwrap();
            assert!(world.services.objects.get(&key, None).await.is_ok(), "another backup is being made");
            world.services.store.settings().set("garbage_waits_until_ms:other", "1").await.unwrap();
            world.services.remove_garbage(Actor::System, 0).await.unwrap();
            assert!(world.services.objects.get(&key, None).await.is_err(), "no backup is being made");
        }
    }

    async fn an_object_that_was_cut_off_in_the_folder_is_copied_again(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        back_up(&world, backups.path(), 7).await.unwrap();
        let cut = objects_in(backups.path()).into_iter().next().unwrap();
        let whole = fs::read(&cut).unwrap();
        fs::write(&cut, &whole[..1]).unwrap();
        let again = back_up(&world, backups.path(), 7).await.unwrap();
        assert_eq!((again.copied, fs::read(&cut).unwrap()), (1, whole));
    }

    async fn backups_share_objects_and_old_ones_go_with_theirs(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        let first = back_up(&world, backups.path(), 2).await.unwrap();
        let before = objects_in(backups.path());
        world.services.store.tenant(world.user.tenant).jobs().delete(world.completed).await.unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        world.complete().await;
        let second = back_up(&world, backups.path(), 2).await.unwrap();
        assert_eq!((second.copied, second.removed.len()), (second.objects, 0), "all of its objects are new");
        assert!(objects_in(backups.path()).is_superset(&before));
        let third = back_up(&world, backups.path(), 2).await.unwrap();
        assert_eq!((third.copied, &third.removed), (0, &vec![first.name]));
        assert!(objects_in(backups.path()).is_disjoint(&before), "nobody names them any more");
        let elsewhere = Elsewhere::new(&world).await;
        restore(&elsewhere.storage(), backups.path(), named(&second.name)).await.unwrap();
    }

    async fn an_older_backup_that_is_damaged_makes_none_of_the_one_that_was_made(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        let mut made = Vec::new();
        for _ in 0..3 {
            made.push(back_up(&world, backups.path(), 3).await.unwrap().name);
        }
        let manifest = backups.path().join(&made[1]).join("manifest.json");
        let sound = fs::read(&manifest).unwrap();
        fs::write(&manifest, "x").unwrap();
        // What only the first one names stays as long as another does not say what it needs.
        let unnamed = backups.path().join("objects/tenants/unnamed");
        fs::write(&unnamed, "of the first").unwrap();
        let fourth = back_up(&world, backups.path(), 3).await.unwrap();
        assert_eq!((&fourth.removed[..], unnamed.exists()), (&made[..1], true));
        fs::write(&manifest, sound).unwrap();
        let fifth = back_up(&world, backups.path(), 3).await.unwrap();
        assert_eq!((&fifth.removed[..], unnamed.exists()), (&made[1..2], false));
    }

    async fn nothing_is_overwritten_and_nothing_damaged_or_half_made_is_restored(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        let nothing = restore(&world.storage(), backups.path(), RestoreOptions::default()).await;
        assert!(matches!(nothing, Err(BackupError::NoBackup(_))), "{nothing:?}");
        fs::create_dir(backups.path().join(".unfinished")).unwrap();
        fs::write(backups.path().join(".unfinished/manifest.json"), "half").unwrap();
        let made = back_up(&world, backups.path(), 7).await.unwrap();
        let again = restore(&world.storage(), backups.path(), RestoreOptions::default()).await;
        assert!(matches!(again, Err(BackupError::NotBlank)), "{again:?}");
        assert!(world.check(true, Duration::ZERO).await.is_clean());

        let elsewhere = Elsewhere::new(&world).await;
        fs::create_dir_all(elsewhere.folder.path().join("data/objects/others")).unwrap();
        let occupied = restore(&elsewhere.storage(), backups.path(), RestoreOptions::default()).await;
        assert!(matches!(occupied, Err(BackupError::ObjectsNotEmpty)), "{occupied:?}");

        let elsewhere = Elsewhere::new(&world).await;
        let folder = backups.path().join(&made.name);
        let file = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.ends_with("database.sqlite") || path.ends_with("database.dump"));
        let file = file.unwrap();
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        let damaged = restore(&elsewhere.storage(), backups.path(), RestoreOptions::default()).await;
        assert!(matches!(damaged, Err(BackupError::Damaged { .. })), "{damaged:?}");
    }

    async fn the_objects_of_a_live_installation_are_no_place_to_restore_into(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        back_up(&world, backups.path(), 7).await.unwrap();
        let blank = Elsewhere::new(&world).await;
        let drill = Storage { database_url: Some(blank.database.url.clone()), ..world.storage() };
        let refused = restore(&drill, backups.path(), RestoreOptions::default()).await;
        assert!(matches!(refused, Err(BackupError::ObjectsNotEmpty)), "{refused:?}");
        assert!(world.check(true, Duration::ZERO).await.is_clean());
    }

    async fn a_place_is_that_of_its_database_once_all_is_restored(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        back_up(&world, backups.path(), 7).await.unwrap();
        let elsewhere = Elsewhere::new(&world).await;
        restore(&elsewhere.storage(), backups.path(), RestoreOptions::default()).await.unwrap();
        elsewhere.storage().open().await.unwrap().objects.ping().await.unwrap();
        let second = Elsewhere::new(&world).await;
        let into_its_objects = Storage { database_url: Some(second.database.url.clone()), ..elsewhere.storage() };
        let refused = restore(&into_its_objects, backups.path(), RestoreOptions::default()).await;
        assert!(matches!(refused, Err(BackupError::ObjectsNotEmpty)), "{refused:?}");
    }

    async fn a_lost_database_comes_back_beside_the_objects_that_are_there(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        back_up(&world, backups.path(), 7).await.unwrap();
        let later = world.complete().await;
        let blank = Elsewhere::new(&world).await;
        let storage = Storage { database_url: Some(blank.database.url.clone()), ..world.storage() };
        restore(&storage, backups.path(), RestoreOptions { keeps_objects: true, ..RestoreOptions::default() }).await.unwrap();
        let services = storage.open().await.unwrap();
        let report = services.check(Actor::Operator, CheckOptions { hashes: true, grace: Duration::MAX }).await.unwrap();
        assert!(report.is_clean(), "{report}");
        assert!(services.objects.get(&world.key_of(later).await, None).await.is_ok(), "nothing that is there is removed");
    }

    async fn what_was_uploaded_while_a_backup_was_made_is_not_left_behind(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        world.services.objects.put("tenants/late/video.mp4", "video/mp4", stored::BYTES).await.unwrap();
        back_up(&world, backups.path(), 7).await.unwrap();
        let elsewhere = Elsewhere::new(&world).await;
        restore(&elsewhere.storage(), backups.path(), RestoreOptions::default()).await.unwrap();
        let services = elsewhere.storage().open().await.unwrap();
        assert_eq!(services.remove_strays(Actor::System).await.unwrap(), 1);
        let report = services.check(Actor::Operator, CheckOptions { hashes: true, grace: Duration::ZERO }).await.unwrap();
        assert!(report.is_clean(), "{report}");
    }

    async fn a_restore_that_was_broken_off_is_begun_again(database: TempDatabase) {
        let world = World::new(database).await;
        let backups = TempDir::new().unwrap();
        back_up(&world, backups.path(), 7).await.unwrap();
        let lost = objects_in(backups.path()).into_iter().next().unwrap();
        let kept = fs::read(&lost).unwrap();
        fs::remove_file(&lost).unwrap();
        let elsewhere = Elsewhere::new(&world).await;
        let broken = restore(&elsewhere.storage(), backups.path(), RestoreOptions::default()).await;
        assert!(matches!(broken, Err(BackupError::File { .. })), "{broken:?}");
        fs::write(&lost, kept).unwrap();
        restore(&elsewhere.storage(), backups.path(), RestoreOptions::default()).await.unwrap();
    }
}

#[tokio::test]
async fn what_a_lost_sqlite_database_left_beside_it_is_not_mixed_with_the_backup() {
    let world = World::new(TempDatabase::sqlite()).await;
    let backups = TempDir::new().unwrap();
    back_up(&world, backups.path(), 7).await.unwrap();
    let folder = TempDir::new().unwrap();
    let storage = Storage::in_folder(folder.path().join("data"), None);
    fs::create_dir_all(folder.path().join("data")).unwrap();
    for ending in ["wal", "shm", "journal"] {
        let left = folder.path().join(format!("data/reelmill.db-{ending}"));
        fs::write(&left, "of another database").unwrap();
        let refused = restore(&storage, backups.path(), RestoreOptions::default()).await;
        assert!(matches!(refused, Err(BackupError::NotBlank)), "{ending}: {refused:?}");
        fs::remove_file(left).unwrap();
    }
    restore(&storage, backups.path(), RestoreOptions::default()).await.unwrap();
}

#[tokio::test]
async fn a_backup_is_closed_to_others_wherever_it_lies() {
    let world = World::new(TempDatabase::sqlite()).await;
    let common = TempDir::new().unwrap();
    // As /tmp is.
    fs::set_permissions(common.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    let made = back_up(&world, common.path(), 7).await.unwrap();
    for inside in [made.name.as_str(), "objects"] {
        let mode = fs::metadata(common.path().join(inside)).unwrap().permissions().mode();
        assert_eq!(mode & 0o77, 0, "{inside}: {mode:o}");
    }
}

#[tokio::test]
async fn what_was_just_made_stays_whatever_clocks_said_before() {
    let world = World::new(TempDatabase::sqlite()).await;
    let backups = TempDir::new().unwrap();
    let early = back_up(&world, backups.path(), 1).await.unwrap().name;
    fs::rename(backups.path().join(&early), backups.path().join("29990101T000000.000Z")).unwrap();
    let made = back_up(&world, backups.path(), 1).await.unwrap();
    assert_eq!(made.removed, ["29990101T000000.000Z"]);
    assert_eq!(restore(&Elsewhere::new(&world).await.storage(), backups.path(), RestoreOptions::default()).await.unwrap().name, made.name);
}

#[tokio::test]
async fn what_is_left_of_a_backup_that_was_being_removed_goes_with_the_next_one() {
    let world = World::new(TempDatabase::sqlite()).await;
    let backups = TempDir::new().unwrap();
    let left = backups.path().join(".removed-20260101T000000.000Z");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("database.sqlite"), "half of it").unwrap();
    let first = back_up(&world, backups.path(), 1).await.unwrap();
    assert!(!left.exists());
    let second = back_up(&world, backups.path(), 1).await.unwrap();
    assert_eq!(second.removed, [first.name]);
    let names: HashSet<_> = fs::read_dir(backups.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, HashSet::from([".lock".to_owned(), "objects".to_owned(), second.name]));
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
