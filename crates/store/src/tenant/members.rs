//! Who is in a tenant, as what, and who is invited. A tenant always has an owner, and a user a tenant.

use crate::{
    Store, StoreError, billing,
    database::write::Write,
    entity::user,
    rows::account::{
        asked::Asked,
        audit::{self, AuditEntry},
        invitations::{self, Invitation},
        memberships, tenants, tokens, users,
    },
    tenant::{api_keys, promotion},
};
use domain::{
    Act, Email, InvitationId, Membership, Role, RoleChange, TeamError, TenantId, Timestamp, UserId,
    account::{mail::Mail, token::Purpose},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

/// Somebody in a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub user: UserId,
    pub email: String,
    pub role: Role,
    pub since: Timestamp,
}

/// Why nobody was invited, or not again.
#[derive(Debug, Clone, thiserror::Error)]
pub enum InviteError {
    #[error("they are in this team already")]
    AlreadyMember,
    #[error("they are invited already")]
    AlreadyInvited,
    #[error("so many are invited already: take some invitations back first")]
    TooMany,
    #[error("this invitation is not open any more")]
    NotOpen,
    #[error("confirm your own email address first: then you can invite others")]
    Unconfirmed,
    #[error(transparent)]
    Team(#[from] TeamError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a membership stays as it is.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ChangeError {
    #[error(transparent)]
    Team(#[from] TeamError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(FromQueryResult)]
struct MemberRow {
    user_id: Uuid,
    email: String,
    role: String,
    created_at_ms: i64,
}

const MEMBERS: &str = "SELECT user_id, users.email, role, memberships.created_at_ms FROM memberships \
     JOIN users ON users.id = user_id WHERE tenant_id = $1 ORDER BY memberships.created_at_ms, user_id";

#[derive(Clone, Copy)]
pub struct Members<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> Members<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// In the order in which they came.
    pub async fn list(self) -> Result<Vec<Member>, StoreError> {
        let db = &self.store.of(self.tenant);
        let statement = Statement::from_sql_and_values(db.get_database_backend(), MEMBERS, [self.tenant.uuid().into()]);
        let member = |row: MemberRow| {
            let (role, since) = (memberships::role(&row.role)?, Timestamp::from_ms(row.created_at_ms));
            Ok(Member { user: UserId::from_uuid(row.user_id), email: row.email, role, since })
        };
        MemberRow::find_by_statement(statement).all(db).await?.into_iter().map(member).collect()
    }

    /// Who is invited, the newest first.
    pub async fn invitations(self) -> Result<Vec<Invitation>, StoreError> {
        invitations::of_tenant(&self.store.of(self.tenant), self.tenant).await
    }

    /// What was done in the tenant, the newest first, before the entry of this number.
    pub async fn audit_log(self, before: Option<i64>, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
        audit::of_tenant(&self.store.of(self.tenant), self.tenant, before, limit).await
    }

    pub async fn rename(self, asked: Asked<'_>, name: &str) -> Result<(), StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        audit::insert(&write, &asked.did_in(self.tenant, Act::TeamRenamed, name)).await?;
        tenants::rename(&write, self.tenant, name).await?;
        write.commit().await
    }

    /// Has an invitation mailed; at most `open_max` are open at a time.
    pub async fn invite(self, asked: Asked<'_>, id: InvitationId, email: Email, role: Role, open_max: usize) -> Result<(), InviteError> {
        let mut write = self.store.write_of(self.tenant).await?;
        let invited = self.invite_in(&mut write, asked, id, email, role, open_max).await;
        write.end(invited).await
    }

    async fn invite_in(
        self,
        write: &mut Write,
        asked: Asked<'_>,
        id: InvitationId,
        email: Email,
        role: Role,
        open_max: usize,
    ) -> Result<(), InviteError> {
        let by = self.role_of(write, asked.user).await?;
        if !by.may_give(role) {
            return Err(TeamError::NotAllowed.into());
        }
        require_confirmed(write, asked.user).await?;
        if let Some(user) = users::by_email(&write.tx, &email).await?
            && memberships::find(&write.tx, self.tenant, UserId::from_uuid(user.id)).await?.is_some()
        {
            return Err(InviteError::AlreadyMember);
        }
        if let Some(open) = invitations::of_email(&write.tx, self.tenant, &email).await? {
            if open.expires_at > write.now {
                return Err(InviteError::AlreadyInvited);
            }
            invitations::delete(write, open.id).await?;
        }
        if invitations::of_tenant(&write.tx, self.tenant).await?.len() >= open_max {
            return Err(InviteError::TooMany);
        }
        let expires_at = write.now.plus_ms(Purpose::Invitation.good_for_ms());
        let (tenant, invited_by, sent_at) = (self.tenant, asked.user, write.now);
        audit::insert(write, &asked.did_in(tenant, Act::MemberInvited, email.as_str())).await?;
        invitations::insert(write, &Invitation { id, tenant, email, role, invited_by, sent_at, expires_at }).await?;
        write.add_mail(&Mail::Invitation { invitation: id });
        Ok(())
    }

    /// Mails it once more; the links of before open nothing then.
    pub async fn invite_again(self, asked: Asked<'_>, id: InvitationId) -> Result<(), InviteError> {
        let mut write = self.store.write_of(self.tenant).await?;
        let sent = self.invite_again_in(&mut write, asked, id).await;
        write.end(sent).await
    }

    async fn invite_again_in(self, write: &mut Write, asked: Asked<'_>, id: InvitationId) -> Result<(), InviteError> {
        let invitation = self.open_invitation(write, asked, id).await?;
        require_confirmed(write, asked.user).await?;
        tokens::void_invitation(write, &invitation.email, id).await?;
        invitations::renew(write, id).await?;
        audit::insert(write, &asked.did_in(self.tenant, Act::InvitationSentAgain, invitation.email.as_str())).await?;
        write.add_mail(&Mail::Invitation { invitation: id });
        Ok(())
    }

    /// Takes it back: its links open nothing from now on.
    pub async fn revoke_invitation(self, asked: Asked<'_>, id: InvitationId) -> Result<(), InviteError> {
        let write = self.store.write_of(self.tenant).await?;
        let invitation = match self.open_invitation(&write, asked, id).await {
            Ok(invitation) => invitation,
            Err(error) => return write.end(Err(error)).await,
        };
        invitations::delete(&write, id).await?;
        audit::insert(&write, &asked.did_in(self.tenant, Act::InvitationRevoked, invitation.email.as_str())).await?;
        Ok(write.commit().await?)
    }

    /// One of this tenant that is not accepted, which this user may give.
    async fn open_invitation(self, write: &Write, asked: Asked<'_>, id: InvitationId) -> Result<Invitation, InviteError> {
        let by = self.role_of(write, asked.user).await?;
        let found = invitations::find(&write.tx, id).await?.filter(|invitation| invitation.tenant == self.tenant);
        let invitation = found.ok_or(InviteError::NotOpen)?;
        if by.may_give(invitation.role) { Ok(invitation) } else { Err(TeamError::NotAllowed.into()) }
    }

    /// Gives a member another role, or with `None` takes them out of the tenant: somebody else, or themselves.
    pub async fn change(self, asked: Asked<'_>, user: UserId, to: Option<Role>) -> Result<(), ChangeError> {
        // Whoever is in no other tenant gets one of their own.
        let mut write = self.store.write().await?;
        let changed = self.change_in(&mut write, asked, user, to).await;
        write.end(changed).await
    }

    async fn change_in(self, write: &mut Write, asked: Asked<'_>, user: UserId, to: Option<Role>) -> Result<(), ChangeError> {
        let by = self.role_of(write, asked.user).await?;
        let from = memberships::find(&write.tx, self.tenant, user).await?.ok_or(TeamError::NotAMember)?;
        let owners = memberships::owners(&write.tx, self.tenant).await?;
        RoleChange { by, is_own: user == asked.user, from, to, owners }.check()?;
        let row = users::locked(write, user).await?.ok_or(TeamError::NotAMember)?;
        let Some(role) = to else {
            let act = if user == asked.user { Act::MemberLeft } else { Act::MemberRemoved };
            let subject = if user == asked.user { "" } else { &*row.email };
            audit::insert(write, &asked.did_in(self.tenant, act, subject)).await?;
            api_keys::revoke_all_of(write, self.tenant, user).await?;
            if user != asked.user {
                let name = tenants::name(&write.tx, self.tenant).await?.unwrap_or_default();
                tell_removed(write, &row, &name)?;
            }
            return Ok(take_out(write, self.tenant, user, &row.email).await?);
        };
        if role != from {
            memberships::set_role(write, Membership { tenant: self.tenant, user, role }).await?;
            let subject = audit::changed_role(&row.email, role);
            audit::insert(write, &asked.did_in(self.tenant, Act::RoleChanged, &subject)).await?;
        }
        Ok(())
    }

    /// Makes a member owner, and who was it an admin.
    pub async fn transfer(self, asked: Asked<'_>, to: UserId) -> Result<(), ChangeError> {
        let write = self.store.write_of(self.tenant).await?;
        let transferred = self.transfer_in(&write, asked, to).await;
        write.end(transferred).await
    }

    async fn transfer_in(self, write: &Write, asked: Asked<'_>, to: UserId) -> Result<(), ChangeError> {
        if self.role_of(write, asked.user).await? != Role::Owner {
            return Err(TeamError::NotAllowed.into());
        }
        if to == asked.user {
            return Ok(());
        }
        memberships::find(&write.tx, self.tenant, to).await?.ok_or(TeamError::NotAMember)?;
        let row = users::locked(write, to).await?.ok_or(TeamError::NotAMember)?;
        memberships::set_role(write, Membership { tenant: self.tenant, user: to, role: Role::Owner }).await?;
        memberships::set_role(write, Membership { tenant: self.tenant, user: asked.user, role: Role::Admin }).await?;
        Ok(audit::insert(write, &asked.did_in(self.tenant, Act::OwnershipTransferred, &row.email)).await?)
    }

    /// What somebody is here at this moment; who belongs to the tenant changes by this transaction alone until it ends.
    async fn role_of(self, write: &Write, user: UserId) -> Result<Role, ChangeError> {
        tenants::lock(write, self.tenant).await?;
        Ok(memberships::find(&write.tx, self.tenant, user).await?.ok_or(TeamError::NotAllowed)?)
    }
}

/// Has somebody told who was taken out of a tenant of this name, unless their address may be a stranger's.
pub(crate) fn tell_removed(write: &mut Write, user: &user::Model, name: &str) -> Result<(), StoreError> {
    if let Some(email) = users::confirmed_email(user)? {
        write.add_mail(&Mail::Removed { email, tenant: name.to_owned() });
    }
    Ok(())
}

/// Whoever signed up with the address of another must not fill the tenant with people before that other comes.
async fn require_confirmed(write: &Write, user: UserId) -> Result<(), InviteError> {
    let row = users::locked(write, user).await?.ok_or(TeamError::NotAllowed)?;
    if row.email_verified_at_ms.is_none() { Err(InviteError::Unconfirmed) } else { Ok(()) }
}

/// Their invitations go with them. Who belongs to nothing any more gets a tenant of their own. What its plan includes begins with the next month of
/// the account, which has had that of this one, and promo codes that this one has used are used.
pub(crate) async fn take_out(write: &Write, tenant: TenantId, user: UserId, email: &str) -> Result<(), StoreError> {
    memberships::delete(write, tenant, user).await?;
    invitations::delete_by(write, tenant, user).await?;
    if memberships::of_user(&write.tx, user).await?.is_empty() {
        let own = TenantId::from_uuid(crate::chance::new_id());
        let email = email.parse().map_err(|_| StoreError::inconsistent("users", "email", email))?;
        tenants::insert(write, own, &email).await?;
        let row = users::locked(write, user).await?.ok_or_else(|| StoreError::inconsistent("users", "id", user))?;
        billing::had_elsewhere(&write.tx, own, Timestamp::from_ms(row.created_at_ms), write.now).await?;
        promotion::copy_redemptions(&write.tx, tenant, own).await?;
        memberships::insert(write, Membership { tenant: own, user, role: Role::Owner }).await?;
    }
    Ok(())
}

impl From<ChangeError> for InviteError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Team(error) => error.into(),
            ChangeError::Store(error) => error.into(),
        }
    }
}
