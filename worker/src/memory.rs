//! The allocator: mimalloc that keeps what it has.
//!
//! A denoising step allocates and frees the same few hundred tensors again and again. With the system's
//! allocator each large one is mapped, faulted in page by page and unmapped; here it is handed out again.

use libmimalloc_sys::{mi_option_set_default, mi_option_t};
use mimalloc::MiMalloc;

#[global_allocator]
static GLOBAL: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` of `mimalloc.h`, which the bindings leave out.
const PURGE_DELAY: mi_option_t = 15;
const NEVER: std::ffi::c_long = -1;

/// Never returns freed pages to the system, unless `MIMALLOC_PURGE_DELAY` says otherwise.
pub fn keep_freed_pages() {
    // SAFETY: the call stores a number in a table of options, which may happen at any time.
    unsafe { mi_option_set_default(PURGE_DELAY, NEVER) }
}
