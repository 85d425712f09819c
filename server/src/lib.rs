//! Everything that speaks HTTP: the pages, the public API, live events and media, and the command line
//! around them. What a request means is decided in `service`; here it is only put into words and back.

// The types of nested views are deep.
#![recursion_limit = "512"]

pub mod api;
mod batches;
pub mod cli;
pub mod config;
mod connections;
mod context;
pub mod demo;
mod error;
mod files;
mod http;
mod live;
mod pace;
mod readiness;
mod request_id;
mod routes;
mod serve;
mod shares;
mod video_id;
mod webhooks;

pub use api::JsonLines;
pub use connections::{answer, listen};
pub use context::Context;
pub use routes::router;
