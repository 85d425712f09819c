//! The `plans` table: the only place that writes it. A plan is its newest version; those of before are its history.

use super::tenants;
use crate::{
    Store, StoreError,
    entity::{plan as table, setting, unsigned},
};
use domain::{Timestamp, UserId, VideoTime, billing::Plan};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, sea_query::Expr};

const TABLE: &str = "plans";
/// Of the newest versions; the others are not read.
const NO_LATER: &str = "NOT EXISTS (SELECT 1 FROM plans AS later WHERE later.id = plans.id AND later.version > plans.version)";
/// Names the advisory lock under which plans change.
const PLANS_LOCK: i64 = 0x5265_656c_0005;

const DEFAULT_PLAN: &str = "default-plan";
/// Until the operator says otherwise: whoever runs it for themselves is kept from nothing.
const DEFAULT_PLAN_OF_BEFORE: &str = "unlimited";

/// A plan as it was from some moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanVersion {
    pub plan: Plan,
    pub version: u32,
    pub since: Timestamp,
    /// `None`: shipped, or from the command line.
    pub by: Option<UserId>,
}

/// Which plan is given another release rate, and which version of it somebody looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateChange {
    pub plan: String,
    pub version: u32,
}

/// What became of release rates that were to be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RatesSet {
    /// On these plans; the others had that rate.
    Done(Vec<String>),
    /// This plan is another version by now, or there is none; nothing was changed.
    Stale(String),
}

#[derive(Clone, Copy)]
pub struct Plans<'a> {
    store: &'a Store,
}

impl<'a> Plans<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// All of them, in their order. One that cannot be read is passed over, and written down for the operator.
    pub async fn list(self) -> Result<Vec<Plan>, StoreError> {
        Ok(self.newest().await?.into_iter().map(|version| version.plan).collect())
    }

    /// The same, each with the version that it is.
    pub async fn newest(self) -> Result<Vec<PlanVersion>, StoreError> {
        let newest = table::Entity::find().filter(Expr::cust(NO_LATER)).order_by_asc(table::Column::Id).all(&self.store.shared).await?;
        let (mut plans, mut unreadable) = (Vec::with_capacity(newest.len()), Vec::new());
        for row in &newest {
            match version(row) {
                Ok(version) => plans.push(version),
                Err(error) => unreadable.push((row.id.clone(), error)),
            }
        }
        self.store.operator().note_in_passing(&unreadable).await;
        plans.sort_by(|PlanVersion { plan: a, .. }, PlanVersion { plan: b, .. }| (a.order, &a.id).cmp(&(b.order, &b.id)));
        Ok(plans)
    }

    pub async fn find(self, id: &str) -> Result<Option<Plan>, StoreError> {
        newest(&self.store.shared, id).await?.as_ref().map(parsed).transpose()
    }

    /// The plan of whoever signs up.
    pub async fn default(self) -> Result<String, StoreError> {
        default(&self.store.shared).await
    }

    /// It must be one.
    pub async fn set_default(self, plan: &str) -> Result<(), StoreError> {
        self.store.settings().set(DEFAULT_PLAN, plan).await
    }

    /// All versions of a plan, the newest first.
    pub async fn history(self, id: &str) -> Result<Vec<PlanVersion>, StoreError> {
        let versions = table::Entity::find().filter(table::Column::Id.eq(id)).order_by_desc(table::Column::Version);
        let rows = versions.all(&self.store.shared).await?;
        rows.iter().map(version).collect()
    }

    /// From now on the plan is this one; those who have it get what it gives now. It must be a plan that can be. `false`: it was this one
    /// already.
    pub async fn define(self, plan: &Plan, by: Option<UserId>) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        write.alone(PLANS_LOCK).await?;
        let before = newest(&write.tx, &plan.id).await?;
        let terms = terms(plan)?;
        // A row that cannot be read is replaced.
        if before.as_ref().is_some_and(|row| parsed(row).is_ok_and(|before| before == *plan)) {
            write.abandon().await?;
            return Ok(false);
        }
        let number = before.map_or(1, |before| before.version + 1);
        insert(&write.tx, write.now, plan, (number, terms, by)).await?;
        tenants::plans_changed(&write.tx, &[&plan.id]).await?;
        write.commit().await?;
        Ok(true)
    }

    /// From now on these plans have this release rate, and all else that they have; each must be the version that is named. All of them, or none.
    pub async fn set_release_rates(self, changes: &[RateChange], rate: VideoTime, by: Option<UserId>) -> Result<RatesSet, StoreError> {
        let write = self.store.write().await?;
        write.alone(PLANS_LOCK).await?;
        let mut changed = Vec::new();
        for RateChange { plan: id, version: seen } in changes {
            let before = newest(&write.tx, id).await?.as_ref().map(version).transpose()?;
            let Some(PlanVersion { plan, version, .. }) = before.filter(|before| before.version == *seen) else {
                write.abandon().await?;
                return Ok(RatesSet::Stale(id.clone()));
            };
            if plan.release_rate == Some(rate) {
                continue;
            }
            let plan = Plan { release_rate: Some(rate), ..plan };
            let number = i32::try_from(version + 1).map_err(|error| StoreError::inconsistent(TABLE, "version", error))?;
            insert(&write.tx, write.now, &plan, (number, terms(&plan)?, by)).await?;
            changed.push(plan.id);
        }
        if changed.is_empty() {
            write.abandon().await?;
            return Ok(RatesSet::Done(changed));
        }
        tenants::plans_changed(&write.tx, &changed.iter().map(String::as_str).collect::<Vec<_>>()).await?;
        write.commit().await?;
        Ok(RatesSet::Done(changed))
    }
}

fn terms(plan: &Plan) -> Result<String, StoreError> {
    serde_json::to_string(plan).map_err(|error| StoreError::inconsistent(TABLE, "terms", error))
}

/// Another version of a plan: its number, its terms, and who made it.
async fn insert(
    db: &impl ConnectionTrait,
    now: Timestamp,
    plan: &Plan,
    (version, terms, by): (i32, String, Option<UserId>),
) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        id: Set(plan.id.clone()),
        version: Set(version),
        terms: Set(terms),
        created_at_ms: Set(now.ms()),
        created_by: Set(by.map(UserId::uuid)),
    };
    table::Entity::insert(row).exec_without_returning(db).await?;
    Ok(())
}

fn version(row: &table::Model) -> Result<PlanVersion, StoreError> {
    Ok(PlanVersion {
        plan: parsed(row)?,
        version: unsigned(TABLE, "version", row.version)?,
        since: Timestamp::from_ms(row.created_at_ms),
        by: row.created_by.map(UserId::from_uuid),
    })
}

/// The plan as it is now.
pub(crate) async fn current(db: &impl ConnectionTrait, id: &str) -> Result<Plan, StoreError> {
    let row = newest(db, id).await?.ok_or_else(|| StoreError::inconsistent("tenants", "plan", id))?;
    parsed(&row)
}

pub(crate) async fn exists(db: &impl ConnectionTrait, id: &str) -> Result<bool, StoreError> {
    Ok(newest(db, id).await?.is_some())
}

async fn newest(db: &impl ConnectionTrait, id: &str) -> Result<Option<table::Model>, StoreError> {
    Ok(table::Entity::find().filter(table::Column::Id.eq(id)).order_by_desc(table::Column::Version).one(db).await?)
}

fn parsed(row: &table::Model) -> Result<Plan, StoreError> {
    let plan: Plan = serde_json::from_str(&row.terms).map_err(|error| StoreError::inconsistent(TABLE, "terms", error))?;
    if plan.id == row.id { Ok(plan) } else { Err(StoreError::inconsistent(TABLE, "terms", format!("is of `{}`", plan.id))) }
}

/// The plan of whoever signs up.
pub(crate) async fn default(db: &impl ConnectionTrait) -> Result<String, StoreError> {
    let row = setting::Entity::find_by_id(DEFAULT_PLAN).one(db).await?;
    Ok(row.map_or_else(|| DEFAULT_PLAN_OF_BEFORE.to_owned(), |row| row.value))
}
