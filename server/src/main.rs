//! The server's program: `reelmill serve`, `migrate` and `admin`.

use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

/// Takes back what an answer took while it was made. With the system's allocator the little that each connection keeps lies between, and
/// five hundred connections that ask for a page each leave 40 MB in holes. `.cargo/config.toml` sets it.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// SQLite's memory is the system allocator's, which has a heap for each thread, as each connection is one, and keeps of each what was needed
/// once: 20 MB more after a large batch than a single heap does.
///
/// That jemalloc is the system's allocator too, is no way: programs that put a library before it, such as `libfaketime`, would hang.
fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it sets a number of the allocator, while there is no other thread.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

fn main() -> ExitCode {
    share_one_heap();
    server::cli::run()
}
