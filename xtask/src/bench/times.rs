//! How well the time that a job takes of a device is expected: clips of both models that ship, in all shapes and numbers of steps, on one
//! worker, each predicted from those before it.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::json;

use super::api::Api;
use super::clips::finished;
use crate::packages::debian::{self, SQLITE};
use crate::process::command::{output, run};
use crate::process::interrupt;
use crate::product::instance::Instance;
use crate::project::{Profile, Project};

const CLIPS: usize = 240;
const EMAIL: &str = "times@example.com";
/// Who, where and how: so many prompts that few clips have the same.
const PROMPTS: [&[&str]; 3] = [
    &[
        "a dog",
        "two children",
        "a red boat",
        "a hot air balloon",
        "a knight",
        "a cat",
        "a rocket",
        "three horses",
        "a robot",
        "an old tree",
    ],
    &[
        "in the snow",
        "on the sea at dawn",
        "over a city at night",
        "on a hill",
        "above the desert",
        "in a forest",
        "on the moon",
        "by a river",
    ],
    &["in the rain", "in a storm", "under a rainbow", "at sunset", "with a kite", "and birds", "and a castle", "on a sunny day"],
];
/// A model that ships, with the sizes, seconds and steps that are asked for.
type Asked = (&'static str, [&'static str; 4], [&'static str; 4], [u32; 4]);
const ASKED: [Asked; 2] = [
    ("vignette-1", ["96x96", "192x192", "384x384", "768x768"], ["2"; 4], [8, 16, 24, 50]),
    ("flipbook-1", ["384x384", "640x360", "540x960", "1280x720"], ["2", "3", "4", "6"], [8, 12, 16, 24]),
];
const ROWS: &str =
    "SELECT model, device, stage, width, height, duration_ms, steps, device_ms, words FROM stage_timings ORDER BY measured_at_ms, id";

/// Whether the bars were reached. The rows are left in the build folder.
pub fn measure(project: &Project) -> Result<bool> {
    let mut build = project.cargo();
    run(build.args(["build", "--profile", Profile::Release.name(), "-p", "domain", "--example", "expected_times"]))?;
    debian::require(&[SQLITE])?;
    let instance = Instance::start(project, Profile::Release)?;
    let api = Api::new(instance.product(), EMAIL)?;
    run(&mut instance.product().admin(&["plan", "set", "--user", EMAIL, "--plan", "enterprise"]))?;
    let mut chance = 1;
    for n in 0..CLIPS {
        interrupt::check()?;
        let (model, sizes, seconds, steps) = ASKED[n % ASKED.len()];
        let mut one_of = |count: usize| {
            // Knuth's linear congruential generator: any other would do.
            chance = u64::wrapping_add(u64::wrapping_mul(chance, 6_364_136_223_846_793_005), 1_442_695_040_888_963_407);
            (chance >> 33) as usize % count
        };
        let prompt = PROMPTS.map(|parts| parts[one_of(parts.len())]).join(" ");
        let size = sizes[one_of(sizes.len())];
        let (seconds, steps) = (seconds[one_of(seconds.len())], steps[one_of(steps.len())]);
        finished(&api, &json!({ "prompt": prompt, "model": model, "size": size, "steps": steps, "seconds": seconds, "seed": n }))?;
    }
    let rows = output(Command::new("sqlite3").args(["-csv", "-newline", "\n"]).arg(instance.product().data.join("reelmill.db")).arg(ROWS))?;
    let kept = project.target.join("bench-times.csv");
    fs::write(&kept, &rows).with_context(|| format!("cannot write {}", kept.display()))?;
    let mut judge = Command::new(project.binaries(Profile::Release).join("examples/expected_times")).stdin(Stdio::piped()).spawn()?;
    judge.stdin.take().context("the program's input is not piped")?.write_all(rows.as_bytes())?;
    Ok(judge.wait()?.success())
}
