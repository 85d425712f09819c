//! Lets jobs into the queue when the limits of their tenants' plans allow it: at the moment of the next one, and whenever something changed.

use super::RELEASE;
use crate::Services;
use std::{error::Error, time::Duration};
use store::{in_time, queue::Released};
use tokio::time::{sleep, timeout};

/// Without a word of anything.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// What changes meanwhile is looked at together.
const TOGETHER: Duration = Duration::from_millis(20);

pub(super) async fn release(services: Services) {
    let mut changes = services.store.signals().subscribe();
    loop {
        let released = in_time(services.store.queue().release()).await;
        services.metrics.note_run(RELEASE, released.is_ok());
        let is_anybody_throttled = !matches!(&released, Ok(Released { next_in_ms: None, .. }));
        let next = match released {
            Ok(released) => released.next_in_ms.map_or(LOOK_EVERY, |ms| LOOK_EVERY.min(Duration::from_millis(ms))),
            Err(error) => {
                tracing::warn!(error = &error as &dyn Error, "no jobs are released; trying again");
                LOOK_EVERY
            }
        };
        if !is_anybody_throttled {
            // What is throttled from now on waits for longer than this, or for another job to end.
            sleep(next).await;
        } else if timeout(next, changes.recv()).await.is_ok() {
            sleep(TOGETHER.min(next)).await;
        }
        changes = changes.resubscribe();
    }
}
