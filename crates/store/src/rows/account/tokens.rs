//! The `one_time_tokens` table: what somebody proves who comes back with a link that was mailed. Only the SHA-256 is kept.

use crate::{StoreError, database::write::Write};
use domain::{
    Email, InvitationId, Timestamp, UserId,
    account::token::{Purpose, SPENT_KEPT_MS, SpentToken},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

/// A token on its way into a mail.
#[derive(Debug, Clone)]
pub struct NewToken {
    pub sha256: [u8; 32],
    pub purpose: Purpose,
    /// The mailbox that it is sent to.
    pub email: Email,
    pub user: Option<UserId>,
    pub invitation: Option<InvitationId>,
}

/// What a token that is good proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    pub email: Email,
    pub user: Option<UserId>,
    pub invitation: Option<InvitationId>,
}

#[derive(FromQueryResult)]
struct Row {
    email: String,
    user_id: Option<Uuid>,
    invitation_id: Option<Uuid>,
    expires_at_ms: i64,
    used_at_ms: Option<i64>,
}

/// Another for the same leaves those before it good: a mail may be sent twice.
pub(crate) async fn insert(write: &Write, token: &NewToken) -> Result<(), StoreError> {
    let statement = write.statement(
        "INSERT INTO one_time_tokens (token_sha256, purpose, email, user_id, invitation_id, created_at_ms, expires_at_ms) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [
            token.sha256.as_slice().into(),
            token.purpose.as_str().into(),
            token.email.as_str().into(),
            token.user.map(UserId::uuid).into(),
            token.invitation.map(InvitationId::uuid).into(),
            write.now.ms().into(),
            write.now.plus_ms(token.purpose.good_for_ms()).ms().into(),
        ],
    );
    write.tx.execute_raw(statement).await?;
    Ok(())
}

/// What a token proves, without using it.
pub(crate) async fn look(
    db: &impl ConnectionTrait,
    now: Timestamp,
    sha256: [u8; 32],
    purpose: Purpose,
) -> Result<Result<Proof, SpentToken>, StoreError> {
    let sql = "SELECT email, user_id, invitation_id, expires_at_ms, used_at_ms FROM one_time_tokens \
         WHERE token_sha256 = $1 AND purpose = $2";
    let values = [sha256.as_slice().into(), purpose.as_str().into()];
    let row = Row::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).one(db).await?;
    let Some(row) = row else { return Ok(Err(SpentToken::Unknown)) };
    if row.used_at_ms.is_some() {
        return Ok(Err(SpentToken::Used));
    }
    if row.expires_at_ms <= now.ms() {
        return Ok(Err(SpentToken::Expired));
    }
    Ok(Ok(Proof {
        email: row.email.parse().map_err(|_| StoreError::inconsistent("one_time_tokens", "email", &row.email))?,
        user: row.user_id.map(UserId::from_uuid),
        invitation: row.invitation_id.map(InvitationId::from_uuid),
    }))
}

/// Uses a token: of two who come with it at once, one is let through. The others for the same are used with it.
pub(crate) async fn spend(write: &Write, sha256: [u8; 32], purpose: Purpose) -> Result<Result<Proof, SpentToken>, StoreError> {
    let proof = match look(&write.tx, write.now, sha256, purpose).await? {
        Ok(proof) => proof,
        Err(spent) => return Ok(Err(spent)),
    };
    let now = write.now.ms();
    let used = write.statement(
        "UPDATE one_time_tokens SET used_at_ms = $1 WHERE token_sha256 = $2 AND used_at_ms IS NULL",
        [now.into(), sha256.as_slice().into()],
    );
    if write.tx.execute_raw(used).await?.rows_affected() == 0 {
        return Ok(Err(SpentToken::Used));
    }
    let (others, id) = match (proof.user, proof.invitation) {
        (Some(user), _) => ("user_id", user.uuid()),
        (None, Some(invitation)) => ("invitation_id", invitation.uuid()),
        (None, None) => return Ok(Ok(proof)),
    };
    let sql =
        format!("UPDATE one_time_tokens SET used_at_ms = $1 WHERE email = $2 AND purpose = $3 AND {others} = $4 AND used_at_ms IS NULL");
    let others = write.statement(&sql, [now.into(), proof.email.as_str().into(), purpose.as_str().into(), id.into()]);
    write.tx.execute_raw(others).await?;
    Ok(Ok(proof))
}

/// Links of this kind that were sent to this address open nothing any more.
pub(crate) async fn void(write: &Write, email: &Email, purpose: Purpose) -> Result<(), StoreError> {
    let statement = write.statement(
        "UPDATE one_time_tokens SET used_at_ms = $1 WHERE email = $2 AND purpose = $3 AND used_at_ms IS NULL",
        [write.now.ms().into(), email.as_str().into(), purpose.as_str().into()],
    );
    write.tx.execute_raw(statement).await?;
    Ok(())
}

/// Links of this kind that were made for this user open nothing any more, wherever they were sent.
pub(crate) async fn void_of(write: &Write, user: UserId, purpose: Purpose) -> Result<(), StoreError> {
    let statement = write.statement(
        "UPDATE one_time_tokens SET used_at_ms = $1 WHERE user_id = $2 AND purpose = $3 AND used_at_ms IS NULL",
        [write.now.ms().into(), user.uuid().into(), purpose.as_str().into()],
    );
    write.tx.execute_raw(statement).await?;
    Ok(())
}

/// Links of this invitation, which went to this address, open nothing any more. Those of other teams to it do.
pub(crate) async fn void_invitation(write: &Write, email: &Email, invitation: InvitationId) -> Result<(), StoreError> {
    let statement = write.statement(
        "UPDATE one_time_tokens SET used_at_ms = $1 WHERE email = $2 AND invitation_id = $3 AND used_at_ms IS NULL",
        [write.now.ms().into(), email.as_str().into(), invitation.uuid().into()],
    );
    write.tx.execute_raw(statement).await?;
    Ok(())
}

pub(crate) async fn delete_of(write: &Write, user: UserId, email: &Email) -> Result<(), StoreError> {
    let statement =
        write.statement("DELETE FROM one_time_tokens WHERE user_id = $1 OR email = $2", [user.uuid().into(), email.as_str().into()]);
    write.tx.execute_raw(statement).await?;
    Ok(())
}

/// Forgets those that nobody comes back with.
pub(crate) async fn forget(write: &Write) -> Result<(), StoreError> {
    let long_ago = write.now.plus_ms(-SPENT_KEPT_MS).ms();
    let statement = write.statement("DELETE FROM one_time_tokens WHERE expires_at_ms <= $1", [long_ago.into()]);
    write.tx.execute_raw(statement).await?;
    Ok(())
}
