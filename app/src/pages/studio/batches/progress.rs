//! How far a batch is: a bar, and the same in numbers.

use crate::words;
use domain::grouped;
use leptos::prelude::*;
use service::BatchView;

/// Of each kind of lines, in the order of the bar.
struct Part {
    name: &'static str,
    class: &'static str,
    lines: u32,
}

fn parts(view: &BatchView) -> [Part; 4] {
    let (batch, open) = (&view.batch, view.open);
    let waiting = batch.lines.saturating_sub(batch.finished).saturating_sub(open);
    [("Done", "done", batch.completed), ("Failed", "failed", batch.failed), ("Running", "running", open), ("Waiting", "waiting", waiting)]
        .map(|(name, class, lines)| Part { name, class, lines })
}

/// Left edge and width of each part, in thousandths of the bar.
fn spans(parts: &[Part; 4], total: u32) -> [(u32, u32); 4] {
    let (mut counted, total) = (0_u64, u64::from(total.max(1)));
    let place = |lines: u64| u32::try_from((lines * 1000 / total).min(1000)).unwrap_or(1000);
    [0, 1, 2, 3].map(|at| {
        let left = place(counted);
        counted += u64::from(parts[at].lines);
        (left, place(counted) - left)
    })
}

#[component]
pub fn Progress<'a>(view: &'a BatchView) -> impl IntoView {
    let (parts, total) = (parts(view), view.batch.lines);
    let spans = spans(&parts, total);
    let told: Vec<String> = parts.iter().map(|part| format!("{} {}", grouped(part.lines.into()), part.name.to_lowercase())).collect();
    let label = format!("Of {}: {}", words::count(total.into(), "line", "lines"), words::list(&told));
    let bars =
        parts.iter().zip(spans).map(|(part, (left, width))| view! { <rect class=part.class x=left y="0" width=width height="16"></rect> });
    let bars = bars.collect_view();
    let numbers = parts.into_iter().map(|Part { name, class, lines }| {
        view! { <div><dt><span class=format!("batch-key {class}") aria-hidden="true"></span>{name}</dt><dd>{grouped(lines.into())}</dd></div> }
    });
    let numbers = numbers.collect_view();
    view! {
        <svg class="batch-bar" viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" aria-label=label>{bars}</svg>
        <dl class="facts">
            <div><dt>"Validated"</dt><dd>{grouped(total.into())}</dd></div>
            {numbers}
        </dl>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_bar_lie_side_by_side_and_fill_it_when_all_are_counted() {
        let parts = |lines: [u32; 4]| lines.map(|lines| Part { name: "", class: "", lines });
        assert_eq!(spans(&parts([1, 1, 0, 1]), 3), [(0, 333), (333, 333), (666, 0), (666, 334)]);
        assert_eq!(spans(&parts([0; 4]), 0), [(0, 0); 4]);
        assert_eq!(spans(&parts([50_000, 0, 0, 0]), 50_000)[0], (0, 1000));
    }
}
