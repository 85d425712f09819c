//! A rule as somebody typed it, in a form or for the API, and everything that can be wrong with that.

use super::{
    measure::may_be_negative,
    mistakes::{BURN_WINDOW_MAX, FACTOR_MAX, FILTER_CHARS_MAX, HOLD_MAX, RuleError, RuleErrors, WINDOW_MAX},
    number::{Filter, Number, Unit},
    rule::{Condition, Filters, NAME_CHARS_MAX, Rule, Severity},
};
use crate::{TenantId, billing::Lane};
use serde::{Deserialize, Serialize};

const LIMIT_MAX: f64 = 1e12;

/// All fields by the names that forms and the API have; empty: not given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TypedRule {
    pub name: String,
    pub number: String,
    /// `threshold`, `burn_rate` or `absence`.
    pub kind: String,
    /// `above` or `below`.
    pub side: String,
    pub limit: String,
    /// In minutes, as all times.
    pub window: String,
    /// The short one of a burn rate.
    pub short_window: String,
    pub objective: String,
    pub factor: String,
    /// Anything: only while something waits.
    pub while_waiting: String,
    pub hold: String,
    pub severity: String,
    pub model: String,
    pub lane: String,
    pub device: String,
    pub tenant: String,
    pub code: String,
}

impl TypedRule {
    /// What somebody would have to type.
    #[must_use]
    pub fn of(rule: &Rule) -> Self {
        let Filters { model, lane, device, tenant, code } = rule.filters.clone();
        let typed = Self {
            name: rule.name.clone(),
            number: rule.number.name(),
            kind: rule.condition.kind().to_owned(),
            hold: rule.hold.to_string(),
            severity: rule.severity.as_str().to_owned(),
            model: model.unwrap_or_default(),
            lane: lane.unwrap_or_default(),
            device: device.unwrap_or_default(),
            tenant: tenant.map(|tenant| tenant.to_string()).unwrap_or_default(),
            code: code.unwrap_or_default(),
            ..Self::default()
        };
        match rule.condition {
            Condition::Threshold { is_above, limit, window } => Self {
                side: if is_above { "above" } else { "below" }.to_owned(),
                limit: limit.to_string(),
                window: window.to_string(),
                ..typed
            },
            Condition::BurnRate { objective, factor, long, short } => Self {
                objective: objective.to_string(),
                factor: factor.to_string(),
                window: long.to_string(),
                short_window: short.to_string(),
                ..typed
            },
            Condition::Absence { window, while_waiting } => {
                Self { window: window.to_string(), while_waiting: if while_waiting { "yes" } else { "" }.to_owned(), ..typed }
            }
        }
    }

    /// # Errors
    /// [`RuleErrors`]: one for each field that is wrong. What depends on the number is not judged without one.
    pub fn parse(&self) -> Result<Rule, RuleErrors> {
        let mut wrong = RuleErrors::default();
        let name = Some(self.name.trim().to_owned());
        let name = name.filter(|name| (1..=NAME_CHARS_MAX).contains(&name.chars().count()) && !name.chars().any(crate::text::is_hidden));
        let name = wrong.note(name.ok_or(RuleError::Name));
        let number = wrong.note(Number::named(self.number.trim()).ok_or(RuleError::Number));
        let condition = number.and_then(|number| self.condition(number, &mut wrong));
        let hold = wrong.note(minutes(&self.hold, 0, HOLD_MAX).ok_or(RuleError::Hold));
        let severity = wrong.note(Severity::named(self.severity.trim()).ok_or(RuleError::Severity));
        let filters = number.and_then(|number| self.filters(number, &mut wrong));
        match (name, number, filters, condition, hold, severity) {
            (Some(name), Some(number), Some(filters), Some(condition), Some(hold), Some(severity)) => {
                Ok(Rule { name, number, filters, condition, hold, severity })
            }
            _ => Err(wrong),
        }
    }

    fn condition(&self, number: Number, wrong: &mut RuleErrors) -> Option<Condition> {
        match self.kind.trim() {
            "threshold" => self.threshold(number, wrong),
            "burn_rate" => self.burn_rate(number, wrong),
            "absence" if number.is_live() => wrong.note(Err(RuleError::Live)),
            "absence" => {
                let while_waiting = !self.while_waiting.trim().is_empty();
                let window = minutes(&self.window, 1, WINDOW_MAX).ok_or(RuleError::Window);
                let window = window.and_then(|window| match window {
                    too_long if while_waiting && too_long > BURN_WINDOW_MAX => Err(RuleError::WaitingWindow),
                    window => Ok(window),
                });
                Some(Condition::Absence { window: wrong.note(window)?, while_waiting })
            }
            _ => wrong.note(Err(RuleError::Kind)),
        }
    }

    fn threshold(&self, number: Number, wrong: &mut RuleErrors) -> Option<Condition> {
        let is_above = wrong.note(match self.side.trim() {
            "above" => Ok(true),
            "below" => Ok(false),
            _ => Err(RuleError::Side),
        });
        let least = if may_be_negative(number) { -LIMIT_MAX } else { 0.0 };
        let (most, error) = match number.unit() {
            Unit::Percent => (100.0, RuleError::Percent),
            _ => (LIMIT_MAX, RuleError::Limit),
        };
        let limit = wrong.note(decimal(&self.limit, least, most).ok_or(error));
        let window = if number.is_live() { Ok(1) } else { minutes(&self.window, 1, WINDOW_MAX).ok_or(RuleError::Window) };
        let window = wrong.note(window);
        Some(Condition::Threshold { is_above: is_above?, limit: limit?, window: window? })
    }

    fn burn_rate(&self, number: Number, wrong: &mut RuleErrors) -> Option<Condition> {
        let burns = wrong.note(if number.burns() { Ok(()) } else { Err(RuleError::BurnsNot) });
        let objective = wrong.note(decimal(&self.objective, 50.0, 99.999).ok_or(RuleError::Objective));
        let factor = decimal(&self.factor, 0.0, FACTOR_MAX).filter(|factor| *factor > 0.0).ok_or(RuleError::Factor);
        let is_reachable = |factor: f64| objective.is_none_or(|objective| factor * (100.0 - objective) < 100.0);
        let factor = factor.and_then(|factor| if is_reachable(factor) { Ok(factor) } else { Err(RuleError::FactorUnreachable) });
        let factor = wrong.note(factor);
        let long = wrong.note(minutes(&self.window, 2, BURN_WINDOW_MAX).ok_or(RuleError::BurnWindow));
        let short = minutes(&self.short_window, 1, BURN_WINDOW_MAX).filter(|short| long.is_none_or(|long| *short < long));
        let short = wrong.note(short.ok_or(RuleError::ShortWindow));
        burns?;
        Some(Condition::BurnRate { objective: objective?, factor: factor?, long: long?, short: short? })
    }

    fn filters(&self, number: Number, wrong: &mut RuleErrors) -> Option<Filters> {
        let given = |filter: Filter, field: &'static str, typed: &str| match typed.trim() {
            "" => Ok(None),
            _ if !number.filters().contains(&filter) => Err(RuleError::Filter(field)),
            typed if typed.chars().count() > FILTER_CHARS_MAX || typed.chars().any(crate::text::is_hidden) => {
                Err(RuleError::FilterLong(field))
            }
            typed => Ok(Some(typed.to_owned())),
        };
        let lane = given(Filter::Lane, "lane", &self.lane).and_then(|lane| match lane {
            Some(lane) if Lane::named(&lane).is_none() => Err(RuleError::Lane),
            lane => Ok(lane),
        });
        let tenant = given(Filter::Tenant, "tenant", &self.tenant)
            .and_then(|id| id.map(|id| id.parse::<TenantId>()).transpose().map_err(|_| RuleError::Tenant));
        let model = wrong.note(given(Filter::Model, "model", &self.model));
        let (lane, device) = (wrong.note(lane), wrong.note(given(Filter::Device, "device", &self.device)));
        let (tenant, code) = (wrong.note(tenant), wrong.note(given(Filter::Code, "code", &self.code)));
        Some(Filters { model: model?, lane: lane?, device: device?, tenant: tenant?, code: code? })
    }
}

/// Whole minutes; empty: the least.
fn minutes(typed: &str, least: u32, most: u32) -> Option<u32> {
    match typed.trim() {
        "" if least == 0 => Some(0),
        typed => typed.parse().ok().filter(|minutes| (least..=most).contains(minutes)),
    }
}

fn decimal(typed: &str, least: f64, most: f64) -> Option<f64> {
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
    let typed = typed.trim();
    typed.parse::<f64>().ok().filter(|value| is_plain(typed) && (least..=most).contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(number: &str, kind: &str) -> TypedRule {
        TypedRule {
            name: " Slow ".into(),
            number: number.into(),
            kind: kind.into(),
            side: "above".into(),
            limit: "300".into(),
            window: "15".into(),
            short_window: "5".into(),
            objective: "99.5".into(),
            factor: "14.4".into(),
            hold: String::new(),
            severity: "page".into(),
            ..TypedRule::default()
        }
    }

    #[test]
    fn what_is_typed_well_is_a_rule_and_comes_back_as_it_was_typed() {
        for (number, kind) in [("queue_p95", "threshold"), ("failure_rate", "burn_rate"), ("completed", "absence"), ("cost", "threshold")] {
            let rule = typed(number, kind).parse().unwrap();
            assert_eq!((rule.name.as_str(), rule.hold), ("Slow", 0));
            assert_eq!(TypedRule::of(&rule).parse(), Ok(rule));
        }
        for (number, limit) in [("margin", "-5"), ("margin", "100"), ("failure_rate", "0"), ("utilisation", "100")] {
            let share = TypedRule { limit: limit.into(), ..typed(number, "threshold") };
            assert_eq!(TypedRule::of(&share.parse().unwrap()).limit, limit, "{number}");
        }
    }

    #[test]
    fn no_more_than_a_hundred_percent_can_be_a_limit_and_a_rule_that_was_kept_with_more_is_still_read() {
        for (number, limit) in
            [("failure_rate", "500"), ("failure_rate", "100.1"), ("failure_rate", "-1"), ("promises_kept", "101"), ("margin", "101")]
        {
            let refused = TypedRule { limit: limit.into(), ..typed(number, "threshold") };
            assert_eq!(refused.parse(), Err(RuleError::Percent.into()), "{number} {limit}");
        }
        let mut kept = TypedRule { limit: "50".into(), ..typed("failure_rate", "threshold") }.parse().unwrap();
        kept.condition = Condition::Threshold { is_above: true, limit: 500.0, window: 15 };
        let text = serde_json::to_string(&kept).unwrap();
        assert_eq!(serde_json::from_str::<Rule>(&text).unwrap(), kept);
    }

    #[test]
    fn each_field_is_refused_by_its_own_error() {
        let slow = typed("queue_p95", "threshold");
        let burns = typed("failure_rate", "burn_rate");
        for (refused, error, field) in [
            (TypedRule { name: " ".into(), ..slow.clone() }, RuleError::Name, "name"),
            (TypedRule { name: "a\nb".into(), ..slow.clone() }, RuleError::Name, "name"),
            (TypedRule { number: "mood".into(), ..slow.clone() }, RuleError::Number, "number"),
            (TypedRule { kind: String::new(), ..slow.clone() }, RuleError::Kind, "kind"),
            (TypedRule { side: "beside".into(), ..slow.clone() }, RuleError::Side, "side"),
            (TypedRule { limit: "NaN".into(), ..slow.clone() }, RuleError::Limit, "limit"),
            (TypedRule { limit: "-1".into(), ..slow.clone() }, RuleError::Limit, "limit"),
            (TypedRule { limit: "1e3".into(), ..slow.clone() }, RuleError::Limit, "limit"),
            (typed("failure_rate", "threshold"), RuleError::Percent, "limit"),
            (TypedRule { window: "0".into(), ..slow.clone() }, RuleError::Window, "window"),
            (TypedRule { window: "1441".into(), ..slow.clone() }, RuleError::Window, "window"),
            (TypedRule { hold: "-1".into(), ..slow.clone() }, RuleError::Hold, "hold"),
            (TypedRule { severity: "loud".into(), ..slow.clone() }, RuleError::Severity, "severity"),
            (TypedRule { lane: "fast".into(), ..slow.clone() }, RuleError::Lane, "lane"),
            (TypedRule { tenant: "x".into(), ..slow.clone() }, RuleError::Tenant, "tenant"),
            (TypedRule { code: "oom".into(), ..slow.clone() }, RuleError::Filter("code"), "code"),
            (TypedRule { model: "m".repeat(101), ..slow.clone() }, RuleError::FilterLong("model"), "model"),
            (TypedRule { kind: "burn_rate".into(), ..slow }, RuleError::BurnsNot, "kind"),
            (TypedRule { objective: "100".into(), ..burns.clone() }, RuleError::Objective, "objective"),
            (TypedRule { factor: "0".into(), ..burns.clone() }, RuleError::Factor, "factor"),
            (TypedRule { factor: "200".into(), ..burns.clone() }, RuleError::FactorUnreachable, "factor"),
            (TypedRule { short_window: "15".into(), ..burns.clone() }, RuleError::ShortWindow, "short_window"),
            (TypedRule { window: "361".into(), ..burns }, RuleError::BurnWindow, "window"),
            (typed("backup_age", "absence"), RuleError::Live, "number"),
            (
                TypedRule { window: "361".into(), while_waiting: "yes".into(), ..typed("completed", "absence") },
                RuleError::WaitingWindow,
                "window",
            ),
        ] {
            assert_eq!(refused.parse(), Err(error.into()), "{refused:?}");
            assert_eq!(error.field(), field);
        }
    }

    #[test]
    fn all_mistakes_are_told_at_once_one_for_each_field() {
        let refused = |typed: TypedRule| typed.parse().unwrap_err().all().iter().map(|error| error.field()).collect::<Vec<_>>();
        let (no, slow) = (String::new, typed("queue_p95", "threshold"));
        let empty = TypedRule { name: no(), side: no(), limit: no(), window: no(), hold: "x".into(), severity: no(), ..slow.clone() };
        assert_eq!(refused(empty.clone()), ["name", "side", "limit", "window", "hold", "severity"]);
        let filtered = TypedRule { lane: "fast".into(), tenant: "x".into(), code: "oom".into(), limit: no(), ..slow.clone() };
        assert_eq!(refused(filtered), ["limit", "lane", "tenant", "code"]);
        let burns = TypedRule { objective: no(), factor: no(), window: no(), short_window: no(), ..typed("failure_rate", "burn_rate") };
        assert_eq!(refused(burns.clone()), ["objective", "factor", "window", "short_window"]);
        assert_eq!(refused(TypedRule { number: slow.number, ..burns }), ["kind", "objective", "factor", "window", "short_window"]);
        assert_eq!(refused(TypedRule { number: "mood".into(), ..empty }), ["name", "number", "hold", "severity"]);
    }
}
