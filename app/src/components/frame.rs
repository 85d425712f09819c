//! What is around every page's own content: skip link, header, main landmark, footer.

use super::icon::Mark;
use crate::{http, islands::theme::ThemeToggle, session::SignOut, words};
use domain::Permission;
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Title;
use service::User;

/// `title` is the window's; empty for the start page.
#[component]
pub fn Frame(
    #[prop(into)] title: String,
    viewer: Option<User>,
    #[prop(default = "page")] class: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <Title text=words::raw_text(title) />
        <a class="skip" href="#main">"Skip to content"</a>
        <Header viewer />
        <main id="main" class=class tabindex="-1">
            {failed_form().then(|| view! { <p class="notice" role="alert">"That did not work, and nothing was changed. Please try again."</p> })}
            {children()}
        </main>
        <p class="unseen" id="spoken" role="status"></p>
        <footer class="footer">
            <p>"Reelmill is free software for your own machines."</p>
            <nav aria-label="More">
                <a href="/reference">"API reference"</a>
                <a href="/openapi.json">"openapi.json"</a>
            </nav>
        </footer>
    }
}

/// Whether a form came back without an answer: the database was away, or a field was missing.
fn failed_form() -> bool {
    http::here().contains("__err=")
}

#[component]
fn Header(viewer: Option<User>) -> impl IntoView {
    let is_member = viewer.is_some();
    let has_keys = viewer.as_ref().is_some_and(|viewer| viewer.actor().may(Permission::ManageKeys));
    let links = [
        (is_member, "/create", "Create"),
        (is_member, "/library", "Library"),
        (has_keys, "/keys", "Keys"),
        (!is_member, "/pricing", "Pricing"),
        (true, "/reference", "Reference"),
    ];
    let here = http::here();
    let links = links.into_iter().filter(|(is_shown, ..)| *is_shown).map(|(_, path, name)| {
        let current = here.split('?').next() == Some(path);
        view! { <li><a href=path aria-current=current.then_some("page")>{name}</a></li> }
    });
    let class = if viewer.is_some() { "header signed-in" } else { "header" };
    let account = viewer.as_ref().map(|viewer| viewer.id.to_string());
    view! {
        <header class=class data-account=account>
            <a class="brand" href="/" aria-label="Reelmill, start page"><Mark />"Reelmill"</a>
            <nav class="nav" aria-label="Main"><ul>{links.collect_view()}</ul></nav>
            <div class="header-end">
                <ThemeToggle />
                <Account viewer />
            </div>
        </header>
    }
}

#[component]
fn Account(viewer: Option<User>) -> impl IntoView {
    match viewer {
        Some(user) => view! {
            <details class="menu">
                <summary aria-label=format!("Account of {}", user.email)>
                    <span class="avatar" aria-hidden="true">{initial(user.email.as_str())}</span>
                </summary>
                <form class="menu-body" method="post" action=SignOut::url() data-stays data-signs-out>
                    <p class="menu-mail">{user.email.to_string()}</p>
                    <ul class="menu-links">
                        <li><a href="/plan">"Plan and credit"</a></li>
                        <li><a href="/usage">"Usage"</a></li>
                    </ul>
                    {user.is_operator.then(|| view! {
                        <p class="hint">"Operator of this Reelmill"</p>
                        <ul class="menu-links">
                            <li><a href="/admin">"Overview"</a></li>
                            <li><a href="/admin/tenants">"Tenants"</a></li>
                            <li><a href="/admin/plans">"Plans"</a></li>
                        </ul>
                    })}
                    <button class="button quiet">"Sign out"</button>
                </form>
            </details>
        }
        .into_any(),
        None => view! {
            <a class="header-link" href="/signin">"Sign in"</a>
            <a class="button small" href="/signup">"Sign up"</a>
        }
        .into_any(),
    }
}

fn initial(mail: &str) -> String {
    mail.chars().next().map(|first| first.to_uppercase().to_string()).unwrap_or_default()
}
