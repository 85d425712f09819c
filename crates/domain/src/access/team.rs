//! What may become of memberships: who may give which role to whom, and that a tenant never is without an owner.

use super::Role;

/// Why a membership stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TeamError {
    #[error("they are not a member of this team any more")]
    NotAMember,
    #[error("your role does not allow that")]
    NotAllowed,
    #[error("a team needs an owner: make somebody else owner first")]
    LastOwner,
}

/// A change of one membership; `owners` are counted before it.
#[derive(Debug, Clone, Copy)]
pub struct RoleChange {
    pub by: Role,
    /// Somebody changes their own.
    pub is_own: bool,
    pub from: Role,
    /// `None`: out of the team.
    pub to: Option<Role>,
    pub owners: u64,
}

impl RoleChange {
    /// # Errors
    /// [`TeamError`] when it may not be.
    pub fn check(self) -> Result<(), TeamError> {
        let leaves = self.is_own && self.to.is_none();
        let may = leaves || self.by.may_give(self.from) && self.to.is_none_or(|to| self.by.may_give(to));
        if !may {
            Err(TeamError::NotAllowed)
        } else if self.from == Role::Owner && self.to != Some(Role::Owner) && self.owners <= 1 {
            Err(TeamError::LastOwner)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGE: RoleChange = RoleChange { by: Role::Owner, is_own: false, from: Role::Member, to: None, owners: 1 };

    #[test]
    fn the_last_owner_neither_leaves_nor_becomes_less() {
        let own = RoleChange { is_own: true, from: Role::Owner, ..CHANGE };
        assert_eq!(own.check(), Err(TeamError::LastOwner));
        assert_eq!(RoleChange { to: Some(Role::Admin), ..own }.check(), Err(TeamError::LastOwner));
        assert_eq!(RoleChange { to: Some(Role::Owner), ..own }.check(), Ok(()));
        assert_eq!(RoleChange { owners: 2, ..own }.check(), Ok(()));
    }

    #[test]
    fn admins_move_everybody_but_owners_and_nobody_above_themselves() {
        for from in Role::EVERY {
            for to in Role::EVERY.map(Some).into_iter().chain([None]) {
                let change = RoleChange { by: Role::Admin, from, to, owners: 5, ..CHANGE };
                let touches_owners = from == Role::Owner || to == Some(Role::Owner);
                assert_eq!(change.check().is_err(), touches_owners, "{from:?} {to:?}");
            }
        }
    }

    #[test]
    fn everybody_else_may_leave_and_nothing_more() {
        for by in [Role::Member, Role::Billing, Role::Viewer] {
            let own = RoleChange { by, is_own: true, from: by, ..CHANGE };
            assert_eq!(own.check(), Ok(()));
            assert_eq!(RoleChange { to: Some(Role::Admin), ..own }.check(), Err(TeamError::NotAllowed));
            assert_eq!(RoleChange { by, ..CHANGE }.check(), Err(TeamError::NotAllowed));
        }
    }
}
