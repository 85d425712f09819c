//! Lines of a batch: the videos that were made as a contact sheet, and what was not with the reasons.

use super::changes::address;
use crate::{
    components::{clip::Clip, table::Table},
    media,
    sentences::with_code,
    words,
};
use domain::{BatchId, JobView};
use leptos::prelude::*;
use service::{LineOutcome, LineResult, LinesPage};

/// Of a page of either.
pub(super) const SHOWN: usize = 60;
/// Names of the two pages in a query.
pub(super) const SHEET: &str = "made";
pub(super) const WRONG: &str = "wrong";
const TITLE_CHARS: usize = 80;

/// `after`: behind which line it begins.
#[component]
pub fn Sheet(id: BatchId, page: LinesPage, after: Option<u32>) -> impl IntoView {
    let LinesPage { lines, has_more } = page;
    let next = next(&lines, has_more);
    let cards = lines.into_iter().filter_map(|line| match line.outcome {
        LineOutcome::Made(job) => Some(view! { <Card job=*job custom_id=line.custom_id /> }),
        LineOutcome::Failed(_) => None,
    });
    let cards = cards.collect_view();
    view! {
        <section class="stack" aria-labelledby="made">
            <h2 id="made">"Made"</h2>
            <ul class="grid sheet">{cards}</ul>
            <Pages id name=SHEET label="Pages of videos" is_first=after.is_none() next />
        </section>
    }
}

#[component]
fn Card(job: JobView, custom_id: Option<String>) -> impl IntoView {
    let id = job.id;
    let video = (!job.spec.is_image()).then(|| media::main_file(id, false));
    view! {
        <li class="clip">
            <a class="clip-link" href=format!("/videos/{id}")>
                <Clip poster=format!("/media/videos/{id}/thumbnail") video label="" size=job.spec.size />
                <span class="clip-title" dir="auto">{words::shortened(&job.spec.prompt, TITLE_CHARS)}</span>
            </a>
            {custom_id.map(|name| view! { <p class="hint batch-text" dir="auto">{words::shortened(&name, TITLE_CHARS)}</p> })}
        </li>
    }
}

#[component]
pub fn Wrong(id: BatchId, page: LinesPage, after: Option<u32>, heading: &'static str) -> impl IntoView {
    let LinesPage { lines, has_more } = page;
    let next = next(&lines, has_more);
    let rows = lines.into_iter().filter_map(|line| match line.outcome {
        LineOutcome::Failed(fault) => Some((line.line, line.custom_id, fault)),
        LineOutcome::Made(_) => None,
    });
    let rows = rows.map(|(line, custom_id, fault)| {
        let place = if line == 0 { "The file".to_owned() } else { format!("Line {line}") };
        view! {
            <tr>
                <th scope="row">{place}</th>
                <td data-head="Name" class="batch-text" dir="auto">{custom_id.map(|name| words::shortened(&name, TITLE_CHARS))}</td>
                <td data-head="Reason" class="batch-text"><span dir="auto">{with_code(&fault.text)}</span>" "<code>{fault.code}</code></td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <section class="stack" aria-labelledby="wrong">
            <h2 id="wrong">{heading}</h2>
            <Table label="Lines and reasons" heads=&["Line", "Name", "Reason"]>{rows}</Table>
            <Pages id name=WRONG label="Pages of lines" is_first=after.is_none() next />
        </section>
    }
}

/// Another one whenever other lines are on the page.
pub(super) fn revision_of(page: &LinesPage) -> String {
    let all = page.lines.iter().fold(0_u64, |all, line| all.wrapping_mul(31).wrapping_add(line.line.into()));
    format!("{all:x}-{}", page.has_more)
}

fn next(lines: &[LineResult], has_more: bool) -> Option<u32> {
    lines.last().filter(|_| has_more).map(|last| last.line)
}

#[component]
fn Pages(id: BatchId, name: &'static str, label: &'static str, is_first: bool, next: Option<u32>) -> impl IntoView {
    (!is_first || next.is_some()).then(|| {
        view! {
            <nav class="row center" aria-label=label>
                {(!is_first).then(|| view! { <a class="button quiet" href=format!("{}#{name}", address(id))>"First page"</a> })}
                {next.map(|next| view! { <a class="button quiet" href=format!("{}?{name}={next}#{name}", address(id)) rel="next">"Next page"</a> })}
            </nav>
        }
    })
}
