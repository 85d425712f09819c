//! A customer.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenants")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub created_at_ms: i64,
    /// Video time waiting and running; written by [`crate::billing`] and [`crate::open_work`].
    pub open_ms: i64,
    /// Then its rows and objects are on their way out.
    pub deleted_at_ms: Option<i64>,
    /// All from here on is written by [`crate::billing`] alone.
    pub plan: String,
    pub plan_since_ms: i64,
    pub period_ends_ms: i64,
    /// When a grant expires or the period ends, whichever comes first.
    pub due_at_ms: i64,
    pub available_ms: i64,
    pub held_ms: i64,
    /// Whether there are rows of it in `spending_limits`.
    pub has_spending_limits: bool,
    /// Who it is to the payment processor; this and the rest is written by [`crate::payment`] alone.
    pub stripe_customer: Option<String>,
    /// The plan that was set because it is paid for.
    pub paid_plan: Option<String>,
    /// When that plan ends, where its subscription was cancelled.
    pub paid_until_ms: Option<i64>,
    /// In a trial nothing is paid for afterwards.
    pub without_overage: bool,
    /// Until then its videos are kept, however short its plan keeps them; written by [`crate::billing`].
    pub kept_until_ms: i64,
    /// Counts how often what is known of its payments was replaced.
    pub payments_revision: i64,
    /// The plan is being changed, and nobody else changes it before then.
    pub plan_change_until_ms: i64,
    /// The plan that follows when what is paid ends. `None`: that of whoever signs up.
    pub next_plan: Option<String>,
    /// When the last job entered the queue that a release rate counts, and its work; this and the next two are written by [`crate::queue`] and
    /// [`crate::billing`].
    pub released_at_ms: i64,
    pub released_work_ms: i64,
    /// When the first of those that are not in the queue yet is looked at. `None`: there are none.
    pub next_release_ms: Option<i64>,
    /// How often the secret was rotated that signs webhooks of its predictions; this and the next is written by [`crate::webhook`] alone.
    pub callback_secret: i64,
    /// Until then the one of before signs too.
    pub old_callback_secret_until_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
