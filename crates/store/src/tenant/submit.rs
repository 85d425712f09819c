//! Taking a job in: once for each idempotency key, and never beyond what its tenant has left or may have open.
//!
//! Submissions of one tenant take turns: each holds a lock on the tenant's row until it is committed, so
//! none can look at the open work while another adds to it.

use super::spending;
use crate::{
    Idempotency, Job, NewJob, Repetition, Store, StoreError, SubmitError, Submitted, batches,
    billing::{self, Payer},
    database::write::Write,
    error::within,
    open_work,
    queue::{
        line::{self, Lines},
        release,
    },
    rows::{
        idempotency,
        jobs::{self, Lock},
        unconfirmed::{self, Sender},
        webhooks::insert_callback,
    },
};
use domain::{
    JobId, ProjectId, TenantId,
    batch::admit_beside_single,
    billing::{Lane, Plan},
    scheduling::{LineOf, WorkRoom, admit},
};
use std::time::Duration;

pub(super) async fn submit(
    store: &Store,
    tenant: TenantId,
    job: NewJob,
    repetition: Repetition,
    time: Duration,
) -> Result<Submitted, SubmitError> {
    let can_be_repeated = !matches!(repetition, Repetition::Unknown);
    let (write, taken_in) = within(time, async {
        // Before the transaction, which sees no other tenant's jobs: what is taken meanwhile makes little difference.
        let lines = Lines::read(store, &store.db, &job.spec.model).await?;
        let mut write = store.write_in_group_of(tenant).await?;
        let taken_in = take_in(&mut write, tenant, (job, &lines), repetition).await;
        Ok::<_, SubmitError>((write, taken_in))
    })
    .await?;
    match taken_in {
        // Also for one that is there: it may not have been flushed.
        Ok(_) => within(time, write.commit()).await.map_err(|error: StoreError| {
            tracing::error!(error = &error as &dyn std::error::Error, "it is not known whether a job was taken in");
            // Then it may be asked for again.
            if can_be_repeated { error.into() } else { SubmitError::Unknown }
        })?,
        Err(_) => write.abandon().await?,
    }
    taken_in
}

async fn take_in(
    write: &mut Write,
    tenant: TenantId,
    (job, lines): (NewJob, &Lines),
    repetition: Repetition,
) -> Result<Submitted, SubmitError> {
    if !matches!(repetition, Repetition::Unknown) {
        open_work::lock(write, tenant).await?;
    }
    let sender = |retry_count| Sender { tenant, api_key: job.api_key, retry_count };
    let earlier = match &repetition {
        // Writes nothing, so that it finds its job on a full disk as well.
        Repetition::Key(asked) => earlier(write, tenant, asked).await?,
        Repetition::Count { fingerprint, retry_count } => match unconfirmed::take(write, sender(*retry_count), fingerprint).await? {
            Some(id) => jobs::find(&write.tx, tenant, id, Lock::No).await?,
            None => None,
        },
        Repetition::Line(key) => match batches::job_of(write, tenant, *key).await? {
            Some(id) => jobs::find(&write.tx, tenant, id, Lock::No).await?,
            None => None,
        },
        Repetition::Unknown => None,
    };
    if let Some(job) = earlier {
        return Ok(Submitted { job, replayed: true, room: None });
    }
    if let Some(error) = &job.refused {
        return Err(SubmitError::NotAdmitted(error.clone()));
    }
    let price = job.held();
    let row = billing::reserve(&write.tx, write.now, tenant, price).await?;
    let plan = billing::current_plan(&write.tx, &row.plan).await?;
    let open = billing::open_before(&row, price);
    admit(&plan, &job.spec.model, open, price)?;
    let is_of_batch = matches!(repetition, Repetition::Line(_));
    if is_of_batch {
        admit_beside_single(&plan, open, price)?;
    }
    if row.has_spending_limits {
        let payer = Payer { project: job.project.unwrap_or(ProjectId::default_of(tenant)), api_key: job.api_key };
        let reached = billing::take_spending(&write.tx, write.now, tenant, payer, price).await?;
        spending::tell(write, tenant, reached).await?;
    }
    let (parts, drawn): (Vec<_>, Vec<_>) = billing::draw_on(&write.tx, tenant, price).await?.into_iter().unzip();
    let enters = release::enters(&write.tx, write.now, (&row, &plan), price).await?;
    let plan = if is_of_batch { Plan { lane: Lane::Batch, ..plan } } else { plan };
    let tag = if enters {
        let line = LineOf { lane: plan.lane, model: &job.spec.model };
        let asked = (lines.progress(plan.lane), job.work.unwrap_or(job.quote.billed), plan.weight);
        Some(line::stand(&write.tx, (tenant, line), asked, job.deadlines.first()).await?)
    } else {
        None
    };
    let stored = jobs::insert(write, tenant, &job, (&plan, &drawn, tag)).await?;
    billing::book(&write.tx, write.now, tenant, (stored.id, ""), parts.into_iter()).await?;
    if let Some(callback) = &job.callback {
        insert_callback(write, tenant, stored.id, callback).await?;
    }
    match repetition {
        Repetition::Key(asked) => idempotency::insert(write, tenant, asked, stored.id).await?,
        Repetition::Count { fingerprint, retry_count } => unconfirmed::insert(write, sender(retry_count), fingerprint, stored.id).await?,
        Repetition::Line(key) => batches::opened(write, tenant, key, stored.id).await?,
        Repetition::Unknown => {}
    }
    Ok(Submitted { job: stored, replayed: false, room: Some(WorkRoom { open: open + price, open_max: plan.open_work_max_ms }) })
}

/// The job of an earlier submission under this key.
async fn earlier(write: &Write, tenant: TenantId, asked: &Idempotency) -> Result<Option<Job>, SubmitError> {
    let Some(known) = idempotency::find(&write.tx, write.now, tenant, &asked.key).await? else { return Ok(None) };
    if known.fingerprint != asked.fingerprint {
        return Err(SubmitError::KeyReused);
    }
    let job = jobs::find(&write.tx, tenant, known.job, Lock::No).await?;
    job.map(Some).ok_or(SubmitError::Deleted(known.job))
}

/// An earlier submission under an idempotency key.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    pub fingerprint: String,
    pub id: JobId,
    /// Unless it was deleted since.
    pub job: Option<Job>,
}

pub(super) async fn submitted_under(store: &Store, tenant: TenantId, key: &str) -> Result<Option<Earlier>, StoreError> {
    let Some(known) = idempotency::find(&store.of(tenant), store.now().await?, tenant, key).await? else { return Ok(None) };
    let job = jobs::find(&store.of(tenant), tenant, known.job, Lock::No).await?;
    // It may not have been flushed.
    if let Some(group) = &store.group_commit {
        group.wait().await?;
    }
    Ok(Some(Earlier { fingerprint: known.fingerprint, id: known.job, job }))
}
