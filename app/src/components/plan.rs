//! A plan, as it is offered: what it gives and what it costs.

use crate::words;
use domain::{
    VideoTime,
    billing::{Included, Lane, Plan},
};
use leptos::prelude::*;

/// Where a click on a plan leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads {
    Nowhere,
    /// To a new account, of somebody who is not signed in.
    ToSignUp,
    /// To what choosing it comes to.
    ToChoice,
}

/// The plans that are offered, beside each other. `current`: the name of the one that the reader has.
#[component]
pub fn PlanCards(
    plans: Vec<Plan>,
    #[prop(default = None)] current: Option<String>,
    #[prop(default = Leads::Nowhere)] leads: Leads,
) -> impl IntoView {
    let cards = plans.into_iter().map(|plan| {
        let is_current = current.as_ref() == Some(&plan.name);
        view! { <PlanCard plan is_current leads /> }
    });
    view! { <ul class="plans">{cards.collect_view()}</ul> }
}

#[component]
fn PlanCard(plan: Plan, is_current: bool, leads: Leads) -> impl IntoView {
    let price = match plan.monthly_price() {
        None => view! { <p class="plan-price">"By agreement"</p> }.into_any(),
        Some(price) if plan.monthly_minor == Some(0) => view! { <p class="plan-price">{price.to_string()}</p> }.into_any(),
        Some(price) => view! { <p class="plan-price">{price.to_string()}<span class="hint">" a month"</span></p> }.into_any(),
    };
    let link = match leads {
        // What is by agreement is to be agreed upon.
        _ if is_current || plan.monthly_minor.is_none() => None,
        Leads::Nowhere => None,
        Leads::ToSignUp => Some(("/signup".to_owned(), "Sign up", format!("Sign up, for the plan {}", plan.name))),
        Leads::ToChoice => Some((format!("/billing/plan?plan={}", plan.id), "Choose", format!("Choose {}", plan.name))),
    };
    let gives = gives(&plan).into_iter().map(|line| view! { <li>{line}</li> });
    view! {
        <li class="card plan" class:current=is_current>
            <h3>{plan.name.clone()}{is_current.then(|| view! { " "<span class="badge">"Yours"</span> })}</h3>
            <p class="hint">{plan.description.clone()}</p>
            {price}
            <ul class="plan-gives">{gives.collect_view()}</ul>
            {link.map(|(href, words, label)| view! { <p class="plan-choice"><a class="button quiet" href=href aria-label=label>{words}</a></p> })}
        </li>
    }
}

/// Line by line.
fn gives(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    match plan.included {
        Included::Unlimited => lines.push("Everything, without a limit".to_owned()),
        Included::MonthlyMs(time) if time > VideoTime::default() => lines.push(format!("{} of video a month", words::video_time(time))),
        Included::MonthlyMs(_) => {}
    }
    if let Some(price) = plan.credit_price() {
        lines.push(format!("Credit at {} a video-minute", price.of(VideoTime::from_minutes(1))));
    }
    if let (Some(price), Some(overage)) = (plan.overage_price(), plan.overage) {
        let minute = price.of(VideoTime::from_minutes(1));
        lines.push(format!("Beyond that {minute} a video-minute, up to {} a month", words::video_time(overage.limit_ms)));
    }
    lines.push(match plan.lane {
        Lane::Interactive => "For people who wait for the result".to_owned(),
        Lane::Batch => "For many jobs at once".to_owned(),
    });
    lines.push(format!("Up to {} of video waiting and running", words::video_time(plan.open_work_max_ms)));
    lines.push(format!("{} API keys", domain::grouped(plan.keys_max.into())));
    lines.extend(limits(plan));
    lines.push(match plan.retention_days {
        Some(days) => format!("Videos are kept for {}", words::count(days.into(), "day", "days")),
        None => "Videos are kept until you delete them".to_owned(),
    });
    if !plan.models.is_empty() {
        lines.push(format!("Models: {}", plan.models.join(", ")));
    }
    lines
}

/// How many at once, and how fast.
pub fn limits(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(most) = plan.concurrency {
        lines.push(format!("Up to {} made at once", words::count(most.into(), "video", "videos")));
    }
    if let Some(most) = plan.batch_size_max {
        lines.push(format!("Batches of up to {}", words::count(most.into(), "video", "videos")));
    }
    if let Some(rate) = plan.release_rate {
        lines.push(format!("Batches enter the queue at {} of video a minute", words::video_time(rate)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_it_gives() {
        let json = r#"{"id":"pro","name":"Pro","description":"","is_listed":true,"order":30,"currency":"usd","monthly_minor":2900,
            "included":{"monthly_ms":3600000},"credit_minor_per_minute":50,"overage":{"minor_per_minute":60,"limit_ms":90000},
            "lane":"interactive","weight":4,"open_work_max_ms":1800000,"keys_max":20,"models":["flipbook-1"]}"#;
        let lines = gives(&serde_json::from_str(json).unwrap());
        assert_eq!(
            lines,
            [
                "1 h of video a month",
                "Credit at $0.50 a video-minute",
                "Beyond that $0.60 a video-minute, up to 1 min 30 s a month",
                "For people who wait for the result",
                "Up to 30 min of video waiting and running",
                "20 API keys",
                "Videos are kept until you delete them",
                "Models: flipbook-1",
            ]
        );
    }

    #[test]
    fn a_plan_says_what_it_limits() {
        let plan = Plan {
            retention_days: Some(1),
            concurrency: Some(2),
            batch_size_max: Some(1000),
            release_rate: Some(VideoTime::from_minutes(2)),
            ..domain::billing::testing::plan()
        };
        let lines = gives(&plan);
        for line in [
            "Up to 2 videos made at once",
            "Batches of up to 1,000 videos",
            "Batches enter the queue at 2 min of video a minute",
            "Videos are kept for 1 day",
        ] {
            assert!(lines.iter().any(|given| given == line), "{line}: {lines:?}");
        }
    }
}
