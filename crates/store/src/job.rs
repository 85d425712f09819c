//! A job as stored, and the things stored with it.

use domain::{
    ApiKeyId, BatchId, JobId, JobSpec, JobState, Lifecycle, ProjectId, Quote, Stage, TenantId, Timestamp, UserId, VideoTime,
    billing::{Charge, Lane},
    catalog::Understanding,
    job::{Deadlines, FailedAttempt, Fallback},
    metrics::PhaseTimes,
    scheduling::{AdmissionError, Done, LineOf, Place, Tag, WorkRoom},
    webhook::Callback,
};

/// One row of `jobs`, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub tenant: TenantId,
    pub user: UserId,
    pub api_key: Option<ApiKeyId>,
    pub project: ProjectId,
    pub remixed_from: Option<JobId>,
    /// The id of the request that it came with, under which both programs write about it in their logs.
    pub trace_id: Option<String>,
    /// The span of that request, as W3C Trace Context writes it.
    pub traceparent: Option<String>,
    pub spec: JobSpec,
    /// The price at which it was taken in, whatever the catalog says since; of the model that makes it.
    pub quote: Quote,
    /// What is held while it is made: the price of the dearer of the models that may make it.
    pub held: VideoTime,
    /// The other model that may make it, without its texts. `None`: none, or that makes it by now.
    pub fallback: Option<Fallback>,
    /// The model that was asked for, where the other one makes it.
    pub requested_model: Option<String>,
    /// By which shares of the queue count it.
    pub work: VideoTime,
    pub lifecycle: Lifecycle,
    /// What became of attempts that failed, the newest last: some of them, where there are many.
    pub failed_attempts: Vec<FailedAttempt>,
    /// Grows by one with every change of the row.
    pub revision: u64,
    /// The stage that runs, or ran last.
    pub stage: Option<Stage>,
    /// Denoising steps done.
    pub step: u32,
    /// The step that the stored preview shows.
    pub preview_step: Option<u32>,
    /// How much of it is decoded, in thousandths.
    pub decoded_permille: u32,
    pub sampling_ms: Option<u64>,
    /// When its latents were handed over.
    pub sampled_at: Option<Timestamp>,
    pub decoding_ms: Option<u64>,
    /// What the lease that runs has taken of its device so far, in milliseconds.
    pub lease_device_ms: i64,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// How its prompt was read when it was taken in, where that is known and was read with it.
    pub understanding: Option<Understanding>,
    pub charge: Charge,
    /// Where it lies in the virtual time of its line.
    pub tag: Tag,
    pub deadlines: Deadlines,
    /// Why the operator keeps it from being begun, in words for its owner.
    pub quarantine_reason: Option<String>,
}

impl Job {
    /// The line in which it waits, and its place there.
    #[must_use]
    pub fn place(&self) -> (LineOf<'_>, Place) {
        (LineOf { lane: self.lane(), model: &self.spec.model }, Place { finish: self.tag.finish, job: self.id })
    }

    #[must_use]
    pub fn lane(&self) -> Lane {
        self.charge.lane.unwrap_or(Lane::Interactive)
    }

    /// How long it waited for a decoder. `None`: it was not made, or that is not known.
    #[must_use]
    pub fn decoder_wait_ms(&self) -> Option<u64> {
        let after_sampling_ms = self.ended_at?.ms_since(self.sampled_at?);
        PhaseTimes { decoding_ms: self.decoding_ms, ..PhaseTimes::default() }.decoder_wait_ms(after_sampling_ms)
    }

    /// How far it has come, if it is not completed. A stage that has to be begun again is not begun.
    #[must_use]
    pub const fn done(&self) -> Done {
        let (steps, step) = (self.spec.steps, self.step);
        match self.lifecycle.state {
            JobState::Throttled | JobState::Ready | JobState::Retrying { stage: Stage::Sampling, .. } => {
                Done { stage: Some(Stage::Sampling), step: 0, steps, decoded_permille: 0 }
            }
            JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. } => {
                Done { stage: Some(Stage::Decoding), step: steps, steps, decoded_permille: 0 }
            }
            _ => Done { stage: self.stage, step, steps, decoded_permille: self.decoded_permille },
        }
    }
}

#[derive(Debug, Clone)]
pub struct NewJob {
    pub user: UserId,
    pub api_key: Option<ApiKeyId>,
    /// `None`: the default one.
    pub project: Option<ProjectId>,
    pub remixed_from: Option<JobId>,
    pub trace_id: Option<String>,
    pub traceparent: Option<String>,
    pub spec: JobSpec,
    pub quote: Quote,
    /// By which shares of the queue count it. `None`: what it is billed.
    pub work: Option<VideoTime>,
    pub understanding: Option<Understanding>,
    pub deadlines: Deadlines,
    /// The other model that may make it.
    pub fallback: Option<Fallback>,
    /// Where its course is told.
    pub callback: Option<Callback>,
    /// Why it is not taken in, unless an earlier try of the same submission was.
    pub refused: Option<AdmissionError>,
}

/// Names one lease. Whoever holds it may write, until another claim has raised the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LeaseToken {
    pub job: JobId,
    pub tenant: TenantId,
    pub stage: Stage,
    pub epoch: u32,
}

/// A client's key for one submission and a digest of what was submitted under it.
#[derive(Debug, Clone)]
pub struct Idempotency {
    pub key: String,
    pub fingerprint: String,
}

/// Names a line of a batch: however often it is submitted, it becomes one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLineKey {
    pub batch: BatchId,
    pub line: u32,
}

/// How a submission is known when it comes again.
#[derive(Debug, Clone)]
pub enum Repetition {
    /// Each is another one.
    Unknown,
    Key(Idempotency),
    /// Of a client that sends no key, but says how often it has sent the same before.
    Count {
        fingerprint: String,
        retry_count: u32,
    },
    /// A line of a batch.
    Line(BatchLineKey),
}

impl From<Option<Idempotency>> for Repetition {
    fn from(key: Option<Idempotency>) -> Self {
        key.map_or(Self::Unknown, Self::Key)
    }
}

#[derive(Debug, Clone)]
pub struct Submitted {
    pub job: Job,
    /// The job was there already, from an earlier request with the same idempotency key.
    pub replayed: bool,
    /// What the tenant has open with it; not told of one that was there.
    pub room: Option<WorkRoom>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArtifactKind {
    /// What the sampler hands to the decoder; never shown to the tenant.
    Latents,
    Video,
    Image,
    Thumbnail,
    Spritesheet,
}

impl ArtifactKind {
    pub const ALL: [Self; 5] = [Self::Latents, Self::Video, Self::Image, Self::Thumbnail, Self::Spritesheet];
    const OF_VIDEO: &[Self] = &[Self::Video, Self::Thumbnail, Self::Spritesheet];
    const OF_IMAGE: &[Self] = &[Self::Image, Self::Thumbnail];

    /// What a job leaves when it is done; the first is what it was asked for.
    #[must_use]
    pub const fn results(spec: &JobSpec) -> &'static [Self] {
        if spec.is_image() { Self::OF_IMAGE } else { Self::OF_VIDEO }
    }

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Latents => "latents",
            Self::Video => "video",
            Self::Image => "image",
            Self::Thumbnail => "thumbnail",
            Self::Spritesheet => "spritesheet",
        }
    }

    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Latents => "application/octet-stream",
            Self::Video => "video/mp4",
            Self::Image | Self::Thumbnail | Self::Spritesheet => "image/webp",
        }
    }

    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Latents => "latents.safetensors",
            Self::Video => "video.mp4",
            Self::Image => "image.webp",
            Self::Thumbnail => "thumbnail.webp",
            Self::Spritesheet => "spritesheet.webp",
        }
    }
}

/// A finished object of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    pub kind: ArtifactKind,
    pub object_key: String,
    pub content_type: String,
    pub bytes: u64,
    /// Lower-case hex.
    pub sha256: String,
}

/// An object that a worker has uploaded under a key that [`crate::Queue::announce`] gave it.
#[derive(Debug, Clone)]
pub struct StoredObject {
    pub kind: ArtifactKind,
    pub bytes: u64,
    /// Lower-case hex.
    pub sha256: String,
}

/// A small picture of what a running job shows so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub step: u32,
    pub content_type: String,
    pub bytes: Vec<u8>,
}
