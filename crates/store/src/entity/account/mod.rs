//! Who there is: tenants, users and how they belong together, and what they come in by.

pub mod api_key;
pub mod membership;
pub mod session;
pub mod tenant;
pub mod tries;
pub mod user;
