//! The form of a rule, empty, with a rule that there is, or with what was typed before.

use super::{
    PAGE,
    forms::{Draft, SaveAlert},
};
use crate::components::moment::Moment;
use domain::{
    Timestamp,
    alerts::{Number, Severity, TypedRule, Unit},
};
use leptos::{prelude::*, server_fn::ServerFn};

const KINDS: [(&str, &str); 3] =
    [("threshold", "Above or below a value"), ("burn_rate", "Burns its budget too fast"), ("absence", "None at all")];

/// `id`: empty: of a new rule. `draft`: what was typed before, and what was said of it.
#[component]
pub fn RuleForm(id: String, draft: Option<Draft>, typed: TypedRule) -> impl IntoView {
    let is_new = id.is_empty();
    let mistakes = draft.as_ref().map(|draft| draft.mistakes.clone()).unwrap_or_default();
    let wrong = |name: &str| mistakes.get(name).cloned();
    let notice = draft.clone().map(|draft| view! { <Notice draft /> });
    let TypedRule {
        name,
        number,
        kind,
        side,
        limit,
        window,
        short_window,
        objective,
        factor,
        while_waiting,
        hold,
        severity,
        model,
        lane,
        device,
        tenant,
        code,
    } = draft.map_or(typed, |draft| draft.typed);
    let numbers = Number::all().map(|of| {
        let unit = if of.unit() == Unit::Price { "in the currency of the devices" } else { of.unit().as_str() };
        (of.name(), format!("{}, {unit}", of.words()))
    });
    let kinds = KINDS.map(|(value, label)| (value.to_owned(), label.to_owned()));
    let sides = ["above", "below"].map(|side| (side.to_owned(), side.to_owned()));
    let severities = Severity::ALL.map(|severity| {
        let label = if severity == Severity::Page { "page: wakes somebody" } else { "ticket: can wait" };
        (severity.as_str().to_owned(), label.to_owned())
    });
    let lanes = ["", "interactive", "batch"].map(|lane| (lane.to_owned(), if lane.is_empty() { "all" } else { lane }.to_owned()));
    let is_only_waiting = !while_waiting.is_empty();
    view! {
        {notice}
        <form class="card plan-form" method="post" action=SaveAlert::url() data-stays>
            <input type="hidden" name="id" value=id />
            <Text name="name" error=wrong("name") label="Name" value=name hint="Needed. Whoever is told reads it first." needed=true maxlength=80 />
            <Choice name="number" error=wrong("number") label="Number" chosen=number options=numbers.collect() />
            <Choice name="kind" error=wrong("kind") label="It is wrong when it" chosen=kind options=kinds.into() />
            <Choice name="severity" error=wrong("severity") label="Severity" chosen=severity options=severities.into() />
            <fieldset class="wide alert-fields alert-value">
                <legend>"A value"</legend>
                <Choice name="side" error=wrong("side") label="Side" chosen=side options=sides.into() />
                <Text name="limit" error=wrong("limit") label="Value, in the unit of the number" value=limit hint="Needed. Such as 300 for seconds, or 5 for percent." needed=true />
            </fieldset>
            <fieldset class="wide alert-fields alert-budget">
                <legend>"A budget"</legend>
                <Text name="objective" error=wrong("objective") label="Objective, of a hundred" value=objective hint="Needed. 99: one of a hundred may be bad." needed=true />
                <Text name="factor" error=wrong("factor") label="Factor: how many times as fast as allowed" value=factor hint="Needed. 14.4 over an hour uses up a month’s budget in two days." needed=true />
                <Text name="short_window" error=wrong("short_window") label="Short window, in minutes" value=short_window hint="Needed. It has to burn there too, so that the rule ends when the trouble does." needed=true />
            </fieldset>
            <fieldset class="wide alert-fields">
                <legend>"Times"</legend>
                <Text name="window" error=wrong("window") label="Window, in minutes" value=window hint="Needed, but for a number that is looked at as it is now. Over so long it is read, from 1 to 1440; of a budget the long one, up to 360." needed=true />
                <Text name="hold" error=wrong("hold") label="Wrong for so many minutes" value=hold hint="Before it fires. Empty: at once." />
                <p class="field">
                    <label class="inline"><input type="checkbox" name="while_waiting" value="yes" checked=is_only_waiting autocomplete="off" />"Of none at all: only while videos wait"</label>
                </p>
            </fieldset>
            <fieldset class="wide alert-fields">
                <legend>"Only of"</legend>
                <Text name="model" error=wrong("model") label="Model" value=model hint="Empty: all." />
                <Choice name="lane" error=wrong("lane") label="Lane" chosen=lane options=lanes.into() />
                <Text name="device" error=wrong("device") label="Device" value=device hint="As the fleet names it." />
                <Text name="tenant" error=wrong("tenant") label="Id of a tenant" value=tenant hint="tenant_…" />
                <Text name="code" error=wrong("code") label="Code of a failure" value=code hint="Of failures that are counted, such as out_of_memory." />
            </fieldset>
            <p class="wide row">
                <button class="button" name="act" value="save">{if is_new { "Add the rule" } else { "Save the rule" }}</button>
                <button class="button quiet" name="act" value="preview">"Try it on the last days"</button>
                {(!is_new).then(|| view! { <a href=PAGE>"Do not change it"</a> })}
            </p>
        </form>
    }
}

/// What was said of what was typed, and when it would have fired.
#[component]
fn Notice(draft: Draft) -> impl IntoView {
    let Draft { text, is_refused, firings, .. } = draft;
    if is_refused {
        return view! { <p class="notice" role="alert">{text}</p> }.into_any();
    }
    let times = firings.into_iter().map(|(from, until)| {
        let until = until.map(|until| view! { " until "<Moment at=Timestamp::from_ms(until) /> });
        let from = Timestamp::from_ms(from);
        view! { <li><Moment at=from />{until}</li> }
    });
    let times = times.collect_view();
    view! { <div class="notice plain" role="status"><p>{text}</p><ul>{times}</ul></div> }.into_any()
}

/// `needed`: where its way of judging is chosen. The browser alone would tell of the first field that is empty, and of no other mistake.
#[component]
fn Text(
    name: &'static str,
    label: &'static str,
    value: String,
    hint: &'static str,
    error: Option<String>,
    #[prop(default = false)] needed: bool,
    #[prop(default = 100)] maxlength: u32,
) -> impl IntoView {
    let (id, hint_id) = (format!("alert-{name}"), format!("alert-{name}-hint"));
    let (error_id, mistake) = mistake(name, error);
    let described = error_id.as_ref().map_or_else(|| hint_id.clone(), |error_id| format!("{hint_id} {error_id}"));
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <input
                id=id
                name=name
                value=value
                maxlength=maxlength.to_string()
                autocomplete="off"
                aria-required=needed.then_some("true")
                aria-invalid=error_id.is_some().then_some("true")
                aria-describedby=described
            />
            <p class="hint" id=hint_id>{hint}</p>
            {mistake}
        </div>
    }
}

#[component]
fn Choice(name: &'static str, label: &'static str, error: Option<String>, chosen: String, options: Vec<(String, String)>) -> impl IntoView {
    let id = format!("alert-{name}");
    let options = options.into_iter().map(|(value, label)| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{label}</option> }
    });
    let options = options.collect_view();
    let (error_id, mistake) = mistake(name, error);
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <select id=id name=name autocomplete="off" aria-invalid=error_id.is_some().then_some("true") aria-describedby=error_id>
                {options}
            </select>
            {mistake}
        </div>
    }
}

/// What is wrong with a field, and the id by which the field is described by it.
fn mistake(name: &str, error: Option<String>) -> (Option<String>, Option<impl IntoView + use<>>) {
    let id = error.is_some().then(|| format!("alert-{name}-error"));
    let (place, text) = (id.clone(), error);
    (id, text.map(|text| view! { <p class="error" id=place>{text}</p> }))
}
