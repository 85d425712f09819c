//! The schema. One step a release; a step that has shipped is never edited.
//!
//! Conventions: ids are UUIDs, moments are unix milliseconds in `BIGINT` columns that end in `_ms`,
//! so SQLite and PostgreSQL store and compare the same values. On SQLite an id is declared `uuid_text`, as sea-query
//! declares it, also in plain SQL (see `m0027_mails`); `m0075_id_types` says why.

pub use sea_orm_migration::{prelude::*, seaql_migrations};

mod steps_11_to_20;
mod steps_1_to_10;
mod steps_21_to_30;
mod steps_31_to_40;
mod steps_41_to_50;
mod steps_51_to_60;
mod steps_61_to_70;
mod steps_71_to_80;
mod steps_81_to_90;

use steps_1_to_10::*;
use steps_11_to_20::*;
use steps_21_to_30::*;
use steps_31_to_40::*;
use steps_41_to_50::*;
use steps_51_to_60::*;
use steps_61_to_70::*;
use steps_71_to_80::*;
use steps_81_to_90::*;

pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_accounts::Migration),
            Box::new(m0002_jobs::Migration),
            Box::new(m0003_worker_health::Migration),
            Box::new(m0004_security::Migration),
            Box::new(m0005_open_work::Migration),
            Box::new(m0006_waiting::Migration),
            Box::new(m0007_sessions_by_user::Migration),
            Box::new(m0008_outbox::Migration),
            Box::new(m0009_memberships::Migration),
            Box::new(m0010_trace::Migration),
            Box::new(m0011_ended_jobs::Migration),
            Box::new(m0012_outbox_by_kind::Migration),
            Box::new(m0013_quotes::Migration),
            Box::new(m0014_models::Migration),
            Box::new(m0015_inbox::Migration),
            Box::new(m0016_worker_models::Migration),
            Box::new(m0017_new_events::Migration),
            Box::new(m0018_understanding::Migration),
            Box::new(m0019_arrangement::Migration),
            Box::new(m0020_expanded_prompt::Migration),
            Box::new(m0021_timed_lengths::Migration),
            Box::new(m0022_decoded::Migration),
            Box::new(m0023_read_as::Migration),
            Box::new(m0024_ledger::Migration),
            Box::new(m0025_unconfirmed_jobs::Migration),
            Box::new(m0026_usage::Migration),
            Box::new(m0027_mails::Migration),
            Box::new(m0028_teams::Migration),
            Box::new(m0029_second_factors::Migration),
            Box::new(m0030_deleted_accounts::Migration),
            Box::new(m0031_projects::Migration),
            Box::new(m0032_spending_limits::Migration),
            Box::new(m0033_signing_keys::Migration),
            Box::new(m0034_tenants_by_plan::Migration),
            Box::new(m0035_row_level_security::Migration),
            Box::new(m0036_payments::Migration),
            Box::new(m0037_identities::Migration),
            Box::new(m0038_ledger_desk::Migration),
            Box::new(m0039_device_time::Migration),
            Box::new(m0040_paid_for_plans::Migration),
            Box::new(m0041_makers::Migration),
            Box::new(m0042_plan_changes::Migration),
            Box::new(m0043_said_to_somebody::Migration),
            Box::new(m0044_fair_lines::Migration),
            Box::new(m0045_forecasts::Migration),
            Box::new(m0046_failed_attempts::Migration),
            Box::new(m0047_scaling::Migration),
            Box::new(m0048_own_queue::Migration),
            Box::new(m0049_queue_pauses::Migration),
            Box::new(m0050_placement::Migration),
            Box::new(m0051_deadlines::Migration),
            Box::new(m0052_needed_memory::Migration),
            Box::new(m0053_files::Migration),
            Box::new(m0054_batches::Migration),
            Box::new(m0055_webhook_endpoints::Migration),
            Box::new(m0056_webhook_deliveries::Migration),
            Box::new(m0057_metrics::Migration),
            Box::new(m0058_gauges::Migration),
            Box::new(m0059_fallback::Migration),
            Box::new(m0062_status::Migration),
            Box::new(m0063_late_forecasts::Migration),
            Box::new(m0064_alerts::Migration),
            Box::new(m0065_alert_history::Migration),
            Box::new(m0066_smaller_indexes::Migration),
            Box::new(m0068_job_callbacks::Migration),
            Box::new(m0069_retries_and_samplers::Migration),
            Box::new(m0074_slow_receivers::Migration),
            Box::new(m0075_id_types::Migration),
            Box::new(m0076_callback_secrets::Migration),
            Box::new(m0077_first_tries::Migration),
            Box::new(m0078_unknown_fields::Migration),
            Box::new(m0079_library::Migration),
            Box::new(m0080_timed_words::Migration),
            Box::new(m0081_started_quotes::Migration),
            Box::new(m0082_queued::Migration),
            Box::new(m0083_added_times::Migration),
        ]
    }
}
