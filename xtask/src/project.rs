//! Where things lie: the checkout, the build folder and what a build leaves there.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// How programs are compiled, and hence which folder they end up in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    Dev,
    /// As `cargo xtask up` runs it: compiled soon.
    Product,
    /// As it is shipped and measured: compiled for speed.
    Release,
}

impl Profile {
    /// As cargo calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Product => "product",
            Self::Release => "release",
        }
    }
}

pub struct Project {
    pub root: PathBuf,
    pub target: PathBuf,
}

impl Project {
    /// The checkout this task belongs to and the build folder cargo uses for it.
    pub fn find() -> Result<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.parent().context("xtask has no parent folder")?.to_path_buf();
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let target = std::path::absolute(target).context("cannot name the build folder")?;
        Ok(Self { root, target })
    }

    /// Everything a browser may ask for, ready to be served.
    pub fn site(&self) -> PathBuf {
        self.target.join("site")
    }

    pub fn binaries(&self, profile: Profile) -> PathBuf {
        self.target.join(match profile {
            Profile::Dev => "debug",
            Profile::Product => "product",
            Profile::Release => "release",
        })
    }

    /// Weights of the models that ship with the source.
    pub fn models(&self) -> PathBuf {
        self.root.join("crates/diffusion/weights")
    }

    pub fn end_to_end(&self) -> PathBuf {
        self.root.join("end2end")
    }

    /// `cargo` at the root of the checkout, as if typed by hand.
    pub fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        forget_outer_cargo(&mut command);
        command
    }
}

/// `cargo run` describes xtask in the environment; a build that inherits that description differs
/// from one typed by hand, and each would rebuild what the other built.
pub fn forget_outer_cargo(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let described = name.to_str().is_some_and(|name| {
            ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"].iter().any(|prefix| name.starts_with(prefix))
        });
        if described {
            command.env_remove(name);
        }
    }
    for name in ["CARGO", "CARGO_PRIMARY_PACKAGE", "LD_LIBRARY_PATH", "OUT_DIR"] {
        command.env_remove(name);
    }
}

/// The person's cache folder, for what outlives one checkout.
pub fn cache() -> Result<PathBuf> {
    let base = match std::env::var_os("XDG_CACHE_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(&std::env::var_os("HOME").context("HOME is not set")?).join(".cache"),
    };
    Ok(base.join("reelmill"))
}
