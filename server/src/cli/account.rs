//! Whom a command is about.

use anyhow::{Context, Result, anyhow};
use domain::{Actor, Email};
use service::{Services, User};

/// The account of this email address.
pub async fn account(services: &Services, email: &str) -> Result<User> {
    let email: Email = email.parse().with_context(|| format!("`{email}` names no account"))?;
    let found = services.user_by_email(Actor::Operator, &email).await?;
    found.ok_or_else(|| anyhow!("there is no account with the email address {email}"))
}
