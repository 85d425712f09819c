//! Joining a tenant by the link of an invitation: as somebody who is signed in, or by signing up.

use super::{Accounts, Credentials, NewAccount, SIGN_UP_LOCK, row};
use crate::{
    StoreError,
    database::{deadlock, write::Write},
    rows::account::{
        asked::Asked,
        audit,
        invitations::{self, Invitation},
        memberships, tenants, tokens, users,
    },
};
use domain::{
    Act, Email, Membership, Role, TenantId, UserId,
    account::token::{Purpose, SpentToken},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// What the link of an invitation offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub tenant: TenantId,
    pub tenant_name: String,
    pub role: Role,
    /// To whom it was sent.
    pub email: Email,
    /// The address of who sent it; `None`: their account is gone, or the address not confirmed, so that it may be anybody's.
    pub invited_by: Option<String>,
    /// There is an account with that address.
    pub has_account: bool,
}

/// Who joins.
#[derive(Debug, Clone)]
pub enum Through {
    /// Somebody who is signed in, whatever their address: they have the link.
    Account(UserId),
    /// Somebody new, with the address to which the link was sent, and no tenant of their own.
    SigningUp { user: UserId, password_hash: String },
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum JoinError {
    #[error(transparent)]
    Spent(#[from] SpentToken),
    #[error("you are in this team already")]
    AlreadyMember,
    #[error("there is an account with this email address already")]
    EmailTaken,
    #[error("this account is deleted")]
    AccountGone,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl JoinError {
    fn is_deadlock(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_deadlock())
    }
}

#[derive(FromQueryResult)]
struct Named {
    name: String,
    invited_by: Option<String>,
}

const NAMED: &str = "SELECT tenants.name, users.email AS invited_by FROM tenants \
     LEFT JOIN users ON users.id = $2 AND users.deleted_at_ms IS NULL AND users.email_verified_at_ms IS NOT NULL WHERE tenants.id = $1 AND tenants.deleted_at_ms IS NULL";

impl Accounts<'_> {
    /// What a link offers, without using it.
    pub async fn offer(self, sha256: [u8; 32]) -> Result<Result<Offer, SpentToken>, StoreError> {
        let db = &self.store.db;
        let proof = match tokens::look(db, self.store.now().await?, sha256, Purpose::Invitation).await? {
            Ok(proof) => proof,
            Err(spent) => return Ok(Err(spent)),
        };
        let Some(id) = proof.invitation else { return Ok(Err(SpentToken::Unknown)) };
        // Taken back, or accepted by another link.
        let Some(invitation) = invitations::find(db, id).await? else { return Ok(Err(SpentToken::Used)) };
        let values = [invitation.tenant.uuid().into(), invitation.invited_by.uuid().into()];
        let named = Named::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), NAMED, values)).one(db).await?;
        let Some(Named { name, invited_by }) = named else { return Ok(Err(SpentToken::Unknown)) };
        let has_account = users::by_email(db, &invitation.email).await?.is_some();
        let (tenant, role, email) = (invitation.tenant, invitation.role, invitation.email);
        Ok(Ok(Offer { tenant, tenant_name: name, role, email, invited_by, has_account }))
    }

    /// Joins by a link, which is used then.
    pub async fn join(self, sha256: [u8; 32], through: Through, address: &str) -> Result<Credentials, JoinError> {
        // An account that is deleted is locked before its tenants.
        deadlock::retried(JoinError::is_deadlock, || self.try_to_join(sha256, through.clone(), address)).await
    }

    async fn try_to_join(self, sha256: [u8; 32], through: Through, address: &str) -> Result<Credentials, JoinError> {
        let write = self.store.write().await?;
        let joined = join(&write, sha256, through, address).await;
        match joined {
            Ok(Membership { user, tenant, .. }) => {
                write.commit().await?;
                let found = self.by_id_in(user, Some(tenant)).await?;
                found.ok_or(JoinError::Spent(SpentToken::Unknown))
            }
            Err(error) => {
                write.abandon().await?;
                Err(error)
            }
        }
    }
}

async fn join(write: &Write, sha256: [u8; 32], through: Through, address: &str) -> Result<Membership, JoinError> {
    if matches!(through, Through::SigningUp { .. }) {
        write.alone(SIGN_UP_LOCK).await?;
    }
    let invitation = open_invitation(write, sha256).await?;
    let (id, tenant, role) = (invitation.id, invitation.tenant, invitation.role);
    let user = match through {
        Through::Account(user) => {
            users::locked(write, user).await?.ok_or(JoinError::AccountGone)?;
            user
        }
        Through::SigningUp { user, password_hash } => {
            if users::by_email(&write.tx, &invitation.email).await?.is_some() {
                return Err(JoinError::EmailTaken);
            }
            let account =
                NewAccount { tenant, user, email: invitation.email.clone(), password_hash: Some(password_hash), is_verified: true };
            users::insert(write, row(&account, false, Some(write.now.ms()), write.now.ms())).await?;
            user
        }
    };
    if memberships::find(&write.tx, tenant, user).await?.is_some() {
        return Err(JoinError::AlreadyMember);
    }
    let membership = Membership { tenant, user, role };
    memberships::insert(write, membership).await?;
    if !invitations::delete(write, id).await? {
        return Err(SpentToken::Used.into());
    }
    audit::insert(write, &Asked { user, address }.did_in(tenant, Act::InvitationAccepted, role.label())).await?;
    Ok(membership)
}

/// What a link offers, which is used then. Whoever takes an invitation back or sends it again locks the tenant before the links: so does this, and
/// looks again behind the lock.
async fn open_invitation(write: &Write, sha256: [u8; 32]) -> Result<Invitation, JoinError> {
    let proof = tokens::look(&write.tx, write.now, sha256, Purpose::Invitation).await??;
    let id = proof.invitation.ok_or(SpentToken::Unknown)?;
    let tenant = invitations::find(&write.tx, id).await?.ok_or(SpentToken::Used)?.tenant;
    if !tenants::lock(write, tenant).await? {
        return Err(SpentToken::Unknown.into());
    }
    tokens::spend(write, sha256, Purpose::Invitation).await??;
    Ok(invitations::find(&write.tx, id).await?.ok_or(SpentToken::Used)?)
}
