//! Group commit on SQLite: transactions that many make at once share a flush of the disk.
//!
//! With `synchronous = NORMAL` a commit is whole and in its place in the write-ahead log, but a power cut may take back
//! the last ones. Whoever has to answer for one waits for a flush that began after it; those who commit while a flush is
//! under way share the next. The transaction is seen by others before that, so this is for what is harmless until then.

use super::PATIENCE;
use crate::{StoreError, clock::Instant};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};
use std::{
    convert::Infallible,
    fs::{self, File},
    io, iter,
    os::unix::fs::MetadataExt,
    panic::resume_unwind,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};
use tokio::{
    runtime,
    sync::{Mutex, OwnedMutexGuard, oneshot},
    time::{sleep, timeout},
};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

/// Between one try to move the log and the next.
const PAUSE: Duration = Duration::from_millis(2);

pub(crate) struct GroupCommit {
    /// Commits without a flush.
    pub connection: DatabaseConnection,
    /// Of all who write, also on the connection that flushes with each commit.
    turn: Arc<Mutex<()>>,
    flush: Flush,
    writing: Writing,
}

impl GroupCommit {
    /// # Errors
    /// [`StoreError::Database`] when the database or the system refuses.
    pub(crate) async fn new(connection: DatabaseConnection) -> Result<Self, StoreError> {
        let path = "SELECT file FROM pragma_database_list WHERE name = 'main'";
        let row = connection.query_one_raw(Statement::from_string(DbBackend::Sqlite, path)).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("the database's file".to_owned()))?;
        let mut log = Log { path: format!("{}-wal", row.try_get::<String>("", "file")?).into(), file: None };
        let flush = Flush::start(move || log.flush()).map_err(sqlx::Error::Io)?;
        Ok(Self { connection, turn: Arc::default(), flush, writing: Writing::start().map_err(sqlx::Error::Io)? })
    }

    /// Does `work`, a transaction, on a thread that does nothing else: whoever has the turn keeps all others waiting, and would
    /// wait between its statements for whatever else the caller's threads have to do. Dropped, it is given up.
    pub(crate) async fn perform<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        match AbortOnDropHandle::new(self.writing.runtime.spawn(work.in_current_span())).await {
            Ok(done) => done,
            Err(error) => resume_unwind(error.into_panic()),
        }
    }

    /// Returns when what the caller has committed is on disk.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it may not be. The commit stands unless the power is cut.
    pub(crate) async fn wait(&self) -> Result<(), StoreError> {
        Ok(self.flush.wait().await.map_err(sqlx::Error::Io)?)
    }

    /// Waits for SQLite's one writer at a time, first come, first served.
    ///
    /// # Errors
    /// [`StoreError::Database`] when that takes too long, or the log cannot be mended.
    pub(crate) async fn turn(&self) -> Result<OwnedMutexGuard<()>, StoreError> {
        let turn = timeout(PATIENCE, Arc::clone(&self.turn).lock_owned()).await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        self.mend().await?;
        Ok(turn)
    }

    /// Where a flush has failed, part of the log may be lost with all that follows, so all of the log is moved into the
    /// database first, which flushes that.
    async fn mend(&self) -> Result<(), StoreError> {
        if !self.flush.has_failed() {
            return Ok(());
        }
        let checkpoint = || Statement::from_string(DbBackend::Sqlite, "PRAGMA wal_checkpoint(TRUNCATE)");
        let begun = Instant::now();
        loop {
            let row = self.connection.query_one_raw(checkpoint()).await?;
            match row.map(|row| row.try_get::<i32>("", "busy")).transpose()? {
                Some(0) => {
                    self.flush.has_failed.store(false, Ordering::SeqCst);
                    return Ok(());
                }
                // Others read what is in the log, or move it themselves.
                Some(_) if begun.elapsed() < PATIENCE => sleep(PAUSE).await,
                _ => return Err(DbErr::Custom("the log cannot be moved into the database".to_owned()).into()),
            }
        }
    }
}

/// A thread that ends when this is dropped.
struct Writing {
    runtime: runtime::Handle,
    _end: oneshot::Sender<Infallible>,
}

impl Writing {
    fn start() -> io::Result<Self> {
        let ((end, ended), (tell, told)) = (oneshot::channel(), mpsc::channel());
        let run = move || match runtime::Builder::new_current_thread().enable_time().build() {
            Ok(runtime) => {
                let _ = tell.send(Ok(runtime.handle().clone()));
                // Ends with an error, as nothing is ever sent.
                let _ = runtime.block_on(ended);
            }
            Err(error) => drop(tell.send(Err(error))),
        };
        thread::Builder::new().name("writing".to_owned()).spawn(run)?;
        Ok(Self { runtime: told.recv().map_err(io::Error::other)??, _end: end })
    }
}

/// SQLite's write-ahead log.
struct Log {
    path: PathBuf,
    /// Kept open: the system tells of an error only those who had the file open.
    file: Option<File>,
}

impl Log {
    fn flush(&mut self) -> io::Result<()> {
        let present = fs::metadata(&self.path)?.ino();
        if !self.file.as_ref().is_some_and(|file| file.metadata().is_ok_and(|known| known.ino() == present)) {
            self.file = Some(File::open(&self.path)?);
        }
        self.file.as_ref().map_or(Ok(()), File::sync_data)
    }
}

type Answer = oneshot::Sender<io::Result<()>>;

/// A thread of its own that flushes, so that it never waits for other work.
struct Flush {
    requests: mpsc::Sender<Answer>,
    has_failed: Arc<AtomicBool>,
}

impl Flush {
    fn start(mut flush: impl FnMut() -> io::Result<()> + Send + 'static) -> io::Result<Self> {
        let (requests, asked) = mpsc::channel::<Answer>();
        let has_failed = Arc::new(AtomicBool::new(false));
        let failure = Arc::clone(&has_failed);
        let serve = move || {
            while let Ok(first) = asked.recv() {
                let group: Vec<_> = iter::once(first).chain(asked.try_iter()).collect();
                let done = if failure.load(Ordering::SeqCst) { Err(io::Error::other("an earlier flush failed")) } else { flush() };
                if let Err(error) = &done {
                    tracing::error!(error = error as &dyn std::error::Error, "the database's log cannot be flushed");
                    failure.store(true, Ordering::SeqCst);
                }
                for answer in group {
                    // Whoever has gone meanwhile needs no answer.
                    let _ = answer.send(match &done {
                        Ok(()) => Ok(()),
                        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                    });
                }
            }
        };
        thread::Builder::new().name("group-commit".to_owned()).spawn(serve)?;
        Ok(Self { requests, has_failed })
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::SeqCst)
    }

    async fn wait(&self) -> io::Result<()> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(answer).map_err(io::Error::other)?;
        answered.await.map_err(io::Error::other)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Idempotency, NewAccount, NewJob, Order, PageQuery, SubmitError, Texts, testing::TempDatabase};
    use domain::{JobRequest, Seed, TenantId, UserId, catalog, job::Deadlines};
    use futures::future::join_all;
    use sea_orm::TransactionTrait;
    use std::sync::atomic::AtomicU64;
    use uuid::Uuid;

    /// Each flush takes its outcome from the sender, and waits for it.
    fn by_hand() -> (Arc<Flush>, mpsc::Sender<io::Result<()>>, Arc<AtomicU64>) {
        let (outcomes, next) = mpsc::channel();
        let begun = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&begun);
        let flush = Flush::start(move || {
            count.fetch_add(1, Ordering::SeqCst);
            next.recv().unwrap()
        });
        (Arc::new(flush.unwrap()), outcomes, begun)
    }

    fn asked(flush: &Arc<Flush>) -> tokio::task::JoinHandle<io::Result<()>> {
        let flush = Arc::clone(flush);
        tokio::spawn(async move { flush.wait().await })
    }

    async fn until_begun(begun: &AtomicU64, count: u64) {
        while begun.load(Ordering::SeqCst) < count {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn those_who_commit_during_a_flush_share_the_next() {
        let (flush, outcomes, begun) = by_hand();
        let first = asked(&flush);
        until_begun(&begun, 1).await;
        let others: Vec<_> = (0..50).map(|_| asked(&flush)).collect();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        outcomes.send(Ok(())).unwrap();
        first.await.unwrap().unwrap();
        outcomes.send(Ok(())).unwrap();
        assert!(join_all(others).await.into_iter().all(|other| other.unwrap().is_ok()));
        assert_eq!(begun.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn behind_a_flush_that_failed_nothing_is_acknowledged_even_if_nobody_heard_of_it() {
        let (flush, outcomes, begun) = by_hand();
        let gone = asked(&flush);
        until_begun(&begun, 1).await;
        gone.abort();
        outcomes.send(Err(io::ErrorKind::StorageFull.into())).unwrap();
        while !flush.has_failed() {
            tokio::task::yield_now().await;
        }
        assert!(flush.wait().await.is_err());
        assert_eq!(begun.load(Ordering::SeqCst), 1, "the disk was not asked again");
    }

    #[tokio::test]
    async fn a_log_that_could_not_be_flushed_is_moved_into_the_database_first() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let group = store.group_commit.as_ref().unwrap();
        let log = database.url.replace("sqlite://", "") + "-wal";
        assert!(fs::metadata(&log).unwrap().len() > 0);
        group.wait().await.unwrap();
        group.flush.has_failed.store(true, Ordering::SeqCst);
        assert!(group.wait().await.is_err());
        let reading = store.db.door().db.begin().await.unwrap();
        reading.query_one_raw(Statement::from_string(DbBackend::Sqlite, "SELECT COUNT(*) FROM jobs")).await.unwrap();
        let has_read = Arc::new(AtomicBool::new(false));
        let reads_no_more = Arc::clone(&has_read);
        tokio::spawn(async move {
            sleep(Duration::from_millis(200)).await;
            reads_no_more.store(true, Ordering::SeqCst);
            reading.rollback().await.unwrap();
        });
        store.write().await.unwrap().abandon().await.unwrap();
        assert!(has_read.load(Ordering::SeqCst), "who reads the log is waited for");
        assert_eq!(fs::metadata(&log).unwrap().len(), 0);
        group.wait().await.unwrap();
    }

    #[tokio::test]
    async fn nobody_hears_of_a_job_that_is_not_on_disk() {
        let database = TempDatabase::sqlite();
        let mut store = database.open().await.unwrap();
        let (flush, outcomes, begun) = by_hand();
        let group = store.group_commit.take().unwrap();
        let (connection, turn, flush) = (group.connection.clone(), Arc::clone(&group.turn), Arc::into_inner(flush).unwrap());
        store.group_commit = Some(Arc::new(GroupCommit { connection, turn, flush, writing: Writing::start().unwrap() }));
        let (tenant, user) = (TenantId::from_uuid(Uuid::from_u128(1)), UserId::from_uuid(Uuid::from_u128(2)));
        let email = "ada@example.com".parse().unwrap();
        store.accounts().create(NewAccount { tenant, user, email, password_hash: None, is_verified: true }).await.unwrap().unwrap();
        let submit_under = |key: Option<Idempotency>| {
            let request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
            let (spec, quote) = request.parse(&catalog::testing::catalog(), Seed::ZERO).unwrap();
            let job = NewJob {
                user,
                api_key: None,
                project: None,
                remixed_from: None,
                trace_id: None,
                traceparent: None,
                quote,
                work: None,
                spec,
                understanding: None,
                deadlines: Deadlines::default(),
                fallback: None,
                callback: None,
                refused: None,
            };
            let store = store.clone();
            tokio::spawn(async move { store.tenant(tenant).jobs().submit(job, key).await })
        };
        let submit = || submit_under(Some(Idempotency { key: "same".into(), fingerprint: "f".into() }));
        let all = PageQuery { after: None, limit: 10, order: Order::NewestFirst };
        for (flushes, replayed) in [(1, false), (2, true)] {
            let submitted = submit();
            until_begun(&begun, flushes).await;
            assert_eq!(store.tenant(tenant).jobs().list(all, Texts::Whole).await.unwrap().jobs.len(), 1, "it is there for others");
            assert!(!submitted.is_finished(), "and nobody was told");
            outcomes.send(Ok(())).unwrap();
            assert_eq!(submitted.await.unwrap().unwrap().replayed, replayed);
        }
        let id = store.tenant(tenant).jobs().list(all, Texts::Whole).await.unwrap().jobs[0].id;
        let cancelling = store.clone();
        let cancelled = tokio::spawn(async move { cancelling.tenant(tenant).jobs().cancel(id).await });
        until_begun(&begun, 3).await;
        assert!(!cancelled.is_finished());
        outcomes.send(Ok(())).unwrap();
        assert!(cancelled.await.unwrap().unwrap().is_some());
        let failed = submit();
        until_begun(&begun, 4).await;
        outcomes.send(Err(io::ErrorKind::StorageFull.into())).unwrap();
        assert!(matches!(failed.await.unwrap(), Err(SubmitError::Store(_))), "it can be asked for again");
        outcomes.send(Err(io::ErrorKind::StorageFull.into())).unwrap();
        assert!(matches!(submit_under(None).await.unwrap(), Err(SubmitError::Unknown)));
    }

    #[tokio::test]
    async fn the_log_of_a_linked_database_is_found_and_a_missing_one_is_an_error() {
        let database = TempDatabase::sqlite();
        let file = database.url.replace("sqlite://", "");
        let real = format!("{file}.real");
        fs::rename(&file, &real).unwrap();
        std::os::unix::fs::symlink(&real, &file).unwrap();
        let store = database.open().await.unwrap();
        assert!(fs::metadata(format!("{real}-wal")).unwrap().len() > 0);
        store.group_commit.as_ref().unwrap().wait().await.unwrap();
        let mut elsewhere = Log { path: format!("{file}-wal").into(), file: None };
        assert_eq!(elsewhere.flush().unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
