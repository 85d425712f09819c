//! What was typed and not sent yet, kept in this browser.
//!
//! Decided here: a draft belongs to an account and to the video it remixes, if any, so neither another account
//! nor another form finds it. It goes when it is sent, thrown away, or its account signs out. Each tab has its own,
//! and a new tab starts from what was typed last in any of them.

use crate::islands::browser;
use domain::{JobId, JobRequest, UserId};
use serde::{Deserialize, Serialize};
use web_sys::Storage;

/// What the names of all drafts begin with.
const DRAFTS: &str = "draft:";
/// Under which lies what names the last removal of all drafts: a tab cannot reach what another has kept for itself.
const REMOVAL: &str = "drafts-removed";
/// As many as anybody looks through, and few enough for what a browser gives a site.
const ASIDE_MAX: usize = 8;

/// A draft as it lies in the browser's storage. Whenever it was kept, the same name and content are the same draft.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    pub request: JobRequest,
    /// Names the form of this draft; with its content, a submission.
    pub nonce: String,
    /// When it was kept, in milliseconds since 1970 by the browser's clock; 0 where that was not written down.
    #[serde(default)]
    at_ms: u64,
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        (&self.nonce, &self.request) == (&other.nonce, &other.request)
    }
}

impl Kept {
    pub fn now(request: JobRequest, nonce: String) -> Self {
        Self { request, nonce, at_ms: js_sys::Date::now() as u64 }
    }
}

/// The name of the draft of one form.
pub fn name(account: UserId, source: Option<JobId>) -> String {
    format!("{DRAFTS}{account}:{}", source.map_or_else(|| "new".into(), |id| id.to_string()))
}

/// The name of what was asked for by the button of a video that makes it again.
pub fn name_of_again(account: UserId, id: JobId) -> String {
    format!("{DRAFTS}{account}:again:{id}")
}

/// What this tab has kept, or else what another has.
pub fn find(name: &str) -> Option<Kept> {
    let [own, shared] = [browser::tab_storage(), browser::storage()];
    let json = get(own.as_ref(), name).or_else(|| {
        let json = get(shared.as_ref(), name)?;
        set(own.as_ref(), name, &json);
        Some(json)
    })?;
    serde_json::from_str(&json).ok()
}

/// What this tab has put aside beside the draft of this name, or else another.
pub fn find_aside(name: &str) -> Vec<Kept> {
    let name = name_of_aside(name);
    let json = get(browser::tab_storage().as_ref(), &name).or_else(|| get(browser::storage().as_ref(), &name));
    all(json)
}

/// Of too many the oldest go, wherever they stand.
pub fn shorten(drafts: &mut Vec<Kept>) {
    while drafts.len() > ASIDE_MAX {
        let oldest = drafts.iter().enumerate().min_by_key(|(_, kept)| kept.at_ms).map_or(0, |(at, _)| at);
        drafts.remove(oldest);
    }
}

/// This tab has `drafts` aside in place of `before`. What another has put aside meanwhile stays.
pub fn keep_aside(name: &str, before: &[Kept], drafts: &[Kept]) {
    let (name, [own, shared]) = (name_of_aside(name), [browser::tab_storage(), browser::storage()]);
    let mut of_all = all(get(shared.as_ref(), &name));
    of_all.retain(|kept| !before.contains(kept) && !drafts.contains(kept));
    of_all.extend_from_slice(drafts);
    shorten(&mut of_all);
    for (storage, drafts) in [(own, drafts), (shared, &of_all)] {
        match serde_json::to_string(drafts) {
            Ok(json) if !drafts.is_empty() => set(storage.as_ref(), &name, &json),
            _ => remove(storage.as_ref(), &name),
        }
    }
}

fn all(json: Option<String>) -> Vec<Kept> {
    json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
}

fn name_of_aside(name: &str) -> String {
    format!("{name}:aside")
}

/// Does nothing where the browser keeps nothing.
pub fn keep(name: &str, draft: &Kept) {
    if let Ok(json) = serde_json::to_string(draft) {
        set(browser::tab_storage().as_ref(), name, &json);
        set(browser::storage().as_ref(), name, &json);
    }
}

/// For this tab: what another has kept under this name meanwhile stays.
pub fn keep_own(name: &str, draft: &Kept) {
    let [own, shared] = [browser::tab_storage(), browser::storage()];
    let Ok(json) = serde_json::to_string(draft) else { return };
    let others = read(shared.as_ref(), name).filter(|others| read(own.as_ref(), name).as_ref() != Some(others));
    if others.is_none() {
        set(shared.as_ref(), name, &json);
    }
    set(own.as_ref(), name, &json);
}

/// What another tab has kept under this name stays.
pub fn forget(name: &str) {
    let [own, shared] = [browser::tab_storage(), browser::storage()];
    if read(own.as_ref(), name) == read(shared.as_ref(), name) {
        remove(shared.as_ref(), name);
    }
    remove(own.as_ref(), name);
}

/// Removes the drafts of everybody, in all tabs.
pub fn forget_all() {
    for storage in [browser::tab_storage(), browser::storage()].iter().flatten() {
        remove_drafts(storage, |_| true);
    }
    set(browser::storage().as_ref(), REMOVAL, &browser::random());
}

/// Removes what another tab meant too when it removed the drafts of everybody.
pub fn catch_up() {
    let own = browser::tab_storage();
    let Some(removal) = get(browser::storage().as_ref(), REMOVAL) else { return };
    if let Some(own) = own.filter(|own| get(Some(own), REMOVAL).as_ref() != Some(&removal)) {
        remove_drafts(&own, |_| true);
        set(Some(&own), REMOVAL, &removal);
    }
}

/// Removes the drafts of everybody but `account`.
pub fn forget_all_but(account: &str) {
    let stays = format!("{DRAFTS}{account}:");
    for storage in [browser::tab_storage(), browser::storage()].iter().flatten() {
        remove_drafts(storage, |name| !name.starts_with(&stays));
    }
}

fn remove_drafts(storage: &Storage, is_meant: impl Fn(&str) -> bool) {
    for name in names(storage).iter().filter(|name| is_meant(name)) {
        let _ = storage.remove_item(name);
    }
}

/// Whether there was something else that could be removed: what has lain there longest, but for the draft that `kept` belongs to.
fn remove_oldest_but(storage: &Storage, kept: &str) -> bool {
    let others = names(storage).into_iter().filter(|name| !kept.starts_with(&**name));
    let oldest = others.min_by_key(|name| age(get(Some(storage), name)));
    oldest.is_some_and(|name| storage.remove_item(&name).is_ok())
}

/// When a draft, or the first of a list of them, was kept.
fn age(json: Option<String>) -> Option<u64> {
    let (_, at_ms) = json.as_deref()?.split_once("\"at_ms\":")?;
    at_ms.split('}').next()?.parse().ok()
}

/// Of all drafts.
fn names(storage: &Storage) -> Vec<String> {
    let names = (0..storage.length().unwrap_or_default()).filter_map(|index| storage.key(index).ok()?);
    names.filter(|name| name.starts_with(DRAFTS)).collect()
}

fn get(storage: Option<&Storage>, name: &str) -> Option<String> {
    storage?.get_item(name).ok()?
}

fn read(storage: Option<&Storage>, name: &str) -> Option<Kept> {
    serde_json::from_str(&get(storage, name)?).ok()
}

fn set(storage: Option<&Storage>, name: &str, value: &str) {
    let Some(storage) = storage else { return };
    // Where there is no more room, what was typed last counts more than what has lain there longest.
    while storage.set_item(name, value).is_err() && remove_oldest_but(storage, name) {}
}

fn remove(storage: Option<&Storage>, name: &str) {
    if let Some(storage) = storage {
        let _ = storage.remove_item(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_drafts_the_oldest_go() {
        let kept = |at_ms| Kept { request: JobRequest::default(), nonce: String::new(), at_ms };
        let times = |drafts: &[Kept]| drafts.iter().map(|kept| kept.at_ms).collect::<Vec<_>>();
        // The newest stands first after it was exchanged for the next.
        let mut drafts: Vec<_> = [90, 30, 20, 40, 50, 60, 70, 80, 85].map(kept).into();
        shorten(&mut drafts);
        assert_eq!(times(&drafts), [90, 30, 40, 50, 60, 70, 80, 85]);
        shorten(&mut drafts);
        assert_eq!(drafts.len(), ASIDE_MAX);
    }

    #[test]
    fn a_draft_that_is_kept_again_is_the_same_one() {
        let kept = |nonce: &str, at_ms| Kept { request: JobRequest::default(), nonce: nonce.into(), at_ms };
        assert_eq!(kept("n", 1), kept("n", 2));
        assert_ne!(kept("n", 1), kept("m", 1));
    }

    #[test]
    fn a_draft_that_was_kept_without_its_time_is_read() {
        let kept: Kept = serde_json::from_str(r#"{"request":{"prompt":"a pier"},"nonce":"n"}"#).unwrap();
        assert_eq!((&*kept.request.prompt, kept.at_ms), ("a pier", 0));
    }
}
