//! What was typed and not sent yet, kept in this browser.
//!
//! Decided here: a draft belongs to an account and to the video it remixes, if any, so neither another account
//! nor another form finds it. It goes when it is sent, thrown away, or its account signs out.

use crate::islands::browser;
use domain::{JobId, JobRequest, UserId};
use serde::{Deserialize, Serialize};

/// What the names of all drafts begin with.
const DRAFTS: &str = "draft:";

/// A draft as it lies in the browser's storage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub request: JobRequest,
    /// Names the form of this draft; with its content, a submission.
    pub nonce: String,
}

/// The name of the draft of one form.
pub fn name(account: UserId, source: Option<JobId>) -> String {
    format!("{DRAFTS}{account}:{}", source.map_or_else(|| "new".into(), |id| id.to_string()))
}

/// The name of what was asked for by the button of a video that makes it again.
pub fn name_of_again(account: UserId, id: JobId) -> String {
    format!("{DRAFTS}{account}:again:{id}")
}

pub fn find(name: &str) -> Option<Kept> {
    let json = browser::storage()?.get_item(name).ok()??;
    serde_json::from_str(&json).ok()
}

/// Does nothing where the browser keeps nothing.
pub fn keep(name: &str, draft: &Kept) {
    if let (Some(storage), Ok(json)) = (browser::storage(), serde_json::to_string(draft)) {
        let _ = storage.set_item(name, &json);
    }
}

pub fn forget(name: &str) {
    if let Some(storage) = browser::storage() {
        let _ = storage.remove_item(name);
    }
}

/// Removes the drafts of everybody, or of everybody but `account`.
pub fn forget_all(but: Option<&str>) {
    let Some(storage) = browser::storage() else { return };
    let stays = but.map(|account| format!("{DRAFTS}{account}:"));
    let names: Vec<_> = (0..storage.length().unwrap_or_default()).filter_map(|index| storage.key(index).ok()?).collect();
    for name in names.iter().filter(|name| name.starts_with(DRAFTS)) {
        if stays.as_ref().is_none_or(|stays| !name.starts_with(stays)) {
            let _ = storage.remove_item(name);
        }
    }
}
