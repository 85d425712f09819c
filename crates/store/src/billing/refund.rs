//! Taking back what a job was charged.

use super::{
    credits::Credits,
    due::expire_due,
    entries::{self, Entry},
    grants, tenants,
    tenants::Change,
};
use crate::StoreError;
use domain::{
    JobId, Timestamp, VideoTime,
    billing::{EntryKind, GRACE_OF_CREDIT_MS},
};

impl Credits<'_> {
    /// Gives back what a job was charged, to the grants that it came from; says how much that was. A second refund of it gives nothing, and
    /// so does that of a job of before the ledger. Credit that has expired can be used for another day; what a plan gave for a month that is
    /// over is no longer charged, and can be used no longer.
    pub async fn refund(self, job: JobId, note: &str) -> Result<VideoTime, StoreError> {
        let (store, tenant) = self.parts();
        let write = store.write_of(tenant).await?;
        let row = tenants::lock(&write.tx, tenant).await?;
        if row.due_at_ms <= write.now.ms() {
            expire_due(&write.tx, write.now, tenant).await?;
        }
        let captured = entries::of_kind(&write.tx, tenant, job, EntryKind::Capture).await?;
        if captured.is_empty() || !entries::of_kind(&write.tx, tenant, job, EntryKind::Refund).await?.is_empty() {
            write.abandon().await?;
            return Ok(VideoTime::default());
        }
        let ids: Vec<_> = captured.iter().map(|part| part.grant).collect();
        let grants = grants::find_all(&write.tx, &ids).await?;
        let (mut refunded, mut available, mut booked) = (VideoTime::default(), 0, Vec::new());
        for part in captured {
            let grant = grants.iter().find(|grant| grant.id == part.grant).ok_or(StoreError::Raced { table: "grants" })?;
            let entry = |kind| Entry { kind, part, job: Some(job), note: Some(note.to_owned()) };
            booked.push(entry(EntryKind::Refund));
            refunded = refunded + part.time;
            let is_over = grant.expires_at_ms <= write.now.ms();
            if is_over && !grants::kind(grant)?.is_credit() {
                booked.push(Entry { job: None, ..entry(EntryKind::Expire) });
                continue;
            }
            let until = is_over.then(|| write.now.plus_ms(GRACE_OF_CREDIT_MS));
            grants::give_back(&write.tx, part, until).await?;
            available += part.time.ms().cast_signed();
            tenants::due_by(&write.tx, tenant, until.unwrap_or(Timestamp::from_ms(grant.expires_at_ms))).await?;
        }
        if available > 0 {
            tenants::change(tenant, Change { available, ..Change::default() }).exec(&write.tx).await?;
        }
        entries::add(&write.tx, write.now, tenant, booked).await?;
        write.commit().await?;
        Ok(refunded)
    }
}
