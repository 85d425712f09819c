//! `reelmill admin capacity`: the planner's question and answer, as JSON.

use anyhow::{Context, Result};
use clap::Subcommand;
use domain::Actor;
use service::{Services, operator::capacity::CapacityQuestion};
use std::io::Read;

#[derive(Debug, Subcommand)]
pub enum Capacity {
    /// Print what the live system would ask, as JSON: its workers, what came of late, and what that takes
    Question,
    /// Answer a question, JSON on standard input, with JSON: waits by utilisation, release rate, cost
    Plan,
}

impl Capacity {
    pub async fn execute(self, services: &Services) -> Result<()> {
        match self {
            Self::Question => {
                let live = services.capacity_question(Actor::Operator).await?;
                println!("{}", serde_json::to_string_pretty(&live.question)?);
            }
            Self::Plan => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text).context("the question cannot be read from standard input")?;
                let question: CapacityQuestion = serde_json::from_str(&text).context("this is no question of the planner")?;
                let answer = Box::pin(services.capacity(Actor::Operator, &question)).await?;
                println!("{}", serde_json::to_string_pretty(&answer)?);
            }
        }
        Ok(())
    }
}
