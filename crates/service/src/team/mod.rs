//! Who belongs to a tenant: inviting, joining, roles, leaving. Pages call a tenant a *team*.

use crate::{
    AccessError, Services,
    account::{HashError, MailRefused},
    mail,
};
use domain::{
    Actor, Email, EmailError, Forbidden, InvitationId, Membership, PasswordError, Permission, Role, UserId, account::check_password,
    account::token::SpentToken,
};
use store::{Asked, AuditEntry, ChangeError, Invitation, InviteError, JoinError, Member, Offer, StoreError, Through, chance};

use crate::account::User;

pub const NAME_CHARS_MAX: usize = 60;
const OPEN_MAX: usize = 100;
const ACTS_SHOWN: u64 = 50;

/// A tenant, as its members see it.
#[derive(Debug, Clone)]
pub struct Team {
    pub name: String,
    pub members: Vec<Member>,
    /// For those who may manage them.
    pub invitations: Vec<Invitation>,
    /// For those who may read it; the newest first.
    pub acts: Vec<AuditEntry>,
}

#[derive(Debug, thiserror::Error)]
pub enum TeamError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error("give the team a name of 1 to {NAME_CHARS_MAX} characters")]
    Name,
    #[error(transparent)]
    Mail(#[from] MailRefused),
    #[error(transparent)]
    Invite(#[from] InviteError),
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum JoinTeamError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Join(#[from] JoinError),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("the password could not be hashed")]
    Hash(#[from] HashError),
}

impl From<StoreError> for JoinTeamError {
    fn from(error: StoreError) -> Self {
        JoinError::from(error).into()
    }
}

impl From<SpentToken> for JoinTeamError {
    fn from(spent: SpentToken) -> Self {
        JoinError::from(spent).into()
    }
}

impl Services {
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer. What they may not see of it is left out.
    pub async fn team(&self, actor: Actor) -> Result<Team, AccessError> {
        let tenant = self.tenant_of(actor, Permission::SeeMembers)?;
        let members = tenant.members();
        let invitations = if actor.may(Permission::ManageMembers) { members.invitations().await? } else { Vec::new() };
        let acts = if actor.may(Permission::ReadAuditLog) { members.audit_log(None, ACTS_SHOWN).await? } else { Vec::new() };
        Ok(Team { name: tenant.name().await?.unwrap_or_default(), members: members.list().await?, invitations, acts })
    }

    /// # Errors
    /// [`TeamError`]; the name stays as it was.
    pub async fn rename_team(&self, actor: Actor, name: &str, address: &str) -> Result<(), TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageMembers)?;
        let name = name.trim();
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(domain::text::is_hidden) {
            return Err(TeamError::Name);
        }
        Ok(self.store.tenant(tenant).members().rename(Asked { user, address }, name).await?)
    }

    /// Has an invitation mailed to an address.
    ///
    /// # Errors
    /// [`TeamError`] says why nobody was invited.
    pub async fn invite(&self, actor: Actor, email: &str, role: Role, address: &str) -> Result<Email, TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageMembers)?;
        let email: Email = email.parse()?;
        self.count_invitation(&email, address).await?;
        let id = InvitationId::from_uuid(chance::new_id());
        self.store.tenant(tenant).members().invite(Asked { user, address }, id, email.clone(), role, OPEN_MAX).await?;
        Ok(email)
    }

    /// Mails an invitation once more; links of before open nothing then.
    ///
    /// # Errors
    /// As [`Self::invite`].
    pub async fn invite_again(&self, actor: Actor, id: InvitationId, address: &str) -> Result<(), TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageMembers)?;
        let members = self.store.tenant(tenant).members();
        if let Some(open) = members.invitations().await?.into_iter().find(|open| open.id == id) {
            self.count_invitation(&open.email, address).await?;
        }
        Ok(members.invite_again(Asked { user, address }, id).await?)
    }

    /// Takes an invitation back.
    ///
    /// # Errors
    /// As [`Self::invite`].
    pub async fn revoke_invitation(&self, actor: Actor, id: InvitationId, address: &str) -> Result<(), TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageMembers)?;
        Ok(self.store.tenant(tenant).members().revoke_invitation(Asked { user, address }, id).await?)
    }

    /// Gives a member another role.
    ///
    /// # Errors
    /// [`TeamError`]; nothing was changed.
    pub async fn change_role(&self, actor: Actor, member: UserId, role: Role, address: &str) -> Result<(), TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageMembers)?;
        Ok(self.store.tenant(tenant).members().change(Asked { user, address }, member, Some(role)).await?)
    }

    /// Takes a member out of the tenant, at once; their keys open nothing more.
    ///
    /// # Errors
    /// [`TeamError`]; nothing was changed.
    pub async fn remove_member(&self, actor: Actor, member: UserId, address: &str) -> Result<(), TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageMembers)?;
        Ok(self.store.tenant(tenant).members().change(Asked { user, address }, member, None).await?)
    }

    /// Leaves the tenant.
    ///
    /// # Errors
    /// [`TeamError`]: its last owner stays.
    pub async fn leave_team(&self, actor: Actor, address: &str) -> Result<(), TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.tenant(tenant).members().change(Asked { user, address }, user, None).await?)
    }

    /// Makes another member owner, and who was it an admin.
    ///
    /// # Errors
    /// [`TeamError`]; nothing was changed.
    pub async fn transfer_team(&self, actor: Actor, to: UserId, address: &str) -> Result<(), TeamError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageMembers)?;
        Ok(self.store.tenant(tenant).members().transfer(Asked { user, address }, to).await?)
    }

    /// What the link of an invitation offers.
    ///
    /// # Errors
    /// [`JoinError::Spent`] when it offers nothing.
    pub async fn offer(&self, token: &str) -> Result<Offer, JoinError> {
        Ok(self.store.accounts().offer(mail::digest(token)).await??)
    }

    /// Joins, as who is signed in.
    ///
    /// # Errors
    /// [`JoinTeamError`]; nobody has joined.
    pub async fn join_team(&self, actor: Actor, token: &str, address: &str) -> Result<User, JoinTeamError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.accounts().join(mail::digest(token), Through::Account(user), address).await?.into())
    }

    /// Makes an account with the address to which the invitation was mailed, in that tenant alone.
    ///
    /// # Errors
    /// [`JoinTeamError`] names what to change; the link stays as it was.
    pub async fn join_by_signing_up(&self, token: &str, password: &str, address: &str) -> Result<User, JoinTeamError> {
        let offer = self.offer(token).await?;
        check_password(password, &offer.email)?;
        let password_hash = self.hash_for(address, password).await?;
        let user = UserId::from_uuid(chance::new_id());
        let joined = self.store.accounts().join(mail::digest(token), Through::SigningUp { user, password_hash }, address).await?;
        Ok(joined.into())
    }
}
