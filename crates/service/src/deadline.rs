//! The longest a client waits for the head of an answer, whatever the database or the object store does.
//!
//! Only our own time counts: while the client is still sending, its own limits hold. What was being done is
//! dropped, and its transaction with it. Bodies of answers have no deadline.

use std::{
    pin::pin,
    sync::{Mutex, PoisonError},
    time::Duration,
};
pub use store::clock::Instant;
use tokio::time::timeout_at;

/// How often a request whose body is being waited for is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where the body of a request is, and when the answer is due.
#[derive(Debug)]
pub struct Arrival {
    deadline: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// Somebody wants more of the body and the client has not sent it.
    awaited: bool,
    /// When the client was waited for last.
    since: Instant,
}

impl Arrival {
    #[must_use]
    pub fn new(deadline: Duration) -> Self {
        Self { deadline, state: Mutex::new(State { awaited: false, since: Instant::now() }) }
    }

    pub fn set_awaited(&self, awaited: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if awaited || state.awaited {
            *state = State { awaited, since: Instant::now() };
        }
    }

    /// When the answer is due; while the client is waited for, when to look again.
    pub fn due(&self) -> Instant {
        let State { awaited, since } = *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if awaited { Instant::now() + LOOK_EVERY } else { since + self.deadline }
    }
}

/// What one of several steps may take until the answer is due: a third of the time that is left, so that there is some
/// for the next. All the time there is, when nobody waits.
pub(crate) fn share_of_time(due: Option<Instant>) -> Duration {
    due.map_or(Duration::MAX, |due| due.saturating_duration_since(Instant::now()) / 3)
}

/// The answer, or `None` when it did not come in time.
pub async fn within<T>(arrival: &Arrival, answer: impl Future<Output = T>) -> Option<T> {
    let mut answer = pin!(answer);
    loop {
        match timeout_at(arrival.due(), &mut answer).await {
            Ok(answer) => return Some(answer),
            Err(_) if arrival.due() > Instant::now() => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use tokio::time::sleep;

    const DEADLINE: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn what_takes_too_long_is_given_up_at_the_deadline() {
        assert_eq!(within(&Arrival::new(DEADLINE), pending::<()>()).await, None);
        assert_eq!(within(&Arrival::new(DEADLINE), async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn time_in_which_the_client_was_waited_for_does_not_count() {
        let (arrival, started) = (Arrival::new(DEADLINE), Instant::now());
        let answer = async {
            arrival.set_awaited(true);
            sleep(10 * DEADLINE).await;
            arrival.set_awaited(false);
            pending::<()>().await;
        };
        assert_eq!(within(&arrival, answer).await, None);
        assert!(started.elapsed() >= 11 * DEADLINE);
    }
}
