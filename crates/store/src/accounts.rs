//! Sign-up, sign-in and keys: the few look-ups that happen before a tenant is known.

use crate::{
    Store, StoreError,
    database::connect,
    entity::{tenant, user},
    rows::memberships,
    settings,
    tenant::api_keys,
};
use domain::{Email, KeyOwner, Membership, Role, TenantId, UserId};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, DbBackend, EntityTrait, FromQueryResult, QueryFilter, Statement, Value};
use uuid::Uuid;

/// Names the advisory lock under which accounts are made.
const SIGN_UP_LOCK: i64 = 0x5265_656c_0002;

#[derive(Debug, Clone)]
pub struct NewAccount {
    pub tenant: TenantId,
    pub user: UserId,
    pub email: Email,
    pub password_hash: String,
}

/// What signing in needs to know of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    pub membership: Membership,
    pub email: Email,
    pub password_hash: String,
    pub is_operator: bool,
}

/// A user has one membership.
const FIND: &str = "SELECT users.id, tenant_id, role, email, password_hash, is_operator FROM users \
     JOIN memberships ON memberships.user_id = users.id";

#[derive(FromQueryResult)]
struct Found {
    id: Uuid,
    tenant_id: Uuid,
    role: String,
    email: String,
    password_hash: String,
    is_operator: bool,
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
        let write = self.store.write().await?;
        if write.backend() == DbBackend::Postgres {
            connect::lock(&write.tx, SIGN_UP_LOCK).await?;
        }
        let taken = user::Entity::find().filter(user::Column::Email.eq(account.email.as_str())).one(&write.tx).await?;
        if taken.is_some() {
            write.abandon().await?;
            return Ok(None);
        }
        let plan = settings::default_plan(&write.tx).await?;
        let is_operator = user::Entity::find().one(&write.tx).await?.is_none();
        let created_at_ms = write.now.ms();
        let name = account.email.local_part().to_owned();
        tenant::ActiveModel {
            id: Set(account.tenant.uuid()),
            name: Set(name),
            created_at_ms: Set(created_at_ms),
            plan: Set(plan),
            plan_since_ms: Set(created_at_ms),
            ..Default::default()
        }
        .insert(&write.tx)
        .await?;
        let user = user::ActiveModel {
            id: Set(account.user.uuid()),
            email: Set(account.email.as_str().to_owned()),
            password_hash: Set(account.password_hash.clone()),
            is_operator: Set(is_operator),
            created_at_ms: Set(created_at_ms),
        };
        user.insert(&write.tx).await?;
        let membership = Membership { tenant: account.tenant, user: account.user, role: Role::Owner };
        memberships::insert(&write, membership).await?;
        write.commit().await?;
        Ok(Some(Credentials { membership, email: account.email, password_hash: account.password_hash, is_operator }))
    }

    pub async fn by_email(self, email: &Email) -> Result<Option<Credentials>, StoreError> {
        self.find("email", email.as_str().into()).await
    }

    pub async fn by_id(self, user: UserId) -> Result<Option<Credentials>, StoreError> {
        self.find("users.id", user.uuid().into()).await
    }

    async fn find(self, column: &'static str, value: Value) -> Result<Option<Credentials>, StoreError> {
        let db = &self.store.db;
        let statement = Statement::from_sql_and_values(db.get_database_backend(), format!("{FIND} WHERE {column} = $1"), [value]);
        Found::find_by_statement(statement).one(db).await?.map(credentials).transpose()
    }

    /// The owner of a key that is not revoked; the use is noted in passing (at most one write a minute and key).
    pub async fn by_key(self, secret_sha256: [u8; 32]) -> Result<Option<KeyOwner>, StoreError> {
        api_keys::owner(self.store, secret_sha256).await
    }
}

fn credentials(row: Found) -> Result<Credentials, StoreError> {
    let (tenant, user) = (TenantId::from_uuid(row.tenant_id), UserId::from_uuid(row.id));
    Ok(Credentials {
        membership: Membership { tenant, user, role: memberships::role(&row.role)? },
        email: row.email.parse().map_err(|_| StoreError::inconsistent("users", "email", &row.email))?,
        password_hash: row.password_hash,
        is_operator: row.is_operator,
    })
}
