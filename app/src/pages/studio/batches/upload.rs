//! The form that a file is sent by, and how such a file looks.

use crate::{components::code::Code, session::TeamField};
use domain::{
    TenantId,
    batch::{FILE_BYTES_MAX, LINES_MAX},
};
use leptos::prelude::*;

const ACTION: &str = "/batches/upload";
/// As the file says it, and in words.
const WINDOWS: [(&str, &str); 4] = [("24h", "24 hours"), ("3d", "3 days"), ("7d", "7 days"), ("30d", "30 days")];
const TABLE: &str = "prompt,seconds,custom_id\na red ball rolls down a hill,2,clip-1\n\"rain, seen through a window\",4,clip-2";
const LINE: &str = r#"{"custom_id": "clip-1", "method": "POST", "url": "/v1/videos", "body": {"prompt": "a red ball", "seconds": "2"}}"#;

/// Posted as it is, with a script and without: the file goes as it is read from the disk.
#[component]
pub fn Upload(tenant: TenantId) -> impl IntoView {
    let hint = format!(
        "Drop it on the box, or choose it: a table as CSV with a column prompt, or JSON lines. At most {} lines and {} MiB. Nothing is made or charged before you have seen the price.",
        domain::grouped(LINES_MAX.into()),
        FILE_BYTES_MAX >> 20
    );
    let windows = WINDOWS.map(|(value, words)| view! { <option value=value>{words}</option> });
    view! {
        <form class="card batch-upload" method="post" action=ACTION enctype="multipart/form-data">
            <TeamField tenant />
            <div class="field">
                <label for="batch-file">"File of prompts"</label>
                <input id="batch-file" name="file" type="file" required accept=".csv,.tsv,.txt,.jsonl,.ndjson,.json,text/csv,application/jsonl" aria-describedby="batch-file-hint" />
                <p class="hint" id="batch-file-hint">{hint}</p>
            </div>
            <div class="field">
                <label for="batch-window">"To be done within"</label>
                <select id="batch-window" name="window">{windows.collect_view()}</select>
            </div>
            <button class="button">"Get a quote"</button>
        </form>
    }
}

#[component]
pub fn Samples() -> impl IntoView {
    view! {
        <Code text=TABLE label="A table" />
        <Code text=LINE label="A line of JSON" />
    }
}
