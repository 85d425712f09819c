//! What the operator says of a model: on how many workers it is always warm, and how long it stays warm unused.

use crate::Services;
use domain::{Actor, Catalog, Forbidden, Permission, scheduling::fleet::ModelPolicy};
use std::collections::BTreeMap;
use store::{Asked, ModelRule, StoreError};

pub const PINNED_MAX: u32 = 10_000;
/// A year.
pub const KEEP_WARM_MAX_MINUTES: u64 = 365 * 24 * 60;
const MINUTE_MS: u64 = 60_000;

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum PlaceModelError {
    #[error("give a number of workers from 0 to {}", domain::grouped(PINNED_MAX.into()))]
    Pinned,
    #[error("give whole minutes from 0 to {}, or the word never", domain::grouped(KEEP_WARM_MAX_MINUTES))]
    KeepWarm,
    #[error("there is no model `{0}`")]
    ModelUnknown(String),
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// As it is typed: workers as a number, and minutes, or `never` of a model that stays until its memory is needed.
///
/// # Errors
/// [`PlaceModelError`] about the first of them that cannot be read.
pub fn rule_of(pinned: &str, keep_warm: &str) -> Result<ModelRule, PlaceModelError> {
    let pinned_workers = pinned.trim().parse().ok().filter(|pinned| *pinned <= PINNED_MAX).ok_or(PlaceModelError::Pinned)?;
    let keep_warm_ms = match keep_warm.trim() {
        "never" => None,
        text => {
            let minutes = text.parse::<u64>().ok().filter(|minutes| *minutes <= KEEP_WARM_MAX_MINUTES);
            Some(minutes.ok_or(PlaceModelError::KeepWarm)? * MINUTE_MS)
        }
    };
    Ok(ModelRule { pinned_workers, keep_warm_ms })
}

/// The time to keep warm, as it is typed.
#[must_use]
pub fn minutes(rule: ModelRule) -> String {
    rule.keep_warm_ms.map_or_else(|| "never".to_owned(), |ms| (ms / MINUTE_MS).to_string())
}

/// Of a model of which the operator has said nothing.
pub(super) fn usual() -> ModelRule {
    let ModelPolicy { pinned_workers, keep_warm_ms } = ModelPolicy::default();
    ModelRule { pinned_workers, keep_warm_ms: Some(keep_warm_ms) }
}

/// The same rules, by which what is not on offer any more is pinned nowhere.
pub(super) fn of_offered(mut rules: BTreeMap<String, ModelRule>, catalog: &Catalog) -> BTreeMap<String, ModelRule> {
    for (_, rule) in rules.iter_mut().filter(|(model, _)| catalog.by_id(model).is_none()) {
        rule.pinned_workers = 0;
    }
    rules
}

impl Services {
    /// What holds of a model.
    ///
    /// # Errors
    /// [`PlaceModelError`] when `actor` may not see it, or the database does not answer.
    pub async fn model_rule(&self, actor: Actor, model: &str) -> Result<ModelRule, PlaceModelError> {
        actor.require(Permission::InspectInstallation)?;
        Ok(self.store.placement().rules().await?.remove(model).unwrap_or_else(usual))
    }

    /// From now on this holds of a model. `by`: `None` of the command line.
    ///
    /// # Errors
    /// [`PlaceModelError`]; nothing was changed.
    pub async fn place_model(&self, actor: Actor, by: Option<Asked<'_>>, model: &str, rule: ModelRule) -> Result<(), PlaceModelError> {
        actor.require(Permission::PlaceModels)?;
        let told = format!("{model}: pinned on {} workers, unloaded after {} minutes unused", rule.pinned_workers, minutes(rule));
        if self.store.placement().set_rule(by, model, rule, &told).await? {
            Ok(())
        } else {
            Err(PlaceModelError::ModelUnknown(model.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::testing::video_model;

    #[test]
    fn a_model_that_was_withdrawn_takes_no_memory_by_its_pin() {
        let (offered, rule) = (video_model(), ModelRule { pinned_workers: 2, keep_warm_ms: None });
        let rules = [offered.id.clone(), "gone-1".to_owned()].map(|model| (model, rule)).into();
        let catalog = Catalog::new(vec![offered.clone()], BTreeMap::new());
        let hold = of_offered(rules, &catalog);
        assert_eq!((hold[&offered.id], hold["gone-1"]), (rule, ModelRule { pinned_workers: 0, ..rule }));
    }

    #[test]
    fn a_rule_is_read_as_it_is_typed() {
        for (pinned, keep_warm, expected) in [("0", "15", (0, Some(900_000))), (" 2 ", "never", (2, None)), ("1", "0", (1, Some(0)))] {
            let rule = rule_of(pinned, keep_warm).unwrap();
            assert_eq!((rule.pinned_workers, rule.keep_warm_ms), expected);
            assert_eq!(minutes(rule), keep_warm);
        }
        assert_eq!(rule_of("0", &minutes(usual())).unwrap(), usual());
        for (pinned, keep_warm) in [("-1", "1"), ("many", "1"), ("", "1"), ("10001", "1")] {
            assert!(matches!(rule_of(pinned, keep_warm), Err(PlaceModelError::Pinned)), "{pinned}");
        }
        for keep_warm in ["", "-1", "1.5", "for ever", "525601"] {
            assert!(matches!(rule_of("1", keep_warm), Err(PlaceModelError::KeepWarm)), "{keep_warm}");
        }
    }
}
