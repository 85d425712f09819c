//! Starting workers: as processes beside the server, or by a command of the operator.

use async_trait::async_trait;
use std::{ffi::OsString, io, path::PathBuf, process::Stdio, time::Duration};
use tokio::{process::Command, time::timeout};

/// It asks for a worker, and does not wait for it.
const COMMAND_WITHIN: Duration = Duration::from_secs(60);

/// Starts workers. They end by themselves when they are told to, and by what they find in the database.
#[async_trait]
pub trait Provisioner: Send + Sync {
    /// Has one more worker of a kind of device started; it registers when it is ready.
    ///
    /// # Errors
    /// Where that cannot even be tried.
    async fn start(&self, device: &str) -> io::Result<()>;
}

/// Worker processes on the server's machine, which outlive it.
pub struct LocalProcesses {
    pub program: PathBuf,
    /// Beside the server's own.
    pub environment: Vec<(&'static str, OsString)>,
}

#[async_trait]
impl Provisioner for LocalProcesses {
    async fn start(&self, device: &str) -> io::Result<()> {
        let mut worker = Command::new(&self.program);
        worker.envs(self.environment.iter().cloned()).env("REELMILL_DEVICE_NAME", device).stdin(Stdio::null());
        // It does not end with the server, nor by a signal that a terminal sends to all.
        worker.process_group(0).kill_on_drop(false);
        let mut child = worker.spawn()?;
        tracing::info!(worker.pid = child.id(), worker.device = device, "a worker was started");
        tokio::spawn(async move {
            match child.wait().await {
                Ok(status) if status.success() => tracing::info!(%status, "a worker has ended"),
                Ok(status) => tracing::warn!(%status, "a worker has ended"),
                Err(error) => tracing::warn!(%error, "it is not known how a worker ended"),
            }
        });
        Ok(())
    }
}

/// A command that starts a worker somewhere; it is told the kind of device as `REELMILL_DEVICE_NAME`, and ends soon.
pub struct OperatorCommand(pub String);

#[async_trait]
impl Provisioner for OperatorCommand {
    async fn start(&self, device: &str) -> io::Result<()> {
        let status =
            Command::new("sh").arg("-c").arg(&self.0).env("REELMILL_DEVICE_NAME", device).stdin(Stdio::null()).kill_on_drop(true).status();
        let status = timeout(COMMAND_WITHIN, status).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        match status? {
            status if status.success() => Ok(()),
            status => Err(io::Error::other(format!("the command that starts workers ended with {status}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_command_is_told_the_kind_of_device_and_its_failure_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("asked");
        let command = OperatorCommand(format!("echo $REELMILL_DEVICE_NAME >> {}", file.display()));
        command.start("h100").await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "h100\n");
        assert!(OperatorCommand("exit 3".into()).start("h100").await.unwrap_err().to_string().contains('3'));
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_an_error() {
        assert!(LocalProcesses { program: "/nowhere/worker".into(), environment: Vec::new() }.start("cpu").await.is_err());
    }
}
