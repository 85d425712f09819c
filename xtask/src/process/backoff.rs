//! How long to wait before a program that died is started again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);
/// A program that lived this long was healthy: its next death is a new story.
const HEALTHY: Duration = Duration::from_secs(60);

pub struct Backoff {
    next: Duration,
}

impl Backoff {
    pub fn new() -> Self {
        Self { next: FIRST }
    }

    /// The pause after a life of this length.
    pub fn pause(&mut self, lived: Duration) -> Duration {
        if lived >= HEALTHY {
            self.next = FIRST;
        }
        let pause = self.next;
        self.next = (pause * 2).min(LONGEST);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_half_a_minute() {
        let mut backoff = Backoff::new();
        let pauses: Vec<_> = (0..8).map(|_| backoff.pause(Duration::ZERO).as_secs_f64()).collect();
        assert_eq!(pauses, [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]);
    }

    #[test]
    fn a_minute_of_health_starts_over() {
        let mut backoff = Backoff::new();
        for _ in 0..5 {
            backoff.pause(Duration::from_secs(59));
        }
        assert_eq!(backoff.pause(Duration::from_secs(60)), FIRST);
    }
}
