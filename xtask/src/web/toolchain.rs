//! Which compiler can make wasm32 code on this machine: the person's own where it has the standard
//! library for it, else one put together from Debian's packages, else none and a word what to type.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::{TARGET, standard_library};
use crate::process::command::output;
use crate::project::Project;

pub enum Toolchain {
    /// Whatever `cargo` means to the person.
    Own,
    /// A sysroot of ours over Debian's compiler.
    Debian(PathBuf),
}

impl Toolchain {
    pub fn find_or_make() -> Result<Self> {
        if standard_library::has_standard_library(Path::new("rustc")) {
            return Ok(Self::Own);
        }
        if let Some(sysroot) = standard_library::obtain()? {
            return Ok(Self::Debian(sysroot));
        }
        bail!("Rust cannot make browser code here yet; please type: rustup target add {TARGET}")
    }

    pub fn cargo(&self, project: &Project) -> Command {
        let own = project.cargo();
        let Self::Debian(sysroot) = self else { return own };
        let mut command = Command::new(sysroot.join("bin/cargo"));
        command.current_dir(&project.root);
        crate::project::forget_outer_cargo(&mut command);
        command.env_remove("RUSTUP_TOOLCHAIN").env("RUSTC", sysroot.join("bin/rustc"));
        command
    }

    /// All that its compiler says about itself.
    pub fn version(&self) -> Result<String> {
        let rustc = match self {
            Self::Own => PathBuf::from("rustc"),
            Self::Debian(sysroot) => sysroot.join("bin/rustc"),
        };
        output(Command::new(rustc).arg("-vV"))
    }

    /// Each compiler has a build folder of its own, so that they do not undo each other's work.
    pub fn target(&self, project: &Project) -> PathBuf {
        project.target.join(match self {
            Self::Own => "front",
            Self::Debian(_) => "front-debian-small",
        })
    }
}
