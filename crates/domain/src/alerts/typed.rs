//! A rule as somebody typed it, in a form or for the API, and everything that can be wrong with that.

use super::{
    measure::{BY_MINUTES_MAX, may_be_negative},
    number::{Filter, Number},
    rule::{Condition, Filters, NAME_CHARS_MAX, Rule, Severity},
};
use crate::{TenantId, billing::Lane};
use serde::{Deserialize, Serialize};

/// The longest window: a day.
const WINDOW_MAX: u32 = 24 * 60;
/// The longest over which a budget burns, or something waits all the time: they are read by minutes.
const BURN_WINDOW_MAX: u32 = BY_MINUTES_MAX;
/// The longest that something has to be wrong before it fires.
const HOLD_MAX: u32 = 24 * 60;
const FILTER_CHARS_MAX: usize = 100;
const LIMIT_MAX: f64 = 1e12;
const FACTOR_MAX: f64 = 1000.0;

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

/// Why this is no rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    #[error("a rule has a name of 1 to {NAME_CHARS_MAX} characters, on one line")]
    Name,
    #[error("choose a number that is kept")]
    Number,
    #[error("choose how it is judged: threshold, burn_rate or absence")]
    Kind,
    #[error("only the share of failures and of cold starts can burn a budget")]
    BurnsNot,
    #[error("this number is looked at as it is now: it has a threshold and no window")]
    Live,
    #[error("choose above or below")]
    Side,
    #[error("give the value as a number from 0 (a margin may be less), in the unit of what is measured")]
    Limit,
    #[error("give the window in whole minutes, from 1 to {WINDOW_MAX}")]
    Window,
    #[error("give the window in whole minutes, from 1 to {BURN_WINDOW_MAX}, where something has to wait all the time")]
    WaitingWindow,
    #[error("give both windows in whole minutes, the long one up to {BURN_WINDOW_MAX}, the short one shorter")]
    BurnWindows,
    #[error("the objective is a share of a hundred: from 50 to 99.999")]
    Objective,
    #[error("the factor is a number above 0 and up to {FACTOR_MAX}")]
    Factor,
    #[error("the factor is more than can be reached: nothing burns a budget faster than when all is bad")]
    FactorUnreachable,
    #[error("give in whole minutes, from 0 to {HOLD_MAX}, for how long it has to be wrong")]
    Hold,
    #[error("choose page or ticket")]
    Severity,
    #[error("this number is not told apart by that: leave the field empty")]
    Filter(&'static str),
    #[error("there is no such model")]
    Model,
    #[error("there is no such lane: interactive or batch")]
    Lane,
    #[error("that is no id of a tenant")]
    Tenant,
    #[error("a name to look for has at most {FILTER_CHARS_MAX} characters, on one line")]
    FilterLong(&'static str),
}

impl RuleError {
    /// Which field it is about, as the API names it.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Number | Self::Live => "number",
            Self::Kind | Self::BurnsNot => "kind",
            Self::Side => "side",
            Self::Limit => "limit",
            Self::Window | Self::WaitingWindow | Self::BurnWindows => "window",
            Self::Objective => "objective",
            Self::Factor | Self::FactorUnreachable => "factor",
            Self::Hold => "hold",
            Self::Severity => "severity",
            Self::Model => "model",
            Self::Lane => "lane",
            Self::Tenant => "tenant",
            Self::Filter(field) | Self::FilterLong(field) => field,
        }
    }
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
    /// [`RuleError`] for the first field that is wrong.
    pub fn parse(&self) -> Result<Rule, RuleError> {
        let name = self.name.trim().to_owned();
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(crate::text::is_hidden) {
            return Err(RuleError::Name);
        }
        let number = Number::named(self.number.trim()).ok_or(RuleError::Number)?;
        let condition = self.condition(number)?;
        let hold = minutes(&self.hold, 0, HOLD_MAX).ok_or(RuleError::Hold)?;
        let severity = Severity::named(self.severity.trim()).ok_or(RuleError::Severity)?;
        Ok(Rule { name, number, filters: self.filters(number)?, condition, hold, severity })
    }

    fn condition(&self, number: Number) -> Result<Condition, RuleError> {
        match self.kind.trim() {
            "threshold" => {
                let is_above = match self.side.trim() {
                    "above" => true,
                    "below" => false,
                    _ => return Err(RuleError::Side),
                };
                let least = if may_be_negative(number) { -LIMIT_MAX } else { 0.0 };
                let limit = decimal(&self.limit, least, LIMIT_MAX).ok_or(RuleError::Limit)?;
                let window = match (number.is_live(), self.window.trim()) {
                    (true, _) => 1,
                    (false, typed) => minutes(typed, 1, WINDOW_MAX).ok_or(RuleError::Window)?,
                };
                Ok(Condition::Threshold { is_above, limit, window })
            }
            "burn_rate" if !number.burns() => Err(RuleError::BurnsNot),
            "burn_rate" => {
                let objective = decimal(&self.objective, 50.0, 99.999).ok_or(RuleError::Objective)?;
                let factor = decimal(&self.factor, 0.0, FACTOR_MAX).filter(|factor| *factor > 0.0).ok_or(RuleError::Factor)?;
                if factor * (100.0 - objective) >= 100.0 {
                    return Err(RuleError::FactorUnreachable);
                }
                let windows = minutes(&self.window, 2, BURN_WINDOW_MAX).zip(minutes(&self.short_window, 1, BURN_WINDOW_MAX));
                let (long, short) = windows.filter(|(long, short)| short < long).ok_or(RuleError::BurnWindows)?;
                Ok(Condition::BurnRate { objective, factor, long, short })
            }
            "absence" if number.is_live() => Err(RuleError::Live),
            "absence" => {
                let window = minutes(&self.window, 1, WINDOW_MAX).ok_or(RuleError::Window)?;
                let while_waiting = !self.while_waiting.trim().is_empty();
                if while_waiting && window > BURN_WINDOW_MAX {
                    return Err(RuleError::WaitingWindow);
                }
                Ok(Condition::Absence { window, while_waiting })
            }
            _ => Err(RuleError::Kind),
        }
    }

    fn filters(&self, number: Number) -> Result<Filters, RuleError> {
        let given = |filter: Filter, field: &'static str, typed: &str| match typed.trim() {
            "" => Ok(None),
            _ if !number.filters().contains(&filter) => Err(RuleError::Filter(field)),
            typed if typed.chars().count() > FILTER_CHARS_MAX || typed.chars().any(crate::text::is_hidden) => {
                Err(RuleError::FilterLong(field))
            }
            typed => Ok(Some(typed.to_owned())),
        };
        let lane = given(Filter::Lane, "lane", &self.lane)?;
        if lane.as_deref().is_some_and(|lane| Lane::named(lane).is_none()) {
            return Err(RuleError::Lane);
        }
        let tenant = given(Filter::Tenant, "tenant", &self.tenant)?;
        Ok(Filters {
            model: given(Filter::Model, "model", &self.model)?,
            lane,
            device: given(Filter::Device, "device", &self.device)?,
            tenant: tenant.map(|id| id.parse::<TenantId>()).transpose().map_err(|_| RuleError::Tenant)?,
            code: given(Filter::Code, "code", &self.code)?,
        })
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
        for (number, kind) in [("queue_p95", "threshold"), ("failure_rate", "burn_rate"), ("completed", "absence"), ("margin", "threshold")]
        {
            let rule = typed(number, kind).parse().unwrap();
            assert_eq!((rule.name.as_str(), rule.hold), ("Slow", 0));
            assert_eq!(TypedRule::of(&rule).parse(), Ok(rule));
        }
        let lost = TypedRule { limit: "-5".into(), ..typed("margin", "threshold") };
        assert!(lost.parse().is_ok());
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
            (TypedRule { short_window: "15".into(), ..burns.clone() }, RuleError::BurnWindows, "window"),
            (TypedRule { window: "361".into(), ..burns }, RuleError::BurnWindows, "window"),
            (typed("backup_age", "absence"), RuleError::Live, "number"),
            (
                TypedRule { window: "361".into(), while_waiting: "yes".into(), ..typed("completed", "absence") },
                RuleError::WaitingWindow,
                "window",
            ),
        ] {
            assert_eq!(refused.parse(), Err(error), "{refused:?}");
            assert_eq!(error.field(), field);
        }
    }
}
