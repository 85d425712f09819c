//! What the jobs of a span cost and brought in, from the same tallies as all other numbers.
//!
//! A job costs what it took of devices while it was made. What devices idled and loaded belongs to no moment at which a job ended: the books
//! of whole days share it out.

use super::{Count, Tally};
use crate::{
    VideoTime,
    billing::{
        Currency,
        costs::{DevicePrices, Margin},
    },
};

const HOUR_MS: f64 = 3_600_000.0;
const MINUTE_MS: f64 = 60_000.0;

/// A number that is told of a [`Margin`]: in thousandths of the minor unit, but for the share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    Cost,
    Revenue,
    /// Of a video-minute that was charged.
    CostOfMinute,
    RevenueOfMinute,
    /// What is left of the revenue, from 1 down.
    Share,
}

impl Worth {
    pub const ALL: [Self; 5] = [Self::Cost, Self::Revenue, Self::CostOfMinute, Self::RevenueOfMinute, Self::Share];

    /// `None`: it depends on what is not known, or is nothing's.
    #[must_use]
    pub fn of(self, margin: &Margin) -> Option<f64> {
        let minutes = Some(margin.charged.ms() as f64 / MINUTE_MS).filter(|minutes| *minutes > 0.0);
        // Of what was charged for nothing that was made, or made in a time that nobody noted, only the revenue is known.
        let is_known = !margin.is_unpriced && (margin.worked_ms > 0 || margin.charged.ms() == 0);
        let cost = is_known.then_some(margin.cost);
        match self {
            Self::Cost => cost,
            Self::Revenue => Some(margin.revenue),
            Self::CostOfMinute => Some(cost? / minutes?),
            Self::RevenueOfMinute => Some(margin.revenue / minutes?),
            Self::Share => margin.share().filter(|_| is_known),
        }
    }
}

/// Of jobs that `device` sampled. What was paid in another currency is left out.
#[must_use]
pub fn margin(tally: &Tally, device: &str, prices: &DevicePrices, currency: Currency) -> Margin {
    let worked_ms = tally.count(Count::SamplingDeviceMs) + tally.count(Count::DecodingDeviceMs);
    let price = prices.0.get(device).filter(|price| price.currency == currency);
    Margin {
        videos: tally.count(Count::Succeeded),
        charged: VideoTime::from_ms(tally.count(Count::ChargedMs)),
        worked_ms,
        cost: price.map_or(0.0, |price| price.thousandths_of_minor as f64 * worked_ms as f64 / HOUR_MS),
        revenue: tally.paid.get(currency.code()).copied().unwrap_or_default() as f64,
        is_unpriced: worked_ms > 0 && price.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        billing::Money,
        metrics::{EndedJob, HowEnded, PhaseTimes},
    };

    fn tally(device_ms: u64, charged_ms: u64, paid: i64) -> Tally {
        let mut tally = Tally { paid: [("usd".to_owned(), paid)].into(), ..Tally::default() };
        tally.counts[Count::SamplingDeviceMs as usize] = device_ms;
        tally.counts[Count::ChargedMs as usize] = charged_ms;
        tally
    }

    #[test]
    fn a_job_costs_its_device_time_at_the_price_of_an_hour() {
        let price = Money { thousandths_of_minor: 200_000, currency: Currency::USD };
        let prices = DevicePrices([("h100".to_owned(), price)].into());
        let of = margin(&tally(1_800_000, 120_000, 400_000), "h100", &prices, Currency::USD);
        let told = Worth::ALL.map(|worth| worth.of(&of));
        assert_eq!(told, [Some(100_000.0), Some(400_000.0), Some(50_000.0), Some(200_000.0), Some(0.75)]);
    }

    #[test]
    fn a_device_without_a_price_leaves_open_what_depends_on_it() {
        let of = margin(&tally(1, 120_000, 400_000), "cpu", &DevicePrices::default(), Currency::USD);
        assert_eq!(Worth::ALL.map(|worth| worth.of(&of)), [None, Some(400_000.0), None, Some(200_000.0), None]);
        let idle = margin(&tally(0, 0, 0), "", &DevicePrices::default(), Currency::USD);
        assert_eq!(Worth::ALL.map(|worth| worth.of(&idle)), [Some(0.0), Some(0.0), None, None, None]);
    }

    #[test]
    fn what_was_charged_where_no_work_is_known_did_not_cost_nothing() {
        let price = Money { thousandths_of_minor: 200_000, currency: Currency::USD };
        let prices = DevicePrices([("h100".to_owned(), price)].into());
        for how in [HowEnded::Cancelled, HowEnded::Succeeded] {
            let mut tally = Tally::default();
            tally.add(&EndedJob {
                how,
                billed: VideoTime::from_ms(2000),
                charged: VideoTime::from_ms(60_000),
                paid: Some(Money { thousandths_of_minor: 100, currency: Currency::USD }),
                total_ms: 2,
                queue_ms: 1,
                after_sampling_ms: None,
                times: PhaseTimes::default(),
            });
            let mut sum = margin(&Tally::default(), "", &prices, Currency::USD);
            sum.add(&margin(&tally, "h100", &prices, Currency::USD));
            assert_eq!(Worth::ALL.map(|worth| worth.of(&sum)), [None, Some(100.0), None, Some(100.0), None]);
        }
    }
}
