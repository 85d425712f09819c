//! One start of a worker process.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "workers")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub role: String,
    pub device: String,
    pub started_at_ms: i64,
    pub seen_at_ms: i64,
    pub condition: String,
    /// A list in JSON. `None`: as if it had them all.
    pub models: Option<String>,
    pub sampling_slots: Option<i32>,
    /// Of them, those reserved for interactive jobs.
    pub interactive_slots: Option<i32>,
    pub decoding_slots: Option<i32>,
    pub draining_since_ms: Option<i64>,
    /// Of its device.
    pub memory_bytes: Option<i64>,
    /// What it has of its models, in JSON.
    pub held_models: Option<String>,
    /// What it should have, in JSON.
    pub desired_models: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
