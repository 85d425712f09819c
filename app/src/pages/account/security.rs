//! One's own account: password, address, second factor, where one is signed in, and what was done lately.

use crate::{
    components::{
        acts::Acts,
        confirm::{Ask, Confirm},
        field::Field,
        frame::Frame,
        moment::Ago,
        table::Table,
    },
    fault::Fault,
    http,
    islands::password::PasswordField,
    pages::{fault::page, public::oidc::LINK_PAGE},
    session::{self, Said, SaidNotice},
    told::Told,
    words,
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{
    LinkedIdentity, SeenSession, SessionId, User,
    account::{SecondFactorState, oidc::WaysIn},
};

pub const PAGE: &str = "/security";

/// Leads back to the page with what is to be said there.
pub fn answer<E: Told>(user: &User, form: &str, done: Result<String, E>, typed: &str) -> Result<(), Fault> {
    let outcome = match done {
        Ok(text) => Ok(text),
        Err(refused) => Err(refused.told()?),
    };
    session::say(PAGE, Some(user.id), form, outcome, typed);
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[server(prefix = "/api", endpoint = "change-password")]
pub async fn change_password(current: String, password: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let (address, keep) = (http::visitor_address(), session::current().await?);
    let changed = session::services().change_password(user.actor(), &user.email, (&current, &password), &address, keep.as_ref()).await;
    answer(&user, "password", changed.map(|()| "Your password is changed, and all other browsers are signed out.".into()), "")
}

#[server(prefix = "/api", endpoint = "ask-for-email")]
pub async fn ask_for_email(new_email: String, email_password: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let asked = session::services().ask_for_email(user.actor(), &new_email, &email_password, &http::visitor_address()).await;
    let sent = asked.map(|email| format!("Your address changes to {email} when you open the link. {}", session::mail_is_on_its_way()));
    answer(&user, "email", sent, &new_email)
}

#[server(prefix = "/api", endpoint = "end-session")]
pub async fn end_session(id: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    session::services().end_session(user.actor(), &SessionId::from_text(id), &http::visitor_address()).await?;
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[server(prefix = "/api", endpoint = "end-other-sessions")]
pub async fn end_other_sessions() -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let keep = session::current().await?;
    session::services().end_other_sessions(user.actor(), keep.as_ref(), &http::visitor_address()).await?;
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[component]
pub fn SecurityPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let (services, actor) = (session::services(), viewer.actor());
        let said = session::said(PAGE, Some(viewer.id));
        let sessions = services.sessions(actor).await?;
        let current = session::current().await?;
        let factor = services.second_factor(actor).await?;
        let ways = services.ways_in(actor).await?;
        let acts = services.own_acts(actor).await?;
        let now = services.store.now().await?;
        let email = viewer.email.to_string();
        Ok(view! {
            <Frame title="Security" viewer=Some(viewer) class="page settings">
                <header class="page-head">
                    <h1>"Security"</h1>
                    <p class="lead">"How you sign in, and where you are signed in."</p>
                </header>
                <SaidNotice said=&said form="verification" />
                {if ways.has_password {
                    view! { <PasswordForm said=&said /><EmailForm said=&said email /> }.into_any()
                } else {
                    view! { <NoPassword email /> }.into_any()
                }}
                <SecondFactor said=&said factor />
                <Linking said=&said ways now />
                <section class="stack" aria-labelledby="sessions">
                    <h2 id="sessions">"Where you are signed in"</h2>
                    <Sessions sessions current now />
                </section>
                <section class="stack" aria-labelledby="acts">
                    <h2 id="acts">"Lately"</h2>
                    <Acts label="What was done with your account" acts now with_names=false />
                </section>
                <section class="stack" aria-labelledby="leave">
                    <h2 id="leave">"Leave for good"</h2>
                    <p>"Before anything is deleted you are shown what that would be."</p>
                    <p class="row"><a class="button quiet" href="/account/delete">"Delete your account"</a></p>
                </section>
            </Frame>
        })
    })
}

#[component]
fn PasswordForm<'a>(said: &'a Said) -> impl IntoView {
    view! {
        <form class="card stack" method="post" action=ChangePassword::url() aria-labelledby="password-heading">
            <h2 id="password-heading">"Password"</h2>
            <SaidNotice said form="password" />
            <Field name="current" label="Current password" kind="password" autocomplete="current-password" />
            <PasswordField new=true error=None focus=false label="New password".to_owned() />
            <p class="row"><button class="button">"Change password"</button></p>
        </form>
    }
}

/// Of somebody who signs in by a provider alone.
#[component]
fn NoPassword(email: String) -> impl IntoView {
    view! {
        <section class="card stack" aria-labelledby="password-heading">
            <h2 id="password-heading">"Password"</h2>
            <p>"Your account "<strong>{email}</strong>" has none. Set one to change the address, to unlink what you sign in with, or to delete the account."</p>
            <p class="row"><a class="button quiet" href="/forgot-password">"Have a link mailed to set one"</a></p>
        </section>
    }
}

/// Nothing where there is no provider.
#[component]
fn Linking<'a>(said: &'a Said, ways: WaysIn, now: domain::Timestamp) -> impl IntoView {
    let identity = ways.identity;
    ways.provider.map(|name| {
        let content = match identity {
            Some(LinkedIdentity { email, since }) => {
                let whom = if email.is_empty() { String::new() } else { format!(" as {email}") };
                view! {
                    <p>"Linked"<bdi>{whom}</bdi>" "<Ago at=since now />": it lets you in to this account."</p>
                    <p class="row"><a class="button quiet" href="/security/unlink">"Unlink"</a></p>
                }
                .into_any()
            }
            None => view! {
                <p>"Not linked. Once it is, it lets you in to this account, besides your password."</p>
                <p class="row"><a class="button quiet" href=LINK_PAGE>{format!("Link {name}")}</a></p>
            }
            .into_any(),
        };
        view! {
            <section class="card stack" aria-labelledby="linking-heading">
                <h2 id="linking-heading">"Sign-in with "<bdi>{name}</bdi></h2>
                <SaidNotice said form="linking" />
                {content}
            </section>
        }
    })
}

#[component]
fn EmailForm<'a>(said: &'a Said, email: String) -> impl IntoView {
    view! {
        <form class="card stack" method="post" action=AskForEmail::url() aria-labelledby="email-heading">
            <h2 id="email-heading">"Email address"</h2>
            <p>"You sign in as "<strong>{email}</strong>"."</p>
            <SaidNotice said form="email" />
            <Field name="new_email" label="New address" kind="email" autocomplete="off" value=said.typed_into("email") />
            <Field name="email_password" label="Your password" kind="password" autocomplete="current-password" />
            <p class="row"><button class="button">"Send a link there"</button></p>
        </form>
    }
}

#[component]
fn SecondFactor<'a>(said: &'a Said, factor: SecondFactorState) -> impl IntoView {
    let left = factor.recovery_codes_left;
    let content = if factor.is_on {
        let codes = match left {
            0 => "No recovery code is left.".to_owned(),
            1 => "One recovery code is left.".to_owned(),
            left => format!("{left} recovery codes are left."),
        };
        view! {
            <p>"On: signing in takes a code of your app besides the password. "{codes}</p>
            <p class="row"><a class="button quiet" href="/security/codes">"New recovery codes"</a><a class="button quiet" href="/security/off">"Turn off"</a></p>
        }
        .into_any()
    } else {
        view! {
            <p>"Off. With it, nobody gets in with your password alone: an app on your phone shows a code that changes every half minute."</p>
            <p class="row"><a class="button quiet" href="/security/on">"Turn on"</a></p>
        }
        .into_any()
    };
    view! {
        <section class="card stack" aria-labelledby="factor-heading">
            <h2 id="factor-heading">"Two-step sign-in"</h2>
            <SaidNotice said form="factor" />
            {content}
        </section>
    }
}

#[component]
fn Sessions(sessions: Vec<SeenSession>, current: Option<SessionId>, now: domain::Timestamp) -> impl IntoView {
    let several = sessions.len() > 1;
    let rows = sessions.into_iter().map(move |seen| {
        let SeenSession { id, device, address, seen_at } = seen;
        let here = current.as_ref() == Some(&id);
        let end = if here {
            view! { <span class="badge">"This browser"</span> }.into_any()
        } else {
            view! {
                <form method="post" action=EndSession::url() data-stays>
                    <input type="hidden" name="id" value=id.as_str().to_owned() />
                    <button class="button quiet small">"Sign out"</button>
                </form>
            }
            .into_any()
        };
        view! {
            <tr>
                <th scope="row">{words::device(&device)}</th>
                <td data-head="From">{address}</td>
                <td data-head="Seen"><Ago at=seen_at now /></td>
                <td class="end">{end}</td>
            </tr>
        }
    });
    view! {
        <Table label="Browsers in which you are signed in" heads=&["Browser", "From", "Last seen", "Actions"]>{rows.collect_view()}</Table>
        {several.then(|| view! {
            <p class="row"><Ask id="end-others" label="Sign out everywhere else">"Sign out everywhere else"</Ask></p>
            <Confirm
                id="end-others"
                question="Sign out everywhere else?"
                consequence="You stay signed in in this browser alone. Programs with API keys go on."
                yes="Sign out"
                no="Keep them"
                action=EndOtherSessions::url()
                fields=Vec::new()
            />
        })}
    }
}
