//! How long a person waits: for the product to be ready, for the first clip, for the next ones.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::api::Api;
use crate::product::instance::Instance;
use crate::project::{Profile, Project};

const AFTER_THE_FIRST: usize = 9;
const GLANCE: Duration = Duration::from_millis(10);
const PATIENCE: Duration = Duration::from_secs(120);
const EMAIL: &str = "bench@example.com";

pub fn measure(project: &Project) -> Result<()> {
    let begun = Instant::now();
    let instance = Instance::start(project, Profile::Release)?;
    let ready = begun.elapsed();
    let api = Api::new(instance.product(), EMAIL)?;
    let first = clip(&api, 0)?;
    let mut others = (1..=AFTER_THE_FIRST).map(|seed| clip(&api, seed)).collect::<Result<Vec<_>>>()?;
    others.sort();
    println!("| one clip of the default size and steps, asked for through the API, idle product | seconds |");
    println!("| --- | --- |");
    println!("| from starting the programs to ready | {:.2} |", ready.as_secs_f64());
    println!("| the first clip, from the request to `completed` | {:.2} |", first.as_secs_f64());
    println!("| the next {AFTER_THE_FIRST}, one after the other: median | {:.2} |", others[AFTER_THE_FIRST / 2].as_secs_f64());
    println!("| the slowest of these | {:.2} |", others[AFTER_THE_FIRST - 1].as_secs_f64());
    Ok(())
}

/// From the request to `completed`.
fn clip(api: &Api, seed: usize) -> Result<Duration> {
    let begun = Instant::now();
    finished(api, &json!({ "prompt": "northern lights over the mountains", "seed": seed }))?;
    Ok(begun.elapsed())
}

/// Asks for a video and waits until it is there; its id.
pub fn finished(api: &Api, wanted: &Value) -> Result<String> {
    let begun = Instant::now();
    let (_, mut video) = api.create(wanted)?;
    let id = video["id"].as_str().context("a video has an id")?.to_owned();
    while video["status"] != "completed" {
        ensure!(video["status"] != "failed" && begun.elapsed() < PATIENCE, "no clip: {video}");
        thread::sleep(GLANCE);
        (_, video) = api.retrieve(&id)?;
    }
    Ok(id)
}
