//! Whether this installation is fit for others to rely on: what was looked at just now, what was seen, and what to do.

use super::super::section::counted;
use crate::{
    components::{frame::Frame, moment::Moment, table::Table},
    pages::fault::page,
    session,
};
use domain::operations::readiness::{Check, Verdict};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::operator::ReadinessSeen;

#[component]
pub fn ReadinessPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_operator().await?;
        let ReadinessSeen { now, checks } = Box::pin(session::services().readiness(viewer.installation_actor())).await?;
        let summary = summary(&checks);
        let rows = checks.into_iter().map(|check| view! { <Row check /> });
        Ok(view! {
            <Frame title="Readiness" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/status.css" />
                <header class="page-head">
                    <h1>"Readiness"</h1>
                    <p class="lead">{summary}</p>
                    <p class="hint">"Looked at as you opened this page, as of "<Moment at=now />", by the server that answered."</p>
                </header>
                <Table label="What was looked at" heads=&["What", "State", "What was seen", "What to do"]>{rows.collect_view()}</Table>
            </Frame>
        })
    })
}

#[component]
fn Row(check: Check) -> impl IntoView {
    let Check { name, verdict, seen, advice } = check;
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td data-head="State"><span class=format!("readiness-verdict {}", class(verdict))>{verdict.words()}</span></td>
            <td data-head="What was seen" class="wraps">{seen}</td>
            <td data-head="What to do" class="wraps">{if advice.is_empty() { "Nothing" } else { advice }}</td>
        </tr>
    }
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::Warning => "warning",
        Verdict::Bad => "bad",
        Verdict::Unknown => "unknown",
    }
}

fn summary(checks: &[Check]) -> String {
    let count = |verdict: Verdict| checks.iter().filter(|check| check.verdict == verdict).count() as u64;
    let things = |count: u64, what: &str| format!("{} {what}", counted(count, u64::MAX));
    match (count(Verdict::Bad), count(Verdict::Warning), count(Verdict::Unknown)) {
        (0, 0, 0) => "Fit for others to rely on: nothing is to be mended.".to_owned(),
        (0, 0, unknown) => format!("{}; all else is good.", things(unknown, "could not be seen")),
        (0, warnings, _) => format!("Nothing is bad; {}.", things(warnings, "with a warning")),
        (bad, warnings, _) => format!("{}, {}.", things(bad, "to be mended before others rely on it"), things(warnings, "with a warning")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_counted_first() {
        let check = |verdict| Check { name: "x", verdict, seen: String::new(), advice: "" };
        let said = |verdicts: &[Verdict]| summary(&verdicts.iter().map(|verdict| check(*verdict)).collect::<Vec<_>>());
        assert_eq!(said(&[Verdict::Good]), "Fit for others to rely on: nothing is to be mended.");
        assert_eq!(said(&[Verdict::Unknown]), "1 could not be seen; all else is good.");
        assert_eq!(said(&[Verdict::Warning, Verdict::Unknown]), "Nothing is bad; 1 with a warning.");
        assert_eq!(said(&[Verdict::Bad, Verdict::Warning]), "1 to be mended before others rely on it, 1 with a warning.");
    }
}
