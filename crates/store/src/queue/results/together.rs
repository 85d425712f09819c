//! Writes of one process that come while others are under way wait for each other and share the next transaction. One that comes alone waits
//! for nobody.

use super::{Asked, Failed, perform_in_time};
use crate::{Store, StoreError, queue::LeaseError};
use domain::JobId;
use sea_orm::DbErr;
use std::{
    collections::{HashSet, VecDeque},
    slice,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{Semaphore, oneshot};

/// So many in one transaction, so that nobody who writes waits long.
const TOGETHER_MAX: usize = 32;
/// Transactions at once: one that waits for a lock does not hold up all.
const AT_ONCE: usize = 2;
/// Besides, those of what could not be written with others, and may wait for long.
const ALONE_AT_ONCE: usize = 4;

/// The writes of a process that wait. Shared by all clones of a store.
#[derive(Clone)]
pub(crate) struct Together {
    state: Arc<Mutex<State>>,
    alone: Arc<Semaphore>,
}

impl Default for Together {
    fn default() -> Self {
        Self { state: Arc::default(), alone: Arc::new(Semaphore::new(ALONE_AT_ONCE)) }
    }
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
        self.lock().waiting.push_back(Waiting { asked, answer });
        self.go_on(store);
        answered.await.unwrap_or_else(|_| Err(DbErr::Custom("a write under a lease was broken off".to_owned()).into()))
    }

    /// Has somebody write what waits, unless enough do.
    fn go_on(&self, store: &Store) {
        let mut state = self.lock();
        if state.waiting.is_empty() || state.performing >= AT_ONCE {
            return;
        }
        state.performing += 1;
        drop(state);
        let under_way = UnderWay { together: self.clone(), jobs: Vec::new() };
        tokio::spawn(Performer { under_way, store: store.clone(), has_ended: false }.run());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Jobs of which somebody writes, until this is dropped.
struct UnderWay {
    together: Together,
    jobs: Vec<JobId>,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.together.lock();
        for job in self.jobs.drain(..) {
            state.under_way.remove(&job);
        }
    }
}

/// Writes what waits until nothing does.
struct Performer {
    under_way: UnderWay,
    store: Store,
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
        let UnderWay { together, jobs } = &mut self.under_way;
        let mut state = together.lock();
        for job in jobs.drain(..) {
            state.under_way.remove(&job);
        }
        let (mut some, mut later) = (Vec::new(), VecDeque::new());
        while let Some(waiting) = state.waiting.pop_front() {
            let job = waiting.asked.token.job;
            if some.len() < TOGETHER_MAX && state.under_way.insert(job) {
                jobs.push(job);
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

    /// Each for itself where all together cannot be written: what is wrong with one keeps no other from being done, nor from its answer.
    async fn write(&mut self, some: Vec<Waiting>) {
        let asked: Vec<_> = some.iter().map(|waiting| waiting.asked.clone()).collect();
        match perform_in_time(&self.store, &asked).await {
            Ok(held) => some.into_iter().zip(held).for_each(|(waiting, held)| waiting.tell(Ok(held))),
            Err(Failed::Before(_)) if some.len() > 1 => {
                self.under_way.jobs.clear();
                for waiting in some {
                    let under_way = UnderWay { together: self.under_way.together.clone(), jobs: vec![waiting.asked.token.job] };
                    tokio::spawn(alone(under_way, self.store.clone(), waiting));
                }
            }
            Err(failed) => {
                let error = failed.into_error();
                some.into_iter().for_each(|waiting| waiting.tell(Err(error.clone())));
            }
        }
    }
}

impl Drop for Performer {
    /// Where it was broken off, those who wait are told so, unless another goes on.
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut state = self.under_way.together.lock();
        state.performing -= 1;
        if state.performing == 0 {
            state.waiting.clear();
        }
    }
}

async fn alone(under_way: UnderWay, store: Store, waiting: Waiting) {
    let together = under_way.together.clone();
    let permit = together.alone.acquire().await;
    let done = perform_in_time(&store, slice::from_ref(&waiting.asked)).await;
    drop((permit, under_way));
    waiting.tell(done.map(|held| held == [true]).map_err(Failed::into_error));
    // Others of this job may wait.
    together.go_on(&store);
}

impl Waiting {
    /// `held`: whether the lease was. Nobody may wait for it any more.
    fn tell(self, held: Result<bool, StoreError>) {
        let done = match held {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.asked.token.lost()),
            Err(error) => Err(error.into()),
        };
        let _ = self.answer.send(done);
    }
}
