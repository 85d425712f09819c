//! `POST /v1/invoices/create_preview`: the invoice that would come next, or that a change would make.

use serde_json::{Value, json};

use super::create::{Wanted, compose, draft_of_first};
use super::document::{self, KIND, rhythm};
use super::{items, renewal, revision, update};
use crate::billing::calendar::Period;
use crate::billing::invoices::items::Proration;
use crate::billing::invoices::lines::{self, Line};
use crate::billing::invoices::{self, Draft};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

const DETAILS: [&str; 7] =
    ["billing_cycle_anchor", "cancel_at_period_end", "items", "proration_behavior", "proration_date", "trial_end", "billing_mode"];

pub fn create_preview(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["customer", "preview_mode", "subscription", "subscription_details"])?;
    let details = params.part_or_empty("subscription_details");
    details.only(&DETAILS)?;
    let draft = match params.text("subscription") {
        Some(id) => {
            let subscription = world.require(KIND, id, "subscription")?.clone();
            of_running(world, &subscription, &details)?
        }
        None => of_new(world, params, &details)?,
    };
    let mut invoice = invoices::compose(world, &draft);
    let id = format!("upcoming_{}", invoice.text("id").unwrap_or_default());
    invoice["id"] = json!(id);
    invoice["billing_reason"] = json!("upcoming");
    invoice["auto_advance"] = json!(false);
    invoice["automatically_finalizes_at"] = Value::Null;
    invoice["ending_balance"] = json!((invoice.int("total") + invoice.int("starting_balance")).min(0));
    invoice["next_payment_attempt"] = json!(draft.period.map(|period| period.end));
    if let Some(at) = details.integer("proration_date")? {
        invoice["parent"]["subscription_details"]["subscription_proration_date"] = json!(at);
    }
    Ok(invoice)
}

/// The next invoice of a subscription, with the change that is asked about; of the change alone where it is invoiced at once.
fn of_running(world: &mut World, subscription: &Value, details: &Params) -> Result<Draft, StripeError> {
    if let Some("canceled" | "incomplete_expired") = subscription.text("status") {
        return Err(StripeError::coded("invoice_upcoming_none", "No upcoming invoices for customer"));
    }
    let changes = ["items", "billing_cycle_anchor", "trial_end"].iter().any(|name| details.has(name));
    if !changes {
        if subscription.is("cancel_at_period_end") {
            return Err(StripeError::coded("invoice_upcoming_none", "No upcoming invoices for customer"));
        }
        return Ok(renewal::draft(world, subscription, renewal::next_period(subscription)));
    }
    let revision = revision::revise(world, subscription, details)?;
    let mut after = subscription.clone();
    let mut items = revision.items.clone();
    if revision.restarts {
        let now = world.now_for(subscription.text("customer").unwrap_or_default());
        let end = rhythm(&items).end(now, now);
        for item in &mut items {
            item["current_period_start"] = json!(now);
            item["current_period_end"] = json!(end);
        }
    }
    let id = subscription.text("id").unwrap_or_default();
    after["items"] = document::items_list(id, items);
    let prorated: Vec<_> = revision.prorations.iter().chain(&revision.usage).map(|one| line(world, one)).collect();
    if revision.restarts || details.text("proration_behavior") == Some("always_invoice") {
        return Ok(update::draft(world, &after, revision.restarts, prorated));
    }
    let mut draft = renewal::draft(world, &after, renewal::next_period(&after));
    draft.lines = prorated.into_iter().chain(draft.lines).collect();
    Ok(draft)
}

/// The first invoice of a subscription that does not exist yet.
fn of_new(world: &mut World, params: &Params, details: &Params) -> Result<Draft, StripeError> {
    let customer = params.required("customer")?.to_owned();
    world.require("customer", &customer, "customer")?;
    let wanted = Wanted {
        items: items::read_items(world, &details.parts("items"))?,
        trial_end: details.integer("trial_end")?,
        customer,
        ..Wanted::default()
    };
    items::require_one_rhythm(&wanted.items.iter().map(|item| &item.price).collect::<Vec<_>>())?;
    let id = world.new_id("sub_", 24);
    let now = world.now_for(&wanted.customer);
    let subscription = compose(world, &wanted, &id)?;
    let mut draft = draft_of_first(world, &subscription, &[], now);
    draft.period = Some(Period { start: now, end: now });
    Ok(draft)
}

fn line(world: &mut World, proration: &Proration) -> Value {
    let (subscription, item) = (proration.subscription.as_str(), proration.item.as_str());
    let line = Line {
        amount: proration.amount,
        currency: proration.price.text("currency").unwrap_or_default(),
        description: proration.description.clone(),
        period: proration.period,
        price: Some(&proration.price),
        quantity: proration.quantity,
        parent: lines::item_parent(Some(subscription), Some(item), None, true),
        subscription: Some(subscription),
        metadata: json!({}),
        discountable: false,
    };
    lines::compose(world, &line)
}
