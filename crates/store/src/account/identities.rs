//! The `identities` table: who people are at an OpenID provider. Each belongs to one user, who has one at each provider.

use super::{Accounts, Credentials};
use crate::{
    Store, StoreError,
    database::write::Write,
    rows::account::{asked::Asked, audit, users},
};
use domain::{Act, Timestamp, UserId, account::mail::Mail};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

/// Somebody, as a provider names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'a> {
    /// The provider.
    pub issuer: &'a str,
    /// Its own name for them.
    pub subject: &'a str,
}

/// An identity that belongs to a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedIdentity {
    /// What the provider said when it was linked; perhaps nothing.
    pub email: String,
    pub since: Timestamp,
}

/// What became of linking an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    Done,
    /// It belongs to another user.
    OfAnother,
    /// The user has another one at this provider.
    HasAnother,
}

/// What became of taking an identity from a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlinking {
    /// Also where there was none.
    Done,
    /// Without a password they could not sign in any more.
    LastWayIn,
}

#[derive(FromQueryResult)]
struct OwnerRow {
    user_id: Uuid,
}

#[derive(FromQueryResult)]
struct Row {
    email: String,
    created_at_ms: i64,
}

const OWNER: &str = "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2";

#[derive(Clone, Copy)]
pub struct Identities<'a> {
    store: &'a Store,
}

impl<'a> Identities<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Whose it is.
    pub async fn owner(self, subject: Subject<'_>) -> Result<Option<Credentials>, StoreError> {
        match owner(&self.store.db, subject).await? {
            Some(user) => Accounts::new(self.store).by_id(user).await,
            None => Ok(None),
        }
    }

    /// The user's at this provider.
    pub async fn of_user(self, user: UserId, issuer: &str) -> Result<Option<LinkedIdentity>, StoreError> {
        let (db, sql) = (&self.store.db, "SELECT email, created_at_ms FROM identities WHERE user_id = $1 AND issuer = $2");
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [user.uuid().into(), issuer.into()]);
        let row = Row::find_by_statement(statement).one(db).await?;
        Ok(row.map(|Row { email, created_at_ms }| LinkedIdentity { email, since: Timestamp::from_ms(created_at_ms) }))
    }

    /// From now on it lets the user in, who is told by mail.
    pub async fn link(self, asked: Asked<'_>, subject: Subject<'_>, email: &str) -> Result<Linking, StoreError> {
        let mut write = self.store.write().await?;
        let Some(user) = users::locked(&write, asked.user).await? else {
            write.abandon().await?;
            return Ok(Linking::OfAnother);
        };
        if insert(&write, asked, subject, email).await? {
            if let Ok(email) = user.email.parse() {
                write.add_mail(&Mail::IdentityLinked { email });
            }
            write.commit().await?;
            return Ok(Linking::Done);
        }
        let owner = owner(&write.tx, subject).await?;
        write.abandon().await?;
        Ok(match owner {
            Some(owner) if owner == asked.user => Linking::Done,
            Some(_) => Linking::OfAnother,
            None => Linking::HasAnother,
        })
    }

    /// It lets the user in no more, who is told by mail.
    pub async fn unlink(self, asked: Asked<'_>, issuer: &str) -> Result<Unlinking, StoreError> {
        let mut write = self.store.write().await?;
        let Some(user) = users::locked(&write, asked.user).await? else {
            write.abandon().await?;
            return Ok(Unlinking::Done);
        };
        if user.password_hash.is_empty() {
            write.abandon().await?;
            return Ok(Unlinking::LastWayIn);
        }
        let values = [asked.user.uuid().into(), issuer.into()];
        let removed = write.statement("DELETE FROM identities WHERE user_id = $1 AND issuer = $2", values);
        if write.tx.execute_raw(removed).await?.rows_affected() > 0 {
            audit::insert(&write, &asked.did(Act::IdentityUnlinked, issuer)).await?;
            if let Ok(email) = user.email.parse() {
                write.add_mail(&Mail::IdentityUnlinked { email });
            }
        }
        write.commit().await?;
        Ok(Unlinking::Done)
    }
}

async fn owner(db: &impl ConnectionTrait, Subject { issuer, subject }: Subject<'_>) -> Result<Option<UserId>, StoreError> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), OWNER, [issuer.into(), subject.into()]);
    Ok(OwnerRow::find_by_statement(statement).one(db).await?.map(|row| UserId::from_uuid(row.user_id)))
}

/// `false`: it is somebody's, or the user has another one at this provider.
pub(super) async fn insert(write: &Write, asked: Asked<'_>, subject: Subject<'_>, email: &str) -> Result<bool, StoreError> {
    let values = [subject.issuer.into(), subject.subject.into(), asked.user.uuid().into(), email.into(), write.now.ms().into()];
    let inserted = write.statement(
        "INSERT INTO identities (issuer, subject, user_id, email, created_at_ms) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        values,
    );
    let is_new = write.tx.execute_raw(inserted).await?.rows_affected() == 1;
    if is_new {
        audit::insert(write, &asked.did(Act::IdentityLinked, subject.issuer)).await?;
    }
    Ok(is_new)
}

pub(super) async fn delete(write: &Write, user: UserId) -> Result<(), StoreError> {
    write.tx.execute_raw(write.statement("DELETE FROM identities WHERE user_id = $1", [user.uuid().into()])).await?;
    Ok(())
}
