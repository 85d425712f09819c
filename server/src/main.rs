//! The server's program: `reelmill serve`, `migrate` and `admin`.

use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

/// Takes back what an answer took while it was made. With the system's allocator the little that each connection keeps lies between, and
/// five hundred connections that ask for a page each leave 40 MB in holes. SQLite's memory is its as well: each connection has a thread of its
/// own, and the system's allocator a heap for each, of which it keeps what was needed once. `.cargo/config.toml` sets it.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

fn main() -> ExitCode {
    server::cli::run()
}
