//! Why a model is warm where it is: one sentence each, with the numbers that decided.

use super::{
    duration::{Ms, Permille},
    view::NEVER_IDLE_MS,
};
use crate::grouped;
use serde::Serialize;
use std::fmt;

/// Why a model that is in memory stays there, or one that is not comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlacementReason {
    /// The operator wants it on so many workers.
    Pinned {
        workers: u32,
    },
    /// Loading is never broken off.
    Loading {
        permille: u32,
    },
    /// Work waits for it.
    InDemand {
        queued_ms: u64,
    },
    /// Its jobs run.
    Running {
        jobs: u32,
    },
    RecentlyUsed {
        idle_ms: u64,
        keep_warm_ms: u64,
    },
    /// It usually follows a model that is in use.
    LikelyNext {
        after: String,
        permille: u64,
    },
    /// The worker ends: nothing is changed on it.
    Draining,
    Load(LoadReason),
}

/// Why a model is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum LoadReason {
    Pinned {
        warm: u32,
        workers: u32,
    },
    /// Nobody has it, and here is room.
    NowhereWarm {
        queued_ms: u64,
        load_ms: u64,
    },
    /// Its part of the work that waits takes longer than loading, and here is room.
    Share {
        share_ms: u64,
        load_ms: u64,
    },
    /// The same, and also longer than the work that waits for what makes room.
    Swap {
        share_ms: u64,
        swap_ms: u64,
        displaced_ms: u64,
    },
    /// Whatever the swap costs.
    Starving {
        oldest_wait_ms: u64,
        wait_max_ms: u64,
        swap_ms: u64,
    },
    /// What waits is not given to the smaller devices that may have it.
    LargerDevice {
        needs_bytes: u64,
        queued_ms: u64,
        swap_ms: u64,
    },
    LikelyNext {
        after: String,
        permille: u64,
    },
}

/// Why a model leaves the memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum UnloadReason {
    Idle {
        idle_ms: u64,
        keep_warm_ms: u64,
    },
    MakesRoom {
        model: String,
        because: LoadReason,
    },
    /// What is loaded takes more memory than placements may.
    OverMemory {
        used_bytes: u64,
        max_bytes: u64,
    },
}

/// Why a model is not warm on as many workers as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum UnmetReason {
    /// No worker that could take it has the memory, or may give it up now.
    NoRoom { warm: u32, wanted: u32 },
    /// The cheapest swap costs more than the work that waits is worth.
    NotWorthSwap { share_ms: u64, swap_ms: u64, displaced_ms: u64 },
    /// One that is starting takes its jobs sooner than the cheapest swap is worth.
    WorkerStarts { ready_in_ms: u64, load_ms: u64, swap_ms: u64 },
}

impl fmt::Display for PlacementReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned { workers } => write!(f, "pinned on {workers} {}", plural(*workers, "worker")),
            Self::Loading { permille } => write!(f, "{} loaded", Permille((*permille).into())),
            Self::InDemand { queued_ms } => write!(f, "{} of work wait for it", Ms(*queued_ms)),
            Self::Running { jobs } => write!(f, "{jobs} {} run", plural(*jobs, "job")),
            Self::RecentlyUsed { idle_ms, keep_warm_ms: NEVER_IDLE_MS } => write!(f, "unused for {}, kept warm all the same", Ms(*idle_ms)),
            Self::RecentlyUsed { idle_ms, keep_warm_ms } => {
                write!(f, "unused for {}, kept warm for {}", Ms(*idle_ms), Ms(*keep_warm_ms))
            }
            Self::LikelyNext { after, permille } => write!(f, "follows {after} in {} of cases", Permille(*permille)),
            Self::Draining => f.write_str("the worker is draining"),
            Self::Load(reason) => write!(f, "loaded: {reason}"),
        }
    }
}

impl fmt::Display for LoadReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned { warm, workers } => write!(f, "pinned on {workers} {}, warm on {warm}", plural(*workers, "worker")),
            Self::NowhereWarm { queued_ms, load_ms } => {
                write!(f, "{} of work wait, it is warm nowhere, and loading takes {}", Ms(*queued_ms), Ms(*load_ms))
            }
            Self::Share { share_ms, load_ms } => {
                write!(f, "its share of the work that waits is {}, and loading takes {}", Ms(*share_ms), Ms(*load_ms))
            }
            Self::Swap { share_ms, swap_ms, displaced_ms } => write!(
                f,
                "its share of the work that waits is {}, the swap costs {}, and {} of work wait for what makes room",
                Ms(*share_ms),
                Ms(*swap_ms),
                Ms(*displaced_ms)
            ),
            Self::Starving { oldest_wait_ms, wait_max_ms, swap_ms } => write!(
                f,
                "its oldest job has waited for {}, more than {}, so the swap is made at a cost of {}",
                Ms(*oldest_wait_ms),
                Ms(*wait_max_ms),
                Ms(*swap_ms)
            ),
            Self::LargerDevice { needs_bytes, queued_ms, swap_ms } => write!(
                f,
                "{} of work wait for a device of {} MB or more, and the swap costs {}",
                Ms(*queued_ms),
                grouped(needs_bytes.div_ceil(1_000_000)),
                Ms(*swap_ms)
            ),
            Self::LikelyNext { after, permille } => write!(f, "follows {after} in {} of cases, and memory is free", Permille(*permille)),
        }
    }
}

impl fmt::Display for UnloadReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idle { idle_ms, keep_warm_ms } => {
                write!(f, "unused for {}, longer than the {} it is kept warm", Ms(*idle_ms), Ms(*keep_warm_ms))
            }
            Self::MakesRoom { model, because } => write!(f, "makes room for {model}: {because}"),
            Self::OverMemory { used_bytes, max_bytes } => {
                write!(f, "models take {} MB of memory, more than {} MB", grouped(used_bytes / 1_000_000), grouped(max_bytes / 1_000_000))
            }
        }
    }
}

impl fmt::Display for UnmetReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom { warm, wanted } => {
                write!(f, "warm on {warm} of {wanted} {}, and no other has room for it", plural(*wanted, "worker"))
            }
            Self::NotWorthSwap { share_ms, swap_ms, displaced_ms } => write!(
                f,
                "its share of the work that waits is {}, the swap would cost {}, and {} of work wait for what would make room",
                Ms(*share_ms),
                Ms(*swap_ms),
                Ms(*displaced_ms)
            ),
            Self::WorkerStarts { ready_in_ms, load_ms, swap_ms } => write!(
                f,
                "a worker is starting, ready in {}, and loads it in {}, where the swap would cost {}",
                Ms(*ready_in_ms),
                Ms(*load_ms),
                Ms(*swap_ms)
            ),
        }
    }
}

pub(super) fn plural(n: u32, word: &str) -> String {
    if n == 1 { word.to_owned() } else { format!("{word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_sentence_with_its_numbers() {
        let swap = LoadReason::Swap { share_ms: 90_000, swap_ms: 25_000, displaced_ms: 0 };
        let unload = UnloadReason::MakesRoom { model: "wan".into(), because: swap };
        assert_eq!(
            unload.to_string(),
            "makes room for wan: its share of the work that waits is 90 s, the swap costs 25 s, and 0 ms of work wait for what makes room"
        );
        let starts = UnmetReason::WorkerStarts { ready_in_ms: 8000, load_ms: 1500, swap_ms: 20_000 };
        assert_eq!(starts.to_string(), "a worker is starting, ready in 8 s, and loads it in 1500 ms, where the swap would cost 20 s");
        let pinned = PlacementReason::Load(LoadReason::Pinned { warm: 0, workers: 1 });
        assert_eq!(pinned.to_string(), "loaded: pinned on 1 worker, warm on 0");
        let kept = |keep_warm_ms| PlacementReason::RecentlyUsed { idle_ms: 4000, keep_warm_ms }.to_string();
        assert_eq!([60_000, NEVER_IDLE_MS].map(kept), ["unused for 4 s, kept warm for 60 s", "unused for 4 s, kept warm all the same"]);
    }

    #[test]
    fn a_reason_says_its_kind_where_it_is_serialised() {
        let reason = PlacementReason::Load(LoadReason::Share { share_ms: 2, load_ms: 1 });
        let json = serde_json::to_string(&reason).unwrap();
        assert_eq!(json, r#"{"kind":"load","because":"share","share_ms":2,"load_ms":1}"#);
    }
}
