//! `cargo xtask web`: the browser half of the pages, from source to a folder ready to be served.
//!
//! `toolchain` finds a compiler that knows wasm32, `bundle` turns what it makes into JavaScript
//! and a small wasm file, `style` gathers the style sheets, `site` lays everything out.

mod bundle;
mod compress;
mod files;
mod site;
mod sources;
mod standard_library;
mod style;
mod toolchain;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::{Context, Result};
use clap::Args;

use crate::console::step;
use crate::process::command::run;
use crate::project::Project;
use sources::Sources;
use toolchain::Toolchain;

/// The name pages ask for: `/pkg/reelmill.js`.
const OUTPUT: &str = "reelmill";
const TARGET: &str = "wasm32-unknown-unknown";

#[derive(Args)]
pub struct Options {
    /// Make it small: optimised, compressed beside each file.
    #[arg(long)]
    release: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Dev,
    Release,
}

pub fn web(project: &Project, options: &Options) -> Result<()> {
    build(project, if options.release { Mode::Release } else { Mode::Dev })
}

/// Brings the site folder up to date; what has not changed is not made again.
pub fn build(project: &Project, mode: Mode) -> Result<()> {
    let _lock = lock(project)?;
    let toolchain = Toolchain::find_or_make()?;
    let wasm = step("Compiling the browser half", || compile(project, &toolchain, mode))?;
    let bundle = bundle::bundle(project, &wasm, mode)?;
    let style = style::sheet(&project.root.join("style"))?;
    site::assemble(project, &bundle, &style, mode)
}

fn compile(project: &Project, toolchain: &Toolchain, mode: Mode) -> Result<PathBuf> {
    let target = toolchain.target(project);
    let (profile, folder) = match mode {
        Mode::Dev => ("dev", "debug"),
        Mode::Release => ("wasm-release", "wasm-release"),
    };
    let mut cargo = toolchain.cargo(project);
    cargo.args(["rustc", "-p", "app", "--lib", "--crate-type", "cdylib"]);
    cargo.args(["--no-default-features", "--features", "hydrate"]);
    cargo.args(["--target", TARGET, "--profile", profile]);
    let wasm = target.join(TARGET).join(folder).join("app.wasm");
    let settings = format!("{:?} {:?} {}", cargo.get_args().collect::<Vec<_>>(), build_settings(), toolchain.version()?);
    let sources = Sources { root: &project.root, settings: &settings, record: wasm.with_extension("sources") };
    if wasm.exists() && sources.are_unchanged() {
        eprintln!("    of the same sources as before");
        return Ok(wasm);
    }
    sources.forget()?;
    let began = SystemTime::now();
    run(cargo.arg("--target-dir").arg(&target))?;
    sources.note(&wasm.with_extension("d"), began)?;
    Ok(wasm)
}

/// What a person sets, in the environment or for all their projects, to have something else compiled.
fn build_settings() -> BTreeMap<String, String> {
    let starts = ["CARGO_PROFILE_", "CARGO_BUILD_", "RUSTC"];
    let is_one = |name: &str| name.contains("RUSTFLAGS") || starts.iter().any(|start| name.starts_with(start));
    let named = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.to_string_lossy().into_owned())));
    let mut settings: BTreeMap<_, _> = named.filter(|(name, _)| is_one(name)).collect();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    for name in ["config.toml", "config"] {
        let file = home.as_ref().map(|home| home.join(name));
        settings.extend(file.and_then(|file| fs::read_to_string(file).ok()).map(|text| (name.to_owned(), text)));
    }
    settings
}

/// Two builds of the site at the same moment would spoil each other's files.
fn lock(project: &Project) -> Result<File> {
    fs::create_dir_all(&project.target)?;
    let file = File::create(project.target.join("site.lock"))?;
    file.lock().context("cannot lock the site folder")?;
    Ok(file)
}
