//! Mails of an installation that sends none, and those that cannot be sent.

use super::section::empty;
use crate::{
    components::{
        frame::Frame,
        moment::{Ago, Moment},
        table::Table,
    },
    pages::fault::page,
    session,
};
use domain::Timestamp;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::{KeptMail, mail::MailOverview};

#[component]
pub fn MailPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_operator().await?;
        let MailOverview { kept, undelivered } = session::services().mails(viewer.installation_actor()).await?;
        let now = session::services().store.now().await?;
        Ok(view! {
            <Frame title="Mail" viewer=Some(viewer) class="page admin">
                <Stylesheet href="/admin.css" />
                <header class="page-head">
                    <h1>"Mail"</h1>
                    <p class="lead">"Without a mail server (SMTP_URL) mails are sent nowhere and stay here for thirty days: hand their links over yourself."</p>
                </header>
                <section class="stack" aria-labelledby="undelivered">
                    <h2 id="undelivered">"Not sent so far"</h2>
                    <Undelivered mails=undelivered now />
                </section>
                <section class="stack" aria-labelledby="kept">
                    <h2 id="kept">"Kept here"</h2>
                    {if kept.is_empty() { empty("No mails.") } else { kept.into_iter().map(|mail| view! { <Kept mail /> }).collect_view().into_any() }}
                </section>
            </Frame>
        })
    })
}

#[component]
fn Undelivered(mails: Vec<service::Undelivered>, now: Timestamp) -> impl IntoView {
    if mails.is_empty() {
        return empty("None: every mail that was to be sent was taken.");
    }
    let rows = mails.into_iter().map(move |mail| {
        let service::Undelivered { attempts, error, since, is_given_up, .. } = mail;
        view! {
            <tr>
                <th scope="row">{if is_given_up { "Given up" } else { "Tried again" }}</th>
                <td data-head="Attempts" class="number">{attempts}</td>
                <td data-head="Since"><Ago at=since now /></td>
                <td class="wraps">{error}</td>
            </tr>
        }
    });
    view! { <Table label="Mails that could not be sent" heads=&["State", "Attempts", "Since", "What the mail server said"]>{rows.collect_view()}</Table> }
        .into_any()
}

#[component]
fn Kept(mail: KeptMail) -> impl IntoView {
    let KeptMail { id, recipient, subject, text, at, .. } = mail;
    view! {
        <details class="card mail">
            <summary>
                <strong dir="auto">{subject}</strong>
                <span class="hint">{recipient}" · "<Moment at /></span>
            </summary>
            <pre class="mail-text">{linked(&text)}</pre>
            <p class="row"><a class="button quiet small" href=format!("/mails/{id}") target="_blank" rel="noopener">"As HTML"</a></p>
        </details>
    }
}

/// Lines that are an address can be clicked.
fn linked(text: &str) -> Vec<AnyView> {
    let line = |line: &str| {
        let line = line.to_owned();
        if (line.starts_with("https://") || line.starts_with("http://")) && !line.contains(char::is_whitespace) {
            let href = line.clone();
            view! { <a href=href>{line}</a>"\n" }.into_any()
        } else {
            format!("{line}\n").into_any()
        }
    };
    text.lines().map(line).collect()
}
