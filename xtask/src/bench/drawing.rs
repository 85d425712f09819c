//! How long the model that draws takes: a step of its denoiser beside the same in PyTorch, and a clip by stage.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::Result;

use super::example;
use crate::console::step;
use crate::packages::python;
use crate::process::command::{output, run};
use crate::project::{Profile, Project};

const THREADS: [usize; 2] = [1, 2];
/// Both are asked in turns, and the middle answer counts.
const TURNS: usize = 3;
/// Sizes and seconds.
const CLIPS: [(&str, &str); 2] = [("384x384", "3"), ("1280x720", "4")];
const PROMPTS: [&str; 5] = [
    "a train crossing a bridge",
    "three ducks swimming on a pond",
    "a ballerina dancing on stage",
    "a police car speeding through the city at night",
    "a swan on a misty lake in the morning",
];

pub fn measure(project: &Project) -> Result<()> {
    let mut build = project.cargo();
    build.args(["build", "--profile", Profile::Release.name(), "-p", "diffusion", "--example", "pace"]);
    step("Building", || run(&mut build))?;
    denoiser(project)?;
    println!();
    stages(project)
}

/// From tokens to the milliseconds of a step.
type Paces = BTreeMap<String, f64>;

fn denoiser(project: &Project) -> Result<()> {
    let weights = project.models().join("flipbook-1");
    let python = python::with(project, "venv-training", &weights.join("requirements.txt"))?;
    println!("| tokens | threads | candle, ms a step | PyTorch, ms a step | candle to PyTorch |\n| --- | --- | --- | --- | --- |");
    for threads in THREADS {
        let mut turns: [Vec<Paces>; 2] = Default::default();
        for _ in 0..TURNS {
            let threads = threads.to_string();
            let ours = output(example(project, "pace").arg("--steps").env("RAYON_NUM_THREADS", &threads))?;
            turns[0].push(serde_json::from_str(&ours)?);
            let mut reference = Command::new(&python);
            reference.arg(weights.join("reference.py")).args(["--pace", &threads]).env("PYTHONDONTWRITEBYTECODE", "1");
            turns[1].push(serde_json::from_str(&output(&mut reference)?)?);
        }
        for tokens in turns[0][0].keys() {
            let [candle, torch] =
                turns.each_ref().map(|turns| median(turns.iter().filter_map(|paces| paces.get(tokens).copied()).collect()));
            println!("| {tokens} | {threads} | {candle:.2} | {torch:.2} | {:.2} |", candle / torch);
        }
    }
    Ok(())
}

fn stages(project: &Project) -> Result<()> {
    let mut clips: Vec<BTreeMap<String, Vec<f64>>> = Vec::new();
    for (size, seconds) in CLIPS {
        let times = output(example(project, "pace").args(["--size", size, "--seconds", seconds]).args(PROMPTS))?;
        clips.push(serde_json::from_str(&times)?);
    }
    println!("| stage, ms: median, longest | {} |", CLIPS.map(|(size, seconds)| format!("{size}, {seconds} s")).join(" | "));
    println!("| --- |{}", " --- |".repeat(CLIPS.len()));
    for stage in clips[0].keys() {
        let cell = |clip: &BTreeMap<String, Vec<f64>>| {
            let times = clip.get(stage).cloned().unwrap_or_default();
            let longest = times.iter().copied().fold(0.0, f64::max);
            format!("{:.0}, {longest:.0}", median(times))
        };
        println!("| {stage} | {} |", clips.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
    Ok(())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
