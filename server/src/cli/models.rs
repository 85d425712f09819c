//! `reelmill admin model`: what is on offer, and under which names.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use domain::Actor;
use service::Services;

#[derive(Debug, Subcommand)]
pub enum Models {
    /// Print a line for each model that is or was on offer: id, family, what it makes, whether it is on offer, aliases
    List,
    /// Let an alias stand for a model, whatever it stood for before
    Alias(Alias),
    /// Let an alias stand for nothing any more
    Unalias(Unalias),
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

impl Models {
    pub async fn execute(self, services: &Services) -> Result<()> {
        match self {
            Self::List => list(services).await,
            Self::Alias(Alias { alias, model }) => Ok(services.set_alias(Actor::Operator, &alias, &model).await?),
            Self::Unalias(Unalias { alias }) => unalias(services, &alias).await,
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

async fn unalias(services: &Services, alias: &str) -> Result<()> {
    if !services.remove_alias(Actor::Operator, alias).await? {
        bail!("there is no alias `{alias}`");
    }
    Ok(())
}
