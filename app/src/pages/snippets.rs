//! Code to copy: a request as curl and as Python with the `openai` package, ready to run against this server.

use domain::{
    JobView, Model,
    catalog::{Field, Kind},
};
use serde_json::Value;

/// A longer text is not repeated in code: a page would be several times its size.
const CHARS_MAX: usize = 2000;

fn is_short(text: &str) -> bool {
    text.chars().count() <= CHARS_MAX
}

/// Whether a text of this video stands as "…" in its code.
pub fn leaves_out(job: &JobView) -> bool {
    let request = job.spec.request();
    Field::ALL.into_iter().filter_map(|field| request.get(field)).any(|text| !is_short(text))
}

/// Names of fields and their values.
type Named = Vec<(&'static str, Value)>;

/// The fields of a request as code names them: first those that the `openai` package has a parameter for, then all others.
fn named(job: &JobView, model: &Model) -> (Named, Named) {
    let request = job.spec.short_request(Some(model));
    let mut fields = Field::ALL;
    fields.sort_by_key(|field| rank(*field));
    let of = |is_openai: bool| {
        let fields = fields.into_iter().filter(|field| field.is_openai() == is_openai);
        fields.filter_map(|field| Some((field.name(), value(field, request.get(field)?)))).collect()
    };
    let mut others: Named = of(false);
    // Without it the server would refuse what nothing is understood of.
    if job.is_forced() {
        others.push(("force", true.into()));
    }
    (of(true), others)
}

/// The model and the seed lead, what is long comes last.
const fn rank(field: Field) -> u8 {
    match field {
        Field::Model | Field::Seed => 0,
        Field::NegativePrompt | Field::Arrangement => 2,
        _ => 1,
    }
}

/// Python's and JSON's literals of texts and numbers agree on what `serde_json` writes; of others see [`literal`].
fn value(field: Field, text: &str) -> Value {
    match field.kind() {
        Kind::Flag => (text == "true").into(),
        kind if kind.is_number() || kind == Kind::List => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        Kind::Text if !is_short(text) => "…".into(),
        _ => text.into(),
    }
}

/// As Python writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        value => value.to_string(),
    }
}

/// What is downloaded, under the name that a program gives it.
fn file_name(stem: &str, is_image: bool) -> String {
    format!("{stem}.{}", if is_image { "webp" } else { "mp4" })
}

/// `model`: the job's.
pub fn python(origin: &str, job: &JobView, model: &Model) -> String {
    let (parameters, extra) = named(job, model);
    let parameters: String = parameters.into_iter().map(|(name, value)| format!("    {name}={},\n", literal(&value))).collect();
    let extra = extra.into_iter().map(|(name, value)| format!("\"{name}\": {}", literal(&value))).collect::<Vec<_>>().join(", ");
    let is_image = job.spec.is_image();
    let file = file_name(if is_image { "image" } else { "video" }, is_image);
    format!(
        r#"import os
from openai import OpenAI

client = OpenAI(
    base_url="{origin}/v1",
    api_key=os.environ["REELMILL_API_KEY"],
)
video = client.videos.create_and_poll(
{parameters}    extra_body={{{extra}}},
)
clip = client.videos.download_content(video.id)
clip.write_to_file("{file}")"#
    )
}

/// `model`: the job's.
pub fn curl(origin: &str, job: &JobView, model: &Model) -> String {
    let (parameters, extra) = named(job, model);
    let fields = parameters.into_iter().chain(extra).map(|(name, value)| format!("    \"{name}\": {value}"));
    let body = format!("{{\n{}\n  }}", fields.collect::<Vec<_>>().join(",\n")).replace('\'', r"'\''");
    format!(
        r#"curl {origin}/v1/videos \
  -H "Authorization: Bearer $REELMILL_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{body}'"#
    )
}

/// The shortest program that makes something, with the default model where there is one.
pub fn first_program(origin: &str, model: Option<&Model>) -> String {
    let line = model.map(|model| format!("    model=\"{}\",\n", model.id)).unwrap_or_default();
    let file = file_name("campfire", model.is_some_and(Model::makes_images));
    format!(
        r#"from openai import OpenAI

client = OpenAI(
    base_url="{origin}/v1",
    api_key="rm_live_…",
)

video = client.videos.create_and_poll(
{line}    prompt="campfire at night",
)
clip = client.videos.download_content(video.id)
clip.write_to_file("{file}")"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use domain::{
        JobRequest,
        catalog::{Understanding, testing::video_model},
    };

    /// The code of a request to a model of the tests' catalog, as Python and as curl.
    fn code(request: &JobRequest) -> (JobView, String, String) {
        let (catalog, job) = (testing::catalog(), testing::job(request));
        let model = catalog.find(&job.spec.model).unwrap();
        let (python, curl) = (python("http://h", &job, model), curl("http://h", &job, model));
        (job, python, curl)
    }

    #[test]
    fn a_quote_in_a_prompt_ends_neither_the_shells_string_nor_pythons() {
        let (_, python, curl) = code(&JobRequest { prompt: r#"the cat's "hat""#.into(), ..JobRequest::default() });
        assert!(curl.contains(r#""prompt": "the cat'\''s \"hat\"""#));
        assert!(python.contains(r#"prompt="the cat's \"hat\"","#));
    }

    #[test]
    fn a_long_text_is_left_out() {
        let of = |prompt: String| code(&JobRequest { prompt, negative_prompt: Some("fog".into()), ..JobRequest::default() });
        let (short, long) = (of("a".repeat(CHARS_MAX)), of("a".repeat(CHARS_MAX + 1)));
        assert!(!leaves_out(&short.0) && short.2.contains("aaa"));
        assert!(leaves_out(&long.0) && long.2.contains(r#""prompt": "…","#));
        assert!(long.1.contains(r#"prompt="…","#) && long.1.contains("fog"));
    }

    #[test]
    fn only_what_differs_from_the_default_is_named() {
        let (_, python, curl) = code(&JobRequest { prompt: "sea".into(), steps: Some("8".into()), ..JobRequest::default() });
        let call = r#"
    model="vignette-1",
    prompt="sea",
    size="384x384",
    seconds="2",
    extra_body={"seed": 0, "steps": 8},
)"#;
        assert!(python.contains(call) && python.ends_with(r#"clip.write_to_file("video.mp4")"#), "{python}");
        let body = r#"'{
    "model": "vignette-1",
    "prompt": "sea",
    "size": "384x384",
    "seconds": "2",
    "seed": 0,
    "steps": 8
  }'"#;
        assert!(curl.ends_with(body), "{curl}");
    }

    #[test]
    fn what_was_made_without_being_understood_is_asked_for_in_the_same_way() {
        let (mut job, python, _) = code(&JobRequest { prompt: "zxqwv".into(), ..JobRequest::default() });
        assert!(!python.contains("force"));
        job.understanding = Some(Understanding::new([], true));
        let catalog = testing::catalog();
        let model = catalog.find(&job.spec.model).unwrap();
        let (python, curl) = (super::python("http://h", &job, model), curl("http://h", &job, model));
        assert!(python.contains(r#""force": True"#) && curl.contains(r#""force": true"#), "{python}{curl}");
    }

    #[test]
    fn an_image_has_no_length_and_is_saved_as_one() {
        let texts = JobRequest { prompt: "sea".into(), negative_prompt: Some("fog".into()), ..JobRequest::default() };
        let (_, python, curl) = code(&JobRequest { model: Some("tiny-1".into()), guidance: Some("1.5".into()), ..texts });
        assert!(!python.contains("seconds") && !curl.contains("seconds"), "{python}{curl}");
        assert!(python.contains(r#"extra_body={"seed": 0, "guidance": 1.5, "negative_prompt": "fog"},"#), "{python}");
        assert!(python.ends_with(r#"clip.write_to_file("image.webp")"#), "{python}");
    }

    #[test]
    fn the_first_program_names_the_default_model_if_there_is_one() {
        assert!(first_program("http://h", Some(&video_model())).contains("    model=\"vignette-1\",\n    prompt="));
        assert!(!first_program("http://h", None).contains("model="));
    }
}
