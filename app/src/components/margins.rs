//! What a video-minute cost and brought in over time, and what was left of the revenue.

use crate::components::chart::{Lines, Series, Unit};
use domain::{
    billing::{Currency, costs::Margin},
    metrics::Worth,
};
use leptos::prelude::*;

const A_MINUTE: Unit = Unit { name: "of the currency, a video-minute", step_min: 0.0 };
const PERCENT: Unit = Unit { name: "percent", step_min: 0.0 };

/// One place of the axis each: by its label, and `each` in a word. Without prices of devices, revenue alone is told.
#[component]
pub fn Margins(
    margins: Vec<(String, Margin)>,
    axis: &'static str,
    each: &'static str,
    currency: Currency,
    is_priced: bool,
) -> impl IntoView {
    if margins.len() < 2 || margins.iter().all(|(_, margin)| margin.charged.ms() == 0) {
        return ().into_any();
    }
    let scale = 1000.0 * 10_f64.powi(i32::try_from(currency.decimals()).unwrap_or_default());
    let values = |of: &dyn Fn(&Margin) -> Option<f64>| margins.iter().map(|(_, margin)| of(margin)).collect::<Vec<_>>();
    let cost = values(&|margin| Some(Worth::CostOfMinute.of(margin).filter(|_| is_priced)? / scale));
    let revenue = values(&|margin| Some(Worth::RevenueOfMinute.of(margin)? / scale));
    let share = |margin: &Margin| Worth::Share.of(margin).filter(|_| is_priced);
    let left = values(&|margin| share(margin).map(|share| (share * 100.0).max(0.0)));
    let losses = margins.iter().filter(|(_, margin)| share(margin).is_some_and(|share| share < 0.0)).count();
    let labels: Vec<_> = margins.iter().map(|(label, _)| label.clone()).collect();
    let minute = format!("In {}, by what was charged in each {each}.", currency.code().to_ascii_uppercase());
    let summary = if losses == 0 {
        format!("Of the revenue of each {each}.")
    } else {
        format!("Of the revenue of each {each}; in {losses} of them more was spent than came in, which is shown as nothing.")
    };
    let series = vec![Series { name: "Cost".into(), values: cost }, Series { name: "Revenue".into(), values: revenue }];
    view! {
        <Lines id="per-minute" title="A video-minute" summary=minute unit=A_MINUTE axis labels=labels.clone() series />
        <Lines id="margin" title="Margin" summary unit=PERCENT axis labels series=vec![Series { name: "Margin".into(), values: left }] />
    }
    .into_any()
}
