//! From the outbox to receivers of webhooks. Mails go the way of all mails.
//!
//! The sender, its signature and its filter of addresses are those of tenants' webhooks. What does not arrive is tried again by the outbox, under the
//! same id, so that a receiver tells repetitions from news.

use super::addresses::purpose;
use crate::{Services, outbox::NotDelivered};
use domain::{
    alerts::Told,
    webhook::{Verdict, judge},
};
use futures::FutureExt;
use serde_json::json;
use std::sync::Arc;
use store::{
    OutboxEvent,
    alerts::{ALERT, AlertEvent},
};
use webhooks::{Message, Signing};

impl Services {
    /// From now on receivers are told of alerts.
    #[must_use]
    pub(crate) fn with_alerts(self) -> Self {
        let services = self.clone();
        let deliver = move |event: OutboxEvent| {
            let services = services.clone();
            async move { services.tell_of_alert(&event).await }.boxed()
        };
        self.with_delivery(ALERT, Arc::new(deliver))
    }

    async fn tell_of_alert(&self, event: &OutboxEvent) -> Result<(), NotDelivered> {
        let AlertEvent { address, told } = serde_json::from_value(event.payload.clone())?;
        let alerts = self.store.alerts();
        // Whoever took it away wants to hear nothing more.
        let Some(found) = alerts.addresses().await?.into_iter().find(|found| found.id == address) else { return Ok(()) };
        let Some(sealed) = &found.sealed_secret else { return Ok(()) };
        let secrets = [self.unsealed_secret(&purpose(address), sealed).await?];
        let id = format!("{}_{}", told.key, address.uuid().simple());
        let (body, at) = (body(&id, &told), self.store.now().await?);
        let answered = self.send_signed(&found.target, Message { id: &id, body: &body, at, signing: Signing::Standard(&secrets) }).await;
        let error = match answered.as_ref().map(|answer| (judge(Some(answer.status)), answer.status)) {
            Ok((Verdict::Delivered, _)) => None,
            Ok((Verdict::Gone | Verdict::Failed, status)) => Some(format!("it answered {status}")),
            Err(error) => Some(error.clone()),
        };
        alerts.note_try(address, error.as_deref()).await?;
        error.map_or(Ok(()), |error| Err(error.into()))
    }
}

fn body(id: &str, told: &Told) -> String {
    let rule = told.rule.map(|rule| rule.to_string());
    json!({
        "id": id,
        "object": "event",
        "type": told.kind.event(),
        "created_at": told.at().unix_seconds(),
        "data": {
            "id": rule, "name": told.name, "severity": told.severity, "condition": told.condition, "value": told.value,
        },
    })
    .to_string()
}
