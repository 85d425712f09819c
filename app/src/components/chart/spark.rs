//! A line without an axis, beside a number that changes: how it came to be what it is.

use super::scale::{Missing, height, largest, line_and_dots};
use leptos::prelude::*;

/// `None`: nothing is known of that place. What it says stands in the number beside it, so it is hidden from screen readers. `limit`: where a
/// value is judged by it, as a line of its own. Alone it would look like what was measured.
#[component]
pub fn Spark(values: Vec<Option<f64>>, #[prop(default = None)] limit: Option<f64>) -> impl IntoView {
    let known: Vec<_> = values.iter().flatten().copied().chain(limit).collect();
    let top = largest(&known).max(f64::MIN_POSITIVE);
    let (line, dots) = line_and_dots(&values, Missing::Gap, |value| height(value, top));
    let limit = limit.filter(|_| values.iter().any(Option::is_some)).map(|limit| {
        let at = height(limit, top);
        view! { <path class="chart-mark" d=format!("M0 {at:.2}H100") /> }
    });
    view! {
        <svg class="spark" viewBox="0 -4 100 108" preserveAspectRatio="none" aria-hidden="true">
            {limit}
            <path class="chart-line" d=line />
            <path class="chart-line dot" d=dots />
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_through_what_is_known() {
        let html = view! { <Spark values=vec![Some(0.0), None, Some(2.0), Some(1.0)] /> }.to_html();
        assert!(html.contains("\"M12.50 100.00H12.51\"") && html.contains("\"M62.50 0.00L87.50 50.00\""), "{html}");
        assert!(view! { <Spark values=vec![None, Some(1.0)] /> }.to_html().contains("d=\"\""));
        let limited = view! { <Spark values=vec![Some(1.0), Some(2.0)] limit=Some(4.0) /> }.to_html();
        assert!(!view! { <Spark values=vec![None] limit=Some(4.0) /> }.to_html().contains("H100"), "nothing is known yet");
        assert!(limited.contains("M0 0.00H100") && limited.contains("M25.00 75.00L75.00 50.00"), "{limited}");
    }
}
