//! What a transaction did to jobs, told to whoever counts it once it is committed.
//!
//! Each transition is told by the process that committed it, and only there: added up over all processes, each counts
//! once. One whose commit got no answer is told by nobody.

use crate::Job;
use domain::{JobState, Stage};
use std::sync::Arc;

/// One thing that became of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    pub model: String,
    pub kind: TransitionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransitionKind {
    Submitted,
    /// A worker has it for a stage. `waited_ms` is the time since it was submitted, at its first claim alone.
    Claimed {
        stage: Stage,
        waited_ms: Option<u64>,
    },
    StageDone {
        stage: Stage,
        took_ms: u64,
    },
    /// What was begun has not come to its end, and the stage waits for another claim.
    Requeued {
        stage: Stage,
    },
    /// `waited_ms` is the time for which it waited for a decoder, where that is known.
    Succeeded {
        waited_ms: Option<u64>,
    },
    Failed,
    Cancelled,
}

/// Is told of every transition that this process commits. It must not block.
pub type TransitionObserver = Arc<dyn Fn(&Transition) + Send + Sync>;

impl Transition {
    pub(crate) fn submitted(job: &Job) -> Self {
        Self { model: job.spec.model.clone(), kind: TransitionKind::Submitted }
    }

    /// What the step from `before` to `after` was; none, where it stands as before.
    pub(crate) fn between(before: &Job, after: &Job) -> Vec<Self> {
        if before.lifecycle.state == after.lifecycle.state {
            return Vec::new();
        }
        let kinds = match &after.lifecycle.state {
            JobState::Throttled | JobState::Ready => vec![],
            JobState::Sampling(_) => vec![claimed(Stage::Sampling, before, after)],
            JobState::Decoding(_) => vec![claimed(Stage::Decoding, before, after)],
            JobState::Sampled => vec![done(Stage::Sampling, after.sampling_ms)],
            JobState::Retrying { stage, .. } => vec![TransitionKind::Requeued { stage: *stage }],
            JobState::Succeeded => {
                vec![done(Stage::Decoding, after.decoding_ms), TransitionKind::Succeeded { waited_ms: after.decoder_wait_ms() }]
            }
            JobState::Failed(_) => vec![TransitionKind::Failed],
            JobState::Cancelled => vec![TransitionKind::Cancelled],
        };
        kinds.into_iter().map(|kind| Self { model: after.spec.model.clone(), kind }).collect()
    }
}

fn claimed(stage: Stage, before: &Job, after: &Job) -> TransitionKind {
    let begun = if before.started_at.is_none() { after.started_at } else { None };
    TransitionKind::Claimed { stage, waited_ms: begun.map(|begun| begun.ms_since(after.created_at)) }
}

fn done(stage: Stage, took_ms: Option<u64>) -> TransitionKind {
    TransitionKind::StageDone { stage, took_ms: took_ms.unwrap_or_default() }
}
