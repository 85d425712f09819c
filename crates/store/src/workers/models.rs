//! What a worker has of its models and what it should have, as its row keeps both in JSON.

use domain::Timestamp;
use serde::{Deserialize, Serialize};

/// What a worker says of its models at a sign of life.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelsReport {
    /// So many bytes its models may take together. `None`: that is not limited, and it keeps all that it has.
    pub memory_max_bytes: Option<u64>,
    /// All that it can load.
    pub models: Vec<ModelReport>,
}

/// What a worker says of one model. Moments are told as milliseconds that have passed since: its clock is not the database's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelReport {
    pub model: String,
    /// Of its weights: what they take, or what the files say that they will.
    pub memory_bytes: u64,
    pub state: HeldState,
    pub since_ms: u64,
    pub used_ms: u64,
    /// Its jobs that run here.
    pub running: u32,
    /// What loading it took here last.
    pub load_ms: Option<u64>,
    /// Why loading it failed twice in a row, or with the whole device for itself; until it is loaded.
    pub failed: Option<String>,
}

/// The models of a worker, as it said last.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HeldModels {
    /// So many bytes its models may take together. `None`: that is not limited, and it keeps all that it has.
    pub memory_max_bytes: Option<u64>,
    /// All that it can load.
    pub models: Vec<HeldModel>,
}

/// A model of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldModel {
    pub model: String,
    pub memory_bytes: u64,
    #[serde(flatten)]
    pub state: HeldState,
    /// When it was warm first. While it loads: when that began.
    pub since: Timestamp,
    /// When a job of it last ran or it was loaded, whichever is later.
    pub used_at: Timestamp,
    pub running: u32,
    pub load_ms: Option<u64>,
    /// Why loading it failed twice in a row, or with the whole device for itself; until it is loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum HeldState {
    /// Not in memory.
    Absent,
    /// Not in memory: it could not be loaded, and is tried again after a pause.
    Failed { problem: String },
    /// So many thousandths are done.
    Loading { permille: u32 },
    /// Its jobs are taken.
    Warm,
    /// Its jobs are taken no more; it goes when those that run have ended.
    Unloading,
}

/// A model that a worker should have, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DesiredModel {
    pub model: String,
    /// In words, with its numbers.
    pub reason: String,
    /// What loading it is expected to take.
    pub load_ms: u64,
}

impl ModelsReport {
    pub(super) fn at(&self, now: Timestamp) -> HeldModels {
        let ago = |ms: u64| now.plus_ms(-i64::try_from(ms).unwrap_or(0));
        let held = |report: &ModelReport| HeldModel {
            model: report.model.clone(),
            memory_bytes: report.memory_bytes,
            state: report.state.clone(),
            since: ago(report.since_ms),
            used_at: ago(report.used_ms),
            running: report.running,
            load_ms: report.load_ms,
            failed: report.failed.clone(),
        };
        HeldModels { memory_max_bytes: self.memory_max_bytes, models: self.models.iter().map(held).collect() }
    }
}

impl HeldModels {
    #[must_use]
    pub fn of(&self, model: &str) -> Option<&HeldModel> {
        self.models.iter().find(|held| held.model == model)
    }
}

impl HeldModel {
    /// Whether it takes up memory.
    #[must_use]
    pub const fn is_present(&self) -> bool {
        !matches!(self.state, HeldState::Absent | HeldState::Failed { .. })
    }
}

impl HeldModel {
    /// Why it is not in memory, where it could not be loaded.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        match &self.state {
            HeldState::Failed { problem } => Some(problem),
            _ => self.failed.as_deref().filter(|_| self.is_broken()),
        }
    }

    /// Whether it could not be loaded, and is not being tried again now.
    #[must_use]
    pub const fn is_broken(&self) -> bool {
        self.failed.is_some() && !self.is_present()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_worker_says_is_kept_by_the_clock_of_the_database_and_read_again() {
        let state = HeldState::Loading { permille: 410 };
        let model = ModelReport {
            model: "a".into(),
            memory_bytes: 7,
            state,
            since_ms: 300,
            used_ms: 0,
            running: 0,
            load_ms: Some(1000),
            failed: None,
        };
        let report = ModelsReport { memory_max_bytes: Some(9), models: vec![model] };
        let held = report.at(Timestamp::from_ms(1000));
        assert_eq!((held.models[0].since, held.models[0].used_at), (Timestamp::from_ms(700), Timestamp::from_ms(1000)));
        let json = serde_json::to_string(&held).unwrap();
        assert!(json.contains(r#""state":"loading","permille":410"#), "{json}");
        assert_eq!(serde_json::from_str::<HeldModels>(&json).unwrap(), held);
        assert!(!json.contains("failed"), "a worker of before says nothing of it");
        let broken = HeldModel { state: HeldState::Absent, failed: Some("no weights".into()), ..held.models[0].clone() };
        assert_eq!(serde_json::from_str::<HeldModel>(&serde_json::to_string(&broken).unwrap()).unwrap(), broken);
        assert!(broken.is_broken() && !HeldModel { state: HeldState::Loading { permille: 1 }, ..broken }.is_broken());
    }
}
