//! `GET /batches/{batch_id}/videos.zip`: all that a batch has made so far, in one file that is made as it is sent.
//!
//! No more of it is in memory than a piece of one video, and the list of what was sent.

use super::archive::Archive;
use crate::{
    api::batches::NamedBatch,
    context::Context,
    error::{ApiError, Batching},
    http::sessions::SignedIn,
    live::Watcher,
};
use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::{BatchId, JobView};
use futures::{SinkExt, StreamExt, channel::mpsc, stream};
use service::{LineOutcome, LineResult};
use std::{collections::HashSet, error::Error, future, io};
use store::objects::ObjectError;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;
use tower_sessions::Session;

/// File systems take names of 255 bytes.
const NAME_BYTES: usize = 120;

pub async fn videos(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    session: Session,
    NamedBatch(id): NamedBatch,
) -> Result<Response, ApiError> {
    let watcher = Watcher::Session { id: session.id().ok_or(ApiError::NotSignedIn)?, membership: user.membership(), actor: user.actor() };
    context.services.batch_results(watcher.actor(), id, None).await?.ok_or(Batching::BatchUnknown)?;
    let (pieces, sent) = mpsc::channel(1);
    let packing = Packing { context, watcher, id, archive: Archive::default(), names: Names::default(), pieces };
    let task = AbortOnDropHandle::new(tokio::spawn(packing.all()));
    // Who reads no more ends the task, and who hears of an error sees a file that is cut off, not one that looks whole.
    let ended = stream::once(async move { task.await.map_err(io::Error::other).and_then(|ended| ended) });
    let failed = ended.filter_map(|ended| future::ready(ended.err().map(Err)));
    let body = Body::from_stream(sent.map(Ok).chain(failed));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/zip")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_str(&format!("attachment; filename=\"{id}.zip\"")).unwrap_or(HeaderValue::from_static("attachment")),
        ),
    ];
    Ok((headers, body).into_response())
}

struct Packing {
    context: Context,
    watcher: Watcher,
    id: BatchId,
    archive: Archive,
    names: Names,
    pieces: mpsc::Sender<Bytes>,
}

impl Packing {
    async fn all(mut self) -> io::Result<()> {
        let mut after = None;
        loop {
            let deadline = self.context.limits.request_deadline;
            let looked = timeout(deadline, self.context.services.batch_results(self.watcher.actor(), self.id, after)).await?;
            let results = looked.map_err(io::Error::other)?.unwrap_or_default();
            let Some(last) = results.last() else { break };
            after = Some(last.number);
            for LineResult { line, custom_id, outcome, .. } in results {
                if let LineOutcome::Made(job) = outcome {
                    self.add(&job, custom_id.as_deref().unwrap_or_default(), line).await?;
                }
            }
        }
        for piece in std::mem::take(&mut self.archive).finish() {
            self.send(piece.into()).await?;
        }
        Ok(())
    }

    /// What was deleted since is left out.
    async fn add(&mut self, job: &JobView, custom_id: &str, line: u32) -> io::Result<()> {
        let deadline = self.context.limits.request_deadline;
        timeout(deadline, self.watcher.go_on(&self.context.services)).await??;
        let artifact = match timeout(deadline, self.context.services.artifact(self.watcher.actor(), job.id, None)).await? {
            Ok(artifact) => artifact,
            Err(service::ContentError::NotFound | service::ContentError::NotFinished(_)) => return Ok(()),
            Err(error) => return Err(broken_off(self.id, error)),
        };
        let mut data = match self.context.services.objects.get(&artifact.object_key, None).await {
            Ok(data) => data.body,
            Err(ObjectError::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(broken_off(self.id, error)),
        };
        let (_, extension) = artifact.kind.file_name().rsplit_once('.').unwrap_or(("", "bin"));
        let name = self.names.next(custom_id, line, extension);
        let begun = self.archive.begin(name, artifact.bytes, job.ended_at.unwrap_or(job.created_at));
        self.send(begun.into()).await?;
        let (mut bytes, mut hash) = (0, crc32fast::Hasher::new());
        while let Some(piece) = data.next().await {
            let piece = piece?;
            bytes += piece.len() as u64;
            hash.update(&piece);
            self.send(piece).await?;
        }
        if bytes != artifact.bytes {
            return Err(io::Error::other("an object has another length than its row says"));
        }
        let behind = self.archive.end(bytes, hash.finalize());
        self.send(behind.into()).await
    }

    /// Waits until there is room.
    async fn send(&mut self, piece: Bytes) -> io::Result<()> {
        self.pieces.send(piece).await.map_err(io::Error::other)
    }
}

fn broken_off(id: BatchId, error: impl Error + Send + Sync + 'static) -> io::Error {
    tracing::warn!(batch.id = %id, error = &error as &dyn Error, "a download of a batch is broken off");
    io::Error::other(error)
}

/// Names of entries: each another one, also where large and small letters are the same.
#[derive(Default)]
struct Names {
    given: HashSet<String>,
}

impl Names {
    fn next(&mut self, custom_id: &str, line: u32, extension: &str) -> String {
        let safe = safe(custom_id);
        let stem = if safe.is_empty() { format!("line-{line}") } else { safe };
        let mut name = format!("{stem}.{extension}");
        let mut more = 0;
        while !self.given.insert(name.to_lowercase()) {
            let end = if more == 0 { String::new() } else { format!("-{more}") };
            name = format!("{stem}-{line}{end}.{extension}");
            more += 1;
        }
        name
    }
}

/// As much of somebody's text as names a file on every system: no path, nothing that is not seen or turns the writing around, no name of a
/// device.
fn safe(text: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ') { c } else { '_' };
    let mut name = String::new();
    for c in text.chars().map(kept) {
        if name.len() + c.len_utf8() > NAME_BYTES {
            break;
        }
        name.push(c);
    }
    let name = name.trim_matches([' ', '.']);
    let is_device = {
        let first = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
        let numbered = ["COM", "LPT"].iter().any(|device| first.strip_prefix(device).is_some_and(|rest| rest.len() == 1));
        matches!(first.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered
    };
    if is_device { format!("_{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_lines_as_far_as_they_are_safe() {
        for (custom_id, name) in [
            ("clip-1", "clip-1.mp4"),
            ("../../etc/passwd", "_.._etc_passwd.mp4"),
            ("C:\\a", "C__a.mp4"),
            ("شمس 1", "شمس 1.mp4"),
            ("a\u{202e}4pm", "a_4pm.mp4"),
            ("con", "_con.mp4"),
            ("LPT1.x", "_LPT1.x.mp4"),
            ("...", "line-7.mp4"),
            ("", "line-7.mp4"),
        ] {
            assert_eq!(Names::default().next(custom_id, 7, "mp4"), name, "{custom_id:?}");
        }
        let long = Names::default().next(&"ü".repeat(500), 7, "mp4");
        assert!(long.len() <= NAME_BYTES + 4, "{}", long.len());
    }

    #[test]
    fn no_two_names_are_the_same_on_any_system() {
        let mut names = Names::default();
        let given = [("a", 1), ("A", 2), ("a-3", 3), ("a", 3), ("a?", 4), ("a!", 5), ("a_", 6)];
        let made: HashSet<_> = given.map(|(custom_id, line)| names.next(custom_id, line, "mp4").to_lowercase()).into();
        assert_eq!(made.len(), given.len(), "{made:?}");
    }
}
