//! Threads of decoding, apart from those of denoising: a step of milliseconds waits for no frame of a film.
//!
//! Both are as many as there are cores, or as `RAYON_NUM_THREADS` says. Where both have work, the system shares the cores out
//! between them; where one has none, the other has all.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// `None` where the system grants no threads: then decoding is done where denoising is.
static DECODING: LazyLock<Option<ThreadPool>> =
    LazyLock::new(|| ThreadPoolBuilder::new().thread_name(|index| format!("decoder-{index}")).build().ok());

/// Does `work`, and what it divides among threads, on those of decoding.
pub fn on_decoding_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match &*DECODING {
        Some(threads) => threads.install(work),
        None => work(),
    }
}
