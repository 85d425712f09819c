//! Sign-up, sign-in and keys: the few look-ups that happen before a tenant is known.

use crate::{
    KeyOwner, Store, StoreError, connect, entity::sign_in_failure, entity::tenant, entity::user, rows::unsigned, tenant::api_keys,
};
use domain::{Email, TenantId, Timestamp, UserId};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, DbBackend, EntityTrait, PaginatorTrait, QueryFilter,
    sea_query::{Expr, ExprTrait},
};

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
    pub user: UserId,
    pub tenant: TenantId,
    pub email: Email,
    pub password_hash: String,
    pub is_operator: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInFailures {
    pub failures: u32,
    pub window_ends_at: Timestamp,
}

#[derive(Clone, Copy)]
pub struct Accounts<'a> {
    store: &'a Store,
}

impl<'a> Accounts<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Makes a tenant with its first user; the very first account of all becomes the operator (also under
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
        let is_operator = user::Entity::find().count(&write.tx).await? == 0;
        let created_at_ms = write.now.ms();
        let name = account.email.local_part().to_owned();
        tenant::ActiveModel { id: Set(account.tenant.uuid()), name: Set(name), created_at_ms: Set(created_at_ms) }
            .insert(&write.tx)
            .await?;
        let user = user::ActiveModel {
            id: Set(account.user.uuid()),
            tenant_id: Set(account.tenant.uuid()),
            email: Set(account.email.as_str().to_owned()),
            password_hash: Set(account.password_hash),
            is_operator: Set(is_operator),
            created_at_ms: Set(created_at_ms),
        };
        let stored = credentials(user.insert(&write.tx).await?)?;
        write.commit().await?;
        Ok(Some(stored))
    }

    pub async fn by_email(self, email: &Email) -> Result<Option<Credentials>, StoreError> {
        let user = user::Entity::find().filter(user::Column::Email.eq(email.as_str())).one(&self.store.db).await?;
        user.map(credentials).transpose()
    }

    pub async fn by_id(self, user: UserId) -> Result<Option<Credentials>, StoreError> {
        user::Entity::find_by_id(user.uuid()).one(&self.store.db).await?.map(credentials).transpose()
    }

    /// The owner of a key that is not revoked; notes the use (at most one write a minute and key).
    pub async fn by_key(self, secret_sha256: [u8; 32]) -> Result<Option<KeyOwner>, StoreError> {
        api_keys::owner(self.store, secret_sha256).await
    }

    /// Counts one more failure; a window that has ended starts anew, `window_ms` long. One atomic statement.
    pub async fn note_failure(self, subject: &str, window_ms: i64) -> Result<SignInFailures, StoreError> {
        let write = self.store.write().await?;
        let ends_at_ms = write.now.plus_ms(window_ms).ms();
        let statement = write.statement(
            "INSERT INTO sign_in_failures (subject, failures, window_ends_at_ms) VALUES ($1, 1, $2) \
             ON CONFLICT (subject) DO UPDATE SET \
             failures = CASE WHEN sign_in_failures.window_ends_at_ms <= $3 THEN 1 ELSE sign_in_failures.failures + 1 END, \
             window_ends_at_ms = CASE WHEN sign_in_failures.window_ends_at_ms <= $3 THEN $2 ELSE sign_in_failures.window_ends_at_ms END \
             RETURNING subject, failures, window_ends_at_ms",
            [subject.into(), ends_at_ms.into(), write.now.ms().into()],
        );
        let row = sign_in_failure::Entity::find().from_raw_sql(statement).one(&write.tx).await?;
        let row = row.ok_or(StoreError::Raced { table: "sign_in_failures" })?;
        write.commit().await?;
        sign_in_failures(row.failures, row.window_ends_at_ms)
    }

    /// Counts one failure less.
    pub async fn take_back_failure(self, subject: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let failures = Expr::col(sign_in_failure::Column::Failures);
        sign_in_failure::Entity::update_many()
            .col_expr(sign_in_failure::Column::Failures, failures.sub(1))
            .filter(sign_in_failure::Column::Subject.eq(subject).and(sign_in_failure::Column::Failures.gt(0)))
            .exec(&write.tx)
            .await?;
        write.commit().await
    }

    /// Removes the counts whose window has ended.
    pub async fn forget_ended_windows(self) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let ended = sign_in_failure::Column::WindowEndsAtMs.lte(write.now.ms());
        sign_in_failure::Entity::delete_many().filter(ended).exec(&write.tx).await?;
        write.commit().await
    }

    pub async fn forget_failures(self, subject: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        sign_in_failure::Entity::delete_by_id(subject).exec(&write.tx).await?;
        write.commit().await
    }
}

fn sign_in_failures(failures: i32, window_ends_at_ms: i64) -> Result<SignInFailures, StoreError> {
    let failures = unsigned("sign_in_failures", "failures", failures)?;
    Ok(SignInFailures { failures, window_ends_at: Timestamp::from_ms(window_ends_at_ms) })
}

fn credentials(row: user::Model) -> Result<Credentials, StoreError> {
    Ok(Credentials {
        user: UserId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        email: row.email.parse().map_err(|_| StoreError::inconsistent("users", "email", &row.email))?,
        password_hash: row.password_hash,
        is_operator: row.is_operator,
    })
}
