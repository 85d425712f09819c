//! For everybody: what Reelmill is, how to come in, what programs may ask for.

mod door;
pub mod home;
pub mod pricing;
pub mod reference;
pub mod sign_in;
pub mod sign_up;
