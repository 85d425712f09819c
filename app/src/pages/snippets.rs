//! Code to copy: a request as curl and as Python with the `openai` package, ready to run against this server.

use domain::JobView;
use serde_json::{Value, json};

/// Python's and JSON's string literals agree on what `serde_json` writes.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A longer text is not repeated in code: a page would be several times its size.
const CHARS_MAX: usize = 2000;

fn is_short(text: &str) -> bool {
    text.chars().count() <= CHARS_MAX
}

/// Whether a text of this video stands as "…" in its code.
pub fn leaves_out(job: &JobView) -> bool {
    !is_short(&job.spec.prompt) || !job.spec.negative_prompt.as_deref().is_none_or(is_short)
}

fn repeated(text: &str) -> &str {
    if is_short(text) { text } else { "…" }
}

/// The fields the `openai` package has no name for.
fn extra(job: &JobView) -> Vec<(&'static str, Value)> {
    let (spec, model) = (&job.spec, job.spec.model);
    let mut extra = vec![("seed", json!(spec.seed.value()))];
    if spec.steps != model.steps_default {
        extra.push(("steps", json!(spec.steps)));
    }
    if spec.guidance.to_bits() != model.guidance_default.to_bits() {
        extra.push(("guidance", json!(spec.guidance)));
    }
    if let Some(negative) = &spec.negative_prompt {
        extra.push(("negative_prompt", json!(repeated(negative))));
    }
    extra
}

pub fn python(origin: &str, job: &JobView) -> String {
    let spec = &job.spec;
    let extra = extra(job).into_iter().map(|(name, value)| format!("\"{name}\": {value}")).collect::<Vec<_>>().join(", ");
    format!(
        r#"import os
from openai import OpenAI

client = OpenAI(
    base_url="{origin}/v1",
    api_key=os.environ["REELMILL_API_KEY"],
)
video = client.videos.create_and_poll(
    model="{model}",
    prompt={prompt},
    size="{size}",
    seconds="{seconds}",
    extra_body={{{extra}}},
)
clip = client.videos.download_content(video.id)
clip.write_to_file("video.mp4")"#,
        model = spec.model.id,
        prompt = quoted(repeated(&spec.prompt)),
        size = spec.size,
        seconds = spec.duration,
    )
}

pub fn curl(origin: &str, job: &JobView) -> String {
    let spec = &job.spec;
    let fixed = [
        ("model", json!(spec.model.id)),
        ("prompt", json!(repeated(&spec.prompt))),
        ("size", json!(spec.size.to_string())),
        ("seconds", json!(spec.duration.to_string())),
    ];
    let fields = fixed.into_iter().chain(extra(job)).map(|(name, value)| format!("    \"{name}\": {value}"));
    let body = format!("{{\n{}\n  }}", fields.collect::<Vec<_>>().join(",\n")).replace('\'', r"'\''");
    format!(
        r#"curl {origin}/v1/videos \
  -H "Authorization: Bearer $REELMILL_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{body}'"#
    )
}

/// The shortest program that makes a video.
pub fn first_program(origin: &str) -> String {
    format!(
        r#"from openai import OpenAI

client = OpenAI(
    base_url="{origin}/v1",
    api_key="rm_live_…",
)

video = client.videos.create_and_poll(
    model="vignette-1",
    prompt="campfire at night",
)
clip = client.videos.download_content(video.id)
clip.write_to_file("campfire.mp4")"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{JobId, JobRequest, NoEta, Seed, Status, Timestamp, quote};

    fn job(request: JobRequest) -> JobView {
        let spec = request.parse(Seed::ZERO).unwrap();
        JobView {
            id: "job_00000000000000000000000000000000".parse::<JobId>().unwrap(),
            revision: 1,
            quote: quote(&spec),
            spec,
            status: Status::Queued,
            stage: None,
            step: 0,
            progress: 0,
            queue_position: None,
            eta: Err(NoEta::NotAsked),
            attempts: 0,
            preview_step: None,
            failure: None,
            remixed_from: None,
            created_at: Timestamp::from_ms(0),
            started_at: None,
            ended_at: None,
            times: None,
        }
    }

    #[test]
    fn a_quote_in_a_prompt_ends_neither_the_shells_string_nor_pythons() {
        let job = job(JobRequest { prompt: r#"the cat's "hat""#.into(), ..JobRequest::default() });
        assert!(curl("http://h", &job).contains(r#""prompt": "the cat'\''s \"hat\"""#));
        assert!(python("http://h", &job).contains(r#"prompt="the cat's \"hat\"","#));
    }

    #[test]
    fn a_long_text_is_left_out() {
        let of = |prompt: String| job(JobRequest { prompt, negative_prompt: Some("fog".into()), ..JobRequest::default() });
        let (short, long) = (of("a".repeat(CHARS_MAX)), of("a".repeat(CHARS_MAX + 1)));
        assert!(!leaves_out(&short) && curl("http://h", &short).contains("aaa"));
        assert!(leaves_out(&long) && curl("http://h", &long).contains(r#""prompt": "…","#));
        assert!(python("http://h", &long).contains(r#"prompt="…","#) && python("http://h", &long).contains("fog"));
    }

    #[test]
    fn only_what_differs_from_the_default_is_named() {
        let job = job(JobRequest { prompt: "sea".into(), steps: Some("8".into()), ..JobRequest::default() });
        assert!(python("http://h", &job).contains(r#"extra_body={"seed": 0, "steps": 8},"#));
    }
}
