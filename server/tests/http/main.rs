//! The server as its clients see it: the whole router over a real database and a real object store.

mod accounts;
mod browser;
mod deadline;
mod events;
mod forms;
mod harness;
mod input;
mod limits;
mod list;
mod memory;
mod metrics;
mod process;
mod tenants;
mod videos;
