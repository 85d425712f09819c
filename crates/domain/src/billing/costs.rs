//! What videos cost to make, and what is left of what they bring in.
//!
//! All the time of a device is paid for: what it worked on for jobs, and what it stood idle or loaded models in. The latter belongs to no job; it is
//! shared out among the work that the device did, so that the costs of all work are what the device costs.

use super::{Currency, Money};
use crate::{TenantId, VideoTime};
use std::collections::{BTreeMap, HashMap};

const HOUR_MS: f64 = 3_600_000.0;

/// What a device did with its time, in milliseconds. All of one name are one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeviceTime {
    pub device: String,
    /// How long its workers were there, by their signs of life.
    pub present_ms: u64,
    pub idle_ms: u64,
    /// From the start of a worker until it takes jobs.
    pub loading_ms: u64,
}

/// Time of a device that jobs of a tenant took, in milliseconds, by what came of the stage that took it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceWork {
    pub tenant: TenantId,
    pub model: String,
    pub device: String,
    pub done_ms: u64,
    pub failed_ms: u64,
    pub cancelled_ms: u64,
}

impl DeviceWork {
    const fn ms(&self) -> u64 {
        self.done_ms + self.failed_ms + self.cancelled_ms
    }
}

/// What a tenant was charged for what it made with a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sold {
    pub tenant: TenantId,
    pub model: String,
    pub videos: u64,
    pub charged: VideoTime,
    /// Of what was charged, what has a price of its own.
    pub price: Option<Money>,
}

/// What a tenant has paid for plans in the time that is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscribed {
    pub tenant: TenantId,
    pub paid: Money,
}

/// What an hour of each device costs, all in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DevicePrices(pub BTreeMap<String, Money>);

impl DevicePrices {
    /// `None`: no device has a price.
    #[must_use]
    pub fn currency(&self) -> Option<Currency> {
        self.0.values().next().map(|price| price.currency)
    }

    fn of(&self, device: &str, ms: f64) -> f64 {
        self.0.get(device).map_or(0.0, |price| price.thousandths_of_minor as f64 * ms / HOUR_MS)
    }
}

/// What is known of some days.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Books {
    pub devices: Vec<DeviceTime>,
    pub work: Vec<DeviceWork>,
    pub sold: Vec<Sold>,
    pub subscribed: Vec<Subscribed>,
}

impl Books {
    /// In which something was paid.
    fn currencies(&self) -> impl Iterator<Item = Currency> {
        let paid = self.subscribed.iter().map(|of| of.paid).chain(self.sold.iter().filter_map(|sold| sold.price));
        paid.map(|paid| paid.currency)
    }
}

/// A device with what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceCost {
    pub time: DeviceTime,
    /// What jobs took, and how much of it came to nothing.
    pub worked_ms: u64,
    pub wasted_ms: u64,
    /// `None`: it has no price.
    pub cost: Option<Money>,
}

impl DeviceCost {
    /// What it did, as it says itself: work, loading, and idling.
    #[must_use]
    pub const fn accounted_ms(&self) -> u64 {
        self.worked_ms + self.time.idle_ms + self.time.loading_ms
    }
}

/// Costs and revenue of a tenant, of a model, or of all.
#[derive(Debug, Clone, PartialEq)]
pub struct Margin {
    /// Videos that succeeded.
    pub videos: u64,
    pub charged: VideoTime,
    /// What its jobs took of devices, in milliseconds.
    pub worked_ms: u64,
    /// With its share of what devices idled and loaded, in thousandths of the minor unit.
    pub cost: f64,
    /// In thousandths of the minor unit.
    pub revenue: f64,
    /// Some of it was made by a device that has no price, so its cost is not known.
    pub is_unpriced: bool,
}

impl Margin {
    const NOTHING: Self = Self { videos: 0, charged: VideoTime::from_ms(0), worked_ms: 0, cost: 0.0, revenue: 0.0, is_unpriced: false };

    pub fn add(&mut self, other: &Self) {
        self.videos += other.videos;
        self.charged = self.charged + other.charged;
        self.worked_ms += other.worked_ms;
        self.cost += other.cost;
        self.revenue += other.revenue;
        self.is_unpriced |= other.is_unpriced;
    }

    /// What is left of the revenue, from 1 down. `None`: there is no revenue, or what was spent for it is not known.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        self.share_at_most().filter(|_| !self.is_unpriced)
    }

    /// The same by what is known of the cost: where some of it is not, no more is left. `None`: there is no revenue, or nothing is known.
    #[must_use]
    pub fn share_at_most(&self) -> Option<f64> {
        let is_known = !self.is_unpriced || self.cost > 0.0;
        (self.revenue > 0.0 && is_known).then(|| (self.revenue - self.cost) / self.revenue)
    }
}

/// Whose costs they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub tenant: TenantId,
    /// `None`: what was paid for a subscription with which no video was made.
    pub model: Option<String>,
}

/// What was spent and what came in, in one currency.
#[derive(Debug, Clone, PartialEq)]
pub struct CostReport {
    pub currency: Currency,
    /// The dearest first.
    pub devices: Vec<DeviceCost>,
    pub cells: BTreeMap<Cell, Margin>,
    /// Of devices that did no work at all, in thousandths of the minor unit: nobody's.
    pub unattributed: f64,
    /// Something was paid in another currency, and is not in here.
    pub has_other_currency: bool,
}

impl CostReport {
    /// What the `books` come to at these prices. Without any, revenue alone is told, in the first currency that there is.
    #[must_use]
    pub fn new(books: &Books, prices: &DevicePrices) -> Self {
        Self::in_currency(books, prices, prices.currency().or_else(|| books.currencies().next()).unwrap_or(Currency::USD))
    }

    /// The same in this currency, which is that of `prices` where there are any.
    #[must_use]
    pub fn in_currency(books: &Books, prices: &DevicePrices, currency: Currency) -> Self {
        let mut report = Self {
            currency,
            devices: Vec::new(),
            cells: BTreeMap::new(),
            unattributed: 0.0,
            has_other_currency: books.currencies().any(|paid| paid != currency),
        };
        report.add_costs(books, prices);
        report.add_sold(books);
        report.add_subscribed(books);
        report
    }

    fn add_costs(&mut self, books: &Books, prices: &DevicePrices) {
        let mut devices: BTreeMap<&str, DeviceCost> = BTreeMap::new();
        let fresh = |device: &str| DeviceCost {
            time: DeviceTime { device: device.to_owned(), ..DeviceTime::default() },
            worked_ms: 0,
            wasted_ms: 0,
            cost: None,
        };
        for time in &books.devices {
            devices.entry(&time.device).or_insert_with(|| fresh(&time.device)).time = time.clone();
        }
        for work in &books.work {
            let device = devices.entry(&work.device).or_insert_with(|| fresh(&work.device));
            device.worked_ms += work.ms();
            device.wasted_ms += work.failed_ms + work.cancelled_ms;
        }
        for device in devices.values_mut() {
            let cost = prices.of(&device.time.device, device.accounted_ms() as f64);
            if prices.0.contains_key(&device.time.device) {
                device.cost = Some(self.money(cost));
            }
            if device.worked_ms == 0 {
                self.unattributed += cost;
            }
        }
        for work in &books.work {
            let device = &devices[work.device.as_str()];
            let share = work.ms() as f64 / (device.worked_ms as f64).max(1.0);
            let cost = prices.of(&work.device, device.accounted_ms() as f64 * share);
            let is_unpriced = work.ms() > 0 && device.cost.is_none();
            self.cell(work.tenant, Some(&work.model)).add(&Margin { worked_ms: work.ms(), cost, is_unpriced, ..Margin::NOTHING });
        }
        self.devices = devices.into_values().collect();
        self.devices.sort_by_key(|device| std::cmp::Reverse((device.cost.map(|cost| cost.thousandths_of_minor), device.accounted_ms())));
    }

    fn add_sold(&mut self, books: &Books) {
        for sold in &books.sold {
            let revenue = sold.price.filter(|price| price.currency == self.currency).map_or(0.0, |price| price.thousandths_of_minor as f64);
            let margin = Margin { videos: sold.videos, charged: sold.charged, revenue, ..Margin::NOTHING };
            self.cell(sold.tenant, Some(&sold.model)).add(&margin);
        }
    }

    /// Shared out among what the tenant made, by the video time that it was charged.
    fn add_subscribed(&mut self, books: &Books) {
        let currency = self.currency;
        let mut sold_to: HashMap<TenantId, Vec<&Sold>> = HashMap::new();
        for sold in books.sold.iter().filter(|sold| sold.charged.ms() > 0) {
            sold_to.entry(sold.tenant).or_default().push(sold);
        }
        for Subscribed { tenant, paid } in books.subscribed.iter().filter(|of| of.paid.currency == currency) {
            let revenue = paid.thousandths_of_minor as f64;
            let sold = sold_to.get(tenant).map_or(&[][..], Vec::as_slice);
            let charged_ms: u64 = sold.iter().map(|sold| sold.charged.ms()).sum();
            for sold in sold {
                let revenue = revenue * sold.charged.ms() as f64 / charged_ms as f64;
                self.cell(*tenant, Some(&sold.model)).add(&Margin { revenue, ..Margin::NOTHING });
            }
            if sold.is_empty() {
                self.cell(*tenant, None).add(&Margin { revenue, ..Margin::NOTHING });
            }
        }
    }

    fn cell(&mut self, tenant: TenantId, model: Option<&str>) -> &mut Margin {
        self.cells.entry(Cell { tenant, model: model.map(str::to_owned) }).or_insert(Margin::NOTHING)
    }

    /// Added up by what `key` says of each cell, the dearest first.
    pub fn by<K: Ord>(&self, key: impl Fn(&Cell) -> K) -> Vec<(K, Margin)> {
        let mut sums: BTreeMap<K, Margin> = BTreeMap::new();
        for (cell, margin) in &self.cells {
            sums.entry(key(cell)).or_insert(Margin::NOTHING).add(margin);
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by(|(_, one), (_, other)| other.cost.total_cmp(&one.cost).then(other.revenue.total_cmp(&one.revenue)));
        sums
    }

    /// All of it, what is nobody's included.
    #[must_use]
    pub fn total(&self) -> Margin {
        let mut total = Margin { cost: self.unattributed, is_unpriced: self.unpriced().next().is_some(), ..Margin::NOTHING };
        self.cells.values().for_each(|margin| total.add(margin));
        total
    }

    /// The devices that were there and have no price.
    pub fn unpriced(&self) -> impl Iterator<Item = &str> {
        let is_there = |device: &&DeviceCost| device.cost.is_none() && device.accounted_ms() + device.time.present_ms > 0;
        self.devices.iter().filter(is_there).map(|device| device.time.device.as_str())
    }

    /// Rounded to the thousandth of the minor unit.
    #[must_use]
    pub fn money(&self, thousandths_of_minor: f64) -> Money {
        Money { thousandths_of_minor: thousandths_of_minor.round() as i64, currency: self.currency }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const HOUR: u64 = 3_600_000;

    fn tenant(number: u128) -> TenantId {
        TenantId::from_uuid(Uuid::from_u128(number))
    }

    fn work(by: u128, model: &str, device: &str, [done_ms, failed_ms, cancelled_ms]: [u64; 3]) -> DeviceWork {
        DeviceWork { tenant: tenant(by), model: model.into(), device: device.into(), done_ms, failed_ms, cancelled_ms }
    }

    fn device(name: &str, idle_ms: u64, loading_ms: u64) -> DeviceTime {
        DeviceTime { device: name.into(), present_ms: HOUR, idle_ms, loading_ms }
    }

    fn sold(by: u128, model: &str, seconds: u64, price: Option<Money>) -> Sold {
        Sold { tenant: tenant(by), model: model.into(), videos: 1, charged: VideoTime::from_ms(seconds * 1000), price }
    }

    fn dollars(minor: i64) -> Money {
        Money::of_minor(minor, Currency::USD)
    }

    fn prices() -> DevicePrices {
        DevicePrices([("h100".to_owned(), dollars(300)), ("cpu".to_owned(), dollars(10))].into())
    }

    #[test]
    fn the_costs_of_all_work_are_what_the_devices_cost() {
        let books = Books {
            devices: vec![device("h100", HOUR / 2, HOUR / 10), device("cpu", HOUR, 0)],
            work: vec![
                work(1, "wan", "h100", [HOUR / 5, HOUR / 20, 0]),
                work(2, "wan", "h100", [HOUR / 10, 0, HOUR / 20]),
                work(2, "vignette", "h100", [0, 0, 0]),
            ],
            ..Books::default()
        };
        let report = CostReport::new(&books, &prices());
        assert_eq!(report.money(report.total().cost), dollars(310));
        assert_eq!(report.money(report.unattributed), dollars(10));
        let by_tenant = report.by(|cell| cell.tenant);
        let costs: Vec<_> = by_tenant.iter().map(|(tenant, margin)| (*tenant, report.money(margin.cost).thousandths_of_minor)).collect();
        // 0.25 and 0.15 hours of 0.4 that were worked.
        assert_eq!(costs, [(tenant(1), 187_500), (tenant(2), 112_500)]);
        let h100 = &report.devices[0];
        assert_eq!((h100.worked_ms, h100.wasted_ms, h100.accounted_ms()), (HOUR * 2 / 5, HOUR / 10, HOUR));
    }

    #[test]
    fn a_subscription_is_shared_out_by_what_was_made_with_it() {
        let books = Books {
            sold: vec![sold(1, "wan", 30, None), sold(1, "vignette", 10, Some(dollars(50)))],
            subscribed: vec![
                Subscribed { tenant: tenant(1), paid: dollars(2000) },
                Subscribed { tenant: tenant(2), paid: dollars(700) },
                Subscribed { tenant: tenant(2), paid: Money { currency: "eur".to_owned().try_into().unwrap(), ..dollars(1) } },
            ],
            ..Books::default()
        };
        let report = CostReport::new(&books, &DevicePrices::default());
        let by_model = report.by(|cell| cell.model.clone());
        let revenue = |model: Option<&str>| {
            let found = by_model.iter().find(|(named, _)| named.as_deref() == model);
            found.map(|(_, margin)| report.money(margin.revenue).thousandths_of_minor)
        };
        assert_eq!([revenue(Some("wan")), revenue(Some("vignette")), revenue(None)], [Some(1_500_000), Some(550_000), Some(700_000)]);
        assert!(report.has_other_currency);
        assert_eq!(report.total().share(), Some(1.0));
    }

    #[test]
    fn a_day_on_which_another_currency_was_paid_brought_in_nothing_of_this_one() {
        let books = Books { sold: vec![sold(1, "wan", 30, Some(dollars(600)))], ..Books::default() };
        let report = CostReport::in_currency(&books, &DevicePrices::default(), Currency::try_from("eur".to_owned()).unwrap());
        assert_eq!((report.money(report.total().revenue).thousandths_of_minor, report.has_other_currency), (0, true));
    }

    #[test]
    fn what_a_device_without_a_price_made_has_no_known_cost() {
        let books = Books {
            devices: vec![device("h100", HOUR / 2, 0), device("tpu", HOUR / 2, 0)],
            work: vec![work(1, "wan", "h100", [HOUR / 2, 0, 0]), work(2, "wan", "tpu", [HOUR / 2, 0, 0])],
            sold: vec![sold(1, "wan", 30, Some(dollars(600))), sold(2, "wan", 30, Some(dollars(600)))],
            ..Books::default()
        };
        let report = CostReport::new(&books, &prices());
        assert_eq!(report.unpriced().collect::<Vec<_>>(), ["tpu"]);
        let shares: Vec<_> = report.by(|cell| cell.tenant).into_iter().map(|(tenant, margin)| (tenant, margin.share())).collect();
        assert_eq!(shares, [(tenant(1), Some(0.5)), (tenant(2), None)]);
        assert_eq!((report.by(|cell| cell.model.clone())[0].1.share(), report.total().share()), (None, None));
    }

    #[test]
    fn what_costs_and_brings_nothing_has_no_margin() {
        let report = CostReport::new(&Books { devices: vec![device("tpu", HOUR, 0)], ..Books::default() }, &prices());
        assert_eq!((report.total().share(), report.devices[0].cost), (None, None));
    }
}
