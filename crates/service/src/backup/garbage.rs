//! Garbage waits while backups are made. Each says so in a setting of its own, so that one that ends takes nothing from another that goes on.

use crate::{Services, StoreError};
use domain::Timestamp;
use std::{error::Error, sync::Arc, time::Duration};
use store::{chance, clock::Instant, in_time};
use tokio::{sync::Mutex, task::JoinHandle};
use tokio_util::sync::{CancellationToken, DropGuard};

/// What the settings' names begin with. Each says until when garbage stays: anew for as long as its backup is being made, and past when its process
/// has died.
const GARBAGE_WAITS_UNTIL: &str = "garbage_waits_until_ms";
const WAITS_FOR: Duration = Duration::from_secs(120);
/// That is said again this often.
const SAID_EVERY: Duration = Duration::from_secs(30);

/// Garbage stays for as long as this lives.
pub(super) struct Waiting {
    wait: Arc<Wait>,
    ended: DropGuard,
    lapsed: CancellationToken,
    saying: JoinHandle<()>,
}

impl Waiting {
    /// Whether garbage has waited all the time until now.
    pub(super) async fn has_held(&self) -> Result<bool, StoreError> {
        self.wait.say_again().await
    }

    /// Returns when garbage may have gone: what is made then is no backup, however long it would take still.
    pub(super) async fn lapsed(&self) {
        self.lapsed.cancelled().await;
    }

    /// Garbage may go again, unless another backup is being made.
    pub(super) async fn end(self) {
        drop(self.ended);
        // Ends soon; whether it had failed does not matter any more.
        let _ = self.saying.await;
    }
}

/// What is said for one backup.
struct Wait {
    services: Services,
    /// Of its setting.
    name: String,
    /// So long garbage waits for certain. `None`: what was said was past before it was said anew.
    held_until: Mutex<Option<Timestamp>>,
}

impl Wait {
    /// Says until when garbage waits from now on. `false`: meanwhile it has not.
    async fn say_again(&self) -> Result<bool, StoreError> {
        let mut held_until = self.held_until.lock().await;
        let store = &self.services.store;
        let before = in_time(store.settings().find(&self.name)).await?;
        let until = in_time(self.services.say_until(&self.name)).await?;
        // What was said before has to reach until what is said now is seen.
        let now = in_time(store.now()).await?;
        let has_held = held_until.is_some_and(|until| until > now) && before.is_some_and(|until| is_to_come(&until, now));
        *held_until = has_held.then_some(until);
        Ok(has_held)
    }

    async fn say_until_ended(self: Arc<Self>, every: Duration, ended: CancellationToken, lapsed: CancellationToken) {
        let mut said = Instant::now();
        while ended.run_until_cancelled(tokio::time::sleep(every)).await.is_some() {
            match self.say_again().await {
                Ok(true) => said = Instant::now(),
                Ok(false) => lapsed.cancel(),
                Err(error) => {
                    tracing::warn!(error = &error as &dyn Error, "cannot keep garbage waiting for a backup; trying again");
                    if said.elapsed() > WAITS_FOR {
                        lapsed.cancel();
                    }
                }
            }
        }
        if let Err(error) = in_time(self.services.store.settings().remove(&self.name)).await {
            tracing::warn!(error = &error as &dyn Error, "garbage waits two minutes more for a backup that is over");
        }
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
        self.keep_garbage_waiting_said_every(SAID_EVERY).await
    }

    async fn keep_garbage_waiting_said_every(&self, every: Duration) -> Result<Waiting, StoreError> {
        self.forget_past_waits().await?;
        let name = format!("{GARBAGE_WAITS_UNTIL}:{}", chance::new_name());
        let until = in_time(self.say_until(&name)).await?;
        let wait = Arc::new(Wait { services: self.clone(), name, held_until: Mutex::new(Some(until)) });
        let (ended, lapsed) = (CancellationToken::new(), CancellationToken::new());
        let saying = tokio::spawn(wait.clone().say_until_ended(every, ended.clone(), lapsed.clone()));
        Ok(Waiting { wait, ended: ended.drop_guard(), lapsed, saying })
    }

    async fn forget_past_waits(&self) -> Result<(), StoreError> {
        let (settings, now) = (self.store.settings(), in_time(self.store.now()).await?);
        for (name, until) in in_time(settings.beginning_with(GARBAGE_WAITS_UNTIL)).await? {
            if !is_to_come(&until, now) {
                in_time(settings.remove(&name)).await?;
            }
        }
        Ok(())
    }

    async fn say_until(&self, name: &str) -> Result<Timestamp, StoreError> {
        let until = self.store.now().await?.plus_ms(ms(WAITS_FOR));
        self.store.settings().set(name, &until.ms().to_string()).await?;
        Ok(until)
    }
}

/// A clock that was wrong for a moment keeps garbage no longer than two backups would: what lies a little too far ahead was said after `now` was asked for.
fn is_to_come(until: &str, now: Timestamp) -> bool {
    until.parse().is_ok_and(|until| !Timestamp::from_ms(until).has_come(now, 2 * ms(WAITS_FOR)))
}

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{
        objects::{ObjectsConfig, open},
        testing::TempDatabase,
    };
    use tokio::time::timeout;

    #[tokio::test]
    async fn who_makes_a_backup_hears_that_garbage_may_have_gone_before_it_has_all() {
        let (folder, database) = (tempfile::tempdir().unwrap(), TempDatabase::sqlite());
        let store = database.open().await.unwrap();
        let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let services = Services::new(store, objects);
        let waiting = services.keep_garbage_waiting_said_every(Duration::from_millis(10)).await.unwrap();
        assert!(timeout(Duration::from_millis(300), waiting.lapsed()).await.is_err(), "it waits");
        // As where nothing could be said for too long. What is being said just now may take its place.
        let lapsing = async {
            while !waiting.lapsed.is_cancelled() {
                services.store.settings().set(&waiting.wait.name, "1").await.unwrap();
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
        };
        timeout(Duration::from_secs(30), async { tokio::join!(lapsing, waiting.lapsed()) }).await.unwrap();
        assert!(!waiting.has_held().await.unwrap());
        waiting.end().await;
    }
}
