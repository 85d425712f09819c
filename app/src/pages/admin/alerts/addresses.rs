//! Whom alerts are told to.

use super::{
    super::section::empty,
    ADDRESSES,
    forms::{AddAlertAddress, ChangeAlertAddress},
};
use crate::{
    components::{
        moment::Ago,
        table::{Table, filled},
    },
    session::Said,
};
use domain::Timestamp;
use leptos::{prelude::*, server_fn::ServerFn};
use service::alerts::{AddressKind, AlertAddress};

#[component]
pub fn Addresses(addresses: Vec<AlertAddress>, now: Timestamp, sends_mails: bool) -> impl IntoView {
    let stays = (!sends_mails).then(|| {
        view! { <p class="hint">"No mail server is named, so mails lie in the "<a href="/admin/mail">"list of mails"</a>"."</p> }
    });
    if addresses.is_empty() {
        return view! { {empty("Nobody is told.")}{stays} }.into_any();
    }
    let rows = addresses.into_iter().map(move |address| view! { <Row address now /> });
    view! { <Table label="List of addresses" heads=&["Who", "Address", "Last try", "Change"]>{rows.collect_view()}</Table>{stays} }
        .into_any()
}

#[component]
fn Row(address: AlertAddress, now: Timestamp) -> impl IntoView {
    let AlertAddress { id, kind, target, secret_hint, last_at, last_error, .. } = address;
    let who = match kind {
        AddressKind::Operators => "Operators, by mail",
        AddressKind::Mail => "By mail",
        AddressKind::Webhook => "Webhook",
    };
    let last = match (kind, last_at) {
        (AddressKind::Webhook, Some(at)) => {
            let said = last_error.map_or_else(|| "it was taken".to_owned(), |error| format!("not taken: {error}"));
            view! { <Ago at now />", "{said} }.into_any()
        }
        (AddressKind::Webhook, None) => "none yet".into_any(),
        (AddressKind::Operators | AddressKind::Mail, _) => view! { "see "<a href="/admin/mail">"Mail"</a> }.into_any(),
    };
    let hint = secret_hint.map(|hint| view! { <p class="hint">"Secret "{hint}</p> });
    let about = if target.is_empty() { who.to_owned() } else { target.clone() };
    let buttons = [("test", "Send a test"), ("delete", "Remove")].map(|(act, label)| {
        view! {
            <form class="in-cell" method="post" action=ChangeAlertAddress::url() data-stays>
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="act" value=act />
                <button class="button small quiet" aria-label=format!("{label}: {about}")>{label}</button>
            </form>
        }
    });
    view! {
        <tr>
            <th scope="row">{who}</th>
            <td data-head="Address" class="wraps">{filled(target)}{hint}</td>
            <td data-head="Last try" class="wraps">{last}</td>
            <td>{buttons.collect_view()}</td>
        </tr>
    }
}

#[component]
pub fn AddressForm(said: Said) -> impl IntoView {
    let typed = |name: &str| said.field(ADDRESSES, name).unwrap_or_default();
    let kind = typed("kind");
    let options = [("operators", "Operators, by mail"), ("mail", "A mail address"), ("webhook", "A webhook")].map(|(value, label)| {
        let is_chosen = value == kind;
        view! { <option value=value selected=is_chosen>{label}</option> }
    });
    view! {
        <form class="card plan-form" method="post" action=AddAlertAddress::url() data-stays>
            <div class="field">
                <label for="address-kind">"Tell"</label>
                <select id="address-kind" name="kind" autocomplete="off">{options.collect_view()}</select>
            </div>
            <div class="field">
                <label for="address-target">"Address"</label>
                <input id="address-target" name="target" maxlength="2048" value=typed("target") autocomplete="off" aria-describedby="address-hint" />
                <p class="hint" id="address-hint">"A mail address, or where the receiver listens: https://… Empty for operators."</p>
            </div>
            <p class="wide"><button class="button quiet">"Add"</button></p>
        </form>
    }
}

#[component]
pub fn NewSecret(target: String, secret: String) -> impl IntoView {
    view! {
        <section class="card" aria-labelledby="new-secret" role="status">
            <h2 id="new-secret">"The signing secret of "<bdi>{target}</bdi></h2>
            <p class="secret-text"><code>{secret}</code></p>
            <p><strong>"Copy it now."</strong>" It is shown this once. The receiver checks with it that what it gets comes from here."</p>
        </section>
    }
}
