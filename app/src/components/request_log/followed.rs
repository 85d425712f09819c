//! The newest of the log, which keeps up by itself until it is paused.

use super::AskedLog;
use crate::components::moment::{Zones, date};
use leptos::prelude::*;

/// Of the list that a browser asks for again and again.
const LOG: &str = "log";

/// `page`: that of the log. Behind its first page nothing new comes.
#[component]
pub fn Followed(asked: AskedLog, page: &'static str, children: Children) -> impl IntoView {
    let query = asked.query(None);
    let newest = if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") };
    let above = view! { {of_chart(&asked, page)}<Zones /> };
    if asked.after.is_some() {
        return view! { {above}<p class="row"><a class="button quiet" href=newest>"The newest"</a></p>{children()} }.into_any();
    }
    let paused = format!("{page}?{}", asked.paused_query());
    if asked.is_paused {
        return view! {
            {above}
            <p class="row small"><span>"Paused: what is new is not shown."</span><a class="button quiet" href=newest>"Go on"</a></p>
            {children()}
        }
        .into_any();
    }
    let new =
        if asked.filter.ended.is_some() { "What still ends in this time appears by itself." } else { "What is new appears by itself." };
    view! {
        {above}
        <p class="row small">
            <a class="button quiet" href=paused>"Pause"</a>
            <span>{new}</span>
        </p>
        <div id=LOG>{children()}</div>
    }
    .into_any()
}

/// Which time a chart led to, by the words of the chart, and the way out of it.
fn of_chart(asked: &AskedLog, page: &'static str) -> Option<AnyView> {
    let (from, until) = asked.of_chart()?;
    let query = asked.query_at_any_time();
    let all = if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") };
    let told = view! {
        <p class="row small">
            <span>{format!("Those alone that ended from {} to {}.", date(from), date(until))}</span>
            <a class="button quiet" href=all>"At any time"</a>
        </p>
    };
    Some(told.into_any())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(query: &str) -> String {
        let asked = AskedLog::read(|wanted| {
            form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
        });
        view! { <Followed asked page="/requests">"…"</Followed> }.to_html()
    }

    #[test]
    fn a_list_that_a_chart_led_to_names_its_time() {
        let hour = list("ended_from=3600000&ended_until=7200000");
        assert!(hour.contains("from 1 Jan 1970, 01:00 UTC to 1 Jan 1970, 02:00 UTC.") && !hour.contains("<time"), "{hour}");
        assert!(hour.contains("What still ends in this time") && hour.contains("href=\"/requests\""), "{hour}");
        assert!(list("").contains("What is new appears by itself.") && !list("").contains("Those alone"));
    }

    #[test]
    fn every_list_says_which_zones_its_days_and_times_are_of() {
        for query in ["", "paused=1", "from=2026-11-27", "after=job_0190aaaabbbb7ccc8dddeeeeffff0001"] {
            assert_eq!(list(query).matches("Days and charts are in UTC. Times without a zone are your own.").count(), 1, "{query}");
        }
    }

    #[test]
    fn newer_ones_are_offered_where_there_may_be_some() {
        assert!(!list("").contains("Newer") && !list("").contains("href=\"/requests\""), "{}", list(""));
        let behind = list("after=job_0190aaaabbbb7ccc8dddeeeeffff0001");
        assert!(behind.contains("The newest") && behind.contains("href=\"/requests\""), "{behind}");
    }
}
