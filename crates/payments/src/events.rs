//! Events: that something has changed, and of whom. What has changed is asked for, never read from the event.

use crate::{PaymentError, Stripe, client::moment};
use domain::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use stripe_core::{charge::RetrieveCharge, event::ListEvent};
use stripe_types::RangeQueryTs;

const PAGE: i64 = 100;

/// Something that has happened at Stripe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripeEvent {
    /// Stripe's name for it, the same however often it is told.
    pub id: String,
    /// Such as `invoice.paid`.
    pub kind: String,
    pub at: Timestamp,
    /// Of whom; `None`: of nobody in particular, such as a price, or it names a charge alone.
    pub customer: Option<String>,
    /// Of a dispute, which names nobody: the payment.
    pub charge: Option<String>,
}

/// The body is no event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no event of Stripe: {0}")]
pub struct EventError(String);

#[derive(Deserialize)]
struct Body {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    created: i64,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    object: Value,
}

impl StripeEvent {
    /// Of whichever version of the API: only what all have is read.
    ///
    /// # Errors
    /// [`EventError`] when it is none.
    pub fn parse(body: &str) -> Result<Self, EventError> {
        let Body { id, kind, created, data } = serde_json::from_str(body).map_err(|error| EventError(error.to_string()))?;
        Ok(Self { id, kind, at: moment(created), customer: customer(&data.object), charge: charge(&data.object) })
    }
}

fn customer(object: &Value) -> Option<String> {
    let customer = if object["object"] == "customer" { &object["id"] } else { &object["customer"] };
    // Where it is expanded.
    customer.as_str().or_else(|| customer["id"].as_str()).map(str::to_owned)
}

fn charge(object: &Value) -> Option<String> {
    let charge = if object["object"] == "dispute" { &object["charge"] } else { &Value::Null };
    charge.as_str().or_else(|| charge["id"].as_str()).map(str::to_owned)
}

impl Stripe {
    /// Who has paid; `None`: nobody whom Stripe knows.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn customer_of_charge(&self, charge: &str) -> Result<Option<String>, PaymentError> {
        let charge = self.ask(&RetrieveCharge::new(charge)).await?;
        Ok(charge.customer.map(|customer| customer.id().to_string()))
    }

    /// What has happened at `since` or later, the newest first.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn events_since(&self, since: Timestamp) -> Result<Vec<StripeEvent>, PaymentError> {
        let mut found = Vec::new();
        let mut list = ListEvent::new().created(RangeQueryTs::gte(since.unix_seconds())).limit(PAGE);
        loop {
            let page = self.ask(&list).await?;
            for event in &page.data {
                let object: Value = serde_json::from_str(&miniserde::json::to_string(&event.data.object)).unwrap_or_default();
                let (id, kind) = (event.id.to_string(), event.type_.to_string());
                found.push(StripeEvent { id, kind, at: moment(event.created), customer: customer(&object), charge: charge(&object) });
            }
            match page.data.last().filter(|_| page.has_more) {
                Some(last) => list = list.starting_after(last.id.to_string()),
                None => return Ok(found),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_names_its_customer_wherever_it_stands() {
        let parse = |object: &str| {
            let body = format!(r#"{{"id":"evt_1","type":"x.y","created":7,"api_version":"2099-01-01","data":{{"object":{object}}}}}"#);
            StripeEvent::parse(&body).unwrap().customer
        };
        assert_eq!(parse(r#"{"object":"customer","id":"cus_1"}"#).as_deref(), Some("cus_1"));
        assert_eq!(parse(r#"{"object":"invoice","id":"in_1","customer":"cus_2"}"#).as_deref(), Some("cus_2"));
        assert_eq!(parse(r#"{"object":"subscription","customer":{"id":"cus_3"}}"#).as_deref(), Some("cus_3"));
        assert_eq!(parse(r#"{"object":"price","id":"price_1"}"#), None);
        assert!(StripeEvent::parse("{}").is_err());
    }

    #[test]
    fn a_dispute_names_what_was_paid() {
        let body = r#"{"id":"evt_1","type":"charge.dispute.created","created":7,"data":{"object":{"object":"dispute","charge":"ch_1"}}}"#;
        let event = StripeEvent::parse(body).unwrap();
        assert_eq!((event.customer, event.charge.as_deref()), (None, Some("ch_1")));
    }
}
