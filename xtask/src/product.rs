//! The command lines of Reelmill's own programs, for one instance of the product.

pub mod http;
pub mod instance;
pub mod models;
pub mod postgres;
pub mod scratch;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Of the twin and the server that it tells of payments.
const WEBHOOK_SECRET: &str = "whsec_local";
/// Of the OpenID provider and the server that people sign in to by it.
const CLIENT_SECRET: &str = "local";

/// One running Reelmill: where its programs, its data and its door are.
#[derive(Clone)]
pub struct Product {
    pub binaries: PathBuf,
    pub data: PathBuf,
    pub site: PathBuf,
    pub models: PathBuf,
    pub database_url: Option<String>,
    pub port: u16,
    /// Where the twin of Stripe listens, with which it takes payments that move no money; `None`: it takes none.
    pub twin_port: Option<u16>,
    /// By which people may sign in; `None`: by none.
    pub provider: Option<OpenIdProvider>,
}

/// An OpenID provider for tests, of which everybody is who they say.
#[derive(Clone)]
pub struct OpenIdProvider {
    pub script: PathBuf,
    pub port: u16,
}

impl OpenIdProvider {
    pub fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Product {
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn server_binary(&self) -> PathBuf {
        self.binaries.join("reelmill")
    }

    /// Brings the database to the shape this version expects.
    pub fn migrate(&self) -> Command {
        let mut command = Command::new(self.server_binary());
        command.arg("migrate");
        self.on_its_data(command)
    }

    pub fn serve(&self) -> Command {
        let mut command = Command::new(self.server_binary());
        // Receivers of tests are on this machine.
        command.env("REELMILL_WEBHOOK_ALLOW", "127.0.0.0/8");
        command.args(["serve", "--port", &self.port.to_string()]).arg("--site").arg(&self.site).arg("--models").arg(&self.models);
        self.on_its_data(command)
    }

    /// The twin of Stripe, which tells the server of payments.
    pub fn twin(&self) -> Command {
        let mut command = Command::new(self.binaries.join("stripe-twin"));
        command.args(["--port", &self.twin_port.unwrap_or_default().to_string(), "--webhook-secret", WEBHOOK_SECRET]);
        command.arg("--webhook-url").arg(format!("{}/webhooks/stripe", self.url())).stdout(std::io::stderr());
        command
    }

    /// The OpenID provider, which needs the packages of `end2end/`.
    pub fn provider(&self) -> Command {
        let mut command = Command::new("node");
        if let Some(provider) = &self.provider {
            command.arg(&provider.script).arg(provider.port.to_string()).arg(format!("{}/signin/oidc/callback", self.url()));
        }
        command.env("REELMILL_OIDC_CLIENT_SECRET", CLIENT_SECRET).stdout(std::io::stderr());
        command
    }

    pub fn worker(&self) -> Command {
        let mut command = Command::new(self.binaries.join("reelmill-worker"));
        command.arg("--models").arg(&self.models);
        self.on_its_data(command)
    }

    /// A worker that takes its time at each step, and little of the machine, so that one can watch it.
    pub fn slow_worker(&self) -> Command {
        let mut command = self.worker();
        command.args(["--fault", "slow:100"]);
        command
    }

    /// Makes accounts and keys.
    pub fn admin(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.server_binary());
        command.arg("admin").args(arguments);
        self.on_its_data(command)
    }

    /// Fills an empty database with a month of invented teams.
    pub fn demo(&self, clips: &Path) -> Command {
        let mut command = Command::new(self.server_binary());
        command.arg("demo").arg("--clips").arg(clips).arg("--models").arg(&self.models);
        self.on_its_data(command)
    }

    /// Answers requests.
    pub fn is_healthy(&self) -> bool {
        http::status(self.port, "/healthz") == Some(200)
    }

    /// Answers requests, and at least one worker is warm.
    pub fn is_ready(&self) -> bool {
        http::status(self.port, "/readyz") == Some(200)
    }

    fn on_its_data(&self, mut command: Command) -> Command {
        command.arg("--data").arg(&self.data);
        // Not as an argument: everybody on the machine may read those, and there may be a password in it.
        if let Some(url) = &self.database_url {
            command.env("DATABASE_URL", url);
        }
        if let Some(port) = self.twin_port {
            command.env("STRIPE_SECRET_KEY", "sk_test_local").env("STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET);
            command.env("STRIPE_URL", format!("http://127.0.0.1:{port}"));
        }
        if let Some(provider) = &self.provider {
            command.env("REELMILL_OIDC_ISSUER", provider.issuer()).env("REELMILL_OIDC_CLIENT_ID", "reelmill");
            command.env("REELMILL_OIDC_CLIENT_SECRET", CLIENT_SECRET).env("REELMILL_OIDC_NAME", "Example ID");
        }
        // Standard output is ours to speak on; programs log to standard error.
        command.stdout(std::io::stderr());
        command
    }
}
