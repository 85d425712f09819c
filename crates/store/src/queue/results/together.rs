//! Writes of one process that come while others are under way wait for each other and share the next transaction. One that comes alone waits
//! for nobody.

use super::{Asked, Failed, perform};
use crate::{Store, queue::LeaseError};
use domain::JobId;
use futures::future::join_all;
use sea_orm::DbErr;
use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// So many in one transaction, so that nobody who writes waits long.
const TOGETHER_MAX: usize = 32;
/// Transactions at once: one that waits for a lock does not hold up all.
const AT_ONCE: usize = 2;

/// The writes of a process that wait. Shared by all clones of a store.
#[derive(Clone, Default)]
pub(crate) struct Together {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    performing: usize,
    /// Of whom a write is under way: a second one of the same job waits for its end.
    under_way: HashSet<JobId>,
}

struct Waiting {
    asked: Asked,
    answer: oneshot::Sender<Result<(), LeaseError>>,
}

impl Together {
    /// Goes on to its end when nobody waits for it any more.
    pub(super) async fn write(&self, store: &Store, asked: Asked) -> Result<(), LeaseError> {
        let (answer, answered) = oneshot::channel();
        let performs = {
            let mut state = self.lock();
            state.waiting.push_back(Waiting { asked, answer });
            let performs = state.performing < AT_ONCE;
            state.performing += usize::from(performs);
            performs
        };
        if performs {
            let performer = Performer { together: self.clone(), store: store.clone(), jobs: Vec::new(), has_ended: false };
            tokio::spawn(performer.run());
        }
        answered.await.unwrap_or_else(|_| Err(DbErr::Custom("a write under a lease was broken off".to_owned()).into()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what waits until nothing does.
struct Performer {
    together: Together,
    store: Store,
    /// Those of which it writes.
    jobs: Vec<JobId>,
    /// It is counted no more.
    has_ended: bool,
}

impl Performer {
    async fn run(mut self) {
        loop {
            // What others are about to ask for comes along.
            tokio::task::yield_now().await;
            let some = self.next();
            if some.is_empty() {
                return;
            }
            self.write(some).await;
        }
    }

    /// The oldest that wait, of each job one.
    fn next(&mut self) -> Vec<Waiting> {
        let mut state = self.together.lock();
        for job in self.jobs.drain(..) {
            state.under_way.remove(&job);
        }
        let (mut some, mut later) = (Vec::new(), VecDeque::new());
        while let Some(waiting) = state.waiting.pop_front() {
            let job = waiting.asked.token.job;
            if some.len() < TOGETHER_MAX && state.under_way.insert(job) {
                self.jobs.push(job);
                some.push(waiting);
            } else {
                later.push_back(waiting);
            }
        }
        state.waiting = later;
        // Whoever comes after this begins another.
        if some.is_empty() {
            state.performing -= 1;
            self.has_ended = true;
        }
        some
    }

    async fn write(&self, some: Vec<Waiting>) {
        let (asked, answers): (Vec<_>, Vec<_>) = some.into_iter().map(|waiting| (waiting.asked, waiting.answer)).unzip();
        for (done, answer) in self.perform(&asked).await.into_iter().zip(answers) {
            // Nobody may wait for it any more.
            let _ = answer.send(done);
        }
    }

    /// Each for itself where all together cannot be written: what is wrong with one keeps no other from being done.
    async fn perform(&self, asked: &[Asked]) -> Vec<Result<(), LeaseError>> {
        match perform(&self.store, asked).await {
            Ok(held) => asked.iter().zip(held).map(|(asked, held)| answer(asked, held)).collect(),
            Err(Failed::Before(_)) if asked.len() > 1 => join_all(asked.iter().map(|asked| self.perform_one(asked))).await,
            Err(Failed::Before(error) | Failed::AtCommit(error)) => asked.iter().map(|_| Err(error.clone().into())).collect(),
        }
    }

    async fn perform_one(&self, asked: &Asked) -> Result<(), LeaseError> {
        match perform(&self.store, std::slice::from_ref(asked)).await {
            Ok(held) => answer(asked, held == [true]),
            Err(Failed::Before(error) | Failed::AtCommit(error)) => Err(error.into()),
        }
    }
}

impl Drop for Performer {
    /// Where it was broken off, those who wait are told so, unless another goes on.
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut state = self.together.lock();
        for job in self.jobs.drain(..) {
            state.under_way.remove(&job);
        }
        state.performing -= 1;
        if state.performing == 0 {
            state.waiting.clear();
        }
    }
}

fn answer(asked: &Asked, held: bool) -> Result<(), LeaseError> {
    if held { Ok(()) } else { Err(asked.token.lost()) }
}
