//! Why a file that was sent is not taken: kept in the session until the page is looked at.

use crate::{components::table::Table, sentences::with_code, session, words};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use tower_sessions::{Session, session::Error};

pub(super) const FORM: &str = "batches";

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct UploadRefused {
    /// A sentence.
    pub text: String,
    /// Lines of the file and what is wrong with each, the first ones.
    pub rows: Vec<(u64, String)>,
    /// How many are wrong besides.
    pub more: u64,
}

impl UploadRefused {
    #[must_use]
    pub fn of(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Keeps it for the next look at the page.
    ///
    /// # Errors
    /// [`Error`] when the database does not answer.
    pub async fn keep(&self, session: &Session) -> Result<(), Error> {
        session::keep_in(session, FORM, self).await
    }
}

#[component]
pub fn Refused(refused: UploadRefused) -> impl IntoView {
    let UploadRefused { text, rows, more } = refused;
    let has_rows = !rows.is_empty();
    let rows = rows.into_iter().map(|(line, text)| {
        view! {
            <tr>
                <th scope="row">{format!("Line {line}")}</th>
                <td data-head="What is wrong" class="batch-text">{with_code(&text)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <p class="notice" role="alert">{with_code(&text)}</p>
        {has_rows.then(|| view! { <Table label="Lines that cannot be read" heads=&["Line", "What is wrong"]>{rows}</Table> })}
        {(more > 0).then(|| view! { <p class="hint">{format!("And {} more.", words::count(more, "line", "lines"))}</p> })}
    }
}
