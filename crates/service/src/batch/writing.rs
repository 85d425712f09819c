//! What came of a batch is written into its files: those lines that were made, and those that were not, in the order of its input.

use super::{
    FileError, FileUpload, LineFormat, LineOutcome,
    results::{RESULTS_AT_ONCE, read_at_once},
    run::{LEASE_MS, Pause},
};
use crate::{AccessError, Services};
use domain::batch::{BatchStatus, BatchWait, FilePurpose};
use std::error::Error;
use store::{Batch, FileOwner, Texts, WrittenFile};

/// A file that begins with its first line.
struct Output {
    name: String,
    upload: Option<FileUpload>,
}

impl Output {
    fn new(batch: &Batch, what: &str) -> Self {
        Self { name: format!("{}_{what}.jsonl", batch.id), upload: None }
    }

    async fn write(&mut self, services: &Services, batch: &Batch, line: Vec<u8>) -> Result<(), FileError> {
        if self.upload.is_none() {
            let owner = FileOwner { user: batch.user, api_key: batch.api_key, project: Some(batch.project) };
            self.upload = Some(FileUpload::begin(services, batch.tenant, owner, None).await?);
        }
        match &mut self.upload {
            Some(upload) => upload.write(line.into()).await,
            None => Ok(()),
        }
    }

    async fn end(self, batch: &Batch) -> Result<Option<WrittenFile>, FileError> {
        match self.upload {
            Some(upload) => Ok(Some(upload.written(&self.name, FilePurpose::BatchOutput, batch.output_expiry).await?)),
            None => Ok(None),
        }
    }
}

impl Services {
    pub(super) async fn write_files(&self, batch: &Batch, end: BatchStatus) -> Result<Pause, AccessError> {
        let steps = self.store.tenant(batch.tenant).batches().steps(batch.id);
        steps.finalize(LEASE_MS).await?;
        let Some(format) = self.line_format.clone() else { return Ok(Pause::of(BatchWait::Storage)) };
        // Nothing was to come of a question, also where it was given up halfway.
        let written = if batch.is_dry_run { Ok((None, None)) } else { Box::pin(self.written_files(batch, &*format)).await };
        match written {
            Ok((output, errors)) => {
                let written: Vec<_> = output.iter().chain(&errors).cloned().collect();
                if steps.finish(end, output, errors).await? {
                    tracing::info!(batch.id = %batch.id, batch.status = %end, "a batch has ended");
                } else {
                    self.abandon_written(batch, &written).await;
                }
                Ok(Pause::NONE)
            }
            Err(FileError::Store(error)) => Err(error.into()),
            Err(error) => {
                tracing::warn!(batch.id = %batch.id, error = &error as &dyn Error, "what came of a batch cannot be written for now");
                Ok(Pause::of(BatchWait::Storage))
            }
        }
    }

    async fn written_files(&self, batch: &Batch, format: &dyn LineFormat) -> Result<(Option<WrittenFile>, Option<WrittenFile>), FileError> {
        let batches = self.store.tenant(batch.tenant).batches();
        let (mut output, mut errors) = (Output::new(batch, "output"), Output::new(batch, "error"));
        let mut after = 0;
        loop {
            let lines = read_at_once(batches.lines_after(batch.id, after, RESULTS_AT_ONCE).await?);
            let Some(last) = lines.last().map(|line| line.line) else { break };
            after = last;
            for result in self.line_results(batch.tenant, lines, Texts::Whole).await? {
                let line = format.write(batch.id, &result);
                match result.outcome {
                    LineOutcome::Made(_) => output.write(self, batch, line).await?,
                    LineOutcome::Failed(_) => errors.write(self, batch, line).await?,
                }
            }
        }
        let output = output.end(batch).await?;
        match errors.end(batch).await {
            Ok(errors) => Ok((output, errors)),
            Err(error) => {
                self.abandon_written(batch, output.as_slice()).await;
                Err(error)
            }
        }
    }

    /// They are written anew, or somebody else has ended the batch.
    async fn abandon_written(&self, batch: &Batch, files: &[WrittenFile]) {
        for file in files {
            if let Err(error) = self.store.tenant(batch.tenant).files().abandon(file.id).await {
                tracing::debug!(file.id = %file.id, error = &error as &dyn Error, "a file of a batch is given up later");
            }
        }
    }
}
