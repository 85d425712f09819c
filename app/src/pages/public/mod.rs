//! For everybody: what Reelmill is, how to come in, what programs may ask for.

pub mod code;
mod door;
pub mod forgot_password;
pub mod home;
pub mod invitation;
pub mod links;
pub mod oidc;
pub mod pricing;
pub mod reference;
pub mod reset_password;
pub mod sign_in;
pub mod sign_up;
pub mod status;
