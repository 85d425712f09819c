//! `reelmill admin payments`: whether what we know of payments is what the processor knows.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use domain::Actor;
use service::{
    Services,
    payment::{Difference, PaymentOptions},
};

#[derive(Debug, Subcommand)]
pub enum Payments {
    /// Compare subscriptions, invoices, credit and usage with the payment processor: fails, and names each difference; changes nothing
    Reconcile(Reconcile),
}

#[derive(Debug, Args)]
pub struct Reconcile {
    #[command(flatten)]
    payments: PaymentOptions,
}

impl Payments {
    pub async fn execute(self, services: &Services) -> Result<()> {
        let Self::Reconcile(Reconcile { payments }) = self;
        let services = services.clone().with_payments(&payments, "")?;
        let found = services.reconcile_payments(Actor::Operator).await?;
        for Difference { tenant, customer, what, ours, theirs } in &found.differences {
            println!("tenant {tenant}, {customer}: {what}: here {ours}, there {theirs}");
        }
        if !found.differences.is_empty() {
            bail!("{} differences between {} customers and the payment processor", found.differences.len(), found.customers);
        }
        println!("{} customers, no difference", found.customers);
        Ok(())
    }
}
