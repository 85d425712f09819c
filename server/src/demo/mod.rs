//! A month of three invented teams, so that every page has something to show: made by the use cases themselves, under a clock that is turned.
//!
//! What a worker would do is done here with clips that lie there already; all that is booked, charged, counted and mailed for it is what is booked for
//! any other video.

mod month;
mod people;
mod work;

use anyhow::{Context, Result, ensure};
use clap::Args;
use domain::{Actor, Clock, Timestamp, WorkerId};
use service::{
    Mailer, Services,
    config::{ModelsFolder, Storage},
    mail::MailOptions,
};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};
use store::{SystemClock, chance};

/// Of all accounts of a demo.
pub const PASSWORD: &str = "a month of demo videos";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
#[derive(Debug, Args)]
pub struct DemoOptions {
    /// Folder with clips, `NAME.mp4` and `NAME.webp`, that stand for what workers have made
    #[arg(long, value_name = "DIR")]
    pub clips: PathBuf,
    #[command(flatten)]
    pub models: ModelsFolder,
    /// So many days ago the first team signed up
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u16).range(2..=365))]
    pub days: u16,
}

/// A clock that shows what it was set to, and never an earlier moment than before.
#[derive(Debug)]
struct TurnedClock(AtomicI64);

impl Clock for TurnedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }
}

/// The services of a demo, and their clock.
struct Stage {
    services: Services,
    clock: Arc<TurnedClock>,
    /// The present of everybody else.
    now: Timestamp,
    days: i64,
    /// Who has made all videos.
    worker: WorkerId,
    /// Until when its device's time is told, in milliseconds.
    told_ms: AtomicI64,
}

impl Stage {
    fn turn_to(&self, at: Timestamp) {
        self.clock.0.fetch_max(at.ms().min(self.now.ms()), Ordering::SeqCst);
    }

    fn advance_ms(&self, ms: i64) {
        self.turn_to(self.clock.now().plus_ms(ms));
    }
}

/// Fills a database that has no accounts yet. Returns the addresses that can sign in, the operator's first.
///
/// # Errors
/// When it has accounts, or anything else keeps the month from being made: then it is to be thrown away.
pub async fn make(storage: &Storage, options: &DemoOptions) -> Result<Vec<String>> {
    let now = SystemClock.now();
    let clock = Arc::new(TurnedClock(AtomicI64::new(now.plus_ms(-i64::from(options.days) * DAY_MS).ms())));
    let services = storage.open_by(Arc::<TurnedClock>::clone(&clock)).await?;
    services.store.migrate().await.context("the database could not be brought up to date")?;
    let is_empty = services.tenants(Actor::Operator, "", None, 1).await?.tenants.is_empty();
    ensure!(is_empty, "this database has accounts: a demo is made in an empty one");
    let clips = work::Clips::read(&options.clips)?;
    services.offer_models(Actor::System, &options.models.models).await?;
    let services = services.with_mailer(Mailer::new(&MailOptions::default(), "http://127.0.0.1:3000".to_owned()));
    let stage = Stage {
        services,
        clock,
        now,
        days: options.days.into(),
        worker: WorkerId::from_uuid(chance::new_id()),
        told_ms: AtomicI64::new(0),
    };
    work::begin(&stage).await?;
    let cast = people::sign_up(&stage).await?;
    month::pass(&stage, &cast, &clips).await?;
    stage.services.store.workers().retire(stage.worker).await?;
    stage.services.store.kept_numbers().count_ended().await?;
    Ok(cast.addresses())
}
