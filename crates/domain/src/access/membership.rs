//! A user's place in a tenant, and the role they have there.

use crate::{TenantId, UserId};

/// What a user is in a tenant. What each may do stands in `permission.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Answers for the tenant: whoever signed up for it, or was made owner since. There is always one.
    Owner,
    /// Runs it from day to day: members and keys.
    Admin,
    /// Makes videos in it.
    Member,
    /// Sees what it costs, and its videos.
    Billing,
    /// Sees its videos.
    Viewer,
}

impl Role {
    /// From the one that may most to the one that may least.
    pub const EVERY: [Self; 5] = [Self::Owner, Self::Admin, Self::Member, Self::Billing, Self::Viewer];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
            Self::Billing => "billing",
            Self::Viewer => "viewer",
        }
    }

    /// As a form offers it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Owner => "Owner",
            Self::Admin => "Admin",
            Self::Member => "Member",
            Self::Billing => "Billing",
            Self::Viewer => "Viewer",
        }
    }

    /// What one can do with it, for whoever chooses one.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Owner => "Everything, also naming other owners.",
            Self::Admin => "Makes videos, and manages members, API keys, projects and limits.",
            Self::Member => "Makes videos.",
            Self::Billing => "Sees videos, chooses and pays the plan, buys credit, and sets spending limits.",
            Self::Viewer => "Sees videos.",
        }
    }

    /// `None`: there is no role of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|role| role.as_str() == name)
    }

    /// Whether one of this role may give the other to somebody, or take it from them: nobody makes themselves an owner.
    #[must_use]
    pub const fn may_give(self, other: Self) -> bool {
        match self {
            Self::Owner => true,
            Self::Admin => !matches!(other, Self::Owner),
            Self::Member | Self::Billing | Self::Viewer => false,
        }
    }
}

/// That a user belongs to a tenant, and as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    pub tenant: TenantId,
    pub user: UserId,
    pub role: Role,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_found_by_the_name_it_is_stored_under() {
        for role in Role::EVERY {
            assert_eq!(Role::named(role.as_str()), Some(role));
        }
        assert_eq!(Role::named("Owner"), None);
    }

    #[test]
    fn only_owners_make_owners_and_only_admins_beside_them_give_roles() {
        let givers = |role| Role::EVERY.into_iter().filter(|giver| giver.may_give(role)).collect::<Vec<_>>();
        assert_eq!(givers(Role::Owner), [Role::Owner]);
        for role in &Role::EVERY[1..] {
            assert_eq!(givers(*role), [Role::Owner, Role::Admin]);
        }
    }
}
