//! How long a person waits for a video of the model that draws: in a browser, from the click until it plays.

use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::api::{Api, PASSWORD};
use super::clips::finished;
use crate::packages::{debian, npm};
use crate::process::command::{find, output};
use crate::product::instance::Instance;
use crate::project::{Profile, Project};

const EMAIL: &str = "playing@example.com";
const MODEL: &str = "flipbook-1";
const PROMPTS: [&str; 9] = [
    "a cat plays the piano on a stage",
    "two children fly a kite on a hill in autumn",
    "an astronaut rides a horse on the moon",
    "a red car drives through a snowy city at night",
    "a whale jumps out of the sea at sunset",
    "a chef throws a pizza in a kitchen",
    "a fox runs through a forest in the rain",
    "a robot waters flowers in a garden",
    "fireworks over a castle at midnight",
];

struct Shape {
    size: &'static str,
    seconds: &'static str,
    /// What nobody should wait longer for, on two idle cores.
    bar_ms: u64,
}

const SHAPES: [Shape; 2] = [Shape { size: "384x384", seconds: "3", bar_ms: 1500 }, Shape { size: "1280x720", seconds: "4", bar_ms: 6000 }];

/// Whether the median of each shape reached its bar.
pub fn measure(project: &Project) -> Result<bool> {
    debian::require(&[debian::CHROMIUM_HEADLESS, debian::NODE, debian::NPM])?;
    npm::programs(project)?;
    let instance = Instance::start(project, Profile::Release)?;
    let api = Api::new(instance.product(), EMAIL)?;
    println!("| {MODEL}, from the click until it plays | median ms | slowest ms | bar ms |");
    println!("| --- | --- | --- | --- |");
    let mut reached = true;
    for Shape { size, seconds, bar_ms } in SHAPES {
        let wanted = json!({ "model": MODEL, "prompt": "a red ball bounces on a beach", "size": size, "seconds": seconds, "seed": 1 });
        let source = finished(&api, &wanted)?;
        let mut times = played(project, &instance, &source)?;
        times.sort_unstable();
        let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("| {size}, {seconds} s | {median} | {slowest} | {bar_ms} |");
        reached &= median <= bar_ms;
    }
    Ok(reached)
}

/// Times in ms, one for each prompt.
fn played(project: &Project, instance: &Instance, source: &str) -> Result<Vec<u64>> {
    let mut command = Command::new("node");
    command.arg("bench/playing.mjs").current_dir(project.end_to_end());
    command.env("REELMILL_CHROMIUM", find("chromium-headless-shell").context("chromium-headless-shell is missing")?);
    command.env("REELMILL_EMAIL", EMAIL).env("REELMILL_PASSWORD", PASSWORD).env("REELMILL_SOURCE", source);
    command.env("REELMILL_PROMPTS", Value::from(PROMPTS.to_vec()).to_string());
    instance.describe(&mut command);
    let times: Vec<u64> = serde_json::from_str(&output(&mut command)?).context("the browser's times are not JSON")?;
    anyhow::ensure!(times.len() == PROMPTS.len(), "the browser left times out");
    Ok(times)
}
