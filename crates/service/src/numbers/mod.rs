//! Numbers over time: of the whole installation for its operator, and of their own jobs for tenants. Both are read from the same tallies.

pub(crate) mod keep;
mod load;

pub use domain::metrics::{Count, Dimension, Gauge, Phase, Range, Span, Tally};
pub use load::{Load, mean_by_span};
pub use store::metrics::{Annotation, AnnotationKind, GaugeRow, ROWS_MAX, TallyQuery, TallyRow};

use crate::{AccessError, Services, recent::Recent};
use domain::{
    Actor, Forbidden, Permission, TenantId, Timestamp, VideoTime,
    billing::{
        Currency, Lane,
        costs::{DevicePrices, Margin},
    },
    metrics::margin,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};
use store::{Store, StoreError, metrics::ReadError};

/// What was asked before, for a moment. `None`: it is too much to be told at once.
pub(crate) type RecentTallies = Recent<TallyQuery, Option<Arc<Vec<TallyRow>>>>;

#[derive(Debug, Clone, thiserror::Error)]
pub enum NumbersError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// More rows than [`ROWS_MAX`].
    #[error("this is too much to be told at once: ask for a shorter time, or tell fewer things apart")]
    TooMuch,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What ended within a range, told apart by spans and groups.
#[derive(Debug, Clone)]
pub struct Numbers {
    pub range: Range,
    /// In the order of time; spans and groups without jobs have no rows.
    pub rows: Arc<Vec<TallyRow>>,
    /// Of the range of the same length before.
    pub before: Tally,
    /// Of the time just before the range that is as long as what is over of it.
    pub as_long_before: Tally,
}

impl Numbers {
    #[must_use]
    pub fn total(&self) -> Tally {
        sum(self.rows.iter())
    }

    /// A tally for each span of the range, also where nothing ended; of one group, or of all.
    #[must_use]
    pub fn by_span(&self, group: Option<&str>) -> Vec<(Timestamp, Tally)> {
        let mut spans: Vec<_> = self.range.starts().map(|start| (start, Tally::default())).collect();
        for row in self.rows.iter().filter(|row| group.is_none_or(|group| row.group == group)) {
            if let Some((_, tally)) = self.range.place(row.start).and_then(|place| spans.get_mut(place)) {
                tally.merge(&row.tally);
            }
        }
        spans
    }

    /// A tally for each group, those with the most jobs first.
    #[must_use]
    pub fn by_group(&self) -> Vec<(String, Tally)> {
        let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
        for row in self.rows.iter() {
            groups.entry(&row.group).or_default().merge(&row.tally);
        }
        let mut groups: Vec<_> = groups.into_iter().map(|(group, tally)| (group.to_owned(), tally)).collect();
        groups.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.jobs()));
        groups
    }
}

/// The numbers of the installation, with what happened meanwhile.
#[derive(Debug, Clone)]
pub struct InstallationNumbers {
    pub numbers: Numbers,
    pub annotations: Vec<Annotation>,
    /// Of the tenants that are told apart, by id as the groups have it.
    pub tenant_names: HashMap<String, String>,
    /// What the jobs of each span cost and brought in; none where that is too much to be told at once.
    pub margins: Vec<(Timestamp, Margin)>,
    pub currency: Currency,
    /// Devices have prices: without any, no cost is told.
    pub is_priced: bool,
}

impl Services {
    /// What ended on the installation, with the range before.
    ///
    /// # Errors
    /// [`NumbersError`] when `actor` may not see it, it is too much, or the database does not answer.
    pub async fn installation_numbers(&self, actor: Actor, query: TallyQuery) -> Result<InstallationNumbers, NumbersError> {
        actor.require(Permission::InspectInstallation)?;
        let (range, kept) = (query.range, self.store.kept_numbers());
        let of_devices = self.tallies(TallyQuery { by: Some(Dimension::Device), ..query.clone() });
        let (numbers, of_devices, annotations) =
            tokio::join!(self.numbers(query.clone()), of_devices, kept.annotations(range.from, range.until));
        let (numbers, annotations) = (numbers?, annotations?);
        let tenants: Vec<TenantId> = match query.by {
            Some(Dimension::Tenant) => numbers.by_group().iter().filter_map(|(group, _)| group.parse().ok()).collect(),
            _ => Vec::new(),
        };
        let names = if tenants.is_empty() { HashMap::new() } else { self.store.operator().tenant_names(&tenants).await? };
        let tenant_names = names.into_iter().map(|(id, name)| (id.to_string(), name)).collect();
        let prices = self.store.operator().device_prices().await?;
        let paid_in = || numbers.total().paid.keys().find_map(|code| Currency::try_from(code.clone()).ok());
        let currency = prices.currency().or_else(paid_in).unwrap_or(Currency::USD);
        let margins = match of_devices {
            Ok(rows) => margins(range, &rows, (&prices, currency)),
            Err(NumbersError::TooMuch) => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(InstallationNumbers { numbers, annotations, tenant_names, margins, currency, is_priced: prices.currency().is_some() })
    }

    /// What ended of the jobs of the tenant of whoever acts, with the range before.
    ///
    /// # Errors
    /// [`NumbersError`] when `actor` may not see it, it is too much, or the database does not answer.
    pub async fn own_numbers(&self, actor: Actor, range: Range, by: Option<Dimension>) -> Result<Numbers, NumbersError> {
        let tenant = actor.require_membership(Permission::ReadJobs)?.tenant;
        self.numbers(TallyQuery { range, tenant: Some(tenant), model: None, lane: None, device: None, by }).await
    }

    /// How much video may enter the queue in a minute, for the tenant of whoever acts. `None`: nothing is kept by a rate, as on all plans but those for batches.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn own_release_rate(&self, actor: Actor) -> Result<Option<VideoTime>, AccessError> {
        let plan = self.tenant_of(actor, Permission::ReadBalance)?.credits().plan().await?;
        Ok(plan.release_rate.filter(|_| plan.lane == Lane::Batch))
    }

    async fn numbers(&self, query: TallyQuery) -> Result<Numbers, NumbersError> {
        let (range, now) = (query.range, self.store.now().await?);
        let before = TallyQuery { range: range.before(), by: None, ..query.clone() };
        let (rows, of_before) = tokio::join!(self.tallies(query), self.tallies(before.clone()));
        let (rows, of_before) = (rows?, of_before?);
        let mut as_long_before = Tally::default();
        for part in range.as_long_before(now) {
            // In its own spans it is a part of the range before.
            let rows = if part.span == range.span {
                Arc::clone(&of_before)
            } else {
                self.tallies(TallyQuery { range: part, ..before.clone() }).await?
            };
            as_long_before.merge(&sum(rows.iter().filter(|row| part.place(row.start).is_some())));
        }
        Ok(Numbers { range, rows, before: sum(of_before.iter()), as_long_before })
    }

    async fn tallies(&self, query: TallyQuery) -> Result<Arc<Vec<TallyRow>>, NumbersError> {
        let store = self.store.clone();
        let asked = query.clone();
        let found = self.recent_tallies.get(query, || async move { read(&store, &asked).await }).await?;
        found.ok_or(NumbersError::TooMuch)
    }
}

/// `rows`: told apart by devices.
fn margins(range: Range, rows: &[TallyRow], (prices, currency): (&DevicePrices, Currency)) -> Vec<(Timestamp, Margin)> {
    let mut spans: Vec<_> = range.starts().map(|start| (start, margin(&Tally::default(), "", prices, currency))).collect();
    for row in rows {
        if let Some((_, sum)) = range.place(row.start).and_then(|place| spans.get_mut(place)) {
            sum.add(&margin(&row.tally, &row.group, prices, currency));
        }
    }
    spans
}

async fn read(store: &Store, query: &TallyQuery) -> Result<Option<Arc<Vec<TallyRow>>>, StoreError> {
    match store.kept_numbers().tallies(query).await {
        Ok(rows) => Ok(Some(Arc::new(rows))),
        Err(ReadError::TooMuch) => Ok(None),
        Err(ReadError::Store(error)) => Err(error),
    }
}

fn sum<'a>(rows: impl Iterator<Item = &'a TallyRow>) -> Tally {
    rows.fold(Tally::default(), |mut sum, row| {
        sum.merge(&row.tally);
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_ms(minute * 60_000)
    }

    fn range() -> Range {
        Range { span: Span::Minute, from: at(10), until: at(13) }
    }

    #[test]
    fn spans_and_groups_are_added_up() {
        let tally = |jobs| Tally { counts: [jobs, 0, 0, 0, 0, 0, 0, 0], ..Tally::default() };
        let row = |minute, group: &str, jobs| TallyRow { start: at(minute), group: group.to_owned(), tally: tally(jobs) };
        let rows = Arc::new(vec![row(10, "a", 1), row(10, "b", 2), row(12, "b", 4)]);
        let numbers = Numbers { range: range(), rows, before: Tally::default(), as_long_before: Tally::default() };
        let jobs = |spans: Vec<(Timestamp, Tally)>| spans.iter().map(|(_, tally)| tally.jobs()).collect::<Vec<_>>();
        assert_eq!((jobs(numbers.by_span(None)), jobs(numbers.by_span(Some("b")))), (vec![3, 0, 4], vec![2, 0, 4]));
        let groups: Vec<_> = numbers.by_group().into_iter().map(|(group, tally)| (group, tally.jobs())).collect();
        assert_eq!((groups, numbers.total().jobs()), (vec![("b".to_owned(), 6), ("a".to_owned(), 1)], 7));
    }
}
