//! What tenants may use and what it costs them: plans, credit, and whether the ledger is true.

mod check;
mod ledger;
mod promotion;

pub(crate) use check::RunningCheck;
pub use check::{LedgerCheck, LedgerChecks};
pub use ledger::{ChargedJob, Refund, RefundError};
pub use promotion::{NewPromo, PromoChangeError, PromoOverview, RedeemError};

use crate::{AccessError, Services, job::new_idempotency_key};
use domain::{
    Actor, Forbidden, Permission, ProjectId, TenantId, Timestamp, UserId, VideoTime,
    billing::{Balance, Day, GrantKind, Plan, PlanError, Usage, UsageGroup},
};
use store::{Asked, LedgerPage, NewGrant, PlanVersion, StoreError, TenantPage};
use uuid::Uuid;

/// The most credit that is given at once: more is a slip of the keyboard.
pub const GRANT_MAX: VideoTime = VideoTime::from_minutes(1_000_000);
const NOTE_CHARS_MAX: usize = 200;
/// Days of usage that are told at once.
pub const USAGE_DAYS_MAX: i32 = 366;
/// As are rows of it, all of which are held until they are sent.
pub const USAGE_ROWS_MAX: usize = 20_000;

#[derive(Debug, thiserror::Error)]
pub enum PlanChangeError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("there is no plan `{0}`")]
    Unknown(String),
    #[error("teams pay for this plan already, and what they use beyond it is billed at its price: offer another plan for another price")]
    Subscribed,
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("give more than nothing, and at most {} video-seconds at once", GRANT_MAX)]
    Amount,
    #[error("credit cannot expire in the past")]
    Expired,
    #[error("a note has at most {NOTE_CHARS_MAX} characters, all of them visible")]
    Note,
    #[error("that team is gone")]
    Gone,
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for GrantError {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::TenantGone(_)) { Self::Gone } else { Self::Store(error) }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("ask for at least one day and at most {USAGE_DAYS_MAX}")]
    Days,
    #[error("this is told in more than {USAGE_ROWS_MAX} rows: ask for fewer days or groups")]
    Rows,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Credit that the operator gives.
#[derive(Debug, Clone)]
pub struct Gift {
    pub amount: VideoTime,
    /// `None`: never.
    pub expires_at: Option<Timestamp>,
    /// What for, in words that the tenant sees.
    pub note: Option<String>,
    /// Names this gift: sent again, it is given once. `None`: each is another.
    pub once: Option<String>,
}

impl Services {
    /// What the tenant of whoever acts can use.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn balance(&self, actor: Actor) -> Result<Balance, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadBalance)?.credits().balance().await?)
    }

    /// How many requests a minute the plan of a tenant allows; a change of it is seen within a second.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn requests_per_minute(&self, tenant: TenantId) -> Result<u32, StoreError> {
        let store = self.store.clone();
        let ask = move || async move { Ok(store.tenant(tenant).credits().plan().await?.requests_per_minute) };
        self.requests_per_minute.get(tenant, ask).await
    }

    /// The newest entries of the ledger of the tenant of whoever acts, those before `before`.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn ledger(&self, actor: Actor, before: Option<Uuid>, limit: u64) -> Result<LedgerPage, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadBalance)?.credits().ledger(before, limit).await?)
    }

    /// The same of any tenant, for the operator.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn balance_of(&self, actor: Actor, tenant: TenantId) -> Result<Balance, AccessError> {
        actor.require(Permission::ManagePlans)?;
        Ok(self.store.tenant(tenant).credits().balance().await?)
    }

    /// The plan of any tenant, for the operator.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn plan_of(&self, actor: Actor, tenant: TenantId) -> Result<Plan, AccessError> {
        actor.require(Permission::ManagePlans)?;
        Ok(self.store.tenant(tenant).credits().plan().await?)
    }

    /// Tenants, the newest first, those before `before`; with `search`, those of which a member's address has it.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn tenants(&self, actor: Actor, search: &str, before: Option<TenantId>, limit: u64) -> Result<TenantPage, AccessError> {
        actor.require(Permission::ManagePlans)?;
        Ok(self.store.operator().tenants(search, before, limit).await?)
    }

    /// What the tenant of whoever acts has used from one day up to and without another, told apart by `groups`; the oldest first. With
    /// `project`, in that one alone.
    ///
    /// # Errors
    /// [`UsageError`] when `actor` may not see it, these are no days or too many, there are too many rows, or the database does not answer.
    pub async fn usage(
        &self,
        actor: Actor,
        from: Day,
        until: Day,
        groups: &[UsageGroup],
        project: Option<ProjectId>,
    ) -> Result<Vec<Usage>, UsageError> {
        let tenant = self.tenant_of(actor, Permission::ReadBalance)?;
        if until <= from || from.plus(USAGE_DAYS_MAX) < until {
            return Err(UsageError::Days);
        }
        tenant.credits().usage((from, until), groups, project, USAGE_ROWS_MAX).await?.ok_or(UsageError::Rows)
    }

    /// The plan of the tenant of whoever acts.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn plan(&self, actor: Actor) -> Result<Plan, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadBalance)?.credits().plan().await?)
    }

    /// The plans that everybody is offered.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn listed_plans(&self) -> Result<Vec<Plan>, StoreError> {
        let plans = self.store.plans().list().await?;
        Ok(plans.into_iter().filter(|plan| plan.is_listed).collect())
    }

    /// All plans.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn plans(&self, actor: Actor) -> Result<Vec<Plan>, AccessError> {
        actor.require(Permission::ManagePlans)?;
        Ok(self.store.plans().list().await?)
    }

    /// How a plan came to be what it is, the newest version first.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn plan_history(&self, actor: Actor, id: &str) -> Result<Vec<PlanVersion>, AccessError> {
        actor.require(Permission::ManagePlans)?;
        Ok(self.store.plans().history(id).await?)
    }

    /// Makes a plan, or a new version of one: it holds from the next job on. `false`: it was this one already.
    ///
    /// # Errors
    /// [`PlanChangeError`]; nothing was changed.
    pub async fn define_plan(&self, actor: Actor, plan: &Plan, by: Option<UserId>) -> Result<bool, PlanChangeError> {
        actor.require(Permission::ManagePlans)?;
        plan.check()?;
        let before = if plan.id.contains('\0') { None } else { self.store.plans().find(&plan.id).await? };
        // Subscriptions keep the price that they have.
        let is_priced_anew = plan.overage.is_some() && before.is_some_and(|before| before.overage_price() != plan.overage_price());
        if is_priced_anew && self.store.payments().has_subscriber(&plan.id).await? {
            return Err(PlanChangeError::Subscribed);
        }
        Ok(self.store.plans().define(plan, by).await?)
    }

    /// Gives a tenant this plan, from the next job on.
    ///
    /// # Errors
    /// [`PlanChangeError`]; nothing was changed.
    pub async fn set_plan(&self, actor: Actor, tenant: TenantId, plan: &str) -> Result<(), PlanChangeError> {
        actor.require(Permission::ManagePlans)?;
        self.known_plan(plan).await?;
        self.store.tenant(tenant).credits().set_plan(plan).await?;
        self.kept.forget(&tenant);
        Ok(())
    }

    /// The plan of whoever signs up.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn default_plan(&self) -> Result<String, StoreError> {
        self.store.plans().default().await
    }

    /// Whoever signs up from now on has this plan.
    ///
    /// # Errors
    /// [`PlanChangeError`]; nothing was changed.
    pub async fn set_default_plan(&self, actor: Actor, plan: &str) -> Result<(), PlanChangeError> {
        actor.require(Permission::ManagePlans)?;
        self.known_plan(plan).await?;
        Ok(self.store.plans().set_default(plan).await?)
    }

    async fn known_plan(&self, id: &str) -> Result<(), PlanChangeError> {
        // PostgreSQL has no such text.
        let found = if id.contains('\0') { None } else { self.store.plans().find(id).await? };
        match found {
            Some(_) => Ok(()),
            None => Err(PlanChangeError::Unknown(id.to_owned())),
        }
    }

    /// Gives a tenant credit; `by`: the user who does, unless it is the command line. It stands in both their logs.
    ///
    /// # Errors
    /// [`GrantError`]; nothing was given.
    pub async fn give_credit(&self, actor: Actor, by: Option<Asked<'_>>, tenant: TenantId, gift: Gift) -> Result<(), GrantError> {
        actor.require(Permission::ManagePlans)?;
        let Gift { amount, expires_at, note, once } = gift;
        if amount == VideoTime::default() || amount > GRANT_MAX {
            return Err(GrantError::Amount);
        }
        if let Some(at) = expires_at
            && at <= self.store.now().await?
        {
            return Err(GrantError::Expired);
        }
        let note = note.map(|note| note.trim().to_owned()).filter(|note| !note.is_empty());
        if note.as_ref().is_some_and(|note| !is_readable(note)) {
            return Err(GrantError::Note);
        }
        let cause = format!("operator:{}", once.unwrap_or_else(new_idempotency_key));
        let new = NewGrant { kind: GrantKind::Gift, amount, expires_at, cause, price: None, note };
        self.store.tenant(tenant).credits().give(new, by).await?;
        Ok(())
    }
}

/// Whether a reason, or what something is for, can be shown.
fn is_readable(text: &str) -> bool {
    text.chars().count() <= NOTE_CHARS_MAX && !text.chars().any(domain::text::is_hidden)
}
