//! Garbage waits while backups are made. Each says so in a setting of its own, so that one that ends takes nothing from another that goes on.

use crate::{Services, StoreError};
use domain::Timestamp;
use std::{error::Error, time::Duration};
use store::chance;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

/// What the settings' names begin with. Each says until when garbage stays: anew for as long as its backup is being made, and past when its process
/// has died.
const GARBAGE_WAITS_UNTIL: &str = "garbage_waits_until_ms";
const WAITS_FOR: Duration = Duration::from_secs(120);

/// Garbage stays for as long as this lives.
pub(super) struct Waiting {
    ended: DropGuard,
    saying: JoinHandle<()>,
}

impl Waiting {
    /// Garbage may go again, unless another backup is being made.
    pub(super) async fn end(self) {
        drop(self.ended);
        // Ends at once; whether it had failed does not matter any more.
        let _ = self.saying.await;
    }
}

impl Services {
    /// Whether a backup is being made, of which objects that became garbage meanwhile are a part. Asked between the search for garbage and its removal:
    /// what was found before a backup began is no part of it.
    pub(crate) async fn garbage_waits(&self) -> Result<bool, StoreError> {
        let now = self.store.now().await?;
        let settings = self.store.settings().beginning_with(GARBAGE_WAITS_UNTIL).await?;
        Ok(settings.iter().any(|(_, until)| is_to_come(until, now)))
    }

    pub(super) async fn keep_garbage_waiting(&self) -> Result<Waiting, StoreError> {
        self.forget_past_waits().await?;
        let name = format!("{GARBAGE_WAITS_UNTIL}:{}", chance::new_name());
        self.say_until(&name).await?;
        let ended = CancellationToken::new();
        let saying = tokio::spawn(self.clone().say_until_ended(name, ended.clone()));
        Ok(Waiting { ended: ended.drop_guard(), saying })
    }

    async fn forget_past_waits(&self) -> Result<(), StoreError> {
        let (settings, now) = (self.store.settings(), self.store.now().await?);
        for (name, until) in settings.beginning_with(GARBAGE_WAITS_UNTIL).await? {
            if !is_to_come(&until, now) {
                settings.remove(&name).await?;
            }
        }
        Ok(())
    }

    async fn say_until(&self, name: &str) -> Result<(), StoreError> {
        let until = self.store.now().await?.plus_ms(ms(WAITS_FOR));
        self.store.settings().set(name, &until.ms().to_string()).await
    }

    async fn say_until_ended(self, name: String, ended: CancellationToken) {
        while ended.run_until_cancelled(tokio::time::sleep(WAITS_FOR / 4)).await.is_some() {
            if let Err(error) = self.say_until(&name).await {
                tracing::warn!(error = &error as &dyn Error, "cannot keep garbage waiting for a backup; trying again");
            }
        }
        if let Err(error) = self.store.settings().remove(&name).await {
            tracing::warn!(error = &error as &dyn Error, "garbage waits two minutes more for a backup that is over");
        }
    }
}

/// A clock that was wrong for a moment keeps garbage no longer than a backup would.
fn is_to_come(until: &str, now: Timestamp) -> bool {
    until.parse().is_ok_and(|until| !Timestamp::from_ms(until).has_come(now, ms(WAITS_FOR)))
}

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
