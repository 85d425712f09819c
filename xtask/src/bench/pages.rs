//! Lighthouse on the public pages, as on a phone and on a desk.

use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::packages::debian;
use crate::process::command::{find, output};
use crate::product::instance::Instance;
use crate::project::Project;

const LIGHTHOUSE: &str = "lighthouse@12.8.2";
const PUBLIC: [&str; 5] = ["/", "/signin", "/signup", "/forgot-password", "/reference"];
const CATEGORIES: [&str; 3] = ["performance", "accessibility", "best-practices"];
const BAR: f64 = 95.0;

/// Whether every page reached the bar in every category.
pub fn measure(project: &Project, instance: &Instance) -> Result<bool> {
    debian::require(&[debian::CHROMIUM, debian::NODE, debian::NPM])?;
    let mut reached = true;
    println!("| page | as on | {} | first paint ms | largest paint ms | blocked ms | layout shift |", CATEGORIES.join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(CATEGORIES.len() + 4));
    for path in PUBLIC {
        for device in ["mobile", "desktop"] {
            let report = report(project, &format!("{}{path}", instance.product().url()), device)?;
            let scores = CATEGORIES.map(|category| report["categories"][category]["score"].as_f64().unwrap_or(0.0) * 100.0);
            let metric = |name: &str| report["audits"][name]["numericValue"].as_f64().unwrap_or(f64::NAN);
            reached &= scores.iter().all(|score| *score >= BAR);
            println!(
                "| `{path}` | {device} | {} | {:.0} | {:.0} | {:.0} | {:.3} |",
                scores.map(|score| format!("{score:.0}")).join(" | "),
                metric("first-contentful-paint"),
                metric("largest-contentful-paint"),
                metric("total-blocking-time"),
                metric("cumulative-layout-shift"),
            );
        }
    }
    Ok(reached)
}

fn report(project: &Project, url: &str, device: &str) -> Result<Value> {
    let mut command = Command::new("npm");
    command.args(["exec", "--yes", "--package", LIGHTHOUSE, "--", "lighthouse", url, "--quiet", "--output=json"]);
    command.arg(format!("--only-categories={}", CATEGORIES.join(",")));
    command.arg("--chrome-flags=--headless=new --no-sandbox --disable-gpu");
    if device == "desktop" {
        command.arg("--preset=desktop");
    }
    command.env("CHROME_PATH", find("chromium").context("chromium is missing")?).current_dir(&project.target);
    serde_json::from_str(&output(&mut command)?).context("Lighthouse's report is not JSON")
}
