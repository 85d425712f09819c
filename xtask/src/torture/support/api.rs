//! The public API as an impatient client uses it: every answer counts, and so does none.

use std::io::Read;
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::process::interrupt;
use crate::product::http;

/// The longest that a request may take before a client gives up; the server answers or refuses sooner.
const PATIENCE: Duration = Duration::from_secs(75);
const PAGE: usize = 100;

#[derive(Clone)]
pub struct Api {
    agent: Agent,
    videos: String,
    authorization: String,
}

/// What is asked for: small, so that thousands fit.
#[derive(Clone)]
pub struct Wanted {
    pub prompt: String,
    pub steps: u32,
    pub seed: u64,
}

/// What a client hears.
#[derive(Debug)]
pub enum Answer {
    Done(Value),
    Refused {
        status: u16,
        code: String,
    },
    /// Nobody answered, or the answer broke off: whether anything was done is not known.
    Silence,
}

/// A video as the API tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Video {
    pub id: String,
    pub status: String,
    pub attempts: u64,
    pub error: Option<String>,
    pub completed_at: Option<i64>,
}

impl Wanted {
    pub fn new(prompt: &str, steps: u32, seed: u64) -> Self {
        Self { prompt: prompt.to_owned(), steps, seed }
    }
}

impl Video {
    fn of(value: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Self {
            id: text(&value["id"]).unwrap_or_default(),
            status: text(&value["status"]).unwrap_or_default(),
            attempts: value["attempts"].as_u64().unwrap_or(0),
            error: text(&value["error"]["code"]),
            completed_at: value["completed_at"].as_i64(),
        }
    }

    pub fn is_completed(&self) -> bool {
        self.status == "completed"
    }

    pub fn has_ended(&self) -> bool {
        ["completed", "failed", "cancelled"].contains(&&*self.status)
    }
}

impl Answer {
    /// The id of the video that was made, if one was.
    pub fn id(&self) -> Option<&str> {
        if let Self::Done(video) = self { video["id"].as_str() } else { None }
    }
}

impl Api {
    pub fn new(url: &str, key: &str) -> Self {
        Self { agent: http::agent(PATIENCE), videos: format!("{url}/v1/videos"), authorization: format!("Bearer {key}") }
    }

    /// The same client, giving up sooner.
    pub fn with_patience(&self, patience: Duration) -> Self {
        Self { agent: http::agent(patience), ..self.clone() }
    }

    pub fn cancel(&self, id: &str) -> Answer {
        let url = format!("{}/{id}/cancel", self.videos);
        heard(self.agent.post(url).header("authorization", &self.authorization).send_empty())
    }

    pub fn create(&self, wanted: &Wanted, idempotency_key: Option<&str>) -> Answer {
        let Wanted { prompt, steps, seed } = wanted;
        let mut request = self.agent.post(&self.videos).header("authorization", &self.authorization);
        if let Some(key) = idempotency_key {
            request = request.header("idempotency-key", key);
        }
        heard(request.send_json(json!({ "prompt": prompt, "size": "96x96", "steps": steps, "seed": seed })))
    }

    /// Creates, or says why it cannot. What a busy machine could not answer in time is asked again: it counts once.
    pub fn submit(&self, wanted: &Wanted) -> Result<String> {
        let key = format!("submitted-{:x}", UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos());
        let answer = patiently(|| self.create(wanted, Some(&key)))?;
        answer.id().map(str::to_owned).with_context(|| format!("no video was taken in: {answer:?}"))
    }

    pub fn look(&self, id: &str) -> Answer {
        self.get(&format!("/{id}"))
    }

    pub fn video(&self, id: &str) -> Result<Video> {
        match patiently(|| self.look(id))? {
            Answer::Done(video) => Ok(Video::of(&video)),
            answer => bail!("no look at {id}: {answer:?}"),
        }
    }

    /// One page of the newest, as a library shows it.
    pub fn newest(&self) -> Answer {
        self.get("?limit=20")
    }

    /// All of them, oldest first.
    pub fn all(&self) -> Result<Vec<Video>> {
        let mut videos = Vec::new();
        let mut after = String::new();
        loop {
            let page = match patiently(|| self.get(&format!("?order=asc&limit={PAGE}{after}")))? {
                Answer::Done(page) => page,
                answer => bail!("the videos cannot be listed: {answer:?}"),
            };
            videos.extend(page["data"].as_array().into_iter().flatten().map(Video::of));
            match (page["has_more"].as_bool(), page["last_id"].as_str()) {
                (Some(true), Some(last)) => after = format!("&after={last}"),
                _ => return Ok(videos),
            }
        }
    }

    /// The bytes of a finished video.
    pub fn content(&self, id: &str) -> Result<Vec<u8>> {
        let url = format!("{}/{id}/content", self.videos);
        let mut answer = self.agent.get(url).header("authorization", &self.authorization).call()?;
        let mut bytes = Vec::new();
        answer.body_mut().as_reader().read_to_end(&mut bytes)?;
        if answer.status() != 200 {
            bail!("the file of {id} was answered with {}", answer.status());
        }
        Ok(bytes)
    }

    fn get(&self, path: &str) -> Answer {
        heard(self.agent.get(format!("{}{path}", self.videos)).header("authorization", &self.authorization).call())
    }
}

/// Asks again, for a minute, while the server cannot answer.
fn patiently(ask: impl Fn() -> Answer) -> Result<Answer> {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        interrupt::check()?;
        let answer = ask();
        let is_away = matches!(answer, Answer::Silence | Answer::Refused { status: 500.., .. });
        if !is_away || Instant::now() > patience {
            return Ok(answer);
        }
        thread::sleep(Duration::from_millis(100));
    }
}

fn heard(answer: Result<Response<Body>, ureq::Error>) -> Answer {
    let Ok(mut answer) = answer else { return Answer::Silence };
    let status = answer.status().as_u16();
    match answer.body_mut().read_json::<Value>() {
        Ok(body) if status == 200 => Answer::Done(body),
        Ok(body) => Answer::Refused { status, code: body["error"]["code"].as_str().unwrap_or_default().to_owned() },
        Err(_) if status == 200 => Answer::Silence,
        Err(_) => Answer::Refused { status, code: String::new() },
    }
}
