//! Events on their way out of the house: delivered soon after they happened, none behind one whose receiver hangs.

use super::{BEGUN_ANEW_AFTER, TAKES_FOR};
use crate::{Services, outbox::EventsOnTheirWay};
use domain::Actor;
use std::{error::Error, time::Duration};
use store::within;

pub const DELIVER: &str = "deliver events";
const LOOK_EVERY: Duration = Duration::from_secs(1);

pub async fn deliver(services: Services) {
    let mut on_their_way = EventsOnTheirWay::default();
    loop {
        let done = within(BEGUN_ANEW_AFTER, services.deliver_events_for(Actor::System, &mut on_their_way, TAKES_FOR)).await;
        services.metrics.note_run(DELIVER, done.is_ok());
        if let Err(error) = done {
            tracing::warn!(reconciler = DELIVER, error = &error as &dyn Error, "{DELIVER}: will try again");
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
