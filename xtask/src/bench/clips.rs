//! How long a person waits: for the product to be ready, for the first clip, for the next ones.

use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use ureq::Agent;

use crate::http;
use crate::instance::Instance;
use crate::process::command::output;
use crate::product::Product;
use crate::project::{Profile, Project};

const AFTER_THE_FIRST: usize = 9;
const GLANCE: Duration = Duration::from_millis(10);
const PATIENCE: Duration = Duration::from_secs(120);
const EMAIL: &str = "bench@example.com";

pub fn measure(project: &Project) -> Result<()> {
    let begun = Instant::now();
    let instance = Instance::start(project, Profile::Release)?;
    let ready = begun.elapsed();
    let api = Api::new(instance.product())?;
    let first = api.clip(0)?;
    let mut others = (1..=AFTER_THE_FIRST).map(|seed| api.clip(seed)).collect::<Result<Vec<_>>>()?;
    others.sort();
    println!("| one clip of the default size and steps, asked for through the API, idle product | seconds |");
    println!("| --- | --- |");
    println!("| from starting the programs to ready | {:.2} |", ready.as_secs_f64());
    println!("| the first clip, from the request to `completed` | {:.2} |", first.as_secs_f64());
    println!("| the next {AFTER_THE_FIRST}, one after the other: median | {:.2} |", others[AFTER_THE_FIRST / 2].as_secs_f64());
    println!("| the slowest of these | {:.2} |", others[AFTER_THE_FIRST - 1].as_secs_f64());
    Ok(())
}

/// The public API, with the key of a new account.
struct Api {
    agent: Agent,
    videos: String,
    authorization: String,
}

impl Api {
    fn new(product: &Product) -> Result<Self> {
        let mut sign_up = product.admin(&["user", "create", "--email", EMAIL, "--password-stdin"]).stdin(Stdio::piped()).spawn()?;
        sign_up.stdin.take().context("the program's input is not piped")?.write_all(b"correct horse battery")?;
        ensure!(sign_up.wait()?.success(), "no account could be made");
        let key = output(&mut product.admin(&["key", "create", "--user", EMAIL, "--name", "bench"]))?;
        let (videos, authorization) = (format!("{}/v1/videos", product.url()), format!("Bearer {}", key.trim()));
        Ok(Self { agent: http::agent(PATIENCE), videos, authorization })
    }

    /// From the request to `completed`.
    fn clip(&self, seed: usize) -> Result<Duration> {
        let begun = Instant::now();
        let wanted = json!({ "prompt": "northern lights over the mountains", "seed": seed });
        let video = self.agent.post(&self.videos).header("authorization", &self.authorization).send_json(wanted);
        let mut video: Value = video?.body_mut().read_json()?;
        let url = format!("{}/{}", self.videos, video["id"].as_str().with_context(|| format!("no video: {video}"))?);
        while video["status"] != "completed" {
            ensure!(video["status"] != "failed" && begun.elapsed() < PATIENCE, "no clip: {video}");
            thread::sleep(GLANCE);
            video = self.agent.get(&url).header("authorization", &self.authorization).call()?.body_mut().read_json()?;
        }
        Ok(begun.elapsed())
    }
}
