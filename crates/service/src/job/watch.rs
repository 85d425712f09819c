//! Watching a job live: a stream of views, newest state first, that ends with the job.
//!
//! Each item is the whole view, so whoever comes back after a lost connection needs no history: the
//! first item already says all.

use crate::Services;
use domain::{JobId, JobView, TenantId};
use futures::{Stream, stream};
use std::time::{Duration, Instant};
use store::{Change, StoreError};
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{sleep, timeout},
};

/// At most ten views a second: more than the eye needs.
const PAUSE: Duration = Duration::from_millis(100);
/// Estimates and queue positions move without a change of the job itself.
const REFRESH: Duration = Duration::from_secs(2);

struct Watch {
    services: Services,
    tenant: TenantId,
    id: JobId,
    changes: Receiver<Change>,
    seen: Option<JobView>,
    /// When the estimate was made last.
    estimated: Instant,
}

enum Look {
    Same,
    New(Box<JobView>),
    Gone,
}

impl Services {
    /// Views of a job as it moves on, beginning with the present one unless `after` names its revision.
    /// The stream ends after the final view, or when the job is gone.
    pub fn watch(&self, tenant: TenantId, id: JobId, after: Option<u64>) -> impl Stream<Item = Result<JobView, StoreError>> + Send + use<> {
        let changes = self.store.signals().subscribe();
        let watch = Watch { services: self.clone(), tenant, id, changes, seen: None, estimated: Instant::now() };
        stream::unfold((watch, after), |(mut watch, after)| async move {
            let next = watch.next(after).await?;
            Some((next, (watch, None)))
        })
    }
}

impl Watch {
    async fn next(&mut self, mut after: Option<u64>) -> Option<Result<JobView, StoreError>> {
        if self.seen.as_ref().is_some_and(|view| view.status.is_final()) {
            return None;
        }
        let mut first = self.seen.is_none();
        loop {
            if !std::mem::take(&mut first) {
                self.wait_for_change().await;
            }
            let view = match self.look().await {
                Ok(Look::Same) => continue,
                Ok(Look::Gone) => return None,
                Ok(Look::New(view)) => *view,
                Err(error) => return Some(Err(error)),
            };
            let known = after.take() == Some(view.revision) && !view.status.is_final();
            if self.seen.as_ref() == Some(&view) || known {
                self.seen = Some(view);
                continue;
            }
            self.seen = Some(view.clone());
            return Some(Ok(view));
        }
    }

    /// A look at the queue only when the job has changed, or after a while: a wake-up may be for anyone.
    async fn look(&mut self) -> Result<Look, StoreError> {
        let Some(job) = self.services.store.tenant(self.tenant).jobs().get(self.id).await? else { return Ok(Look::Gone) };
        let same = self.seen.as_ref().is_some_and(|view| view.revision == job.revision);
        if same && self.estimated.elapsed() < REFRESH {
            return Ok(Look::Same);
        }
        self.estimated = Instant::now();
        Ok(Look::New(Box::new(self.services.view(&job).await?)))
    }

    /// Sleeps until this job may have changed.
    async fn wait_for_change(&mut self) {
        sleep(PAUSE).await;
        let relevant = async {
            loop {
                match self.changes.recv().await {
                    Ok(Change::Job(id)) if id != self.id => {}
                    Ok(Change::Queue(_)) => {}
                    Ok(_) | Err(RecvError::Lagged(_)) => return,
                    Err(RecvError::Closed) => std::future::pending().await,
                }
            }
        };
        let _ = timeout(REFRESH, relevant).await;
    }
}
