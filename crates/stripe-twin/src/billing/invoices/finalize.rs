//! A draft becomes an invoice: it gets its number, settles with the customer's balance, and waits for its money.

use serde_json::{Value, json};

use super::document::{KIND, refresh};
use super::{lines, payments};
use crate::account::customers::balance;
use crate::billing::standing;
use crate::world::{Fields, World};

/// Where nothing is due, it is paid at once.
pub fn finalize(world: &mut World, id: &str) {
    lines::refresh_usage(world, id);
    refresh(world, id);
    let invoice = world.get(KIND, id).cloned().unwrap_or_default();
    let customer = invoice.text("customer").unwrap_or_default();
    let now = world.now_for(customer);
    let ending = settle_balance(world, &invoice);
    let number = number(world, customer);
    let page = format!("{}/invoice/{id}", world.base_url);
    // Whoever begins or changes a subscription pays at once, or says that somebody else will.
    let is_paid_by_caller = matches!(invoice.text("billing_reason"), Some("subscription_create" | "subscription_update"));
    let charges = invoice.text("collection_method") == Some("charge_automatically") && !is_paid_by_caller;
    world.change(KIND, id, |invoice| {
        invoice["status"] = json!("open");
        invoice["number"] = json!(number);
        invoice["ending_balance"] = json!(ending);
        invoice["effective_at"] = json!(now);
        invoice["status_transitions"]["finalized_at"] = json!(now);
        invoice["automatically_finalizes_at"] = Value::Null;
        invoice["hosted_invoice_url"] = json!(page);
        invoice["invoice_pdf"] = json!(format!("{page}/pdf"));
        if charges && invoice.is("auto_advance") {
            invoice["next_payment_attempt"] = json!(now);
        }
    });
    if invoice.int("amount_due") > 0 {
        payments::open(world, id);
    }
    world.emit("invoice.finalized", KIND, id);
    if invoice.int("amount_due") == 0 {
        mark_paid(world, id, 0);
    }
}

/// The money is there.
pub fn mark_paid(world: &mut World, id: &str, amount: i64) {
    let invoice = world.get(KIND, id).cloned().unwrap_or_default();
    let now = world.now_for(invoice.text("customer").unwrap_or_default());
    world.change(KIND, id, |invoice| {
        invoice["status"] = json!("paid");
        invoice["amount_paid"] = json!(amount);
        invoice["amount_remaining"] = json!(0);
        invoice["attempted"] = json!(true);
        invoice["auto_advance"] = json!(false);
        invoice["next_payment_attempt"] = Value::Null;
        invoice["status_transitions"]["paid_at"] = json!(now);
    });
    payments::close(world, id, true);
    world.emit("invoice.paid", KIND, id);
    world.emit("invoice.payment_succeeded", KIND, id);
    standing::paid(world, &invoice);
}

/// Credit that the customer has is used up, credit that the invoice gives is added. Answers what the balance is then.
fn settle_balance(world: &mut World, invoice: &Value) -> i64 {
    let (total, starting) = (invoice.int("total"), invoice.int("starting_balance"));
    let ending = if total + starting <= 0 { total + starting } else { 0 };
    let (customer, currency) = (invoice.text("customer").unwrap_or_default(), invoice.text("currency").unwrap_or_default());
    if ending != starting {
        let kind = if total < 0 { "unapplied_from_invoice" } else { "applied_to_invoice" };
        balance::adjust(world, customer, ending - starting, currency, kind, invoice.text("id"));
    }
    ending
}

fn number(world: &mut World, customer: &str) -> String {
    let stored = world.get("customer", customer);
    let prefix = stored.and_then(|customer| customer.text("invoice_prefix")).unwrap_or("TWIN").to_owned();
    let count = world.secrets.invoice_numbers.entry(customer.to_owned()).or_insert(0);
    *count += 1;
    let count = *count;
    world.change("customer", customer, |customer| {
        if !customer.is("deleted") {
            customer["next_invoice_sequence"] = json!(count + 1);
        }
    });
    format!("{prefix}-{count:04}")
}
