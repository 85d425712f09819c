//! What subscriptions bring in, and who comes and goes.

use super::Operator;
use crate::{StoreError, entity::unsigned};
use domain::{
    Timestamp,
    billing::{Currency, Money, SubscriptionStatus},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// The subscriptions to a plan in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscribers {
    /// `None`: what is paid for is no plan of ours.
    pub plan: Option<String>,
    pub status: SubscriptionStatus,
    pub count: u64,
    /// What all of them pay in a month.
    pub monthly: Money,
}

/// What comes in by subscriptions, and what has changed since a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revenue {
    /// Of those that have not ended.
    pub subscribers: Vec<Subscribers>,
    /// Subscriptions that there were at that moment.
    pub before: u64,
    pub begun: u64,
    /// Of those that there were.
    pub ended: u64,
    /// What invoices of since then were paid with, and credit that was bought since then, by currency.
    pub paid: Vec<Money>,
}

impl Revenue {
    /// What is paid each month, by currency: trials and what is not paid left out.
    #[must_use]
    pub fn monthly(&self) -> Vec<Money> {
        let mut sums: Vec<Money> = Vec::new();
        for paying in self.subscribers.iter().filter(|of| of.status == SubscriptionStatus::Active) {
            match sums.iter_mut().find(|sum| sum.currency == paying.monthly.currency) {
                Some(sum) => sum.thousandths_of_minor += paying.monthly.thousandths_of_minor,
                None => sums.push(paying.monthly),
            }
        }
        sums
    }
}

const SUBSCRIBERS: &str = "SELECT plan, status, currency, COUNT(*) AS subscriptions, CAST(SUM(monthly_minor) AS BIGINT) AS monthly_minor \
     FROM subscriptions WHERE ended_at_ms IS NULL GROUP BY plan, status, currency ORDER BY plan, status, currency";
const CHANGES: &str = "SELECT \
     (SELECT COUNT(*) FROM subscriptions WHERE began_at_ms < $1 AND (ended_at_ms IS NULL OR ended_at_ms >= $1)) AS before, \
     (SELECT COUNT(*) FROM subscriptions WHERE began_at_ms >= $1) AS begun, \
     (SELECT COUNT(*) FROM subscriptions WHERE began_at_ms < $1 AND ended_at_ms >= $1) AS ended";
const PAID: &str = "SELECT currency, CAST(SUM(paid_minor) AS BIGINT) AS paid_minor FROM (\
     SELECT currency, paid_minor FROM invoices WHERE created_at_ms >= $1 UNION ALL \
     SELECT currency, (amount_ms * minor_per_minute + 59999) / 60000 FROM grants WHERE kind = 'purchase' AND created_at_ms >= $1) AS payments \
     GROUP BY currency HAVING SUM(paid_minor) > 0 ORDER BY currency";

#[derive(FromQueryResult)]
struct SubscribersRow {
    plan: Option<String>,
    status: String,
    currency: String,
    subscriptions: i64,
    monthly_minor: i64,
}

#[derive(FromQueryResult)]
struct ChangesRow {
    before: i64,
    begun: i64,
    ended: i64,
}

#[derive(FromQueryResult)]
struct PaidRow {
    currency: String,
    paid_minor: i64,
}

impl Operator<'_> {
    /// With what has changed since `since`.
    pub async fn revenue(self, since: Timestamp) -> Result<Revenue, StoreError> {
        let db = &self.store.db;
        let statement = |sql: &str| Statement::from_sql_and_values(db.get_database_backend(), sql, [since.ms().into()]);
        let subscribers = SubscribersRow::find_by_statement(Statement::from_string(db.get_database_backend(), SUBSCRIBERS)).all(db).await?;
        let changes = ChangesRow::find_by_statement(statement(CHANGES)).one(db).await?;
        let paid = PaidRow::find_by_statement(statement(PAID)).all(db).await?;
        let count = |count: Option<i64>| unsigned("subscriptions", "count", count.unwrap_or(0));
        Ok(Revenue {
            subscribers: subscribers.into_iter().map(read).collect::<Result<_, _>>()?,
            before: count(changes.as_ref().map(|row| row.before))?,
            begun: count(changes.as_ref().map(|row| row.begun))?,
            ended: count(changes.as_ref().map(|row| row.ended))?,
            paid: paid.into_iter().map(|row| money("invoices", row.paid_minor, row.currency)).collect::<Result<_, _>>()?,
        })
    }
}

fn read(row: SubscribersRow) -> Result<Subscribers, StoreError> {
    let status = SubscriptionStatus::named(&row.status).ok_or_else(|| StoreError::inconsistent("subscriptions", "status", &row.status))?;
    let count = unsigned("subscriptions", "count", row.subscriptions)?;
    Ok(Subscribers { plan: row.plan, status, count, monthly: money("subscriptions", row.monthly_minor, row.currency)? })
}

fn money(table: &'static str, minor: i64, currency: String) -> Result<Money, StoreError> {
    let currency: Currency = currency.clone().try_into().map_err(|_| StoreError::inconsistent(table, "currency", &currency))?;
    Ok(Money::of_minor(minor, currency))
}
