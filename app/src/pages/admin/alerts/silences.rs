//! Silences that are not over, and the form for another one.

use super::{
    super::section::empty,
    SILENCE,
    forms::{EndAlertSilence, SilenceAlerts},
};
use crate::{
    components::{
        moment::{Ago, Moment},
        table::{Table, filled},
    },
    session::Said,
};
use domain::Timestamp;
use leptos::{prelude::*, server_fn::ServerFn};
use service::alerts::NamedSilence;

#[component]
pub fn Silences(silences: Vec<NamedSilence>, now: Timestamp) -> impl IntoView {
    if silences.is_empty() {
        return empty("Nothing is silenced.");
    }
    let rows = silences.into_iter().map(move |NamedSilence { silence, rule, by }| {
        let of = rule.unwrap_or_else(|| "All rules".to_owned());
        let label = format!("End the silence of {of}");
        view! {
            <tr>
                <th scope="row" class="wraps">{of}</th>
                <td data-head="Since" class="number"><Ago at=silence.from now /></td>
                <td data-head="Until" class="number"><Moment at=silence.until /></td>
                <td data-head="Why" class="wraps" dir="auto">{filled(silence.reason)}</td>
                <td data-head="By whom" class="wraps">{by.unwrap_or_else(|| "the command line, or an account that is gone".to_owned())}</td>
                <td>
                    <form class="in-cell" method="post" action=EndAlertSilence::url() data-stays>
                        <input type="hidden" name="id" value=silence.id.to_string() />
                        <button class="button small quiet" aria-label=label>"End it"</button>
                    </form>
                </td>
            </tr>
        }
    });
    view! {
        <Table label="List of silences" heads=&["Rule", "Since", "Until", "Why", "By whom", "End"]>{rows.collect_view()}</Table>
    }
    .into_any()
}

/// `names`: the rules by their ids.
#[component]
pub fn SilenceForm(names: Vec<(String, String)>, said: Said) -> impl IntoView {
    let typed = |name: &str| said.field(SILENCE, name).unwrap_or_default();
    let chosen = typed("rule");
    let options = names.into_iter().map(|(id, name)| {
        let is_chosen = id == chosen;
        view! { <option value=id selected=is_chosen>{name}</option> }
    });
    view! {
        <form class="card plan-form" method="post" action=SilenceAlerts::url() data-stays>
            <div class="field">
                <label for="silence-rule">"Silence"</label>
                <select id="silence-rule" name="rule" autocomplete="off">
                    <option value="">"All rules"</option>
                    {options.collect_view()}
                </select>
            </div>
            <div class="field">
                <label for="silence-minutes">"For so many minutes"</label>
                <input id="silence-minutes" name="minutes" inputmode="numeric" required maxlength="5" value=typed("minutes") autocomplete="off" aria-describedby="silence-hint" />
                <p class="hint" id="silence-hint">"At most 43,200, which are thirty days."</p>
            </div>
            <div class="field">
                <label for="silence-reason">"Why"</label>
                <input id="silence-reason" name="reason" required maxlength="200" value=typed("reason") autocomplete="off" />
            </div>
            <p class="wide"><button class="button quiet">"Silence"</button></p>
        </form>
    }
}
