//! What each batch tenant may be released a minute, and the forms that write it into plans.

use crate::{
    components::{
        confirm::{Ask, Confirm},
        table::Table,
    },
    fault::Fault,
    session, words,
};
use domain::{VideoTime, billing::Lane};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{
    PlanVersion, RateChange,
    operator::capacity::{RatesError, RatesSaid},
};

const HEADS: [&str; 4] = ["Plan", "Released now, a minute", "Suggested", "Set it"];
/// Of an address that is gone back to.
const BACK_BYTES_MAX: usize = 4000;

#[server(prefix = "/api", endpoint = "set-release-rates")]
pub async fn set_release_rates(plans: String, rate_ms: u64, #[server(default)] back: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (rate, changes) = (VideoTime::from_ms(rate_ms), changes_of(&plans));
    let outcome = match session::services().set_release_rates(viewer.installation_actor(), rate, &changes, Some(viewer.id)).await {
        Ok(said) => Ok(done(&said)),
        Err(RatesError::Forbidden(error)) => return Err(error.into()),
        Err(RatesError::Store(error)) => return Err(error.into()),
        Err(error) => Err(format!("{}. Nothing was changed.", words::mend(&error.to_string()))),
    };
    session::say(super::PAGE, Some(viewer.id), "rates", outcome, "");
    leptos_axum::redirect(&format!("{}?{}#rates", super::PAGE, address_of(&back)));
    Ok(())
}

/// Plans with the versions that were looked at: `payg@3,pro@7`. What cannot be read is none.
fn changes_of(text: &str) -> Vec<RateChange> {
    let change = |part: &str| {
        let (plan, version) = part.rsplit_once('@')?;
        Some(RateChange { plan: plan.to_owned(), version: version.parse().ok()? })
    };
    text.split(',').map(change).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// A query to go back to, where it is one.
fn address_of(back: &str) -> &str {
    let is_query = back.len() <= BACK_BYTES_MAX && back.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if is_query { back } else { "" }
}

fn done(said: &RatesSaid) -> String {
    if said.changed.is_empty() {
        return "Nothing was different.".to_owned();
    }
    let changed = said.changed.iter().map(|(plan, before)| format!("{} (it was {})", plan.name, rate_words(*before)));
    let changed = words::list(&changed.collect::<Vec<_>>());
    format!("Set to {} a minute: {changed}. It holds from the next job on.", words::video_seconds(said.rate))
}

fn rate_words(rate: Option<VideoTime>) -> String {
    rate.map_or_else(|| "all at once".to_owned(), words::video_seconds)
}

/// `rate`: what each tenant of a batch plan may be released a minute; `None`: there are no such tenants. `back`: the query of this page.
#[component]
pub fn Rates(plans: Vec<PlanVersion>, rate: Option<VideoTime>, back: String) -> impl IntoView {
    let plans: Vec<_> = plans.into_iter().filter(|version| version.plan.lane == Lane::Batch).collect();
    let content = match rate {
        None => view! { <p class="empty small">"No batch tenants are planned."</p> }.into_any(),
        Some(rate) if rate == VideoTime::default() => view! {
            <p class="notice" role="status">"The fleet is full of interactive work: nothing is left to release. Plan more workers, or less work."</p>
        }
        .into_any(),
        Some(_) if plans.is_empty() => {
            view! { <p class="empty small">"No plan is of the batch lane. "<a href="/admin/plans">"Plans"</a></p> }.into_any()
        }
        Some(rate) => suggested(&plans, rate, &back),
    };
    view! {
        <section class="stack" aria-labelledby="rates">
            <h2 id="rates">"Release rates"</h2>
            <p class="hint">"Three quarters of what the fleet makes beside interactive jobs, shared out equally among the batch tenants at once. A quarter is kept for what comes at the same time, and for workers that are lost."</p>
            {content}
        </section>
    }
}

fn suggested(plans: &[PlanVersion], rate: VideoTime, back: &str) -> AnyView {
    let rows = plans.iter().map(|version| {
        let plan = &version.plan;
        let (id, is_it) = (format!("rate-{}", plan.id), plan.release_rate == Some(rate));
        view! {
            <tr>
                <th scope="row">{plan.name.clone()}" "<code>{plan.id.clone()}</code></th>
                <td data-head=HEADS[1] class="number">{rate_words(plan.release_rate)}</td>
                <td data-head=HEADS[2] class="number">{words::video_seconds(rate)}</td>
                <td>
                    {if is_it {
                        "It is this already.".into_any()
                    } else {
                        view! { <Ask id=id label=format!("Set the release rate of {}", plan.name) class="button quiet small">"Set"</Ask> }.into_any()
                    }}
                </td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let different: Vec<_> = plans.iter().filter(|version| version.plan.release_rate != Some(rate)).collect();
    let each = different.iter().map(|version| question(&format!("rate-{}", version.plan.id), &[version], rate, back)).collect_view();
    let all = (different.len() > 1).then(|| {
        view! {
            <p class="row"><Ask id="rate-all" label="Set the release rate of all batch plans" class="button quiet">"Set on all of them"</Ask></p>
            {question("rate-all", &different, rate, back)}
        }
    });
    view! {
        <Table label="Release rates of batch plans" heads=&HEADS>{rows}</Table>
        {each}
        {all}
    }
    .into_any()
}

fn question(id: &str, plans: &[&PlanVersion], rate: VideoTime, back: &str) -> impl IntoView + use<> {
    let changes: Vec<_> = plans
        .iter()
        .map(|version| format!("{} from {} to {}", version.plan.name, rate_words(version.plan.release_rate), words::video_seconds(rate)))
        .collect();
    let named: Vec<_> = plans.iter().map(|version| format!("{}@{}", version.plan.id, version.version)).collect();
    let consequence = format!(
        "What enters the queue in a minute changes: {}. It holds from the next job on, for every team that has the plan.",
        words::list(&changes)
    );
    let fields = vec![("plans", named.join(",")), ("rate_ms", rate.ms().to_string()), ("back", back.to_owned())];
    view! {
        <Confirm id=id question="Set this release rate?" consequence=consequence yes="Set it" no="Leave it" action=SetReleaseRates::url() fields=fields />
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_named_with_the_version_that_was_looked_at() {
        let change = |plan: &str, version| RateChange { plan: plan.to_owned(), version };
        assert_eq!(changes_of("payg@3,my-pro@7"), [change("payg", 3), change("my-pro", 7)]);
        for text in ["", "payg", "payg@", "payg@3,pro", "payg@-1"] {
            assert_eq!(changes_of(text), [], "{text}");
        }
    }

    #[test]
    fn only_a_query_is_gone_back_to() {
        assert_eq!(
            [address_of("hour=60&kind0=h100"), address_of("a\r\nb: c"), address_of("a#b"), address_of("")],
            ["hour=60&kind0=h100", "", "", ""]
        );
        assert_eq!(address_of(&"a".repeat(BACK_BYTES_MAX + 1)), "");
    }
}
