//! API keys and projects: made, shown once, rotated, revoked, archived.

mod changes;
mod fields;
mod limits;
mod list;
mod projects;
mod typed;

use crate::{
    components::{
        code::{Code, Copy},
        frame::Frame,
    },
    http,
    pages::{fault::page, snippets},
    session::{self, flash},
};
use changes::{Answered, AnsweredNotice, Made, Refused};
use domain::billing::Spender;
use fields::NewKeyForm;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use limits::LimitsOfKey;
use list::Keys;
use projects::Projects;

const PAGE: &str = "/keys";

#[component]
pub fn KeysPage() -> impl IntoView {
    let chosen = http::query().get("limits");
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        let keys = services.list_keys(viewer.actor()).await?;
        let projects = services.projects(viewer.actor()).await?;
        let now = services.store.now().await?;
        let may_limit = limits::may_limit(&viewer);
        let limited = keys.iter().find(|key| may_limit && !key.has_ended(now) && Some(key.id.to_string()) == chosen).cloned();
        let limited = match limited {
            Some(key) => {
                let spending = services.spending(viewer.actor()).await?.spending;
                let of_key = spending.iter().find(|spending| spending.spender == Spender::Key(key.spender));
                Some((of_key.map(|spending| spending.limits).unwrap_or_default(), key))
            }
            None => None,
        };
        let tenant = viewer.tenant;
        let requests_max = services.requests_per_minute(viewer.tenant).await?;
        let made = flash::take::<Made>(PAGE).await?;
        let refused = session::noted_if(PAGE, |refused: &Refused| refused.author == viewer.id);
        let (typed, error) = refused.map(|refused| (refused.typed, refused.error)).unzip();
        let answered = session::take::<Answered>(PAGE).await?.unwrap_or_default();
        let usable = keys.iter().any(|key| !key.has_ended(now));
        let catalog = services.catalog().await?;
        let text = snippets::first_program(&http::origin(), catalog.default_model());
        Ok(view! {
            <Frame title="Keys" viewer=Some(viewer) class="page wide keys-page">
                <Stylesheet href="/keys.css" />
                <header class="page-head">
                    <h1>"API keys"</h1>
                    <p class="lead">"A key lets a program make videos in your name. Give each program its own, for what it needs. "<a href="/limits">"Limits and alerts"</a>"\u{a0}· "<a href="/webhooks">"Webhooks"</a></p>
                </header>
                {made.map(|Made { name, secret }| view! { <NewSecret name secret /> })}
                <AnsweredNotice answered=&answered form="keys" />
                {limited.map(|(limits, key)| view! { <LimitsOfKey key_=key tenant limits answered=&answered /> })}
                <NewKeyForm tenant typed=typed.unwrap_or_default() error projects=projects.clone() requests_max />
                <Keys keys projects=projects.clone() may_limit now />
                <Projects tenant projects answered=&answered />
                {usable.then(|| view! {
                    <section class="stack" aria-labelledby="use">
                        <h2 id="use">"Use it"</h2>
                        <p>"Any client of OpenAI’s video API works; only address and key differ. Everything else is in the "<a href="/reference">"reference"</a>"."</p>
                        <Code label="Python, with the openai package" text />
                    </section>
                })}
            </Frame>
        })
    })
}

#[component]
fn NewSecret(name: String, secret: String) -> impl IntoView {
    view! {
        <section class="card secret" aria-labelledby="new-secret" role="status">
            <h2 id="new-secret">"Your new key: "<bdi>{name}</bdi></h2>
            <p class="secret-text"><code>{secret.clone()}</code><Copy text=secret what="the key" /></p>
            <p><strong>"Copy it now."</strong>" It is shown this once; we keep only a fingerprint of it. Whoever has it can spend in your name."</p>
        </section>
    }
}
