//! A user's place in a tenant, and the role they have there.

use crate::{TenantId, UserId};

/// What a user is in a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Answers for the tenant: whoever signed up for it.
    Owner,
    /// Makes videos in it.
    Member,
}

impl Role {
    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Member => "member",
        }
    }

    /// `None`: there is no role of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Owner, Self::Member].into_iter().find(|role| role.as_str() == name)
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
        for role in [Role::Owner, Role::Member] {
            assert_eq!(Role::named(role.as_str()), Some(role));
        }
        assert_eq!(Role::named("Owner"), None);
    }
}
