//! The one table of who may do what.

use super::{Actor, KeyOwner, Membership, Role};
use std::fmt;

/// What a use case asks for before it does anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    SubmitJobs,
    /// Their lists, states and live events, and the files they made.
    ReadJobs,
    CancelJobs,
    DeleteJobs,
    /// Making, listing and revoking the tenant's API keys.
    ManageKeys,
    /// Seeing workers and damage of the whole installation, and checking what is stored.
    InspectInstallation,
    /// Finding any user, to act as them.
    ActForUsers,
    /// Giving models other names.
    NameModels,
    /// Seeing what the tenant can still use.
    ReadBalance,
    /// Making plans, giving them to tenants, giving credit, and seeing anybody's ledger.
    ManagePlans,
    /// Removing what nobody needs, delivering events, and offering models.
    Maintain,
}

impl Permission {
    /// As it follows "you may not".
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SubmitJobs => "submit videos",
            Self::ReadJobs => "see videos",
            Self::CancelJobs => "cancel videos",
            Self::DeleteJobs => "delete videos",
            Self::ManageKeys => "manage API keys",
            Self::InspectInstallation => "inspect this installation",
            Self::ActForUsers => "act for other users",
            Self::NameModels => "name models",
            Self::ReadBalance => "see the balance",
            Self::ManagePlans => "manage plans and credit",
            Self::Maintain => "maintain this installation",
        }
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whoever asked does not have the permission; nothing was read or done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("you may not {permission}")]
pub struct Forbidden {
    pub permission: Permission,
}

impl Actor {
    /// The table.
    #[must_use]
    pub const fn may(self, permission: Permission) -> bool {
        match permission {
            // A key may what its owner may, with each role alike.
            Permission::SubmitJobs | Permission::ReadJobs | Permission::CancelJobs | Permission::DeleteJobs | Permission::ReadBalance => {
                matches!(self, Self::User(_) | Self::Key(_))
            }
            // Not a key: one that has leaked would make others, which outlive it.
            Permission::ManageKeys => matches!(self, Self::User(Membership { role: Role::Owner, .. })),
            Permission::InspectInstallation | Permission::ActForUsers | Permission::NameModels | Permission::ManagePlans => {
                matches!(self, Self::Operator)
            }
            Permission::Maintain => matches!(self, Self::System),
        }
    }

    /// # Errors
    /// [`Forbidden`] when the table says no.
    pub const fn require(self, permission: Permission) -> Result<(), Forbidden> {
        if self.may(permission) { Ok(()) } else { Err(Forbidden { permission }) }
    }

    /// In which tenant, and as whom, something is done that only members do.
    ///
    /// # Errors
    /// [`Forbidden`] when the table says no, or whoever acts belongs to no tenant.
    pub const fn require_membership(self, permission: Permission) -> Result<Membership, Forbidden> {
        match self {
            Self::User(membership) | Self::Key(KeyOwner { membership, .. }) if self.may(permission) => Ok(membership),
            _ => Err(Forbidden { permission }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ApiKeyId, TenantId, UserId};
    use uuid::Uuid;

    const EVERY: [Permission; 11] = [
        Permission::SubmitJobs,
        Permission::ReadJobs,
        Permission::CancelJobs,
        Permission::DeleteJobs,
        Permission::ManageKeys,
        Permission::InspectInstallation,
        Permission::ActForUsers,
        Permission::NameModels,
        Permission::ReadBalance,
        Permission::ManagePlans,
        Permission::Maintain,
    ];

    fn actors() -> [(&'static str, Actor); 6] {
        let member = |role| Membership { tenant: TenantId::from_uuid(Uuid::nil()), user: UserId::from_uuid(Uuid::nil()), role };
        let key_of = |role| Actor::Key(KeyOwner { key: ApiKeyId::from_uuid(Uuid::nil()), membership: member(role) });
        [
            ("owner", Actor::User(member(Role::Owner))),
            ("member", Actor::User(member(Role::Member))),
            ("owner's key", key_of(Role::Owner)),
            ("member's key", key_of(Role::Member)),
            ("operator", Actor::Operator),
            ("system", Actor::System),
        ]
    }

    /// A new permission does not compile before it stands here, and is to stand in `EVERY` too.
    const fn who_may(permission: Permission) -> &'static [&'static str] {
        match permission {
            Permission::SubmitJobs => &["owner", "member", "owner's key", "member's key"],
            Permission::ReadJobs => &["owner", "member", "owner's key", "member's key"],
            Permission::CancelJobs => &["owner", "member", "owner's key", "member's key"],
            Permission::DeleteJobs => &["owner", "member", "owner's key", "member's key"],
            Permission::ManageKeys => &["owner"],
            Permission::InspectInstallation => &["operator"],
            Permission::ActForUsers => &["operator"],
            Permission::NameModels => &["operator"],
            Permission::ReadBalance => &["owner", "member", "owner's key", "member's key"],
            Permission::ManagePlans => &["operator"],
            Permission::Maintain => &["system"],
        }
    }

    #[test]
    fn each_permission_is_had_by_these_and_nobody_else() {
        for permission in EVERY {
            let may: Vec<_> = actors().into_iter().filter(|(_, actor)| actor.may(permission)).map(|(name, _)| name).collect();
            assert_eq!(may, who_may(permission), "{permission}");
        }
    }

    #[test]
    fn who_is_refused_is_told_what_was_asked_for() {
        for (name, actor) in actors() {
            for permission in EVERY {
                let expected = if actor.may(permission) { Ok(()) } else { Err(Forbidden { permission }) };
                assert_eq!(actor.require(permission), expected, "{name}: {permission}");
            }
        }
        let refused = Forbidden { permission: Permission::ManageKeys };
        assert_eq!(refused.to_string(), "you may not manage API keys");
    }

    #[test]
    fn who_belongs_to_no_tenant_has_no_membership_whatever_they_may() {
        for (name, actor) in actors() {
            for permission in EVERY {
                let has = actor.require_membership(permission).is_ok();
                assert_eq!(has, actor.may(permission) && !matches!(actor, Actor::Operator | Actor::System), "{name}: {permission}");
            }
        }
    }
}
