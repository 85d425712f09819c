//! One long-running program: watched while it runs, and asked to stop before it is made to.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::keep_hold_of;

/// How long a program may take to finish its work once it is asked to stop: a worker that is told nothing else takes 17 s at
/// the most.
pub const GRACE: Duration = Duration::from_secs(20);

pub struct Service {
    pub name: String,
    pub started: Instant,
    child: Child,
    manners: Manners,
}

/// Which signals a program understands as "please stop" and "your keeper is gone".
#[derive(Clone, Copy)]
pub struct Manners {
    pub stop: i32,
    pub orphaned: i32,
}

impl Default for Manners {
    fn default() -> Self {
        Self { stop: libc::SIGTERM, orphaned: libc::SIGKILL }
    }
}

impl Service {
    pub fn start(name: &str, command: &mut Command, manners: Manners) -> Result<Self> {
        keep_hold_of(command, manners.orphaned);
        let child =
            command.stdin(Stdio::null()).spawn().with_context(|| format!("cannot start {name} ({})", command.get_program().display()))?;
        Ok(Self { name: name.to_owned(), started: Instant::now(), child, manners })
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().with_context(|| format!("cannot watch {}", self.name))
    }

    /// Ends it at once, whatever it is doing, and waits until it is gone.
    pub fn kill(&mut self) -> Result<()> {
        if self.running() {
            self.signal(libc::SIGKILL);
        }
        self.child.wait().map(drop).with_context(|| format!("cannot watch {}", self.name))
    }

    /// Sends a signal to the program and whatever it has started.
    pub fn signal(&self, which: i32) {
        signal(-self.child.id().cast_signed(), which);
    }

    /// Of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

/// Whoever forgets to stop a service still does not leave it behind.
impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Asks all of them to stop, waits up to `grace`, then kills what is left.
pub fn stop_all(mut services: Vec<Service>, grace: Duration) {
    for service in services.iter_mut().filter_map(|s| s.running().then_some(s)) {
        service.signal(service.manners.stop);
    }
    let deadline = Instant::now() + grace;
    while Instant::now() < deadline && services.iter_mut().any(Service::running) {
        thread::sleep(Duration::from_millis(20));
    }
    for service in services.iter_mut().filter_map(|s| s.running().then_some(s)) {
        eprintln!("{} did not stop within {} s and is killed", service.name, grace.as_secs());
    }
}

/// Sends a signal to a process, or to a group when the number is negative.
pub fn signal(process: i32, which: i32) {
    // SAFETY: kill(2) takes two integers and touches no memory of ours.
    unsafe { libc::kill(process, which) };
}

/// Why a program ended, in plain words.
pub fn reason(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(libc::SIGKILL)) => "killed, by hand or by the system for want of memory".to_owned(),
        (None, Some(libc::SIGSEGV)) => "crashed with a memory fault".to_owned(),
        (None, Some(libc::SIGABRT)) => "aborted by itself".to_owned(),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        (None, None) => "ended for an unknown reason".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Service {
        let mut command = Command::new("sh");
        Service::start("stand-in", command.args(["-c", script]), Manners::default()).unwrap()
    }

    fn wait_for_end(process: i32) -> bool {
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            let state = std::fs::read_to_string(format!("/proc/{process}/stat"));
            if state.is_err() || state.is_ok_and(|line| line.contains(") Z ")) {
                return true;
            }
            thread::sleep(Duration::from_millis(10));
        }
        false
    }

    #[test]
    fn a_polite_program_stops_before_the_grace_is_over() {
        let started = Instant::now();
        stop_all(vec![shell("exec sleep 1000")], GRACE);
        assert!(started.elapsed() < GRACE);
    }

    #[test]
    fn a_stubborn_program_is_killed_after_the_grace() {
        let folder = tempfile::tempdir().unwrap();
        let deaf = folder.path().join("deaf");
        let service = shell(&format!("trap '' TERM; touch {}; while :; do sleep 0.05; done", deaf.display()));
        while !deaf.exists() {
            thread::sleep(Duration::from_millis(5));
        }
        let process = service.child.id().cast_signed();
        stop_all(vec![service], Duration::from_millis(200));
        assert!(wait_for_end(process));
    }

    #[test]
    fn a_program_does_not_outlive_whoever_started_it() {
        let process = thread::spawn(|| {
            let service = shell("exec sleep 1000");
            let process = service.child.id().cast_signed();
            std::mem::forget(service);
            process
        });
        assert!(wait_for_end(process.join().unwrap()));
    }

    #[test]
    fn reasons_are_plain_words() {
        assert_eq!(reason(ExitStatus::from_raw(2 << 8)), "exit code 2");
        assert_eq!(reason(ExitStatus::from_raw(15)), "ended by signal 15");
    }
}
