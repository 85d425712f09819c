//! `reelmill admin plan`, `credits` and `ledger`: what tenants may use, and whether the books are true.

use super::account::account;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use domain::{Actor, JobId, VideoTime, billing::Plan};
use serde_json::Value;
use service::{Services, billing::Gift};
use std::io::Read;

#[derive(Debug, Subcommand)]
pub enum Plans {
    /// Print a line for each plan: id, name, what it includes, a month's price, who it is for
    List,
    /// Print a plan as JSON, as `define` takes it
    Show(PlanName),
    /// Make a plan, or a new version of one, from JSON on standard input; it holds from the next job on
    Define,
    /// Give an account's tenant this plan, from its next job on
    Set(SetPlan),
    /// Print the id of the plan of an account's tenant
    Of(Account),
    /// Give this plan to whoever signs up from now on
    Default(PlanName),
}

#[derive(Debug, Args)]
pub struct PlanName {
    /// Id of the plan, such as `pro`
    #[arg(long)]
    plan: String,
}

#[derive(Debug, Args)]
pub struct SetPlan {
    /// Email address of the account
    #[arg(long)]
    user: String,
    /// Id of the plan, such as `pro`
    #[arg(long)]
    plan: String,
}

#[derive(Debug, Subcommand)]
pub enum Credits {
    /// Give an account's tenant credit
    Grant(GrantCredit),
    /// Give back what a video was charged, or a part of it, and print how much that was; nothing where all of it was given back before
    Refund(Refund),
    /// Print how many video-seconds an account's tenant can still use: the number only, or `unlimited`
    Show(Account),
}

#[derive(Debug, Args)]
pub struct GrantCredit {
    /// Email address of the account
    #[arg(long)]
    user: String,
    /// How much, such as 12 or 0.5
    #[arg(long)]
    video_seconds: VideoTime,
    /// After how many days it can be used no longer; without it, never
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=3650))]
    expires_after_days: Option<u32>,
    /// What for, in words that the account sees
    #[arg(long)]
    note: Option<String>,
}

#[derive(Debug, Args)]
pub struct Refund {
    /// Id of the video
    #[arg(long)]
    video: JobId,
    /// How much, such as 12 or 0.5; without it, all that is still charged
    #[arg(long)]
    video_seconds: Option<VideoTime>,
    /// Why, in words that the account sees
    #[arg(long)]
    reason: String,
    /// Names this refund: asked for again under the same name, it is made once
    #[arg(long)]
    once: Option<String>,
}

#[derive(Debug, Args)]
pub struct Account {
    /// Email address of the account
    #[arg(long)]
    user: String,
}

#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// Look through the whole ledger: fails, and names the rows, where a rule does not hold; changes nothing
    Check,
}

impl Plans {
    pub async fn execute(self, services: &Services) -> Result<()> {
        match self {
            Self::List => list(services).await,
            Self::Show(PlanName { plan }) => show(services, &plan).await,
            Self::Define => define(services).await,
            Self::Set(SetPlan { user, plan }) => {
                let tenant = account(services, &user).await?.membership().tenant;
                Ok(services.set_plan(Actor::Operator, tenant, &plan).await?)
            }
            Self::Of(Account { user }) => {
                let tenant = account(services, &user).await?.membership().tenant;
                println!("{}", services.plan_of(Actor::Operator, tenant).await?.id);
                Ok(())
            }
            Self::Default(PlanName { plan }) => Ok(services.set_default_plan(Actor::Operator, &plan).await?),
        }
    }
}

/// Between two columns is a tab.
async fn list(services: &Services) -> Result<()> {
    let default = services.default_plan().await?;
    for plan in services.plans(Actor::Operator).await? {
        let price = plan.monthly_price().map_or_else(|| "by agreement".to_owned(), |price| price.to_string());
        let listed = if plan.is_listed { "listed" } else { "not listed" };
        let default = if plan.id == default { ", for new accounts" } else { "" };
        println!("{}\t{}\t{}\t{price}\t{listed}{default}", plan.id, plan.name, plan.included);
    }
    Ok(())
}

async fn show(services: &Services, id: &str) -> Result<()> {
    let plans = services.plans(Actor::Operator).await?;
    let plan = plans.iter().find(|plan| plan.id == id).with_context(|| format!("there is no plan `{id}`"))?;
    println!("{}", serde_json::to_string_pretty(plan)?);
    Ok(())
}

async fn define(services: &Services) -> Result<()> {
    let mut json = String::new();
    std::io::stdin().read_to_string(&mut json).context("the plan cannot be read from standard input")?;
    let plan: Plan = serde_json::from_str(&json).context("that is no plan")?;
    if let Some(unknown) = unknown_field(&serde_json::from_str(&json)?, &serde_json::to_value(&plan)?) {
        bail!("a plan has no field `{unknown}`");
    }
    services.define_plan(Actor::Operator, &plan, None).await?;
    Ok(())
}

/// A field that was given and that a plan does not have.
fn unknown_field(given: &Value, known: &Value) -> Option<String> {
    let (Some(given), Some(known)) = (given.as_object(), known.as_object()) else { return None };
    given.iter().find_map(|(name, value)| match known.get(name) {
        None => Some(name.clone()),
        Some(known) => unknown_field(value, known),
    })
}

impl Credits {
    pub async fn execute(self, services: &Services) -> Result<()> {
        match self {
            Self::Grant(asked) => grant(services, asked).await,
            Self::Refund(Refund { video, video_seconds, reason, once }) => {
                let refund = service::billing::Refund { job: video, amount: video_seconds, reason, once };
                println!("{}", services.refund(Actor::Operator, None, refund).await?.time);
                Ok(())
            }
            Self::Show(Account { user }) => show_balance(services, &user).await,
        }
    }
}

async fn grant(services: &Services, asked: GrantCredit) -> Result<()> {
    let tenant = account(services, &asked.user).await?.membership().tenant;
    let expires_at = match asked.expires_after_days {
        Some(days) => Some(services.store.now().await?.plus_ms(i64::from(days) * 24 * 60 * 60 * 1000)),
        None => None,
    };
    Ok(services
        .give_credit(Actor::Operator, None, tenant, Gift { amount: asked.video_seconds, expires_at, note: asked.note, once: None })
        .await?)
}

async fn show_balance(services: &Services, user: &str) -> Result<()> {
    let tenant = account(services, user).await?.membership().tenant;
    let balance = services.balance_of(Actor::Operator, tenant).await?;
    if balance.is_unlimited() {
        println!("unlimited");
    } else {
        println!("{}", balance.left(|_| true));
    }
    Ok(())
}

impl Ledger {
    pub async fn execute(self, services: &Services) -> Result<()> {
        let Self::Check = self;
        let verified = services.verify_ledger(Actor::Operator).await?;
        for fault in &verified.faults {
            println!("{} {}: {}", fault.table, fault.row, fault.problem);
        }
        if !verified.faults.is_empty() {
            bail!("the ledger is wrong in {} places", verified.faults.len());
        }
        println!("the ledger is true: {} entries", verified.entries);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_no_plan_has_is_named() {
        let known = serde_json::json!({"id": "pro", "overage": {"limit_ms": 1}});
        assert_eq!(unknown_field(&serde_json::json!({"id": "a", "overage": null}), &known), None);
        assert_eq!(unknown_field(&serde_json::json!({"overage": {"limit": 1}}), &known).as_deref(), Some("limit"));
    }
}
