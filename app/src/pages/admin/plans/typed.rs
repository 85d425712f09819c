//! A plan as it is typed into its form: read, and written out again.

use domain::{
    VideoTime,
    billing::{Currency, Included, Lane, Overage, Plan, REQUESTS_PER_MINUTE_DEFAULT},
    number::scaled,
};
use serde::{Deserialize, Serialize};

/// The fields of a plan as they are typed; lengths in minutes, prices in the currency.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) is_listed: String,
    #[serde(default)]
    pub(super) order: String,
    #[serde(default)]
    pub(super) currency: String,
    #[serde(default)]
    pub(super) monthly: String,
    #[serde(default)]
    pub(super) included: String,
    #[serde(default)]
    pub(super) credit: String,
    #[serde(default)]
    pub(super) overage: String,
    #[serde(default)]
    pub(super) overage_limit: String,
    pub(super) lane: String,
    pub(super) weight: String,
    pub(super) open_work: String,
    pub(super) keys: String,
    #[serde(default)]
    pub(super) trial: String,
    #[serde(default)]
    pub(super) requests: String,
    #[serde(default)]
    pub(super) models: String,
    #[serde(default)]
    pub(super) retention: String,
    #[serde(default)]
    pub(super) concurrency: String,
    #[serde(default)]
    pub(super) batch: String,
    #[serde(default)]
    pub(super) release: String,
    /// Not empty: no plan is to be replaced.
    #[serde(default)]
    pub(super) is_new: String,
}

/// # Errors
/// A sentence about the first field that cannot be read.
pub(super) fn plan_of(typed: &Typed) -> Result<Plan, String> {
    let currency: Currency = typed.currency.trim().to_owned().try_into().map_err(|error| format!("{error}."))?;
    let money =
        |label: &str, text: &str| optional(text, |text| minor(text, currency).ok_or_else(|| wrong(label, "an amount such as 29 or 0.50")));
    let time =
        |label: &str, text: &str| VideoTime::from_typed_minutes(text).map_err(|_| wrong(label, "a number of minutes such as 60 or 0.5"));
    let number = |label: &str, text: &str| text.trim().parse::<u32>().map_err(|_| wrong(label, "a whole number"));
    let limit = |label: &str, text: &str| optional(text, |text| number(label, text));
    let included = match typed.included.trim() {
        "unlimited" => Included::Unlimited,
        text => Included::MonthlyMs(time("Included", text)?),
    };
    let overage = match money("Price beyond it", &typed.overage)? {
        Some(minor_per_minute) => Some(Overage { minor_per_minute, limit_ms: time("Limit beyond it", &typed.overage_limit)? }),
        None => None,
    };
    Ok(Plan {
        id: typed.id.trim().to_owned(),
        name: typed.name.trim().to_owned(),
        description: typed.description.trim().to_owned(),
        is_listed: !typed.is_listed.is_empty(),
        order: number("Order", &typed.order)?,
        currency,
        monthly_minor: money("A month’s price", &typed.monthly)?,
        included,
        credit_minor_per_minute: money("Price of credit", &typed.credit)?,
        overage,
        lane: Lane::named(&typed.lane).ok_or_else(|| wrong("Lane", "`interactive` or `batch`"))?,
        weight: number("Weight", &typed.weight)?,
        open_work_max_ms: time("Open work", &typed.open_work)?,
        keys_max: number("API keys", &typed.keys)?,
        requests_per_minute: limit("Requests a minute", &typed.requests)?.unwrap_or(REQUESTS_PER_MINUTE_DEFAULT),
        trial_days: limit("Days of trial", &typed.trial)?,
        retention_days: limit("Days kept", &typed.retention)?,
        concurrency: limit("Videos at once", &typed.concurrency)?,
        batch_size_max: limit("Videos of a batch", &typed.batch)?,
        release_rate: optional(&typed.release, |text| time("Release rate", text))?,
        models: typed.models.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect(),
    })
}

fn wrong(label: &str, wanted: &str) -> String {
    format!("{label}: give {wanted}.")
}

/// Empty: none.
fn optional<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text.trim().is_empty() { Ok(None) } else { read(text.trim()).map(Some) }
}

/// An amount with as many decimals as the currency has, in minor units.
fn minor(text: &str, currency: Currency) -> Option<u32> {
    scaled(text, currency.decimals()).and_then(|minor| u32::try_from(minor).ok())
}

/// The inverse of [`scaled`], without decimals that say nothing.
fn unscaled(number: u64, decimals: usize) -> String {
    let digits = format!("{number:0width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = if fraction.bytes().all(|byte| byte == b'0') { "" } else { fraction };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

impl Typed {
    pub(super) fn of(plan: &Plan) -> Self {
        let money = |minor: Option<u32>| minor.map(|minor| unscaled(minor.into(), plan.currency.decimals())).unwrap_or_default();
        // A plan of another hand may have lengths that are no thousandth of a minute: rounded to the next.
        let time = |time: VideoTime| unscaled(time.ms().div_ceil(60), 3);
        let limit = |most: Option<u32>| most.map(|most| most.to_string()).unwrap_or_default();
        Self {
            id: plan.id.clone(),
            name: plan.name.clone(),
            description: plan.description.clone(),
            is_listed: if plan.is_listed { "yes".to_owned() } else { String::new() },
            order: plan.order.to_string(),
            currency: plan.currency.code().to_owned(),
            monthly: money(plan.monthly_minor),
            included: if plan.included == Included::Unlimited { "unlimited".to_owned() } else { time(plan.included.monthly()) },
            credit: money(plan.credit_minor_per_minute),
            overage: money(plan.overage.map(|overage| overage.minor_per_minute)),
            overage_limit: plan.overage.map(|overage| time(overage.limit_ms)).unwrap_or_default(),
            lane: plan.lane.as_str().to_owned(),
            weight: plan.weight.to_string(),
            open_work: time(plan.open_work_max_ms),
            keys: plan.keys_max.to_string(),
            requests: plan.requests_per_minute.to_string(),
            trial: plan.trial_days.map(|days| days.to_string()).unwrap_or_default(),
            models: plan.models.join(", "),
            retention: limit(plan.retention_days),
            concurrency: limit(plan.concurrency),
            batch: limit(plan.batch_size_max),
            release: plan.release_rate.map(time).unwrap_or_default(),
            is_new: String::new(),
        }
    }

    /// Of a plan that is made anew.
    pub(super) fn fresh() -> Self {
        let text = |text: &str| text.to_owned();
        Self {
            order: text("50"),
            currency: text("usd"),
            included: text("0"),
            lane: text("interactive"),
            weight: text("1"),
            open_work: text("60"),
            keys: text("10"),
            is_new: text("yes"),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_survives_its_form() {
        let plan = domain::billing::testing::plan();
        assert_eq!(plan_of(&Typed::of(&plan)), Ok(plan.clone()));
        let limited = Plan {
            retention_days: Some(30),
            concurrency: Some(2),
            batch_size_max: Some(500),
            release_rate: Some(VideoTime::from_ms(30_000)),
            ..plan.clone()
        };
        assert_eq!(plan_of(&Typed::of(&limited)), Ok(limited));
        let unlimited = Plan { included: Included::Unlimited, overage: None, monthly_minor: None, ..plan };
        assert_eq!(plan_of(&Typed::of(&unlimited)), Ok(unlimited));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let wrong = |change: fn(&mut Typed)| {
            let mut typed = Typed::of(&domain::billing::testing::plan());
            change(&mut typed);
            plan_of(&typed).unwrap_err()
        };
        assert_eq!(wrong(|typed| typed.monthly = "29,00".into()), "A month’s price: give an amount such as 29 or 0.50.");
        assert_eq!(wrong(|typed| typed.included = "-1".into()), "Included: give a number of minutes such as 60 or 0.5.");
        assert_eq!(wrong(|typed| typed.currency = "dollar".into()), "`dollar` is not the code of a currency, such as `usd`.");
        assert_eq!(wrong(|typed| typed.keys = "many".into()), "API keys: give a whole number.");
        assert_eq!(wrong(|typed| typed.retention = "a week".into()), "Days kept: give a whole number.");
    }

    #[test]
    fn numbers_are_written_with_the_decimals_they_have() {
        assert_eq!([unscaled(2900, 2), unscaled(50, 2), unscaled(1234, 3), unscaled(0, 0)], ["29", "0.50", "1.234", "0"]);
    }
}
