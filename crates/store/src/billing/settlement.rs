//! What the jobs that a transaction ends are charged: applied last, in the order of the tenants, so that two transactions which end jobs of
//! the same tenants wait for each other in the same order, and never in a ring.

use super::{
    due::settle_due,
    entries::{self, Entry},
    grants,
    tenants::{self, Change},
    usage::{self, UsageOf},
};
use crate::{StoreError, entity::grant};
use domain::{
    JobId, TenantId, Timestamp, VideoTime,
    billing::{EntryKind, GRACE_OF_CREDIT_MS, Part, capture_first},
};
use sea_orm::ConnectionTrait;
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// A job that ends in this transaction.
pub(crate) struct Ended {
    pub job: JobId,
    /// What it had open.
    pub billed: VideoTime,
    /// What of it is charged.
    pub charged: VideoTime,
    /// How it ended.
    pub note: String,
    pub usage: UsageOf,
}

/// All jobs that a transaction ends.
#[derive(Default)]
pub(crate) struct Settlement {
    by_tenant: BTreeMap<TenantId, Vec<Ended>>,
}

impl Settlement {
    pub(crate) fn add(&mut self, tenant: TenantId, ended: Ended) {
        self.by_tenant.entry(tenant).or_default().push(ended);
    }

    pub(crate) async fn apply(self, db: &impl ConnectionTrait, now: Timestamp) -> Result<(), StoreError> {
        for (tenant, ended) in self.by_tenant {
            settle(db, now, tenant, ended).await?;
        }
        Ok(())
    }
}

/// What was held for each job, none for those of before the ledger, is captured as far as it is charged, and released otherwise.
async fn settle(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, ended: Vec<Ended>) -> Result<(), StoreError> {
    usage::record(db, now, tenant, ended.iter().map(|ended| (&ended.usage, ended.charged))).await?;
    let jobs: Vec<_> = ended.iter().map(|ended| ended.job).collect();
    let mut holds: HashMap<JobId, Vec<Part>> = HashMap::new();
    for (job, part) in entries::holds(db, &jobs).await? {
        holds.entry(job).or_default().push(part);
    }
    let sum = |times: &mut dyn Iterator<Item = VideoTime>| times.map(|time| time.ms().cast_signed()).sum::<i64>();
    let open = -sum(&mut ended.iter().map(|ended| ended.billed));
    let held = -sum(&mut holds.values().flatten().map(|part| part.time));
    // Locks the row, before the grants are looked at.
    let rows = tenants::change(tenant, Change { open, held, available: 0 }).exec_with_returning(db).await?;
    if let Some(row) = rows.into_iter().find(|row| row.due_at_ms <= now.ms()) {
        settle_due(db, now, row).await?;
    }
    let (mut entries, mut released) = (Vec::new(), BTreeMap::<Uuid, u64>::new());
    for Ended { job, charged, note, .. } in ended {
        for (captured, rest) in capture_first(holds.get(&job).map_or(&[], Vec::as_slice), charged) {
            *released.entry(captured.grant).or_default() += rest.ms();
            let entry = |kind, part| Entry { kind, part, job: Some(job), note: Some(note.clone()) };
            entries.push(entry(EntryKind::Capture, captured));
            entries.push(entry(EntryKind::Release, Part { time: rest, ..captured }));
        }
    }
    released.retain(|_, ms| *ms > 0);
    let ended_grants = give_back(db, now, tenant, &released).await?;
    for entry in entries.iter_mut().filter(|entry| entry.kind == EntryKind::Release && ended_grants.contains(&entry.part.grant)) {
        entry.kind = EntryKind::ReleaseExpired;
    }
    entries::add(db, now, tenant, entries).await
}

/// Gives back to each grant; those that can be used no longer are returned, and got nothing.
async fn give_back(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    released: &BTreeMap<Uuid, u64>,
) -> Result<Vec<Uuid>, StoreError> {
    if released.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = released.keys().copied().collect();
    let (mut available, mut ended, mut due_at_ms) = (0, Vec::new(), grants::NEVER);
    for grant in grants::find_all(db, &ids).await? {
        let Some(ms) = released.get(&grant.id) else { continue };
        let Some(until_ms) = usable_until_ms(&grant, now)? else {
            ended.push(grant.id);
            continue;
        };
        let moved = (until_ms != grant.expires_at_ms).then(|| Timestamp::from_ms(until_ms));
        grants::give_back(db, Part { grant: grant.id, time: VideoTime::from_ms(*ms) }, moved).await?;
        available += ms.cast_signed();
        due_at_ms = due_at_ms.min(until_ms);
    }
    if available > 0 {
        tenants::change(tenant, Change { available, ..Change::default() }).exec(db).await?;
        tenants::due_by(db, tenant, Timestamp::from_ms(due_at_ms)).await?;
    }
    Ok(ended)
}

/// `None`: what a plan gave for a period that is over is gone with it. Credit is the tenant's own, and is left for another day.
fn usable_until_ms(grant: &grant::Model, now: Timestamp) -> Result<Option<i64>, StoreError> {
    if grant.expires_at_ms > now.ms() {
        return Ok(Some(grant.expires_at_ms));
    }
    Ok(grants::kind(grant)?.is_credit().then(|| now.plus_ms(GRACE_OF_CREDIT_MS).ms()))
}
