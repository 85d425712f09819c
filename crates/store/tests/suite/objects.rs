//! One contract for every object store: a folder, and S3 as spoken by a real server.

use bytes::Bytes;
use futures::{TryStreamExt, future::join_all};
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::path::Path;
use store::objects::{ObjectError, Objects, ObjectsConfig, S3Config, open};
use tempfile::TempDir;

/// An object store of its own, and where its bytes lie.
struct Shelf {
    objects: Objects,
    folder: TempDir,
}

async fn folder() -> Shelf {
    let folder = TempDir::new().unwrap();
    let objects = open(ObjectsConfig::Folder(folder.path().join("objects"))).await.unwrap();
    Shelf { objects, folder }
}

async fn s3() -> Shelf {
    let folder = TempDir::new().unwrap();
    let config = S3Config {
        endpoint: Some(s3_server(folder.path()).await),
        region: "us-east-1".into(),
        bucket: "media".into(),
        access_key: "AK".into(),
        secret_key: "SK".into(),
        path_style: true,
    };
    open(ObjectsConfig::S3(config.clone())).await.unwrap();
    Shelf { objects: open(ObjectsConfig::S3(config)).await.expect("a bucket that is there already"), folder }
}

async fn s3_server(root: &Path) -> String {
    let mut builder = s3s::service::S3ServiceBuilder::new(s3s_fs::FileSystem::new(root).unwrap());
    builder.set_auth(s3s::auth::SimpleAuth::from_single("AK", "SK"));
    let service = builder.build();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                let http = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                http.serve_connection(TokioIo::new(stream), service).await
            });
        }
    });
    endpoint
}

/// Size of the whole object and the bytes asked for.
async fn read(shelf: &Shelf, key: &str, range: Option<std::ops::RangeInclusive<u64>>) -> Result<(u64, Vec<u8>), ObjectError> {
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
