//! The way between the operator's pages: a bar on each of them, in groups.

use leptos::prelude::*;

/// By addresses and names.
type Links = &'static [(&'static str, &'static str)];

/// Their pages by what they are about. The names differ from those of one's own pages, which the menu has.
pub(super) const GROUPS: [(&str, Links); 5] = [
    ("Numbers", &[("/admin", "Overview of all"), ("/admin/latency", "Latency and load"), ("/admin/requests", "Requests of all")]),
    (
        "Queue and fleet",
        &[("/admin/queue", "Queue"), ("/admin/fleet", "Fleet"), ("/admin/capacity", "Capacity"), ("/admin/models", "Models")],
    ),
    (
        "Money",
        &[
            ("/admin/costs", "Costs and margin"),
            ("/admin/payments", "Payments"),
            ("/admin/ledger", "Ledger"),
            ("/admin/refunds", "Refunds"),
            ("/admin/promo", "Promo codes"),
        ],
    ),
    ("Customers", &[("/admin/tenants", "Tenants"), ("/admin/plans", "Plans")]),
    (
        "System",
        &[("/admin/alerts", "Alerts"), ("/admin/mail", "Mail"), ("/admin/status", "Status page"), ("/admin/readiness", "Readiness")],
    ),
];

/// `here`: path and query of the page that is looked at.
#[component]
pub fn OperatorPages(here: String) -> impl IntoView {
    let here = here.split('?').next().unwrap_or_default();
    let groups = GROUPS.into_iter().enumerate().map(|(place, (title, links))| {
        let id = format!("operator-pages-{place}");
        let links = links.iter().map(|&(path, name)| {
            let current = (path == here).then_some("page");
            view! { <li><a href=path aria-current=current>{name}</a></li> }
        });
        view! {
            <li>
                <span id=id.clone()>{title}</span>
                <ul aria-labelledby=id>{links.collect_view()}</ul>
            </li>
        }
    });
    view! { <nav class="operator" aria-label="Operator’s pages"><ul>{groups.collect_view()}</ul></nav> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_that_is_looked_at_is_marked_whatever_its_query_and_no_other() {
        let bar = view! { <OperatorPages here="/admin/requests?status=failed".to_owned() /> }.to_html();
        assert!(bar.contains("href=\"/admin/requests\" aria-current=\"page\"") && bar.matches("aria-current").count() == 1, "{bar}");
        let elsewhere = view! { <OperatorPages here="/admin/nowhere".to_owned() /> }.to_html();
        assert!(!elsewhere.contains("aria-current"), "{elsewhere}");
    }
}
