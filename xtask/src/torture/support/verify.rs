//! What has to hold after everything that was done: nothing acknowledged is lost, everything has ended once,
//! and rows and objects say the same.

use std::collections::HashMap;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::api::{Api, Video};
use super::deployment::Deployment;
use super::report::Report;
use crate::process::interrupt;

/// Nothing takes so long that goes on at all.
const STALLED_AFTER: Duration = Duration::from_secs(300);
const GLANCE: Duration = Duration::from_millis(250);

/// Waits until all videos have ended, doing `meanwhile` again and again.
///
/// # Errors
/// When nothing has changed for five minutes.
pub fn wait_until_ended(deployment: &mut Deployment, mut meanwhile: impl FnMut(&mut Deployment) -> Result<()>) -> Result<Vec<Video>> {
    let api = deployment.api();
    let (mut before, mut changed) = (Vec::new(), Instant::now());
    loop {
        interrupt::check()?;
        meanwhile(deployment)?;
        // A server that is away for a moment is asked again.
        if let Ok(videos) = api.all() {
            if videos.iter().all(Video::has_ended) {
                return Ok(videos);
            }
            if videos != before {
                (before, changed) = (videos, Instant::now());
            }
        }
        ensure!(changed.elapsed() < STALLED_AFTER, "nothing goes on any more: {}\n{}", told(&before), deployment.last_words());
        thread::sleep(GLANCE);
    }
}

fn told(videos: &[Video]) -> String {
    let open: Vec<_> = videos.iter().filter(|video| !video.has_ended()).collect();
    let some: Vec<_> = open.iter().take(5).map(|video| format!("{} {}", video.id, video.status)).collect();
    format!("{} of {} videos have not ended, such as {}", open.len(), videos.len(), some.join(", "))
}

/// Looks at every acknowledged job and at all that is stored. The server must be running; every job has ended.
pub fn verify(deployment: &Deployment, acknowledged: &[String], report: &mut Report) -> Result<Vec<Video>> {
    let videos = deployment.api().all()?;
    let by_id: HashMap<&str, &Video> = videos.iter().map(|video| (&*video.id, video)).collect();
    let found: Vec<_> = acknowledged.iter().filter_map(|id| by_id.get(&**id)).collect();
    report.note("acknowledged jobs", acknowledged.len());
    report.note("of these completed", found.iter().filter(|video| video.is_completed()).count());
    report.expect_none("acknowledged jobs that are lost", acknowledged.len() - found.len());
    report.expect_none("jobs that have not ended", videos.iter().filter(|video| !video.has_ended()).count());
    let untyped = videos.iter().filter(|video| video.status == "failed" && video.error.is_none());
    report.expect_none("failed jobs without a reason", untyped.count());
    check_storage(deployment, report)?;
    Ok(videos)
}

/// Runs the product's own check, with all hashes.
pub fn check_storage(deployment: &Deployment, report: &mut Report) -> Result<()> {
    let check = storage(deployment)?;
    let findings = check["findings"].as_array().context("the check tells no findings")?;
    for finding in findings {
        let (flaw, count) = (finding["flaw"].as_str().unwrap_or_default(), finding["count"].as_u64().unwrap_or(0));
        let example = finding["examples"][0].as_str().unwrap_or_default();
        // A process that is killed leaves what it was writing; how long that may lie is judged by its age.
        if flaw == "temporary_left" {
            report.note("files that a killed process was writing", count);
        } else {
            report.expect_none(format!("{flaw}, such as {example}"), count as usize);
        }
    }
    let others = findings.iter().filter(|finding| finding["flaw"] != "temporary_left").count();
    report.expect_none("kinds of flaws in what is stored", others);
    report.note("objects compared by SHA-256", &check["objects"]);
    report.note("objects that wait for the garbage collection", &check["garbage"]);
    Ok(())
}

/// What `reelmill admin check` tells.
pub fn storage(deployment: &Deployment) -> Result<Value> {
    let check = deployment.product.admin(&["check", "--json", "--hashes", "--grace-seconds", "0"]);
    let mut check = deployment.prepared(check, "check")?;
    let told = check.stdin(Stdio::null()).stdout(Stdio::piped()).output().context("the check cannot be run")?;
    let text = String::from_utf8_lossy(&told.stdout);
    serde_json::from_str(&text).with_context(|| format!("the check did not end: {text}\n{}", deployment.last_words()))
}

/// A job over which a worker was lost may have been tried this often; see `domain::job`.
pub const ATTEMPTS_MAX: u64 = 3;

/// Takes in so many jobs that `wanted` are open, and notes them.
pub fn fill_up(api: &Api, open: usize, wanted: usize, most: usize, acknowledged: &mut Vec<String>) -> Result<()> {
    for _ in open..wanted {
        if acknowledged.len() >= most {
            break;
        }
        let seed = acknowledged.len() as u64;
        acknowledged.push(api.submit(&super::api::Wanted::new("the sea at sunset", 6, seed))?);
    }
    Ok(())
}
