//! Changes as PostgreSQL's notifications, on a connection of their own.

use super::{CHANNEL, Change, parse};
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use std::time::Duration;
use tokio::sync::broadcast;

const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

pub(super) async fn connect(options: &PgConnectOptions) -> Result<PgListener, sqlx::Error> {
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None).connect_with(options.clone()).await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// Passes notifications on for ever; whatever may have been missed while the connection was gone is
/// made up for by [`Change::Any`].
pub(super) async fn listen(mut listener: PgListener, options: PgConnectOptions, sender: broadcast::Sender<Change>) {
    loop {
        while let Ok(Some(notification)) = listener.try_recv().await {
            let _ = sender.send(parse(notification.payload()));
        }
        listener = reconnected(&options).await;
        let _ = sender.send(Change::Any);
    }
}

async fn reconnected(options: &PgConnectOptions) -> PgListener {
    let mut pause = PAUSE_MIN;
    loop {
        match connect(options).await {
            Ok(listener) => return listener,
            Err(error) => tracing::warn!(error = %error, "cannot listen for changes; trying again"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
}
