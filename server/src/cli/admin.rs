//! Accounts, keys, models and a check for scripts: standard output has the one thing asked for and nothing else.

use super::{
    account::account,
    billing::{Credits, Ledger, Plans},
    capacity::Capacity,
    check::{CheckArguments, check},
    models::Models,
    payments::Payments,
    promo::Promo,
    queue::Queue,
};
use crate::config::PublicUrl;
use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand};
use domain::{Actor, Email, Scope, Scopes};
use service::{KeyRequest, Services};
use std::io::Read;

#[derive(Debug, Subcommand)]
pub enum Admin {
    /// Accounts
    #[command(subcommand)]
    User(Users),
    /// API keys
    #[command(subcommand)]
    Key(Key),
    /// Models on offer, and their aliases
    #[command(subcommand)]
    Model(Models),
    /// Plans: what they give, and who has them
    #[command(subcommand)]
    Plan(Plans),
    /// Credit: giving it, and how much is left
    #[command(subcommand)]
    Credits(Credits),
    /// The ledger of all that was granted, held and charged
    #[command(subcommand)]
    Ledger(Ledger),
    /// Promo codes: words for which tenants are given video time
    #[command(subcommand)]
    Promo(Promo),
    /// The queue: pausing parts of it, and acts upon videos and workers in it
    #[command(subcommand)]
    Queue(Queue),
    /// What a payment processor knows
    #[command(subcommand)]
    Payments(Payments),
    /// The capacity planner: what a fleet can do, how long jobs wait for it, and what that costs
    #[command(subcommand)]
    Capacity(Capacity),
    /// Look through everything that is stored and say what is wrong; changes nothing
    Check(CheckArguments),
}

#[derive(Debug, Subcommand)]
pub enum Users {
    /// Make an account and print its id
    Create(CreateUser),
    /// Print a link by which a forgotten password is set: for whoever no mail reaches. It is good for an hour
    ResetLink(ResetLink),
}

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Make an API key and print it: it cannot be shown again
    Create(CreateKey),
}

#[derive(Debug, Args)]
pub struct CreateUser {
    #[arg(long)]
    email: String,
    /// Read the password from standard input, so that it shows in no list of processes
    #[arg(long, required = true)]
    password_stdin: bool,
}

#[derive(Debug, Args)]
pub struct ResetLink {
    /// Email address of the account
    #[arg(long)]
    email: String,
    /// Address under which browsers reach the server
    #[arg(long, env = "REELMILL_PUBLIC_URL", default_value = "http://127.0.0.1:3000")]
    url: PublicUrl,
}

#[derive(Debug, Args)]
pub struct CreateKey {
    /// Email address of the account
    #[arg(long)]
    user: String,
    /// What the key is for
    #[arg(long)]
    name: String,
    /// For the operator’s routes, and nothing else; the account must be the operator’s
    #[arg(long)]
    operator: bool,
}

impl Admin {
    /// Whether the database must be up to date for it.
    pub const fn writes(&self) -> bool {
        !matches!(self, Self::Capacity(_) | Self::Check(_) | Self::Ledger(_) | Self::Payments(_))
    }

    pub async fn execute(self, services: &Services) -> Result<()> {
        match self {
            Self::User(Users::Create(asked)) => create_user(services, asked).await,
            Self::User(Users::ResetLink(asked)) => reset_link(services, asked).await,
            Self::Key(Key::Create(asked)) => create_key(services, asked).await,
            Self::Model(asked) => asked.execute(services).await,
            Self::Plan(asked) => asked.execute(services).await,
            Self::Credits(asked) => asked.execute(services).await,
            Self::Ledger(asked) => asked.execute(services).await,
            Self::Promo(asked) => asked.execute(services).await,
            Self::Queue(asked) => Box::pin(asked.execute(services)).await,
            Self::Payments(asked) => asked.execute(services).await,
            Self::Capacity(asked) => asked.execute(services).await,
            Self::Check(asked) => check(services, &asked).await,
        }
    }
}

async fn create_user(services: &Services, CreateUser { email, password_stdin: _ }: CreateUser) -> Result<()> {
    let mut password = String::new();
    std::io::stdin().read_to_string(&mut password).context("the password cannot be read from standard input")?;
    let user = services.sign_up(&email, password.trim_end_matches(['\r', '\n'])).await?;
    println!("{}", user.id);
    Ok(())
}

async fn reset_link(services: &Services, ResetLink { email, url }: ResetLink) -> Result<()> {
    let email: Email = email.parse().with_context(|| format!("`{email}` names no account"))?;
    let path = services.reset_link(Actor::Operator, &email).await?;
    let path = path.ok_or_else(|| anyhow!("there is no account with the email address {email}"))?;
    println!("{}{path}", url.origin());
    Ok(())
}

async fn create_key(services: &Services, CreateKey { user, name, operator }: CreateKey) -> Result<()> {
    let user = account(services, &user).await?;
    let scopes = operator.then(|| Scopes::parse(Scope::Operator.as_str())).transpose()?;
    let key = services.create_key_for(user.actor(), KeyRequest { name, scopes, ..KeyRequest::default() }, "").await?;
    println!("{}", key.secret);
    Ok(())
}
