//! API keys: made, shown once, revoked.

use crate::{
    components::{
        code::{Code, Copy},
        confirm::{Ask, Confirm},
        field::Field,
        frame::Frame,
        moment::Moment,
    },
    fault::Fault,
    http,
    pages::{fault::page, snippets},
    session::{self, flash},
    words,
};
use domain::{ApiKeyId, UserId};
use leptos::{prelude::*, server_fn::ServerFn};
use serde::{Deserialize, Serialize};
use service::{ApiKey, KeyError, key::NAME_CHARS_MAX};

/// A key just made, on its way to be shown once.
#[derive(Serialize, Deserialize)]
struct Made {
    name: String,
    secret: String,
}

#[derive(Serialize, Deserialize)]
struct Refused {
    /// Who typed it: nobody else is to see it.
    author: UserId,
    name: String,
    error: String,
}

#[server(prefix = "/api", endpoint = "create-key")]
pub async fn create_key(name: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form("/keys").await? else { return Ok(()) };
    match session::services().create_key(user.actor(), &name, &http::visitor_address()).await {
        Ok(new) => {
            let id = new.key.id;
            if let Err(fault) = flash::keep("/keys", &Made { name: new.key.name, secret: new.secret }).await {
                // Nobody will ever see its secret.
                session::services().revoke_key(user.actor(), id, &http::visitor_address()).await?;
                return Err(fault);
            }
        }
        Err(KeyError::Name) => refuse(user.id, &name, &wrong_name(&name)),
        Err(error @ KeyError::TooMany { .. }) => refuse(user.id, &name, &words::sentence(&error.to_string())),
        Err(KeyError::Forbidden(error)) => return Err(error.into()),
        Err(error) => return Err(Fault::internal(&error)),
    }
    leptos_axum::redirect("/keys");
    Ok(())
}

fn refuse(author: UserId, name: &str, error: &str) {
    if !session::note("/keys", &Refused { author, name: name.into(), error: error.into() }) {
        let error = format!("{error} Only the beginning of it is shown.");
        session::note("/keys", &Refused { author, name: session::noteworthy(name), error });
    }
}

fn wrong_name(name: &str) -> String {
    match name.trim().chars().count() {
        0 => "Give the key a name.".into(),
        1..=NAME_CHARS_MAX => "Leave out control characters, such as line breaks.".into(),
        chars => format!("This name has {} characters. Use 1 to {NAME_CHARS_MAX}.", domain::grouped(chars as u64)),
    }
}

#[server(prefix = "/api", endpoint = "revoke-key")]
pub async fn revoke_key(id: ApiKeyId) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form("/keys").await? else { return Ok(()) };
    session::services().revoke_key(user.actor(), id, &http::visitor_address()).await?;
    leptos_axum::redirect("/keys");
    Ok(())
}

#[component]
pub fn KeysPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let keys = session::services().list_keys(viewer.actor()).await?;
        let made = flash::take::<Made>("/keys").await?;
        let refused = session::noted_if("/keys", |refused: &Refused| refused.author == viewer.id);
        let (name, error) = refused.map(|refused| (refused.name, refused.error)).unzip();
        let usable = keys.iter().any(|key| key.revoked_at.is_none());
        let catalog = session::services().catalog().await?;
        let text = snippets::first_program(&http::origin(), catalog.default_model());
        Ok(view! {
            <Frame title="Keys" viewer=Some(viewer) class="page">
                <header class="page-head">
                    <h1>"API keys"</h1>
                    <p class="lead">"A key lets a program make videos in your name. Give each program its own."</p>
                </header>
                {made.map(|Made { name, secret }| view! { <NewSecret name secret /> })}
                <form class="card new-key" method="post" action=CreateKey::url() data-stays>
                    <Field name="name" label="Name of the new key" autocomplete="off" hint="For example, the program that will use it. Up to 100 characters." value=name.unwrap_or_default() error />
                    <button class="button">"Create key"</button>
                </form>
                <Keys keys />
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

#[component]
fn Keys(keys: Vec<ApiKey>) -> impl IntoView {
    if keys.is_empty() {
        return view! { <p class="empty small">"No keys yet. Create one above to use Reelmill from a program."</p> }.into_any();
    }
    let rows = keys.into_iter().map(|key| view! { <Key key_=key /> });
    view! {
        <div class="table-wrap" role="region" aria-label="Your keys" tabindex="0">
            <table>
                <thead><tr><th scope="col">"Name"</th><th scope="col">"Key"</th><th scope="col">"Created"</th><th scope="col">"Last used"</th><th scope="col"><span class="unseen">"Revoke"</span></th></tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn Key(key_: ApiKey) -> impl IntoView {
    let ApiKey { id, name, hint, created_at, last_used_at, revoked_at } = key_;
    let dialog = format!("revoke-{id}");
    let end = match revoked_at {
        Some(_) => view! { <span class="badge">"Revoked"</span> }.into_any(),
        None => view! {
            <Ask id=dialog.clone() label=format!("Revoke {name}") class="button quiet small">"Revoke"</Ask>
            <Confirm
                id=dialog
                question="Revoke this key?"
                consequence=format!("Programs that use “{}” are refused from now on. This cannot be taken back.", words::isolated(&name))
                yes="Revoke"
                no="Keep it"
                action=RevokeKey::url()
                fields=vec![("id", id.to_string())]
            />
        }
        .into_any(),
    };
    view! {
        <tr class:revoked=revoked_at.is_some()>
            <th scope="row" dir="auto">{name.clone()}</th>
            <td class="mono">{hint}</td>
            <td><Moment at=created_at /></td>
            <td>{last_used_at.map_or_else(|| "Never".into_any(), |at| view! { <Moment at /> }.into_any())}</td>
            <td class="end">{end}</td>
        </tr>
    }
}
