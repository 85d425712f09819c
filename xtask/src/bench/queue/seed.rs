//! Fills a database with waiting jobs of other tenants: copies of the one job in it, spread over an hour and in front of
//! it in its line, by SQL, as a hundred thousand requests would take minutes. The tenants' totals are kept as the product keeps them.

use std::process::Command;

use anyhow::Result;

use super::super::api::sign_up;
use crate::packages::debian::{self, SQLITE};
use crate::process::command::output;
use crate::product::Product;
use crate::product::postgres::Postgres;

/// Enough that none has more open than a tenant may.
const TENANTS: u32 = 10;

pub fn sqlite(product: &Product, jobs: u32) -> Result<()> {
    debian::require(&[SQLITE])?;
    tenants(product)?;
    let numbers = format!("WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {jobs})");
    let mut sqlite = Command::new("sqlite3");
    sqlite.arg("-cmd").arg(".timeout 10000").arg(product.data.join("reelmill.db"));
    sqlite.arg(format!("BEGIN IMMEDIATE; {}; {TOTALS}; COMMIT;", copies(&numbers, "numbers", "randomblob(16)", jobs)));
    output(&mut sqlite).map(drop)
}

pub fn postgres(postgres: &Postgres, product: &Product, jobs: u32) -> Result<()> {
    tenants(product)?;
    let numbers = format!("generate_series(1, {jobs}) AS numbers(n)");
    let url = product.database_url.as_deref().unwrap_or_default();
    postgres.execute(url, &format!("{}; {TOTALS}; VACUUM ANALYZE", copies("", &numbers, "gen_random_uuid()", jobs)))
}

fn tenants(product: &Product) -> Result<()> {
    (0..TENANTS).try_for_each(|n| sign_up(product, &format!("other{n}@example.com")))
}

/// The statement that copies the one job; `numbers` counts from 1 to `jobs`.
fn copies(with: &str, numbers: &str, id: &str, jobs: u32) -> String {
    format!(
        "INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, \
         size_weight_permille, steps_default, state, waits_for, epoch, attempts, suspect, not_before_ms, revision, step, \
         created_at_ms, lane, start_tag, finish_tag) {with} \
         SELECT {id}, others.tenant_id, others.id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, \
         size_weight_permille, steps_default, state, waits_for, epoch, attempts, suspect, not_before_ms, revision, step, \
         jobs.created_at_ms - 3600000 + CAST(n AS BIGINT) * 3600000 / {jobs}, lane, \
         (CAST(n AS BIGINT) - {jobs} - 1) / {TENANTS} * billed_ms * 1000, (CAST(n AS BIGINT) - {jobs}) / {TENANTS} * billed_ms * 1000 \
         FROM {numbers} CROSS JOIN (SELECT * FROM jobs LIMIT 1) AS jobs \
         JOIN (SELECT users.id AS id, tenant_id, ROW_NUMBER() OVER (ORDER BY users.id) AS place \
         FROM users JOIN memberships ON memberships.user_id = users.id WHERE email LIKE 'other%') AS others \
         ON others.place = n % {TENANTS} + 1"
    )
}

const TOTALS: &str = "UPDATE tenants SET open_ms = \
     (SELECT COALESCE(SUM(billed_ms), 0) FROM jobs WHERE jobs.tenant_id = tenants.id AND ended_at_ms IS NULL)";
