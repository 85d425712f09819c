//! A check of everything that is stored: do rows and objects say the same, and is what ended over?
//!
//! It only reads, in bounded batches, and may run beside a live product. What other processes change while it
//! looks is looked at again before it counts as a flaw.

mod judge;
mod report;

pub use report::{CheckReport, Finding, Flaw};

use crate::{Services, StoreError};
use domain::{Actor, Forbidden, Permission};
use futures::{StreamExt, TryStreamExt};
use sha2::{Digest, Sha256};
use std::{collections::HashSet, time::Duration};
use store::{
    CheckedArtifact, clock,
    objects::{Listed, ObjectError},
};

const JOBS_AT_ONCE: u64 = 500;
const OBJECTS_AT_ONCE: usize = 8;
const NAMES_AT_ONCE: usize = 500;

/// How thoroughly to look.
#[derive(Debug, Clone, Copy)]
pub struct CheckOptions {
    /// Read every object and compare its SHA-256.
    pub hashes: bool,
    /// An object that no row names counts as left behind when it is older than this.
    pub grace: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the object store could not be looked through")]
    Objects(#[from] ObjectError),
}

impl Services {
    /// Looks at every job, every artifact and every object.
    ///
    /// # Errors
    /// [`CheckError`] when `actor` may not look, or the database or the object store does not answer; flaws are no errors.
    pub async fn check(&self, actor: Actor, options: CheckOptions) -> Result<CheckReport, CheckError> {
        actor.require(Permission::InspectInstallation)?;
        let mut report = CheckReport::new(options.hashes);
        self.check_jobs(options, &mut report).await?;
        self.check_objects(options, &mut report).await?;
        Ok(report)
    }

    async fn check_jobs(&self, options: CheckOptions, report: &mut CheckReport) -> Result<(), CheckError> {
        let mut after = None;
        loop {
            let now = self.store.now().await?;
            let jobs = self.store.check().jobs_after(after, JOBS_AT_ONCE).await?;
            let Some(last) = jobs.last() else { return Ok(()) };
            after = Some(last.id);
            for job in &jobs {
                report.count_job(job);
                judge::job(job, now, |flaw, what| report.note(flaw, what));
            }
            let counting = jobs.iter().flat_map(|job| &job.artifacts).filter(|artifact| judge::counts(artifact));
            self.check_contents(counting, options.hashes, report).await?;
        }
    }

    /// Compares objects with the rows that name them.
    async fn check_contents(
        &self,
        artifacts: impl Iterator<Item = &CheckedArtifact>,
        hashes: bool,
        report: &mut CheckReport,
    ) -> Result<(), CheckError> {
        let looks = artifacts.map(|artifact| async move { Ok::<_, CheckError>((artifact, self.content_flaw(artifact, hashes).await?)) });
        let mut looked = futures::stream::iter(looks).buffer_unordered(OBJECTS_AT_ONCE);
        while let Some((artifact, flaw)) = looked.try_next().await? {
            report.objects += 1;
            if let Some(flaw) = flaw {
                report.note(flaw, artifact.object_key.clone());
            }
        }
        Ok(())
    }

    async fn content_flaw(&self, artifact: &CheckedArtifact, hashes: bool) -> Result<Option<Flaw>, CheckError> {
        let flaw = match self.measure(&artifact.object_key, hashes).await {
            Ok(content) if content.is_as_promised(artifact) => return Ok(None),
            Ok(_) => Flaw::ObjectDiffers,
            Err(ObjectError::NotFound { .. }) => Flaw::ObjectMissing,
            Err(error) => return Err(error.into()),
        };
        Ok(self.store.check().counts(&artifact.object_key).await?.then_some(flaw))
    }

    async fn measure(&self, key: &str, hashes: bool) -> Result<Content, ObjectError> {
        let stream = match self.objects.get(key, (!hashes).then_some(0..=0)).await {
            Err(ObjectError::RangeNotSatisfiable { bytes }) => return Ok(Content { bytes, sha256: None }),
            answer => answer?,
        };
        let mut content = Content { bytes: stream.bytes_total, sha256: None };
        if hashes {
            let broken = |error| ObjectError::Unavailable(Box::new(error));
            let hash = stream.body.map_err(broken).try_fold(Sha256::new(), async |hash, part| Ok(hash.chain_update(part))).await?;
            content.sha256 = Some(hex::encode(hash.finalize()));
        }
        Ok(content)
    }

    /// Looks for what lies in the object store and is named by no row.
    async fn check_objects(&self, options: CheckOptions, report: &mut CheckReport) -> Result<(), CheckError> {
        let mut listed = self.objects.list().try_chunks(NAMES_AT_ONCE);
        while let Some(some) = listed.try_next().await.map_err(|error| error.1)? {
            for stray in self.strays(some).await? {
                let age = clock::system_time().duration_since(stray.modified).unwrap_or_default();
                match age >= options.grace {
                    true if is_temporary(&stray.key) => report.note(Flaw::TemporaryLeft, stray.key),
                    true => report.note(Flaw::ObjectUnnamed, stray.key),
                    false => report.young_strays += 1,
                }
            }
        }
        Ok(())
    }

    /// Removes what lies in the object store and is named by no row, however young; returns how many that were. Only where nobody else is at work, as after
    /// a restore: a backup has every object that was there, also of what its database does not know of.
    ///
    /// # Errors
    /// [`CheckError`] when this is not `actor`'s work, or the database or the object store does not answer.
    pub async fn remove_strays(&self, actor: Actor) -> Result<u64, CheckError> {
        actor.require(Permission::Maintain)?;
        let mut removed = 0;
        let mut listed = self.objects.list().try_chunks(NAMES_AT_ONCE);
        while let Some(some) = listed.try_next().await.map_err(|error| error.1)? {
            // A temporary file is no object.
            for stray in self.strays(some).await?.iter().filter(|stray| !is_temporary(&stray.key)) {
                self.objects.delete(&stray.key).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Those that no row names, and that are still there after that was asked.
    async fn strays(&self, listed: Vec<Listed>) -> Result<Vec<Listed>, CheckError> {
        let keys: Vec<String> = listed.iter().map(|object| object.key.clone()).collect();
        let named: HashSet<String> = self.store.check().named(&keys).await?.into_iter().collect();
        let mut strays = Vec::new();
        for object in listed.into_iter().filter(|object| !named.contains(&object.key)) {
            let gone = matches!(self.objects.get(&object.key, Some(0..=0)).await, Err(ObjectError::NotFound { .. }));
            if !gone {
                strays.push(object);
            }
        }
        Ok(strays)
    }
}

/// What lies under a key.
struct Content {
    bytes: u64,
    sha256: Option<String>,
}

impl Content {
    fn is_as_promised(&self, artifact: &CheckedArtifact) -> bool {
        let same_size = artifact.bytes.is_some_and(|bytes| u64::try_from(bytes) == Ok(self.bytes));
        same_size && self.sha256.as_ref().is_none_or(|sha256| Some(sha256) == artifact.sha256.as_ref())
    }
}

/// A file that was being written when its process ended; see [`store::objects`].
fn is_temporary(key: &str) -> bool {
    key.rsplit('/').next().is_some_and(|name| name.starts_with('.'))
}
