//! Where receivers may be beside the public internet.

use clap::Args;
use domain::webhook::Network;
pub use domain::webhook::NetworkError as WebhookOptionsError;

#[derive(Debug, Clone, Default, Args)]
pub struct WebhookOptions {
    /// Networks, such as `10.1.0.0/16`, in which webhooks may be received, also without encryption; without it they go to the public
    /// internet alone, by https
    #[arg(long, env = "REELMILL_WEBHOOK_ALLOW", value_delimiter = ',')]
    pub webhook_allow: Vec<Network>,
}
