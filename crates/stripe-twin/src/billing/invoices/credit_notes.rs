//! Credit notes of a whole amount: an open invoice is made smaller, a paid one is refunded or credited.

use serde_json::{Value, json};

use super::finalize::mark_paid;
use super::payments;
use crate::account::customers::balance;
use crate::account::payments::refunds;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, metadata, page};

const KIND: &str = "credit_note";

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["amount", "credit_amount", "invoice", "memo", "metadata", "out_of_band_amount", "reason", "refund_amount"])?;
    let invoice_id = params.required("invoice")?;
    let invoice = world.require("invoice", invoice_id, "invoice")?.clone();
    let amount = params.integer("amount")?.ok_or_else(|| StripeError::missing_parameter("amount"))?;
    let is_paid = match invoice.text("status") {
        Some("paid") => true,
        Some("open") => false,
        _ => return Err(StripeError::invalid("invoice", "Credit notes are for invoices that are open or paid.")),
    };
    let before = invoice.int("pre_payment_credit_notes_amount") + invoice.int("post_payment_credit_notes_amount");
    if amount < 1 || amount > invoice.int("total") - before {
        return Err(StripeError::invalid("amount", "The amount is greater than what is left of the invoice."));
    }
    let (refund, credit) = (params.integer("refund_amount")?.unwrap_or(0), params.integer("credit_amount")?.unwrap_or(0));
    let elsewhere = params.integer("out_of_band_amount")?.unwrap_or(0);
    if is_paid && refund + credit + elsewhere != amount {
        let message = "The sum of credit amount, refund amount and out of band amount must equal the amount.";
        return Err(StripeError::refused(message));
    }
    let mut refunded = Vec::new();
    let mut credited = Value::Null;
    let (customer, currency) = (invoice.text("customer").unwrap_or_default(), invoice.text("currency").unwrap_or_default());
    if is_paid && refund > 0 {
        let intent = payments::intent_of(world, invoice_id).and_then(|intent| world.get("payment_intent", &intent)).cloned();
        let charge = intent.as_ref().and_then(|intent| world.get("charge", intent.text("latest_charge")?)).cloned();
        let charge = charge.ok_or_else(|| StripeError::invalid("refund_amount", "The invoice was not paid by a charge."))?;
        let id = refunds::make(world, &charge, Some(refund), None)?;
        refunded.push(json!({"amount_refunded": refund, "payment_record_refund": null, "refund": id, "type": "refund"}));
    }
    if is_paid && credit > 0 {
        credited = json!(balance::adjust(world, customer, -credit, currency, "credit_note", Some(invoice_id)));
    }
    let note = document(world, params, &invoice, Amounts { amount, elsewhere, is_paid }, refunded, credited)?;
    let id = note.text("id").unwrap_or_default().to_owned();
    world.insert(KIND, note);
    world.emit("credit_note.created", KIND, &id);
    count(world, invoice_id, amount, is_paid);
    retrieve(world, &id)
}

struct Amounts {
    amount: i64,
    elsewhere: i64,
    is_paid: bool,
}

fn document(
    world: &mut World,
    params: &Params,
    invoice: &Value,
    amounts: Amounts,
    refunds: Vec<Value>,
    credited: Value,
) -> Result<Value, StripeError> {
    let Amounts { amount, elsewhere, is_paid } = amounts;
    let id = world.new_id("cn_", 24);
    let count = world.all(KIND).iter().filter(|note| note["customer"] == invoice["customer"]).count() + 1;
    let line = json!({
        "id": world.new_id("cnli_", 24),
        "object": "credit_note_line_item",
        "amount": amount,
        "description": params.text("memo").unwrap_or("Credit"),
        "discount_amount": 0,
        "discount_amounts": [],
        "livemode": false,
        "metadata": {},
        "pretax_credit_amounts": [],
        "quantity": null,
        "tax_rates": [],
        "taxes": [],
        "type": "custom_line_item",
        "unit_amount": amount,
        "unit_amount_decimal": amount.to_string(),
    });
    Ok(json!({
        "id": id,
        "object": KIND,
        "amount": amount,
        "amount_shipping": 0,
        "created": world.now_for(invoice.text("customer").unwrap_or_default()),
        "currency": invoice["currency"],
        "customer": invoice["customer"],
        "customer_account": null,
        "customer_balance_transaction": credited,
        "discount_amount": 0,
        "discount_amounts": [],
        "effective_at": null,
        "invoice": invoice["id"],
        "lines": {"object": "list", "data": [line], "has_more": false, "url": format!("/v1/credit_notes/{id}/lines")},
        "livemode": false,
        "memo": params.text("memo"),
        "metadata": metadata(params),
        "number": format!("{}-CN-{count:02}", invoice.text("number").unwrap_or_default()),
        "out_of_band_amount": if elsewhere > 0 { Some(elsewhere) } else { None },
        "pdf": format!("{}/invoice/{}", world.base_url, invoice.text("id").unwrap_or_default()),
        "post_payment_amount": if is_paid { amount } else { 0 },
        "pre_payment_amount": if is_paid { 0 } else { amount },
        "pretax_credit_amounts": [],
        "reason": params.choice("reason", &["duplicate", "fraudulent", "order_change", "product_unsatisfactory"])?,
        "refunds": refunds,
        "shipping_cost": null,
        "status": "issued",
        "subtotal": amount,
        "subtotal_excluding_tax": amount,
        "total": amount,
        "total_excluding_tax": amount,
        "total_taxes": [],
        "type": if is_paid { "post_payment" } else { "pre_payment" },
        "voided_at": null,
    }))
}

/// The invoice knows what was credited; an open one has less to be paid, or nothing.
fn count(world: &mut World, invoice: &str, amount: i64, is_paid: bool) {
    let name = if is_paid { "post_payment_credit_notes_amount" } else { "pre_payment_credit_notes_amount" };
    world.update("invoice", invoice, "invoice.updated", |invoice| {
        invoice[name] = json!(invoice.int(name) + amount);
        if !is_paid {
            invoice["amount_due"] = json!((invoice.int("amount_due") - amount).max(0));
            invoice["amount_remaining"] = json!((invoice.int("amount_remaining") - amount).max(0));
        }
    });
    let due = world.get("invoice", invoice).map_or(0, |invoice| invoice.int("amount_due"));
    if !is_paid && due == 0 {
        mark_paid(world, invoice, 0);
    } else if let Some(intent) = payments::intent_of(world, invoice).filter(|_| !is_paid) {
        world.change("payment_intent", &intent, |intent| intent["amount"] = json!(due));
    }
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/credit_notes", params, &["customer", "invoice"], world.all(KIND), |note| {
        ["customer", "invoice"].iter().all(|name| params.text(name).is_none_or(|wanted| note.text(name) == Some(wanted)))
    })
}
