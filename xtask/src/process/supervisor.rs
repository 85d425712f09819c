//! Keeps long-running programs alive: one that dies is started again, later each time.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::backoff::Backoff;
use super::service::{self, Manners, Service};
use crate::console::seconds;

/// A program to keep alive, and how it is started.
pub struct Plan {
    pub name: String,
    pub command: Box<dyn Fn() -> Command>,
}

pub struct Supervisor {
    kept: Vec<Kept>,
    deaths: usize,
}

struct Kept {
    plan: Plan,
    backoff: Backoff,
    life: Life,
}

enum Life {
    Running(Service),
    Resting { until: Instant },
}

impl Supervisor {
    /// # Errors
    /// When one of the programs cannot be started at all; the others are stopped again.
    pub fn start(plans: Vec<Plan>) -> Result<Self> {
        let mut supervisor = Self { kept: Vec::new(), deaths: 0 };
        for plan in plans {
            let life = Life::Running(begin(&plan)?);
            supervisor.kept.push(Kept { plan, backoff: Backoff::new(), life });
        }
        Ok(supervisor)
    }

    /// Looks after each program once; to be called a few times per second.
    pub fn tick(&mut self) {
        self.deaths += self.kept.iter_mut().filter_map(Kept::look_after).count();
    }

    /// How often any of the programs has died so far.
    pub fn deaths(&self) -> usize {
        self.deaths
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        let running = self.kept.drain(..).filter_map(|kept| match kept.life {
            Life::Running(service) => Some(service),
            Life::Resting { .. } => None,
        });
        service::stop_all(running.collect(), service::GRACE);
    }
}

/// A program was found dead.
struct Death;

impl Kept {
    fn look_after(&mut self) -> Option<Death> {
        match &mut self.life {
            Life::Running(service) => {
                let reason = match service.ended() {
                    Ok(None) => return None,
                    Ok(Some(status)) => service::reason(status),
                    Err(error) => format!("{error:#}"),
                };
                let lived = service.started.elapsed();
                self.rest(&reason, lived);
                Some(Death)
            }
            Life::Resting { until } if Instant::now() >= *until => self.revive(),
            Life::Resting { .. } => None,
        }
    }

    fn revive(&mut self) -> Option<Death> {
        match begin(&self.plan) {
            Ok(service) => {
                eprintln!("{} is started again", self.plan.name);
                self.life = Life::Running(service);
                None
            }
            Err(error) => {
                self.rest(&format!("{error:#}"), Duration::ZERO);
                Some(Death)
            }
        }
    }

    fn rest(&mut self, reason: &str, lived: Duration) {
        let pause = self.backoff.pause(lived);
        eprintln!("{} ended after {} ({reason}); it is started again in {}", self.plan.name, seconds(lived), seconds(pause));
        self.life = Life::Resting { until: Instant::now() + pause };
    }
}

fn begin(plan: &Plan) -> Result<Service> {
    Service::start(&plan.name, &mut (plan.command)(), Manners::default())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::thread;

    use super::*;

    /// A program that notes its process id on a new line of `notes`, then runs `rest`.
    fn plan(notes: &Path, rest: &str) -> Plan {
        let script = format!("echo $$ >> {}; {rest}", notes.display());
        Plan {
            name: "stand-in".to_owned(),
            command: Box::new(move || {
                let mut command = Command::new("sh");
                command.args(["-c", &script]);
                command
            }),
        }
    }

    fn ids(notes: &Path) -> Vec<i32> {
        let text = std::fs::read_to_string(notes).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    fn tick_until(supervisor: &mut Supervisor, done: impl Fn(&Supervisor) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !done(supervisor) {
            assert!(Instant::now() < deadline, "it did not happen within 60 s");
            supervisor.tick();
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn notes(folder: &tempfile::TempDir) -> PathBuf {
        folder.path().join("notes")
    }

    #[test]
    fn a_killed_program_is_started_again_once() {
        let folder = tempfile::tempdir().unwrap();
        let notes = notes(&folder);
        let mut supervisor = Supervisor::start(vec![plan(&notes, "exec sleep 1000")]).unwrap();
        tick_until(&mut supervisor, |_| ids(&notes).len() == 1);
        service::signal(ids(&notes)[0], libc::SIGKILL);
        tick_until(&mut supervisor, |_| ids(&notes).len() == 2);
        assert_eq!(supervisor.deaths(), 1);
    }

    #[test]
    fn a_program_that_cannot_live_is_tried_less_and_less_often() {
        let folder = tempfile::tempdir().unwrap();
        let notes = notes(&folder);
        let started = Instant::now();
        let mut supervisor = Supervisor::start(vec![plan(&notes, "exit 7")]).unwrap();
        tick_until(&mut supervisor, |supervisor| supervisor.deaths() == 3);
        assert!(started.elapsed() >= Duration::from_millis(1500));
    }

    #[test]
    fn dropping_the_supervisor_stops_its_programs() {
        let folder = tempfile::tempdir().unwrap();
        let notes = notes(&folder);
        let mut supervisor = Supervisor::start(vec![plan(&notes, "exec sleep 1000")]).unwrap();
        tick_until(&mut supervisor, |_| ids(&notes).len() == 1);
        drop(supervisor);
        assert!(!Path::new(&format!("/proc/{}", ids(&notes)[0])).exists());
    }
}
