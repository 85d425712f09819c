//! The longest a client waits for the head of an answer, whatever the database or the object store does.
//!
//! Only our own time counts: while the client is still sending, its own limits hold. What was being done is
//! dropped, and its transaction with it. Bodies of answers have no deadline.

use std::{
    pin::pin,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, timeout_at};

/// How often a request whose body is being waited for is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where the body of a request is.
#[derive(Debug)]
pub struct Arrival {
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// Somebody wants more of the body and the client has not sent it.
    awaited: bool,
    /// When the client was waited for last.
    since: Instant,
}

impl Default for Arrival {
    fn default() -> Self {
        Self { state: Mutex::new(State { awaited: false, since: Instant::now() }) }
    }
}

impl Arrival {
    pub fn set_awaited(&self, awaited: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if awaited || state.awaited {
            *state = State { awaited, since: Instant::now() };
        }
    }

    /// When an answer that takes `deadline` is due, or when to look again.
    fn due(&self, deadline: Duration) -> Instant {
        let State { awaited, since } = *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if awaited { Instant::now() + LOOK_EVERY } else { since + deadline }
    }
}

/// The answer, or `None` when it did not come in time.
pub async fn within<T>(deadline: Duration, arrival: &Arrival, answer: impl Future<Output = T>) -> Option<T> {
    let mut answer = pin!(answer);
    loop {
        match timeout_at(arrival.due(deadline), &mut answer).await {
            Ok(answer) => return Some(answer),
            Err(_) if arrival.due(deadline) > Instant::now() => {}
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
        assert_eq!(within(DEADLINE, &Arrival::default(), pending::<()>()).await, None);
        assert_eq!(within(DEADLINE, &Arrival::default(), async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn time_in_which_the_client_was_waited_for_does_not_count() {
        let (arrival, started) = (Arrival::default(), Instant::now());
        let answer = async {
            arrival.set_awaited(true);
            sleep(10 * DEADLINE).await;
            arrival.set_awaited(false);
            pending::<()>().await;
        };
        assert_eq!(within(DEADLINE, &arrival, answer).await, None);
        assert!(started.elapsed() >= 11 * DEADLINE);
    }
}
