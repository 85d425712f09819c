//! Alerts for the operator: what fires, the rules with what they measure, silences, whom it is told to, and what became of it all.

mod addresses;
mod form;
mod forms;
mod history;
mod rules;
mod silences;

use super::section::Section;
use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice, flash},
    words,
};
use addresses::{AddressForm, Addresses, NewSecret};
use domain::AlertRuleId;
use domain::alerts::TypedRule;
use form::RuleForm;
use forms::{Draft, Made};
use history::History;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use rules::{Firing, Rules, UsualRules};
use service::alerts::{AlertDesk, AlertRow};
use silences::{SilenceForm, Silences};

const PAGE: &str = "/admin/alerts";
/// What the forms of the page say by which name.
const RULES: &str = "rules";
const SILENCE: &str = "silence";
const ADDRESSES: &str = "addresses";

#[component]
pub fn AlertsPage() -> impl IntoView {
    let asked = http::query().get("rule");
    page(async move {
        let viewer = session::require_operator().await?;
        let desk = Box::pin(session::services().alert_desk(viewer.installation_actor())).await?;
        let chosen = match asked {
            Some(id) => Some(chosen(&desk, &id)?),
            None => None,
        };
        let draft: Option<Draft> = session::take(PAGE).await?;
        let made = flash::take::<Made>(PAGE).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let AlertDesk { now, rules, silences, addresses, history, sends_mails } = desk;
        let firing: Vec<_> = rules.iter().filter(|row| row.standing.state.is_firing()).cloned().collect();
        let (silenced, told, of_history) = (silences.clone(), addresses.clone(), rules.clone());
        let unknown = rules.iter().filter(|row| row.is_enabled && row.standing.value().is_none()).count();
        let summary = summary(rules.len(), firing.len(), unknown, addresses.len());
        let id = chosen.as_ref().map_or_else(String::new, |row: &AlertRow| row.id.to_string());
        let draft = draft.filter(|draft| draft.id == id);
        let typed = chosen.as_ref().map_or_else(TypedRule::default, |row| TypedRule::of(&row.rule));
        let names: Vec<_> = rules.iter().map(|row| (row.id.to_string(), row.rule.name.clone())).collect();
        let title = if chosen.is_some() { "Change a rule" } else { "A new rule" };
        let list = if rules.is_empty() {
            view! { <UsualRules is_empty=true /> }.into_any()
        } else {
            view! { <Rules rules now /><UsualRules is_empty=false /> }.into_any()
        };
        Ok(view! {
            <Frame title="Alerts" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <Stylesheet href="/status.css" />
                <Stylesheet href="/alerts.css" />
                <header class="page-head">
                    <h1>"Alerts"</h1>
                    <p class="lead">{summary}</p>
                    <p class="hint">"Rules are looked at once a minute, over whole minutes. "<a href="/admin/latency">"The numbers"</a>" · "<a href="/admin/readiness">"Readiness"</a></p>
                </header>
                {made.map(|Made { target, secret }| view! { <NewSecret target secret /> })}
                <Section id="firing" title="What fires">
                    <Firing rows=firing silences=silenced addresses=told sends_mails now />
                </Section>
                <section class="stack" aria-labelledby="rules">
                    <h2 id="rules">"Rules"</h2>
                    <SaidNotice said=&said form=RULES />
                    {list}
                </section>
                <section class="stack" aria-labelledby="rule">
                    <h2 id="rule">{title}</h2>
                    <RuleForm id draft typed />
                </section>
                <section class="stack" aria-labelledby="silences">
                    <h2 id="silences">"Silences"</h2>
                    <SaidNotice said=&said form=SILENCE />
                    <Silences silences now />
                    <SilenceForm names said=said.clone() />
                </section>
                <section class="stack" aria-labelledby="told">
                    <h2 id="told">"Who is told"</h2>
                    <SaidNotice said=&said form=ADDRESSES />
                    <Addresses addresses now sends_mails />
                    <AddressForm said=said.clone() />
                </section>
                <Section id="history" title="History">
                    <History entries=history rules=of_history />
                </Section>
            </Frame>
        })
    })
}

/// The rule of this id; an unknown one is as a page that there is not.
fn chosen(desk: &AlertDesk, id: &str) -> Result<AlertRow, Fault> {
    let found = id.parse::<AlertRuleId>().ok().and_then(|id| desk.rules.iter().find(|row| row.id == id).cloned());
    found.ok_or_else(|| {
        http::answer_with(axum::http::StatusCode::NOT_FOUND);
        Fault::NotFound
    })
}

/// `unknown`: rules that are looked at, of which nothing is known now.
fn summary(rules: usize, firing: usize, unknown: usize, addresses: usize) -> String {
    let fires = match (rules, firing) {
        (0, _) => return "There are no rules yet, so nobody is told of anything.".to_owned(),
        (_, 0) => "Nothing fires.".to_owned(),
        (_, 1) => "One rule fires.".to_owned(),
        (_, firing) => format!("{firing} rules fire."),
    };
    let fires = match unknown {
        0 => fires,
        unknown => format!("{fires} Nothing is known now of {}.", words::count(unknown as u64, "rule", "rules")),
    };
    if addresses == 0 { format!("{fires} Nobody is told: add an address below.") } else { fires }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_says_what_fires_and_that_nobody_is_told() {
        assert_eq!(summary(0, 0, 0, 0), "There are no rules yet, so nobody is told of anything.");
        assert_eq!((summary(3, 0, 0, 1), summary(3, 1, 0, 1)), ("Nothing fires.".to_owned(), "One rule fires.".to_owned()));
        assert_eq!(summary(3, 0, 3, 1), "Nothing fires. Nothing is known now of 3 rules.");
        assert_eq!(summary(3, 2, 0, 0), "2 rules fire. Nobody is told: add an address below.");
    }
}
