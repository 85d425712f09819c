//! Alerts: rules on the numbers that are kept over time, what becomes of each as time goes on, and when somebody is told.
//!
//! Everything here is a function of what was measured and of when. Who reads the numbers, keeps the rules and carries the words is `service`.

mod defaults;
mod measure;
mod mistakes;
mod number;
mod replay;
mod rule;
mod standing;
mod told;
mod typed;

pub use defaults::{defaults, defaults_where_none_stays};
pub use measure::{Kept, Measured, Place, Verdict, WAITS, judge, judge_live};
pub use mistakes::{RuleError, RuleErrors};
pub use number::{Filter, Number, Percentile, Unit, shown};
pub use replay::{Firing, replay};
pub use rule::{Condition, Filters, NAME_CHARS_MAX, NO_BACKUP_HOURS, Rule, Severity};
pub use standing::{Change, RECENT_KEPT, Standing, State, TOLD_PER_HOUR_MAX};
pub use told::{Told, ToldKind};
pub use typed::TypedRule;

/// Rules that there can be: each is read once a minute.
pub const RULES_MAX: usize = 100;
/// Addresses that there can be.
pub const ADDRESSES_MAX: usize = 20;
/// Silences that are not over yet.
pub const SILENCES_MAX: usize = 50;
/// The longest silence: thirty days.
pub const SILENCE_MINUTES_MAX: u32 = 30 * 24 * 60;
/// How long the history is kept, in milliseconds: ninety days.
pub const HISTORY_KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// Of the history no more is kept, whatever happens.
pub const HISTORY_ROWS_MAX: i64 = 10_000;
