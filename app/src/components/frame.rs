//! What is around every page's own content: skip link, header, main landmark, footer.

use super::{icon::Mark, moment::Moment, operator::OperatorPages};
use crate::{
    http,
    islands::theme::ThemeToggle,
    session::{self, EndViewing, SendVerification, SignOut, SwitchTeam},
    words,
};
use domain::{Permission, TenantId, Timestamp, VIEWING_MINUTES_MAX};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::{Stylesheet, Title};
use service::{OwnTenant, User, account::Viewed};

/// By addresses and names: of one's own team.
const OWN_LINKS: [(&str, &str); 8] = [
    ("/plan", "Plan and credit"),
    ("/overview", "Overview"),
    ("/requests", "Requests"),
    ("/usage", "Usage"),
    ("/billing", "Billing"),
    ("/limits", "Limits and alerts"),
    ("/webhooks", "Webhooks"),
    ("/security", "Security"),
];

/// `title` is the window's; empty for the start page.
#[component]
pub fn Frame(
    #[prop(into)] title: String,
    viewer: Option<User>,
    #[prop(default = "page")] class: &'static str,
    children: Children,
) -> impl IntoView {
    let viewed = viewer.as_ref().and_then(|viewer| viewer.viewed.clone());
    let is_operator = viewer.as_ref().is_some_and(|viewer| viewer.is_operator);
    // It stands at the end of every page: price and button, or the picture, are to be in sight.
    let unverified = viewer.as_ref().filter(|viewer| !viewer.is_verified && viewer.viewed.is_none()).map(|viewer| viewer.email.to_string());
    let here = http::here();
    let operators = (is_operator && is_below(&here, "/admin")).then(|| {
        view! {
            <Stylesheet href="/operator.css" />
            <OperatorPages here />
        }
    });
    view! {
        <Title text=words::raw_text(title) />
        <a class="skip" href="#main">"Skip to content"</a>
        <Header viewer />
        {operators}
        <main id="main" class=class tabindex="-1">
            {viewed.map(|Viewed { team, viewing }| view! { <Viewing team until=viewing.until /> })}
            {failed_form().then(|| view! { <p class="notice" role="alert">"That did not work, and nothing was changed. Please try again."</p> })}
            {children()}
            {unverified.map(|email| view! { <Unverified email is_operator /> })}
        </main>
        <p class="unseen" id="spoken" role="status"></p>
        <footer class="footer">
            <p>"Reelmill is free software for your own machines."</p>
            <nav aria-label="More">
                <a href="/pricing">"Pricing"</a>
                <a href="/reference">"API reference"</a>
                <a href="/openapi.json">"openapi.json"</a>
                {session::services().showed_status().then(|| view! { <a href="/status">"Status"</a> })}
            </nav>
        </footer>
    }
}

/// Whose pages these are, and the way back.
#[component]
fn Viewing(team: String, until: Timestamp) -> impl IntoView {
    view! {
        <form class="unverified" method="post" action=EndViewing::url() data-stays>
            <p>
                "You look at the pages of "<strong dir="auto">{team}</strong>" as the operator, until "<Moment at=until />
                {format!(" ({VIEWING_MINUTES_MAX} minutes at the most). Nothing can be changed, and the team sees that you looked.")}
            </p>
            <button class="link">"End the view"</button>
        </form>
    }
}

/// Nothing is lost by not doing it, but for the way back in when the password is forgotten.
#[component]
fn Unverified(email: String, is_operator: bool) -> impl IntoView {
    let sends_mails = session::services().sends_mails;
    view! {
        <form class="unverified" method="post" action=SendVerification::url() data-stays>
            {if sends_mails {
                view! { <p>"Please confirm your address: we have sent a link to "<strong>{email}</strong>"."</p> }.into_any()
            } else if is_operator {
                view! { <p>"Please confirm your address "<strong>{email}</strong>": you find the link in the "<a href="/admin/mail">"list of mails"</a>"."</p> }.into_any()
            } else {
                view! { <p>"Please confirm your address "<strong>{email}</strong>": whoever runs this Reelmill has the link for you."</p> }.into_any()
            }}
            <button class="link">{if sends_mails { "Send it again" } else { "Make another link" }}</button>
        </form>
    }
}

/// Whether a form came back without an answer: the database was away, or a field was missing.
fn failed_form() -> bool {
    http::here().contains("__err=")
}

#[component]
fn Header(viewer: Option<User>) -> impl IntoView {
    let is_member = viewer.is_some();
    let submits = viewer.as_ref().is_some_and(|viewer| viewer.actor().may(Permission::SubmitJobs));
    let has_keys = viewer.as_ref().is_some_and(|viewer| viewer.actor().may(Permission::ManageKeys));
    let links = [
        (submits, "/create", "Create"),
        (is_member, "/library", "Library"),
        (is_member, "/queue", "Queue"),
        (is_member, "/batches", "Batches"),
        (has_keys, "/keys", "Keys"),
        (is_member, "/team", "Team"),
        (!is_member, "/pricing", "Pricing"),
        (true, "/reference", "Reference"),
    ];
    let here = http::here();
    let links = links.into_iter().filter(|(is_shown, ..)| *is_shown).map(|(_, path, name)| {
        let current = is_below(&here, path);
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

/// Whether a page or one below it is looked at.
fn is_below(here: &str, path: &str) -> bool {
    here.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

#[component]
fn Account(viewer: Option<User>) -> impl IntoView {
    let pays = viewer.as_ref().is_some_and(|viewer| viewer.actor().may(Permission::ManageBilling) && session::services().can_pay());
    let tells = viewer.as_ref().is_some_and(|viewer| viewer.actor().may(Permission::ManageWebhooks));
    let is_shown = move |path: &str| match path {
        "/billing" => pays,
        "/webhooks" => tells,
        _ => true,
    };
    match viewer {
        Some(user) => view! {
            <details class="menu">
                <summary aria-label=format!("Account of {}", user.email)>
                    <span class="avatar" aria-hidden="true">{initial(user.email.as_str())}</span>
                </summary>
                <div class="menu-body">
                    <p class="menu-mail">{user.email.to_string()}</p>
                    <Teams tenants=user.tenants current=user.tenant />
                    <Links links=OWN_LINKS.into_iter().filter(|(path, _)| is_shown(path)).collect() />
                    {user.is_operator.then(|| view! { <Links links=vec![("/admin", "Operator")] /> })}
                    <form method="post" action=SignOut::url() data-stays data-signs-out>
                        <button class="button quiet wide">"Sign out"</button>
                    </form>
                </div>
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

/// The page that is looked at stands out among them.
#[component]
fn Links(links: Vec<(&'static str, &'static str)>) -> impl IntoView {
    let here = http::here();
    let links = links.into_iter().map(|(path, name)| {
        if here.split('?').next() == Some(path) {
            view! { <li><a href=path aria-current="page"><strong>{name}</strong></a></li> }.into_any()
        } else {
            view! { <li><a href=path>{name}</a></li> }.into_any()
        }
    });
    view! { <ul class="menu-links">{links.collect_view()}</ul> }
}

/// The way from one team to another, for who is in several.
#[component]
fn Teams(tenants: Vec<OwnTenant>, current: TenantId) -> impl IntoView {
    let several = tenants.len() > 1;
    let teams = tenants.into_iter().map(move |own| {
        let is_current = own.membership.tenant == current;
        view! {
            <li>
                <form method="post" action=SwitchTeam::url() data-stays>
                    <input type="hidden" name="tenant" value=own.membership.tenant.to_string() />
                    <button class="link" dir="auto" aria-current=is_current.then_some("true")>{own.name}</button>
                    <span class="hint">{own.membership.role.label()}</span>
                </form>
            </li>
        }
    });
    several.then(|| view! { <nav class="teams" aria-label="Teams"><ul>{teams.collect_view()}</ul></nav> })
}

fn initial(mail: &str) -> String {
    mail.chars().next().map(|first| first.to_uppercase().to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{super::operator::GROUPS, *};

    #[test]
    fn no_two_pages_of_the_menu_and_of_the_operators_have_one_name() {
        let operators = GROUPS.into_iter().flat_map(|(_, links)| links.iter().copied());
        let mut names: Vec<_> = OWN_LINKS.into_iter().chain(operators).map(|(_, name)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_batch_is_below_the_batches() {
        let is_below = ["/batches", "/batches?after=1", "/batches/batch_1", "/batchesome", "/"].map(|here| is_below(here, "/batches"));
        assert_eq!(is_below, [true, true, true, false, false]);
    }

    #[test]
    fn the_page_that_is_looked_at_stands_out() {
        // Without a request that is the start page.
        let menu = view! { <Links links=vec![("/", "Start"), ("/usage", "Usage")] /> }.to_html();
        assert!(menu.contains("aria-current=\"page\"><strong>Start") && menu.matches("aria-current").count() == 1, "{menu}");
    }
}
