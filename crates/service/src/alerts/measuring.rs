//! Reading what a rule is about: two reads along an index for a rule on what is kept, or some more where that is much, and for the others what is read
//! elsewhere too.

use super::AlertRow;
use crate::Services;
use domain::{
    Actor, Timestamp,
    alerts::{Condition, Kept, Measured, NO_BACKUP_HOURS, Number, Rule, WAITS, judge, judge_live},
    metrics::{Gauge, Range, Span},
};
use std::collections::HashMap;
use store::{
    StoreError,
    metrics::{GaugeQuery, ReadError, TallyQuery},
};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: f64 = 3_600_000.0;
/// What ended in a minute is counted by then, and what waits was looked at.
const BEHIND_MS: i64 = 5000;

/// Numbers that are not kept, each read once for all rules of a look.
#[derive(Default)]
pub(super) struct Live {
    values: HashMap<Number, Option<f64>>,
}

/// The end of the last minute of which everything is counted.
pub(super) const fn looked_until(now: Timestamp) -> Timestamp {
    Span::Minute.start(now.plus_ms(-BEHIND_MS))
}

impl Services {
    /// What a rule measures now. Where one span is too much to be read at once, it is not known.
    pub(super) async fn measure_rule(&self, row: &AlertRow, now: Timestamp, live: &mut Live) -> Result<Measured, StoreError> {
        let rule = &row.rule;
        if rule.number.is_live() {
            let value = match live.values.get(&rule.number) {
                Some(value) => *value,
                None => {
                    let value = Box::pin(self.live_number(rule.number, now)).await?;
                    live.values.insert(rule.number, value);
                    value
                }
            };
            return Ok(judge_live(rule, value));
        }
        let at = looked_until(now);
        let span = Kept::span_of(rule.condition.window());
        let from = span.start(at.plus_ms(-i64::from(rule.condition.window()) * MINUTE_MS));
        let range = Range { span, from, until: span.start(at.plus_ms(span.ms() - 1)) };
        let mut kept = Kept::new(span);
        match self.read_in_parts(rule, range, &mut kept).await {
            Ok(()) => Ok(judge(rule, &kept, at, row.changed_at)),
            Err(ReadError::TooMuch) => {
                tracing::warn!(alert.rule = %row.id, "the rule {} reads too much, so nothing is known of it", rule.name);
                Ok(Measured::UNKNOWN)
            }
            Err(ReadError::Store(error)) => Err(error),
        }
    }

    /// Adds what is kept of a range to what a rule reads, in as many parts as it takes: a rule of all models is read wherever many are used.
    async fn read_in_parts(&self, rule: &Rule, range: Range, kept: &mut Kept) -> Result<(), ReadError> {
        let mut parts = vec![range];
        while let Some(part) = parts.pop() {
            match self.read_kept(rule, part, kept).await {
                Ok(_) => {}
                Err(ReadError::TooMuch) => parts.extend(part.halves().ok_or(ReadError::TooMuch)?),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Adds what is kept of a range to what a rule reads; returns how many rows that were. Where it is too much, nothing was added.
    pub(super) async fn read_kept(&self, rule: &Rule, range: Range, kept: &mut Kept) -> Result<usize, ReadError> {
        let (numbers, filters) = (self.store.kept_numbers(), &rule.filters);
        let mut rows = 0;
        if rule.number.is_of_jobs() {
            let (tenant, model, device) = (filters.tenant, filters.model.clone(), filters.device.clone());
            let query = TallyQuery { range, tenant, model, lane: filters.lane(), device, by: None };
            let tallies = numbers.tallies(&query).await?;
            rows += tallies.len();
            tallies.iter().for_each(|row| kept.note_tally(rule, row.start, &row.tally));
        }
        let waits = matches!(rule.condition, Condition::Absence { while_waiting: true, .. }).then_some(WAITS);
        let (part, whole) = rule.number.gauges().map_or((None, None), |(part, whole)| (Some(part), whole));
        let gauges: Vec<Gauge> = [part, whole, waits].into_iter().flatten().collect();
        // Nobody is looked at by tenant: whoever waits for one tenant's work waits for all that waits.
        let query = GaugeQuery {
            range,
            gauges: &gauges,
            model: filters.model.as_deref(),
            lane: filters.lane.as_deref(),
            device: filters.device.as_deref(),
        };
        let sums = numbers.gauge_sums(&query).await?;
        rows += sums.len();
        sums.iter().for_each(|sum| kept.note_gauge(rule, sum.start, sum.gauge, sum.total, sum.highest));
        Ok(rows)
    }

    /// `None`: it is not known.
    async fn live_number(&self, number: Number, now: Timestamp) -> Result<Option<f64>, StoreError> {
        match number {
            Number::PromisesKept => Ok(self.eta_coverage().await?.kept().map(|part| part * 100.0)),
            Number::BackupAge => {
                let made = self.last_backup().await?;
                Ok(Some(made.map_or(NO_BACKUP_HOURS, |made| now.ms_since(made) as f64 / HOUR_MS)))
            }
            Number::Cost | Number::Margin => {
                let costs = match self.costs(Actor::Operator, 2).await {
                    Ok(costs) => costs,
                    Err(crate::AccessError::Store(error)) => return Err(error),
                    Err(crate::AccessError::Forbidden(_)) => return Ok(None),
                };
                let total = costs.report.total();
                if number == Number::Margin {
                    return Ok(total.share().map(|share| share * 100.0));
                }
                let units = 10_f64.powi(i32::try_from(costs.report.currency.decimals()).unwrap_or_default());
                let minutes = total.charged.ms() as f64 / 60_000.0;
                Ok((minutes > 0.0 && !total.is_unpriced).then(|| total.cost / 1000.0 / units / minutes))
            }
            _ => Ok(None),
        }
    }
}
