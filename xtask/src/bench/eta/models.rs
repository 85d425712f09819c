//! The two models of a run: of the family `replay`, with times that were recorded of `vignette-1`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::Result;
use serde_json::{Value, json};

use crate::console::step;
use crate::product::models;
use crate::project::{Profile, Project};

/// The smallest size at the middle length.
pub const REFERENCE_PIXELS: f64 = 32.0 * 32.0 * 9.0;

pub struct Model {
    pub id: &'static str,
    times: &'static LazyLock<Times>,
}

/// In milliseconds, of `vignette-1` at 96x96 on a machine with two busy cores; here of what has as many pixels as the reference.
pub struct Times {
    pub step_ms: Vec<f64>,
    decode_ms: Vec<f64>,
}

/// The quicker one first.
pub static MODELS: [Model; 2] = [Model { id: "replay-quick", times: &QUICK }, Model { id: "replay-slow", times: &SLOW }];

/// Without guidance, and with it, which takes two evaluations a step.
static QUICK: LazyLock<Times> = LazyLock::new(|| Times::recorded("quick"));
static SLOW: LazyLock<Times> = LazyLock::new(|| Times::recorded("slow"));

const RECORDED: &str = include_str!("times.json");

impl Model {
    pub fn times(&self) -> &'static Times {
        self.times
    }
}

impl Times {
    /// Empty where nothing was recorded, which a model refuses.
    fn recorded(name: &str) -> Self {
        let all: Value = serde_json::from_str(RECORDED).unwrap_or_default();
        let list = |what: &str| all[name][what].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        Self { step_ms: list("step_ms"), decode_ms: list("decode_ms") }
    }

    pub fn step_mean_ms(&self) -> f64 {
        mean(&self.step_ms)
    }

    pub fn decode_mean_ms(&self) -> f64 {
        mean(&self.decode_ms)
    }
}

fn mean(ms: &[f64]) -> f64 {
    ms.iter().sum::<f64>() / ms.len().max(1) as f64
}

/// Builds what writes models.
pub fn build(project: &Project) -> Result<()> {
    step("Building what writes models", || models::build_replay(project, Profile::Release))
}

/// Writes the models into a folder below `place`, and returns it.
pub fn lay_out(project: &Project, place: &Path) -> Result<PathBuf> {
    let folder = place.join("models");
    for model in &MODELS {
        let Times { step_ms, decode_ms } = model.times();
        let reference = json!({ "width": 32, "height": 32, "frames": 9 });
        let times = json!({ "step_ms": step_ms, "decode_ms": decode_ms, "reference": reference });
        models::write_replay(project, Profile::Release, &folder.join(model.id), &times)?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_were_recorded_of_each_model() {
        for model in &MODELS {
            assert!(model.times().step_ms.len() > 20 && model.times().decode_ms.len() > 5);
            assert!((5.0..60.0).contains(&model.times().step_mean_ms()), "{}", model.times().step_mean_ms());
        }
        assert!(MODELS[0].times().step_mean_ms() < MODELS[1].times().step_mean_ms());
    }
}
