//! What a refused form of a signed-in user said, kept in the session until its page takes it out.

use super::session;
use crate::fault::Fault;
use serde::{Serialize, de::DeserializeOwned};
use tower_sessions::{Session, session::Error};

/// Keeps what a refused form said for the page that shows it again. It is stored when this returns.
pub async fn keep<T: Serialize>(form: &str, words: &T) -> Result<(), Fault> {
    Ok(keep_in(&session().await?, form, words).await?)
}

/// The same where there is no page around.
pub async fn keep_in<T: Serialize>(session: &Session, form: &str, words: &T) -> Result<(), Error> {
    session.insert(&slot(form), words).await?;
    session.save().await
}

/// Takes out what was kept; a second look finds nothing.
pub async fn take<T: DeserializeOwned>(form: &str) -> Result<Option<T>, Fault> {
    let session = session().await?;
    if session.get_value(&slot(form)).await?.is_none() {
        return Ok(None);
    }
    Ok(session.remove(&slot(form)).await.unwrap_or_default())
}

fn slot(form: &str) -> String {
    format!("form:{form}")
}
