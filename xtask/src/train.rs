//! Trains a model that ships: layouts are written by rule, then the reference implementation learns them.

use std::process::Command;

use anyhow::Result;
use clap::Args;

use crate::console::step;
use crate::packages::python;
use crate::process::command::run;
use crate::project::Project;

#[derive(Args)]
pub struct Options {
    #[arg(value_enum)]
    model: Model,
    /// How long to train.
    #[arg(long, default_value_t = 20.0)]
    minutes: f64,
    /// How many layouts to learn from.
    #[arg(long, default_value_t = 60_000)]
    layouts: usize,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Model {
    /// What arranges the scenes of flipbook-1; one core is enough.
    Flipbook,
}

/// Puts new weights in the place of those that ship.
pub fn train(project: &Project, options: &Options) -> Result<()> {
    let Options { model: Model::Flipbook, minutes, layouts } = *options;
    let weights = project.models().join("flipbook-1");
    let workshop = project.target.join("train");
    std::fs::create_dir_all(&workshop)?;
    let (data, trained) = (workshop.join("layouts.safetensors"), workshop.join("trained.safetensors"));
    step("Writing layouts by rule", || {
        let mut cargo = project.cargo();
        cargo.args(["run", "--release", "--package", "flipbook", "--example", "layouts", "--"]);
        run(cargo.arg("--count").arg(layouts.to_string()).arg("--out").arg(&data))
    })?;
    let python = python::with(project, "venv-training", &weights.join("requirements.txt"))?;
    step("Training", || {
        let mut learn = Command::new(python);
        learn.arg(weights.join("train.py")).args([&data, &trained]).arg("--minutes").arg(minutes.to_string());
        run(learn.env("PYTHONDONTWRITEBYTECODE", "1"))
    })?;
    std::fs::copy(&trained, weights.join("transformer/diffusion_pytorch_model.safetensors"))?;
    println!("The weights in {} are new. Make the golden tensors anew with reference.py --golden.", weights.display());
    Ok(())
}
