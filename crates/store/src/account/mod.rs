//! Sign-up, sign-in and keys: the few look-ups that happen before a tenant is known; and what a person changes of their own.

mod credentials;
mod deletion;
mod identities;
mod joining;
mod mails;
mod second_factor;
mod sessions;
mod tries;
mod unconfirmed;

pub use crate::rows::account::asked::Asked;
pub use credentials::EmailChange;
pub use deletion::{Deletion, Deletions, Fate};
pub use identities::{Identities, LinkedIdentity, Linking, Subject, Unlinking};
pub use joining::{JoinError, Offer, Through};
pub use mails::{KeptMail, Mails};
pub use second_factor::{CodeTried, SecondFactor, SecondFactors, TurnedOn};
pub use sessions::{
    SESSION_ADDRESS, SESSION_DEVICE, SESSION_KEPT_FOR, SESSION_TENANT, SESSION_USER, SESSION_VIEWING, SeenSession, SessionId, SessionRows,
};
pub use tries::{CountedTry, TooEarly, TryCounts, TrySubject};

use crate::{
    Store, StoreError,
    database::connect,
    entity::user,
    rows::account::{
        audit::{self, AuditEntry},
        invitations::{self, Invitation},
        memberships, tenants, users,
    },
    tenant::key_use::{self, FoundKey},
};
use domain::{ApiKeyId, Email, InvitationId, Membership, Role, TenantId, UserId, account::mail::Mail};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, Statement, Value};
use uuid::Uuid;

/// Names the advisory lock under which accounts are made, and addresses given.
const SIGN_UP_LOCK: i64 = 0x5265_656c_0002;

impl Store {
    /// An invitation that is open, of whichever tenant: for the mail that brings it.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn invitation(&self, id: InvitationId) -> Result<Option<Invitation>, StoreError> {
        invitations::find(&self.db, id).await
    }
}

#[derive(Debug, Clone)]
pub struct NewAccount {
    pub tenant: TenantId,
    pub user: UserId,
    pub email: Email,
    /// `None`: nobody signs in by one until it is set.
    pub password_hash: Option<String>,
    /// Whoever makes it knows that the address is theirs; else a mail asks.
    pub is_verified: bool,
}

/// What signing in needs to know of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    pub membership: Membership,
    pub email: Email,
    /// `None`: nobody signs in by one.
    pub password_hash: Option<String>,
    pub is_operator: bool,
    pub is_verified: bool,
    /// A code is asked for besides the password.
    pub has_second_factor: bool,
    /// In how many tenants they are.
    pub tenants: u64,
}

/// A tenant that somebody belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnTenant {
    pub membership: Membership,
    pub name: String,
}

/// With each of their memberships.
const FIND: &str = "SELECT users.id, tenant_id, role, email, password_hash, is_operator, email_verified_at_ms IS NOT NULL AS is_verified, \
     EXISTS (SELECT 1 FROM second_factors WHERE user_id = users.id AND confirmed_at_ms IS NOT NULL) AS has_second_factor, \
     (SELECT COUNT(*) FROM memberships AS m WHERE m.user_id = users.id) AS tenants \
     FROM users JOIN memberships ON memberships.user_id = users.id";
/// The one in a tenant that was chosen, if they are in it; else the first that they got.
const CHOSEN_FIRST: &str = "ORDER BY CASE WHEN tenant_id = $2 THEN 0 ELSE 1 END, memberships.created_at_ms, tenant_id LIMIT 1";
const OWN_TENANTS: &str = "SELECT tenants.id, tenants.name, role FROM memberships JOIN tenants ON tenants.id = tenant_id \
     WHERE user_id = $1 ORDER BY memberships.created_at_ms, tenant_id";

#[derive(FromQueryResult)]
struct Found {
    id: Uuid,
    tenant_id: Uuid,
    role: String,
    email: String,
    password_hash: String,
    is_operator: bool,
    is_verified: bool,
    has_second_factor: bool,
    tenants: i64,
}

#[derive(FromQueryResult)]
struct TenantRow {
    id: Uuid,
    name: String,
    role: String,
}

#[derive(Clone, Copy)]
pub struct Accounts<'a> {
    store: &'a Store,
}

impl<'a> Accounts<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Makes a tenant with its first user, who owns it; the very first account of all becomes the operator (also under
    /// concurrent sign-ups: exactly one). `None`: the email address is taken.
    pub async fn create(self, account: NewAccount) -> Result<Option<Credentials>, StoreError> {
        self.create_as(account, None).await
    }

    /// The same for somebody who comes by an identity at a provider, from this network address. `None`: the email address is taken, or
    /// the identity.
    pub async fn create_by(self, account: NewAccount, subject: Subject<'_>, address: &str) -> Result<Option<Credentials>, StoreError> {
        self.create_as(account, Some((subject, address))).await
    }

    async fn create_as(self, account: NewAccount, by: Option<(Subject<'_>, &str)>) -> Result<Option<Credentials>, StoreError> {
        let mut write = self.store.write().await?;
        if write.backend() == DbBackend::Postgres {
            connect::lock(&write.tx, SIGN_UP_LOCK).await?;
        }
        if users::by_email(&write.tx, &account.email).await?.is_some() {
            write.abandon().await?;
            return Ok(None);
        }
        let is_operator = user::Entity::find().one(&write.tx).await?.is_none();
        let is_verified = is_operator || account.is_verified;
        tenants::insert(&write, account.tenant, &account.email).await?;
        users::insert(&write, row(&account, is_operator, is_verified.then_some(write.now.ms()), write.now.ms())).await?;
        let membership = Membership { tenant: account.tenant, user: account.user, role: Role::Owner };
        memberships::insert(&write, membership).await?;
        if let Some((subject, address)) = by {
            let asked = Asked { user: account.user, address };
            if !identities::insert(&write, asked, subject, account.email.as_str()).await? {
                write.abandon().await?;
                return Ok(None);
            }
        }
        if !is_verified {
            write.add_mail(&Mail::VerifyEmail { user: account.user });
        }
        write.commit().await?;
        let NewAccount { email, password_hash, .. } = account;
        Ok(Some(Credentials { membership, email, password_hash, is_operator, is_verified, has_second_factor: false, tenants: 1 }))
    }

    pub async fn by_email(self, email: &Email) -> Result<Option<Credentials>, StoreError> {
        self.find("email", email.as_str().into(), None).await
    }

    pub async fn by_id(self, user: UserId) -> Result<Option<Credentials>, StoreError> {
        self.find("users.id", user.uuid().into(), None).await
    }

    /// In the tenant that they have chosen, as long as they belong to it.
    pub async fn by_id_in(self, user: UserId, chosen: Option<TenantId>) -> Result<Option<Credentials>, StoreError> {
        self.find("users.id", user.uuid().into(), chosen).await
    }

    async fn find(self, column: &'static str, value: Value, chosen: Option<TenantId>) -> Result<Option<Credentials>, StoreError> {
        let db = &self.store.db;
        let sql = format!("{FIND} WHERE {column} = $1 {CHOSEN_FIRST}");
        let values = [value, chosen.map_or_else(Uuid::nil, TenantId::uuid).into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        Found::find_by_statement(statement).one(db).await?.map(credentials).transpose()
    }

    /// Where they belong, in the order in which they came to.
    pub async fn tenants(self, user: UserId) -> Result<Vec<OwnTenant>, StoreError> {
        let db = &self.store.db;
        let statement = Statement::from_sql_and_values(db.get_database_backend(), OWN_TENANTS, [user.uuid().into()]);
        let own = |TenantRow { id, name, role }| {
            let membership = Membership { tenant: TenantId::from_uuid(id), user, role: memberships::role(&role)? };
            Ok(OwnTenant { membership, name })
        };
        TenantRow::find_by_statement(statement).all(db).await?.into_iter().map(own).collect()
    }

    /// What was done lately with the account itself.
    pub async fn audit_log(self, user: UserId, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
        audit::of_user(&self.store.db, user, limit).await
    }

    /// For whom a key speaks; the use is noted in passing (at most one write a minute and key).
    pub async fn by_key(self, secret_sha256: [u8; 32]) -> Result<FoundKey, StoreError> {
        key_use::by_secret(self.store, secret_sha256).await
    }

    /// The same of the key by which something else was made that opens what it opens.
    pub async fn by_key_id(self, id: ApiKeyId) -> Result<FoundKey, StoreError> {
        key_use::by_id(self.store, id).await
    }
}

fn row(account: &NewAccount, is_operator: bool, email_verified_at_ms: Option<i64>, now_ms: i64) -> user::ActiveModel {
    user::ActiveModel {
        id: Set(account.user.uuid()),
        email: Set(account.email.as_str().to_owned()),
        password_hash: Set(account.password_hash.clone().unwrap_or_default()),
        is_operator: Set(is_operator),
        created_at_ms: Set(now_ms),
        email_verified_at_ms: Set(email_verified_at_ms),
        deleted_at_ms: Set(None),
    }
}

fn credentials(row: Found) -> Result<Credentials, StoreError> {
    let (tenant, user) = (TenantId::from_uuid(row.tenant_id), UserId::from_uuid(row.id));
    Ok(Credentials {
        membership: Membership { tenant, user, role: memberships::role(&row.role)? },
        email: row.email.parse().map_err(|_| StoreError::inconsistent("users", "email", &row.email))?,
        password_hash: Some(row.password_hash).filter(|hash| !hash.is_empty()),
        is_operator: row.is_operator,
        is_verified: row.is_verified,
        has_second_factor: row.has_second_factor,
        tenants: row.tenants.unsigned_abs(),
    })
}
