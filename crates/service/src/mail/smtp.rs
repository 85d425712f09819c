//! Sending by a mail server.

use crate::outbox::NotDelivered;
use clap::Args;
use domain::Email;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, MultiPart},
};
use std::{str::FromStr, time::Duration};

/// Less than a delivery may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Where mails go.
#[derive(Debug, Clone, Default, Args)]
pub struct MailOptions {
    /// Mail server, such as `smtps://user:password@mail.example.com` or, with STARTTLS,
    /// `smtp://user:password@mail.example.com:587?tls=required`; without it mails stay at `/admin/mail`
    #[arg(long, env = "SMTP_URL", hide_env_values = true, requires = "smtp_from")]
    pub smtp_url: Option<SmtpUrl>,
    /// Sender of mails, such as `Reelmill <video@example.com>`
    #[arg(long, env = "SMTP_FROM")]
    pub smtp_from: Option<Sender>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailOptionsError {
    #[error("not a mail server such as smtps://user:password@mail.example.com")]
    Url,
    #[error("not a sender such as `Reelmill <video@example.com>`")]
    Sender,
}

/// Checked, and never printed: a password may be in it.
#[derive(Clone)]
pub struct SmtpUrl(String);

impl std::fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SmtpUrl")
    }
}

impl FromStr for SmtpUrl {
    type Err = MailOptionsError;

    fn from_str(text: &str) -> Result<Self, MailOptionsError> {
        AsyncSmtpTransport::<Tokio1Executor>::from_url(text).map_err(|_| MailOptionsError::Url)?;
        Ok(Self(text.to_owned()))
    }
}

#[derive(Debug, Clone)]
pub struct Sender(Mailbox);

impl FromStr for Sender {
    type Err = MailOptionsError;

    fn from_str(text: &str) -> Result<Self, MailOptionsError> {
        text.parse().map(Self).map_err(|_| MailOptionsError::Sender)
    }
}

/// A mail server, and in whose name it is asked.
#[derive(Clone)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Smtp {
    /// `None`: there is none.
    pub fn new(options: &MailOptions) -> Option<Self> {
        let (SmtpUrl(url), Sender(from)) = (options.smtp_url.as_ref()?, options.smtp_from.clone()?);
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).ok()?.timeout(Some(TIMEOUT)).build();
        Some(Self { transport, from })
    }

    pub async fn send(&self, to: &Email, subject: String, text: String, html: String) -> Result<(), NotDelivered> {
        // What no mail server takes does not become better by waiting.
        let Ok(address) = to.as_str().parse::<Address>() else {
            tracing::warn!("a mail is not sent, as its address is none by the rules of mail servers");
            return Ok(());
        };
        let message = Message::builder().from(self.from.clone()).to(Mailbox::new(None, address)).subject(subject);
        let message = message.message_id(None).multipart(MultiPart::alternative_plain_html(text, html))?;
        self.transport.send(message).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_mail_servers_are_checked_and_their_passwords_not_printed() {
        for good in ["smtp://127.0.0.1:2525", "smtps://u:secret@mail.example.com", "smtp://u:secret@mail.example.com:587?tls=required"] {
            let url = good.parse::<SmtpUrl>().unwrap();
            assert!(!format!("{url:?}").contains("secret"));
        }
        for bad in ["", "mail.example.com", "https://mail.example.com"] {
            assert!(bad.parse::<SmtpUrl>().is_err(), "{bad}");
        }
        assert!("Reelmill <video@example.com>".parse::<Sender>().is_ok() && "nobody".parse::<Sender>().is_err());
    }
}
