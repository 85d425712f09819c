//! One contract for every object store: a folder, and S3 as spoken by a real server.

use crate::World;
use bytes::Bytes;
use futures::{TryStreamExt, future::join_all};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    service::TowerToHyperService,
};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use store::{
    objects::{ObjectError, Objects, ObjectsConfig, S3Config, open},
    testing::TempDatabase,
};
use tempfile::TempDir;
use tower::Service;

/// An object store of its own, and where its bytes lie.
pub struct Shelf {
    pub objects: Objects,
    folder: TempDir,
    config: ObjectsConfig,
    /// Knows which object store is its own.
    world: World,
}

impl Shelf {
    async fn new(folder: TempDir, config: ObjectsConfig) -> Self {
        let world = World::new(TempDatabase::sqlite()).await;
        open(config.clone(), &world.store).await.unwrap();
        let objects = open(config.clone(), &world.store).await.expect("a store that is there already");
        Self { objects, folder, config, world }
    }

    /// The same database, as a process sees it that finds this object store instead.
    async fn seeing(&self, config: ObjectsConfig) -> Objects {
        open(config, &self.world.store).await.unwrap()
    }

    /// Another place of the same kind, with nothing in it.
    fn empty_place(&self) -> ObjectsConfig {
        match self.config.clone() {
            ObjectsConfig::Folder(_) => ObjectsConfig::Folder(self.folder.path().join("empty")),
            ObjectsConfig::S3(config) => ObjectsConfig::S3(S3Config { bucket: "empty".into(), ..config }),
        }
    }
}

pub async fn folder() -> Shelf {
    let folder = TempDir::new().unwrap();
    let config = ObjectsConfig::Folder(folder.path().join("objects"));
    Shelf::new(folder, config).await
}

async fn s3_config(folder: &TempDir) -> S3Config {
    S3Config {
        endpoint: Some(s3_server(folder.path()).await),
        region: "us-east-1".into(),
        bucket: "media".into(),
        access_key: "AK".into(),
        secret_key: "SK".into(),
        path_style: true,
    }
}

pub async fn s3() -> Shelf {
    let folder = TempDir::new().unwrap();
    let config = ObjectsConfig::S3(s3_config(&folder).await);
    Shelf::new(folder, config).await
}

async fn s3_server(root: &Path) -> String {
    s3_server_behind_a_proxy(root, Arc::default()).await
}

/// While it is `away`, the proxy says of everything that there is no such page.
async fn s3_server_behind_a_proxy(root: &Path, away: Arc<AtomicBool>) -> String {
    let mut builder = s3s::service::S3ServiceBuilder::new(s3s_fs::FileSystem::new(root).unwrap());
    builder.set_auth(s3s::auth::SimpleAuth::from_single("AK", "SK"));
    let s3 = builder.build();
    let service = tower::service_fn(move |request| {
        let (mut s3, is_away) = (s3.clone(), away.load(Ordering::SeqCst));
        async move {
            if !is_away {
                return Service::call(&mut s3, request).await;
            }
            let mut answer = s3s::HttpResponse::new("404 page not found".to_owned().into());
            *answer.status_mut() = 404.try_into().unwrap();
            Ok(answer)
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                let http = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)).await
            });
        }
    });
    endpoint
}

/// Size of the whole object and the bytes asked for.
pub async fn read(shelf: &Shelf, key: &str, range: Option<std::ops::RangeInclusive<u64>>) -> Result<(u64, Vec<u8>), ObjectError> {
    let stream = shelf.objects.get(key, range).await?;
    let chunks: Vec<Bytes> = stream.body.try_collect().await.unwrap();
    Ok((stream.bytes_total, chunks.concat()))
}

async fn put(shelf: &Shelf, key: &str, bytes: &[u8]) {
    shelf.objects.put(key, "video/mp4", Bytes::copy_from_slice(bytes)).await.unwrap();
}

async fn what_is_put_is_read_until_it_is_overwritten_or_deleted(shelf: Shelf) {
    shelf.objects.ping().await.unwrap();
    put(&shelf, "a/b/clip.mp4", b"one").await;
    put(&shelf, "a/b/clip.mp4", b"three").await;
    assert_eq!(read(&shelf, "a/b/clip.mp4", None).await.unwrap(), (5, b"three".to_vec()));
    shelf.objects.delete("a/b/clip.mp4").await.unwrap();
    shelf.objects.delete("a/b/clip.mp4").await.unwrap();
    for key in ["a/b/clip.mp4", "never/was"] {
        assert!(matches!(read(&shelf, key, None).await, Err(ObjectError::NotFound { .. })), "{key}");
    }
}

async fn a_range_is_cut_to_the_object_and_refused_beyond_it(shelf: Shelf) {
    put(&shelf, "digits", b"0123456789").await;
    for (range, expected) in [(0..=0, "0"), (9..=9, "9"), (3..=5, "345"), (8..=99, "89"), (0..=u64::from(u32::MAX), "0123456789")] {
        assert_eq!(read(&shelf, "digits", Some(range.clone())).await.unwrap(), (10, expected.as_bytes().to_vec()), "{range:?}");
    }
    for range in [10..=10, 99..=100] {
        assert!(matches!(read(&shelf, "digits", Some(range)).await, Err(ObjectError::RangeNotSatisfiable { bytes: 10 })));
    }
}

async fn empty_and_large_objects_come_back_whole(shelf: Shelf) {
    put(&shelf, "empty", b"").await;
    assert_eq!(read(&shelf, "empty", None).await.unwrap(), (0, vec![]));
    let large: Vec<u8> = (0..5_u32 << 20).map(|n| (n % 251) as u8).collect();
    put(&shelf, "large", &large).await;
    let (bytes, read) = read(&shelf, "large", None).await.unwrap();
    assert!(bytes == large.len() as u64 && read == large);
}

async fn hostile_keys_are_refused_before_anything_is_touched(shelf: Shelf) {
    put(&shelf, "a/clip", b"ours").await;
    std::fs::write(shelf.folder.path().join("outside"), b"theirs").unwrap();
    for key in ["", "..", "../outside", "a/../../outside", "/etc/passwd", "a//clip", "a/", "a\\..\\x", "a\0b", "./a", "%2e%2e/outside"] {
        assert!(matches!(shelf.objects.put(key, "video/mp4", Bytes::from_static(b"x")).await, Err(ObjectError::Key(_))), "{key:?}");
        assert!(matches!(shelf.objects.get(key, None).await, Err(ObjectError::Key(_))), "{key:?}");
        assert!(matches!(shelf.objects.delete(key).await, Err(ObjectError::Key(_))), "{key:?}");
    }
    assert_eq!(std::fs::read(shelf.folder.path().join("outside")).unwrap(), b"theirs");
}

/// More than S3 tells at once.
async fn all_that_lies_there_is_listed_and_what_is_deleted_is_not(shelf: Shelf) {
    let before = std::time::SystemTime::now();
    let mut keys: Vec<String> = (0..1_005).map(|n| format!("list/{}/{n}", n % 7)).collect();
    for some in keys.chunks(64) {
        join_all(some.iter().map(|key| put(&shelf, key, b"x"))).await;
    }
    let gone = keys.pop().unwrap();
    shelf.objects.delete(&gone).await.unwrap();
    let listed: Vec<_> = shelf.objects.list().try_collect().await.unwrap();
    let slack = std::time::Duration::from_secs(2);
    assert!(listed.iter().all(|object| object.modified + slack > before));
    let mut found: Vec<String> = listed.into_iter().map(|object| object.key).collect();
    found.sort();
    keys.sort();
    assert!(found == keys, "{} of {}", found.len(), keys.len());
}

fn is_wrong_store<T>(answer: Result<T, ObjectError>) -> bool {
    answer.err().is_some_and(|error| error.is_of_wrong_store())
}

async fn an_empty_place_is_away_and_nothing_in_it_counts_as_lost(shelf: Shelf) {
    put(&shelf, "a/clip", b"ours").await;
    let empty = shelf.seeing(shelf.empty_place()).await;
    assert!(is_wrong_store(empty.ping().await));
    assert!(is_wrong_store(empty.get("a/clip", None).await));
    assert!(is_wrong_store(empty.put("b/clip", "video/mp4", Bytes::from_static(b"x")).await));
    assert!(is_wrong_store(empty.delete("a/clip").await));
    shelf.objects.ping().await.unwrap();
    assert_eq!(read(&shelf, "a/clip", None).await.unwrap().1, b"ours");
}

async fn the_store_of_another_database_is_not_ours(shelf: Shelf) {
    put(&shelf, "a/clip", b"ours").await;
    let other = World::new(TempDatabase::sqlite()).await;
    let theirs = open(shelf.empty_place(), &other.store).await.unwrap();
    theirs.put("a/clip", "video/mp4", Bytes::from_static(b"theirs")).await.unwrap();
    let seen = shelf.seeing(shelf.empty_place()).await;
    assert!(is_wrong_store(seen.ping().await));
    assert!(is_wrong_store(seen.delete("a/clip").await));
    assert!(theirs.get("a/clip", None).await.is_ok());
}

/// As after a restored backup of the database from before the store had a marker.
async fn a_store_with_objects_is_taken_over_and_an_empty_one_is_not_while_objects_are_known(shelf: Shelf) {
    put(&shelf, "a/clip", b"ours").await;
    let claimed = shelf.world.decoding().await;
    shelf.world.sql("DELETE FROM settings").await;
    assert!(is_wrong_store(shelf.seeing(shelf.empty_place()).await.ping().await), "{claimed:?} has latents somewhere");
    shelf.world.sql("DELETE FROM settings").await;
    let again = shelf.seeing(shelf.config.clone()).await;
    again.ping().await.unwrap();
    assert!(again.get("a/clip", None).await.is_ok());
}

/// As when a server and its workers are started for the first time.
async fn those_who_come_to_a_new_store_at_once_agree_on_one_marker(shelf: Shelf) {
    let other = World::new(TempDatabase::sqlite()).await;
    let opened = join_all((0..8).map(|_| open(shelf.empty_place(), &other.store))).await;
    let opened: Vec<_> = opened.into_iter().map(Result::unwrap).collect();
    for pinged in join_all(opened.iter().map(|objects| objects.ping())).await {
        pinged.unwrap();
    }
    open(shelf.empty_place(), &other.store).await.unwrap().ping().await.unwrap();
}

macro_rules! on_both_shelves {
    ($($name:ident)*) => {$(
        mod $name {
            #[tokio::test]
            async fn folder() {
                super::$name(super::folder().await).await;
            }

            #[tokio::test]
            async fn s3() {
                super::$name(super::s3().await).await;
            }
        }
    )*};
}

on_both_shelves! {
    what_is_put_is_read_until_it_is_overwritten_or_deleted
    a_range_is_cut_to_the_object_and_refused_beyond_it
    empty_and_large_objects_come_back_whole
    hostile_keys_are_refused_before_anything_is_touched
    an_empty_place_is_away_and_nothing_in_it_counts_as_lost
    the_store_of_another_database_is_not_ours
    a_store_with_objects_is_taken_over_and_an_empty_one_is_not_while_objects_are_known
    all_that_lies_there_is_listed_and_what_is_deleted_is_not
    those_who_come_to_a_new_store_at_once_agree_on_one_marker
}

#[tokio::test]
async fn wrong_credentials_and_no_valid_bucket_are_refusals_and_no_outage() {
    let folder = TempDir::new().unwrap();
    let (world, config) = (World::new(TempDatabase::sqlite()).await, s3_config(&folder).await);
    let wrong = S3Config { secret_key: "guessed".into(), ..config.clone() };
    let unknown = S3Config { access_key: "nobody".into(), ..config };
    for config in [wrong, unknown] {
        let opened = open(ObjectsConfig::S3(config.clone()), &world.store).await;
        assert!(matches!(opened, Err(ObjectError::Denied(_))), "{config:?}: {:?}", opened.err());
    }
}

#[tokio::test]
async fn what_a_proxy_says_while_the_store_is_away_is_not_believed() {
    let (folder, away) = (TempDir::new().unwrap(), Arc::new(AtomicBool::new(false)));
    let endpoint = Some(s3_server_behind_a_proxy(folder.path(), Arc::clone(&away)).await);
    let config = S3Config { endpoint, ..s3_config(&folder).await };
    let shelf = Shelf::new(folder, ObjectsConfig::S3(config)).await;
    put(&shelf, "a/clip", b"ours").await;
    away.store(true, Ordering::SeqCst);
    assert!(matches!(shelf.objects.put("b", "video/mp4", Bytes::from_static(b"x")).await, Err(ObjectError::Unavailable(_))));
    assert!(matches!(shelf.objects.delete("a/clip").await, Err(ObjectError::Unavailable(_))));
    assert!(matches!(shelf.objects.get("a/clip", None).await, Err(ObjectError::Unavailable(_))));
    assert!(shelf.objects.ping().await.is_err());
    away.store(false, Ordering::SeqCst);
    assert_eq!(read(&shelf, "a/clip", None).await.unwrap().1, b"ours");
    shelf.objects.delete("a/clip").await.unwrap();
    shelf.objects.delete("a/clip").await.unwrap();
}

#[tokio::test]
async fn whoever_asks_whether_the_store_is_there_hears_whether_it_can_be_read() {
    let shelf = s3().await;
    shelf.objects.ping().await.unwrap();
    std::fs::remove_file(shelf.folder.path().join("media/.reelmill-store")).unwrap();
    assert!(is_wrong_store(shelf.objects.ping().await));
}

#[tokio::test]
async fn what_stands_in_an_objects_place_is_a_refusal() {
    let shelf = folder().await;
    std::fs::create_dir_all(shelf.folder.path().join("objects/t/video.mp4/inside")).unwrap();
    assert!(matches!(shelf.objects.delete("t/video.mp4").await, Err(ObjectError::Denied(_))));
    assert!(matches!(shelf.objects.put("t/video.mp4", "video/mp4", Bytes::from_static(b"x")).await, Err(ObjectError::Denied(_))));
}

/// As when its file system is unmounted under a running process, and mounted again.
#[tokio::test]
async fn a_folder_that_goes_away_and_comes_back_loses_nothing() {
    let shelf = folder().await;
    put(&shelf, "a/clip", b"ours").await;
    let (objects, elsewhere) = (shelf.folder.path().join("objects"), shelf.folder.path().join("elsewhere"));
    std::fs::rename(&objects, &elsewhere).unwrap();
    assert!(is_wrong_store(shelf.objects.get("a/clip", None).await));
    std::fs::create_dir(&objects).unwrap();
    assert!(is_wrong_store(shelf.objects.get("a/clip", None).await));
    assert!(is_wrong_store(shelf.objects.put("b", "video/mp4", Bytes::from_static(b"x")).await));
    assert!(std::fs::read_dir(&objects).unwrap().next().is_none(), "nothing is written into the mount point");
    std::fs::remove_dir(&objects).unwrap();
    std::fs::rename(&elsewhere, &objects).unwrap();
    assert_eq!(read(&shelf, "a/clip", None).await.unwrap().1, b"ours");
}

#[tokio::test]
async fn an_empty_marker_is_none() {
    let (folder, world) = (TempDir::new().unwrap(), World::new(TempDatabase::sqlite()).await);
    let marker = folder.path().join(".reelmill-store");
    std::fs::write(&marker, "").unwrap();
    let config = ObjectsConfig::Folder(folder.path().to_owned());
    open(config, &world.store).await.unwrap().ping().await.unwrap();
    assert!(!std::fs::read(&marker).unwrap().is_empty());
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".reelmill-store"]);
}

/// As at the root of a mount: it is the administrator's alone.
#[tokio::test]
async fn what_the_file_system_keeps_for_itself_is_not_listed() {
    use std::os::unix::fs::PermissionsExt;
    let shelf = folder().await;
    put(&shelf, "a/clip", b"ours").await;
    let kept = shelf.folder.path().join("objects/lost+found");
    std::fs::create_dir(&kept).unwrap();
    std::fs::write(kept.join("#17"), "theirs").unwrap();
    std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(0o000)).unwrap();
    let listed: Result<Vec<_>, _> = shelf.objects.list().try_collect().await;
    std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(listed.unwrap().into_iter().map(|object| object.key).collect::<Vec<_>>(), ["a/clip"]);
}

#[tokio::test]
async fn leftovers_of_broken_uploads_are_swept_when_they_are_old() {
    let shelf = folder().await;
    put(&shelf, "t/j/1/video.mp4", b"x").await;
    let place = shelf.folder.path().join("objects/t/j/1");
    let (old, new) = (place.join(format!(".{}", "a".repeat(32))), place.join(format!(".{}", "b".repeat(32))));
    for file in [&old, &new] {
        std::fs::write(file, "half").unwrap();
    }
    let two_hours_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    std::fs::File::options().write(true).open(&old).unwrap().set_modified(two_hours_ago).unwrap();
    assert_eq!(shelf.objects.sweep().await.unwrap(), 1);
    assert!(!old.exists() && new.exists() && place.join("video.mp4").exists());
}

/// Not on the S3 server used here: it writes an object and its checksum one after the other.
#[tokio::test]
async fn sixteen_puts_at_once_leave_one_whole_object() {
    let shelf = folder().await;
    let puts = (0..16_u8).map(|n| shelf.objects.put("contested", "video/mp4", Bytes::from(vec![n; 100_000])));
    join_all(puts).await.into_iter().collect::<Result<Vec<_>, _>>().unwrap();
    let (bytes, whole) = read(&shelf, "contested", None).await.unwrap();
    assert!(bytes == 100_000 && whole.iter().all(|byte| *byte == whole[0]));
}

#[tokio::test]
async fn a_deleted_file_takes_its_empty_folders_with_it_and_no_temporary_stays() {
    let shelf = folder().await;
    put(&shelf, "t/j/1/video.mp4", b"x").await;
    put(&shelf, "t/k", b"y").await;
    shelf.objects.delete("t/j/1/video.mp4").await.unwrap();
    let left: Vec<_> = std::fs::read_dir(shelf.folder.path().join("objects/t")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["k"]);
}

#[tokio::test]
async fn a_link_out_of_the_folder_leads_nowhere() {
    let shelf = folder().await;
    let outside = shelf.folder.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret"), b"theirs").unwrap();
    std::os::unix::fs::symlink(&outside, shelf.folder.path().join("objects/link")).unwrap();
    std::os::unix::fs::symlink(outside.join("secret"), shelf.folder.path().join("objects/file")).unwrap();
    for key in ["link/secret", "file"] {
        assert!(read(&shelf, key, None).await.is_err(), "{key}");
    }
    assert!(shelf.objects.put("link/secret", "video/mp4", Bytes::from_static(b"x")).await.is_err());
    assert!(shelf.objects.delete("link/secret").await.is_err());
    assert_eq!(std::fs::read(outside.join("secret")).unwrap(), b"theirs");
}
