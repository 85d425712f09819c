//! `reelmill backup` and `reelmill restore`.

use anyhow::{Result, bail};
use clap::Args;
use domain::{Actor, Timestamp};
use service::{
    Services,
    backup::{self, BackedUp, BackupError, RestoreOptions},
    check::CheckOptions,
    config::Storage,
};
use std::{error::Error, path::PathBuf, time::Duration};
use store::clock::Instant;
use tokio::{
    signal::unix::{SignalKind, signal},
    time,
};

/// Between two backups, unless they are to follow sooner: so long that garbage is looked for meanwhile.
const PAUSE_MIN: Duration = Duration::from_secs(30);

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
    /// The object store of the backup is there still: its objects stay, and only what is missing is put
    #[arg(long)]
    keep_objects: bool,
}

/// Prints the name of each backup that is made. Whoever interrupts it, or ends it, does not wait for the one that is being made: it is broken off.
pub async fn back_up(services: &Services, storage: &Storage, arguments: BackupArguments) -> Result<()> {
    // Made once: one that is made anew knows nothing of what came between.
    let (mut interrupted, mut ended) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let Some(seconds) = arguments.every else {
        return tokio::select! {
            made = one(services, storage, &arguments) => {
                tell(&made?);
                Ok(())
            }
            _ = interrupted.recv() => bail!("interrupted: no backup was made"),
            _ = ended.recv() => bail!("ended: no backup was made"),
        };
    };
    tokio::select! {
        failed = again_and_again(services, storage, &arguments, Duration::from_secs(seconds)) => Err(failed),
        _ = interrupted.recv() => Ok(()),
        _ = ended.recv() => Ok(()),
    }
}

async fn one(
    services: &Services,
    storage: &Storage,
    BackupArguments { folder, keep, .. }: &BackupArguments,
) -> Result<BackedUp, BackupError> {
    services.back_up(Actor::Operator, storage, folder, usize::from(*keep)).await
}

/// From the beginning of one to that of the next, unless one takes longer: garbage goes in the pause between two, so that there is always one. Ends where
/// another try would be no better.
async fn again_and_again(services: &Services, storage: &Storage, arguments: &BackupArguments, every: Duration) -> anyhow::Error {
    loop {
        let begun = Instant::now();
        match one(services, storage, arguments).await {
            Ok(made) => tell(&made),
            Err(error @ (BackupError::Access(_) | BackupError::ProgramMissing { .. })) => return error.into(),
            Err(error) => tracing::error!(error = &error as &dyn Error, "no backup was made; trying again"),
        }
        time::sleep(every.saturating_sub(begun.elapsed()).max(every.min(PAUSE_MIN))).await;
    }
}

fn tell(BackedUp { name, objects, copied, removed }: &BackedUp) {
    println!("{name}: {objects} objects, {copied} of them new");
    for name in removed {
        println!("{name}: removed");
    }
}

/// Brings a backup back, and looks through all of it.
pub async fn restore(storage: &Storage, RestoreArguments { folder, backup, keep_objects }: RestoreArguments) -> Result<()> {
    let options = RestoreOptions { name: backup.as_deref(), keeps_objects: keep_objects };
    let restored = backup::restore(storage, &folder, options).await?;
    println!("{} is back, with {} objects", restored.name, restored.objects);
    let services = storage.open().await?;
    services.store.migrate().await?;
    // The objects are those of this database from now on.
    services.objects.ping().await?;
    // Leases of its moment have long run out: they are taken back once a server runs.
    services.store.queue().expire_leases(services.store.now().await?).await?;
    // Who looked meanwhile, and what was seen, is lost with the database: it is not as if nobody had been there.
    services.store.operator().forget_looks().await?;
    // Told once more after the processor has forgotten it, it would be charged twice.
    services.store.metering().may_have_been_told(Timestamp::from_ms(restored.made_at_ms)).await?;
    // Objects that the database of the backup does not know of yet. In a store that was kept they may be of work that was lost with the database.
    let grace = if keep_objects {
        Duration::MAX
    } else {
        let removed = services.remove_strays(Actor::System).await?;
        tracing::info!(removed, "objects that were uploaded while the backup was made, and that nothing names, are removed");
        Duration::ZERO
    };
    let options = CheckOptions { hashes: true, grace };
    let report = services.check(Actor::Operator, options).await?;
    println!("{report}");
    if !report.is_clean() {
        bail!("what was restored is not whole");
    }
    Ok(())
}
