//! The rules: what fires first, then all of them with what they measured.

use super::{
    super::section::empty,
    PAGE,
    forms::{AddUsualAlerts, ChangeAlert},
};
use crate::components::{chart::Spark, moment::Ago, table::Table};
use domain::{
    Timestamp,
    alerts::{RECENT_KEPT, Rule, Standing, State},
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::alerts::{AddressKind, AlertAddress, AlertRow, NamedSilence};

/// What was measured last, in words.
fn value(rule: &Rule, standing: &Standing) -> String {
    standing.value().map_or_else(|| "not known".to_owned(), |value| rule.told(value))
}

/// How it stands in a word, and the class of that. Of what is not known it is not said that it is well.
fn state(is_enabled: bool, standing: &Standing) -> (&'static str, &'static str) {
    match standing.state {
        _ if !is_enabled => ("disabled", "disabled"),
        _ if standing.looked_at().is_none() => ("not looked at yet", "unknown"),
        State::Ok if standing.value().is_none() => ("not known", "unknown"),
        state => (state.as_str(), state.as_str()),
    }
}

/// A value a minute, the newest last. Nothing is known of the time before a rule was looked at.
fn two_hours(recent: &[Option<f64>]) -> Vec<Option<f64>> {
    let before = RECENT_KEPT.saturating_sub(recent.len());
    std::iter::repeat_n(None, before).chain(recent.iter().copied()).collect()
}

/// What fires now, since when, and whether that is told.
#[component]
pub fn Firing(
    rows: Vec<AlertRow>,
    silences: Vec<NamedSilence>,
    addresses: Vec<AlertAddress>,
    sends_mails: bool,
    now: Timestamp,
) -> impl IntoView {
    if rows.is_empty() {
        return empty("Nothing fires.");
    }
    let cards = rows.into_iter().map(|AlertRow { id, rule, standing, .. }| {
        let is_silent = silences.iter().any(|of| of.silence.holds(id, now));
        let since = standing.state.since().unwrap_or(now);
        let told = match (is_silent, standing.told_firing) {
            (true, _) => "Silenced: nobody is told.",
            (false, true) if addresses.iter().any(|address| may_know(address, sends_mails, since)) => "Told.",
            (false, true) => "It is not known to have reached anybody: see who is told.",
            (false, false) => "Not told yet.",
        };
        let (measured, words) = (value(&rule, &standing), rule.words());
        view! {
            <li class="card alert-firing" class:page-now=rule.severity == domain::alerts::Severity::Page>
                <h3>{rule.name.clone()}</h3>
                <p>{words}</p>
                <p><strong>{format!("Now {measured}")}</strong>", "{rule.severity.as_str()}", fires since "<Ago at=since now />". "{told}</p>
            </li>
        }
    });
    view! { <ul class="alert-list">{cards.collect_view()}</ul> }.into_any()
}

/// Whether what was told reached an address, as far as that is known. Mails without a mail server stay here.
fn may_know(address: &AlertAddress, sends_mails: bool, since: Timestamp) -> bool {
    match address.kind {
        AddressKind::Operators | AddressKind::Mail => sends_mails,
        AddressKind::Webhook => address.last_error.is_none() && address.last_at.is_some_and(|at| at >= since),
    }
}

#[component]
pub fn Rules(rules: Vec<AlertRow>, now: Timestamp) -> impl IntoView {
    let rows = rules.into_iter().map(move |row| view! { <Row row now /> });
    view! {
        <Table label="List of rules" heads=&["Rule", "State", "Now", "Last two hours", "Change"]>{rows.collect_view()}</Table>
    }
}

#[component]
fn Row(row: AlertRow, now: Timestamp) -> impl IntoView {
    let AlertRow { id, rule, is_enabled, standing, .. } = row;
    let (state, class) = state(is_enabled, &standing);
    let since = standing.state.since().filter(|_| is_enabled).map(|since| view! { " since "<Ago at=since now /> });
    let measured = value(&rule, &standing);
    let (id, switch) = (id.to_string(), if is_enabled { ("disable", "Disable") } else { ("enable", "Enable") });
    view! {
        <tr>
            <th scope="row" class="wraps">
                <a href=format!("{PAGE}?rule={id}#rule")>{rule.name.clone()}</a>
                <p class="hint">{rule.words()}" · "{rule.severity.as_str()}</p>
            </th>
            <td data-head="State"><span class=format!("alert-state {class}")>{state}</span>{since}</td>
            <td data-head="Now" class="number">{measured}</td>
            <td data-head="Last two hours" class="alert-spark"><Spark values=two_hours(&standing.recent) limit=rule.condition.limit() /></td>
            <td>
                <Button id=id.clone() act=switch.0 label=switch.1 about=rule.name.clone() />
                <Button id act="delete" label="Delete" about=rule.name />
            </td>
        </tr>
    }
}

#[component]
fn Button(id: String, act: &'static str, label: &'static str, about: String) -> impl IntoView {
    view! {
        <form class="in-cell" method="post" action=ChangeAlert::url() data-stays>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="act" value=act />
            <button class="button small quiet" aria-label=format!("{label}: {about}")>{label}</button>
        </form>
    }
}

/// Rules that fit most installations, one click away.
#[component]
pub fn UsualRules(is_empty: bool) -> impl IntoView {
    let text = if is_empty {
        "Nothing is looked at yet. The usual rules tell of no worker, nothing completed while videos wait, failures, long waits, promised times that are not kept, and an old backup."
    } else {
        "Those of the usual rules that are missing can be added once more; what you have changed stays."
    };
    let class = if is_empty { "button" } else { "button small quiet" };
    view! {
        <form class="card" method="post" action=AddUsualAlerts::url() data-stays>
            <p>{text}</p>
            <p><button class=class>"Add the usual rules"</button></p>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::alerts::{Measured, Verdict};

    #[test]
    fn what_is_not_known_is_not_called_well_and_goes_on_firing() {
        let looked = |value, verdict| {
            let mut standing = Standing::default();
            standing.look(Measured { value, verdict }, Timestamp::from_ms(60_000), 0, 120_000);
            standing
        };
        let (well, unknown) = (looked(Some(1.0), Verdict::Right), looked(None, Verdict::Unknown));
        let told = [&well, &unknown, &Standing::default()].map(|standing| state(true, standing).0);
        assert_eq!(told, ["ok", "not known", "not looked at yet"]);
        assert_eq!((state(true, &unknown).1, state(false, &unknown).0), ("unknown", "disabled"));
        let mut firing = looked(Some(1.0), Verdict::Wrong);
        firing.look(Measured::UNKNOWN, Timestamp::from_ms(120_000), 0, 120_000);
        assert_eq!(state(true, &firing), ("firing", "firing"));
    }

    #[test]
    fn what_was_measured_since_a_moment_ago_fills_no_two_hours() {
        let values = two_hours(&[Some(1.0), None, Some(2.0)]);
        assert_eq!((values.len(), &values[117..]), (120, &[Some(1.0), None, Some(2.0)][..]));
        assert!(values[..117].iter().all(Option::is_none));
    }
}
