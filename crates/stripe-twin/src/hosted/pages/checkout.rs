//! The page of a checkout session.

use serde_json::Value;

use super::layout::{error, page, text};
use crate::billing::invoices::lines::{money, tariff};
use crate::hosted::checkout::Entered;
use crate::world::Fields;

/// `items` are the session's line items; `entered` is what was typed before, and `problem` why that did not do.
pub fn checkout(session: &Value, items: &[Value], entered: &Entered, problem: Option<&str>) -> String {
    let id = session.text("id").unwrap_or_default();
    let email = match session["customer_details"].text("email") {
        Some(known) => format!("<p>Email: <strong>{}</strong></p>", text(known)),
        None => field("Email", "email", "email", "email", &entered.email, "required"),
    };
    let body = format!(
        "{}{}<section><form method=\"post\" action=\"/c/pay/{id}\">{email}{}{}{}{}{}<button type=\"submit\">{}</button></form>\
         <p class=\"small\">4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined.</p></section>{}",
        error(problem),
        summary(session, items),
        field("Card number", "card", "text", "cc-number", &entered.card, "inputmode=\"numeric\""),
        field("Name on card", "name", "text", "cc-name", &entered.name, ""),
        field("Country", "country", "text", "country", if entered.country.is_empty() { "US" } else { &entered.country }, "maxlength=\"2\""),
        field("Postal code", "postal_code", "text", "postal-code", &entered.postal_code, ""),
        if session.is("allow_promotion_codes") {
            field("Promotion code (optional)", "promotion_code", "text", "off", &entered.promotion_code, "")
        } else {
            String::new()
        },
        button(session),
        cancel(session, id),
    );
    page(title(session), &body)
}

/// The bank asks the owner of the card, who answers with what was typed before.
pub fn agreement(session: &Value, entered: &Entered) -> String {
    let id = session.text("id").unwrap_or_default();
    let typed = [
        ("email", &entered.email),
        ("name", &entered.name),
        ("card", &entered.card),
        ("country", &entered.country),
        ("postal_code", &entered.postal_code),
        ("promotion_code", &entered.promotion_code),
    ];
    let hidden: String =
        typed.iter().map(|(name, value)| format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", text(value))).collect();
    let form = format!(
        "<section><p>Your bank asks you to confirm this payment.</p><form method=\"post\" action=\"/c/pay/{id}\">{hidden}\
         <input type=\"hidden\" name=\"agreed\" value=\"yes\"><button type=\"submit\">Confirm payment</button></form>\
         <p><a href=\"/c/pay/{id}\">Use another card</a></p></section>"
    );
    page("Confirm payment", &form)
}

fn title(session: &Value) -> &'static str {
    match session.text("mode") {
        Some("subscription") => "Subscribe",
        Some("setup") => "Save a card",
        _ => "Pay",
    }
}

fn button(session: &Value) -> String {
    match session.text("mode") {
        Some("setup") => "Save card".to_owned(),
        Some("subscription") if session.int("amount_total") == 0 => "Start".to_owned(),
        Some("subscription") => "Subscribe".to_owned(),
        _ => format!("Pay {}", money(session.int("amount_total"), session)),
    }
}

fn cancel(session: &Value, id: &str) -> String {
    let back = format!("<p><a href=\"/c/pay/{id}/cancel\">Cancel and go back</a></p>");
    session.text("cancel_url").map(|_| back).unwrap_or_default()
}

fn summary(session: &Value, items: &[Value]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let row = |item: &Value| {
        let quantity =
            item.int_or_none("quantity").filter(|quantity| *quantity > 1).map(|quantity| format!("{quantity} × ")).unwrap_or_default();
        format!(
            "<tr><td>{quantity}{}</td><td>{}</td></tr>",
            text(item.text("description").unwrap_or_default()),
            text(&tariff(&item["price"]))
        )
    };
    let rows: String = items.iter().map(row).collect();
    let total = money(session.int("amount_total"), session);
    format!(
        "<section><h2>Your order</h2><table><tbody>{rows}</tbody><tfoot><tr><td>Due today</td><td>{total}</td></tr></tfoot></table></section>"
    )
}

fn field(label: &str, name: &str, kind: &str, autocomplete: &str, value: &str, more: &str) -> String {
    format!(
        "<label>{label}<input name=\"{name}\" type=\"{kind}\" autocomplete=\"{autocomplete}\" value=\"{}\" {more}></label>",
        text(value)
    )
}
