//! How far a batch is: a bar, and the same in numbers.

use super::is_partly_read;
use crate::words;
use domain::{
    batch::{OpenLines, UnmadeLines},
    grouped,
};
use leptos::prelude::*;
use service::BatchView;

/// Of each kind of lines, in the order of the bar.
struct Part {
    name: &'static str,
    class: &'static str,
    lines: u32,
}

const PARTS: usize = 6;

/// What waits of a batch that is closed is not made, whether that is written down yet or not.
fn parts([lines, completed, failed]: [u32; 3], is_closed: bool, open: OpenLines, unmade: UnmadeLines) -> [Part; PARTS] {
    let unbegun = lines.saturating_sub(completed).saturating_sub(failed).saturating_sub(open.begun);
    let (waiting, not_begun) = if is_closed { (0, unbegun) } else { (unbegun, 0) };
    let withdrawn = failed.saturating_sub(unmade.failed) + not_begun;
    [
        ("Done", "done", completed),
        ("Failed", "failed", unmade.failed),
        ("Not made", "unmade", withdrawn),
        ("Running", "running", open.begun.saturating_sub(open.for_decoder)),
        ("Waiting for a decoder", "decoder", open.for_decoder),
        ("Waiting", "waiting", waiting),
    ]
    .map(|(name, class, lines)| Part { name, class, lines })
}

/// Where those lines are that wait.
fn standing(waiting: u32, open: OpenLines) -> Option<String> {
    let queued = open.lines.saturating_sub(open.begun).min(waiting);
    match (queued, waiting - queued) {
        (0, 0) => None,
        (0, _) => Some("Of the lines that wait none is in the queue yet.".to_owned()),
        (_, 0) => Some("The lines that wait are in the queue, and are begun in their turn.".to_owned()),
        _ => {
            let are = words::count(queued.into(), "is", "are");
            Some(format!("Of the lines that wait {are} in the queue, and the others follow little by little."))
        }
    }
}

/// Left edge and width of each part, in thousandths of the bar.
fn spans(parts: &[Part; PARTS], total: u32) -> [(u32, u32); PARTS] {
    let (mut counted, total) = (0_u64, u64::from(total.max(1)));
    let place = |lines: u64| u32::try_from((lines * 1000 / total).min(1000)).unwrap_or(1000);
    parts.each_ref().map(|part| {
        let left = place(counted);
        counted += u64::from(part.lines);
        (left, place(counted) - left)
    })
}

#[component]
pub fn Progress<'a>(view: &'a BatchView, unmade: UnmadeLines) -> impl IntoView {
    let (batch, total) = (&view.batch, view.batch.lines);
    let parts = parts([total, batch.completed, batch.failed], batch.closing.is_some(), view.open, unmade);
    let spans = spans(&parts, total);
    let [.., Part { lines: waiting, .. }] = parts;
    let standing = standing(waiting, view.open);
    let told: Vec<String> = parts.iter().map(|part| format!("{} {}", grouped(part.lines.into()), part.name.to_lowercase())).collect();
    let label = format!("Of {}: {}", words::count(total.into(), "line", "lines"), words::list(&told));
    let bars = parts.iter().zip(spans).map(|(part, (left, width))| {
        view! { <rect class=part.class x=percent(left) y="0" width=percent(width) height="100%"></rect> }
    });
    let bars = bars.collect_view();
    let numbers = parts.into_iter().map(|Part { name, class, lines }| {
        let key = view! { <svg class="batch-key" aria-hidden="true"><rect class=class width="100%" height="100%"></rect></svg> };
        view! { <div><dt>{key}{name}</dt><dd>{grouped(lines.into())}</dd></div> }
    });
    let numbers = numbers.collect_view();
    view! {
        <svg class="batch-bar" role="img" aria-label=label><Patterns />{bars}</svg>
        <dl class="facts">
            <div><dt>"Validated"</dt><dd>{grouped(total.into())}</dd></div>
            {numbers}
            {is_partly_read(batch).then(|| view! { <div><dt>"Never read"</dt><dd>"The rest of the file"</dd></div> })}
        </dl>
        {standing.map(|text| view! { <p class="hint">{text}</p> })}
    }
}

/// Of thousandths.
fn percent(thousandths: u32) -> String {
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

/// What tells parts apart from their neighbours whatever their colours: stripes, upright and aslant.
#[component]
fn Patterns() -> impl IntoView {
    let stripes = [("batch-unmade", "rotate(45)"), ("batch-decoder", "rotate(0)")].map(|(id, turn)| {
        view! {
            <pattern id=id patternUnits="userSpaceOnUse" width="6" height="6" patternTransform=turn>
                <rect class="ground" width="6" height="6"></rect>
                <rect class="stripe" width="3" height="6"></rect>
            </pattern>
        }
    });
    view! { <defs>{stripes.into_iter().collect_view()}</defs> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_bar_lie_side_by_side_and_fill_it_when_all_are_counted() {
        let parts = |lines: [u32; PARTS]| lines.map(|lines| Part { name: "", class: "", lines });
        assert_eq!(spans(&parts([1, 1, 0, 0, 0, 1]), 3), [(0, 333), (333, 333), (666, 0), (666, 0), (666, 0), (666, 334)]);
        assert_eq!(spans(&parts([0; PARTS]), 0), [(0, 0); PARTS]);
        assert_eq!(spans(&parts([50_000, 0, 0, 0, 0, 0]), 50_000)[0], (0, 1000));
    }

    #[test]
    fn each_part_has_a_fill_of_its_own_and_stripes_are_between_those_that_are_alike() {
        let style = include_str!("../../../../../public/batches.css");
        let patterns = view! { <Patterns /> }.to_html();
        let parts = parts([0; 3], false, OpenLines::default(), UnmadeLines::default());
        let fills = parts.map(|part| {
            let (_, rest) = style.split_once(&format!(" .{}", part.class)).expect(part.class);
            let (_, fill) = rest.split_once("{ fill: ").expect(part.class);
            fill.split(';').next().unwrap_or_default()
        });
        assert!((1..PARTS).all(|at| !fills[..at].contains(&fills[at])), "{fills:?}");
        let drawn = fills.map(|fill| fill.strip_prefix("url(#").map(|id| id.trim_end_matches(')')));
        assert_eq!(drawn, [None, None, Some("batch-unmade"), None, Some("batch-decoder"), None]);
        assert!(drawn.iter().flatten().all(|id| patterns.contains(&format!("id=\"{id}\""))), "{patterns}");
        assert_eq!([0, 5, 333, 1000].map(percent), ["0.0%", "0.5%", "33.3%", "100.0%"]);
    }

    #[test]
    fn lines_that_wait_say_where_they_are() {
        let told = |waiting, lines| standing(waiting, OpenLines { lines, begun: 5, ..OpenLines::default() });
        assert_eq!(told(0, 5), None);
        assert_eq!(told(20, 5).unwrap(), "Of the lines that wait none is in the queue yet.");
        assert_eq!(told(20, 17).unwrap(), "Of the lines that wait 12 are in the queue, and the others follow little by little.");
        assert!(told(20, 25).unwrap().starts_with("The lines that wait are in the queue"));
    }

    #[test]
    fn what_waits_for_a_decoder_is_not_said_to_run_and_what_was_cancelled_not_to_have_failed() {
        let counted = |counts, is_closed, open, unmade| parts(counts, is_closed, open, unmade).map(|part| part.lines);
        let open = OpenLines { lines: 25, begun: 7, for_decoder: 3, ..OpenLines::default() };
        let none = UnmadeLines::default();
        // Done, failed, not made, running, waiting for a decoder, waiting.
        assert_eq!(counted([30, 5, 0], false, open, none), [5, 0, 0, 4, 3, 18]);
        assert_eq!(counted([30, 5, 0], true, open, none), [5, 0, 18, 4, 3, 0], "at once, not when it is written down");
        let unmade = UnmadeLines { failed: 1, withdrawn: 18, ..none };
        let begun = OpenLines { lines: 6, begun: 6, ..OpenLines::default() };
        assert_eq!(counted([30, 5, 19], true, begun, unmade), [5, 1, 18, 6, 0, 0]);
    }
}
