//! Starting workers: as processes beside the server, or by a command of the operator.

use async_trait::async_trait;
use domain::WorkerId;
use std::{ffi::OsString, io, path::PathBuf, process::Stdio, time::Duration};
use tokio::{process::Command, task::JoinHandle, time::timeout};

/// It asks for a worker, and does not wait for it.
const COMMAND_WITHIN: Duration = Duration::from_secs(60);

/// Starts workers. They end by themselves when they are told to, and by what they find in the database.
#[async_trait]
pub trait Provisioner: Send + Sync {
    /// Has one more worker of a kind of device started; it registers as `worker` when it is ready, where it is told. What is returned ends with it,
    /// where that can be seen.
    ///
    /// # Errors
    /// Where that cannot even be tried.
    async fn start(&self, device: &str, worker: WorkerId) -> io::Result<Option<JoinHandle<()>>>;
}

/// Worker processes on the server's machine, which outlive it.
pub struct LocalProcesses {
    pub program: PathBuf,
    /// Beside the server's own.
    pub environment: Vec<(&'static str, OsString)>,
}

#[async_trait]
impl Provisioner for LocalProcesses {
    async fn start(&self, device: &str, worker: WorkerId) -> io::Result<Option<JoinHandle<()>>> {
        let mut program = Command::new(&self.program);
        program.envs(self.environment.iter().cloned()).env("REELMILL_DEVICE_NAME", device).env("REELMILL_WORKER_ID", worker.to_string());
        // It does not end with the server, nor by a signal that a terminal sends to all.
        program.stdin(Stdio::null()).process_group(0).kill_on_drop(false);
        let mut child = program.spawn()?;
        tracing::info!(worker.pid = child.id(), worker.device = device, "a worker was started");
        let ended = tokio::spawn(async move {
            match child.wait().await {
                Ok(status) if status.success() => tracing::info!(%status, "a worker has ended"),
                Ok(status) => tracing::warn!(%status, "a worker has ended"),
                Err(error) => tracing::warn!(%error, "it is not known how a worker ended"),
            }
        });
        Ok(Some(ended))
    }
}

/// A command that starts a worker somewhere; it is told the kind of device as `REELMILL_DEVICE_NAME`, and ends soon.
pub struct OperatorCommand(pub String);

#[async_trait]
impl Provisioner for OperatorCommand {
    async fn start(&self, device: &str, _: WorkerId) -> io::Result<Option<JoinHandle<()>>> {
        let status =
            Command::new("sh").arg("-c").arg(&self.0).env("REELMILL_DEVICE_NAME", device).stdin(Stdio::null()).kill_on_drop(true).status();
        let status = timeout(COMMAND_WITHIN, status).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        match status? {
            status if status.success() => Ok(None),
            status => Err(io::Error::other(format!("the command that starts workers ended with {status}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKER: WorkerId = WorkerId::from_uuid(uuid::Uuid::nil());

    #[tokio::test]
    async fn a_command_is_told_the_kind_of_device_and_its_failure_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("asked");
        let command = OperatorCommand(format!("echo $REELMILL_DEVICE_NAME >> {}", file.display()));
        command.start("h100", WORKER).await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "h100\n");
        assert!(OperatorCommand("exit 3".into()).start("h100", WORKER).await.unwrap_err().to_string().contains('3'));
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_an_error() {
        assert!(LocalProcesses { program: "/nowhere/worker".into(), environment: Vec::new() }.start("cpu", WORKER).await.is_err());
    }
}
