//! Breaking a worker on purpose, at a named point, so that torture tests need no luck.

use diffusion::{Error as EngineError, LoadError};
use domain::Stage;
use std::{
    fs,
    path::{Path, PathBuf},
    process,
    str::FromStr,
    sync::Arc,
    thread,
    time::Duration,
};

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Faults as a comma separated list; STAGE is `sampling` or `decoding`, and TEXT stands in the prompts it is about:
///
/// * `abort:STAGE:TEXT` ends the process before the first call to the device for such a job,
/// * `hang:STAGE:TEXT` lets the device not come back from that call,
/// * `fail:STAGE:TEXT` lets the device fail it,
/// * `memory:STAGE:TEXT` lets the device have too little memory for it,
/// * `weights:STAGE:TEXT` lets the weights that it needs be broken,
/// * `hold:POINT` waits until told to go on; the points are `step:N` (a sample has done N denoising steps),
///   `decoded` (the files of a decode are made), `uploaded` (they are stored, and do not count yet) and `load` (a model is about to be
///   loaded, after the start),
/// * `slow:MS` waits so long at each denoising step, and before the files of a decode are published,
/// * `trust` takes no lease for lost until the database refuses a write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    strikes: Vec<Strike>,
    holds: Vec<Point>,
    pause: Duration,
    /// Leaves it to the database to say which leases are lost.
    pub trust: bool,
    /// Where it is said which worker is held where, and which may go on.
    folder: Option<Arc<Path>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Strike {
    kind: Kind,
    stage: Stage,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Abort,
    Hang,
    Fail,
    Memory,
    Weights,
}

/// Where a worker can be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// A sample has done so many denoising steps and will do the next.
    Step(usize),
    Decoded,
    Uploaded,
    /// A model is about to be loaded, after the start.
    Load,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is none of abort:STAGE:TEXT, hang:STAGE:TEXT, fail:STAGE:TEXT, memory:STAGE:TEXT, weights:STAGE:TEXT, hold:step:N, hold:decoded, hold:uploaded, hold:load, slow:MS and trust"
)]
pub struct FaultError(String);

impl Faults {
    /// The folder in which a held worker writes `PID.POINT` and goes on once there is a file `go` or `PID.go`.
    pub fn in_folder(self, folder: Option<PathBuf>) -> Self {
        Self { folder: folder.map(Arc::from), ..self }
    }

    /// Does to the calling thread what was asked for jobs like this one.
    ///
    /// # Errors
    /// As a failing device has them.
    pub fn strike(&self, stage: Stage, prompt: &str) -> Result<(), EngineError> {
        let strike = self.strikes.iter().find(|strike| strike.stage == stage && prompt.contains(&strike.text));
        match strike.map(|strike| strike.kind) {
            None => Ok(()),
            Some(Kind::Fail) => Err(EngineError::Compute(candle_core::Error::Msg("failing, as this fault was asked for".into()))),
            Some(Kind::Memory) => Err(EngineError::Compute(candle_core::Error::Msg("out of memory, as this fault was asked for".into()))),
            Some(Kind::Weights) => Err(LoadError::Configuration { problem: "broken, as this fault was asked for".into() }.into()),
            Some(Kind::Abort) => {
                tracing::error!(%stage, "aborting, as this fault was asked for");
                process::abort();
            }
            Some(Kind::Hang) => loop {
                thread::park();
            },
        }
    }

    /// Blocks the calling thread for as long as was asked.
    pub fn delay(&self) {
        if !self.pause.is_zero() {
            thread::sleep(self.pause);
        }
    }

    /// Blocks the calling thread until told to go on, if it is to be held at this point.
    pub fn hold(&self, point: Point) {
        if self.is_held(point) {
            while !self.may_go() {
                thread::sleep(LOOK_EVERY);
            }
        }
    }

    /// As [`Self::hold`], for a task.
    pub async fn wait(&self, point: Point) {
        if self.is_held(point) {
            while !self.may_go() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
    }

    /// Says that this process is held, if it is to be.
    fn is_held(&self, point: Point) -> bool {
        if !self.holds.contains(&point) || self.may_go() {
            return false;
        }
        let Some(folder) = &self.folder else { return false };
        fs::write(folder.join(format!("{}.{}", process::id(), point.name())), "").is_ok()
    }

    fn may_go(&self) -> bool {
        let told = |folder: &Arc<Path>| folder.join("go").exists() || folder.join(format!("{}.go", process::id())).exists();
        self.folder.as_ref().is_some_and(told)
    }
}

impl Point {
    fn name(self) -> String {
        match self {
            Self::Step(step) => format!("step-{step}"),
            Self::Decoded => "decoded".to_owned(),
            Self::Uploaded => "uploaded".to_owned(),
            Self::Load => "load".to_owned(),
        }
    }
}

impl FromStr for Faults {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let mut faults = Self::default();
        for fault in text.split(',').filter(|fault| !fault.is_empty()) {
            let unknown = || FaultError(fault.to_owned());
            match fault.splitn(3, ':').collect::<Vec<_>>()[..] {
                ["hold", "step", step] => faults.holds.push(Point::Step(step.parse().map_err(|_| unknown())?)),
                ["hold", "decoded"] => faults.holds.push(Point::Decoded),
                ["hold", "uploaded"] => faults.holds.push(Point::Uploaded),
                ["hold", "load"] => faults.holds.push(Point::Load),
                ["slow", ms] => faults.pause = ms.parse().map(Duration::from_millis).map_err(|_| unknown())?,
                ["trust"] => faults.trust = true,
                [kind, stage, text] => faults.strikes.push(strike(kind, stage, text).ok_or_else(unknown)?),
                _ => return Err(unknown()),
            }
        }
        Ok(faults)
    }
}

fn strike(kind: &str, stage: &str, text: &str) -> Option<Strike> {
    let kind = match kind {
        "abort" => Kind::Abort,
        "hang" => Kind::Hang,
        "fail" => Kind::Fail,
        "memory" => Kind::Memory,
        "weights" => Kind::Weights,
        _ => return None,
    };
    let stage = [Stage::Sampling, Stage::Decoding].into_iter().find(|known| known.as_str() == stage)?;
    Some(Strike { kind, stage, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_from_a_list_and_misspelt_ones_refused() {
        let faults: Faults = "abort:sampling:a: b,hang:decoding:c,slow:20,hold:step:3,hold:uploaded,trust".parse().unwrap();
        let strikes = [(Kind::Abort, Stage::Sampling, "a: b"), (Kind::Hang, Stage::Decoding, "c")];
        assert_eq!(faults.strikes, strikes.map(|(kind, stage, text)| Strike { kind, stage, text: text.into() }));
        assert_eq!((faults.holds, faults.pause, faults.trust), (vec![Point::Step(3), Point::Uploaded], Duration::from_millis(20), true));
        assert_eq!("".parse::<Faults>().unwrap(), Faults::default());
        for text in ["slow", "slow:x", "abort:billing:x", "hang", "hold", "hold:step", "hold:step:x", "hold:here"] {
            assert_eq!(text.parse::<Faults>(), Err(FaultError(text.into())));
        }
    }

    #[test]
    fn a_held_thread_says_so_and_goes_on_when_told() {
        let folder = tempfile::tempdir().unwrap();
        let faults = "hold:decoded".parse::<Faults>().unwrap().in_folder(Some(folder.path().into()));
        faults.hold(Point::Uploaded);
        let held = thread::spawn(move || faults.hold(Point::Decoded));
        while !folder.path().join(format!("{}.decoded", process::id())).exists() {
            thread::sleep(LOOK_EVERY);
        }
        assert!(!held.is_finished());
        fs::write(folder.path().join("go"), "").unwrap();
        held.join().unwrap();
    }

    #[test]
    fn only_the_jobs_that_are_meant_fail() {
        let faults: Faults = "fail:sampling:rain".parse().unwrap();
        assert!(faults.strike(Stage::Sampling, "rain at night").is_err());
        assert!(faults.strike(Stage::Decoding, "rain at night").is_ok() && faults.strike(Stage::Sampling, "snow").is_ok());
    }
}
