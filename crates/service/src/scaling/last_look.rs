//! A clock that was put back: whoever remembers moments notices it at the next look, and counts them as long ago as they were at the last one.

use domain::Timestamp;

/// When somebody looked last, by the clock of the database.
#[derive(Debug, Default)]
pub(crate) struct LastLook(Option<Timestamp>);

impl LastLook {
    /// By how many milliseconds the clock was put back since the last look; 0: it was not.
    pub(crate) fn put_back_ms(&mut self, now: Timestamp) -> i64 {
        self.0.replace(now).map_or(0, |before| before.ms_since(now).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_on_was_not_put_back_and_one_that_was_is_noticed_once() {
        let mut last = LastLook::default();
        let put_back = [5000, 6000, 6000, 2500, 3500].map(|ms| last.put_back_ms(Timestamp::from_ms(ms)));
        assert_eq!(put_back, [0, 0, 0, 3500, 0]);
    }
}
