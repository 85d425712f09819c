//! Webhooks on their way: sent as soon as they may be, and forgotten when they are old.

use super::{BEGUN_ANEW_AFTER, TAKES_FOR};
use crate::{AccessError, Services, webhook::WebhooksOnTheirWay};
use domain::{Actor, webhook::PROGRESS_TOLD_EVERY_MS};
use std::{error::Error, time::Duration};
use store::within;

pub const SEND: &str = "send webhooks";
pub const FOLLOW: &str = "follow callbacks";
pub const FORGET: &str = "forget webhooks";
pub const FORGET_EVERY: Duration = Duration::from_secs(60);
/// What another process has added is seen by then.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// At once when this process has added some, and soon when another has.
pub async fn send(services: Services) {
    let mut on_their_way = WebhooksOnTheirWay::default();
    loop {
        let done = within(BEGUN_ANEW_AFTER, services.send_webhooks_for(Actor::System, &mut on_their_way, TAKES_FOR)).await;
        services.metrics.note_run(SEND, done.is_ok());
        if let Err(error) = done {
            tracing::warn!(reconciler = SEND, error = &error as &dyn Error, "{SEND}: will try again");
            tokio::time::sleep(LOOK_EVERY).await;
        }
        services.webhooks_added(LOOK_EVERY).await;
    }
}

/// Looked at as often as progress is told at most.
pub const FOLLOW_EVERY: Duration = Duration::from_millis(PROGRESS_TOLD_EVERY_MS.unsigned_abs());

pub async fn follow(services: Services) -> Result<(), AccessError> {
    services.follow_callbacks(Actor::System).await
}

pub async fn forget(services: Services) -> Result<(), AccessError> {
    services.forget_webhooks(Actor::System).await
}
