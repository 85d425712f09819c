//! Whether this installation is fit for others to rely on, from what it is told at its start and from what it is like now.

use super::part;
use crate::Services;
use domain::{
    Actor, Forbidden, Permission, Timestamp,
    billing::Plan,
    operations::readiness::{AlertsSeen, Check, Engine, Seen, checks},
};
use std::time::Duration;
use store::{ALIVE_MS, HeldModel, StoreError, alerts::AddressKind};
use tokio::time::timeout;

/// When the last backup was made, by the clock of whoever made it, in milliseconds.
const BACKUP_MADE: &str = "backup_made_at_ms";
const OBJECTS_WITHIN: Duration = Duration::from_secs(3);

/// What a server is told at its start, as far as it matters to whoever relies on it. No secret is in it.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// As the operator names it.
    pub public_url: Option<String>,
    /// How long each secret is, by what it is of.
    pub secrets: Vec<(&'static str, usize)>,
    pub connections_max: Option<u64>,
    pub has_metrics_token: bool,
}

/// What was looked at.
#[derive(Debug, Clone)]
pub struct ReadinessSeen {
    pub now: Timestamp,
    pub checks: Vec<Check>,
}

/// Whether somebody who has this plan may have to pay.
fn costs(plan: &Plan) -> bool {
    plan.is_listed
        && (plan.monthly_minor.is_some_and(|price| price > 0) || plan.credit_minor_per_minute.is_some() || plan.overage.is_some())
}

impl Services {
    /// What this server was told at its start.
    #[must_use]
    pub fn with_setup(self, setup: Setup) -> Self {
        self.with(|parts| parts.setup = setup.into())
    }

    /// Looks at everything now; each thing by itself and within some seconds.
    ///
    /// # Errors
    /// [`Forbidden`] when `actor` may not look. What could not be seen is told as unknown.
    pub async fn readiness(&self, actor: Actor) -> Result<ReadinessSeen, Forbidden> {
        actor.require(Permission::InspectInstallation)?;
        let (now, engine, backup, open, utilisation, fleet, disk) = tokio::join!(
            part("clock", self.store.now()),
            part("engine", async { Ok(self.store.operator().engine().await) }),
            part("last backup", self.last_backup()),
            part("open work", async { self.store.open_work().of_all().await }),
            part("utilisation", self.live_utilisation()),
            part("workers", async { self.store.workers().fleet(ALIVE_MS).await }),
            Box::pin(timeout(OBJECTS_WITHIN, self.objects.room())),
        );
        let (models, broken, plans, alerts, workers_come) = tokio::join!(
            part("models", async { self.catalog().await }),
            part("models that cannot be loaded", self.broken_models()),
            part("plans", async { self.store.plans().list().await }),
            part("alerts", self.alerts_told()),
            part("workers to come", self.workers_come()),
        );
        let now = now.unwrap_or_else(|_| self.store.local_now());
        let age = |made: Option<Timestamp>| made.map(|made| now.ms_since(made));
        let fleet = fleet.ok();
        let seen = Seen {
            public_url: self.setup.public_url.clone(),
            secrets: self.setup.secrets.clone(),
            sends_mails: self.sends_mails,
            engine: engine.unwrap_or(Engine::Postgres { policies_bind: None }),
            backup_age_ms: backup.ok().map(age),
            open_ms: open.ok().map(|open| open.ms()),
            open_max_ms: self.queue_max.map(|max| max.ms()),
            utilisation_permille: utilisation.ok().map(|share| share.map(|share| (share * 1000.0) as u64)),
            disk: disk.ok().and_then(Result::ok).map(|room| room.map(|room| (room.free, room.all))),
            connections_max: self.setup.connections_max,
            samplers: fleet.map(|fleet| fleet.samplers),
            decoders: fleet.map(|fleet| fleet.decoders),
            workers_come: workers_come.unwrap_or(false),
            models: models.ok().map(|catalog| catalog.models().len() as u64),
            broken_models: broken.ok(),
            plans_cost: plans.ok().map(|plans| plans.iter().any(costs)),
            takes_payments: self.can_pay(),
            has_metrics_token: self.setup.has_metrics_token,
            is_traced: self.traces.is_on(),
            alerts: alerts.ok(),
        };
        Ok(ReadinessSeen { now, checks: checks(&seen) })
    }

    /// When the last backup was made. `None`: none was.
    pub(crate) async fn last_backup(&self) -> Result<Option<Timestamp>, StoreError> {
        let made = self.store.settings().find(BACKUP_MADE).await?;
        Ok(made.and_then(|ms| ms.trim().parse().ok()).map(Timestamp::from_ms))
    }

    /// Rules that are looked at, and addresses that are told.
    async fn alerts_told(&self) -> Result<AlertsSeen, StoreError> {
        let (now, alerts) = (self.store.now().await?, self.store.alerts());
        let (mut rules, silences, addresses) = (alerts.rules().await?, alerts.silences(now).await?, alerts.addresses().await?);
        rules.retain(|row| row.is_enabled);
        let silenced = rules.iter().filter(|row| silences.iter().any(|silence| silence.holds(row.id, now))).count();
        let by_mail = addresses.iter().filter(|address| address.kind != AddressKind::Webhook).count();
        let [rules, silenced, addresses, by_mail] = [rules.len(), silenced, addresses.len(), by_mail].map(|count| count as u64);
        Ok(AlertsSeen { rules, silenced, addresses, by_mail })
    }

    /// Of the time of all workers, of 1, what the jobs of the last hour fill. `None`: there are none.
    pub(crate) async fn live_utilisation(&self) -> Result<Option<f64>, StoreError> {
        Ok(Box::pin(self.live_capacity()).await?.utilisation)
    }

    /// By name: models on offer that some worker could not load when it tried last.
    async fn broken_models(&self) -> Result<Vec<String>, StoreError> {
        let (workers, catalog) = (self.store.workers().live(ALIVE_MS).await?, self.catalog().await?);
        let held = workers.iter().filter_map(|worker| worker.held.as_ref()).flat_map(|held| held.models.iter());
        let broken = held.filter(|held| HeldModel::is_broken(held) && catalog.by_id(&held.model).is_some());
        let mut broken: Vec<String> = broken.map(|held| held.model.clone()).collect();
        broken.sort_unstable();
        broken.dedup();
        Ok(broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{WorkerId, catalog::testing::video_model};
    use store::{
        HeldState, ModelReport, ModelsReport, Registration, SpareTime, WorkerCondition, WorkerRole, chance,
        objects::{ObjectsConfig, open},
        on_both_engines,
    };

    on_both_engines! {
        async fn a_model_that_cannot_be_loaded_is_told_while_it_is_on_offer(database: TempDatabase) {
            let (folder, store) = (tempfile::tempdir().unwrap(), database.open().await.unwrap());
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let (worker, offered) = (WorkerId::from_uuid(chance::new_id()), video_model().id);
            let models = [offered.as_str(), "withdrawn-1"];
            services.store.workers().register(worker, Registration::new(WorkerRole::All, "cpu", &models)).await.unwrap();
            let broken = |model: &str| ModelReport {
                model: model.to_owned(),
                memory_bytes: 1,
                state: HeldState::Absent,
                since_ms: 0,
                used_ms: 0,
                running: 0,
                load_ms: None,
                failed: Some("a file is cut off".to_owned()),
            };
            let report = ModelsReport { memory_max_bytes: None, models: models.map(broken).into() };
            services.store.workers().report(worker, WorkerCondition::Working, SpareTime::default(), &report).await.unwrap();
            assert_eq!(services.broken_models().await.unwrap(), [offered]);
        }
    }
}
