//! Where alerts are told to. The only place that writes `alert_addresses`.

use super::{Alerts, refusal::AlertRefusal};
use crate::{ActOfOperator, StoreError, database::write::Write};
use domain::{Act, AlertAddressId, Timestamp, alerts::ADDRESSES_MAX};
use sea_orm::{ConnectionTrait, FromQueryResult};

/// Names the lock of PostgreSQL under which addresses are added.
const ADDRESSES_LOCK: i64 = 0x5265_656c_0011;
const ERROR_CHARS_MAX: usize = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressKind {
    /// By mail, to whoever is an operator at that time.
    Operators,
    Mail,
    Webhook,
}

impl AddressKind {
    pub const ALL: [Self; 3] = [Self::Operators, Self::Mail, Self::Webhook];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operators => "operators",
            Self::Mail => "mail",
            Self::Webhook => "webhook",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertAddress {
    pub id: AlertAddressId,
    pub kind: AddressKind,
    /// A mail address, or that of a receiver; empty: of operators.
    pub target: String,
    /// Of a webhook.
    pub sealed_secret: Option<String>,
    pub secret_hint: Option<String>,
    /// When a webhook was tried last, and what was wrong with it.
    pub last_at: Option<Timestamp>,
    pub last_error: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewAlertAddress {
    pub id: AlertAddressId,
    pub kind: AddressKind,
    pub target: String,
    pub sealed_secret: Option<String>,
    pub secret_hint: Option<String>,
}

#[derive(FromQueryResult)]
struct Row {
    id: String,
    kind: String,
    target: String,
    sealed_secret: Option<String>,
    secret_hint: Option<String>,
    last_at_ms: Option<i64>,
    last_error: Option<String>,
}

impl Row {
    fn read(self) -> Option<AlertAddress> {
        Some(AlertAddress {
            id: self.id.parse().ok()?,
            kind: AddressKind::named(&self.kind)?,
            target: self.target,
            sealed_secret: self.sealed_secret,
            secret_hint: self.secret_hint,
            last_at: self.last_at_ms.map(Timestamp::from_ms),
            last_error: self.last_error,
        })
    }
}

/// They are few, by [`ADDRESSES_MAX`].
const ALL: &str = "SELECT id, kind, target, sealed_secret, secret_hint, last_at_ms, last_error FROM alert_addresses ORDER BY id LIMIT 100";

impl Alerts<'_> {
    /// The oldest first.
    pub async fn addresses(self) -> Result<Vec<AlertAddress>, StoreError> {
        let rows: Vec<Row> = self.read(ALL, vec![]).await?;
        Ok(rows.into_iter().filter_map(Row::read).collect())
    }

    /// # Errors
    /// [`AlertRefusal`]: there are too many, or it is there already.
    pub async fn add_address(self, new: &NewAlertAddress, act: ActOfOperator<'_>) -> Result<(), AlertRefusal> {
        let write = self.store.write().await?;
        write.alone(ADDRESSES_LOCK).await?;
        let there = all(&write).await?;
        let is_taken = there.iter().any(|(_, kind, target)| *kind == new.kind && *target == new.target);
        if is_taken || there.len() >= ADDRESSES_MAX {
            write.abandon().await?;
            return Err(if is_taken { AlertRefusal::Taken } else { AlertRefusal::Full });
        }
        let sql = "INSERT INTO alert_addresses (id, kind, target, sealed_secret, secret_hint, made_at_ms) VALUES ($1, $2, $3, $4, $5, $6)";
        let values = [
            new.id.to_string().into(),
            new.kind.as_str().into(),
            new.target.as_str().into(),
            new.sealed_secret.clone().into(),
            new.secret_hint.clone().into(),
            write.now.ms().into(),
        ];
        write.tx.execute_raw(write.statement(sql, values)).await.map_err(StoreError::from)?;
        act.note(&write, None, Act::AlertsChanged, format!("tell {}", said(new.kind, &new.target))).await?;
        write.commit().await?;
        Ok(())
    }

    /// # Errors
    /// [`AlertRefusal::Unknown`].
    pub async fn delete_address(self, id: AlertAddressId, act: ActOfOperator<'_>) -> Result<(), AlertRefusal> {
        let write = self.store.write().await?;
        let Some((_, kind, target)) = all(&write).await?.into_iter().find(|(of, ..)| *of == id) else {
            write.abandon().await?;
            return Err(AlertRefusal::Unknown);
        };
        let sql = "DELETE FROM alert_addresses WHERE id = $1";
        write.tx.execute_raw(write.statement(sql, [id.to_string().into()])).await.map_err(StoreError::from)?;
        act.note(&write, None, Act::AlertsChanged, format!("tell {} no more", said(kind, &target))).await?;
        write.commit().await?;
        Ok(())
    }

    /// What became of a try at an address; it may be gone by now.
    pub async fn note_try(self, id: AlertAddressId, error: Option<&str>) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let error: Option<String> = error.map(|error| error.chars().filter(|sign| *sign != '\0').take(ERROR_CHARS_MAX).collect());
        let sql = "UPDATE alert_addresses SET last_at_ms = $2, last_error = $3 WHERE id = $1";
        write.tx.execute_raw(write.statement(sql, [id.to_string().into(), write.now.ms().into(), error.into()])).await?;
        write.commit().await
    }
}

/// As far as it matters to who adds events.
pub(super) async fn all(write: &Write) -> Result<Vec<(AlertAddressId, AddressKind, String)>, StoreError> {
    let rows = Row::find_by_statement(write.statement(ALL, [])).all(&write.tx).await?;
    Ok(rows.into_iter().filter_map(Row::read).map(|address| (address.id, address.kind, address.target)).collect())
}

/// For the log. What stands behind the host of a receiver may be its secret.
fn said(kind: AddressKind, target: &str) -> String {
    let parts = if kind == AddressKind::Webhook { 3 } else { usize::MAX };
    let target = target.split('/').take(parts).collect::<Vec<_>>().join("/");
    format!("{} {target}", kind.as_str()).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_names_who_is_told_and_no_secret_of_a_receiver() {
        for (kind, target, expected) in [
            (AddressKind::Webhook, "https://hooks.example.com:8443/T0/B0?token=quokka", "webhook https://hooks.example.com:8443"),
            (AddressKind::Mail, "duty/night@example.com", "mail duty/night@example.com"),
            (AddressKind::Operators, "", "operators"),
        ] {
            assert_eq!(said(kind, target), expected);
        }
    }
}
