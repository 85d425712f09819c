//! `cargo xtask dist`: one file with all that a machine without Rust needs.

use std::env::consts::{ARCH, OS};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use flate2::{Compression, write::GzEncoder};
use tar::{Builder, Header, HeaderMode};

use crate::console::step;
use crate::project::{Profile, Project};
use crate::up;

#[derive(Args)]
pub struct Options {
    /// Folder for the file [default: `dist` in the build folder].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What is packed from where.
struct Contents {
    binaries: PathBuf,
    site: PathBuf,
    models: PathBuf,
    licence: PathBuf,
}

pub fn dist(project: &Project, options: &Options) -> Result<()> {
    up::build(project, Profile::Release)?;
    let (binaries, site, models) = (project.binaries(Profile::Release), project.site(), project.models());
    let contents = Contents { binaries, site, models, licence: project.root.join("LICENSE") };
    let name = format!("reelmill-{}-{ARCH}-{OS}", env!("CARGO_PKG_VERSION"));
    let folder = options.out.clone().unwrap_or_else(|| project.target.join("dist"));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let file = folder.join(format!("{name}.tar.gz"));
    step("Packing", || {
        let packed = File::create(&file).with_context(|| format!("cannot write {}", file.display()))?;
        pack(&contents, &name, packed)
    })?;
    println!("{}", file.display());
    eprintln!("Unpack it where it is to run, then type {name}/start");
    Ok(())
}

/// Without owners and times of the files.
fn pack(contents: &Contents, name: &str, packed: impl Write) -> Result<()> {
    let mut archive = Builder::new(GzEncoder::new(packed, Compression::default()));
    archive.mode(HeaderMode::Deterministic);
    for program in ["reelmill", "reelmill-worker"] {
        archive.append_path_with_name(contents.binaries.join(program), Path::new(name).join(program))?;
    }
    archive.append_path_with_name(&contents.licence, Path::new(name).join("LICENSE"))?;
    archive.append_dir_all(Path::new(name).join("site"), &contents.site)?;
    archive.append_dir_all(Path::new(name).join("models"), &contents.models)?;
    for (file, text, mode) in
        [("start", include_str!("dist/start"), 0o755), ("reelmill.service", include_str!("dist/reelmill.service"), 0o644)]
    {
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(mode);
        archive.append_data(&mut header, Path::new(name).join(file), text.as_bytes())?;
    }
    archive.into_inner()?.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use flate2::read::GzDecoder;
    use tar::Archive;

    use super::*;

    fn eventually(is_so: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_so() {
            assert!(Instant::now() < deadline, "it never came");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Programs that write down how they were called and go on until they are told to end.
    const STAND_IN: &str = "#!/bin/sh\necho \"$$ $(basename \"$0\") $*\" >> \"$CALLS\"\n[ \"$1\" = migrate ] || exec sleep 1000\n";

    #[test]
    fn what_was_packed_starts_by_one_command_goes_on_and_ends_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (at, calls) = (folder.path(), folder.path().join("calls"));
        for name in ["site", "models"] {
            fs::create_dir(at.join(name)).unwrap();
            fs::write(at.join(name).join("file"), name).unwrap();
        }
        for program in ["reelmill", "reelmill-worker", "LICENSE"] {
            fs::write(at.join(program), STAND_IN).unwrap();
            fs::set_permissions(at.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let contents = Contents { binaries: at.into(), site: at.join("site"), models: at.join("models"), licence: at.join("LICENSE") };
        let mut packed = Vec::new();
        pack(&contents, "reelmill-x", &mut packed).unwrap();
        Archive::new(GzDecoder::new(&*packed)).unpack(at.join("elsewhere")).unwrap();
        let unpacked = at.join("elsewhere/reelmill-x");
        assert_eq!(fs::read_to_string(unpacked.join("models/file")).unwrap(), "models");

        let data = at.join("data").display().to_string();
        let mut started = Command::new(unpacked.join("start")).env("CALLS", &calls).env("REELMILL_DATA", &data).spawn().unwrap();
        // Pid and command line of each program that was started.
        let called = || -> Vec<(String, String)> {
            let text = fs::read_to_string(&calls).unwrap_or_default();
            text.lines().filter_map(|line| line.split_once(' ')).map(|(pid, line)| (pid.to_owned(), line.to_owned())).collect()
        };
        let signal = |name: &str, pid: &str| Command::new("kill").args([name, pid]).stderr(Stdio::null()).status().unwrap().success();
        eventually(|| called().len() == 3);
        let mut lines: Vec<_> = called().into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines[0], format!("reelmill migrate --data {data}"));
        lines.sort();
        assert_eq!(lines[1..], [format!("reelmill serve --data {data}"), format!("reelmill-worker --data {data}")]);

        assert!(signal("-KILL", &called()[1].0));
        eventually(|| called().len() == 4);
        assert_eq!(called()[3].1, called()[1].1, "the same is started again");

        assert!(signal("-TERM", &started.id().to_string()));
        assert!(started.wait().unwrap().success());
        assert!(called().iter().all(|(pid, _)| !signal("-0", pid)), "nobody is left");
    }
}
