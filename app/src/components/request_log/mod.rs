//! The log of requests, of a tenant and of all: what is asked for, its lines, and one request with all its times.

mod asked;
mod detail;
mod followed;
mod rows;

pub use asked::{AskedLog, wrong_text};
pub use detail::Detail;
pub use followed::Followed;
pub use rows::{Rows, status_chosen};
