//! `reelmill backup` and `reelmill restore`.

use anyhow::{Result, bail};
use clap::Args;
use domain::Actor;
use service::{
    Services,
    backup::{self, BackedUp, BackupError},
    check::CheckOptions,
    config::Storage,
};
use std::{error::Error, path::PathBuf, time::Duration};
use tokio::{signal, time};

#[derive(Debug, Args)]
pub struct BackupArguments {
    /// Folder of the backups, on another disk; it is made if need be
    folder: PathBuf,
    /// How many backups stay there; older ones are removed
    #[arg(long, value_name = "NUMBER", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    keep: u16,
    /// Make another backup as often as that, until interrupted
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
}

#[derive(Debug, Args)]
pub struct RestoreArguments {
    /// Folder of the backups
    folder: PathBuf,
    /// Name of the backup, instead of the newest
    #[arg(long, value_name = "NAME")]
    backup: Option<String>,
}

/// Prints the name of each backup that is made.
pub async fn back_up(services: &Services, storage: &Storage, BackupArguments { folder, keep, every }: BackupArguments) -> Result<()> {
    let keep = usize::from(keep);
    let Some(seconds) = every else {
        tell(&services.back_up(Actor::Operator, storage, &folder, keep).await?);
        return Ok(());
    };
    let mut ticks = time::interval(Duration::from_secs(seconds));
    ticks.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            stopped = signal::ctrl_c() => return Ok(stopped?),
            _ = ticks.tick() => {}
        }
        match services.back_up(Actor::Operator, storage, &folder, keep).await {
            Ok(made) => tell(&made),
            Err(error @ (BackupError::Access(_) | BackupError::ProgramMissing { .. })) => return Err(error.into()),
            Err(error) => tracing::error!(error = &error as &dyn Error, "no backup was made; trying again in {seconds} seconds"),
        }
    }
}

fn tell(BackedUp { name, objects, copied, removed }: &BackedUp) {
    println!("{name}: {objects} objects, {copied} of them new");
    for name in removed {
        println!("{name}: removed");
    }
}

/// Brings a backup back, and looks through all of it.
pub async fn restore(storage: &Storage, RestoreArguments { folder, backup }: RestoreArguments) -> Result<()> {
    let restored = backup::restore(storage, &folder, backup.as_deref()).await?;
    println!("{} is back, with {} objects", restored.name, restored.objects);
    let services = storage.open().await?;
    services.store.migrate().await?;
    // Leases of its moment have long run out: they are taken back once a server runs.
    services.store.queue().expire_leases().await?;
    // Nothing that was uploaded meanwhile is left behind yet.
    let options = CheckOptions { hashes: true, grace: Duration::MAX };
    let report = services.check(Actor::Operator, options).await?;
    println!("{report}");
    if !report.is_clean() {
        bail!("what was restored is not whole");
    }
    Ok(())
}
