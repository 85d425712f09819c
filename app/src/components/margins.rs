//! What a video-minute cost and brought in over time, and what was left of the revenue.

use crate::components::chart::{Lines, Series, Unit};
use domain::{
    billing::{Currency, costs::Margin},
    metrics::Worth,
};
use leptos::prelude::*;

const A_MINUTE: Unit = Unit { name: "of the currency, a video-minute", step_min: 0.0 };
const PERCENT: Unit = Unit { name: "percent", step_min: 0.0 };

/// What a cost is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostOf {
    /// What was made, alone.
    Work,
    /// With what devices idled and loaded.
    Devices,
}

impl CostOf {
    const fn title(self) -> &'static str {
        match self {
            Self::Work => "A video-minute, by the work on it alone",
            Self::Devices => "A video-minute, with idle devices",
        }
    }

    /// Why there is no revenue: of work alone, plans bring in nothing.
    const fn no_revenue(self) -> &'static str {
        match self {
            Self::Work => "no request has a price of its own",
            Self::Devices => "nothing was paid",
        }
    }
}

/// One place of the axis each: by its label, and `each` in a word. Without prices of devices, revenue alone is told.
#[component]
pub fn Margins(
    margins: Vec<(String, Margin)>,
    axis: &'static str,
    each: &'static str,
    of: CostOf,
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
    let known = margins.iter().filter(|(_, margin)| share(margin).is_some()).count();
    let losses = margins.iter().filter(|(_, margin)| share(margin).is_some_and(|share| share < 0.0)).count();
    let labels: Vec<_> = margins.iter().map(|(label, _)| label.clone()).collect();
    let minute = format!("In {}, by what was charged in each {each}.", currency.code().to_ascii_uppercase());
    let summary = if losses == 0 {
        format!("Of the revenue of each {each}.")
    } else {
        format!("Of the revenue of each {each}; in {losses} of them more was spent than came in, which is shown as nothing.")
    };
    // Nothing is less than nothing on the axis.
    let margin = match nothing_left(known, losses, each, of) {
        Some(told) => view! { <p class="empty small">{told}</p> }.into_any(),
        None => {
            let series = vec![Series { name: "Margin".into(), values: left }];
            view! { <Lines id="margin" title="Margin" summary unit=PERCENT axis labels=labels.clone() series /> }.into_any()
        }
    };
    let series = vec![Series { name: "Cost".into(), values: cost }, Series { name: "Revenue".into(), values: revenue }];
    view! {
        <Lines id="per-minute" title=of.title() summary=minute unit=A_MINUTE axis labels series />
        {margin}
    }
    .into_any()
}

/// Where there is no margin to draw: it is known of so many of `each`, of which so many had a loss.
fn nothing_left(known: usize, losses: usize, each: &str, of: CostOf) -> Option<String> {
    match known {
        0 => Some(format!("No margin is known exactly: {}, or what worked has no price.", of.no_revenue())),
        1 if losses == 1 => Some(format!("Margin: more was spent than came in, in the only {each} of which it is known.")),
        _ if losses == known => Some(format!("Margin: more was spent than came in, in each of the {known} {each}s of which it is known.")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_margin_can_be_drawn_it_is_said_why() {
        let nothing_left = |known, losses| nothing_left(known, losses, "day", CostOf::Devices);
        assert!(nothing_left(0, 0).is_some_and(|told| told.contains("No margin is known exactly: nothing was paid")));
        assert!(super::nothing_left(0, 0, "hour", CostOf::Work).is_some_and(|told| told.contains("no request has a price of its own")));
        assert!(nothing_left(1, 1).is_some_and(|told| told.contains("the only day")));
        assert!(nothing_left(29, 29).is_some_and(|told| told.contains("each of the 29 days")));
        assert_eq!(nothing_left(29, 28), None);
    }
}
