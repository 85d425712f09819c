//! Loops that make true what should be: idempotent, without input, safe to run in any number of processes.

mod deletions;
mod events;
mod garbage;
mod open_work;
mod release;
mod retention;
mod webhooks;

use crate::{
    AccessError, Services, alerts, batch, key::SigningError, models::WITHDRAWN_GRACE_MS, numbers::keep, operator, placement, scaling,
    telemetry::Metrics,
};
use domain::{Actor, Timestamp};
use std::{error::Error, future::Future, time::Duration};
use store::clock::Instant;
use store::{Store, StoreError, in_time, within};
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;
use tower_sessions_core::ExpiredDeletion;

/// The names of the reconcilers, in logs and metrics.
const EXPIRE_LEASES: &str = "expire leases";
const RELEASE: &str = "release";
const FOLLOW_ESTIMATES: &str = "follow estimates";
const REPAIR_TOTALS: &str = "repair totals";
const REMOVE_GARBAGE: &str = "remove garbage";
const TIDY_UP: &str = "tidy up";
const FAIL_WITHDRAWN: &str = "fail withdrawn";
const FAIL_OVERDUE: &str = "fail overdue";
const FOLLOW_PAUSES: &str = "follow pauses";
const REPORT_USAGE: &str = "report usage";
const ASK_FOR_EVENTS: &str = "ask for events";
const END_GRACE: &str = "end grace";
const DELETE_EXPIRED: &str = "delete expired";
const FINISH_DELETIONS: &str = "finish deletions";
const REPLACE_SIGNING_KEYS: &str = "replace signing keys";

const EXPIRE_LEASES_EVERY: Duration = Duration::from_secs(1);
/// A database in which nothing could be written for so long was away.
const PATIENCE: Duration = Duration::from_secs(3);
/// That a clock may gain or lose between two looks at it.
const CLOCK_TOLERANCE: Duration = Duration::from_millis(500);
/// Holders try to renew for five seconds at the most, and soon again.
const HOLDERS_FIRST: Duration = Duration::from_secs(6);
/// The lease of workers that are told no other.
const USUAL_LEASE: Duration = Duration::from_secs(10);
const FOLLOW_ESTIMATES_EVERY: Duration = Duration::from_millis(500);
const REMOVE_GARBAGE_EVERY: Duration = Duration::from_secs(20);
const TIDY_EVERY: Duration = Duration::from_secs(300);
const FAIL_WITHDRAWN_EVERY: Duration = Duration::from_secs(60);
const FAIL_OVERDUE_EVERY: Duration = Duration::from_secs(1);
const FOLLOW_PAUSES_EVERY: Duration = Duration::from_secs(5);
const REPORT_USAGE_EVERY: Duration = Duration::from_secs(10);
const ASK_FOR_EVENTS_EVERY: Duration = Duration::from_secs(120);
const END_GRACE_EVERY: Duration = Duration::from_secs(60);
const DELETE_EXPIRED_EVERY: Duration = Duration::from_secs(300);
const FINISH_DELETIONS_EVERY: Duration = Duration::from_secs(20);
/// Of each tenant that is deleted, in one turn.
const JOBS_DELETED_AT_ONCE: u64 = 1000;
const REPLACE_SIGNING_KEYS_EVERY: Duration = Duration::from_secs(600);
/// A worker that lost its lease may still be uploading for so long.
const GARBAGE_GRACE_MS: i64 = 120_000;
/// For so long events and webhooks are taken before it is noted that this goes on.
const TAKES_FOR: Duration = Duration::from_secs(300);
/// What takes longer than this has lost its connection without a word, and is begun anew.
const BEGUN_ANEW_AFTER: Duration = Duration::from_secs(600);
/// Before a loop that broke is started again; doubled each time it breaks soon.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// All reconcilers of a server; runs until dropped.
pub async fn reconcile(services: Services) {
    let metrics = &*services.metrics;
    let (leases, totals, sent, forgotten) = (services.clone(), services.clone(), services.clone(), services.clone());
    let (events, garbage, tidying, withdrawn) = (services.clone(), services.clone(), services.clone(), services.clone());
    let (usage, missed, grace, status) = (services.clone(), services.clone(), services.clone(), services.clone());
    let (expired, deletions, keys, throttled) = (services.clone(), services.clone(), services.clone(), services.clone());
    let (estimates, scaled, overdue, placed) = (services.clone(), services.clone(), services.clone(), services.clone());
    let (batches, kept, followed, alerts) = (services.clone(), services.clone(), services.clone(), services.clone());
    let paused = services.clone();
    tokio::join!(
        restarted(metrics, EXPIRE_LEASES, move || expire_leases(leases.clone(), USUAL_LEASE)),
        restarted(metrics, RELEASE, move || release::release(throttled.clone())),
        restarted(metrics, FOLLOW_ESTIMATES, move || every(FOLLOW_ESTIMATES_EVERY, FOLLOW_ESTIMATES, estimates.clone(), follow_estimates)),
        restarted(metrics, scaling::NAME, move || scaling::scale(scaled.clone())),
        restarted(metrics, keep::NAME, move || keep::keep(kept.clone())),
        restarted(metrics, alerts::NAME, move || alerts::watch(alerts.clone())),
        restarted(metrics, placement::NAME, move || placement::place(placed.clone())),
        restarted(metrics, batch::RUN, move || batch::run(batches.clone())),
        restarted(metrics, operator::LOOK_AT_STATUS, move || operator::follow_status(status.clone())),
        restarted(metrics, REPAIR_TOTALS, move || open_work::repair(totals.clone())),
        restarted(metrics, events::DELIVER, move || events::deliver(events.clone())),
        restarted(metrics, webhooks::SEND, move || webhooks::send(sent.clone())),
        restarted(metrics, webhooks::FOLLOW, move || every(webhooks::FOLLOW_EVERY, webhooks::FOLLOW, followed.clone(), webhooks::follow)),
        restarted(metrics, webhooks::FORGET, move || every(webhooks::FORGET_EVERY, webhooks::FORGET, forgotten.clone(), webhooks::forget)),
        restarted(metrics, REMOVE_GARBAGE, move || every(REMOVE_GARBAGE_EVERY, REMOVE_GARBAGE, garbage.clone(), collect)),
        restarted(metrics, TIDY_UP, move || every(TIDY_EVERY, TIDY_UP, tidying.clone(), tidy)),
        restarted(metrics, FAIL_WITHDRAWN, move || every(FAIL_WITHDRAWN_EVERY, FAIL_WITHDRAWN, withdrawn.clone(), fail_withdrawn)),
        restarted(metrics, FAIL_OVERDUE, move || every(FAIL_OVERDUE_EVERY, FAIL_OVERDUE, overdue.clone(), fail_overdue)),
        restarted(metrics, FOLLOW_PAUSES, move || every(FOLLOW_PAUSES_EVERY, FOLLOW_PAUSES, paused.clone(), follow_pauses)),
        restarted(metrics, REPORT_USAGE, move || every(REPORT_USAGE_EVERY, REPORT_USAGE, usage.clone(), report_usage)),
        restarted(metrics, ASK_FOR_EVENTS, move || every(ASK_FOR_EVENTS_EVERY, ASK_FOR_EVENTS, missed.clone(), ask_for_events)),
        restarted(metrics, END_GRACE, move || every(END_GRACE_EVERY, END_GRACE, grace.clone(), end_grace)),
        restarted(metrics, DELETE_EXPIRED, move || every(DELETE_EXPIRED_EVERY, DELETE_EXPIRED, expired.clone(), delete_expired)),
        restarted(metrics, FINISH_DELETIONS, move || every(FINISH_DELETIONS_EVERY, FINISH_DELETIONS, deletions.clone(), finish_deletions)),
        restarted(metrics, REPLACE_SIGNING_KEYS, move || every(
            REPLACE_SIGNING_KEYS_EVERY,
            REPLACE_SIGNING_KEYS,
            keys.clone(),
            replace_signing_key
        )),
    );
}

/// Keeps a loop running in a task of its own: one that panics is started again after a pause, and the others
/// do not notice.
async fn restarted<F: Future<Output = ()> + Send + 'static>(metrics: &Metrics, name: &'static str, start: impl Fn() -> F) {
    let mut pause = FIRST_PAUSE;
    loop {
        let started = Instant::now();
        match AbortOnDropHandle::new(tokio::spawn(start())).await {
            Ok(()) => tracing::error!(reconciler = name, "{name} ended; starting it again"),
            Err(error) => tracing::error!(reconciler = name, error = &error as &dyn Error, "{name} broke; starting it again"),
        }
        metrics.note_run(name, false);
        pause = if started.elapsed() > LONGEST_PAUSE { FIRST_PAUSE } else { pause };
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// What was told of jobs' times is written down, and learned from when they have ended.
async fn follow_estimates(services: Services) -> Result<(), StoreError> {
    services.forecasts.told.settle(&services.store).await
}

async fn report_usage(services: Services) -> Result<(), AccessError> {
    services.report_usage(Actor::System).await
}

async fn ask_for_events(services: Services) -> Result<(), AccessError> {
    services.ask_for_events(Actor::System).await
}

async fn end_grace(services: Services) -> Result<(), AccessError> {
    services.end_grace(Actor::System).await
}

async fn delete_expired(services: Services) -> Result<(), AccessError> {
    // Whatever becomes of one of them, the other is done.
    let done = [services.delete_expired(Actor::System).await, services.expire_files(Actor::System).await];
    done.into_iter().try_for_each(|done| done.map(drop))
}

/// However much there is to delete, garbage is removed meanwhile.
async fn finish_deletions(services: Services) -> Result<(), AccessError> {
    // Whatever becomes of one of them, the other is done.
    let done = [services.delete_jobs_of_deleted(Actor::System, JOBS_DELETED_AT_ONCE).await, services.finish_deletions(Actor::System).await];
    done.into_iter().collect()
}

async fn replace_signing_key(services: Services) -> Result<(), SigningError> {
    services.replace_signing_key(Actor::System).await
}

async fn collect(services: Services) -> Result<(), AccessError> {
    let removed = services.remove_garbage(Actor::System, GARBAGE_GRACE_MS).await;
    match services.objects.sweep().await {
        Ok(0) => {}
        Ok(files) => tracing::info!(files, "{files} leftovers of broken uploads were removed"),
        Err(error) => tracing::warn!(error = &error as &dyn Error, "leftovers of broken uploads stay for now"),
    }
    removed
}

async fn fail_withdrawn(services: Services) -> Result<(), AccessError> {
    let failed = services.store.queue().fail_withdrawn(WITHDRAWN_GRACE_MS).await?;
    if failed > 0 {
        tracing::warn!(jobs = failed, "{failed} jobs failed that waited for a model which is not on offer any more");
    }
    Ok(())
}

async fn fail_overdue(services: Services) -> Result<(), StoreError> {
    let failed = services.store.queue().fail_overdue().await?;
    if failed > 0 {
        tracing::info!(jobs = failed, "{failed} jobs failed whose deadlines passed while they waited");
    }
    Ok(())
}

async fn follow_pauses(services: Services) -> Result<(), StoreError> {
    let laid = services.store.operator().follow_pauses().await?;
    if laid > 0 {
        tracing::debug!(jobs = laid, "{laid} jobs were laid aside because their tenants are paused, or brought back");
    }
    Ok(())
}

async fn tidy(services: Services) -> Result<(), AccessError> {
    let store = &services.store;
    // Whatever becomes of one of them, the others are done.
    let done = [
        store.timings().trim().await.map(drop),
        store.tries().tidy().await.map(drop),
        store.forget_idempotency_keys().await.map(drop),
        store.forget_unconfirmed().await,
        store.operator().forget_unreadable().await.map(drop),
        store.outbox().forget_given_up().await,
        store.inbox().forget().await,
        store.metering().forget().await,
        store.mails().forget().await,
        store.batch_rows().forget_old().await.map(drop),
        store.kept_numbers().forget_old().await,
    ];
    store.sessions().delete_expired().await.unwrap_or_else(|error| tracing::warn!(%error, "old sessions stay"));
    Ok(done.into_iter().collect::<Result<(), StoreError>>()?)
}

/// Requeues jobs whose worker fell silent. Servers and workers all run it, so that any one of them is enough.
///
/// After a time in which nobody could renew a lease, the database being away, its writer held or the machine
/// asleep, their holders come first. What a process has not seen may have been such a time: one that has just
/// started expires nothing for as long as its own `lease`.
pub async fn expire_leases(services: Services, lease: Duration) {
    let (store, mut hours) = (&services.store, Hours::new(lease));
    loop {
        let asked = Instant::now();
        let is_done = match timeout(PATIENCE, store.queue().can_renew()).await {
            Ok(Ok(clock)) => !hours.may_expire(asked, Instant::now(), clock) || expire_now(store, clock).await,
            Ok(Err(_)) | Err(_) => {
                hours.failed = true;
                false
            }
        };
        services.metrics.note_run(EXPIRE_LEASES, is_done);
        tokio::time::sleep(EXPIRE_LEASES_EVERY).await;
    }
}

/// `false`: the database did not answer.
async fn expire_now(store: &Store, seen: Timestamp) -> bool {
    let expired = in_time(store.queue().expire_leases(seen)).await;
    match &expired {
        Ok(0) => {}
        Ok(jobs) => tracing::warn!(jobs, "{jobs} jobs lost their worker and were requeued or failed"),
        Err(error) => tracing::warn!(error = error as &dyn Error, "leases could not be looked through"),
    }
    expired.is_ok()
}

/// When leases may be taken for expired: not while their clock may have run without their holders.
struct Hours {
    /// When it was last asked whether leases can be renewed, when they could be, and what their clock showed in between.
    renewable: Option<(Instant, Instant, Timestamp)>,
    /// Since then they could not be, as far as was seen.
    failed: bool,
    not_before: Instant,
}

impl Hours {
    fn new(lease: Duration) -> Self {
        Self { renewable: None, failed: false, not_before: Instant::now() + lease }
    }

    /// To be asked whenever leases can be renewed: since when that was `asked`, at what time the answer came, and what
    /// the clock of the leases showed.
    fn may_expire(&mut self, asked: Instant, now: Instant, clock: Timestamp) -> bool {
        if let Some((asked_before, before, clock_before)) = self.renewable.replace((asked, now, clock)) {
            let ms = |duration: Duration| duration.as_millis() as i64;
            let (between, tolerance) = (asked.saturating_duration_since(before), ms(CLOCK_TOLERANCE));
            let passed = ms(between) - tolerance..=ms(now.saturating_duration_since(asked_before)) + tolerance;
            let jumped = !passed.contains(&clock.ms().saturating_sub(clock_before.ms()));
            if std::mem::take(&mut self.failed) || between > PATIENCE || jumped {
                self.not_before = self.not_before.max(now + HOLDERS_FIRST);
            }
        }
        now >= self.not_before
    }
}

async fn every<E: Error + From<StoreError> + 'static, F: Future<Output = Result<(), E>>>(
    period: Duration,
    name: &'static str,
    services: Services,
    act: impl Fn(Services) -> F,
) {
    loop {
        let done = within(BEGUN_ANEW_AFTER, act(services.clone())).await;
        services.metrics.note_run(name, done.is_ok());
        if let Err(error) = done {
            tracing::warn!(reconciler = name, error = &error as &dyn Error, "{name}: will try again");
        }
        tokio::time::sleep(period).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    /// The first second, counted from `start`, in which leases may be taken for expired.
    fn first_second(hours: &mut Hours, start: Instant, clock: Timestamp) -> Option<u32> {
        (0..20).find(|s| hours.may_expire(start + *s * S, start + *s * S, clock.plus_ms(i64::from(*s) * 1000)))
    }

    #[test]
    fn a_process_that_has_just_started_expires_nothing_in_its_first_lease() {
        let mut hours = Hours::new(10 * S);
        let start = hours.not_before - 10 * S;
        assert_eq!(first_second(&mut hours, start, Timestamp::from_ms(0)), Some(10));
    }

    #[test]
    fn holders_come_first_after_a_time_without_writes_and_after_a_jump_of_the_leases_clock() {
        for (gap, jump_ms) in [(18_u32, 0), (1, 3_600_000), (1, -3_600_000)] {
            let mut hours = Hours::new(Duration::ZERO);
            let (start, clock) = (hours.not_before, Timestamp::from_ms(0));
            assert!(hours.may_expire(start, start, clock));
            let later = clock.plus_ms(i64::from(gap) * 1000 + jump_ms);
            assert_eq!(first_second(&mut hours, start + gap * S, later), Some(6), "{gap} s, {jump_ms} ms");
        }
    }

    #[test]
    fn a_clock_that_goes_too_fast_is_noticed_before_it_has_gained_a_second() {
        let mut hours = Hours::new(Duration::ZERO);
        let (start, clock) = (hours.not_before, Timestamp::from_ms(0));
        assert!(hours.may_expire(start, start, clock));
        let soon = start + S / 5;
        assert!(!hours.may_expire(soon, soon, clock.plus_ms(1000)));
    }

    #[test]
    fn holders_come_first_after_a_write_that_failed() {
        let mut hours = Hours::new(Duration::ZERO);
        let (start, clock) = (hours.not_before, Timestamp::from_ms(0));
        assert!(hours.may_expire(start, start, clock));
        hours.failed = true;
        assert_eq!(first_second(&mut hours, start + S, clock.plus_ms(1000)), Some(6));
    }

    #[test]
    fn a_database_that_is_slow_at_every_write_is_not_away() {
        let mut hours = Hours::new(Duration::ZERO);
        let (start, clock) = (hours.not_before, Timestamp::from_ms(0));
        let slow = |n: u32| (start + n * 4 * S, start + n * 4 * S + 3 * S, clock.plus_ms(i64::from(n) * 4000));
        assert!((0..5).map(slow).all(|(asked, now, clock)| hours.may_expire(asked, now, clock)));
    }

    #[tokio::test]
    async fn a_loop_that_panics_is_started_again_and_the_others_run_on() {
        let (told, mut starts) = tokio::sync::mpsc::unbounded_channel();
        let metrics = Metrics::default();
        let breaking = restarted(&metrics, "break", move || {
            let told = told.clone();
            async move {
                told.send(()).unwrap();
                panic!("on purpose");
            }
        });
        let steady = restarted(&metrics, "hold", std::future::pending);
        let third_start = async {
            for _ in 0..3 {
                starts.recv().await.unwrap();
            }
        };
        tokio::select! {
            () = breaking => unreachable!(),
            () = steady => unreachable!(),
            () = third_start => {}
        }
        let text = metrics.text().unwrap();
        assert!(text.contains("reelmill_reconciler_runs_total{reconciler=\"break\",outcome=\"failed\"} "), "{text}");
    }
}
