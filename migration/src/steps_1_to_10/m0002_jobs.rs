//! What is made: jobs, what they leave behind, and the workers that do them.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [jobs(), artifacts(), previews(), idempotency_keys(), workers(), stage_timings()] {
            manager.create_table(table).await?;
        }
        for (name, table, columns) in INDEXES {
            let mut index = Index::create().name(*name).table(*table).take();
            for column in *columns {
                index.col(*column);
            }
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

const INDEXES: &[(&str, &str, &[&str])] = &[
    // `steps` so that the work in front of a job is added up without a look at the rows
    ("jobs_by_queue", "jobs", &["waits_for", "created_at_ms", "id", "steps"]),
    ("jobs_by_state", "jobs", &["state"]),
    ("jobs_by_lease", "jobs", &["lease_expires_at_ms"]),
    ("jobs_by_tenant", "jobs", &["tenant_id", "id"]),
    ("jobs_open_by_tenant", "jobs", &["tenant_id", "ended_at_ms", "deleted_at_ms", "billed_ms"]),
    ("jobs_by_deletion", "jobs", &["deleted_at_ms"]),
    ("artifacts_unneeded", "artifacts", &["unneeded_since_ms"]),
    ("artifacts_by_object", "artifacts", &["object_key"]),
    ("idempotency_keys_by_job", "idempotency_keys", &["job_id"]),
    ("stage_timings_by_model", "stage_timings", &["model", "stage", "measured_at_ms"]),
    ("workers_by_sign_of_life", "workers", &["seen_at_ms"]),
];

/// The unit of truth of the queue; see `domain::job` for what the states mean.
fn jobs() -> TableCreateStatement {
    Table::create()
        .table("jobs")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid("user_id"))
        .col(uuid_null("api_key_id"))
        .col(uuid_null("remixed_from"))
        // what was asked for
        .col(text("model"))
        .col(text("prompt"))
        .col(text_null("negative_prompt"))
        .col(integer("width"))
        .col(integer("height"))
        .col(big_integer("duration_ms"))
        .col(integer("steps"))
        .col(double("guidance"))
        .col(big_integer("seed"))
        .col(big_integer("billed_ms"))
        // where it stands
        .col(text("state"))
        // the stage that may claim it, so that a claim walks one index in the order of the queue
        .col(text_null("waits_for"))
        .col(integer("epoch"))
        .col(integer("attempts"))
        .col(boolean("suspect"))
        .col(uuid_null("lease_worker"))
        .col(big_integer_null("lease_expires_at_ms"))
        .col(big_integer("not_before_ms"))
        .col(text_null("failure_code"))
        .col(text_null("failure_message"))
        // what is shown of it
        .col(big_integer("revision"))
        .col(text_null("stage"))
        .col(integer("step"))
        .col(integer_null("preview_step"))
        .col(big_integer_null("sampling_ms"))
        .col(big_integer_null("decoding_ms"))
        .col(big_integer("created_at_ms"))
        .col(big_integer_null("started_at_ms"))
        .col(big_integer_null("ended_at_ms"))
        .col(big_integer_null("deleted_at_ms"))
        .foreign_key(ForeignKey::create().from("jobs", "tenant_id").to("tenants", "id"))
        .foreign_key(ForeignKey::create().from("jobs", "user_id").to("users", "id"))
        .take()
}

/// Objects of a job. A row is written before its object is uploaded and `committed` with the job's
/// transition, so every object in the store is known and what a lost lease left behind can be removed.
/// `unneeded_since_ms` is set when nobody will read the object any more; see `store::Queue::garbage`.
fn artifacts() -> TableCreateStatement {
    Table::create()
        .table("artifacts")
        .col(uuid("job_id"))
        .col(text("kind"))
        .col(integer("epoch"))
        .col(text("object_key"))
        .col(text("content_type"))
        .col(big_integer_null("bytes"))
        .col(text_null("sha256"))
        .col(boolean("committed"))
        .col(big_integer_null("unneeded_since_ms"))
        .col(big_integer("created_at_ms"))
        .primary_key(Index::create().col("job_id").col("kind").col("epoch"))
        .foreign_key(ForeignKey::create().from("artifacts", "job_id").to("jobs", "id"))
        .take()
}

/// The newest preview of a job that is being sampled.
fn previews() -> TableCreateStatement {
    Table::create()
        .table("previews")
        .col(uuid("job_id").primary_key())
        .col(integer("step"))
        .col(text("content_type"))
        .col(binary("bytes"))
        .foreign_key(ForeignKey::create().from("previews", "job_id").to("jobs", "id"))
        .take()
}

/// Written with the job, so that a repeated submission finds it.
fn idempotency_keys() -> TableCreateStatement {
    Table::create()
        .table("idempotency_keys")
        .col(uuid("tenant_id"))
        .col(text("key"))
        .col(text("fingerprint"))
        .col(uuid("job_id"))
        .col(big_integer("created_at_ms"))
        .primary_key(Index::create().col("tenant_id").col("key"))
        .foreign_key(ForeignKey::create().from("idempotency_keys", "job_id").to("jobs", "id"))
        .take()
}

/// One row for each start of a worker process.
fn workers() -> TableCreateStatement {
    Table::create()
        .table("workers")
        .col(uuid("id").primary_key())
        .col(text("role"))
        .col(text("device"))
        .col(big_integer("started_at_ms"))
        .col(big_integer("seen_at_ms"))
        .take()
}

/// What stages really took, for estimates.
fn stage_timings() -> TableCreateStatement {
    Table::create()
        .table("stage_timings")
        .col(uuid("id").primary_key())
        .col(uuid("worker_id"))
        .col(text("model"))
        .col(text("stage"))
        .col(integer("width"))
        .col(integer("height"))
        .col(integer("steps"))
        .col(big_integer("device_ms"))
        .col(big_integer("measured_at_ms"))
        .take()
}
