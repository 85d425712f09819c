//! The server as its clients see it: the whole router over a real database and a real object store.

mod browser;
mod events;
mod harness;
mod input;
mod tenants;
mod videos;
