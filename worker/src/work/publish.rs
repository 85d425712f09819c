//! Uploads what a stage made, under keys that belong to its lease.

use crate::{
    fault::Point,
    trace::Moment,
    work::outcome::{Stop, WorkError},
    work::running::Running,
    work::station::Station,
};
use bytes::Bytes;
use futures::future::try_join_all;
use sha2::{Digest, Sha256};
use std::{future::Future, time::Duration};
use store::clock::Instant;
use store::{ArtifactKind, StoredObject, objects::ObjectError};
use tokio::time::timeout;

const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(15);
/// One try may take so long, whatever the store's own limits are.
const TRY_WITHIN: Duration = Duration::from_secs(300);

/// A file that a stage made.
pub struct Product {
    pub kind: ArtifactKind,
    pub bytes: Bytes,
}

/// Asks for keys and uploads the products under them, in their order.
pub async fn publish(station: &Station, job: &Running, products: Vec<Product>) -> Result<Vec<StoredObject>, Stop> {
    let begun = Moment::now();
    let kinds: Vec<ArtifactKind> = products.iter().map(|product| product.kind).collect();
    let keys = job.held.write("upload", || station.services.store.queue().announce(&job.held.token, &kinds)).await?;
    job.uploads.note(keys.clone());
    let stored = try_join_all(products.into_iter().zip(keys).map(|(product, key)| upload(station, job, product, key))).await?;
    job.trace.note("artifacts.upload", begun);
    station.faults.wait(Point::Uploaded).await;
    Ok(stored)
}

async fn upload(station: &Station, job: &Running, product: Product, key: String) -> Result<StoredObject, Stop> {
    let Product { kind, bytes } = product;
    let stored = StoredObject { kind, bytes: bytes.len() as u64, sha256: sha256(&bytes) };
    patiently(job, station.objects_timeout, || async { Ok(station.services.objects.put(&key, kind.content_type(), bytes.clone()).await?) })
        .await?;
    Ok(stored)
}

/// Repeats what the object store cannot do now but may do later, being full or away, as long as the job is
/// ours, for so long: what has been computed is not thrown away for less. Then the job is
/// to be given back, as the store may be away for this machine alone.
pub async fn patiently<T, F>(job: &Running, patience: Duration, attempt: impl Fn() -> F) -> Result<T, Stop>
where
    F: Future<Output = Result<T, WorkError>>,
{
    let (begun, mut pause) = (Instant::now(), PAUSE_MIN);
    while job.held.is_good() && begun.elapsed() < patience {
        let tried = timeout(TRY_WITHIN, attempt()).await;
        match tried.unwrap_or_else(|late| Err(ObjectError::Unavailable(late.into()).into())) {
            Err(error) if error.is_of_store_away() => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the object store fails; trying again in {} s", pause.as_secs());
            }
            done => return Ok(done?),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
    Err(if job.held.is_good() { WorkError::StoreAway.into() } else { Stop::Lost })
}

pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_printed_in_lower_case_hex() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
