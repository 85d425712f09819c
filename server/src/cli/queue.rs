//! `reelmill admin queue`: what the operator does to the queue. Nothing is printed but what is asked for.

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use domain::{
    Actor, JobId, WorkerId,
    scheduling::{PauseScope, QueueAct},
};
use service::{Services, operator::QueueChangeError};

#[derive(Debug, Subcommand)]
pub enum Queue {
    /// Print a line for each pause and each video in quarantine: what, since when (unix seconds), and why
    List,
    /// Have no worker begin any of it; what runs goes on, and new videos are taken in
    Pause(Scope),
    /// Have workers begin it again
    Resume(Scope),
    /// Have a worker take no more jobs, and end when its own have
    Drain(Worker),
    /// Move a video to the front of its line
    Expedite(Video),
    /// Have a failed video tried once more; its price is held again
    Requeue(Video),
    /// Have nobody begin a video, for a reason that its owner reads
    Quarantine(Quarantined),
    /// End the quarantine of a video
    Lift(Video),
}

#[derive(Debug, Args)]
pub struct Scope {
    /// `everything`, `model:ID`, `lane:interactive`, `lane:batch` or `tenant:ID`
    #[arg(long)]
    scope: PauseScope,
    /// Why; those who wait read it
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Debug, Args)]
pub struct Worker {
    /// Its id
    #[arg(long)]
    worker: WorkerId,
    /// Why; it stands in the log
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Debug, Args)]
pub struct Video {
    /// Its id
    #[arg(long)]
    video: JobId,
    /// Why; it stands in the log of its team
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Debug, Args)]
pub struct Quarantined {
    /// Its id
    #[arg(long)]
    video: JobId,
    /// Why; its owner reads it
    #[arg(long)]
    reason: String,
}

impl Queue {
    pub async fn execute(self, services: &Services) -> Result<()> {
        let (act, reason) = match self {
            Self::List => return list(services).await,
            Self::Pause(Scope { scope, reason }) => (QueueAct::Pause(scope), reason),
            Self::Resume(Scope { scope, reason }) => (QueueAct::Resume(scope), reason),
            Self::Drain(Worker { worker, reason }) => (QueueAct::Drain(worker), reason),
            Self::Expedite(Video { video, reason }) => (QueueAct::Expedite(video), reason),
            Self::Requeue(Video { video, reason }) => (QueueAct::Requeue(video), reason),
            Self::Quarantine(Quarantined { video, reason }) => (QueueAct::Quarantine(video), reason),
            Self::Lift(Video { video, reason }) => (QueueAct::Lift(video), reason),
        };
        let done = Box::pin(services.change_queue(Actor::Operator, None, &act, &reason)).await;
        done.map_err(|error| match error {
            QueueChangeError::Store(error) => error.into(),
            error => anyhow!("{error}"),
        })
    }
}

/// Between two columns is a tab.
async fn list(services: &Services) -> Result<()> {
    let desk = Box::pin(services.queue_desk(Actor::Operator, None)).await?;
    for pause in desk.pauses? {
        println!("{}\t{}\t{}", pause.scope, pause.since.unix_seconds(), pause.reason.unwrap_or_default());
    }
    for (id, (since, reason)) in desk.quarantined?.into_iter().filter_map(|named| Some((named.job.id, named.job.quarantine?))) {
        println!("{id}\t{}\t{reason}", since.unix_seconds());
    }
    Ok(())
}
