//! What Stripe shows to people: checkout and the customer portal, and how they look.

pub mod checkout;
pub mod pages;
pub mod portal;
