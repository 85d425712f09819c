//! What somebody may have prepared who signed up with an address that is not theirs, in an account that its mailbox's owner takes over: it
//! goes when the owner sets a password by mail.

use super::second_factor;
use crate::{
    StoreError,
    database::write::Write,
    rows::account::{asked::Asked, audit, invitations, memberships, tenants, users},
    tenant::{api_keys, members},
};
use domain::{Act, Membership, Role, TenantId};

/// From now on nobody else gets in by what was set up before: second factor, keys, invitations, and members of tenants that were made for this
/// user. The user is locked.
pub(super) async fn hand_over(write: &mut Write, asked: Asked<'_>) -> Result<(), StoreError> {
    second_factor::delete(write, asked.user).await?;
    let mut own = memberships::of_user(&write.tx, asked.user).await?;
    // All who take the locks of several tenants take them in one order.
    own.sort_by_key(|membership| membership.tenant);
    for Membership { tenant, user, .. } in own {
        tenants::lock(write, tenant).await?;
        api_keys::revoke_all_of(write, tenant, user).await?;
        invitations::delete_by(write, tenant, user).await?;
        if memberships::is_founder(&write.tx, tenant, user).await? {
            memberships::set_role(write, Membership { tenant, user, role: Role::Owner }).await?;
            take_others_out(write, asked, tenant).await?;
        }
    }
    Ok(())
}

async fn take_others_out(write: &mut Write, asked: Asked<'_>, tenant: TenantId) -> Result<(), StoreError> {
    let name = tenants::name(&write.tx, tenant).await?.unwrap_or_default();
    for member in memberships::of_tenant(&write.tx, tenant).await? {
        if member.user == asked.user {
            continue;
        }
        let Some(row) = users::locked(write, member.user).await? else { continue };
        audit::insert(write, &asked.did_in(tenant, Act::MemberRemoved, &row.email)).await?;
        api_keys::revoke_all_of(write, tenant, member.user).await?;
        members::take_out(write, tenant, member.user, &row.email).await?;
        members::tell_removed(write, &row, &name)?;
    }
    Ok(())
}
