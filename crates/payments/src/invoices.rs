//! Invoices of a customer.

use crate::{PaymentError, Stripe, catalog, client::moment};
use domain::{
    Timestamp,
    billing::{Currency, Invoice, InvoiceStatus, Money, PlanCharge},
};
use stripe_billing::invoice::ListInvoice;
use stripe_shared::InvoiceLineItem;

impl Stripe {
    /// The newest of a customer.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn invoices(&self, customer: &str, limit: u8) -> Result<Vec<Invoice>, PaymentError> {
        let page = self.ask(&ListInvoice::new().customer(customer).limit(i64::from(limit))).await?;
        page.data.into_iter().filter_map(|invoice| read(invoice).transpose()).collect()
    }
}

/// `None`: one that is only looked at in advance.
fn read(seen: stripe_shared::Invoice) -> Result<Option<Invoice>, PaymentError> {
    let (Some(id), Some(status)) = (seen.id, seen.status) else { return Ok(None) };
    let status = status.as_str();
    let status = InvoiceStatus::named(status).ok_or_else(|| PaymentError::Unreadable(format!("an invoice that is `{status}`")))?;
    let (currency, created_at) = (catalog::currency(&seen.currency)?, moment(seen.created));
    Ok(Some(Invoice {
        id: id.to_string(),
        number: seen.number,
        status,
        total: Money::of_minor(seen.total, currency),
        paid: Money::of_minor(seen.amount_paid, currency),
        created_at,
        url: seen.hosted_invoice_url,
        next_attempt_at: seen.next_payment_attempt.map(moment),
        plan: Some(plan_charge(&seen.lines.data, currency, created_at)),
    }))
}

/// The lines for plans, what is given back of one that was paid before included; nothing where there are none.
fn plan_charge(lines: &[InvoiceLineItem], currency: Currency, created_at: Timestamp) -> PlanCharge {
    let plans = || lines.iter().filter(|line| is_for_plan(line));
    let less = |line: &InvoiceLineItem| line.discount_amounts.iter().flatten().map(|discount| discount.amount).sum::<i64>();
    let minor = plans().map(|line| line.amount - less(line)).sum();
    // What is given back is of a time that ends before.
    let (from, until) = plans()
        .max_by_key(|line| (line.period.end, line.period.start))
        .map_or((created_at, created_at), |line| (moment(line.period.start), moment(line.period.end)));
    PlanCharge { amount: Money::of_minor(minor, currency), from, until }
}

fn is_for_plan(line: &InvoiceLineItem) -> bool {
    let price = line.pricing.as_ref().and_then(|pricing| pricing.price_details.as_ref());
    price.is_some_and(|price| catalog::plan_of_product(&price.product).is_some())
}
