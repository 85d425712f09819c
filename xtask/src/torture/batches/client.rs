//! Files and batches as a program uses them, which asks again while the server is away.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use ureq::http::Response;
use ureq::{Agent, Body, SendBody};

use super::lines::{BOUNDARY, Lines};
use crate::process::interrupt;
use crate::product::http;
use crate::torture::support::deployment::Deployment;

/// For one answer: the files of a batch are large.
const PATIENCE: Duration = Duration::from_secs(600);
/// For a server that is started again, and for a batch to come as far as is waited for.
const AWAY_MAX: Duration = Duration::from_secs(300);
const GLANCE: Duration = Duration::from_millis(100);

pub struct Client {
    agent: Agent,
    server: String,
    authorization: String,
}

impl Client {
    pub fn new(deployment: &Deployment) -> Self {
        let authorization = format!("Bearer {}", deployment.key());
        Self { agent: http::agent(PATIENCE), server: deployment.product.url(), authorization }
    }

    /// Makes a webhook endpoint.
    pub fn tell(&self, url: &str, events: &[&str]) -> Result<()> {
        self.post("/v1/webhook_endpoints", &json!({ "name": "receiver", "url": url, "event_types": events })).map(drop)
    }

    /// Sends the file, without holding it; the id that it gets.
    pub fn upload(&self, lines: &Lines) -> Result<String> {
        let (length, form) = (fs::metadata(&lines.form)?.len(), File::open(&lines.form)?);
        let request = self.agent.post(format!("{}/v1/files", self.server)).header("authorization", &self.authorization);
        let request = request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
        let answer = request.header("content-length", length.to_string()).send(SendBody::from_owned_reader(form))?;
        id(&read(answer)?)
    }

    pub fn create(&self, input: &str) -> Result<String> {
        id(&self.post("/v1/batches", &json!({ "input_file_id": input, "endpoint": "/v1/videos", "completion_window": "7d" }))?)
    }

    /// As it is now.
    pub fn batch(&self, id: &str) -> Result<Value> {
        let deadline = Instant::now() + AWAY_MAX;
        loop {
            interrupt::check()?;
            match self.get(&format!("/v1/batches/{id}")).map_err(anyhow::Error::from).and_then(read) {
                Err(_) if Instant::now() < deadline => thread::sleep(GLANCE),
                answered => return answered,
            }
        }
    }

    pub fn wait_until(&self, id: &str, is_so: impl Fn(&Value) -> bool) -> Result<()> {
        let deadline = Instant::now() + AWAY_MAX;
        loop {
            let batch = self.batch(id)?;
            if is_so(&batch) {
                return Ok(());
            }
            ensure!(batch["ended_at"].is_null() && batch["status"] != "failed", "it ended too soon: {batch}");
            ensure!(Instant::now() < deadline, "waited {} s in vain: {batch}", AWAY_MAX.as_secs());
            thread::sleep(GLANCE);
        }
    }

    /// Reads a file of results, a line at a time.
    pub fn each_line(&self, file: &str, mut take: impl FnMut(Value) -> Result<()>) -> Result<()> {
        let mut answer = self.get(&format!("/v1/files/{file}/content"))?;
        ensure!(answer.status() == 200, "the file {file} was answered with {}", answer.status());
        for line in BufReader::new(answer.body_mut().as_reader()).lines() {
            take(serde_json::from_str(&line?).context("a line of results is not JSON")?)?;
        }
        Ok(())
    }

    fn get(&self, path: &str) -> Result<Response<Body>, ureq::Error> {
        self.agent.get(format!("{}{path}", self.server)).header("authorization", &self.authorization).call()
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value> {
        let request = self.agent.post(format!("{}{path}", self.server)).header("authorization", &self.authorization);
        read(request.send_json(body)?)
    }
}

fn read(mut answer: Response<Body>) -> Result<Value> {
    let status = answer.status();
    let value: Value = answer.body_mut().read_json().context("an answer is not JSON")?;
    if status != 200 {
        bail!("answered with {status}: {value}");
    }
    Ok(value)
}

fn id(value: &Value) -> Result<String> {
    value["id"].as_str().map(str::to_owned).with_context(|| format!("it has no id: {value}"))
}
