//! What a payment processor knows of tenants: who they are there, their subscriptions and invoices, and the plan that follows from them.
//!
//! Nothing here is told apart by events: what is known is replaced as a whole by what was fetched, and only by what was fetched after it was
//! read. So events may come twice, late, or in any order.

mod invoices;
mod subscriptions;

pub(crate) use invoices::paid_after;

use crate::{
    Store, StoreError,
    billing::{self, NewGrant},
    database::{events::NewEvent, write::Write},
    entity::{subscription, tenant as table},
    inbox,
    rows::account::memberships,
};
use domain::{
    Role, TenantId, Timestamp, VideoTime,
    account::mail::Mail,
    billing::{
        CREDIT_VALID_MS, Entitlement, GrantKind, Invoice, Money, PAYMENT_GRACE_MS, Purchase, Subscription, SubscriptionStatus, UnitPrice,
        entitlement,
    },
};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};

/// Longer than a change of a plan takes, whoever does not answer: a server that is killed on the way keeps others from it until then.
const CHANGE_MAX_MS: i64 = 5 * 60 * 1000;

/// All that is known of a tenant's payments.
#[derive(Debug, Clone)]
pub struct PaymentAccount {
    /// Who it is to the payment processor; `None`: nobody yet.
    pub customer: Option<String>,
    /// The plan that it has.
    pub plan: String,
    /// The plan that it has, or had before the operator set another one, because it is paid for.
    pub paid_plan: Option<String>,
    /// The plan that follows on one that was cancelled; `None`: that of whoever signs up.
    pub next_plan: Option<String>,
    /// The newest first.
    pub subscriptions: Vec<Subscription>,
    /// The newest first.
    pub invoices: Vec<Invoice>,
    /// Counts how often this was replaced.
    pub revision: i64,
}

/// What the payment processor said of a tenant.
#[derive(Debug, Clone, Default)]
pub struct Fetched {
    /// All of them.
    pub subscriptions: Vec<Subscription>,
    /// The newest ones.
    pub invoices: Vec<Invoice>,
    /// Those that are not known yet, and maybe others.
    pub purchases: Vec<Purchase>,
}

#[derive(Clone, Copy)]
pub struct Payments<'a> {
    store: &'a Store,
}

impl<'a> Payments<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub async fn account(self, tenant: TenantId, invoices: u64) -> Result<PaymentAccount, StoreError> {
        let db = &self.store.of(tenant);
        let row = table::Entity::find_by_id(tenant.uuid()).one(db).await?;
        let row = row.ok_or_else(|| StoreError::inconsistent("tenants", "id", tenant))?;
        Ok(PaymentAccount {
            customer: row.stripe_customer,
            plan: row.plan,
            paid_plan: row.paid_plan,
            next_plan: row.next_plan,
            subscriptions: subscriptions::of_tenant(db, tenant).await?,
            invoices: invoices::of_tenant(db, tenant, invoices).await?,
            revision: row.payments_revision,
        })
    }

    pub async fn tenant_of(self, customer: &str) -> Result<Option<TenantId>, StoreError> {
        let row = table::Entity::find().filter(table::Column::StripeCustomer.eq(customer)).one(&self.store.db).await?;
        Ok(row.map(|row| TenantId::from_uuid(row.id)))
    }

    /// Whether anything may still be charged to the tenant for jobs that it has.
    pub async fn has_open_jobs(self, tenant: TenantId) -> Result<bool, StoreError> {
        let row = table::Entity::find_by_id(tenant.uuid()).one(&self.store.of(tenant)).await?;
        Ok(row.is_some_and(|row| row.open_ms > 0))
    }

    /// Whether a tenant is this customer that is not deleted.
    pub async fn has_customer(self, customer: &str) -> Result<bool, StoreError> {
        let row = table::Entity::find().filter(table::Column::StripeCustomer.eq(customer)).one(&self.store.db).await?;
        Ok(row.is_some_and(|row| row.deleted_at_ms.is_none()))
    }

    /// Tenants that the payment processor knows, with their name there, those after `after`. Not those that are being deleted.
    pub async fn customers(self, after: Option<TenantId>, limit: u64) -> Result<Vec<(TenantId, String)>, StoreError> {
        let customers = table::Entity::find().filter(table::Column::StripeCustomer.is_not_null());
        let mut known = customers.filter(table::Column::DeletedAtMs.is_null());
        if let Some(after) = after {
            known = known.filter(table::Column::Id.gt(after.uuid()));
        }
        let rows = known.order_by_asc(table::Column::Id).limit(limit).all(&self.store.db).await?;
        Ok(rows.into_iter().filter_map(|row| Some((TenantId::from_uuid(row.id), row.stripe_customer?))).collect())
    }

    /// Whether anybody's subscription pays for a plan.
    pub async fn has_subscriber(self, plan: &str) -> Result<bool, StoreError> {
        let live =
            subscription::Entity::find().filter(subscription::Column::Plan.eq(plan)).filter(subscription::Column::EndedAtMs.is_null());
        Ok(live.one(&self.store.db).await?.is_some())
    }

    /// From now on the tenant is this customer, if it still is who it was `before`. Returns who it is.
    pub async fn set_customer(self, tenant: TenantId, customer: &str, before: Option<&str>) -> Result<String, StoreError> {
        let write = self.store.write_of(tenant).await?;
        let row = billing::lock_tenant(&write.tx, tenant).await?;
        if let Some(other) = row.stripe_customer.filter(|now| Some(&**now) != before) {
            write.abandon().await?;
            return Ok(other);
        }
        if row.deleted_at_ms.is_some() {
            write.abandon().await?;
            return Err(StoreError::inconsistent("tenants", "deleted_at_ms", tenant));
        }
        let update = table::ActiveModel { id: Set(row.id), stripe_customer: Set(Some(customer.to_owned())), ..Default::default() };
        update.update(&write.tx).await?;
        write.commit().await?;
        Ok(customer.to_owned())
    }

    /// The tenant is this customer, which was made for it, if it is nobody yet and not gone. `false`: nothing was changed.
    pub async fn adopt_customer(self, tenant: TenantId, customer: &str) -> Result<bool, StoreError> {
        let write = self.store.write_of(tenant).await?;
        let this = table::Entity::update_many().col_expr(table::Column::StripeCustomer, Expr::value(customer));
        let nobody = this.filter(table::Column::Id.eq(tenant.uuid())).filter(table::Column::StripeCustomer.is_null());
        let done = nobody.filter(table::Column::DeletedAtMs.is_null()).exec(&write.tx).await?;
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }

    /// Replaces what is known of the tenant by what was `fetched` after `revision` was read, gives what was bought, and sets the plan that is
    /// paid for. `false`: something else was fetched meanwhile, and nothing is changed. A tenant that is deleted stays as it is.
    pub async fn replace(self, tenant: TenantId, revision: i64, fetched: &Fetched) -> Result<bool, StoreError> {
        let mut write = self.store.write_of(tenant).await?;
        let row = billing::lock_tenant(&write.tx, tenant).await?;
        if row.payments_revision != revision {
            write.abandon().await?;
            return Ok(false);
        }
        if row.deleted_at_ms.is_some() {
            write.abandon().await?;
            return Ok(true);
        }
        let before = subscriptions::of_tenant(&write.tx, tenant).await?;
        let after = subscriptions::replace(&write, tenant, &before, &fetched.subscriptions).await?;
        for invoice in &fetched.invoices {
            invoices::put(&write, tenant, invoice).await?;
        }
        for purchase in &fetched.purchases {
            give(&write, tenant, purchase).await?;
        }
        tell_of_payments(&mut write, tenant, &before, &after).await?;
        let row = entitle(&mut write, row, &after).await?;
        let update = table::ActiveModel { id: Set(row.id), payments_revision: Set(revision + 1), ..Default::default() };
        update.update(&write.tx).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Whether a tenant's plan may be changed now: until [`Self::end_change`], or for some minutes, it may not be by anybody else.
    pub async fn begin_change(self, tenant: TenantId) -> Result<bool, StoreError> {
        let write = self.store.write_of(tenant).await?;
        let row = billing::lock_tenant(&write.tx, tenant).await?;
        if row.plan_change_until_ms > write.now.ms() {
            write.abandon().await?;
            return Ok(false);
        }
        let until_ms = write.now.ms() + CHANGE_MAX_MS;
        table::ActiveModel { id: Set(row.id), plan_change_until_ms: Set(until_ms), ..Default::default() }.update(&write.tx).await?;
        write.commit().await?;
        Ok(true)
    }

    /// The plan that follows when what is paid ends, of a tenant that has cancelled it. `None`: that of whoever signs up.
    pub async fn set_next_plan(self, tenant: TenantId, plan: Option<&str>) -> Result<(), StoreError> {
        let write = self.store.write_of(tenant).await?;
        let row = billing::lock_tenant(&write.tx, tenant).await?;
        let update = table::ActiveModel { id: Set(row.id), next_plan: Set(plan.map(ToOwned::to_owned)), ..Default::default() };
        update.update(&write.tx).await?;
        write.commit().await
    }

    /// What was begun with [`Self::begin_change`] is done, or has failed.
    pub async fn end_change(self, tenant: TenantId) -> Result<(), StoreError> {
        let write = self.store.write_of(tenant).await?;
        let row = billing::lock_tenant(&write.tx, tenant).await?;
        table::ActiveModel { id: Set(row.id), plan_change_until_ms: Set(0), ..Default::default() }.update(&write.tx).await?;
        write.commit().await
    }

    /// Tenants of which a payment has failed so long ago that they keep their plan no longer.
    pub async fn out_of_grace(self, limit: u64) -> Result<Vec<TenantId>, StoreError> {
        let until = self.store.now().await?.plus_ms(-PAYMENT_GRACE_MS);
        subscriptions::past_due_until(&self.store.db, until, limit).await
    }

    /// Looks again at what the tenant is entitled to by what is known of it.
    pub async fn look_again(self, tenant: TenantId) -> Result<(), StoreError> {
        let mut write = self.store.write_of(tenant).await?;
        let row = billing::lock_tenant(&write.tx, tenant).await?;
        let known = subscriptions::of_tenant(&write.tx, tenant).await?;
        entitle(&mut write, row, &known).await?;
        write.commit().await
    }
}

/// Sets the plan that is paid for. One that the operator has set stays until another one is paid for.
async fn entitle(write: &mut Write, row: table::Model, known: &[Subscription]) -> Result<table::Model, StoreError> {
    let tenant = TenantId::from_uuid(row.id);
    let mut entitled = entitlement(known, write.now);
    if let Some(paid) = &entitled
        && !billing::plan_exists(&write.tx, &paid.plan).await?
    {
        tracing::error!(tenant = %tenant, plan = paid.plan, "a plan is paid for that there is none of");
        entitled = None;
    }
    match entitled {
        Some(paid) => set_paid_plan(write, row, paid).await,
        None => {
            let Some(paid_before) = row.paid_plan.clone() else { return Ok(row) };
            let next = billing::plan_after(&write.tx, &row).await?;
            let mut row = billing::forget_paid_plan(&write.tx, &row, write.now).await?;
            if row.plan == paid_before {
                // In the months that it has: who goes back and forth is given nothing anew.
                let since = Timestamp::from_ms(row.plan_since_ms);
                row = billing::set_plan(&write.tx, &row, &next, since).await?;
            }
            if known.iter().any(|subscription| subscription.status == SubscriptionStatus::PastDue) {
                tell(write, tenant, |user| Mail::PlanLimited { user, tenant }).await?;
            }
            Ok(row)
        }
    }
}

async fn set_paid_plan(write: &Write, row: table::Model, paid: Entitlement) -> Result<table::Model, StoreError> {
    let is_new = row.paid_plan.as_ref() != Some(&paid.plan);
    let gives_other = row.plan_since_ms != paid.since.ms() || row.without_overage != paid.without_overage;
    let is_other_plan = row.plan != paid.plan;
    let ends_otherwise = row.paid_until_ms != paid.until.map(Timestamp::ms);
    // One that is paid after all ends as it was chosen.
    let next_plan = row.next_plan.clone().filter(|_| !is_new || paid.until.is_some());
    let mut row = row;
    if is_new || ends_otherwise || row.without_overage != paid.without_overage {
        let update = table::ActiveModel {
            id: Set(row.id),
            paid_plan: Set(Some(paid.plan.clone())),
            paid_until_ms: Set(paid.until.map(Timestamp::ms)),
            without_overage: Set(paid.without_overage),
            next_plan: Set(next_plan),
            // What is due by then is looked at again.
            due_at_ms: Set(if ends_otherwise { 0 } else { row.due_at_ms }),
            ..Default::default()
        };
        row = update.update(&write.tx).await?;
    }
    if is_new || row.plan == paid.plan && gives_other {
        row = billing::set_plan(&write.tx, &row, &paid.plan, paid.since).await?;
        if is_other_plan {
            row = billing::keep_for_a_while(&write.tx, &row, write.now).await?;
        }
    }
    Ok(row)
}

async fn give(write: &Write, tenant: TenantId, purchase: &Purchase) -> Result<(), StoreError> {
    let price = UnitPrice { minor_per_minute: purchase.minor_per_minute, currency: purchase.currency };
    let new = NewGrant {
        kind: GrantKind::Purchase,
        amount: VideoTime::from_ms(purchase.video_ms),
        expires_at: Some(purchase.bought_at.plus_ms(CREDIT_VALID_MS)),
        cause: format!("stripe:{}", purchase.id),
        price: Some(price),
        note: None,
    };
    let cause = new.cause.clone();
    billing::grant(&write.tx, write.now, tenant, new).await?;
    billing::take_back_credit(&write.tx, write.now, tenant, &cause, VideoTime::from_ms(purchase.unpaid_ms)).await
}

/// Of a payment that has failed, or was made after all.
async fn tell_of_payments(write: &mut Write, tenant: TenantId, before: &[Subscription], after: &[Subscription]) -> Result<(), StoreError> {
    let is_late = |subscription: &Subscription| subscription.past_due_since.is_some();
    for now in after {
        let was_late = before.iter().find(|before| before.id == now.id).is_some_and(is_late);
        if is_late(now) && !was_late {
            tell(write, tenant, |user| Mail::PaymentFailed { user, tenant }).await?;
        } else if was_late && now.status == SubscriptionStatus::Active {
            tell(write, tenant, |user| Mail::PaymentRecovered { user, tenant }).await?;
        }
    }
    Ok(())
}

/// Whoever looks after the tenant's money.
async fn tell(write: &mut Write, tenant: TenantId, mail: impl Fn(domain::UserId) -> Mail) -> Result<(), StoreError> {
    let members = memberships::of_tenant(&write.tx, tenant).await?;
    for member in members.iter().filter(|member| matches!(member.role, Role::Owner | Role::Billing)) {
        write.add_mail(&mail(member.user));
    }
    Ok(())
}

/// The kind of events by which what is known of a customer is fetched.
pub const FETCH_CUSTOMER: &str = "stripe customer";
/// The kind of events by which a customer is deleted, and all that it pays for.
pub const DELETE_CUSTOMER: &str = "stripe deletion";

/// The kind of events by which money is credited to a customer, for the next invoices.
pub const CREDIT_CUSTOMER: &str = "stripe credit";

/// Has it credited, rounded up to the minor unit. `once`: of two events that say the same, one is.
pub(crate) fn credit_customer(customer: &str, money: Money, once: &str) -> NewEvent {
    let minor = money.thousandths_of_minor.unsigned_abs().div_ceil(1000);
    let payload = serde_json::json!({ "customer": customer, "minor": minor, "currency": money.currency.code(), "once": once });
    NewEvent { subject: format!("stripe {customer}"), kind: CREDIT_CUSTOMER, payload }
}

/// Has what is known of a customer fetched.
#[must_use]
pub fn fetch_customer(customer: &str) -> NewEvent {
    event(FETCH_CUSTOMER, customer)
}

fn subject_of(customer: &str) -> String {
    format!("stripe {customer}")
}

fn event(kind: &'static str, customer: &str) -> NewEvent {
    NewEvent { subject: subject_of(customer), kind, payload: serde_json::json!({ "customer": customer }) }
}

/// A tenant that is deleted pays for nothing any more but what it has used. Of its subscriptions and invoices money and times are kept, or what the
/// past brought in would change. Its row stays a customer's until all is told that is to be paid.
pub(crate) async fn delete(write: &mut Write, tenant: TenantId) -> Result<(), StoreError> {
    let row = billing::lock_tenant(&write.tx, tenant).await?;
    let Some(customer) = row.stripe_customer else { return Ok(()) };
    subscriptions::forget(write, tenant).await?;
    invoices::forget(write, tenant).await?;
    inbox::forget_bodies(write, &subject_of(&customer)).await?;
    write.add_event(event(DELETE_CUSTOMER, &customer));
    Ok(())
}

fn moment(ms: Option<i64>) -> Option<Timestamp> {
    ms.map(Timestamp::from_ms)
}
