//! Accounts with their plans, and jobs that are sent at their moments, whether or not earlier ones have ended.

use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::json;

use super::demand::{Fleet, Job, Plan, TENANTS, Tenant};
use super::fleet::Live;
use crate::bench::api::Api;
use crate::process::command::run;
use crate::process::interrupt;

const SENDERS: usize = 16;
/// Longer than a look at an interruption may wait.
const NAP: Duration = Duration::from_millis(200);

/// The answer to a submission.
pub struct Told {
    /// 32 digits.
    pub id: String,
    /// As likely as not, and in nine of ten cases, in milliseconds; `None`: nothing was told.
    pub eta_ms: Option<(f64, f64)>,
}

/// One for each of [`TENANTS`], which gets its plan.
pub fn accounts(live: &Live, fleet: Fleet) -> Result<Vec<Api>> {
    let product = live.product();
    TENANTS
        .iter()
        .map(|tenant| {
            let api = Api::new(product, tenant.email)?;
            define(live, tenant, fleet)?;
            run(product.admin(&["plan", "set", "--user", tenant.email, "--plan", tenant.plan]).stderr(Stdio::null()))?;
            Ok(api)
        })
        .collect()
}

fn define(live: &Live, tenant: &Tenant, fleet: Fleet) -> Result<()> {
    let mut plan = json!({
        "id": tenant.plan, "name": tenant.plan, "description": "", "is_listed": false, "order": 90, "currency": "usd", "monthly_minor": 0,
        "included": "unlimited", "credit_minor_per_minute": null, "overage": null, "lane": if tenant.is_batch { "batch" } else { "interactive" },
        "weight": tenant.weight, "open_work_max_ms": 360_000_000, "keys_max": 10,
    });
    if let Some(rate_ms) = tenant.release_rate_ms(fleet) {
        plan["release_rate"] = rate_ms.into();
    }
    let mut define = live.product().admin(&["plan", "define"]);
    let mut define = define.stdin(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    serde_json::to_writer(define.stdin.take().context("the program's input is not piped")?, &plan)?;
    ensure!(define.wait()?.success(), "the plan {} could not be made", tenant.plan);
    Ok(())
}

/// Sends each job at its moment; the answers in the order of the plan.
pub fn send(accounts: &[Api], plan: &Plan) -> Result<Vec<Told>> {
    let (next, begun) = (AtomicUsize::new(0), Instant::now());
    let answers: Mutex<Vec<(usize, Told, Duration)>> = Mutex::default();
    let sender = || -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = plan.jobs.get(number) else { return Ok(()) };
            let late = wait_for(begun + Duration::from_secs_f64(job.at_ms / 1000.0))?;
            let told = ask(&accounts[job.tenant], job)?;
            answers.lock().map_err(|_| anyhow!("a sender failed"))?.push((number, told, late));
        }
    };
    thread::scope(|scope| {
        let senders: Vec<_> = (0..SENDERS).map(|_| scope.spawn(sender)).collect();
        senders.into_iter().try_for_each(|sender| sender.join().map_err(|_| anyhow!("a sender failed"))?)
    })?;
    let mut answers = answers.into_inner().map_err(|_| anyhow!("a sender failed"))?;
    answers.sort_by_key(|(number, ..)| *number);
    let latest = answers.iter().map(|(.., late)| *late).max().unwrap_or_default();
    if latest > Duration::from_secs(1) {
        eprintln!("    a job was sent {:.1} s late: the machine is busy", latest.as_secs_f64());
    }
    Ok(answers.into_iter().map(|(_, told, _)| told).collect())
}

/// How late it is by then.
fn wait_for(moment: Instant) -> Result<Duration> {
    loop {
        interrupt::check()?;
        let left = moment.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(moment.elapsed());
        }
        thread::sleep(left.min(NAP));
    }
}

fn ask(api: &Api, job: &Job) -> Result<Told> {
    let (_, video) = api.create(&job.body())?;
    let ms = |name: &str| video["eta"][name].as_f64().map(|seconds| seconds * 1000.0);
    let id = video["id"].as_str().and_then(|id| id.rsplit('_').next()).context("a video has an id")?;
    Ok(Told { id: id.to_owned(), eta_ms: ms("p50_seconds").zip(ms("p90_seconds")) })
}
