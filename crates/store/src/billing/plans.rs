//! The `plans` table: the only place that writes it. A plan is its newest version; those of before are its history.

use super::tenants;
use crate::{
    Store, StoreError,
    entity::{plan as table, setting, unsigned},
};
use domain::{Timestamp, UserId, billing::Plan};
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
        let newest = table::Entity::find().filter(Expr::cust(NO_LATER)).order_by_asc(table::Column::Id).all(&self.store.shared).await?;
        let (mut plans, mut unreadable) = (Vec::with_capacity(newest.len()), Vec::new());
        for row in &newest {
            match parsed(row) {
                Ok(plan) => plans.push(plan),
                Err(error) => unreadable.push((row.id.clone(), error)),
            }
        }
        self.store.operator().note_in_passing(&unreadable).await;
        plans.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
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
        let version = |row: &table::Model| {
            let version = unsigned(TABLE, "version", row.version)?;
            Ok(PlanVersion {
                plan: parsed(row)?,
                version,
                since: Timestamp::from_ms(row.created_at_ms),
                by: row.created_by.map(UserId::from_uuid),
            })
        };
        rows.iter().map(version).collect()
    }

    /// From now on the plan is this one; those who have it get what it gives now. It must be a plan that can be. `false`: it was this one
    /// already.
    pub async fn define(self, plan: &Plan, by: Option<UserId>) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        write.alone(PLANS_LOCK).await?;
        let before = newest(&write.tx, &plan.id).await?;
        let terms = serde_json::to_string(plan).map_err(|error| StoreError::inconsistent(TABLE, "terms", error))?;
        // A row that cannot be read is replaced.
        if before.as_ref().is_some_and(|row| parsed(row).is_ok_and(|before| before == *plan)) {
            write.abandon().await?;
            return Ok(false);
        }
        let row = table::ActiveModel {
            id: Set(plan.id.clone()),
            version: Set(before.map_or(1, |before| before.version + 1)),
            terms: Set(terms),
            created_at_ms: Set(write.now.ms()),
            created_by: Set(by.map(UserId::uuid)),
        };
        table::Entity::insert(row).exec_without_returning(&write.tx).await?;
        tenants::plan_changed(&write.tx, &plan.id).await?;
        write.commit().await?;
        Ok(true)
    }
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
