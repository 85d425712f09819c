//! Tenants, users, how they belong together, what they prove by mail, and what they did: the only places that write each.

pub mod asked;
pub mod audit;
pub mod invitations;
pub mod memberships;
pub mod projects;
pub mod tenants;
pub mod tokens;
pub mod users;
