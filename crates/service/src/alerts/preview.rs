//! Trying a rule on the last days, before anybody is told.

use super::{AlertError, measuring::looked_until};
use crate::Services;
use domain::{
    Actor, Permission, Timestamp,
    alerts::{Firing, Kept, TypedRule, replay},
    metrics::{Range, Span},
};
use store::metrics::ReadError;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Minutes are kept for seven days; the last hours of them may be gone already.
const DAYS: i64 = 7;
/// Rows that are read for a preview; whoever wants more asks for less.
const ROWS_MAX: usize = 200_000;
/// Read at once.
const PART_MS: i64 = DAY_MS / 4;
/// Times in which it would have fired that are told one by one.
const SHOWN: usize = 5;

/// When a rule would have fired within the last days.
#[derive(Debug, Clone)]
pub struct Preview {
    pub from: Timestamp,
    pub until: Timestamp,
    pub firings: Vec<Firing>,
    /// Nothing at all is kept of that time.
    pub is_empty: bool,
}

impl Preview {
    /// As a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        let days = (self.until.ms_since(self.from) as f64 / DAY_MS as f64).round().max(1.0);
        if self.is_empty {
            return "Nothing is kept of the last days on which it could be tried.".to_owned();
        }
        let times = match self.firings.len() {
            0 => "It would not have fired".to_owned(),
            1 => "It would have fired once".to_owned(),
            times => format!("It would have fired {times} times"),
        };
        format!("{times} in the last {days} days.")
    }

    /// The newest first, no more than are read.
    pub fn newest(&self) -> impl Iterator<Item = Firing> + '_ {
        self.firings.iter().rev().take(SHOWN).copied()
    }
}

impl Services {
    /// When `typed` would have fired within the last seven days.
    ///
    /// # Errors
    /// [`AlertError`]: it is no rule, its number is not kept, or it reads too much.
    pub async fn preview_alert(&self, actor: Actor, typed: &TypedRule) -> Result<Preview, AlertError> {
        actor.require(Permission::InspectInstallation)?;
        let rule = self.rule_of(typed).await?;
        if rule.number.is_live() {
            return Err(AlertError::NotKept);
        }
        let until = looked_until(self.store.now().await?);
        let (span, from) = (Kept::span_of(rule.condition.window()), until.plus_ms(-DAYS * DAY_MS + PART_MS));
        let (mut kept, mut rows, mut begun) = (Kept::new(span), 0, span.start(from));
        let since = begun;
        while begun < until {
            let end = begun.plus_ms(PART_MS).min(Span::Hour.start(until.plus_ms(Span::Hour.ms())));
            rows += match self.read_kept(&rule, Range { span, from: begun, until: end }, &mut kept).await {
                Ok(rows) => rows,
                Err(ReadError::TooMuch) => return Err(AlertError::TooMuch),
                Err(ReadError::Store(error)) => return Err(error.into()),
            };
            if rows > ROWS_MAX {
                return Err(AlertError::TooMuch);
            }
            begun = end;
        }
        // Minutes of work for the processor at worst, so not among those who wait for the database.
        let replayed = tokio::task::spawn_blocking(move || replay(&rule, &kept, since, until)).await;
        let firings = replayed.map_err(|_| AlertError::TooMuch)?;
        Ok(Preview { from, until, firings, is_empty: rows == 0 })
    }
}
