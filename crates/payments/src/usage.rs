//! What is used beyond what a plan includes, told to Stripe's meter.

use crate::{PaymentError, Stripe};
use domain::{Timestamp, VideoTime};
use std::collections::HashMap;
use stripe_billing::{billing_meter_event::CreateBillingMeterEvent, billing_meter_event_summary::ListIdBillingMeterEventSummary};
use uuid::Uuid;

/// The name of the events of the meter of video time, whose values are milliseconds.
pub const METER: &str = "reelmill_video_ms";
const MINUTE_S: i64 = 60;
const PAGE: i64 = 100;

/// What became of an event of the meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    Now,
    /// Stripe knew of it.
    Before,
}

impl Stripe {
    /// Makes the meter, if there is none.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn require_meter(&self) -> Result<(), PaymentError> {
        self.meter().await.map(drop)
    }

    /// Tells what a customer has used at `at`. `entry` is that of the ledger: told twice, it is counted once.
    ///
    /// # Errors
    /// [`PaymentError`]; [`PaymentError::Refused`] and [`PaymentError::Unknown`] stay however often it is told.
    pub async fn report_usage(&self, entry: Uuid, customer: &str, amount: VideoTime, at: Timestamp) -> Result<Reported, PaymentError> {
        let payload =
            HashMap::from([("stripe_customer_id".to_owned(), customer.to_owned()), ("value".to_owned(), amount.ms().to_string())]);
        let event = CreateBillingMeterEvent::new(METER, payload).identifier(entry.to_string()).timestamp(at.unix_seconds());
        match self.ask(&event).await {
            Ok(_) => Ok(Reported::Now),
            Err(PaymentError::Refused(text)) if text.contains(&entry.to_string()) => Ok(Reported::Before),
            Err(error) => Err(error),
        }
    }

    /// What Stripe has counted of a customer from the minute of `from` up to and without that of `until`.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn usage(&self, customer: &str, from: Timestamp, until: Timestamp) -> Result<VideoTime, PaymentError> {
        let Some(meter) = self.find_meter().await? else { return Ok(VideoTime::default()) };
        let minute = |at: Timestamp| at.unix_seconds().div_euclid(MINUTE_S) * MINUTE_S;
        let mut list = ListIdBillingMeterEventSummary::new(meter, customer, minute(until), minute(from)).limit(PAGE);
        let mut total = 0.0;
        loop {
            let page = self.ask(&list).await?;
            total += page.data.iter().map(|summary| summary.aggregated_value).sum::<f64>();
            match page.data.last().filter(|_| page.has_more) {
                Some(last) => list = list.starting_after(last.id.to_string()),
                None => return Ok(VideoTime::from_ms(total.max(0.0) as u64)),
            }
        }
    }
}
