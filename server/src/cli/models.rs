//! `reelmill admin model`: what is on offer, and under which names.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use domain::Actor;
use service::{
    Services,
    placement::{minutes, rule_of},
};

#[derive(Debug, Subcommand)]
pub enum Models {
    /// Print a line for each model that is or was on offer: id, family, what it makes, whether it is on offer, aliases
    List,
    /// Let an alias stand for a model, whatever it stood for before
    Alias(Alias),
    /// Let an alias stand for nothing any more
    Unalias(Unalias),
    /// Keep a model warm on so many workers, whatever else waits
    Pin(Pin),
    /// Say how long a model stays in memory that nobody uses
    KeepWarm(KeepWarm),
}

#[derive(Debug, Args)]
pub struct Alias {
    /// The name that clients ask for, such as `sora-2`
    #[arg(long)]
    alias: String,
    /// Id of the model that they get
    #[arg(long)]
    model: String,
}

#[derive(Debug, Args)]
pub struct Unalias {
    /// The name that clients ask for
    #[arg(long)]
    alias: String,
}

#[derive(Debug, Args)]
pub struct Pin {
    /// Id of the model
    #[arg(long)]
    model: String,
    /// On so many; 0: none
    #[arg(long)]
    workers: String,
}

#[derive(Debug, Args)]
pub struct KeepWarm {
    /// Id of the model
    #[arg(long)]
    model: String,
    /// Whole minutes, or `never` of a model that stays until its memory is needed
    #[arg(long)]
    minutes: String,
}

impl Models {
    pub async fn execute(self, services: &Services) -> Result<()> {
        match self {
            Self::List => list(services).await,
            Self::Alias(Alias { alias, model }) => Ok(services.set_alias(Actor::Operator, &alias, &model).await?),
            Self::Unalias(Unalias { alias }) => unalias(services, &alias).await,
            Self::Pin(Pin { model, workers }) => place(services, &model, Some(workers), None).await,
            Self::KeepWarm(KeepWarm { model, minutes }) => place(services, &model, None, Some(minutes)).await,
        }
    }
}

/// Between two columns is a tab.
async fn list(services: &Services) -> Result<()> {
    for row in services.models(Actor::Operator).await? {
        let makes = if row.model.makes_images() { "images" } else { "videos" };
        let offered = if row.is_offered { "on offer" } else { "off offer" };
        println!("{}\t{}\t{makes}\t{offered}\t{}", row.model.id, row.model.family, row.aliases.join(", "));
    }
    Ok(())
}

/// What is not given stays.
async fn place(services: &Services, model: &str, workers: Option<String>, keep_warm: Option<String>) -> Result<()> {
    let known = services.model_rule(Actor::Operator, model).await?;
    let (workers, keep_warm) = (workers.unwrap_or(known.pinned_workers.to_string()), keep_warm.unwrap_or_else(|| minutes(known)));
    Ok(services.place_model(Actor::Operator, None, model, rule_of(&workers, &keep_warm)?).await?)
}

async fn unalias(services: &Services, alias: &str) -> Result<()> {
    if !services.remove_alias(Actor::Operator, alias).await? {
        bail!("there is no alias `{alias}`");
    }
    Ok(())
}
