//! What subjects are made of: a deployment to harm, clients, chance, and what is reported and checked.

pub mod api;
pub mod deployment;
pub mod events;
pub mod memory;
pub mod random;
pub mod receiver;
pub mod report;
pub mod verify;
