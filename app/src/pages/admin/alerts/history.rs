//! What became of alerts, the newest first.

use super::super::section::empty;
use crate::components::{
    moment::Moment,
    table::{Table, filled},
};
use domain::{AlertRuleId, Timestamp, alerts::shown};
use leptos::prelude::*;
use service::alerts::{AlertEntry, AlertEntryKind, AlertRow, HISTORY_SHOWN};

/// `rules`: those that there are, which say in which unit a value was measured.
#[component]
pub fn History(entries: Vec<AlertEntry>, rules: Vec<AlertRow>) -> impl IntoView {
    if entries.is_empty() {
        return empty("Nothing has become of any alert yet.");
    }
    let is_full = entries.len() >= usize::from(HISTORY_SHOWN);
    let rows = entries.into_iter().map(move |AlertEntry { rule, name, severity, kind, at, value, note, .. }| {
        let measured = value.map(|value| measured(value, rule, at, &rules));
        let said = [measured, Some(note).filter(|note| !note.is_empty())].into_iter().flatten().collect::<Vec<_>>().join(", ");
        view! {
            <tr>
                <td data-head="When" class="number"><Moment at /></td>
                <th scope="row" class="wraps">{name}</th>
                <td data-head="What"><span class=format!("alert-state {}", class(kind))>{words(kind)}</span></td>
                <td data-head="Severity">{severity}</td>
                <td data-head="Measured" class="wraps" dir="auto">{filled(said)}</td>
            </tr>
        }
    });
    let more = is_full.then(|| view! { <p class="hint">"These are the newest; the API tells those of ninety days."</p> });
    view! {
        <Table label="What became of alerts" heads=&["When", "Rule", "What", "Severity", "Measured"]>{rows.collect_view()}</Table>
        {more}
    }
    .into_any()
}

/// Without a unit where the rule is gone, or was changed since.
fn measured(value: f64, rule: Option<AlertRuleId>, at: Timestamp, rules: &[AlertRow]) -> String {
    let unchanged = rules.iter().find(|row| Some(row.id) == rule && row.changed_at <= at);
    unchanged.map_or_else(|| shown(value), |row| row.rule.told(value))
}

const fn class(kind: AlertEntryKind) -> &'static str {
    match kind {
        AlertEntryKind::Fired | AlertEntryKind::Told => "firing",
        AlertEntryKind::Resolved => "ok",
        AlertEntryKind::Silenced | AlertEntryKind::SilenceEnded => "disabled",
    }
}

const fn words(kind: AlertEntryKind) -> &'static str {
    match kind {
        AlertEntryKind::Fired => "fired",
        AlertEntryKind::Resolved => "resolved",
        AlertEntryKind::Told => "told",
        AlertEntryKind::Silenced => "silenced",
        AlertEntryKind::SilenceEnded => "silence ended",
    }
}
