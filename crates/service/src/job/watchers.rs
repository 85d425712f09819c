//! Who watches which job in this process, and one look for all of them.
//!
//! A change of the database says little about what changed, on SQLite nothing at all. So the revisions of
//! all watched jobs are read together, at most ten times a second, and each watcher hears of its own job only.

use domain::JobId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::{Change, Store};
use tokio::{
    sync::{
        broadcast::{Receiver, error::RecvError},
        watch,
    },
    time::{sleep, timeout},
};

/// More looks a second than the eye needs would be waste.
const PAUSE: Duration = Duration::from_millis(100);
/// Wake-ups may be lost.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// A database that takes longer is asked again.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is known of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    NotYet,
    Revision(u64),
    Gone,
}

#[derive(Default)]
pub(crate) struct Watchers {
    watched: Mutex<Watched>,
}

#[derive(Default)]
struct Watched {
    jobs: HashMap<JobId, watch::Sender<Known>>,
    looked_after: bool,
}

impl Watchers {
    /// News of a job for as long as the receiver lives.
    pub(crate) fn subscribe(self: &Arc<Self>, store: &Store, id: JobId) -> watch::Receiver<Known> {
        let mut watched = self.lock();
        let news = watched.jobs.entry(id).or_insert_with(|| watch::Sender::new(Known::NotYet)).subscribe();
        if !std::mem::replace(&mut watched.looked_after, true) {
            tokio::spawn(look_after(Arc::clone(self), store.clone(), store.signals().subscribe()));
        }
        news
    }

    /// The jobs that somebody watches; `None` when nobody watches any, and whoever asks is to stop looking.
    fn ids(&self) -> Option<Vec<JobId>> {
        let mut watched = self.lock();
        watched.jobs.retain(|_, news| news.receiver_count() > 0);
        watched.looked_after = !watched.jobs.is_empty();
        watched.looked_after.then(|| watched.jobs.keys().copied().collect())
    }

    fn is_watched(&self, id: JobId) -> bool {
        self.lock().jobs.contains_key(&id)
    }

    fn tell(&self, asked: &[JobId], revisions: &HashMap<JobId, u64>) {
        let watched = self.lock();
        for id in asked {
            let known = revisions.get(id).map_or(Known::Gone, |revision| Known::Revision(*revision));
            if let Some(news) = watched.jobs.get(id) {
                news.send_if_modified(|before| std::mem::replace(before, known) != known);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs while anything is watched.
async fn look_after(watchers: Arc<Watchers>, store: Store, mut changes: Receiver<Change>) {
    while let Some(ids) = watchers.ids() {
        match timeout(PATIENCE, store.revisions(&ids)).await {
            Ok(Ok(revisions)) => watchers.tell(&ids, &revisions),
            Ok(Err(error)) => tracing::warn!(error = &error as &dyn std::error::Error, "watched jobs cannot be looked at; trying again"),
            Err(_) => tracing::warn!("watched jobs cannot be looked at: the database does not answer; trying again"),
        }
        sleep(PAUSE).await;
        let _ = timeout(LOOK_EVERY, relevant(&mut changes, &watchers)).await;
    }
}

/// Waits until a watched job may have changed.
async fn relevant(changes: &mut Receiver<Change>, watchers: &Watchers) {
    loop {
        match changes.recv().await {
            Ok(Change::Job(id)) if !watchers.is_watched(id) => {}
            Ok(Change::Queue(_)) => {}
            Ok(_) | Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}
