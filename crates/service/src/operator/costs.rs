//! What videos cost the operator, and what is left of what they bring in.

use crate::{AccessError, Services};
use domain::{
    Actor, Forbidden, Permission, TenantId,
    billing::{
        Currency, Day, Money,
        costs::{Books, CostReport, DevicePrices, Margin},
    },
};
use store::StoreError;

/// The rows of tenants that are told one by one.
const TENANTS_MAX: usize = 100;
/// The most days that are looked at, which is three months.
pub const COST_DAYS_MAX: u16 = 92;
/// A device of which an hour costs more is a slip of the pen: a million of the currency.
const PRICE_MAX_MINOR: i64 = 1_000_000_000;
const DEVICE_NAME_MAX: usize = 100;

/// What some days cost and brought in.
#[derive(Debug, Clone)]
pub struct Costs {
    pub report: CostReport,
    pub prices: DevicePrices,
    pub from: Day,
    /// The last one.
    pub to: Day,
    /// By model; `None`: of subscriptions with which no video was made. The dearest first.
    pub models: Vec<(Option<String>, Margin)>,
    /// All together on each day, the oldest first.
    pub by_day: Vec<(Day, Margin)>,
    /// The dearest first. `None`: all the others.
    pub tenants: Vec<(Option<(TenantId, String)>, Margin)>,
}

/// Why a price was not set.
#[derive(Debug, thiserror::Error)]
pub enum DevicePriceError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("a device has a name of at most {DEVICE_NAME_MAX} characters")]
    Device,
    #[error("an hour of a device costs something between nothing and a million")]
    Amount,
    #[error("the other devices are priced in {}: give this price in it too, or take theirs away first", .0.code().to_ascii_uppercase())]
    Currency(Currency),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Services {
    /// Of the last days, today's included: at least one, and at most [`COST_DAYS_MAX`].
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn costs(&self, actor: Actor, days: u16) -> Result<Costs, AccessError> {
        actor.require(Permission::ManagePlans)?;
        let now = self.store.now().await?;
        let to = Day::of(now);
        let from = to.plus(1 - i32::from(days.clamp(1, COST_DAYS_MAX)));
        let (books, prices) = (self.store.operator().books(from, to.plus(1), now).await?, self.store.operator().device_prices().await?);
        let report = CostReport::new(&books, &prices);
        let by_day = self.store.operator().books_by_day(from, to.plus(1), now).await?;
        let of_day = |books: &Books| CostReport::in_currency(books, &prices, report.currency).total();
        let by_day = by_day.into_iter().map(|(day, books)| (day, of_day(&books))).collect();
        let models = report.by(|cell| cell.model.clone());
        let mut dearest = report.by(|cell| cell.tenant);
        let others = dearest.split_off(dearest.len().min(TENANTS_MAX)).into_iter().map(|(_, margin)| margin);
        let others = others.reduce(|mut sum, margin| {
            sum.add(&margin);
            sum
        });
        let names = self.store.operator().tenant_names(&dearest.iter().map(|(tenant, _)| *tenant).collect::<Vec<_>>()).await?;
        let named = dearest.into_iter().map(|(tenant, margin)| {
            let name = names.get(&tenant).cloned().unwrap_or_else(|| "a deleted team".to_owned());
            (Some((tenant, name)), margin)
        });
        let tenants = named.chain(others.map(|others| (None, others))).collect();
        Ok(Costs { report, prices, from, to, models, by_day, tenants })
    }

    /// What an hour of all devices of this name costs from now on, days that have passed included. `None`: that is not known.
    ///
    /// # Errors
    /// [`DevicePriceError`]; nothing was changed.
    pub async fn set_device_price(&self, actor: Actor, device: &str, price: Option<Money>) -> Result<(), DevicePriceError> {
        actor.require(Permission::ManagePlans)?;
        let device = device.trim();
        if device.is_empty() || device.chars().count() > DEVICE_NAME_MAX {
            return Err(DevicePriceError::Device);
        }
        if price.is_some_and(|price| !(0..=PRICE_MAX_MINOR * 1000).contains(&price.thousandths_of_minor)) {
            return Err(DevicePriceError::Amount);
        }
        let change = |mut prices: DevicePrices| {
            prices.0.remove(device);
            if let Some(price) = price {
                if let Some(currency) = prices.currency().filter(|currency| *currency != price.currency) {
                    return Err(DevicePriceError::Currency(currency));
                }
                prices.0.insert(device.to_owned(), price);
            }
            Ok(prices)
        };
        self.store.operator().change_device_prices(change).await
    }
}
