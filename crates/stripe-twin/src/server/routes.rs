//! Which request is which: the table of the API.

use serde_json::Value;

use crate::account::catalog::{self, coupons, meters, prices, products, usage};
use crate::account::customers::{self, balance, tax_ids};
use crate::account::payments::{self, intents, methods, refunds, setups};
use crate::billing::invoices::{self, api, collect, items, lines};
use crate::billing::subscriptions;
use crate::hosted::checkout;
use crate::hosted::portal::{configurations, sessions};
use crate::lifecycle;
use crate::webhooks::endpoints;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page};

type Answer = Result<Value, StripeError>;

/// `path` is what follows `/v1`, in parts.
pub fn route(world: &mut World, method: &str, path: &[&str], params: &Params) -> Answer {
    let found = customers_and_cards(world, method, path, params)
        .or_else(|| catalog_and_meters(world, method, path, params))
        .or_else(|| billing(world, method, path, params))
        .or_else(|| money(world, method, path, params))
        .or_else(|| surroundings(world, method, path, params));
    found.unwrap_or_else(|| Err(StripeError::no_such_route(method, &format!("/v1/{}", path.join("/")))))
}

fn customers_and_cards(world: &mut World, method: &str, path: &[&str], params: &Params) -> Option<Answer> {
    Some(match (method, path) {
        ("POST", ["customers"]) => create_customer(world, params),
        ("GET", ["customers"]) => customers::list(world, params),
        ("GET", ["customers", id]) => customers::retrieve(world, id),
        ("POST", ["customers", id]) => customers::update(world, id, params),
        ("DELETE", ["customers", id]) => delete_customer(world, id),
        ("GET", ["customers", id, "payment_methods"]) => {
            methods::list(world, &format!("/v1/customers/{id}/payment_methods"), Some(id), params)
        }
        ("GET", ["customers", _, "payment_methods", id]) => methods::retrieve(world, id),
        ("GET", ["customers", id, "tax_ids"]) => tax_ids::list(world, id, params),
        ("POST", ["customers", id, "tax_ids"]) => tax_ids::create(world, id, params),
        ("GET", ["customers", id, "tax_ids", tax_id]) => tax_ids::retrieve(world, id, tax_id),
        ("DELETE", ["customers", id, "tax_ids", tax_id]) => tax_ids::delete(world, id, tax_id),
        ("GET", ["customers", id, "balance_transactions"]) => balance::list(world, id, params),
        ("POST", ["customers", id, "balance_transactions"]) => balance::create(world, id, params),
        ("POST", ["payment_methods"]) => methods::create(world, params),
        ("GET", ["payment_methods"]) => methods::list(world, "/v1/payment_methods", None, params),
        ("GET", ["payment_methods", id]) => methods::retrieve(world, id),
        ("POST", ["payment_methods", id]) => methods::update(world, id, params),
        ("POST", ["payment_methods", id, "attach"]) => {
            let customer = params.only(&["customer"]).and_then(|()| params.required("customer"));
            customer.and_then(|customer| methods::attach(world, id, customer))
        }
        ("POST", ["payment_methods", id, "detach"]) => methods::detach(world, id),
        _ => return None,
    })
}

fn catalog_and_meters(world: &mut World, method: &str, path: &[&str], params: &Params) -> Option<Answer> {
    Some(match (method, path) {
        ("POST", ["products"]) => catalog::create_product(world, params),
        ("GET", ["products"]) => products::list(world, params),
        ("GET", ["products", id]) => products::retrieve(world, id),
        ("POST", ["products", id]) => products::update(world, id, params),
        ("DELETE", ["products", id]) => products::delete(world, id),
        ("POST", ["prices"]) => prices::create(world, params),
        ("GET", ["prices"]) => prices::list(world, params),
        ("GET", ["prices", id]) => prices::retrieve(world, id),
        ("POST", ["prices", id]) => prices::update(world, id, params),
        ("POST", ["coupons"]) => coupons::create(world, params),
        ("GET", ["coupons"]) => coupons::list(world, params),
        ("GET", ["coupons", id]) => coupons::retrieve(world, id),
        ("POST", ["coupons", id]) => coupons::update(world, id, params),
        ("DELETE", ["coupons", id]) => coupons::delete(world, id),
        ("POST", ["promotion_codes"]) => coupons::create_code(world, params),
        ("GET", ["promotion_codes"]) => coupons::list_codes(world, params),
        ("GET", ["promotion_codes", id]) => coupons::retrieve_code(world, id),
        ("POST", ["promotion_codes", id]) => coupons::update_code(world, id, params),
        ("POST", ["billing", "meters"]) => meters::create(world, params),
        ("GET", ["billing", "meters"]) => meters::list(world, params),
        ("GET", ["billing", "meters", id]) => meters::retrieve(world, id),
        ("POST", ["billing", "meters", id]) => meters::update(world, id, params),
        ("POST", ["billing", "meters", id, "deactivate"]) => meters::set_active(world, id, false),
        ("POST", ["billing", "meters", id, "reactivate"]) => meters::set_active(world, id, true),
        ("GET", ["billing", "meters", id, "event_summaries"]) => usage::summaries(world, id, params),
        ("POST", ["billing", "meter_events"]) => usage::report(world, params),
        ("POST", ["billing", "meter_event_adjustments"]) => usage::adjust(world, params),
        _ => return None,
    })
}

fn billing(world: &mut World, method: &str, path: &[&str], params: &Params) -> Option<Answer> {
    Some(match (method, path) {
        ("POST", ["subscriptions"]) => subscriptions::create(world, params),
        ("GET", ["subscriptions"]) => subscriptions::list(world, params),
        ("GET", ["subscriptions", id]) => subscriptions::retrieve(world, id),
        ("POST", ["subscriptions", id]) => subscriptions::update(world, id, params),
        ("DELETE", ["subscriptions", id]) => subscriptions::cancel(world, id, params),
        ("POST", ["subscription_items"]) => subscriptions::create_item(world, params),
        ("GET", ["subscription_items"]) => subscriptions::list_items(world, params),
        ("GET", ["subscription_items", id]) => subscriptions::retrieve_item(world, id),
        ("POST", ["subscription_items", id]) => subscriptions::update_item(world, id, params),
        ("DELETE", ["subscription_items", id]) => subscriptions::delete_item(world, id, params),
        ("POST", ["invoices"]) => api::create(world, params),
        ("GET", ["invoices"]) => api::list(world, params),
        ("POST", ["invoices", "create_preview"]) => subscriptions::create_preview(world, params),
        ("GET", ["invoices", id]) => api::retrieve(world, id),
        ("POST", ["invoices", id]) => api::update(world, id, params),
        ("DELETE", ["invoices", id]) => invoices::delete(world, id),
        ("POST", ["invoices", id, "finalize"]) => api::finalize_draft(world, id, params),
        ("POST", ["invoices", id, "pay"]) => invoices::pay(world, id, params),
        ("POST", ["invoices", id, "void"]) => invoices::void(world, id),
        ("POST", ["invoices", id, "mark_uncollectible"]) => invoices::mark_uncollectible(world, id),
        ("POST", ["invoices", id, "send"]) => invoices::send(world, id),
        ("GET", ["invoices", id, "lines"]) => lines::list(world, id, params),
        ("POST", ["invoiceitems"]) => api::create_item(world, params),
        ("GET", ["invoiceitems"]) => items::list(world, params),
        ("GET", ["invoiceitems", id]) => items::retrieve(world, id),
        ("POST", ["invoiceitems", id]) => items::update(world, id, params),
        ("DELETE", ["invoiceitems", id]) => items::delete(world, id),
        ("GET", ["invoice_payments"]) => invoices::payments::list(world, params),
        ("GET", ["invoice_payments", id]) => invoices::payments::retrieve(world, id),
        ("POST", ["credit_notes"]) => invoices::create_credit_note(world, params),
        ("GET", ["credit_notes"]) => invoices::list_credit_notes(world, params),
        ("GET", ["credit_notes", id]) => invoices::retrieve_credit_note(world, id),
        _ => return None,
    })
}

fn money(world: &mut World, method: &str, path: &[&str], params: &Params) -> Option<Answer> {
    Some(match (method, path) {
        ("POST", ["payment_intents"]) => intents::create(world, params),
        ("GET", ["payment_intents"]) => intents::list(world, params),
        ("GET", ["payment_intents", id]) => intents::retrieve(world, id),
        ("POST", ["payment_intents", id]) => intents::update(world, id, params),
        ("POST", ["payment_intents", id, "confirm"]) => collect::confirm_intent(world, id, params),
        ("POST", ["payment_intents", id, "cancel"]) => intents::cancel(world, id, params),
        ("POST", ["setup_intents"]) => setups::create(world, params),
        ("GET", ["setup_intents"]) => setups::list(world, params),
        ("GET", ["setup_intents", id]) => setups::retrieve(world, id),
        ("POST", ["setup_intents", id, "confirm"]) => {
            let named = params.only(&["payment_method", "return_url"]).and_then(|()| params.required("payment_method"));
            named.and_then(|named| setups::confirm(world, id, named))
        }
        ("GET", ["charges"]) => payments::list_charges(world, params),
        ("GET", ["charges", id]) => payments::retrieve_charge(world, id),
        ("POST", ["refunds"]) => refunds::create(world, params),
        ("GET", ["refunds"]) => refunds::list(world, params),
        ("GET", ["refunds", id]) => refunds::retrieve(world, id),
        ("POST", ["refunds", id]) => refunds::update(world, id, params),
        ("POST", ["checkout", "sessions"]) => checkout::create(world, params),
        ("GET", ["checkout", "sessions"]) => checkout::list(world, params),
        ("GET", ["checkout", "sessions", id]) => checkout::retrieve(world, id),
        ("POST", ["checkout", "sessions", id]) => checkout::update(world, id, params),
        ("POST", ["checkout", "sessions", id, "expire"]) => checkout::expire(world, id),
        ("GET", ["checkout", "sessions", id, "line_items"]) => checkout::line_items(world, id, params),
        ("POST", ["billing_portal", "sessions"]) => sessions::create(world, params),
        ("POST", ["billing_portal", "configurations"]) => configurations::create(world, params),
        ("GET", ["billing_portal", "configurations"]) => configurations::list(world, params),
        ("GET", ["billing_portal", "configurations", id]) => configurations::retrieve(world, id),
        ("POST", ["billing_portal", "configurations", id]) => configurations::update(world, id, params),
        _ => return None,
    })
}

fn surroundings(world: &mut World, method: &str, path: &[&str], params: &Params) -> Option<Answer> {
    Some(match (method, path) {
        ("POST", ["webhook_endpoints"]) => endpoints::create(world, params),
        ("GET", ["webhook_endpoints"]) => endpoints::list(world, params),
        ("GET", ["webhook_endpoints", id]) => endpoints::retrieve(world, id),
        ("POST", ["webhook_endpoints", id]) => endpoints::update(world, id, params),
        ("DELETE", ["webhook_endpoints", id]) => endpoints::delete(world, id),
        ("GET", ["events"]) => events(world, params),
        ("GET", ["events", id]) => world.require("event", id, "id").cloned(),
        ("POST", ["test_helpers", "test_clocks"]) => lifecycle::create(world, params),
        ("GET", ["test_helpers", "test_clocks"]) => lifecycle::list(world, params),
        ("GET", ["test_helpers", "test_clocks", id]) => lifecycle::retrieve(world, id),
        ("POST", ["test_helpers", "test_clocks", id, "advance"]) => lifecycle::advance(world, id, params),
        ("DELETE", ["test_helpers", "test_clocks", id]) => lifecycle::delete(world, id),
        _ => return None,
    })
}

fn events(world: &World, params: &Params) -> Answer {
    let types = params.texts("types");
    page("/v1/events", params, &["delivery_success", "type", "types"], world.all("event"), |event| {
        let kind = event.text("type").unwrap_or_default();
        let fits = |wanted: &str| wanted == kind || wanted.strip_suffix(".*").is_some_and(|family| kind.starts_with(&format!("{family}.")));
        params.text("type").is_none_or(fits) && (types.is_empty() || types.iter().any(|wanted| fits(wanted)))
    })
}

/// With the payment method that it may come with, which is attached and becomes the default only where it is named as that.
fn create_customer(world: &mut World, params: &Params) -> Answer {
    let settings = params.part_or_empty("invoice_settings");
    if settings.text("default_payment_method") != params.text("payment_method") && settings.has("default_payment_method") {
        let message = "The customer does not have a payment method with that ID.";
        return Err(StripeError::invalid("invoice_settings[default_payment_method]", message));
    }
    let customer = customers::create(world, params)?;
    let id = customer.text("id").unwrap_or_default();
    if let Some(method) = params.text("payment_method") {
        let attached = methods::attach(world, method, id)?;
        let settings = &customer["invoice_settings"];
        if settings.text("default_payment_method") == Some(method) {
            world.change("customer", id, |customer| customer["invoice_settings"]["default_payment_method"] = attached["id"].clone());
        }
    }
    customers::retrieve(world, id)
}

/// Their subscriptions end with them.
fn delete_customer(world: &mut World, id: &str) -> Answer {
    let runs = |subscription: &&Value| {
        let over = matches!(subscription.text("status"), Some("canceled" | "incomplete_expired"));
        subscription.text("customer") == Some(id) && !over
    };
    let running: Vec<_> = world.all("subscription").into_iter().filter(runs).filter_map(|row| row.text("id")).map(str::to_owned).collect();
    for subscription in running {
        subscriptions::cancel(world, &subscription, &Params::default())?;
    }
    customers::delete(world, id)
}
