//! Programs that run to their end while we wait: compilers, package managers, test runners.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::{interrupt, keep_hold_of};

/// Runs it with its output shown.
pub fn run(command: &mut Command) -> Result<()> {
    let mut child = spawn(command)?;
    let status = wait(&mut child)?;
    check(command, status)
}

/// Runs it with its output shown, and hands back what it wrote to standard output; the caller
/// judges the exit status.
pub fn run_and_read(command: &mut Command) -> Result<(ExitStatus, String)> {
    read(command, |line| print!("{line}"))
}

/// Runs it in silence and hands back what it wrote to standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let (status, text) = read(command.stderr(Stdio::null()), |_| ())?;
    check(command, status)?;
    Ok(text)
}

/// Where a program of this name lies on the search path.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn read(command: &mut Command, echo: fn(&str)) -> Result<(ExitStatus, String)> {
    let mut child = spawn(command.stdout(Stdio::piped()))?;
    let stdout = child.stdout.take().context("the program's output is not piped")?;
    let reader = thread::spawn(move || collect(stdout, echo));
    let status = wait(&mut child)?;
    let text = reader.join().map_err(|_| anyhow!("reading the program's output failed"))?;
    Ok((status, text))
}

fn collect(stdout: impl Read, echo: fn(&str)) -> String {
    let mut lines = BufReader::new(stdout);
    let mut text = String::new();
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let decoded = String::from_utf8_lossy(&line);
        echo(&decoded);
        text.push_str(&decoded);
        line.clear();
    }
    text
}

fn spawn(command: &mut Command) -> Result<Child> {
    interrupt::check()?;
    keep_hold_of(command, libc::SIGTERM);
    command.stdin(Stdio::null()).spawn().with_context(|| format!("cannot start {}", command.get_program().display()))
}

fn wait(child: &mut Child) -> Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if let Err(interrupted) = interrupt::check() {
            super::service::signal(-child.id().cast_signed(), libc::SIGTERM);
            child.wait()?;
            return Err(interrupted);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn check(command: &Command, status: ExitStatus) -> Result<()> {
    interrupt::check()?;
    if status.success() {
        return Ok(());
    }
    bail!("`{}` failed ({})", spelled(command), super::service::reason(status))
}

/// The command as a person would type it.
fn spelled(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_and_its_exit_code() {
        let error = run(Command::new("sh").args(["-c", "exit 3"])).unwrap_err();
        assert_eq!(error.to_string(), "`sh -c exit 3` failed (exit code 3)");
    }

    #[test]
    fn output_is_what_the_program_wrote() {
        assert_eq!(output(Command::new("echo").arg("hello")).unwrap(), "hello\n");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("no-such-program")).unwrap_err();
        assert_eq!(error.to_string(), "cannot start no-such-program");
    }
}
