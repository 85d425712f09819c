//! What the jobs that a transaction ends are charged: applied last, in the order of the tenants, so that two transactions which end jobs of
//! the same tenants wait for each other in the same order, and never in a ring.

use super::{
    due::expire_due,
    entries::{self, Entry, Hold},
    grants, metering,
    spending::{self, Ending, Payer},
    tenants::{self, Change},
    usage::{self, Outcome, UsageOf},
};
use crate::{
    StoreError,
    entity::{grant, tenant as table},
};
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
        let Self { by_tenant } = self;
        if by_tenant.is_empty() {
            return Ok(());
        }
        let holds = Holds::read(db, &by_tenant).await?;
        let changes: Vec<_> = by_tenant.iter().map(|(tenant, ended)| (*tenant, holds.taken_by(ended))).collect();
        // Locks the rows, before the grants are looked at.
        let rows = tenants::change_all(db, &changes).await?;
        let usage = by_tenant.iter().flat_map(|(tenant, ended)| ended.iter().map(|ended| (*tenant, &ended.usage, ended.charged)));
        usage::record(db, now, usage.collect()).await?;
        let (mut booked, mut metered) = (Vec::new(), Vec::new());
        for (tenant, ended) in by_tenant {
            let row = rows.iter().find(|row| row.id == tenant.uuid());
            // Nobody else is told what is to be paid for afterwards.
            if row.is_some_and(|row| row.stripe_customer.is_some()) {
                metered.extend(ended.iter().map(|ended| ended.job));
            }
            let entries = settle(db, now, (tenant, row), (ended, &holds)).await?;
            booked.extend(entries.into_iter().map(|entry| (tenant, entry)));
        }
        entries::add_all(db, now, booked).await?;
        if metered.is_empty() { Ok(()) } else { metering::note(db, &metered).await }
    }
}

/// What is held for jobs that end, none for those of before the ledger.
#[derive(Default)]
struct Holds {
    parts: HashMap<JobId, Vec<Part>>,
    causes: HashMap<JobId, String>,
}

impl Holds {
    async fn read(db: &impl ConnectionTrait, by_tenant: &BTreeMap<TenantId, Vec<Ended>>) -> Result<Self, StoreError> {
        let jobs: Vec<_> = by_tenant.values().flatten().map(|ended| ended.job).collect();
        let mut holds = Self::default();
        for Hold { job, part, cause } in entries::holds(db, &jobs).await? {
            holds.parts.entry(job).or_default().push(part);
            holds.causes.insert(job, cause);
        }
        Ok(holds)
    }

    fn of(&self, job: JobId) -> &[Part] {
        self.parts.get(&job).map_or(&[], Vec::as_slice)
    }

    fn time(&self, job: JobId) -> VideoTime {
        self.of(job).iter().fold(VideoTime::default(), |held, part| held + part.time)
    }

    /// What the end of these jobs takes from the totals of their tenant.
    fn taken_by(&self, ended: &[Ended]) -> Change {
        let sum = |time: &dyn Fn(&Ended) -> VideoTime| -> i64 { ended.iter().map(|ended| time(ended).ms().cast_signed()).sum() };
        Change { open: -sum(&|ended| ended.billed), held: -sum(&|ended| self.time(ended.job)), available: 0 }
    }
}

/// What was held for each job of a tenant is captured as far as it is charged, and released otherwise. Returns the entries that say so.
async fn settle(
    db: &impl ConnectionTrait,
    now: Timestamp,
    (tenant, row): (TenantId, Option<&table::Model>),
    (ended, holds): (Vec<Ended>, &Holds),
) -> Result<Vec<Entry>, StoreError> {
    if row.is_some_and(|row| row.next_release_ms.is_some()) {
        tenants::release_now(db, tenant).await?;
    }
    if row.is_some_and(|row| row.has_spending_limits) {
        let ending = |ended: &Ended| Ending {
            payer: Payer { project: ended.usage.project, api_key: ended.usage.api_key },
            held: holds.time(ended.job),
            charged: ended.charged,
        };
        spending::settle(db, now, tenant, &ended.iter().map(ending).collect::<Vec<_>>()).await?;
    }
    // Not what the plan gives anew: a plan that cannot be read keeps no job from ending.
    if row.is_some_and(|row| row.due_at_ms <= now.ms()) {
        expire_due(db, now, tenant).await?;
    }
    let (mut entries, mut released) = (Vec::new(), BTreeMap::<Released, u64>::new());
    for Ended { job, charged, note, usage, .. } in ended {
        let is_failure = usage.outcome == Outcome::Failed;
        for (captured, rest) in capture_first(holds.of(job), charged) {
            let from = Released { grant: captured.grant, is_failure };
            *released.entry(from).or_default() += rest.ms();
            let cause = holds.causes.get(&job).cloned().unwrap_or_default();
            let entry = |kind, part| Entry { kind, part, job: Some(job), note: Some(note.clone()), cause: cause.clone() };
            entries.push((from, entry(EntryKind::Capture, captured)));
            entries.push((from, entry(EntryKind::Release, Part { time: rest, ..captured })));
        }
    }
    released.retain(|_, ms| *ms > 0);
    let expired = give_back(db, now, tenant, &released).await?;
    let booked = entries.into_iter().map(|(from, entry)| match entry.kind {
        EntryKind::Release if expired.contains(&from) => Entry { kind: EntryKind::ReleaseExpired, ..entry },
        _ => entry,
    });
    Ok(booked.collect())
}

/// From which grant something comes back, and whether that is because its job failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Released {
    grant: Uuid,
    is_failure: bool,
}

/// Gives back to each grant; those that can be used no longer are returned, and got nothing.
async fn give_back(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    released: &BTreeMap<Released, u64>,
) -> Result<Vec<Released>, StoreError> {
    if released.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = released.keys().map(|from| from.grant).collect();
    let mut grants: HashMap<_, _> = grants::find_all(db, &ids).await?.into_iter().map(|grant| (grant.id, grant)).collect();
    let (mut available, mut expired, mut due_at_ms) = (0, Vec::new(), grants::NEVER);
    // What came back of failures is given back first: it may have its grant live on.
    for (from, ms) in released.iter().rev() {
        let grant = grants.get_mut(&from.grant).ok_or(StoreError::Raced { table: "grants" })?;
        let Some(until_ms) = usable_until_ms(grant, now, from.is_failure)? else {
            expired.push(*from);
            // Its plan may come back.
            if !grants::kind(grant)?.is_credit() {
                grants::leave(db, Part { grant: grant.id, time: VideoTime::from_ms(*ms) }).await?;
                tenants::look_again(db, tenant).await?;
            }
            continue;
        };
        let moved = (until_ms != grant.expires_at_ms).then(|| Timestamp::from_ms(until_ms));
        grants::give_back(db, Part { grant: grant.id, time: VideoTime::from_ms(*ms) }, moved).await?;
        grant.expires_at_ms = until_ms;
        available += ms.cast_signed();
        due_at_ms = due_at_ms.min(until_ms);
    }
    if available > 0 {
        tenants::change(tenant, Change { available, ..Change::default() }).exec(db).await?;
        tenants::due_by(db, tenant, Timestamp::from_ms(due_at_ms)).await?;
    }
    Ok(expired)
}

/// `None`: what a plan gave for a period that is over is gone with it, and so is credit that its tenant had not used in time. Of a job that
/// failed, which was not the tenant's doing, credit is left for another day.
fn usable_until_ms(grant: &grant::Model, now: Timestamp, is_failure: bool) -> Result<Option<i64>, StoreError> {
    if grant.expires_at_ms > now.ms() {
        return Ok(Some(grant.expires_at_ms));
    }
    Ok((is_failure && grants::kind(grant)?.is_credit()).then(|| now.plus_ms(GRACE_OF_CREDIT_MS).ms()))
}
