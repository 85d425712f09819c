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
    /// Making, renaming and archiving projects.
    ManageProjects,
    /// How much video time the tenant, a project or a key may use in a month.
    SetSpendingLimits,
    /// Where events are told to, what was told, and telling it again.
    ManageWebhooks,
    /// Seeing who else is in the tenant.
    SeeMembers,
    /// Inviting, removing, and giving roles; which, says `Role::may_give`.
    ManageMembers,
    /// What was done in the tenant, by whom and from where.
    ReadAuditLog,
    /// One's own password, address, sessions and second factor, leaving a tenant, and the account as a whole.
    ManageAccount,
    /// Seeing workers and damage of the whole installation, and checking what is stored.
    InspectInstallation,
    /// Having workers take no more jobs, and end.
    ManageWorkers,
    /// Finding any user, to act as them.
    ActForUsers,
    /// Looking at a tenant's pages as the tenant sees them.
    ViewTenants,
    /// Mails that were not sent anywhere, and those that cannot be: links in them let one in.
    ReadMails,
    /// Giving models other names.
    NameModels,
    /// Saying on how many workers a model stays warm, and for how long.
    PlaceModels,
    /// Seeing what the tenant can still use.
    ReadBalance,
    /// Choosing a plan, paying for it, buying credit, and seeing invoices.
    ManageBilling,
    /// Making plans, giving them to tenants, giving credit, and seeing anybody's ledger.
    ManagePlans,
    /// Pausing parts of the queue, and acts upon jobs and workers in it, whosever they are.
    ManageQueue,
    /// Telling everybody how the installation fares.
    PublishStatus,
    /// Rules of which the operator is told, where they are told to, and silences.
    ManageAlerts,
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
            Self::ManageProjects => "manage projects",
            Self::SetSpendingLimits => "set spending limits",
            Self::ManageWebhooks => "manage webhooks",
            Self::SeeMembers => "see members",
            Self::ManageMembers => "manage members",
            Self::ReadAuditLog => "read the audit log",
            Self::ManageAccount => "manage an account",
            Self::ViewTenants => "look at a team’s pages",
            Self::ReadMails => "read mails",
            Self::InspectInstallation => "inspect this installation",
            Self::ManageWorkers => "manage workers",
            Self::ActForUsers => "act for other users",
            Self::NameModels => "name models",
            Self::PlaceModels => "place models",
            Self::ReadBalance => "see the balance",
            Self::ManageBilling => "manage billing",
            Self::ManagePlans => "manage plans and credit",
            Self::ManageQueue => "manage the queue",
            Self::PublishStatus => "publish the state of this installation",
            Self::ManageAlerts => "manage alerts",
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
            // A key may what whoever made it may.
            Permission::SubmitJobs | Permission::CancelJobs | Permission::DeleteJobs => {
                let (Self::User(Membership { role, .. }) | Self::Key(KeyOwner { membership: Membership { role, .. }, .. })) = self else {
                    return false;
                };
                matches!(role, Role::Owner | Role::Admin | Role::Member)
            }
            Permission::ReadJobs | Permission::ReadBalance => matches!(self, Self::User(_) | Self::Key(_) | Self::Observer(_)),
            // Not a key: one that has leaked would make others, which outlive it, or let strangers in.
            Permission::ManageKeys | Permission::ManageProjects | Permission::ManageMembers => {
                matches!(self, Self::User(Membership { role: Role::Owner | Role::Admin, .. }))
            }
            // Events say which video it was and no more, so a key may be enough to be told of them.
            Permission::ManageWebhooks => {
                let (Self::User(Membership { role, .. }) | Self::Key(KeyOwner { membership: Membership { role, .. }, .. })) = self else {
                    return false;
                };
                matches!(role, Role::Owner | Role::Admin)
            }
            Permission::SetSpendingLimits => {
                matches!(self, Self::User(Membership { role: Role::Owner | Role::Admin | Role::Billing, .. }))
            }
            // Nor is money spent by a key, beyond what it uses.
            Permission::ManageBilling => matches!(self, Self::User(Membership { role: Role::Owner | Role::Billing, .. })),
            Permission::ReadAuditLog => {
                matches!(self, Self::User(Membership { role: Role::Owner | Role::Admin, .. }) | Self::Observer(_))
            }
            Permission::SeeMembers => matches!(self, Self::User(_) | Self::Observer(_)),
            Permission::ManageAccount => matches!(self, Self::User(_)),
            Permission::InspectInstallation
            | Permission::ManageWorkers
            | Permission::ActForUsers
            | Permission::ViewTenants
            | Permission::ReadMails
            | Permission::NameModels
            | Permission::PlaceModels
            | Permission::ManagePlans
            | Permission::ManageQueue
            | Permission::PublishStatus
            | Permission::ManageAlerts => {
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
            Self::User(membership) | Self::Observer(membership) | Self::Key(KeyOwner { membership, .. }) if self.may(permission) => {
                Ok(membership)
            }
            _ => Err(Forbidden { permission }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ApiKeyId, ProjectId, Scopes, TenantId, UserId};
    use uuid::Uuid;

    const EVERY: [Permission; 26] = [
        Permission::SubmitJobs,
        Permission::ReadJobs,
        Permission::CancelJobs,
        Permission::DeleteJobs,
        Permission::ManageKeys,
        Permission::ManageProjects,
        Permission::SetSpendingLimits,
        Permission::ManageWebhooks,
        Permission::SeeMembers,
        Permission::ManageMembers,
        Permission::ReadAuditLog,
        Permission::ManageAccount,
        Permission::ReadMails,
        Permission::InspectInstallation,
        Permission::ManageWorkers,
        Permission::ActForUsers,
        Permission::ViewTenants,
        Permission::NameModels,
        Permission::PlaceModels,
        Permission::ReadBalance,
        Permission::ManageBilling,
        Permission::ManagePlans,
        Permission::ManageQueue,
        Permission::PublishStatus,
        Permission::ManageAlerts,
        Permission::Maintain,
    ];

    fn actors() -> [(&'static str, Actor); 13] {
        let member = |role| Membership { tenant: TenantId::from_uuid(Uuid::nil()), user: UserId::from_uuid(Uuid::nil()), role };
        let user = |role| Actor::User(member(role));
        let key_of = |role| {
            let (key, project) = (ApiKeyId::from_uuid(Uuid::nil()), ProjectId::from_uuid(Uuid::nil()));
            Actor::Key(KeyOwner { key, membership: member(role), project, scopes: Scopes::ALL, requests_per_minute: None })
        };
        [
            ("owner", user(Role::Owner)),
            ("admin", user(Role::Admin)),
            ("member", user(Role::Member)),
            ("billing", user(Role::Billing)),
            ("viewer", user(Role::Viewer)),
            ("owner's key", key_of(Role::Owner)),
            ("admin's key", key_of(Role::Admin)),
            ("member's key", key_of(Role::Member)),
            ("billing's key", key_of(Role::Billing)),
            ("viewer's key", key_of(Role::Viewer)),
            ("observer", Actor::Observer(member(Role::Viewer))),
            ("operator", Actor::Operator),
            ("system", Actor::System),
        ]
    }

    const MAKERS: &[&str] = &["owner", "admin", "member", "owner's key", "admin's key", "member's key"];
    const PEOPLE: &[&str] = &["owner", "admin", "member", "billing", "viewer"];

    /// A new permission does not compile before it stands here, and is to stand in `EVERY` too.
    fn who_may(permission: Permission) -> Vec<&'static str> {
        match permission {
            Permission::SubmitJobs | Permission::CancelJobs | Permission::DeleteJobs => MAKERS.to_vec(),
            Permission::ReadJobs | Permission::ReadBalance => {
                [PEOPLE, &["owner's key", "admin's key", "member's key", "billing's key", "viewer's key", "observer"]].concat()
            }
            Permission::ManageKeys | Permission::ManageProjects | Permission::ManageMembers => vec!["owner", "admin"],
            Permission::SetSpendingLimits => vec!["owner", "admin", "billing"],
            Permission::ManageWebhooks => vec!["owner", "admin", "owner's key", "admin's key"],
            Permission::ManageBilling => vec!["owner", "billing"],
            Permission::ReadAuditLog => vec!["owner", "admin", "observer"],
            Permission::SeeMembers => [PEOPLE, &["observer"]].concat(),
            Permission::ManageAccount => PEOPLE.to_vec(),
            Permission::InspectInstallation
            | Permission::ManageWorkers
            | Permission::ActForUsers
            | Permission::ViewTenants
            | Permission::ReadMails
            | Permission::NameModels
            | Permission::PlaceModels
            | Permission::ManagePlans
            | Permission::ManageQueue
            | Permission::PublishStatus
            | Permission::ManageAlerts => {
                vec!["operator"]
            }
            Permission::Maintain => vec!["system"],
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
