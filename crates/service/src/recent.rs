//! Answers that may be a little old: what every estimate is made of. However many want one, the database is
//! asked once at a time for each.

use futures::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};
use std::{
    collections::HashMap,
    future::Future,
    hash::Hash,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use store::clock::Instant;
use store::{StoreError, in_time};

/// From how long it took to get an answer, how long it is good for.
type GoodFor = fn(Duration) -> Duration;

/// An answer is good for so many times what it took to get,
const TIMES_ITS_COST: u32 = 20;
const AT_LEAST: Duration = Duration::from_millis(50);
/// and no longer than this
const AT_MOST: Duration = Duration::from_secs(2);
/// or so many times what it took.
const TIMES_ITS_COST_AT_LEAST: u32 = 4;
/// Rather than wait longer than this for a new answer, the old one is used up to three times as long.
const WORTH_WAITING_FOR: Duration = Duration::from_millis(10);
/// What took no longer may be asked anew whenever somebody has changed something.
const CHEAP: Duration = Duration::from_millis(100);

pub(crate) struct Recent<K, V> {
    good_for: GoodFor,
    cells: Arc<Mutex<HashMap<K, Cell<V>>>>,
    /// Of questions.
    count: AtomicU64,
}

struct Cell<V> {
    answer: Option<Answer<V>>,
    /// The question on its way.
    asking: Option<WeakShared<Asking<V>>>,
    /// Of that question.
    number: u64,
}

struct Answer<V> {
    value: V,
    since: Instant,
    took: Duration,
}

type Asking<V> = BoxFuture<'static, Result<V, StoreError>>;

impl<K, V> Recent<K, V> {
    fn good_for(good_for: GoodFor) -> Self {
        Self { good_for, cells: Arc::default(), count: AtomicU64::new(1) }
    }

    /// For what costs next to nothing to ask.
    pub(crate) fn for_a_second() -> Self {
        Self::good_for(|_| Duration::from_secs(1))
    }

    /// For what has to be known within a second, whatever it takes besides.
    pub(crate) fn for_a_moment() -> Self {
        Self::good_for(|_| Duration::from_millis(200))
    }

    /// Nearly exact while asking is cheap; what is answered takes a twentieth of the time to ask, and never more than a fifth.
    pub(crate) fn by_its_cost() -> Self {
        Self::good_for(|took| (took * TIMES_ITS_COST).clamp(AT_LEAST, AT_MOST.max(took * TIMES_ITS_COST_AT_LEAST)))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Cell<V>>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Clone> Cell<V> {
    const EMPTY: Self = Self { answer: None, asking: None, number: 0 };

    fn fresh(&self, good_for: GoodFor) -> Option<V> {
        let usable = |answer: &&Answer<V>| answer.since.elapsed() < good_for(answer.took);
        self.answer.as_ref().filter(usable).map(|answer| answer.value.clone())
    }

    /// An old answer, where a new one is a while in coming.
    fn meanwhile(&self, good_for: GoodFor) -> Option<V> {
        let usable = |answer: &&Answer<V>| answer.took > WORTH_WAITING_FOR && answer.since.elapsed() < good_for(answer.took) * 3;
        self.answer.as_ref().filter(usable).map(|answer| answer.value.clone())
    }

    fn asking(&self) -> Option<Shared<Asking<V>>> {
        self.asking.as_ref().and_then(WeakShared::upgrade)
    }
}

impl<K, V> Recent<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// The answer to `key`, asked for anew when the last one is too old. Who comes while it is asked gets the same.
    ///
    /// # Errors
    /// That of `ask`; it is told to all who wait and not kept.
    pub(crate) async fn get<F>(&self, key: K, ask: impl FnOnce() -> F) -> Result<V, StoreError>
    where
        F: Future<Output = Result<V, StoreError>> + Send + 'static,
    {
        let asking = {
            let mut cells = self.lock();
            let cell = cells.entry(key.clone()).or_insert(Cell::EMPTY);
            if let Some(answer) = cell.fresh(self.good_for) {
                return Ok(answer);
            }
            let (meanwhile, running) = (cell.meanwhile(self.good_for), cell.asking());
            match (running, meanwhile) {
                (Some(_), Some(answer)) => return Ok(answer),
                (Some(running), None) => running,
                (None, meanwhile) => {
                    cell.number = self.count.fetch_add(1, Ordering::Relaxed);
                    let asking = self.ask(key, cell.number, ask());
                    cell.asking = asking.downgrade();
                    // It goes on when nobody waits any longer, or what takes longer than anybody waits would never be known.
                    tokio::spawn(asking.clone());
                    match meanwhile {
                        Some(answer) => return Ok(answer),
                        None => asking,
                    }
                }
            }
        };
        asking.await
    }

    /// Has the next who wants it ask anew, where that is cheap: an answer that took long is used for as long as ever.
    pub(crate) fn forget_what_is_cheap(&self, key: &K) {
        let mut cells = self.lock();
        if cells.get(key).and_then(|cell| cell.answer.as_ref()).is_some_and(|answer| answer.took <= CHEAP) {
            cells.remove(key);
        }
    }

    /// Has the next who wants it ask anew, whatever is on its way.
    pub(crate) fn forget(&self, key: &K) {
        self.lock().remove(key);
    }

    fn ask(&self, key: K, number: u64, ask: impl Future<Output = Result<V, StoreError>> + Send + 'static) -> Shared<Asking<V>> {
        let (cells, good_for) = (self.cells.clone(), self.good_for);
        let asking = async move {
            let begun = Instant::now();
            let value = in_time(ask).await?;
            let answer = Answer { value: value.clone(), since: Instant::now(), took: begun.elapsed() };
            let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
            cells.retain(|_, cell| cell.asking().is_some() || cell.fresh(good_for).is_some() || cell.meanwhile(good_for).is_some());
            if let Some(cell) = cells.get_mut(&key).filter(|cell| cell.number == number) {
                *cell = Cell { answer: Some(answer), ..Cell::EMPTY };
            }
            Ok(value)
        };
        asking.boxed().shared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use tokio::{sync::Semaphore, time::timeout};

    const MINUTE: Duration = Duration::from_secs(60);

    /// Answers 1, 2, 3 ..., each when it is let.
    #[derive(Clone)]
    struct Source {
        asked: Arc<AtomicU32>,
        gate: Arc<Semaphore>,
    }

    impl Source {
        fn with_answers(permits: usize) -> Self {
            Self { asked: Arc::default(), gate: Arc::new(Semaphore::new(permits)) }
        }

        async fn ask(self) -> Result<u32, StoreError> {
            let number = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
            self.gate.acquire().await.unwrap().forget();
            Ok(number)
        }

        fn asked(&self) -> u32 {
            self.asked.load(Ordering::SeqCst)
        }
    }

    async fn get(recent: &Recent<(), u32>, source: &Source) -> u32 {
        recent.get((), || source.clone().ask()).await.unwrap()
    }

    #[tokio::test]
    async fn a_hundred_who_want_it_at_once_ask_once() {
        let (recent, source) = (Recent::good_for(|_| MINUTE), Source::with_answers(0));
        let all = futures::future::join_all((0..100).map(|_| get(&recent, &source)));
        let (answers, ()) = tokio::join!(all, async { source.gate.add_permits(1) });
        assert!(answers.iter().all(|answer| *answer == 1));
        assert_eq!((get(&recent, &source).await, source.asked()), (1, 1));
    }

    #[tokio::test]
    async fn one_who_asked_and_left_holds_nobody_up() {
        let (recent, source) = (Recent::good_for(|_| MINUTE), Source::with_answers(0));
        let mut first = Box::pin(get(&recent, &source));
        assert!(futures::poll!(&mut first).is_pending());
        let mut second = Box::pin(get(&recent, &source));
        assert!(futures::poll!(&mut second).is_pending());
        drop(first);
        source.gate.add_permits(1);
        assert_eq!((second.await, source.asked()), (1, 1));
    }

    #[tokio::test]
    async fn a_question_that_takes_longer_than_anybody_waits_is_answered_all_the_same() {
        let (recent, source) = (Recent::good_for(|_| MINUTE), Source::with_answers(0));
        let mut only = Box::pin(get(&recent, &source));
        assert!(futures::poll!(&mut only).is_pending());
        drop(only);
        source.gate.add_permits(1);
        let is_known = async {
            while recent.lock()[&()].answer.is_none() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(10), is_known).await.unwrap();
        assert_eq!((get(&recent, &source).await, source.asked()), (1, 1));
    }

    #[tokio::test]
    async fn what_was_asked_before_it_was_forgotten_is_not_kept() {
        let (recent, source) = (Recent::good_for(|_| MINUTE), Source::with_answers(0));
        let mut first = Box::pin(get(&recent, &source));
        assert!(futures::poll!(&mut first).is_pending());
        recent.forget(&());
        source.gate.add_permits(2);
        assert_eq!((first.await, get(&recent, &source).await, get(&recent, &source).await), (1, 2, 2));
    }

    #[tokio::test]
    async fn a_failure_is_told_to_all_who_wait_and_then_forgotten() {
        let recent: Recent<(), u32> = Recent::good_for(|_| MINUTE);
        let gate = Arc::new(Semaphore::new(0));
        let fail = || {
            let gate = gate.clone();
            async move { gate.acquire().await.map(drop).map_err(|_| StoreError::Address { url: "nowhere".into() }).map(|()| 0) }
        };
        let waiting = async { tokio::join!(recent.get((), fail), recent.get((), fail)) };
        let (answers, ()) = tokio::join!(waiting, async { gate.close() });
        assert!(answers.0.is_err() && answers.1.is_err());
        assert_eq!(get(&recent, &Source::with_answers(1)).await, 1);
    }

    #[tokio::test]
    async fn an_old_answer_bridges_the_wait_for_one_that_takes_long() {
        let (recent, source) = (Recent::good_for(|_| MINUTE), Source::with_answers(1));
        assert_eq!(get(&recent, &source).await, 1);
        if let Some(answer) = recent.lock().get_mut(&()).and_then(|cell| cell.answer.as_mut()) {
            answer.took = WORTH_WAITING_FOR * 2;
            answer.since = Instant::now().checked_sub(MINUTE + MINUTE / 2).unwrap();
        }
        assert_eq!(get(&recent, &source).await, 1, "old, and a new one is asked for");
        while source.asked() < 2 {
            tokio::task::yield_now().await;
        }
        source.gate.add_permits(1);
        while get(&recent, &source).await != 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(source.asked(), 2);
    }

    #[tokio::test]
    async fn an_old_answer_outlives_the_answer_to_another_question() {
        let (recent, source) = (Recent::good_for(|_| MINUTE), Source::with_answers(2));
        let slow = async |key| recent.get(key, || source.clone().ask()).await.unwrap();
        assert_eq!(slow("old").await, 1);
        if let Some(answer) = recent.lock().get_mut("old").and_then(|cell| cell.answer.as_mut()) {
            answer.took = WORTH_WAITING_FOR * 2;
            answer.since = Instant::now().checked_sub(MINUTE + MINUTE / 2).unwrap();
        }
        assert_eq!(slow("another").await, 2);
        assert_eq!(timeout(Duration::from_secs(10), slow("old")).await.expect("the old one bridges the wait"), 1);
    }

    #[test]
    fn an_answer_is_good_for_twenty_times_its_cost_within_limits() {
        let recent: Recent<(), u32> = Recent::by_its_cost();
        for (took, good_for) in [(0, 50), (2, 50), (10, 200), (100, 2000), (500, 2000), (3000, 12_000)] {
            assert_eq!((recent.good_for)(Duration::from_millis(took)), Duration::from_millis(good_for));
        }
    }
}
