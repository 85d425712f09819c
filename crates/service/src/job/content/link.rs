//! Links by which a file of one job can be fetched without a key, for a while: what other services' clients are given as an output.
//!
//! A link says of which tenant, job and kind the file is and until when it is good, and is signed by a key that all servers share. It
//! opens this one file, and no longer than the job is there.

use super::ContentError;
use crate::{AccessError, Services, seal::SealKey};
use domain::{Actor, JobId, Permission, TenantId, Timestamp};
use ring::hmac;
use store::{Artifact, ArtifactKind, StoreError, chance::NoRandomness};
use uuid::Uuid;

const KEY_SETTING: &str = "output_links_key";
/// Named again in what is signed, so that nothing signed for another use passes.
const PURPOSE: &[u8] = b"link to an output";
/// Seconds for which a link is good at least.
const GOOD_FOR_S: i64 = 3600;
/// Within so many seconds the same file has the same link, so that browsers keep it.
const SAME_FOR_S: i64 = 900;
const SAID_BYTES: usize = 16 + 16 + 1 + 8;
const TAG_BYTES: usize = 32;

pub(crate) struct OutputKey(hmac::Key);

/// Makes links to what one tenant's jobs made.
#[derive(Clone)]
pub struct OutputLinks {
    tenant: TenantId,
    key: hmac::Key,
    /// Unix seconds.
    until: i64,
}

/// What a link opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLink {
    pub tenant: TenantId,
    pub job: JobId,
    pub kind: ArtifactKind,
}

#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error("this is no link of ours")]
    Unknown,
    #[error("this link has expired")]
    Expired,
    #[error("the key shared by all servers is none")]
    Key,
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error(transparent)]
    Access(#[from] AccessError),
}

impl From<StoreError> for LinkError {
    fn from(error: StoreError) -> Self {
        Self::Access(error.into())
    }
}

impl Services {
    /// Makes links to what the jobs of `actor`'s tenant made.
    ///
    /// # Errors
    /// [`LinkError::Access`] when `actor` may not see them or the database does not answer; else when there is no key to sign by.
    pub async fn output_links(&self, actor: Actor) -> Result<OutputLinks, LinkError> {
        self.links_of(actor.require_membership(Permission::ReadJobs).map_err(AccessError::from)?.tenant).await
    }

    /// The same for what is told to whom `tenant` wants it to be told.
    pub(crate) async fn links_of(&self, tenant: TenantId) -> Result<OutputLinks, LinkError> {
        let until = good_until(self.store.now().await?);
        Ok(OutputLinks { tenant, key: self.output_key().await?.0.clone(), until })
    }

    /// What a link opens now.
    ///
    /// # Errors
    /// [`LinkError::Unknown`] and [`LinkError::Expired`]; [`LinkError::Access`] when the database does not answer.
    pub async fn output_link(&self, token: &str) -> Result<OutputLink, LinkError> {
        let key = &self.output_key().await?.0;
        let (link, until) = read(key, token).ok_or(LinkError::Unknown)?;
        if until <= self.store.now().await?.unix_seconds() { Err(LinkError::Expired) } else { Ok(link) }
    }

    /// The file that a link opens.
    ///
    /// # Errors
    /// [`ContentError::NotFound`] when it is there no more.
    pub async fn linked_artifact(&self, link: OutputLink) -> Result<Artifact, ContentError> {
        self.store.tenant(link.tenant).jobs().artifact(link.job, Some(link.kind)).await?.ok_or(ContentError::NotFound)
    }

    /// Drawn once by whichever server needs it first.
    async fn output_key(&self) -> Result<&OutputKey, LinkError> {
        let settle = || async {
            let shared = self.store.settings().settle(KEY_SETTING, &SealKey::random()?.hex()).await?;
            let bytes = hex::decode(shared).map_err(|_| LinkError::Key)?;
            Ok(OutputKey(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
        };
        self.output_key.get_or_try_init(settle).await
    }
}

impl OutputLinks {
    /// The part of an address that names the file and opens it.
    #[must_use]
    pub fn token(&self, job: JobId, kind: ArtifactKind) -> String {
        let said = said(OutputLink { tenant: self.tenant, job, kind }, self.until);
        let tag = hmac::sign(&self.key, &signed(&said));
        hex::encode(said) + &hex::encode(tag)
    }

    /// The same, good for as long from that moment on.
    #[must_use]
    pub fn good_from(&self, moment: Timestamp) -> Self {
        Self { until: self.until.max(good_until(moment)), ..self.clone() }
    }
}

/// Until when a link is good that is told at this moment, in Unix seconds.
fn good_until(told_at: Timestamp) -> i64 {
    (told_at.unix_seconds() + GOOD_FOR_S).div_euclid(SAME_FOR_S) * SAME_FOR_S + SAME_FOR_S
}

fn said(OutputLink { tenant, job, kind }: OutputLink, until: i64) -> Vec<u8> {
    let kind = ArtifactKind::ALL.iter().position(|of| *of == kind).and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX);
    [tenant.uuid().as_bytes().as_slice(), job.uuid().as_bytes(), &[kind], &until.to_be_bytes()].concat()
}

fn signed(said: &[u8]) -> Vec<u8> {
    [PURPOSE, said].concat()
}

/// What a link says that was signed by this key, and until when it is good.
fn read(key: &hmac::Key, token: &str) -> Option<(OutputLink, i64)> {
    if token.len() != 2 * (SAID_BYTES + TAG_BYTES) {
        return None;
    }
    let bytes = hex::decode(token).ok()?;
    let (said, tag) = bytes.split_at_checked(SAID_BYTES)?;
    hmac::verify(key, &signed(said), tag).ok()?;
    let (tenant, rest) = said.split_first_chunk::<16>()?;
    let (job, rest) = rest.split_first_chunk::<16>()?;
    let ([kind], until) = rest.split_first_chunk::<1>()?;
    let kind = *ArtifactKind::ALL.get(usize::from(*kind))?;
    let (tenant, job) = (TenantId::from_uuid(Uuid::from_bytes(*tenant)), JobId::from_uuid(Uuid::from_bytes(*job)));
    Some((OutputLink { tenant, job, kind }, i64::from_be_bytes(until.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(key: &[u8]) -> OutputLinks {
        let tenant = TenantId::from_uuid(Uuid::from_u128(1));
        OutputLinks { tenant, key: hmac::Key::new(hmac::HMAC_SHA256, key), until: 1_800_000_000 }
    }

    #[test]
    fn a_link_opens_the_file_that_it_was_made_for() {
        let (links, job) = (links(b"one"), JobId::from_uuid(Uuid::from_u128(2)));
        for kind in ArtifactKind::ALL {
            let read = read(&links.key, &links.token(job, kind));
            assert_eq!(read, Some((OutputLink { tenant: links.tenant, job, kind }, 1_800_000_000)));
        }
    }

    #[test]
    fn what_was_changed_or_signed_by_another_key_opens_nothing() {
        let (links, other) = (links(b"one"), links(b"other"));
        let token = links.token(JobId::from_uuid(Uuid::from_u128(2)), ArtifactKind::Video);
        assert_eq!(read(&other.key, &token), None);
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            assert_eq!(read(&links.key, &String::from_utf8(changed).unwrap()), None, "{at}");
        }
        for text in ["", "0", "é", &token[1..], &format!("{token}00")] {
            assert_eq!(read(&links.key, text), None, "{text}");
        }
    }
}
