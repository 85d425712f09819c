//! The page of the customer portal.

use serde_json::Value;

use super::layout::{error, page, text};
use crate::billing::calendar::day;
use crate::billing::invoices::lines::{money, product_name, tariff};
use crate::billing::subscriptions::period_of;
use crate::hosted::portal::{cards, plans};
use crate::world::{Fields, World};

pub fn portal(world: &World, session: &Value, problem: Option<&str>) -> String {
    let customer = session.text("customer").unwrap_or_default();
    let theirs = |row: &&Value| row.text("customer") == Some(customer);
    let running = |row: &&Value| !matches!(row.text("status"), Some("canceled" | "incomplete_expired"));
    let subscriptions: Vec<_> = world.all("subscription").into_iter().filter(theirs).filter(running).collect();
    let shown: String = subscriptions.iter().map(|subscription| of_subscription(world, session, subscription)).collect();
    let shown = if shown.is_empty() { "<section><p>You have no subscription.</p></section>".to_owned() } else { shown };
    let invoices: Vec<_> =
        world.all("invoice").into_iter().filter(theirs).filter(|invoice| invoice.text("status") != Some("draft")).collect();
    let back = session.text("return_url").map(|url| format!("<p><a href=\"{}\">Return</a></p>", text(url))).unwrap_or_default();
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
    let id = subscription.text("id").unwrap_or_default();
    let current: Vec<_> = items.iter().filter_map(|item| item["price"].text("id")).collect();
    let offers: Vec<_> =
        plans(world, session).into_iter().filter(|price| !price.text("id").is_some_and(|id| current.contains(&id))).collect();
    let end_or_go_on = if subscription.is("cancel_at_period_end") {
        act(id, "resume", "<button type=\"submit\">Keep the plan</button>")
    } else {
        act(id, "cancel", "<button class=\"quiet\" type=\"submit\">Cancel plan</button>")
    };
    let change = if offers.is_empty() { String::new() } else { change(world, id, &offers) };
    format!("<section><h2>{}</h2><p>{}</p>{change}{end_or_go_on}</section>", text(&names.join("; ")), text(&state))
}

fn change(world: &World, subscription: &str, offers: &[&Value]) -> String {
    let option = |price: &&Value| {
        let id = text(price.text("id").unwrap_or_default());
        format!("<option value=\"{id}\">{}, {}</option>", text(&product_name(world, price)), text(&tariff(price)))
    };
    let options: String = offers.iter().map(option).collect();
    let inside = format!("<label>Change to<select name=\"price\">{options}</select></label><button type=\"submit\">Change plan</button>");
    act(subscription, "change", &inside)
}

fn act(subscription: &str, act: &str, inside: &str) -> String {
    format!(
        "<form method=\"post\"><input type=\"hidden\" name=\"act\" value=\"{act}\">\
         <input type=\"hidden\" name=\"subscription\" value=\"{subscription}\">{inside}</form>"
    )
}

fn of_cards(world: &World, customer: &str) -> String {
    let row = |method: &&Value| {
        let card = &method["card"];
        format!("<li>{} ending in {}</li>", text(card.text("brand").unwrap_or_default()), text(card.text("last4").unwrap_or_default()))
    };
    let rows: String = cards(world, customer).iter().map(row).collect();
    format!(
        "<section><h2>Payment method</h2><ul>{rows}</ul><form method=\"post\"><input type=\"hidden\" name=\"act\" value=\"card\">\
         <label>New card number<input name=\"card\" inputmode=\"numeric\" autocomplete=\"cc-number\" required></label>\
         <button class=\"quiet\" type=\"submit\">Update card</button></form></section>"
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
