//! Numbers and states in words a person reads: durations, prices and what went wrong.

#[cfg(feature = "ssr")]
use domain::billing::{Charge, GrantKind};
use domain::{
    Eta, FailureCode, JobView, Quote, Status, VideoTime,
    billing::{End, Outlook, charge},
};

/// `0.8 s`, `12 s`, `2 min 5 s`, `1 h 4 min`.
pub fn duration(ms: u64) -> String {
    let s = ms.div_ceil(1000);
    match (ms, s) {
        (0..100, _) => "0 s".into(),
        (100..10_000, _) => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        (_, ..60) => format!("{s} s"),
        (_, 60..3600) => join(s / 60, "min", s % 60, "s"),
        _ => join(s / 3600, "h", s % 3600 / 60, "min"),
    }
}

fn join(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    if small == 0 { format!("{large} {large_unit}") } else { format!("{large} {large_unit} {small} {small_unit}") }
}

/// Whole seconds at least, as estimates are not exact: `4 s`, `2 min 5 s`.
pub fn about(ms: u64) -> String {
    duration(ms.div_ceil(1000).max(1) * 1000).replace(".0 s", " s")
}

pub fn expected(eta: &Eta) -> String {
    let (likely, bound) = (about(eta.p50_ms), about(eta.p90_ms));
    if likely == bound { format!("about {likely}") } else { format!("about {likely}, up to {bound}") }
}

/// What is left of an estimate that was made so long ago.
pub fn ready_in(eta: Eta, since_ms: u64) -> String {
    let likely = eta.p50_ms.saturating_sub(since_ms);
    let bound = eta.p90_ms.saturating_sub(since_ms);
    match (likely, bound) {
        (0, 0) => "It takes longer than expected.".into(),
        (0, _) => "Any moment now.".into(),
        _ => format!("Ready in {}.", expected(&Eta { p50_ms: likely, p90_ms: bound })),
    }
}

/// `1 video-second`, `40,000 video-seconds`.
pub fn video_seconds(price: VideoTime) -> String {
    format!("{} {}", amount(price), unit_of(price))
}

/// In video-seconds: `1.5`, `40,000`.
pub fn amount(time: VideoTime) -> String {
    let exact = time.to_string();
    let decimals = exact.find('.').map_or("", |point| &exact[point..]);
    format!("{}{decimals}", domain::grouped(time.ms() / 1000))
}

/// What cancelling a job costs now, which grows with what is done of it. `None`: nothing, or that is not known, or it has ended.
pub fn cost_of_cancelling(job: &JobView) -> Option<String> {
    let done = End::Cancelled { step: job.step, steps: job.spec.steps, decoded_permille: 0 };
    let cost = charge(job.quote.billed, done);
    // One that waits to be begun anew has lost its steps.
    let begins_anew = job.waiting.as_ref().is_some_and(|waiting| !waiting.is_for_decoder());
    let costs = job.status == Status::InProgress && !begins_anew && cost > VideoTime::default();
    costs.then(|| format!("at least {} if it is cancelled now", amount(cost)))
}

/// What a price is counted in.
pub fn unit_of(price: VideoTime) -> &'static str {
    if price == VideoTime::from_ms(1000) { "video-second" } else { "video-seconds" }
}

/// A length of video, as plans give it: `2 min 5 s`, `16 h 40 min`.
#[cfg(feature = "ssr")]
pub fn video_time(time: VideoTime) -> String {
    duration(time.ms())
}

/// How a job ended, by the word in the ledger.
#[cfg(feature = "ssr")]
pub fn ending(word: &str) -> &str {
    match word {
        "succeeded" => "it was made",
        "cancelled" => "it was cancelled",
        "worker_lost" | "out_of_memory" | "engine_error" | "storage_error" | "model_withdrawn" | "deadline_passed" => "it failed",
        other => other,
    }
}

/// What a pause is about, in a sentence: `lane:batch` is `the batch lane`. What stands behind it stays.
#[cfg(feature = "ssr")]
pub fn pause_scope(text: &str) -> String {
    let kinds = [
        ("lane:interactive", "the interactive lane"),
        ("lane:batch", "the batch lane"),
        ("model:", "the model "),
        ("tenant:", "the team "),
    ];
    let in_words = kinds.iter().find_map(|(scope, words)| Some(format!("{words}{}", text.strip_prefix(scope)?)));
    in_words.unwrap_or_else(|| text.to_owned())
}

/// `1 job`, `1,234 jobs`.
#[cfg(feature = "ssr")]
pub fn jobs(count: u64) -> String {
    if count == 1 { "1 job".to_owned() } else { format!("{} jobs", domain::grouped(count)) }
}

/// What a job makes, in a sentence about it alone.
pub const fn noun(is_image: bool) -> &'static str {
    if is_image { "image" } else { "video" }
}

/// How a price comes about: `2 s of video × 1.5 for the size × 12/24 steps`.
pub fn sum(quote: &Quote, is_image: bool) -> String {
    let mut sum = format!("{}{} s of video", if is_image { "an image, as " } else { "" }, quote.duration);
    if quote.size_weight_permille != 1000 {
        sum += &format!(" × {} for the size", f64::from(quote.size_weight_permille) / 1000.0);
    }
    if quote.steps != quote.steps_default {
        sum += &format!(" × {}/{} steps", quote.steps, quote.steps_default);
    }
    sum
}

/// From what a price is paid: `what your plan includes`, `3 from your credit ($0.03) and 1 on your next invoice ($0.01)`. `None`: nothing is counted.
#[cfg(feature = "ssr")]
pub fn paid_from(charge: &Charge) -> Option<String> {
    let parts = charge.parts();
    let named = parts.iter().filter_map(|part| {
        let money = part.price.map(|price| format!(" ({})", price.of(part.time))).unwrap_or_default();
        let from = match part.kind {
            GrantKind::Unlimited => return None,
            GrantKind::Included => "what the plan includes",
            GrantKind::Gift | GrantKind::Purchase => "credit",
            GrantKind::Overage => "the next invoice",
        };
        let much = if parts.len() > 1 { format!("{} from ", amount(part.time)) } else { String::new() };
        Some(format!("{much}{from}{money}"))
    });
    let named: Vec<_> = named.collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// What a price means for who pays it: what is left afterwards, or what it costs in money. `None`: nothing is counted.
pub fn outlook(outlook: &Outlook) -> Option<String> {
    let Outlook {
        is_unlimited,
        from_included,
        included_left,
        from_credit,
        credit_left,
        credit_worth,
        overage_cost,
        missing,
        beyond_limit,
        beyond_plan,
    } = outlook;
    let nothing = VideoTime::default();
    if let Some(most) = beyond_plan {
        return Some(format!("Your plan lets at most {} wait and run at once.", video_seconds(*most)));
    }
    if let Some(left) = beyond_limit {
        return Some(format!("A spending limit of this month leaves {}.", video_seconds(*left)));
    }
    if *is_unlimited {
        return None;
    }
    if *missing > nothing {
        return Some(format!("{} more than you have left.", video_seconds(*missing)));
    }
    let mut parts = Vec::new();
    if *from_included > nothing {
        parts.push(format!("Leaves {} of what your plan includes this month.", video_seconds(*included_left)));
    }
    if *from_credit > nothing {
        let worth = credit_worth.map(|worth| format!("{worth} of your credit; ")).unwrap_or_default();
        parts.push(sentence(&format!("{worth}leaves {} of credit.", video_seconds(*credit_left))));
    }
    parts.extend(overage_cost.map(|cost| format!("{cost} on your next invoice.")));
    Some(parts.join(" "))
}

/// What the rules say of a field, for the eyes of who looks at it: `Steps must be…` instead of `` `steps` must be… ``.
pub fn mend(message: &str) -> String {
    sentence(&message.replace('`', "").replace("negative_prompt", "this"))
}

/// With a capital letter.
pub fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// `1 video`, `1,234 videos`.
#[cfg(feature = "ssr")]
pub fn count(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", domain::grouped(number)) }
}

/// `a`, `a and b`, `a, b and c`.
#[cfg(feature = "ssr")]
pub fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A browser and its system, out of what a browser calls itself.
#[cfg(feature = "ssr")]
pub fn device(agent: &str) -> String {
    let named = |names: &[(&str, &'static str)]| names.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    // The first that fits: most name the others too.
    let browser = named(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("HeadlessChrome/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]);
    let system = named(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown browser".to_owned(),
    }
}

pub const fn status(status: Status) -> &'static str {
    match status {
        Status::Queued => "Waiting",
        Status::InProgress => "In progress",
        Status::Completed => "Done",
        Status::Failed => "Failed",
        Status::Cancelled => "Cancelled",
    }
}

/// What happened, and what the owner can do about it.
pub const fn failure(code: FailureCode) -> (&'static str, &'static str) {
    match code {
        FailureCode::WorkerLost => (
            "The machine working on it went away, several times.",
            "Try it again. If it happens once more, the operator should look at the workers.",
        ),
        FailureCode::OutOfMemory => ("The machine ran out of memory.", "Try again, or choose a smaller size if there is one."),
        FailureCode::EngineError => {
            ("The model could not make it.", "Try it again, or change a setting. The operator's log has the details.")
        }
        FailureCode::StorageError => ("It was made but could not be stored.", "Try it again in a moment."),
        FailureCode::ModelWithdrawn => ("Its model is not on offer any more.", "Choose another model."),
        FailureCode::DeadlinePassed => ("Its deadline passed.", "Try it again in a moment."),
    }
}

/// The content of a `<title>` or a `<textarea>`, which leptos writes into a page as it is, unlike all other text.
pub fn raw_text(text: String) -> String {
    if cfg!(feature = "ssr") { text.replace('&', "&amp;").replace('<', "&lt;") } else { text }
}

/// What the tab of a video's page says: how far it is, and what it shows.
pub fn tab_title(job: &JobView) -> String {
    let prompt = shortened(&job.spec.prompt, 60);
    match job.status {
        Status::InProgress => format!("{} % · {prompt}", job.progress),
        other => format!("{} · {prompt}", status(other)),
    }
}

/// Somebody's text inside a sentence of ours: its direction stays its own.
#[cfg(feature = "ssr")]
pub fn isolated(text: &str) -> String {
    format!("\u{2068}{text}\u{2069}")
}

/// `384 × 384`.
#[cfg(feature = "ssr")]
pub fn size(domain::Size { width, height }: domain::Size) -> String {
    format!("{width} × {height}")
}

/// The class of a box that a picture of this size fits into.
pub const fn shape(size: domain::Size) -> &'static str {
    let domain::Size { width, height } = size;
    match (width * 5 > height * 7, height * 5 > width * 7) {
        (true, _) => "wide",
        (_, true) => "tall",
        _ if width * 5 > height * 6 => "classic",
        _ => "",
    }
}

/// The beginning of a long text.
pub fn shortened(text: &str, chars: usize) -> String {
    let mut short: String = text.chars().take(chars).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "ssr")]
    #[test]
    fn pauses_are_named_in_words() {
        let told = ["everything", "lane:batch: a move", "model:a:b", "tenant:tenant_01"].map(pause_scope);
        assert_eq!(told, ["everything", "the batch lane: a move", "the model a:b", "the team tenant_01"]);
    }

    #[test]
    fn durations_get_coarser_as_they_grow() {
        assert_eq!(duration(31), "0 s");
        assert_eq!(duration(840), "0.8 s");
        assert_eq!(duration(12_300), "13 s");
        assert_eq!(duration(59_500), "1 min");
        assert_eq!(duration(125_000), "2 min 5 s");
        assert_eq!(duration(3_840_000), "1 h 4 min");
    }

    #[test]
    fn an_estimate_names_both_bounds_unless_they_read_the_same() {
        assert_eq!(expected(&Eta { p50_ms: 3100, p90_ms: 7000 }), "about 4 s, up to 7 s");
        assert_eq!(expected(&Eta { p50_ms: 3100, p90_ms: 3900 }), "about 4 s");
    }

    #[test]
    fn one_video_second_is_one() {
        let words = [500, 1000, 2000, 40_000_250].map(|ms| video_seconds(VideoTime::from_ms(ms)));
        assert_eq!(words, ["0.5 video-seconds", "1 video-second", "2 video-seconds", "40,000.25 video-seconds"]);
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn a_size_is_written_with_a_sign_for_times() {
        assert_eq!(size(domain::Size { width: 640, height: 360 }), "640 × 360");
    }

    #[test]
    fn a_price_says_how_it_comes_about() {
        let (duration, billed) = (VideoTime::from_ms(250), VideoTime::from_ms(250));
        let quote = Quote { duration, size_weight_permille: 2000, steps: 2, steps_default: 4, billed };
        assert_eq!(sum(&quote, true), "an image, as 0.25 s of video × 2 for the size × 2/4 steps");
        assert_eq!(sum(&Quote { size_weight_permille: 1000, steps: 4, ..quote }, false), "0.25 s of video");
    }

    #[test]
    fn a_rule_about_a_field_reads_as_a_sentence() {
        assert_eq!(mend("`steps` must be a whole number"), "Steps must be a whole number");
    }
}
