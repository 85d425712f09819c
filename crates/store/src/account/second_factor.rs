//! The `second_factors` and `recovery_codes` tables: codes of an app beside the password, and those for when it is lost.

use crate::{
    Store, StoreError,
    database::write::Write,
    rows::account::{asked::Asked, audit, users},
};
use domain::{Act, UserId, account::mail::Mail};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// What is known of a user's second factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    /// Sealed.
    pub secret: String,
    /// Codes up to this step of time were used.
    pub last_step: i64,
    /// Its user has shown that they have it; before that it is not asked for.
    pub is_confirmed: bool,
    pub codes_left: u64,
}

/// What somebody says who is asked for the second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeTried {
    /// The step of time of a code that was right.
    Step(i64),
    Recovery([u8; 32]),
}

/// What became of a step towards a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnedOn {
    Done,
    /// There is one that is asked for.
    Already,
    /// The account is deleted.
    Gone,
}

#[derive(FromQueryResult)]
struct Row {
    secret: String,
    last_step: i64,
    confirmed_at_ms: Option<i64>,
    codes_left: i64,
}

const FIND: &str = "SELECT secret, last_step, confirmed_at_ms, \
     (SELECT COUNT(*) FROM recovery_codes WHERE recovery_codes.user_id = second_factors.user_id) AS codes_left \
     FROM second_factors WHERE user_id = $1";

#[derive(Clone, Copy)]
pub struct SecondFactors<'a> {
    store: &'a Store,
}

impl<'a> SecondFactors<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub async fn find(self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        let db = &self.store.db;
        let statement = Statement::from_sql_and_values(db.get_database_backend(), FIND, [user.uuid().into()]);
        let row = Row::find_by_statement(statement).one(db).await?;
        Ok(row.map(|Row { secret, last_step, confirmed_at_ms, codes_left }| SecondFactor {
            secret,
            last_step,
            is_confirmed: confirmed_at_ms.is_some(),
            codes_left: codes_left.unsigned_abs(),
        }))
    }

    /// Keeps a secret to be confirmed, in place of another that was not.
    pub async fn propose(self, user: UserId, secret: &str) -> Result<TurnedOn, StoreError> {
        let write = self.store.write().await?;
        if users::locked(&write, user).await?.is_none() {
            write.abandon().await?;
            return Ok(TurnedOn::Gone);
        }
        let before = write.statement("DELETE FROM second_factors WHERE user_id = $1 AND confirmed_at_ms IS NULL", [user.uuid().into()]);
        write.tx.execute_raw(before).await?;
        let proposed = write.statement(
            "INSERT INTO second_factors (user_id, secret, last_step, created_at_ms) VALUES ($1, $2, 0, $3) ON CONFLICT DO NOTHING",
            [user.uuid().into(), secret.into(), write.now.ms().into()],
        );
        let done = write.tx.execute_raw(proposed).await?;
        write.commit().await?;
        Ok(if done.rows_affected() == 1 { TurnedOn::Done } else { TurnedOn::Already })
    }

    /// From now on it is asked for, unless there is none that was proposed.
    pub async fn confirm(self, asked: Asked<'_>, step: i64, codes: &[[u8; 32]]) -> Result<TurnedOn, StoreError> {
        let write = self.store.write().await?;
        if users::locked(&write, asked.user).await?.is_none() {
            write.abandon().await?;
            return Ok(TurnedOn::Gone);
        }
        let confirmed = write.statement(
            "UPDATE second_factors SET confirmed_at_ms = $1, last_step = $2 WHERE user_id = $3 AND confirmed_at_ms IS NULL",
            [write.now.ms().into(), step.into(), asked.user.uuid().into()],
        );
        if write.tx.execute_raw(confirmed).await?.rows_affected() == 0 {
            write.abandon().await?;
            return Ok(TurnedOn::Already);
        }
        replace_codes(&write, asked.user, codes).await?;
        audit::insert(&write, &asked.did(Act::SecondFactorOn, "")).await?;
        write.commit().await?;
        Ok(TurnedOn::Done)
    }

    /// Uses a code: one that was used is worth nothing, also for two who come with it at once.
    pub async fn spend(self, asked: Asked<'_>, code: CodeTried) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        let user = asked.user.uuid();
        let statement = match &code {
            CodeTried::Step(step) => write.statement(
                "UPDATE second_factors SET last_step = $1 WHERE user_id = $2 AND last_step < $1 AND confirmed_at_ms IS NOT NULL",
                [(*step).into(), user.into()],
            ),
            CodeTried::Recovery(sha256) => write
                .statement("DELETE FROM recovery_codes WHERE code_sha256 = $1 AND user_id = $2", [sha256.as_slice().into(), user.into()]),
        };
        let is_spent = write.tx.execute_raw(statement).await?.rows_affected() == 1;
        if is_spent && matches!(code, CodeTried::Recovery(_)) {
            audit::insert(&write, &asked.did(Act::RecoveryCodeUsed, "")).await?;
        }
        write.commit().await?;
        Ok(is_spent)
    }

    /// Puts these in place of the codes of before. `false`: the account is deleted.
    pub async fn renew_codes(self, asked: Asked<'_>, codes: &[[u8; 32]]) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        if users::locked(&write, asked.user).await?.is_none() {
            write.abandon().await?;
            return Ok(false);
        }
        replace_codes(&write, asked.user, codes).await?;
        audit::insert(&write, &asked.did(Act::RecoveryCodesMade, "")).await?;
        write.commit().await?;
        Ok(true)
    }

    /// It is asked for no more.
    pub async fn remove(self, asked: Asked<'_>) -> Result<(), StoreError> {
        let mut write = self.store.write().await?;
        let Some(user) = users::locked(&write, asked.user).await? else { return write.abandon().await };
        delete(&write, asked.user).await?;
        audit::insert(&write, &asked.did(Act::SecondFactorOff, "")).await?;
        if let Some(email) = users::confirmed_email(&user)? {
            write.add_mail(&Mail::SecondFactorOff { email });
        }
        write.commit().await
    }
}

async fn replace_codes(write: &Write, user: UserId, codes: &[[u8; 32]]) -> Result<(), StoreError> {
    write.tx.execute_raw(write.statement("DELETE FROM recovery_codes WHERE user_id = $1", [user.uuid().into()])).await?;
    for sha256 in codes {
        let values = [user.uuid().into(), sha256.as_slice().into()];
        let statement = write.statement("INSERT INTO recovery_codes (user_id, code_sha256) VALUES ($1, $2)", values);
        write.tx.execute_raw(statement).await?;
    }
    Ok(())
}

pub(super) async fn delete(write: &Write, user: UserId) -> Result<(), StoreError> {
    for table in ["recovery_codes", "second_factors"] {
        let statement = write.statement(&format!("DELETE FROM {table} WHERE user_id = $1"), [user.uuid().into()]);
        write.tx.execute_raw(statement).await?;
    }
    Ok(())
}
