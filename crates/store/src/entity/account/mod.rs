//! Who there is: tenants, users and how they belong together, and what they come in by.

pub mod api_key;
pub mod membership;
pub mod project;
pub mod session;
pub mod signing_key;
pub mod tenant;
pub mod tries;
pub mod user;
