//! The page of an invoice, with a form to pay it while it is open.

use serde_json::Value;

use super::layout::{error, page, text};
use crate::billing::calendar::{day, minute};
use crate::billing::invoices::lines::money;
use crate::world::Fields;

pub fn invoice(invoice: &Value, problem: Option<&str>) -> String {
    let row = |line: &Value| {
        let words = text(line.text("description").unwrap_or_default());
        let (start, end) = (line["period"].int("start"), line["period"].int("end"));
        let span = if start == end { day(start) } else { format!("{} to {}", day(start), day(end)) };
        format!("<tr><td>{words}<br><span class=\"small\">{span}</span></td><td>{}</td></tr>", money(line.int("amount"), invoice))
    };
    let rows: String = invoice.elements("lines").iter().map(row).collect();
    let sum = |label: &str, cents: i64| format!("<tr><td>{label}</td><td>{}</td></tr>", money(cents, invoice));
    let discount = invoice.int("subtotal") - invoice.int("total");
    let mut sums = sum("Subtotal", invoice.int("subtotal"));
    if discount != 0 {
        sums += &sum("Discount", -discount);
    }
    sums += &sum("Total", invoice.int("total"));
    sums += &sum("Due", invoice.int("amount_due"));
    let id = text(invoice.text("id").unwrap_or_default());
    let pay = format!(
        "<section><form method=\"post\" action=\"/invoice/{id}\"><label>Card number<input name=\"card\" inputmode=\"numeric\" \
         autocomplete=\"cc-number\" required></label><button type=\"submit\">Pay {}</button></form></section>",
        money(invoice.int("amount_due"), invoice)
    );
    let is_open = invoice.text("status") == Some("open");
    let body = format!(
        "<p>{} for {}, {}, issued {}</p>{}<section><table><tbody>{rows}</tbody><tfoot>{sums}</tfoot></table></section>{}",
        text(invoice.text("status").unwrap_or_default()),
        text(invoice.text("customer_name").or_else(|| invoice.text("customer_email")).unwrap_or("the customer")),
        text(invoice.text("currency").unwrap_or_default()),
        minute(invoice.int("created")),
        error(problem),
        if is_open { pay.as_str() } else { "" },
    );
    page(&format!("Invoice {}", invoice.text("number").unwrap_or("draft")), &body)
}
