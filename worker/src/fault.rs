//! Breaking a worker on purpose, at a named point, so that torture tests need no luck.

use domain::Stage;
use std::{process, str::FromStr, thread, time::Duration};

/// Faults as a comma separated list:
///
/// * `abort:sampling:TEXT` ends the process at the first denoising step of a job whose prompt contains TEXT,
/// * `abort:decoding:TEXT` ends it when such a job is decoded,
/// * `slow:MS` waits so long at each denoising step, and before the files of a decode are published,
/// * `late:MS` waits so long between the uploads and the write that makes them count,
/// * `trust` takes no lease for lost until the database refuses a write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    aborts: Vec<(Stage, String)>,
    pause: Duration,
    late: Duration,
    /// Leaves it to the database to say which leases are lost.
    pub trust: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is none of abort:sampling:TEXT, abort:decoding:TEXT, slow:MS, late:MS and trust")]
pub struct FaultError(String);

impl Faults {
    /// Ends the process if that was asked for jobs like this one.
    pub fn strike(&self, stage: Stage, prompt: &str) {
        if self.aborts.iter().any(|(at, text)| *at == stage && prompt.contains(text)) {
            tracing::error!(%stage, "aborting, as this fault was asked for");
            process::abort();
        }
    }

    /// Blocks the calling thread for as long as was asked.
    pub fn dawdle(&self) {
        if !self.pause.is_zero() {
            thread::sleep(self.pause);
        }
    }

    /// Waits between the uploads and the write that makes them count, if that was asked for.
    pub async fn linger(&self) {
        if !self.late.is_zero() {
            tracing::info!("lingering, as this fault was asked for");
            tokio::time::sleep(self.late).await;
        }
    }
}

impl FromStr for Faults {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let mut faults = Self::default();
        for fault in text.split(',').filter(|fault| !fault.is_empty()) {
            let unknown = || FaultError(fault.to_owned());
            let duration = |ms: &str| ms.parse().map(Duration::from_millis).map_err(|_| unknown());
            match fault.splitn(3, ':').collect::<Vec<_>>()[..] {
                ["abort", "sampling", prompt] => faults.aborts.push((Stage::Sampling, prompt.to_owned())),
                ["abort", "decoding", prompt] => faults.aborts.push((Stage::Decoding, prompt.to_owned())),
                ["slow", ms] => faults.pause = duration(ms)?,
                ["late", ms] => faults.late = duration(ms)?,
                ["trust"] => faults.trust = true,
                _ => return Err(unknown()),
            }
        }
        Ok(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_from_a_list_and_misspelt_ones_refused() {
        let faults: Faults = "abort:sampling:a: b,slow:20,late:30,trust".parse().unwrap();
        let (pause, late) = (Duration::from_millis(20), Duration::from_millis(30));
        assert_eq!(faults, Faults { aborts: vec![(Stage::Sampling, "a: b".into())], pause, late, trust: true });
        assert_eq!("".parse::<Faults>().unwrap(), Faults::default());
        for text in ["slow", "slow:x", "abort:billing:x", "hang"] {
            assert_eq!(text.parse::<Faults>(), Err(FaultError(text.into())));
        }
    }
}
