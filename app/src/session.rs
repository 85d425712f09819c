//! Who is looking: the signed-in user, the visitor's address, and words kept from one request to the next.
//!
//! Forms are answered with a redirect. What a refused form said is kept in the session until the page that
//! shows it again takes it out, so nothing typed is lost, with or without JavaScript.

use crate::pages::fault::Fault;
use axum::{
    extract::ConnectInfo,
    http::{HeaderValue, StatusCode, header, request::Parts},
};
use domain::UserId;
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;
use serde::{Serialize, de::DeserializeOwned};
use service::{
    SESSION_USER, Services, User,
    deadline::{Arrival, Instant},
};
use std::{net::SocketAddr, sync::Arc};
use tower_sessions::Session;

/// Twice as many, as hexadecimal digits, and a name fit into the 4096 bytes of a cookie.
const NOTE_BYTES: usize = 1900;

/// A day: who is signed out may have to wait before signing in again.
const NOTE_SECONDS: i64 = 24 * 60 * 60;

/// Set when somebody signs in, and not removed when they sign out.
const KNOWN_BROWSER: &str = "reelmill_browser";
/// The longest that browsers keep a cookie: 400 days.
const KNOWN_BROWSER_SECONDS: i64 = 400 * 24 * 60 * 60;

pub fn services() -> Services {
    expect_context::<Services>()
}

/// The signed-in user, if any.
pub async fn viewer() -> Result<Option<User>, Fault> {
    let services = services();
    let session = session().await?;
    let Some(id) = session.get::<UserId>(SESSION_USER).await? else { return Ok(None) };
    Ok(services.user(id).await?)
}

/// The signed-in user of a page that is theirs alone.
pub async fn require_viewer() -> Result<User, Fault> {
    viewer().await?.ok_or(Fault::SignInFirst)
}

/// The signed-in user of a form; a stranger is led to the sign-in page, and from there to `page`.
pub async fn viewer_of_form(page: &str) -> Result<Option<User>, Fault> {
    let viewer = viewer().await?;
    if viewer.is_none() {
        leptos_axum::redirect(&format!("/signin?next={page}"));
    }
    Ok(viewer)
}

/// Makes this session the user's, under a new id, so that an id planted before is worth nothing. What it kept for
/// another user goes.
pub async fn begin(user: UserId) -> Result<(), Fault> {
    let session = session().await?;
    if session.get::<UserId>(SESSION_USER).await? != Some(user) {
        session.clear().await;
    }
    session.cycle_id().await?;
    Ok(session.insert(SESSION_USER, user).await?)
}

/// The cookie by which this browser says where it has been signed in before.
pub fn known_browser() -> Option<String> {
    cookie(KNOWN_BROWSER)
}

/// Lets this browser be known from now on. Without that it is only treated as a stranger's.
pub async fn remember_browser(user: &User) {
    match services().remember_browser(user, known_browser().as_deref()).await {
        Ok(cookie) => set_cookie(KNOWN_BROWSER, "/api", &cookie, KNOWN_BROWSER_SECONDS),
        Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "a browser is not remembered"),
    }
}

pub async fn end() -> Result<(), Fault> {
    Ok(session().await?.flush().await?)
}

/// Keeps what a refused form said for the page that shows it again. It is stored when this returns.
pub async fn keep<T: Serialize>(form: &str, words: &T) -> Result<(), Fault> {
    let session = session().await?;
    session.insert(&slot(form), words).await?;
    Ok(session.save().await?)
}

/// Takes out what was kept; a second look finds nothing.
pub async fn take<T: DeserializeOwned>(form: &str) -> Result<Option<T>, Fault> {
    let session = session().await?;
    if session.get_value(&slot(form)).await?.is_none() {
        return Ok(None);
    }
    Ok(session.remove(&slot(form)).await.unwrap_or_default())
}

fn slot(form: &str) -> String {
    format!("form:{form}")
}

pub async fn session() -> Result<Session, Fault> {
    leptos_axum::extract::<Session>().await.map_err(|error| Fault::internal(&error))
}

/// The network address the request came from.
pub fn visitor_address() -> String {
    let parts = use_context::<Parts>();
    let connection = parts.and_then(|parts| parts.extensions.get::<ConnectInfo<SocketAddr>>().copied());
    connection.map(|ConnectInfo(address)| address.ip().to_string()).unwrap_or_default()
}

/// When the answer to this request is due.
pub fn due() -> Option<Instant> {
    let arrival = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Arc<Arrival>>().cloned());
    arrival.map(|arrival| arrival.due())
}

/// Path and query of this request, as a place to come back to.
pub fn here() -> String {
    let uri = use_context::<Parts>().map(|parts| parts.uri);
    uri.and_then(|uri| uri.path_and_query().map(ToString::to_string)).unwrap_or_else(|| "/".into())
}

/// The address that the operator has named for browsers and programs, such as `https://video.example.com`.
#[derive(Clone)]
pub struct PublicOrigin(pub String);

/// Where this server is reached, for examples to copy: as the operator says, else as this request came.
pub fn origin() -> String {
    if let Some(PublicOrigin(origin)) = use_context() {
        return origin;
    }
    let Some(parts) = use_context::<Parts>() else { return "http://localhost:3000".into() };
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
    let host = header("host").filter(|host| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b)));
    let scheme = header("x-forwarded-proto").filter(|scheme| scheme == "https").unwrap_or_else(|| "http".into());
    format!("{scheme}://{}", host.unwrap_or_else(|| "localhost:3000".into()))
}

pub fn cookie(name: &str) -> Option<String> {
    let parts = use_context::<Parts>()?;
    let cookies = parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(key, value)| (key == name).then(|| value.to_owned()))
}

/// Answers with a way to another page, whatever the client says it accepts.
pub fn lead(to: &str) {
    if let (Ok(to), Some(response)) = (HeaderValue::from_str(to), use_context::<ResponseOptions>()) {
        response.set_status(StatusCode::FOUND);
        response.insert_header(header::LOCATION, to);
    }
}

/// Gives the answer of a server function this status; a plain form is led back to its page instead.
pub fn answer_with(status: StatusCode) {
    if !is_plain_form() {
        answer_in_place(status);
    }
}

/// Answers a plain form where it is, with this status: loaded again, it is sent again.
pub fn answer_in_place(status: StatusCode) {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(status);
    }
}

/// Whether a browser posts this without a script, and shows what it gets.
pub fn is_plain_form() -> bool {
    let accepts = use_context::<Parts>().and_then(|parts| parts.headers.get(header::ACCEPT).cloned());
    accepts.is_some_and(|accepts| accepts.to_str().is_ok_and(|accepts| accepts.contains("text/html")))
}

/// As much of what was typed into one field as a note has room for.
pub fn noteworthy(typed: &str) -> String {
    typed.chars().take(254).collect()
}

/// Keeps a few words for the next look at `page`, in the visitor's own browser: no row for a stranger. Only the
/// server reads the cookie, but it is not sealed: secrets go by `flash`. Says whether they are kept: a cookie does not
/// hold more than `NOTE_BYTES` of them.
pub fn note<T: Serialize>(page: &str, words: &T) -> bool {
    let json = serde_json::to_vec(words).unwrap_or_default();
    let fits = json.len() <= NOTE_BYTES;
    if fits {
        let hex = json.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        set_cookie(&note_name(page), page, &hex, NOTE_SECONDS);
    }
    fits
}

/// Takes out what was noted for `page`.
pub fn noted<T: DeserializeOwned>(page: &str) -> Option<T> {
    let hex = cookie(&note_name(page))?;
    set_cookie(&note_name(page), page, "", 0);
    let pairs = hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    serde_json::from_slice(&pairs.collect::<Option<Vec<_>>>()?).ok()
}

fn note_name(page: &str) -> String {
    format!("note{}", page.replace('/', "-"))
}

/// A cookie that only the server reads, sent with requests below `path` that our own pages make.
pub fn set_cookie(name: &str, path: &str, value: &str, seconds: i64) {
    let secure = if origin().starts_with("https:") { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    if let (Ok(value), Some(response)) = (HeaderValue::from_str(&text), use_context::<ResponseOptions>()) {
        response.append_header(header::SET_COOKIE, value);
    }
}

/// `path` if it is a place on this server, else the start of work: nobody is sent elsewhere by a crafted link.
pub fn local_path(path: &str) -> &str {
    let plain = path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if plain && path.starts_with('/') && !path.starts_with("//") { path } else { "/create" }
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn a_path_on_this_server_is_followed() {
        assert_eq!(local_path("/videos/job_1?tab=code#top"), "/videos/job_1?tab=code#top");
    }

    #[test]
    fn a_way_to_another_server_is_not() {
        for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example", "/a\nb", "javascript:alert(1)", ""] {
            assert_eq!(local_path(elsewhere), "/create", "{elsewhere:?}");
        }
    }
}
