//! Fills a database with jobs that have ended: of several tenants, models, lanes and kinds of devices, over thirty days up to now, each computed
//! from its number. What jobs have in common is copied from one that was asked for through the API. Files of videos there are none.

use std::fmt::Write as _;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, ensure};

use crate::packages::debian::{self, SQLITE};
use crate::torture::support::api::Wanted;
use crate::torture::support::deployment::{Deployment, EMAIL};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// The last job was asked for so long ago that it has ended.
const LEAST_AGE_MS: u64 = 60 * 60 * 1000;
/// Beside the first one, of which four of ten jobs are.
const OTHERS: u64 = 6;
const AT_ONCE: u64 = 50_000;
const MODELS: [&str; 2] = ["vignette-1", "flipbook-1"];

pub struct Seed {
    jobs: u64,
    /// The first one was asked for then.
    from_ms: u64,
    until_ms: u64,
}

impl Seed {
    /// Makes the accounts, and the job that others are like.
    pub fn new(deployment: &Deployment, jobs: u64) -> Result<Self> {
        (1..=OTHERS).try_for_each(|n| deployment.sign_up(&format!("other{n}@example.com")).map(drop))?;
        deployment.api().submit(&Wanted::new("the sea at sunset", 6, 1))?;
        let now = u64::try_from(UNIX_EPOCH.elapsed()?.as_millis())?;
        Ok(Self { jobs, from_ms: now - 30 * DAY_MS + LEAST_AGE_MS, until_ms: now - LEAST_AGE_MS })
    }

    /// No server may run.
    pub fn write(&self, deployment: &Deployment) -> Result<()> {
        match (&deployment.postgres, &deployment.product.database_url) {
            (Some(postgres), Some(url)) => {
                let numbers = format!(
                    "(SELECT {} AS id, n FROM generate_series(CAST(1 AS BIGINT), {}) AS numbers(n)) AS numbers",
                    self.id_in_sql(),
                    self.jobs
                );
                postgres.execute(
                    url,
                    &format!(
                        "{}; {}; VACUUM ANALYZE",
                        self.copies(&numbers),
                        usage("CAST('00000000-0000-0000-0000-000000000000' AS UUID)")
                    ),
                )
            }
            _ => self.write_sqlite(deployment),
        }
    }

    /// Its shell knows no function that makes an id of digits, so they are told one by one.
    fn write_sqlite(&self, deployment: &Deployment) -> Result<()> {
        debian::require(&[SQLITE])?;
        let mut command = Command::new("sqlite3");
        command.args(["-bail", "-cmd", ".timeout 10000"]).arg(deployment.product.data.join("reelmill.db"));
        let mut shell = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().context("there is no sqlite3")?;
        let mut script = shell.stdin.take().context("the program's input is not piped")?;
        writeln!(script, "PRAGMA synchronous = OFF; PRAGMA cache_size = -300000; CREATE TEMP TABLE numbers (id BLOB, n INTEGER);")?;
        for first in (1..=self.jobs).step_by(usize::try_from(AT_ONCE)?) {
            let mut rows = String::new();
            for n in first..(first + AT_ONCE).min(self.jobs + 1) {
                let separator = if (n - first).is_multiple_of(500) { ";\nINSERT INTO numbers VALUES " } else { "," };
                write!(rows, "{separator}(X'{}',{n})", self.id(n))?;
            }
            writeln!(script, "BEGIN IMMEDIATE{rows};")?;
            writeln!(script, "{}; DELETE FROM numbers; COMMIT;", self.copies("numbers"))?;
        }
        writeln!(script, "{};", usage("zeroblob(16)"))?;
        drop(script);
        ensure!(shell.wait()?.success(), "the jobs could not be written");
        Ok(())
    }

    /// Of the job of this number, as 32 digits: in the order in which they were asked for, as ids are.
    pub fn id(&self, n: u64) -> String {
        format!("{:012x}7{:03x}8{n:015x}", self.created_ms(n), n & 0xfff)
    }

    fn id_in_sql(&self) -> String {
        let created_ms = self.created_in_sql();
        format!(
            "CAST(lpad(to_hex({created_ms}), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || lpad(to_hex(n), 15, '0') AS UUID)"
        )
    }

    fn created_ms(&self, n: u64) -> u64 {
        self.from_ms + n * (self.until_ms - self.from_ms) / self.jobs
    }

    fn created_in_sql(&self) -> String {
        format!("{} + n * {} / {}", self.from_ms, self.until_ms - self.from_ms, self.jobs)
    }

    /// The one of this share of all, from 0 for the oldest.
    pub fn id_at(&self, share: f64) -> String {
        self.id(((self.jobs as f64 * share) as u64).max(1))
    }

    /// The statement that adds the jobs of `numbers`, which has an `id` and an `n` of each.
    fn copies(&self, numbers: &str) -> String {
        let (created, [first, second]) = (self.created_in_sql(), MODELS);
        format!(
            "INSERT INTO jobs (id, tenant_id, user_id, api_key_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, \
             size_weight_permille, steps_default, state, waits_for, epoch, attempts, suspect, not_before_ms, failure_code, failure_message, revision, \
             step, created_at_ms, started_at_ms, sampled_at_ms, ended_at_ms, lane, start_tag, finish_tag, charged_ms, device, load_ms, encode_ms, \
             latents_upload_ms, sampling_device_ms, sampling_ms, upload_ms, decoding_device_ms, decoding_ms) \
             SELECT id, tenant_id, user_id, CASE WHEN n % 3 = 0 THEN NULL ELSE key_id END, model, prompt, width, height, duration_ms, steps, \
             guidance, n, billed_ms, size_weight_permille, steps_default, state, NULL, 2, 1, suspect, not_before_ms, \
             CASE WHEN state <> 'failed' THEN NULL WHEN n % 3 = 0 THEN 'worker_lost' ELSE 'out_of_memory' END, \
             CASE WHEN state = 'failed' THEN 'It failed.' END, revision, step, created_ms, CASE WHEN state <> 'cancelled' THEN created_ms + queue_ms END, \
             CASE WHEN state <> 'cancelled' THEN created_ms + queue_ms + load_ms + encode_ms + latents_ms + denoise_ms END, \
             created_ms + queue_ms + CASE WHEN state = 'cancelled' THEN 0 \
             ELSE load_ms + encode_ms + latents_ms + denoise_ms + decoder_wait_ms + decode_ms + upload_ms END, \
             lane, 0, 0, CASE WHEN state = 'succeeded' THEN billed_ms ELSE 0 END, CASE WHEN state <> 'cancelled' THEN device END, \
             load_ms, encode_ms, latents_ms, denoise_ms, load_ms + encode_ms + latents_ms + denoise_ms, upload_ms, decode_ms, decode_ms + upload_ms \
             FROM (SELECT numbers.id, n, tenant_id, user_id, key_id, CASE WHEN n % 2 = 0 THEN '{first}' ELSE '{second}' END AS model, \
             CASE WHEN n % 1000 = 0 THEN 'a rare lighthouse at dusk' ELSE prompt || ', the way it was ' || CAST(n AS TEXT) END AS prompt, width, height, \
             duration_ms, steps, guidance, billed_ms, size_weight_permille, steps_default, suspect, not_before_ms, revision, step, \
             CASE WHEN n % 20 = 7 THEN 'failed' WHEN n % 50 = 3 THEN 'cancelled' ELSE 'succeeded' END AS state, \
             {created} AS created_ms, CASE WHEN n % 5 = 0 THEN 'batch' ELSE 'interactive' END AS lane, \
             CASE n % 4 WHEN 0 THEN 'NVIDIA A100' WHEN 1 THEN 'NVIDIA L4' ELSE 'cpu' END AS device, \
             (n * 48271 % 1009) * (n * 69621 % 997) / 20 AS queue_ms, CASE WHEN n % 17 = 0 THEN 500 + n * 31 % 9001 ELSE 0 END AS load_ms, \
             5 + n * 37 % 211 AS encode_ms, n * 41 % 23 AS latents_ms, 300 + (n * 7919 % 5003) * (1 + n % 2 * 3) AS denoise_ms, \
             (n * 131 % 211) * (n * 89 % 223) AS decoder_wait_ms, 40 + n * 613 % 797 AS decode_ms, 3 + n * 29 % 101 AS upload_ms FROM {numbers} \
             JOIN (SELECT users.id AS user_id, memberships.tenant_id, api_keys.id AS key_id, \
             CASE WHEN email = '{EMAIL}' THEN 0 ELSE CAST(substr(email, 6, 1) AS INTEGER) END AS place \
             FROM users JOIN memberships ON memberships.user_id = users.id JOIN api_keys ON api_keys.user_id = users.id) AS owners \
             ON owners.place = CASE WHEN n % 10 < 4 THEN 0 ELSE n % 10 - 3 END \
             CROSS JOIN (SELECT prompt, width, height, duration_ms, steps, guidance, billed_ms, size_weight_permille, steps_default, suspect, \
             not_before_ms, revision, step FROM jobs WHERE ended_at_ms IS NULL LIMIT 1) AS one) AS made"
        )
    }
}

/// The statement that adds up what each tenant has used on each day, as each job does at its end. `nil`: for no key.
fn usage(nil: &str) -> String {
    format!(
        "INSERT INTO usage_days (tenant_id, day, model, project_id, api_key_id, user_id, lane, currency, succeeded, failed, cancelled, charged_ms, \
         cost_thousandths) SELECT tenant_id, CAST(ended_at_ms / 86400000 AS INTEGER), model, tenant_id, COALESCE(api_key_id, {nil}), user_id, lane, \
         '', SUM(CASE state WHEN 'succeeded' THEN 1 ELSE 0 END), SUM(CASE state WHEN 'failed' THEN 1 ELSE 0 END), \
         SUM(CASE state WHEN 'cancelled' THEN 1 ELSE 0 END), SUM(charged_ms), 0 FROM jobs WHERE ended_at_ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_the_order_in_which_jobs_were_asked_for() {
        let seed = Seed { jobs: 1000, from_ms: 1_790_000_000_000, until_ms: 1_792_000_000_000 };
        let ids: Vec<_> = (1..=1000).map(|n| seed.id(n)).collect();
        assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 32 && id.as_bytes()[12] == b'7' && id.as_bytes()[16] == b'8'));
        assert_eq!(seed.id_at(1.0), seed.id(1000));
        assert_eq!(seed.created_ms(1000), seed.until_ms);
    }
}
