//! Events that a transaction adds to the outbox: they are there when what they tell of is there, and not otherwise.

use super::connect;
use crate::{StoreError, entity::outbox as table};
use domain::{Email, Timestamp, UserId, account::mail::Mail};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, QueryFilter};
use sha2::{Digest, Sha256};

/// Something that happened, to be told to somebody outside of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// What it is about: events of one subject are delivered in the order in which they were added. Whoever adds one holds
    /// a lock on the row that it is about, or two transactions may add theirs in either order.
    pub subject: String,
    /// Who delivers it goes by this.
    pub kind: &'static str,
    pub payload: serde_json::Value,
}

/// The kind of those that are mails.
pub const MAIL: &str = "mail";

impl NewEvent {
    /// Mails to or about one person are sent one after the other.
    pub(crate) fn mail(mail: &Mail) -> Self {
        let about = match mail {
            Mail::ResetPassword { email } | Mail::PasswordChanged { email } | Mail::SecondFactorOff { email } => email.to_string(),
            Mail::IdentityLinked { email } | Mail::IdentityUnlinked { email } => email.to_string(),
            Mail::Removed { email, .. } | Mail::EmailChanged { old: email, .. } => email.to_string(),
            Mail::VerifyEmail { user }
            | Mail::ChangeEmail { user, .. }
            | Mail::SpendingReached { user, .. }
            | Mail::PaymentFailed { user, .. }
            | Mail::PaymentRecovered { user, .. }
            | Mail::PlanLimited { user, .. }
            | Mail::WebhookDisabled { user, .. } => user.to_string(),
            Mail::Invitation { invitation } => invitation.to_string(),
            Mail::Alerts { user, email, told } => {
                let to = user.map(|user| user.to_string()).or(email.as_ref().map(Email::to_string)).unwrap_or_default();
                match told.iter().find(|told| told.rule.is_none()) {
                    // A test waits for nothing that could not be sent before.
                    Some(test) => format!("alerts {to} {}", test.key),
                    None => format!("alerts {to}"),
                }
            }
        };
        let payload = serde_json::to_value(mail).unwrap_or_default();
        Self { subject: format!("mail {about}"), kind: MAIL, payload }
    }
}

pub(crate) async fn add(tx: &DatabaseTransaction, now: Timestamp, mut events: Vec<NewEvent>) -> Result<(), StoreError> {
    // All take the locks of several subjects in the same order; the order within a subject stays.
    events.sort_by(|a, b| a.subject.cmp(&b.subject));
    for event in events {
        lock_subject(tx, &event.subject).await?;
        let older = table::Entity::find().filter(table::Column::Subject.eq(&*event.subject)).filter(table::Column::GivenUpAtMs.is_null());
        let row = table::ActiveModel {
            behind: Set(older.one(tx).await?.is_some()),
            subject: Set(event.subject),
            kind: Set(event.kind.to_owned()),
            payload: Set(event.payload.to_string()),
            created_at_ms: Set(now.ms()),
            attempts: Set(0),
            // Behind those that wait already, also for another attempt.
            due_at_ms: Set(now.ms()),
            ..Default::default()
        };
        table::Entity::insert(row).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Mails to or about somebody whose account is gone, also those that were given up.
pub(crate) async fn forget_mails(tx: &DatabaseTransaction, user: UserId, email: &Email) -> Result<(), StoreError> {
    for about in [user.to_string(), email.to_string()] {
        let subject = format!("mail {about}");
        lock_subject(tx, &subject).await?;
        table::Entity::delete_many().filter(table::Column::Subject.eq(subject)).exec(tx).await?;
    }
    Ok(())
}

/// Nobody else adds or removes an event of this subject until the transaction ends. SQLite has one writer anyway.
pub(crate) async fn lock_subject(tx: &DatabaseTransaction, subject: &str) -> Result<(), StoreError> {
    if tx.get_database_backend() == DbBackend::Postgres {
        let digest: [u8; 32] = Sha256::digest(subject).into();
        let [a, b, c, d, e, f, g, h, ..] = digest;
        connect::lock(tx, i64::from_be_bytes([a, b, c, d, e, f, g, h])).await?;
    }
    Ok(())
}
