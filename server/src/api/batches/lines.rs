//! The JSON of lines: those of a batch's input, and those of what came of them.

use crate::api::{ApiError, json, wire::Video};
use domain::{
    BatchId, JobRequest,
    batch::{CUSTOM_ID_CHARS_MAX, FaultCode, LineFault},
};
use serde::{Deserialize, Serialize};
use serde_json::{error::Category, value::RawValue};
use service::{LineFormat, LineOutcome, LineRequest, LineResult, ReadLine};

/// As clients of OpenAI's API write lines and expect them.
pub struct JsonLines;

/// Each value as it was written, so that one that is wrong says which it is.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    custom_id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    url: Option<&'a RawValue>,
    #[serde(borrow)]
    body: Option<&'a RawValue>,
}

impl LineFormat for JsonLines {
    fn read(&self, endpoint: &str, line: &[u8]) -> ReadLine {
        let line: Line<'_> = match serde_json::from_slice(line) {
            Ok(line) => line,
            Err(error) => {
                let text = unreadable(line, &error);
                return ReadLine { custom_id: None, asked: Err(LineFault::new(FaultCode::InvalidJson, text)) };
            }
        };
        let custom_id = match text("custom_id", line.custom_id).and_then(named) {
            Ok(custom_id) => custom_id,
            Err(fault) => return ReadLine { custom_id: None, asked: Err(fault) },
        };
        let asked = asked(endpoint, &line);
        ReadLine { custom_id: Some(custom_id), asked }
    }

    fn write(&self, batch: BatchId, result: &LineResult) -> Vec<u8> {
        written(batch, result)
    }
}

/// What is wrong with the JSON of a line, in words that say nothing of how it is read here.
fn unreadable(line: &[u8], error: &serde_json::Error) -> String {
    match (line.trim_ascii_start().first(), error.classify()) {
        (Some(b'{'), Category::Eof) => "The line ends before its JSON object does.".to_owned(),
        (Some(b'{'), Category::Data) => "The line has one of `custom_id`, `method`, `url` and `body` twice.".to_owned(),
        (Some(b'{'), _) => {
            let before = &line[..line.len().min(error.column())];
            format!("The line is no JSON: it cannot be read from character {} on.", String::from_utf8_lossy(before).chars().count())
        }
        (Some(b'['), _) => "The line is a list: send one JSON object a line, with `custom_id`, `method`, `url` and `body`.".to_owned(),
        _ => "The line is no JSON object with `custom_id`, `method`, `url` and `body`.".to_owned(),
    }
}

fn named(custom_id: String) -> Result<String, LineFault> {
    let is_allowed = (1..=CUSTOM_ID_CHARS_MAX).contains(&custom_id.chars().count()) && !custom_id.contains('\0');
    let wrong = || {
        let text = format!("`custom_id` has 1 to {CUSTOM_ID_CHARS_MAX} characters.");
        LineFault::new(FaultCode::InvalidParameter, text).about("custom_id")
    };
    if is_allowed { Ok(custom_id) } else { Err(wrong()) }
}

fn asked(endpoint: &str, line: &Line<'_>) -> Result<LineRequest, LineFault> {
    if text("method", line.method)? != "POST" {
        return Err(LineFault::new(FaultCode::InvalidMethod, "`method` must be POST.").about("method"));
    }
    if text("url", line.url)? != endpoint {
        let text = format!("`url` must be {endpoint}, the endpoint of the batch.");
        return Err(LineFault::new(FaultCode::MismatchedUrl, text).about("url"));
    }
    let body = line.body.ok_or_else(|| missing("body"))?;
    request(body.get()).map_err(|error| {
        let fault = error.fault();
        LineFault { param: Some(fault.param.map_or_else(|| "body".to_owned(), |param| format!("body.{param}"))), ..fault }
    })
}

fn request(body: &str) -> Result<LineRequest, ApiError> {
    let fields = json::parse(body.as_bytes())?;
    let (force, deadlines) = (fields.force()?, fields.deadlines()?);
    let fallback_model = fields.fallback_model()?.map(|model| model.trim().to_owned()).filter(|model| !model.is_empty());
    let unknown_field = fields.unknown().map(ToOwned::to_owned);
    Ok(LineRequest { request: fields.over(JobRequest::default())?, force, deadlines, fallback_model, unknown_field })
}

fn text(name: &str, value: Option<&RawValue>) -> Result<String, LineFault> {
    let value = value.filter(|value| value.get() != "null").ok_or_else(|| missing(name))?;
    let wrong = |_| LineFault::new(FaultCode::InvalidParameter, format!("`{name}` must be a string.")).about(name);
    serde_json::from_str(value.get()).map_err(wrong)
}

fn missing(name: &str) -> LineFault {
    LineFault::new(FaultCode::MissingParameter, format!("`{name}` is missing.")).about(name)
}

#[derive(Serialize)]
struct Written<'a> {
    id: String,
    custom_id: Option<&'a str>,
    response: Option<Made>,
    error: Option<NotMade<'a>>,
    /// Of the input file.
    line: u32,
    cursor: u32,
}

#[derive(Serialize)]
struct Made {
    status_code: u16,
    request_id: String,
    body: Video,
}

#[derive(Serialize)]
struct NotMade<'a> {
    code: &'a str,
    message: &'a str,
    param: Option<&'a str>,
}

/// What came of a line, with the end of the line.
pub fn written(batch: BatchId, result: &LineResult) -> Vec<u8> {
    let (response, error) = match &result.outcome {
        LineOutcome::Made(job) => (Some(Made { status_code: 200, request_id: job.id.to_string(), body: Video::from(&**job) }), None),
        LineOutcome::Failed(fault) => (None, Some(NotMade { code: &fault.code, message: &fault.text, param: fault.param.as_deref() })),
    };
    let id = format!("batch_req_{}_{}", batch.uuid().simple(), result.line);
    let line = Written { id, custom_id: result.custom_id.as_deref(), response, error, line: result.line, cursor: result.number };
    let mut text = serde_json::to_vec(&line).unwrap_or_default();
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &str) -> (String, Option<String>) {
        let fault = JsonLines.read("/v1/videos", line.as_bytes()).asked.unwrap_err();
        (fault.code, fault.param)
    }

    #[test]
    fn a_line_is_read_as_the_request_that_it_would_be_by_itself() {
        let line = r#"{"custom_id": "a", "method": "POST", "url": "/v1/videos", "body": {"prompt": "sea", "seconds": 2, "force": true, "fallback_model": " fast-1 "}}"#;
        let read = JsonLines.read("/v1/videos", line.as_bytes());
        let asked = read.asked.unwrap();
        assert_eq!((read.custom_id.as_deref(), asked.request.seconds.as_deref(), asked.force), (Some("a"), Some("2"), true));
        assert_eq!((asked.fallback_model.as_deref(), asked.unknown_field), (Some("fast-1"), None));
    }

    #[test]
    fn a_field_that_no_request_has_changes_nothing_and_is_named() {
        let line = r#"{"custom_id": "a", "method": "POST", "url": "/v1/videos", "body": {"promt": "sea", "size": "96x96"}}"#;
        let asked = JsonLines.read("/v1/videos", line.as_bytes()).asked.unwrap();
        assert_eq!((asked.request.size.as_deref(), asked.unknown_field.as_deref()), (Some("96x96"), Some("promt")));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_named() {
        let with = |fields: &str| format!(r#"{{"custom_id": "a", "method": "POST", "url": "/v1/videos"{fields}}}"#);
        for (line, code, param) in [
            ("{".to_owned(), "invalid_json_line", None),
            ("[]".to_owned(), "invalid_json_line", None),
            ("\u{feff}".to_owned(), "invalid_json_line", None),
            (r#"{"method": "POST"}"#.to_owned(), "missing_required_parameter", Some("custom_id")),
            (r#"{"custom_id": 1}"#.to_owned(), "invalid_parameter", Some("custom_id")),
            (r#"{"custom_id": ""}"#.to_owned(), "invalid_parameter", Some("custom_id")),
            (r#"{"custom_id": "a", "method": "GET"}"#.to_owned(), "invalid_method", Some("method")),
            (r#"{"custom_id": "a", "method": "POST", "url": "/v1/images"}"#.to_owned(), "mismatched_url", Some("url")),
            (with(""), "missing_required_parameter", Some("body")),
            (with(r#", "body": 7"#), "invalid_request", Some("body")),
            (with(r#", "body": {"prompt": 7}"#), "invalid_request", Some("body.prompt")),
            (with(r#", "body": {"prompt": "a", "fallback_model": 7}"#), "invalid_request", Some("body.fallback_model")),
            (with(r#", "body": {"input_reference": "x"}"#), "unsupported_by_model", Some("body.input_reference")),
        ] {
            assert_eq!(fault(&line), (code.to_owned(), param.map(ToOwned::to_owned)), "{line}");
        }
    }

    #[test]
    fn a_line_that_is_no_object_is_told_in_plain_words() {
        let text = |line: &str| JsonLines.read("/v1/videos", line.as_bytes()).asked.unwrap_err().text;
        assert_eq!(text("not json"), "The line is no JSON object with `custom_id`, `method`, `url` and `body`.");
        assert!(text(r#" [{"custom_id": "a"}]"#).starts_with("The line is a list: send one JSON object a line"));
        assert_eq!(text(r#"{"custom_id": "a""#), "The line ends before its JSON object does.");
        assert_eq!(text(r#"{"custom_id" = 1}"#), "The line is no JSON: it cannot be read from character 14 on.");
        assert_eq!(text(r#"{"url": 1, "url": 2}"#), "The line has one of `custom_id`, `method`, `url` and `body` twice.");
    }

    #[test]
    fn depth_and_bad_encoding_end_a_line_and_nothing_else() {
        let deep = format!(r#"{{"custom_id": "a", "method": "POST", "url": "/v1/videos", "body": {{"x": {}}}}}"#, "[".repeat(100_000));
        assert_eq!(fault(&deep).0, "invalid_json_line");
        assert!(JsonLines.read("/v1/videos", b"{\"custom_id\": \"\xff\"}").asked.is_err());
    }
}
