//! The page of the customer portal.

use serde_json::Value;

use super::layout::{error, page, text};
use crate::billing::calendar::day;
use crate::billing::invoices::lines::{money, product_name, tariff};
use crate::billing::subscriptions::period_of;
use crate::hosted::portal::{cards, flows, plans};
use crate::world::{Fields, World};

pub fn portal(world: &World, session: &Value, problem: Option<&str>) -> String {
    let customer = session.text("customer").unwrap_or_default();
    let theirs = |row: &&Value| row.text("customer") == Some(customer);
    let running = |row: &&Value| !matches!(row.text("status"), Some("canceled" | "incomplete_expired"));
    let back = session.text("return_url").map(|url| format!("<p><a href=\"{}\">Return</a></p>", text(url))).unwrap_or_default();
    if let Some(purpose) = session["flow"].text("type") {
        let about = flows::subscription_of(session).and_then(|id| world.get("subscription", id));
        let shown = match (purpose, about) {
            ("subscription_cancel", Some(subscription)) => end_or_go_on(subscription),
            ("subscription_update", Some(subscription)) => change(world, session, subscription),
            ("subscription_update_confirm", Some(subscription)) => confirm(world, session, subscription),
            _ => cards_form(world, customer),
        };
        return page("Your plan", &format!("{}<section>{shown}</section>{back}", error(problem)));
    }
    let subscriptions: Vec<_> = world.all("subscription").into_iter().filter(theirs).filter(running).collect();
    let shown: String = subscriptions.iter().map(|subscription| of_subscription(world, session, subscription)).collect();
    let shown = if shown.is_empty() { "<section><p>You have no subscription.</p></section>".to_owned() } else { shown };
    let invoices: Vec<_> =
        world.all("invoice").into_iter().filter(theirs).filter(|invoice| invoice.text("status") != Some("draft")).collect();
    let body = format!("{}{shown}{}{}{back}", error(problem), of_cards(world, customer), of_invoices(&invoices));
    page("Your plan", &body)
}

fn of_subscription(world: &World, session: &Value, subscription: &Value) -> String {
    let items = subscription.elements("items");
    let names: Vec<_> = items.iter().map(|item| format!("{}, {}", product_name(world, &item["price"]), tariff(&item["price"]))).collect();
    let end = day(period_of(subscription).end);
    let state = match (subscription.is("cancel_at_period_end"), subscription.text("status").unwrap_or_default()) {
        (true, _) => format!("Ends on {end}"),
        (false, "active") => format!("Renews on {end}"),
        (false, "trialing") => format!("Trial until {end}"),
        (false, other) => other.replace('_', " "),
    };
    let (change, end) = (change(world, session, subscription), end_or_go_on(subscription));
    format!("<section><h2>{}</h2><p>{}</p>{change}{end}</section>", text(&names.join("; ")), text(&state))
}

fn end_or_go_on(subscription: &Value) -> String {
    let id = subscription.text("id").unwrap_or_default();
    if subscription.is("cancel_at_period_end") {
        return act(id, "resume", "<button type=\"submit\">Keep the plan</button>");
    }
    act(id, "cancel", "<button class=\"quiet\" type=\"submit\">Cancel plan</button>")
}

/// A choice of other plans, where there are any.
fn change(world: &World, session: &Value, subscription: &Value) -> String {
    let current: Vec<_> = subscription.elements("items").iter().filter_map(|item| item["price"].text("id")).collect();
    let is_other = |price: &&Value| !price.text("id").is_some_and(|id| current.contains(&id));
    let option = |price: &Value| {
        let id = text(price.text("id").unwrap_or_default());
        format!("<option value=\"{id}\">{}, {}</option>", text(&product_name(world, price)), text(&tariff(price)))
    };
    let options: String = plans(world, session).into_iter().filter(is_other).map(option).collect();
    if options.is_empty() {
        return String::new();
    }
    let inside = format!("<label>Change to<select name=\"price\">{options}</select></label><button type=\"submit\">Change plan</button>");
    act(subscription.text("id").unwrap_or_default(), "change", &inside)
}

/// One change, which only has to be agreed to.
fn confirm(world: &World, session: &Value, subscription: &Value) -> String {
    let Some(item) = session["flow"]["subscription_update_confirm"].elements("items").first() else { return String::new() };
    let Some(price) = item.text("price").and_then(|price| world.get("price", price)) else { return String::new() };
    let quantity = item.int_or_none("quantity").map(|quantity| format!("<input type=\"hidden\" name=\"quantity\" value=\"{quantity}\">"));
    let inside = format!(
        "<p>Change to {}, {}</p><input type=\"hidden\" name=\"price\" value=\"{}\">{}<button type=\"submit\">Confirm</button>",
        text(&product_name(world, price)),
        text(&tariff(price)),
        text(price.text("id").unwrap_or_default()),
        quantity.unwrap_or_default(),
    );
    act(subscription.text("id").unwrap_or_default(), "change", &inside)
}

fn act(subscription: &str, act: &str, inside: &str) -> String {
    format!(
        "<form method=\"post\"><input type=\"hidden\" name=\"act\" value=\"{act}\">\
         <input type=\"hidden\" name=\"subscription\" value=\"{subscription}\">{inside}</form>"
    )
}

fn of_cards(world: &World, customer: &str) -> String {
    format!("<section>{}</section>", cards_form(world, customer))
}

fn cards_form(world: &World, customer: &str) -> String {
    let row = |method: &&Value| {
        let card = &method["card"];
        format!("<li>{} ending in {}</li>", text(card.text("brand").unwrap_or_default()), text(card.text("last4").unwrap_or_default()))
    };
    let rows: String = cards(world, customer).iter().map(row).collect();
    format!(
        "<h2>Payment method</h2><ul>{rows}</ul><form method=\"post\"><input type=\"hidden\" name=\"act\" value=\"card\">\
         <label>New card number<input name=\"card\" inputmode=\"numeric\" autocomplete=\"cc-number\" required></label>\
         <button class=\"quiet\" type=\"submit\">Update card</button></form>"
    )
}

fn of_invoices(invoices: &[&Value]) -> String {
    let row = |invoice: &&Value| {
        let url = text(invoice.text("hosted_invoice_url").unwrap_or_default());
        let status = text(invoice.text("status").unwrap_or_default());
        format!(
            "<tr><td><a href=\"{url}\">{}</a> {status}</td><td>{}</td></tr>",
            day(invoice.int("created")),
            money(invoice.int("total"), invoice)
        )
    };
    let rows: String = invoices.iter().map(row).collect();
    let table = if rows.is_empty() { "<p>None yet.</p>".to_owned() } else { format!("<table>{rows}</table>") };
    format!("<section><h2>Invoices</h2>{table}</section>")
}
