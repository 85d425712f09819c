//! Whether the product around this process can take work: its database, its object store, its workers.

use service::Services;
use std::{error::Error, time::Duration};
use store::clock::Instant;
use tokio::{sync::Mutex, time::timeout};

const PATIENCE: Duration = Duration::from_secs(3);
const GOOD_FOR: Duration = Duration::from_secs(1);

/// What the last look at everything around the server found. Anybody may ask, so all who do within a second, or while
/// one looks, are told the same.
#[derive(Debug, Default)]
pub struct LastLook(Mutex<Option<(Instant, Found)>>);

/// Of each: `ok`, or what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub database: &'static str,
    pub objects: &'static str,
    pub workers: &'static str,
}

impl LastLook {
    /// What is found now, or was within a second.
    pub async fn of(&self, services: &Services) -> Found {
        self.or(look(services)).await
    }

    async fn or(&self, look: impl Future<Output = Found>) -> Found {
        let mut last = self.0.lock().await;
        if let Some((_, found)) = last.filter(|(since, _)| since.elapsed() < GOOD_FOR) {
            return found;
        }
        let found = look.await;
        *last = Some((Instant::now(), found));
        found
    }
}

async fn look(services: &Services) -> Found {
    let (database, objects, workers) = tokio::join!(
        timeout(PATIENCE, services.store.ping()),
        timeout(PATIENCE, services.objects.ping()),
        timeout(PATIENCE, services.has_workers()),
    );
    let database = verdict("database", database);
    let is_wrong_store = matches!(&objects, Ok(Err(error)) if error.is_of_wrong_store());
    let objects = verdict("object store", objects);
    let objects = if is_wrong_store { "not the store of this database" } else { objects };
    let workers = match workers {
        Ok(Ok(true)) => "ok",
        Ok(Ok(false)) => "no live worker for every stage",
        _ => "unknown",
    };
    Found { database, objects, workers }
}

fn verdict<T, E: Error + 'static>(name: &str, answer: Result<Result<T, E>, tokio::time::error::Elapsed>) -> &'static str {
    match answer {
        Ok(Ok(_)) => "ok",
        Ok(Err(error)) => {
            tracing::warn!(error = &error as &dyn Error, "not ready: the {name} answers with an error");
            "failing"
        }
        Err(_) => "not answering",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::join_all;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn all_who_ask_within_a_second_share_one_look() {
        let (last, looks) = (LastLook::default(), AtomicUsize::new(0));
        let look = || async {
            let database = if looks.fetch_add(1, Ordering::SeqCst) == 0 { "ok" } else { "failing" };
            tokio::task::yield_now().await;
            Found { database, objects: "ok", workers: "ok" }
        };
        let found = join_all((0..100).map(|_| last.or(look()))).await;
        assert!(found.iter().all(|found| found.database == "ok"));
        assert_eq!(looks.load(Ordering::SeqCst), 1);
        tokio::time::sleep(GOOD_FOR).await;
        assert_eq!(last.or(look()).await.database, "failing");
    }

    #[tokio::test]
    async fn one_who_asked_and_left_holds_nobody_up() {
        let last = LastLook::default();
        let mut first = Box::pin(last.or(std::future::pending()));
        assert!(futures::poll!(&mut first).is_pending());
        drop(first);
        let found = Found { database: "ok", objects: "ok", workers: "ok" };
        assert_eq!(last.or(async { found }).await, found);
    }
}
