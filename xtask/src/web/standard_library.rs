//! The wasm32 standard library from Debian's packages, for machines where rustup cannot download.
//!
//! Debian ships a recent compiler and the library's source but no wasm32 build of it; building it
//! takes under a minute and is kept in the person's cache folder, one per compiler version. It
//! becomes a sysroot of links over Debian's compiler. Nothing of rustup's is changed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::TARGET;
use crate::console::step;
use crate::packages::debian::{self, Tool};
use crate::process::command::{find, output, run};
use crate::project::{cache, forget_outer_cargo};

const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std";
/// The oldest compiler that builds this workspace; keep it equal to `rust-version`.
const OLDEST: u32 = 95;

const TOOLS: [Tool; 3] = [
    Tool { present: || recent(RUSTC), package: "rustc-web" },
    Tool { present: || recent(CARGO), package: "cargo-web" },
    Tool { present: || Path::new(SOURCE).is_dir(), package: "rust-web-src" },
];

/// The sysroot, made if need be; nothing where Debian's packages are not to be had.
pub fn obtain() -> Result<Option<PathBuf>> {
    let there = || TOOLS.iter().all(|tool| (tool.present)());
    if !there() && debian::may_install() {
        // A derivative of Debian may have other packages; then there is another way, which is said.
        debian::require(&TOOLS).unwrap_or_else(|error| eprintln!("    {error:#}"));
    }
    if !there() {
        return Ok(None);
    }
    let sysroot = cache()?.join("web-toolchain").join(format!("{}-small", release(RUSTC).replace(' ', "-")));
    if !has_standard_library(&sysroot.join("bin/rustc")) {
        step("Building the wasm32 standard library", || make(&sysroot))?;
    }
    Ok(Some(sysroot))
}

fn make(sysroot: &Path) -> Result<()> {
    let workshop = tempfile::tempdir().context("cannot make a temporary folder")?;
    let libraries = compile(workshop.path())?;
    let draft = sysroot.with_extension("new");
    if draft.exists() {
        fs::remove_dir_all(&draft)?;
    }
    lay_out(&draft, &libraries)?;
    if sysroot.exists() {
        fs::remove_dir_all(sysroot)?;
    }
    fs::rename(&draft, sysroot).context("cannot put the wasm32 standard library in its place")
}

/// Builds the library as the dependency of an empty crate, and says where its parts lie.
fn compile(workshop: &Path) -> Result<PathBuf> {
    let manifest = "[package]\nname = \"stdbuild\"\nedition = \"2021\"\n[profile.release]\n\
                    opt-level = \"z\"\ndebug = false\n[workspace]\n";
    fs::write(workshop.join("Cargo.toml"), manifest)?;
    fs::create_dir(workshop.join("src"))?;
    fs::write(workshop.join("src/lib.rs"), "")?;
    let mut cargo = Command::new(CARGO);
    forget_outer_cargo(&mut cargo);
    cargo.current_dir(workshop).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO_TARGET_DIR");
    cargo.env("RUSTC", RUSTC).env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Cembed-bitcode=yes");
    run(cargo.args(["build", "--release", "-Zbuild-std=std,panic_abort", "--target", TARGET]))?;
    Ok(workshop.join("target").join(TARGET).join("release/deps"))
}

fn lay_out(sysroot: &Path, libraries: &Path) -> Result<()> {
    let host = host()?;
    let rustlib = sysroot.join("lib/rustlib");
    let wasm = rustlib.join(TARGET).join("lib");
    for folder in [&wasm, &sysroot.join("bin"), &rustlib.join(&host).join("bin")] {
        fs::create_dir_all(folder)?;
    }
    symlink(Path::new("/usr/lib/rustlib").join(&host).join("lib"), rustlib.join(&host).join("lib"))?;
    symlink(linker(&host)?, rustlib.join(&host).join("bin/rust-lld"))?;
    symlink(CARGO, sysroot.join("bin/cargo"))?;
    write_compiler(&sysroot.join("bin/rustc"))?;
    for entry in fs::read_dir(libraries)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libstdbuild") {
            fs::copy(&file, wasm.join(name))?;
        }
    }
    Ok(())
}

/// A compiler that looks for its libraries beside itself.
fn write_compiler(file: &Path) -> Result<()> {
    let script = format!("#!/bin/sh\nexec {RUSTC} --sysroot \"$(dirname \"$(dirname \"$(readlink -f \"$0\")\")\")\" \"$@\"\n");
    fs::write(file, script)?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// LLVM's linker: the one rustup ships, else Debian's.
fn linker(host: &str) -> Result<PathBuf> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let shipped = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
    if shipped.exists() {
        return Ok(shipped);
    }
    debian::require(&[Tool { present: || find("lld").is_some(), package: "lld" }])?;
    find("lld").context("the linker lld is not on the search path")
}

fn host() -> Result<String> {
    let text = output(Command::new(RUSTC).arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).context("the compiler does not name its host")
}

/// `rustc 1.96.0`: name and version, without the commit.
fn release(program: &str) -> String {
    let version = debian::version(program);
    version.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn recent(program: &str) -> bool {
    let minor = release(program).split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    minor.is_some_and(|minor| minor >= OLDEST)
}

/// Whether this compiler finds a standard library for wasm32.
pub fn has_standard_library(rustc: &Path) -> bool {
    let mut question = Command::new(rustc);
    question.args(["--print", "target-libdir", "--target", TARGET]);
    let Ok(folder) = output(&mut question) else { return false };
    let Ok(mut entries) = Path::new(folder.trim()).read_dir() else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("libcore-")))
}
