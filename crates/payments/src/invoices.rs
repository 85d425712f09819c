//! Invoices of a customer.

use crate::{PaymentError, Stripe, catalog, client::moment};
use domain::billing::{Invoice, InvoiceStatus, Money};
use stripe_billing::invoice::ListInvoice;

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
    let currency = catalog::currency(&seen.currency)?;
    Ok(Some(Invoice {
        id: id.to_string(),
        number: seen.number,
        status,
        total: Money::of_minor(seen.total, currency),
        paid: Money::of_minor(seen.amount_paid, currency),
        created_at: moment(seen.created),
        url: seen.hosted_invoice_url,
        next_attempt_at: seen.next_payment_attempt.map(moment),
    }))
}
