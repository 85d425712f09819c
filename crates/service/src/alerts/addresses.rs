//! Whom alerts are told to: operators, mail addresses, and receivers of webhooks, whose secret is shown once.

use super::{AlertError, act};
use crate::{Services, webhook::WebhookError};
use domain::{
    Actor, AlertAddressId, Email, EmailError, Forbidden, Permission,
    alerts::{Severity, Told, ToldKind},
    webhook::ReceiverError,
};
use store::{
    Asked, StoreError,
    alerts::{AddressKind, AlertRefusal, NewAlertAddress},
    chance::{self, NoRandomness},
};

/// Why an address was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("choose operators, mail or webhook")]
    Kind,
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    Url(ReceiverError),
    #[error(transparent)]
    Refused(AlertRefusal),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error("no secret could be made")]
    Secret,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AlertRefusal> for AddressError {
    fn from(refusal: AlertRefusal) -> Self {
        match refusal {
            AlertRefusal::Store(error) => Self::Store(error),
            refusal => Self::Refused(refusal),
        }
    }
}

impl From<WebhookError> for AddressError {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::Url(error) => Self::Url(error),
            WebhookError::Random(error) => Self::Random(error),
            WebhookError::Store(error) => Self::Store(error),
            _ => Self::Secret,
        }
    }
}

/// An address that was just added.
#[derive(Debug, Clone)]
pub struct NewAddress {
    pub id: AlertAddressId,
    /// Of a webhook: the only moment at which it is known.
    pub secret: Option<String>,
}

pub(super) fn purpose(id: AlertAddressId) -> String {
    format!("secret of the alert address {id}")
}

impl Services {
    /// `kind`: `operators`, `mail` or `webhook`; `target`: a mail address, or that of a receiver.
    ///
    /// # Errors
    /// [`AddressError`]; none was added.
    pub async fn add_alert_address(
        &self,
        actor: Actor,
        by: Option<Asked<'_>>,
        kind: &str,
        target: &str,
    ) -> Result<NewAddress, AddressError> {
        actor.require(Permission::ManageAlerts)?;
        let kind = AddressKind::named(kind.trim()).ok_or(AddressError::Kind)?;
        let id = AlertAddressId::from_uuid(chance::new_id());
        let (target, secret) = match kind {
            AddressKind::Operators => (String::new(), None),
            AddressKind::Mail => (target.parse::<Email>()?.to_string(), None),
            AddressKind::Webhook => (self.receiver(target)?, Some(self.new_sealed_secret(&purpose(id)).await?)),
        };
        let (shown, sealed) = secret.map_or((None, None), |(secret, sealed)| (Some(secret.text()), Some(sealed)));
        let (sealed_secret, secret_hint) = sealed.map_or((None, None), |sealed| (Some(sealed.sealed), Some(sealed.hint)));
        self.store.alerts().add_address(&NewAlertAddress { id, kind, target, sealed_secret, secret_hint }, act(by)).await?;
        Ok(NewAddress { id, secret: shown })
    }

    pub(super) async fn add_operators(&self, by: Option<Asked<'_>>) -> Result<(), AlertRefusal> {
        let id = AlertAddressId::from_uuid(chance::new_id());
        let new = NewAlertAddress { id, kind: AddressKind::Operators, target: String::new(), sealed_secret: None, secret_hint: None };
        self.store.alerts().add_address(&new, act(by)).await
    }

    /// # Errors
    /// [`AlertError`]; it is told as before.
    pub async fn delete_alert_address(&self, actor: Actor, by: Option<Asked<'_>>, id: AlertAddressId) -> Result<(), AlertError> {
        actor.require(Permission::ManageAlerts)?;
        Ok(self.store.alerts().delete_address(id, act(by)).await?)
    }

    /// Tells one address something, so that somebody sees whether it arrives.
    ///
    /// # Errors
    /// [`AlertError`]; nothing is told.
    pub async fn test_alert_address(&self, actor: Actor, id: AlertAddressId) -> Result<(), AlertError> {
        actor.require(Permission::ManageAlerts)?;
        let told = Told {
            key: format!("alert_{}", chance::new_id().simple()),
            kind: ToldKind::Test,
            rule: None,
            name: "Somebody wants to know whether alerts arrive: this".to_owned(),
            severity: Severity::Ticket.as_str().to_owned(),
            condition: "nothing is wrong".to_owned(),
            value: None,
            at_ms: self.store.now().await?.ms(),
        };
        let is_told = self.store.alerts().tell_one(id, &told).await?;
        if is_told { Ok(()) } else { Err(AlertError::Refused(AlertRefusal::Unknown)) }
    }
}
