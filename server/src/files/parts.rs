//! Bodies in parts, with a bound to what lies between the parts.
//!
//! Whoever takes a body apart keeps all that has arrived until it has found where a part begins. So who sends a body in which none does, or
//! the head of one without an end, would have all of it kept.

use axum::{
    body::Body,
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request, multipart::MultipartRejection},
};
use futures::StreamExt;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// So much may arrive without that anything of it is handed on.
const UNREAD_BYTES_MAX: usize = 1024 * 1024;

#[derive(Debug, thiserror::Error)]
#[error("more than {UNREAD_BYTES_MAX} bytes belong to no part")]
struct NoPart;

/// How much has arrived since something was handed on.
pub struct Unread(Arc<AtomicUsize>);

impl Unread {
    /// A part, or a piece of one, was handed on.
    pub fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// The parts of a body of any size: the limit of [`crate::http::body`] holds. Reading them fails once more has arrived than is kept; who
/// reads says so to [`Unread`] with each part, and with each piece of one.
///
/// # Errors
/// [`MultipartRejection`] where the body is not in parts.
pub async fn parts_of(mut request: Request) -> Result<(Multipart, Unread), MultipartRejection> {
    DefaultBodyLimit::disable().apply(&mut request);
    let unread = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&unread);
    let request = request.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |piece| {
            let piece = piece?;
            if counted.fetch_add(piece.len(), Ordering::Relaxed) > UNREAD_BYTES_MAX {
                return Err(axum::Error::new(NoPart));
            }
            Ok(piece)
        }))
    });
    Ok((Multipart::from_request(request, &()).await?, Unread(unread)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header;
    use bytes::Bytes;
    use futures::stream;
    use std::convert::Infallible;

    const PIECE: usize = 64 * 1024;

    /// How many pieces are asked for of a body that begins so and goes on with `a` for 8 MiB, and whether it was read.
    async fn asked_for(begin: &'static str, end: &'static str) -> (usize, bool) {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let long = (0..8 * 1024 * 1024 / PIECE).map(|_| Bytes::from(vec![b'a'; PIECE]));
        let pieces = std::iter::once(Bytes::from(begin)).chain(long).chain([Bytes::from(end)]);
        let pieces = stream::iter(pieces).then(move |piece| {
            counted.fetch_add(1, Ordering::Relaxed);
            async move {
                tokio::task::yield_now().await;
                Ok::<_, Infallible>(piece)
            }
        });
        let request = Request::post("/").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
        let (mut parts, unread) = parts_of(request.body(Body::from_stream(pieces)).unwrap()).await.unwrap();
        let read = async {
            while let Some(mut part) = parts.next_field().await? {
                unread.clear();
                while part.chunk().await?.is_some() {
                    unread.clear();
                }
            }
            Ok::<_, axum::extract::multipart::MultipartError>(())
        };
        let is_read = read.await.is_ok();
        (asked.load(Ordering::Relaxed), is_read)
    }

    #[tokio::test]
    async fn bytes_of_no_part_are_not_kept_and_those_of_a_part_pass() {
        let few = 2 * UNREAD_BYTES_MAX / PIECE;
        for begin in ["", "--x\r\nA: "] {
            let (asked, is_read) = asked_for(begin, "").await;
            assert!(!is_read && asked < few, "{begin:?}: {asked} pieces");
        }
        let (asked, is_read) = asked_for("--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n", "\r\n--x--\r\n").await;
        assert!(is_read && asked > few);
    }
}
