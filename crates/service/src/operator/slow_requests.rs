//! The slowest requests of the last hour, kept in this process' memory.
//!
//! Of each minute so many are kept as are shown at most, so that the slowest of the hour are among them, and memory is
//! bounded however many requests there are.

use domain::Timestamp;
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::clock::Instant;

const SHOWN: usize = 8;
const MINUTES: u64 = 60;
/// Of a method and of an id, which clients choose.
const CHARS_MAX: usize = 64;

/// A request as it is measured.
#[derive(Debug, Clone, Copy)]
pub struct AnsweredRequest<'a> {
    pub method: &'a str,
    /// The pattern that led to its handler, never the path itself: that may name somebody's video.
    pub route: &'a str,
    pub status: u16,
    /// Until the answer began; what is streamed afterwards does not count.
    pub duration: Duration,
    pub id: &'a str,
}

/// A request as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowRequest {
    pub method: String,
    pub route: String,
    pub status: u16,
    pub duration_ms: u64,
    pub id: String,
    pub answered_at: Timestamp,
}

pub struct SlowRequests {
    since: Instant,
    /// Those in which there were requests, the newest last.
    minutes: Mutex<VecDeque<Minute>>,
}

struct Minute {
    /// Minutes since this process began to measure.
    number: u64,
    /// The slowest first.
    slowest: Vec<Kept>,
}

struct Kept {
    method: String,
    route: String,
    status: u16,
    duration: Duration,
    id: String,
    answered: Instant,
}

impl Default for SlowRequests {
    fn default() -> Self {
        Self { since: Instant::now(), minutes: Mutex::default() }
    }
}

impl SlowRequests {
    /// Takes note of a request that has been answered now.
    pub fn record(&self, request: &AnsweredRequest<'_>) {
        self.record_at(request, Instant::now());
    }

    /// The slowest of the last hour, the slowest first; `now` is the present as it is shown.
    #[must_use]
    pub fn slowest(&self, now: Timestamp) -> Vec<SlowRequest> {
        self.slowest_at(now, Instant::now())
    }

    fn record_at(&self, request: &AnsweredRequest<'_>, at: Instant) {
        let number = self.minute(at);
        let mut minutes = self.lock();
        minutes.retain(|minute| minute.number + MINUTES > number);
        if minutes.back().is_none_or(|newest| newest.number < number) {
            minutes.push_back(Minute { number, slowest: Vec::new() });
        }
        // One that waited for the lock while the minute passed counts in the next one.
        let Some(minute) = minutes.back_mut() else { return };
        let place = minute.slowest.partition_point(|kept| kept.duration >= request.duration);
        if place < SHOWN {
            minute.slowest.insert(place, Kept::of(request, at));
            minute.slowest.truncate(SHOWN);
        }
    }

    fn slowest_at(&self, now: Timestamp, at: Instant) -> Vec<SlowRequest> {
        let number = self.minute(at);
        let minutes = self.lock();
        let mut slowest: Vec<_> =
            minutes.iter().filter(|minute| minute.number + MINUTES > number).flat_map(|minute| &minute.slowest).collect();
        slowest.sort_by_key(|kept| std::cmp::Reverse(kept.duration));
        slowest.truncate(SHOWN);
        slowest.into_iter().map(|kept| kept.shown(now, at)).collect()
    }

    fn minute(&self, at: Instant) -> u64 {
        at.saturating_duration_since(self.since).as_secs() / 60
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Minute>> {
        self.minutes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn of(request: &AnsweredRequest<'_>, answered: Instant) -> Self {
        Self {
            method: request.method.chars().take(CHARS_MAX).collect(),
            route: request.route.to_owned(),
            status: request.status,
            duration: request.duration,
            id: request.id.chars().take(CHARS_MAX).collect(),
            answered,
        }
    }

    fn shown(&self, now: Timestamp, at: Instant) -> SlowRequest {
        let ago_ms = i64::try_from(at.saturating_duration_since(self.answered).as_millis()).unwrap_or(i64::MAX);
        SlowRequest {
            method: self.method.clone(),
            route: self.route.clone(),
            status: self.status,
            duration_ms: u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX),
            id: self.id.clone(),
            answered_at: now.plus_ms(-ago_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    fn request(ms: u64) -> AnsweredRequest<'static> {
        AnsweredRequest { method: "GET", route: "/library", status: 200, duration: Duration::from_millis(ms), id: "req_1" }
    }

    fn durations(requests: &SlowRequests, at: Instant) -> Vec<u64> {
        requests.slowest_at(NOW, at).into_iter().map(|request| request.duration_ms).collect()
    }

    #[test]
    fn the_slowest_come_first_and_no_more_than_are_shown_are_kept_of_a_minute() {
        let requests = SlowRequests::default();
        for ms in 0..1000 {
            requests.record_at(&request(ms), requests.since);
        }
        assert_eq!(durations(&requests, requests.since), (992..1000).rev().collect::<Vec<_>>());
        assert_eq!(requests.lock().iter().map(|minute| minute.slowest.len()).collect::<Vec<_>>(), [SHOWN]);
    }

    #[test]
    fn one_that_was_slow_more_than_an_hour_ago_is_gone_and_memory_stays_bounded() {
        let requests = SlowRequests::default();
        let minute = |number: u64| requests.since + Duration::from_secs(60 * number);
        for number in 0..1000 {
            requests.record_at(&request(2000 - number), minute(number));
        }
        assert_eq!(requests.lock().len() as u64, MINUTES);
        assert_eq!(durations(&requests, minute(999))[..2], [2000 - 940, 2000 - 941]);
        assert_eq!(durations(&requests, minute(1058)), [2000 - 999]);
        assert!(durations(&requests, minute(1059)).is_empty());
    }

    #[test]
    fn a_request_says_when_it_was_answered_by_the_clock_that_is_shown() {
        let requests = SlowRequests::default();
        requests.record_at(&request(5), requests.since);
        let shown = requests.slowest_at(NOW, requests.since + Duration::from_millis(1500));
        assert_eq!(shown[0].answered_at, NOW.plus_ms(-1500));
    }
}
