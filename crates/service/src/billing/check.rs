//! Whether the ledger is true. Looking through a large one takes longer than a request may: what the page begins is a task of its own, and what it
//! has found is kept for all servers.

use crate::{AccessError, Services};
use domain::{Actor, Permission, Timestamp};
use serde::{Deserialize, Serialize};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use store::{StoreError, Verified};

const BEGUN: &str = "ledger-check-begun";
const LAST: &str = "ledger-check";
/// A ledger of which no more is to be read is looked through by then.
const SHORT: Duration = Duration::from_secs(2);
const FAULTS_KEPT: usize = 20;

/// Whether this process is looking through the ledger.
#[derive(Debug, Default)]
pub(crate) struct RunningCheck(AtomicBool);

/// Ends with the check, however that ends.
struct Turn(Services);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.ledger_check.0.store(false, Ordering::Release);
    }
}

/// What a check that has ended has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerCheck {
    pub begun_at: Timestamp,
    pub ended_at: Timestamp,
    pub entries: u64,
    /// In how many places the ledger is wrong.
    pub wrong: u64,
    /// The first of them, as table, row and problem.
    pub faults: Vec<String>,
    /// Why it could not be looked through.
    pub problem: Option<String>,
}

/// How checks of the ledger stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerChecks {
    /// Since when it is being checked; a server that was stopped meanwhile has left it so.
    pub since: Option<Timestamp>,
    pub last: Option<LedgerCheck>,
}

impl Services {
    /// Looks through the whole ledger, however long that takes; changes nothing.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not, or the database does not answer.
    pub async fn verify_ledger(&self, actor: Actor) -> Result<Verified, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        Ok(self.store.check().ledger().await?)
    }

    /// Has the whole ledger looked through in a task of its own, one at a time in this process; [`Self::ledger_checks`] says what it finds.
    /// Returns when that is done, but no later than after two seconds. `false`: it is being looked through already.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not, or the database does not answer; then nothing was begun.
    pub async fn begin_ledger_check(&self, actor: Actor) -> Result<bool, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        if self.ledger_check.0.swap(true, Ordering::AcqRel) {
            return Ok(false);
        }
        let turn = Turn(self.clone());
        let begun_at = self.store.now().await?;
        self.store.settings().set(BEGUN, &begun_at.ms().to_string()).await?;
        let check = tokio::spawn(async move {
            if let Err(error) = turn.0.check_since(begun_at).await {
                tracing::error!(error = &error as &dyn std::error::Error, "what the check of the ledger has found could not be kept");
            }
        });
        // Whoever waits may leave; the check goes on.
        drop(tokio::time::timeout(SHORT, check).await);
        Ok(true)
    }

    async fn check_since(&self, begun_at: Timestamp) -> Result<(), StoreError> {
        let found = self.store.check().ledger().await;
        let problem = found.as_ref().err().map(ToString::to_string);
        if let Err(error) = &found {
            tracing::error!(error = error as &dyn std::error::Error, "the ledger could not be looked through");
        }
        let Verified { entries, faults } = found.unwrap_or_default();
        let told = faults.iter().take(FAULTS_KEPT).map(|fault| format!("{} {}: {}", fault.table, fault.row, fault.problem));
        let (wrong, faults) = (faults.len() as u64, told.collect());
        let check = LedgerCheck { begun_at, ended_at: self.store.now().await?, entries, wrong, faults, problem };
        // Another server may have begun later, and ended before.
        if self.last_ledger_check().await?.is_some_and(|last| last.begun_at > begun_at) {
            return Ok(());
        }
        let kept = serde_json::to_string(&check).map_err(|error| StoreError::Inconsistent {
            table: "settings",
            column: LAST,
            value: error.to_string(),
        })?;
        self.store.settings().set(LAST, &kept).await
    }

    /// Whether the ledger is being looked through on any server, and what was found the last time.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn ledger_checks(&self, actor: Actor) -> Result<LedgerChecks, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        let begun = self.store.settings().find(BEGUN).await?.and_then(|ms| ms.parse().ok()).map(Timestamp::from_ms);
        let last = self.last_ledger_check().await?;
        let since = begun.filter(|begun| last.as_ref().is_none_or(|last| last.begun_at < *begun));
        Ok(LedgerChecks { since, last })
    }

    /// One that cannot be read was kept by another version: there is none.
    async fn last_ledger_check(&self) -> Result<Option<LedgerCheck>, StoreError> {
        Ok(self.store.settings().find(LAST).await?.and_then(|kept| serde_json::from_str(&kept).ok()))
    }
}
