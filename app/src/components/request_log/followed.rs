//! The newest of the log, which keeps up by itself until it is paused.

use super::AskedLog;
use crate::components::moment::Moment;
use leptos::prelude::*;

/// Of the list that a browser asks for again and again.
const LOG: &str = "log";

/// `page`: that of the log. Behind its first page nothing new comes.
#[component]
pub fn Followed(asked: AskedLog, page: &'static str, children: Children) -> impl IntoView {
    let query = asked.query(None);
    let newest = if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") };
    let of_chart = of_chart(&asked, page);
    if asked.after.is_some() {
        return view! { {of_chart}<p class="row"><a class="button quiet" href=newest>"The newest"</a></p>{children()} }.into_any();
    }
    let paused = format!("{page}?{}", asked.paused_query());
    if asked.is_paused {
        return view! {
            {of_chart}
            <p class="row small"><span>"Paused: what is new is not shown."</span><a class="button quiet" href=newest>"Go on"</a></p>
            {children()}
        }
        .into_any();
    }
    let new =
        if asked.filter.ended.is_some() { "What still ends in this time appears by itself." } else { "What is new appears by itself." };
    view! {
        {of_chart}
        <p class="row small">
            <a class="button quiet" href=paused>"Pause"</a>
            <span>{new}</span>
        </p>
        <div id=LOG>{children()}</div>
    }
    .into_any()
}

/// Which time a chart led to, and the way out of it.
fn of_chart(asked: &AskedLog, page: &'static str) -> Option<AnyView> {
    let (from, until) = asked.of_chart()?;
    let query = asked.query_at_any_time();
    let all = if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") };
    let told = view! {
        <p class="row small">
            <span>"Those alone that ended from "<Moment at=from />" to "<Moment at=until />"."</span>
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
        assert!(hour.contains("1 Jan 1970, 01:00 UTC") && hour.contains("1 Jan 1970, 02:00 UTC"), "{hour}");
        assert!(hour.contains("What still ends in this time") && hour.contains("href=\"/requests\""), "{hour}");
        assert!(list("").contains("What is new appears by itself.") && !list("").contains("Those alone"));
    }

    #[test]
    fn newer_ones_are_offered_where_there_may_be_some() {
        assert!(!list("").contains("Newer") && !list("").contains("href=\"/requests\""), "{}", list(""));
        let behind = list("after=job_0190aaaabbbb7ccc8dddeeeeffff0001");
        assert!(behind.contains("The newest") && behind.contains("href=\"/requests\""), "{behind}");
    }
}
