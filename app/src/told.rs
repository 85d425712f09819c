//! What an error says above the form that it came from, or that the page cannot be answered at all.

use crate::{fault::Fault, words};
use domain::{PasswordError, TeamError as TeamRule, account::token::SpentToken};
use service::{
    ChangeError, InviteError, JoinError,
    account::{
        ChangePasswordError, CodeError, ConfirmError, DeleteError, HashError, MailRefused, OwnEmailError, ResetError, oidc::UnlinkError,
    },
    payment::{BillingError, PaymentError},
    team::{JoinTeamError, TeamError},
    webhook::WebhookError,
};

pub trait Told {
    /// # Errors
    /// [`Fault`] when there is nothing that whoever sent the form could do better.
    fn told(self) -> Result<String, Fault>;
}

const NO_ADDRESS: &str = "That does not look like an email address.";
const GONE: &str = "This account is deleted.";
const TAKEN: &str = "There is an account with this email address already.";

fn wait(retry_after_s: u64) -> Result<String, Fault> {
    Ok(format!("Too many tries. Wait {} and try again.", words::about(retry_after_s * 1000)))
}

impl Told for HashError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Busy => Ok("Too many people are signing in at this moment. Please try again.".into()),
            error @ Self::Argon(_) => Err(Fault::internal(&error)),
        }
    }
}

impl Told for PasswordError {
    fn told(self) -> Result<String, Fault> {
        Ok(format!("Choose another password: {self}."))
    }
}

impl Told for SpentToken {
    fn told(self) -> Result<String, Fault> {
        Ok(match self {
            Self::Unknown => "This link is not known here. Perhaps a part of it was cut off: open it from the mail once more.",
            Self::Expired => "This link has expired. Ask for another one.",
            Self::Used => "This link has been used already, or another one has taken its place.",
        }
        .into())
    }
}

impl Told for ConfirmError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Wrong => Ok("That is not your password.".into()),
            Self::NoPassword => {
                Ok("Your account has no password. Have a link mailed to you, from the page for a forgotten password, and set one.".into())
            }
            Self::TooManyTries { retry_after_s } => wait(retry_after_s),
            Self::Forbidden(error) => Err(error.into()),
            Self::Store(error) => Err(error.into()),
            Self::Hash(error) => error.told(),
        }
    }
}

impl Told for UnlinkError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Confirm(error) => error.told(),
            Self::LastWayIn => Ok("This is your only way in. Set a password first.".into()),
            Self::Store(error) => Err(error.into()),
        }
    }
}

impl Told for MailRefused {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Email(_) => Ok(NO_ADDRESS.into()),
            Self::TooMany { retry_after_s } => {
                Ok(format!("Enough mails were sent for now. Wait {} and try again.", words::about(retry_after_s * 1000)))
            }
            Self::Store(error) => Err(error.into()),
        }
    }
}

impl Told for ResetError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Spent(error) => error.told(),
            Self::Password(error) => error.told(),
            Self::Store(error) => Err(error.into()),
            Self::Hash(error) => error.told(),
        }
    }
}

impl Told for OwnEmailError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Spent(error) => error.told(),
            Self::Taken => Ok(TAKEN.into()),
            Self::Same => Ok("That is your address already.".into()),
            Self::Confirm(error) => error.told(),
            Self::Mail(error) => error.told(),
            Self::Store(error) => Err(error.into()),
        }
    }
}

impl Told for ChangePasswordError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Confirm(error) => error.told(),
            Self::Password(error) => error.told(),
            Self::Store(error) => Err(error.into()),
            Self::Hash(error) => error.told(),
        }
    }
}

impl Told for DeleteError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Confirm(error) => error.told(),
            Self::Operator => Ok("This account runs the installation, and cannot be deleted.".into()),
            Self::Store(error) => Err(error.into()),
        }
    }
}

impl Told for CodeError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Wrong => Ok("That code is not right, or was used before. Wait for the next one and try again.".into()),
            Self::AlreadyOn => Ok("Two-step sign-in is on already.".into()),
            Self::Off => Ok("Two-step sign-in is off.".into()),
            Self::AccountGone => Ok(GONE.into()),
            Self::PasswordChanged => Ok("Your password was changed meanwhile. Please sign in again.".into()),
            Self::TooManyTries { retry_after_s } => wait(retry_after_s),
            Self::Confirm(error) => error.told(),
            Self::Store(error) => Err(error.into()),
            error @ (Self::Random(_) | Self::Secret) => Err(Fault::internal(&error)),
        }
    }
}

impl Told for TeamRule {
    fn told(self) -> Result<String, Fault> {
        Ok(format!("{}.", words::sentence(&self.to_string())))
    }
}

impl Told for ChangeError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Team(error) => error.told(),
            Self::Store(error) => Err(error.into()),
        }
    }
}

impl Told for InviteError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Team(error) => error.told(),
            Self::Store(error) => Err(error.into()),
            error => Ok(format!("{}.", words::sentence(&error.to_string()))),
        }
    }
}

impl Told for TeamError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Forbidden(error) => Err(error.into()),
            Self::Email(_) => Ok(NO_ADDRESS.into()),
            error @ Self::Name => Ok(format!("{}.", words::sentence(&error.to_string()))),
            Self::Mail(error) => error.told(),
            Self::Invite(error) => error.told(),
            Self::Change(error) => error.told(),
            Self::Store(error) => Err(error.into()),
        }
    }
}

impl Told for JoinError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Spent(error) => error.told(),
            Self::AlreadyMember => Ok("You are in this team already.".into()),
            Self::EmailTaken => Ok(format!("{TAKEN} Sign in with it to join.")),
            Self::AccountGone => Ok(GONE.into()),
            Self::Store(error) => Err(error.into()),
        }
    }
}

impl Told for JoinTeamError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Forbidden(error) => Err(error.into()),
            Self::Join(error) => error.told(),
            Self::Password(error) => error.told(),
            Self::Hash(error) => error.told(),
        }
    }
}

impl Told for BillingError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Forbidden(error) => Err(error.into()),
            Self::Store(error) => Err(error.into()),
            Self::Payment(error) => Ok(match error {
                PaymentError::Declined(text) => {
                    format!("The payment was declined: {} Nothing was changed.", words::sentence(text.trim_end_matches('.')) + ".")
                }
                PaymentError::Unavailable(_) => {
                    "The payment service does not answer right now. If something was changed, it is shown here in a minute: please look before you try again.".into()
                }
                error => {
                    tracing::error!(%error, "a payment came to nothing");
                    "The payment service did not do it, and nothing was changed. Whoever runs this Reelmill can see why.".into()
                }
            }),
            error => Ok(words::sentence(&error.to_string()) + "."),
        }
    }
}

impl Told for WebhookError {
    fn told(self) -> Result<String, Fault> {
        match self {
            Self::Forbidden(error) => Err(error.into()),
            Self::Store(error) => Err(error.into()),
            error @ (Self::Random(_) | Self::Secret) => Err(Fault::internal(&error)),
            Self::Unknown => Ok("There is no such webhook endpoint in this team, or it was deleted before.".into()),
            Self::NotSent(why) => Ok(format!("There was no answer: {why}.")),
            error => Ok(format!("{}.", words::sentence(&error.to_string()))),
        }
    }
}
