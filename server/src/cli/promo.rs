//! `reelmill admin promo`: words for which tenants are given video time.

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use domain::{
    Actor, Timestamp, VideoTime,
    billing::{Audience, PromoTerms},
};
use service::{Services, billing::NewPromo};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const LISTED_AT_ONCE: u64 = 100;

#[derive(Debug, Subcommand)]
pub enum Promo {
    /// Make a code and print it
    Create(CreatePromo),
    /// Print a line for each code: the code, the video-seconds that it gives, how often it was used and may be, until when it is valid (unix seconds), who for
    List,
    /// Have nobody use a code any more; what it gave stays
    Archive(ArchivePromo),
}

#[derive(Debug, Args)]
pub struct CreatePromo {
    /// The code; without it, one is drawn that nobody guesses
    #[arg(long)]
    code: Option<String>,
    /// What it gives, such as 120
    #[arg(long)]
    video_seconds: VideoTime,
    /// After how many days what it gave can be used no longer; without it, never
    #[arg(long)]
    credit_days: Option<u32>,
    /// For how many days from now on it can be used; without it, until it is archived
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=3650))]
    valid_days: Option<u32>,
    /// How many tenants may use it; without it, any number
    #[arg(long)]
    uses: Option<u64>,
    /// Who may use it
    #[arg(long, value_enum, default_value_t = Who::Everybody)]
    audience: Who,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Who {
    Everybody,
    /// Tenants that were made in the last 30 days
    New,
}

#[derive(Debug, Args)]
pub struct ArchivePromo {
    #[arg(long)]
    code: String,
}

impl Promo {
    pub async fn execute(self, services: &Services) -> Result<()> {
        match self {
            Self::Create(asked) => create(services, asked).await,
            Self::List => list(services).await,
            Self::Archive(ArchivePromo { code }) => Ok(services.archive_promo_code(Actor::Operator, None, &code).await?),
        }
    }
}

async fn create(services: &Services, asked: CreatePromo) -> Result<()> {
    let valid_until = match asked.valid_days {
        Some(days) => Some(services.store.now().await?.plus_ms(i64::from(days) * DAY_MS)),
        None => None,
    };
    let audience = match asked.audience {
        Who::Everybody => Audience::Everybody,
        Who::New => Audience::NewTenants,
    };
    let terms = PromoTerms { amount: asked.video_seconds, credit_days: asked.credit_days, valid_until, uses_max: asked.uses, audience };
    let code = services.create_promo_code(Actor::Operator, None, NewPromo { code: asked.code, terms }).await?;
    println!("{code}");
    Ok(())
}

/// Between two columns is a tab.
async fn list(services: &Services) -> Result<()> {
    let mut before = None;
    loop {
        let codes = services.promo_codes(Actor::Operator, before, LISTED_AT_ONCE).await?;
        let Some(last) = codes.last() else { return Ok(()) };
        before = Some(last.code.id);
        for code in codes.into_iter().map(|overview| overview.code) {
            let terms = code.terms;
            let most = terms.uses_max.map_or_else(|| "any".to_owned(), |max| max.to_string());
            let until = terms.valid_until.map_or_else(|| "always".to_owned(), |at: Timestamp| at.unix_seconds().to_string());
            let until = if code.archived_at.is_some() { "archived".to_owned() } else { until };
            println!("{}\t{}\t{} of {most}\t{until}\t{}", code.code, terms.amount, code.uses, terms.audience.as_str());
        }
    }
}
