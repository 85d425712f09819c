//! Plans as products and prices. They are looked for by names of ours, and made where there are none: so nothing has to be set up at Stripe.

use crate::{PaymentError, Stripe, usage::METER};
use domain::billing::{Currency, Plan};
use stripe_billing::billing_meter::{
    CreateBillingMeter, CreateBillingMeterDefaultAggregation, CreateBillingMeterDefaultAggregationFormula, ListBillingMeter,
};
use stripe_product::{
    price::{CreatePrice, CreatePriceRecurring, CreatePriceRecurringInterval, CreatePriceRecurringUsageType, ListPrice},
    product::{CreateProduct, RetrieveProduct},
};

const PRODUCT_PREFIX: &str = "reelmill_";
/// Stripe takes so many decimals of a minor unit.
const DECIMALS: usize = 12;
const MS_PER_MINUTE: u128 = 60_000;

/// What a subscription to a plan consists of, by Stripe's names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanPrices {
    pub monthly: String,
    /// For what is used beyond what is included.
    pub overage: Option<String>,
}

/// Whether a product is one that was made here.
pub(crate) fn is_ours(product: &str) -> bool {
    product.starts_with(PRODUCT_PREFIX)
}

/// The plan that a product stands for.
pub(crate) fn plan_of_product(product: &str) -> Option<&str> {
    product.strip_prefix(PRODUCT_PREFIX).filter(|plan| !plan.ends_with(OVERAGE_SUFFIX))
}

/// Of the product of what is used beyond; ids of plans have no such character.
const OVERAGE_SUFFIX: &str = "_overage";

impl Stripe {
    /// The prices of a plan as it is now. It must have a monthly price.
    ///
    /// # Errors
    /// [`PaymentError`]; what was made until then is found the next time.
    pub async fn prices(&self, plan: &Plan) -> Result<PlanPrices, PaymentError> {
        let monthly_minor = plan.monthly_minor.ok_or_else(|| PaymentError::Refused(format!("`{}` has no monthly price", plan.id)))?;
        let currency = plan.currency;
        let key = format!("reelmill:{}:monthly:{}:{monthly_minor}", plan.id, currency.code());
        let monthly = match self.price(&key).await? {
            Some(price) => price,
            None => {
                let product = self.product(&format!("{PRODUCT_PREFIX}{}", plan.id), &plan.name).await?;
                let monthly = CreatePriceRecurring::new(CreatePriceRecurringInterval::Month);
                let price = CreatePrice::new(stripe_currency(currency)?).product(product).recurring(monthly);
                self.new_price(price.unit_amount(i64::from(monthly_minor)), &key).await?
            }
        };
        let overage = match plan.overage {
            None => None,
            Some(overage) => {
                let key = format!("reelmill:{}:overage:{}:{}", plan.id, currency.code(), overage.minor_per_minute);
                Some(match self.price(&key).await? {
                    Some(price) => price,
                    None => self.new_overage_price(plan, overage.minor_per_minute, &key).await?,
                })
            }
        };
        Ok(PlanPrices { monthly, overage })
    }

    async fn new_overage_price(&self, plan: &Plan, minor_per_minute: u32, key: &str) -> Result<String, PaymentError> {
        let id = format!("{PRODUCT_PREFIX}{}{OVERAGE_SUFFIX}", plan.id);
        let product = self.product(&id, &format!("{}: video time beyond what is included", plan.name)).await?;
        let mut metered = CreatePriceRecurring::new(CreatePriceRecurringInterval::Month);
        metered.usage_type = Some(CreatePriceRecurringUsageType::Metered);
        metered.meter = Some(self.meter().await?);
        let price = CreatePrice::new(stripe_currency(plan.currency)?).product(product).recurring(metered);
        self.new_price(price.unit_amount_decimal(per_ms(minor_per_minute)), key).await
    }

    async fn price(&self, lookup_key: &str) -> Result<Option<String>, PaymentError> {
        let found = self.ask(&ListPrice::new().active(true).lookup_keys(vec![lookup_key.to_owned()]).limit(1)).await?;
        Ok(found.data.first().map(|price| price.id.to_string()))
    }

    async fn new_price(&self, price: CreatePrice, lookup_key: &str) -> Result<String, PaymentError> {
        let made = self.make(&price.lookup_key(lookup_key)).await;
        match made {
            Ok(price) => Ok(price.id.to_string()),
            // Another server has made it meanwhile.
            Err(refused @ PaymentError::Refused(_)) => self.price(lookup_key).await?.ok_or(refused),
            Err(error) => Err(error),
        }
    }

    async fn product(&self, id: &str, name: &str) -> Result<String, PaymentError> {
        match self.ask(&RetrieveProduct::new(id)).await {
            Ok(product) => return Ok(product.id.to_string()),
            Err(PaymentError::Unknown(_)) => {}
            Err(error) => return Err(error),
        }
        match self.make(&CreateProduct::new(name).id(id)).await {
            Ok(product) => Ok(product.id.to_string()),
            Err(refused @ PaymentError::Refused(_)) => {
                self.ask(&RetrieveProduct::new(id)).await.map(|product| product.id.to_string()).map_err(|_| refused)
            }
            Err(error) => Err(error),
        }
    }

    /// The id of the meter of video time.
    pub(crate) async fn meter(&self) -> Result<String, PaymentError> {
        if let Some(meter) = self.find_meter().await? {
            return Ok(meter);
        }
        let sum = CreateBillingMeterDefaultAggregation::new(CreateBillingMeterDefaultAggregationFormula::Sum);
        let made = self.make(&CreateBillingMeter::new(sum, "Video time in milliseconds", METER)).await;
        match made {
            Ok(meter) => Ok(meter.id.to_string()),
            Err(refused @ PaymentError::Refused(_)) => self.find_meter().await?.ok_or(refused),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn find_meter(&self) -> Result<Option<String>, PaymentError> {
        let meters = self.ask(&ListBillingMeter::new().limit(100)).await?;
        Ok(meters.data.into_iter().find(|meter| meter.event_name == METER).map(|meter| meter.id.to_string()))
    }
}

pub(crate) fn stripe_currency(currency: Currency) -> Result<stripe_types::Currency, PaymentError> {
    currency.code().parse().map_err(|_| PaymentError::Refused(format!("there is no currency `{}`", currency.code())))
}

/// Of ours, by the code that Stripe writes.
pub(crate) fn currency(currency: &stripe_types::Currency) -> Result<Currency, PaymentError> {
    currency.to_string().try_into().map_err(|_| PaymentError::Unreadable(format!("a currency `{currency}`")))
}

/// The price of a millisecond, in minor units: exact to twelve decimals.
fn per_ms(minor_per_minute: u32) -> String {
    let scaled = (u128::from(minor_per_minute) * 10_u128.pow(DECIMALS as u32) + MS_PER_MINUTE / 2) / MS_PER_MINUTE;
    let digits = format!("{scaled:0width$}", width = DECIMALS + 1);
    let (whole, fraction) = digits.split_at(digits.len() - DECIMALS);
    format!("{whole}.{fraction}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_by_the_minute_is_one_by_the_millisecond() {
        assert_eq!(per_ms(60), "0.001");
        assert_eq!(per_ms(50), "0.000833333333");
        assert_eq!(per_ms(60_000), "1");
        assert_eq!(per_ms(1), "0.000016666667");
    }

    #[test]
    fn a_product_stands_for_its_plan_and_overage_for_none() {
        assert_eq!(plan_of_product("reelmill_pro-2026"), Some("pro-2026"));
        assert_eq!(plan_of_product("reelmill_pro_overage"), None);
        assert_eq!(plan_of_product("prod_123"), None);
    }
}
