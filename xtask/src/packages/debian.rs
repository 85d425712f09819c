//! Tools from outside: found on the search path, installed by apt-get where we may, else named in
//! one sentence that says what to type.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};

use crate::console::step;
use crate::process::command::{find, output, run};

/// A program (or any file) we need and the Debian package that brings it.
pub struct Tool {
    pub present: fn() -> bool,
    pub package: &'static str,
}

pub const CHROMIUM: Tool = Tool { present: || find("chromium").is_some(), package: "chromium" };
/// The same without the parts around a page, at two thirds of the time.
pub const CHROMIUM_HEADLESS: Tool = Tool { present: || find("chromium-headless-shell").is_some(), package: "chromium-headless-shell" };
pub const CXX: Tool = Tool { present: || find("c++").is_some(), package: "g++" };
/// For jemalloc, which the server is built with.
pub const MAKE: Tool = Tool { present: || find("make").is_some(), package: "make" };
pub const FFPROBE: Tool = Tool { present: || find("ffprobe").is_some(), package: "ffmpeg" };
pub const NODE: Tool = Tool { present: || find("node").is_some(), package: "nodejs" };
pub const NPM: Tool = Tool { present: || find("npm").is_some(), package: "npm" };
/// In front of PostgreSQL, for the tests that go through it.
pub const PGBOUNCER: Tool =
    Tool { present: || Path::new("/usr/sbin/pgbouncer").exists() || find("pgbouncer").is_some(), package: "pgbouncer" };
/// Makes the certificate of clients that speak nothing but https.
pub const OPENSSL: Tool = Tool { present: || find("openssl").is_some(), package: "openssl" };
pub const PYTHON: Tool = Tool { present: || find("python3").is_some(), package: "python3" };
pub const SQLITE: Tool = Tool { present: || find("sqlite3").is_some(), package: "sqlite3" };

/// apt-get serves one at a time.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Makes sure that all of them are there.
///
/// # Errors
/// When something is missing and this is not Debian, or not run by its administrator.
pub fn require(tools: &[Tool]) -> Result<()> {
    let _turn = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<_> = tools.iter().filter(|tool| !(tool.present)()).map(|tool| tool.package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    if !may_install() {
        bail!("something is missing here; on Debian: sudo apt-get install {packages}");
    }
    step(&format!("Installing {packages} (apt-get)"), || install(&missing))
}

/// Whether packages can be installed without asking anybody.
pub fn may_install() -> bool {
    Path::new("/etc/debian_version").exists() && is_root() && find("apt-get").is_some()
}

pub fn is_root() -> bool {
    // SAFETY: geteuid(2) has no preconditions and cannot fail.
    unsafe { libc::geteuid() == 0 }
}

fn install(packages: &[&str]) -> Result<()> {
    run(apt_get(&["update", "-qq"]).env("LC_ALL", "C"))?;
    run(apt_get(&["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}

fn apt_get(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command.stdout(std::io::stderr());
    command
}

/// The first line a program prints about its version, for messages.
pub fn version(program: &str) -> String {
    let text = output(Command::new(program).arg("--version")).unwrap_or_default();
    text.lines().next().unwrap_or("unknown version").to_owned()
}
