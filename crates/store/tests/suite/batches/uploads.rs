//! Objects that arrive piece by piece, in a folder and in S3.

use crate::objects::{Shelf, folder, read, s3};
use bytes::Bytes;
use store::objects::ObjectError;

#[tokio::test]
async fn what_arrives_in_pieces_in_a_folder_is_whole_or_not_there() {
    what_arrives_in_pieces_is_whole_or_not_there(folder().await).await;
}

#[tokio::test]
async fn what_arrives_in_pieces_in_s3_is_whole_or_not_there() {
    what_arrives_in_pieces_is_whole_or_not_there(s3().await).await;
}

async fn what_arrives_in_pieces_is_whole_or_not_there(shelf: Shelf) {
    // Of several parts, where there are parts.
    let large: Vec<u8> = (0..12 * 1024 * 1024_u32).map(|n| (n / 1000) as u8).collect();
    for (key, bytes, piece) in [("a/large", &large[..], 700_001), ("a/small", &large[..3000], 1000), ("a/empty", &[][..], 1)] {
        let mut upload = shelf.objects.begin(key, "text/plain").await.unwrap();
        for piece in bytes.chunks(piece) {
            upload.write(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        assert!(matches!(read(&shelf, key, None).await, Err(ObjectError::NotFound { .. })), "{key} is seen when it is whole");
        upload.finish().await.unwrap();
        assert_eq!(read(&shelf, key, None).await.unwrap(), (bytes.len() as u64, bytes.to_vec()), "{key}");
    }
    let mut broken_off = shelf.objects.begin("a/broken", "text/plain").await.unwrap();
    for piece in large.chunks(1024 * 1024) {
        broken_off.write(Bytes::copy_from_slice(piece)).await.unwrap();
    }
    drop(broken_off);
    assert!(matches!(read(&shelf, "a/broken", None).await, Err(ObjectError::NotFound { .. })));
    assert!(shelf.objects.begin("../x", "text/plain").await.is_err());
    shelf.objects.sweep().await.unwrap();
}
