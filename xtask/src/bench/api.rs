//! The public API as a program uses it, with the key of an account made for the measurement.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use ureq::Agent;

use crate::process::command::output;
use crate::product::Product;
use crate::product::http;

const PATIENCE: Duration = Duration::from_secs(120);
pub const PASSWORD: &str = "correct horse battery";

pub struct Api {
    agent: Agent,
    videos: String,
    pub authorization: String,
}

impl Api {
    /// Makes an account with a key.
    pub fn new(product: &Product, email: &str) -> Result<Self> {
        sign_up(product, email)?;
        let key = output(&mut product.admin(&["key", "create", "--user", email, "--name", "bench"]))?;
        let (videos, authorization) = (format!("{}/v1/videos", product.url()), format!("Bearer {}", key.trim()));
        Ok(Self { agent: http::agent(PATIENCE), videos, authorization })
    }

    /// Asks for a video; also tells how long the answer took.
    pub fn create(&self, wanted: &Value) -> Result<(Duration, Value)> {
        let begun = Instant::now();
        let answer = self.agent.post(&self.videos).header("authorization", &self.authorization).send_json(wanted);
        let video: Value = answer?.body_mut().read_json()?;
        ensure!(video["id"].is_string(), "no video: {video}");
        Ok((begun.elapsed(), video))
    }

    pub fn retrieve(&self, id: &str) -> Result<(Duration, Value)> {
        let begun = Instant::now();
        let url = format!("{}/{id}", self.videos);
        let video: Value = self.agent.get(url).header("authorization", &self.authorization).call()?.body_mut().read_json()?;
        ensure!(video["id"] == *id, "no video: {video}");
        Ok((begun.elapsed(), video))
    }

    pub fn cancel(&self, id: &str) -> Result<()> {
        let url = format!("{}/{id}/cancel", self.videos);
        let video: Value =
            self.agent.post(url).header("authorization", &self.authorization).send_json(json!({}))?.body_mut().read_json()?;
        ensure!(video["status"] == "cancelled", "not cancelled: {video}");
        Ok(())
    }
}

pub fn sign_up(product: &Product, email: &str) -> Result<()> {
    let mut sign_up = product.admin(&["user", "create", "--email", email, "--password-stdin"]);
    let mut sign_up = sign_up.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    sign_up.stdin.take().context("the program's input is not piped")?.write_all(PASSWORD.as_bytes())?;
    ensure!(sign_up.wait()?.success(), "no account could be made");
    Ok(())
}
