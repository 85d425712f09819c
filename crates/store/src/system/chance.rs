//! New ids and random numbers.

pub use getrandom::Error as NoRandomness;
use uuid::Uuid;

/// A new id. Those that one process makes sort in the order in which they were made.
#[must_use]
pub fn new_id() -> Uuid {
    Uuid::now_v7()
}

/// A name that no other has, and that tells nothing.
#[must_use]
pub fn new_name() -> Uuid {
    Uuid::new_v4()
}

/// # Errors
/// When the system has no randomness to give.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    #[cfg(feature = "testing")]
    if seeded::fill(&mut bytes) {
        return Ok(bytes);
    }
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Any number, each as likely as the others.
///
/// # Errors
/// When the system has no randomness to give.
pub fn random_number() -> Result<u32, NoRandomness> {
    random_bytes().map(u32::from_le_bytes)
}

/// Chance as a test wants it: the same numbers for the same seed, on the thread that has asked for them.
#[cfg(feature = "testing")]
pub(crate) mod seeded {
    use std::cell::Cell;

    thread_local! {
        static STATE: Cell<Option<u64>> = const { Cell::new(None) };
    }

    pub(crate) fn seed(seed: Option<u64>) {
        STATE.set(seed);
    }

    /// By SplitMix64 (Steele, Lea and Flood, 2014). `false`: nobody has asked for it on this thread.
    pub(super) fn fill(bytes: &mut [u8]) -> bool {
        let Some(mut state) = STATE.get() else { return false };
        for part in bytes.chunks_mut(8) {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = state;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            part.copy_from_slice(&(mixed ^ (mixed >> 31)).to_le_bytes()[..part.len()]);
        }
        STATE.set(Some(state));
        true
    }
}
