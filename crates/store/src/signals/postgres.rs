//! Changes as PostgreSQL's notifications, on a connection of their own.

use super::{CHANNEL, Change, parse};
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use std::time::Duration;
use tokio::{sync::broadcast, time::timeout};

const SILENCE_MAX: Duration = Duration::from_secs(30);
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
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
        while let Some(changes) = next(&mut listener).await {
            for change in changes {
                let _ = sender.send(change);
            }
        }
        listener = reconnected(&options).await;
        let _ = sender.send(Change::Any);
    }
}

/// `None`: the connection is gone. One that broke without a word is noticed when it is asked.
async fn next(listener: &mut PgListener) -> Option<Vec<Change>> {
    loop {
        match timeout(SILENCE_MAX, listener.try_recv()).await {
            Ok(Ok(Some(notification))) => return Some(parse(notification.payload())),
            Ok(Ok(None) | Err(_)) => return None,
            Err(_) => {
                let asked = sqlx::query("SELECT 1").execute(&mut *listener);
                timeout(ANSWER_WITHIN, asked).await.ok()?.ok()?;
            }
        }
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
