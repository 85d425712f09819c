//! `stripe-twin`: Stripe on this machine. The first line that it prints is its address.

use std::io::Write;

use anyhow::{Context, Result};
use clap::Parser;
use stripe_twin::{AfterDunning, Faults, Options, Settings, Twin, Webhook};

#[derive(Parser)]
#[command(version, about = "Behaves like Stripe, in memory, for tests and for trying out")]
struct Arguments {
    /// Zero finds a free one.
    #[arg(long, default_value_t = 12111)]
    port: u16,
    /// Makes ids, and what goes wrong on demand, the same in each run.
    #[arg(long)]
    seed: Option<u64>,
    /// Is told of every event.
    #[arg(long, requires = "webhook_secret")]
    webhook_url: Option<String>,
    /// What these tellings are signed with.
    #[arg(long, env = "STRIPE_TWIN_WEBHOOK_SECRET")]
    webhook_secret: Option<String>,
    /// Pauses before a telling that failed is tried again, in milliseconds.
    #[arg(long, value_delimiter = ',')]
    webhook_retries_ms: Option<Vec<u64>>,
    /// Days between the tries to collect an invoice.
    #[arg(long, value_delimiter = ',')]
    dunning_days: Option<Vec<i64>>,
    /// What becomes of a subscription after the last of them.
    #[arg(long, default_value = "cancel", value_parser = ["cancel", "unpaid", "past_due"])]
    after_dunning: String,
    /// How long the invoice of a renewal stays a draft.
    #[arg(long, default_value_t = 3600)]
    draft_seconds: i64,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let port = arguments.port;
    let twin = Twin::start(options(arguments)).await.with_context(|| format!("cannot listen on port {port}"))?;
    println!("{}", twin.base_url());
    std::io::stdout().flush()?;
    tokio::signal::ctrl_c().await.context("cannot wait for the end")
}

fn options(arguments: Arguments) -> Options {
    let (mut settings, mut faults) = (Settings::default(), Faults::default());
    settings.draft_s = arguments.draft_seconds;
    settings.after_dunning = match arguments.after_dunning.as_str() {
        "unpaid" => AfterDunning::MarkUnpaid,
        "past_due" => AfterDunning::LeavePastDue,
        _ => AfterDunning::Cancel,
    };
    if let Some(days) = arguments.dunning_days {
        settings.dunning_s = days.into_iter().map(|days| days * 86_400).collect();
    }
    if let Some(retries) = arguments.webhook_retries_ms {
        faults.retries_ms = retries;
    }
    faults.seed = arguments.seed.unwrap_or(0);
    let webhook = arguments.webhook_url.zip(arguments.webhook_secret).map(|(url, secret)| Webhook { url, secret });
    Options { port: arguments.port, seed: arguments.seed, webhook, settings, faults }
}
