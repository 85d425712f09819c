//! Leading for as long as a plan or a decision takes, here and where models are placed.

use crate::Services;
use std::{error::Error, time::Duration};
use store::in_time;

/// A server that fell silent is replaced by then.
pub(crate) const HELD_MS: i64 = 4000;
/// However long it takes, who decides leads meanwhile.
const HELD_AGAIN_EVERY: Duration = Duration::from_secs(1);

/// Leads what `name` says on meanwhile; returns when another does.
pub(crate) async fn until_another_leads(services: &Services, name: &str, holder: &str) {
    loop {
        tokio::time::sleep(HELD_AGAIN_EVERY).await;
        match in_time(services.store.leaders().hold(name, holder, HELD_MS)).await {
            Ok(true) => {}
            Ok(false) => return tracing::warn!(leader.name = name, "another server leads by now"),
            Err(error) => tracing::warn!(leader.name = name, error = &error as &dyn Error, "it is not known who leads"),
        }
    }
}
