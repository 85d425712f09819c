//! `cargo xtask reconcile`: whether the ledger of an instance is true, and agrees with the payment processor.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::product::Product;
use crate::project::{Profile, Project};
use crate::up;

#[derive(Args)]
pub struct Options {
    /// Folder of the instance [default: `data` in the checkout].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The PostgreSQL database that it uses instead of the embedded SQLite.
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
}

/// Adds up balances, limits and usage anew from the ledger, and compares subscriptions, invoices, credit and metered usage with the
/// payment processor whose key is in `STRIPE_SECRET_KEY`. Prints each difference, changes nothing, and returns whether there is none.
pub fn reconcile(project: &Project, options: &Options) -> Result<bool> {
    let data = options.data.clone().unwrap_or_else(|| project.root.join("data"));
    ensure!(data.is_dir(), "there is no folder {}: name that of the instance with --data", data.display());
    up::build_programs(project, Profile::Product)?;
    let product = Product {
        binaries: project.binaries(Profile::Product),
        data,
        site: project.site(),
        models: project.models(),
        database_url: options.database_url.clone(),
        port: 0,
        twin_port: None,
        provider: None,
    };
    let is_true = finds_nothing(&mut product.admin(&["ledger", "check"]))?;
    if env::var_os("STRIPE_SECRET_KEY").is_none() {
        eprintln!("Payments are not compared: there is no STRIPE_SECRET_KEY.");
        return Ok(is_true);
    }
    Ok(finds_nothing(&mut product.admin(&["payments", "reconcile"]))? && is_true)
}

fn finds_nothing(check: &mut Command) -> Result<bool> {
    Ok(check.status().with_context(|| format!("cannot start {}", check.get_program().display()))?.success())
}
