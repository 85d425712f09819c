//! What a person changes of their own: the password, and the address that they sign in with.

use super::{Accounts, SIGN_UP_LOCK, SessionId, sessions, unconfirmed};
use crate::{
    StoreError,
    database::{connect, deadlock, write::Write},
    entity::user,
    outbox,
    rows::account::{
        asked::Asked,
        audit,
        tokens::{self, NewToken, Proof},
        users,
    },
};
use domain::{
    Act, Email, UserId,
    account::{
        mail::Mail,
        token::{Purpose, SpentToken},
    },
};
use sea_orm::DbBackend;

/// What an address was changed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmailChange {
    Changed(Email),
    /// Somebody has signed up with it meanwhile.
    Taken,
}

impl Accounts<'_> {
    /// Has a mail sent, whoever it is for.
    pub async fn ask_for_mail(self, mail: &Mail) -> Result<(), StoreError> {
        let mut write = self.store.write().await?;
        write.add_mail(mail);
        write.commit().await
    }

    /// Keeps what a link proves that is about to be mailed. `false`: it is not wanted any more, and is not to be mailed.
    pub async fn keep_token(self, token: &NewToken) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        if token.purpose == Purpose::ChangeEmail && !is_asked_for(&write, token).await? {
            write.abandon().await?;
            return Ok(false);
        }
        tokens::insert(&write, token).await?;
        write.commit().await?;
        Ok(true)
    }

    /// What a link would prove, without using it.
    pub async fn look_at_token(self, sha256: [u8; 32], purpose: Purpose) -> Result<Result<Proof, SpentToken>, StoreError> {
        tokens::look(&self.store.db, self.store.now().await?, sha256, purpose).await
    }

    /// Whoever comes with this token sets a password, and all sessions end. The address is seen to be theirs; where it was not before, what
    /// was prepared in the account goes.
    pub async fn reset_password(self, sha256: [u8; 32], hash: &str, address: &str) -> Result<Result<Email, SpentToken>, StoreError> {
        // Whoever changes the members of a tenant locks it before its users.
        deadlock::retried(StoreError::is_deadlock, || self.try_to_reset_password(sha256, hash, address)).await
    }

    async fn try_to_reset_password(self, sha256: [u8; 32], hash: &str, address: &str) -> Result<Result<Email, SpentToken>, StoreError> {
        let mut write = self.store.write().await?;
        let (row, email) = match proven(&write, sha256, Purpose::ResetPassword).await? {
            Ok(proven) => proven,
            Err(spent) => {
                write.abandon().await?;
                return Ok(Err(spent));
            }
        };
        let user = UserId::from_uuid(row.id);
        users::set_password(&write, user, hash).await?;
        users::set_email(&write, user, &email).await?;
        sessions::end_all(&write, user, None).await?;
        let asked = Asked { user, address };
        audit::insert(&write, &asked.did(Act::PasswordReset, "")).await?;
        if row.email_verified_at_ms.is_none() {
            unconfirmed::hand_over(&mut write, asked).await?;
        }
        // As all who lock the subject of a mail: after the tenants.
        void_email_changes(&write, user).await?;
        write.add_mail(&Mail::PasswordChanged { email: email.clone() });
        write.commit().await?;
        Ok(Ok(email))
    }

    /// Sets another password; all other sessions end, and links by which one could be set, or the address changed.
    pub async fn change_password(self, asked: Asked<'_>, hash: &str, keep: Option<&SessionId>) -> Result<(), StoreError> {
        let mut write = self.store.write().await?;
        let Some(user) = users::locked(&write, asked.user).await? else { return write.abandon().await };
        users::set_password(&write, asked.user, hash).await?;
        tokens::void(&write, &users::email(&user)?, Purpose::ResetPassword).await?;
        void_email_changes(&write, asked.user).await?;
        sessions::end_all(&write, asked.user, keep).await?;
        audit::insert(&write, &asked.did(Act::PasswordChanged, "")).await?;
        if let Some(email) = users::confirmed_email(&user)? {
            write.add_mail(&Mail::PasswordChanged { email });
        }
        write.commit().await
    }

    /// The mailbox of an account is seen to be its owner's.
    pub async fn verify_email(self, sha256: [u8; 32], address: &str) -> Result<Result<Email, SpentToken>, StoreError> {
        let write = self.store.write().await?;
        let (row, email) = match proven(&write, sha256, Purpose::VerifyEmail).await? {
            Ok(proven) => proven,
            Err(spent) => {
                write.abandon().await?;
                return Ok(Err(spent));
            }
        };
        let user = UserId::from_uuid(row.id);
        users::set_email(&write, user, &email).await?;
        audit::insert(&write, &Asked { user, address }.did(Act::EmailVerified, "")).await?;
        write.commit().await?;
        Ok(Ok(email))
    }

    /// Has a link sent to the address that somebody wants to have.
    pub async fn ask_for_email(self, asked: Asked<'_>, email: &Email) -> Result<(), StoreError> {
        let mut write = self.store.write().await?;
        audit::insert(&write, &asked.did(Act::EmailChangeAsked, email.as_str())).await?;
        write.add_mail(&Mail::ChangeEmail { user: asked.user, email: email.clone() });
        write.commit().await
    }

    /// Gives the user the address to which the token was mailed, and tells the one that they had.
    pub async fn change_email(self, sha256: [u8; 32], address: &str) -> Result<Result<EmailChange, SpentToken>, StoreError> {
        let mut write = self.store.write().await?;
        if write.backend() == DbBackend::Postgres {
            connect::lock(&write.tx, SIGN_UP_LOCK).await?;
        }
        let Ok(Proof { email, user: Some(user), .. }) = tokens::spend(&write, sha256, Purpose::ChangeEmail).await? else {
            write.abandon().await?;
            return Ok(Err(self.look_at_token(sha256, Purpose::ChangeEmail).await?.err().unwrap_or(SpentToken::Unknown)));
        };
        let Some(before) = users::locked(&write, user).await? else {
            write.abandon().await?;
            return Ok(Err(SpentToken::Unknown));
        };
        if users::by_email(&write.tx, &email).await?.is_some_and(|other| other.id != user.uuid()) {
            write.commit().await?;
            return Ok(Ok(EmailChange::Taken));
        }
        let old = users::email(&before)?;
        users::set_email(&write, user, &email).await?;
        // Whoever has the old mailbox must not set the password of the account.
        tokens::void(&write, &old, Purpose::ResetPassword).await?;
        audit::insert(&write, &Asked { user, address }.did(Act::EmailChanged, email.as_str())).await?;
        if old != email {
            audit::forget_email(&write, &old).await?;
        }
        if let Some(old) = users::confirmed_email(&before)?.filter(|old| *old != email) {
            write.add_mail(&Mail::EmailChanged { old, new: email.clone() });
        }
        write.commit().await?;
        Ok(Ok(EmailChange::Changed(email)))
    }
}

/// Whose account a token is about that was mailed to its address, as long as that is its address.
async fn proven(write: &Write, sha256: [u8; 32], purpose: Purpose) -> Result<Result<(user::Model, Email), SpentToken>, StoreError> {
    let proof = match tokens::spend(write, sha256, purpose).await? {
        Ok(proof) => proof,
        Err(spent) => return Ok(Err(spent)),
    };
    let Some(id) = proof.user else { return Ok(Err(SpentToken::Unknown)) };
    let user = users::locked(write, id).await?.filter(|user| user.email == proof.email.as_str());
    Ok(user.map(|user| (user, proof.email)).ok_or(SpentToken::Unknown))
}

/// Links to other addresses that somebody asked for who knew the password of before, those in mails that are not sent yet included. The user
/// is locked.
async fn void_email_changes(write: &Write, user: UserId) -> Result<(), StoreError> {
    tokens::void_of(write, user, Purpose::ChangeEmail).await?;
    outbox::forget_email_changes(write, user).await
}

/// Whether the mail that is being sent with this token was not taken back meanwhile, and is not until this transaction ends.
async fn is_asked_for(write: &Write, token: &NewToken) -> Result<bool, StoreError> {
    let Some(user) = token.user else { return Ok(false) };
    if users::locked(write, user).await?.is_none() {
        return Ok(false);
    }
    outbox::waits(write, &Mail::ChangeEmail { user, email: token.email.clone() }).await
}
