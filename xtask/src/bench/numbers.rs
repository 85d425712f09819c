//! How soon pages and lists answer over a million jobs that have ended, and how far percentiles are from the exact ones. The jobs are written by
//! SQL; all that is added up over them is added up by the server itself.

mod asked;
mod exact;
mod seed;

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::Choice;
use crate::console::{seconds, step};
use crate::process::interrupt;
use crate::project::Project;
use crate::torture::Setting;
use crate::torture::support::deployment::Deployment;
use crate::torture::support::report::{Report, percentile};
use asked::Client;
use seed::Seed;

/// Of each page and list, 95 of 100 answers.
const P95_MAX: Duration = Duration::from_millis(300);
/// Of a percentile, as a share of the exact one.
const ERROR_MAX: f64 = 0.01;
const WARM_UP: usize = 3;
const ANSWERS: usize = 60;
/// For a million jobs to be counted.
const COUNTED_WITHIN: Duration = Duration::from_secs(3600);
const GLANCE: Duration = Duration::from_secs(2);

#[derive(Args)]
#[group(id = "numbers")]
pub struct Options {
    /// Of `numbers`: how many jobs have ended.
    #[arg(long, default_value_t = 1_000_000)]
    jobs: u64,
}

/// Whether every bar was reached on every database.
pub fn measure(project: &Project, options: &Options, choice: &Choice) -> Result<bool> {
    let mut reached = true;
    for database in choice.databases() {
        let mut report = Report::new("numbers", choice.seed(), choice.profile());
        of(&choice.setting(project, database), options, &mut report)?;
        println!("On {}, over {} jobs:\n\n{report}", database.name(), options.jobs);
        reached &= report.is_clean();
    }
    Ok(reached)
}

fn of(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.start_server()?;
    let seed = Seed::new(&deployment, options.jobs)?;
    deployment.kill_server()?;
    step(&format!("Seeding {}", setting.database.name()), || seed.write(&deployment))?;
    deployment.start_server()?;
    let counted = step("Counting them", || wait_until_counted(&mut deployment))?;
    report.note("counted, by the server", seconds(counted));
    step("Comparing percentiles", || exact::judge(&deployment, report, ERROR_MAX))?;
    let client = Client::new(&deployment)?;
    let asked = asked::all(&seed, &deployment)?;
    let mut times = vec![Vec::new(); asked.len()];
    step(&format!("Asking {} pages and lists", asked.len()), || {
        for round in 0..WARM_UP + ANSWERS {
            for (question, times) in asked.iter().zip(&mut times) {
                interrupt::check()?;
                let took = client.ask(question).with_context(|| deployment.last_words())?;
                if round >= WARM_UP {
                    times.push(took);
                }
            }
        }
        Ok(())
    })?;
    for (question, times) in asked.iter().zip(&mut times) {
        let [p50, p95] = [50, 95].map(|percent| percentile(times, percent).unwrap_or(Duration::MAX));
        let told = format!("P50 {} ms, P95 {} ms", p50.as_millis(), p95.as_millis());
        report.expect(format!("`{}`", question.name), told, format!("P95 at most {} ms", P95_MAX.as_millis()), p95 <= P95_MAX);
    }
    deployment.check_running()
}

fn wait_until_counted(deployment: &mut Deployment) -> Result<Duration> {
    let begun = Instant::now();
    loop {
        interrupt::check()?;
        deployment.check_running()?;
        let open = deployment.query("SELECT COUNT(*) FROM jobs WHERE counted_at_ms IS NULL AND ended_at_ms IS NOT NULL")?;
        if open.trim() == "0" {
            return Ok(begun.elapsed());
        }
        ensure!(begun.elapsed() < COUNTED_WITHIN, "{} jobs are not counted\n{}", open.trim(), deployment.last_words());
        thread::sleep(GLANCE);
    }
}
