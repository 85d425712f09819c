//! What the operator keeps from being begun, and moves: pauses, quarantine, and the front of a line.

use super::super::shares::Team;
use crate::{LEASE_MS, MODELS, World, account, new_job, worker};
use domain::{
    Act, JobId, Stage, TenantId, VideoTime,
    billing::{Lane, Plan},
    job::TransitionError,
    scheduling::{PauseScope, Suspects},
};
use futures::future::join_all;
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use store::{ActOfOperator, Asked, JobActError, Store, on_both_engines};

/// By whoever has the command line.
pub(super) const fn because(reason: &str) -> ActOfOperator<'_> {
    ActOfOperator { by: None, reason }
}

fn scope(text: &str) -> PauseScope {
    text.parse().unwrap()
}

fn is_refused<T: std::fmt::Debug>(done: Result<T, JobActError>, from: &str) -> bool {
    matches!(done, Err(JobActError::Refused(TransitionError::NotFrom { from: state, .. })) if state == from)
}

impl World {
    pub(super) async fn pause(&self, text: &str) {
        self.store.operator().pause(&scope(text), because("")).await.unwrap();
    }

    pub(super) async fn resume(&self, text: &str) -> bool {
        self.store.operator().resume(&scope(text), because("")).await.unwrap()
    }

    pub(super) async fn submit_by(&self, team: Team) -> JobId {
        self.dial.advance_ms(1);
        self.store.tenant(team.tenant).jobs().submit(new_job(team.user), None).await.unwrap().job.id
    }

    pub(super) async fn begin_next(&self) -> Option<TenantId> {
        self.claim(Stage::Sampling).await.map(|claimed| claimed.token.tenant)
    }

    pub(super) async fn quarantine(&self, id: JobId) -> Result<(), JobActError> {
        self.store.tenant(self.tenant).acts().quarantine(id, because("Is this yours?")).await
    }

    pub(super) async fn lift(&self, id: JobId) -> Result<(), JobActError> {
        self.store.tenant(self.tenant).acts().lift(id, because("")).await
    }
}

pub(super) async fn claim_by(store: &Store) -> Option<JobId> {
    let claimed = store.queue().claim(Stage::Sampling, worker(), MODELS, LEASE_MS, Suspects::Take).await.unwrap();
    claimed.map(|claimed| claimed.token.job)
}

on_both_engines! {
    async fn what_is_paused_is_begun_by_nobody_and_others_go_on(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.team("slow", |plan| Plan { lane: Lane::Batch, ..plan }).await;
        let eve = world.team("eve", |plan| Plan { lane: Lane::Interactive, ..plan }).await;
        // Of ada, of eve, and of a model of which nothing waits.
        for (paused, stops_ada, stops_eve) in [
            ("everything".to_owned(), true, true),
            ("model:vignette-1".to_owned(), true, true),
            ("model:another".to_owned(), false, false),
            ("lane:batch".to_owned(), true, false),
            ("lane:interactive".to_owned(), false, true),
            (format!("tenant:{}", ada.tenant), true, false),
            (format!("tenant:{}", eve.tenant), false, true),
        ] {
            world.pause(&paused).await;
            // Also what comes meanwhile is taken in, and waits.
            world.submit_by(ada).await;
            world.submit_by(eve).await;
            let mut begun = HashSet::new();
            while let Some(tenant) = world.begin_next().await {
                begun.insert(tenant);
            }
            assert_eq!((begun.contains(&ada.tenant), begun.contains(&eve.tenant)), (!stops_ada, !stops_eve), "{paused}");
            assert!(!world.queue().reserve_suspect(Stage::Sampling, worker(), MODELS).await.unwrap());
            assert!(world.resume(&paused).await && !world.resume(&paused).await, "{paused}");
            while let Some(tenant) = world.begin_next().await {
                begun.insert(tenant);
            }
            assert_eq!(begun.len(), 2, "{paused}: all go on");
        }
    }

    async fn another_process_knows_of_a_pause_within_a_second(database: TempDatabase) {
        let world = World::new(database).await;
        let elsewhere = world.database.open_at(&world.dial).await.unwrap();
        for _ in 0..2 {
            world.submit().await;
        }
        assert!(claim_by(&elsewhere).await.is_some(), "it has just looked, and nothing is paused");
        world.pause("everything").await;
        let paused = Instant::now();
        while elsewhere.pauses().await.unwrap().all().is_empty() {
            assert!(paused.elapsed() < Duration::from_secs(1));
            tokio::task::yield_now().await;
        }
        assert!(claim_by(&elsewhere).await.is_none());
        world.resume("everything").await;
        let resumed = Instant::now();
        while claim_by(&elsewhere).await.is_none() {
            assert!(resumed.elapsed() < Duration::from_secs(1));
            tokio::task::yield_now().await;
        }
    }

    async fn whoever_waits_for_work_wakes_when_it_is_resumed(database: TempDatabase) {
        let world = World::new(database).await;
        world.pause("everything").await;
        let mut changes = world.store.signals().subscribe();
        world.resume("everything").await;
        tokio::time::timeout(Duration::from_secs(60), changes.recv()).await.expect("a wake-up").unwrap();
    }

    async fn what_runs_when_it_is_paused_goes_on_and_loses_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        world.pause("everything").await;
        world.dial.advance_ms(LEASE_MS / 2);
        assert!(world.queue().renew(&[claimed.token], LEASE_MS).await.unwrap().lost.is_empty());
        world.hand_over(&claimed.token).await;
        assert!(world.claim(Stage::Decoding).await.is_none());
        // However long it lasts.
        world.dial.advance_ms(100 * LEASE_MS);
        assert_eq!(world.expire_leases().await, 0);
        world.resume("everything").await;
        let decoding = world.claim(Stage::Decoding).await.unwrap();
        world.succeed(&decoding.token).await;
        let job = world.job(claimed.job.id).await;
        assert_eq!((job.lifecycle.state.name(), job.lifecycle.attempts), ("succeeded", 1));
        assert!(job.failed_attempts.is_empty());
    }

    async fn who_was_paused_has_saved_nothing_up(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        for _ in 0..30 {
            world.submit_by(ada).await;
            world.submit_by(eve).await;
            world.submit_by(eve).await;
        }
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        for _ in 0..25 {
            assert_eq!(world.begin_next().await, Some(eve.tenant));
        }
        // A newcomer passes none of those that wait, though one is paused far behind.
        let bob = world.team("bob", |plan| plan).await;
        world.submit_by(bob).await;
        let turn = [world.begin_next().await, world.begin_next().await, world.begin_next().await].iter().position(|tenant| *tenant == Some(bob.tenant));
        assert!(turn.is_some());
        assert!(world.resume(&paused).await);
        let mut had = 0;
        for _ in 0..10 {
            had += usize::from(world.begin_next().await == Some(ada.tenant));
        }
        assert!((4..=6).contains(&had), "{had} of ten, where half is its share");
    }

    async fn neither_places_nor_forecasts_count_what_is_paused(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        for _ in 0..5 {
            world.submit_by(ada).await;
        }
        let hers = world.submit_by(eve).await;
        world.pause(&format!("tenant:{}", ada.tenant)).await;
        let open = world.queue().state().await.unwrap().jobs;
        assert_eq!(open.iter().map(|job| job.id).collect::<Vec<_>>(), [hers]);
        let job = world.store.tenant(eve.tenant).jobs().get(hers).await.unwrap().unwrap();
        let (line, place) = job.place();
        assert_eq!(world.queue().snapshot().await.unwrap().position_in(line, place), 1);
        world.pause("lane:interactive").await;
        assert!(world.queue().state().await.unwrap().jobs.is_empty());
    }

    async fn pauses_are_kept_with_their_reason_and_stand_in_the_logs(database: TempDatabase) {
        let world = World::new(database).await;
        let operator = world.store.operator();
        let by = Some(Asked { user: world.user, address: "192.0.2.7" });
        let (lane, tenant) = (scope("lane:batch"), PauseScope::Tenant(world.tenant));
        operator.pause(&lane, ActOfOperator { by, reason: "a move" }).await.unwrap();
        world.dial.advance_ms(5);
        operator.pause(&tenant, because("")).await.unwrap();
        operator.pause(&lane, ActOfOperator { by, reason: "a longer move" }).await.unwrap();
        let pauses = world.store.pauses().await.unwrap();
        let kept: Vec<_> = pauses.all().iter().map(|pause| (pause.scope.clone(), pause.reason.as_deref())).collect();
        assert_eq!(kept, [(lane.clone(), Some("a longer move")), (tenant.clone(), None)]);
        operator.resume(&lane, ActOfOperator { by, reason: "done" }).await.unwrap();
        let acts = operator.queue_acts(10).await.unwrap();
        let told: Vec<_> = acts.iter().map(|entry| (entry.act, entry.subject.as_str(), entry.user.as_deref())).collect();
        let ada = Some("ada@example.com");
        assert_eq!(told, [
            (Act::QueueResumed, "lane:batch: done", ada),
            (Act::QueuePaused, "lane:batch: a longer move", ada),
            (Act::QueuePaused, &*tenant.to_string(), None),
            (Act::QueuePaused, "lane:batch: a move", ada),
        ]);
        let theirs = world.store.tenant(world.tenant).members().audit_log(None, 50).await.unwrap();
        assert_eq!(theirs.iter().filter(|entry| entry.act == Act::QueuePaused).count(), 1, "of lanes nobody's log says anything");
    }

    async fn a_job_in_quarantine_is_begun_by_nobody_and_keeps_its_place(database: TempDatabase) {
        let world = World::new(database).await;
        let (first, second) = (world.submit().await.id, world.submit().await.id);
        world.quarantine(first).await.unwrap();
        assert!(is_refused(world.quarantine(first).await, "quarantined"));
        let held = world.job(first).await;
        assert_eq!((held.lifecycle.state.name(), held.quarantine_reason.as_deref()), ("ready", Some("Is this yours?")));
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, second);
        assert!(world.claim(Stage::Sampling).await.is_none());
        assert!(is_refused(world.quarantine(second).await, "sampling") && is_refused(world.lift(second).await, "sampling"));
        let third = world.submit().await.id;
        world.lift(first).await.unwrap();
        assert_eq!(world.job(first).await.quarantine_reason, None);
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, first, "in front of those that came later");
        world.quarantine(third).await.unwrap();
        let listed = world.store.operator().in_quarantine().await.unwrap();
        assert_eq!(listed.iter().map(|row| (row.id, row.quarantine.clone().unwrap().1)).collect::<Vec<_>>(), [(third, "Is this yours?".to_owned())]);
        world.store.tenant(world.tenant).jobs().cancel(third).await.unwrap();
        assert!(world.store.operator().in_quarantine().await.unwrap().is_empty());
        let theirs = world.store.tenant(world.tenant).members().audit_log(None, 50).await.unwrap();
        assert_eq!(theirs.iter().filter(|entry| matches!(entry.act, Act::JobQuarantined | Act::QuarantineLifted)).count(), 3);
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn a_throttled_job_in_quarantine_enters_in_its_turn_and_keeps_no_other_out(database: TempDatabase) {
        let world = World::new(database).await;
        let rate = Some(VideoTime::from_ms(60_000));
        let team = world.team("few", |plan| Plan { lane: Lane::Batch, release_rate: rate, concurrency: Some(1), ..plan }).await;
        let (first, second) = (world.submit_by(team).await, world.submit_by(team).await);
        let (jobs, acts) = (world.store.tenant(team.tenant).jobs(), world.store.tenant(team.tenant).acts());
        acts.quarantine(first, because("why?")).await.unwrap();
        acts.quarantine(second, because("why?")).await.unwrap();
        world.dial.advance_ms(10_000);
        world.queue().release().await.unwrap();
        let entered = jobs.get(second).await.unwrap().unwrap();
        assert_eq!((entered.lifecycle.state.name(), entered.lifecycle.quarantined), ("ready", true), "the first takes no room");
        assert!(world.claim(Stage::Sampling).await.is_none());
        acts.lift(second, because("")).await.unwrap();
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, second);
    }

    async fn of_quarantine_and_claim_one_has_the_job(database: TempDatabase) {
        let world = World::new(database).await;
        let mut ids = Vec::new();
        for _ in 0..20 {
            ids.push(world.submit().await.id);
        }
        let put = join_all(ids.iter().map(|id| async { world.quarantine(*id).await.is_ok().then_some(*id) }));
        let taken = join_all((0..20).map(|_| async { world.claim(Stage::Sampling).await.map(|claimed| claimed.token.job) }));
        let (put, taken) = tokio::join!(put, taken);
        let (put, mut taken): (HashSet<_>, HashSet<_>) = (put.into_iter().flatten().collect(), taken.into_iter().flatten().collect());
        while let Some(claimed) = world.claim(Stage::Sampling).await {
            assert!(taken.insert(claimed.token.job));
        }
        assert!(put.is_disjoint(&taken));
        assert_eq!(put.len() + taken.len(), 20);
        for id in put {
            assert!(world.job(id).await.lifecycle.quarantined);
        }
    }

    async fn an_expedited_job_is_next_in_its_line_and_moves_no_other(database: TempDatabase) {
        let world = World::new(database).await;
        let mut ids = Vec::new();
        for _ in 0..4 {
            ids.push(world.submit().await.id);
        }
        let acts = world.store.tenant(world.tenant).acts();
        acts.expedite(ids[2], because("a fair")).await.unwrap();
        // Again, it stays there.
        acts.expedite(ids[2], because("a fair")).await.unwrap();
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, ids[2]);
        assert!(is_refused(acts.expedite(ids[2], because("")).await, "sampling"));
        world.quarantine(ids[1]).await.unwrap();
        assert!(is_refused(acts.expedite(ids[1], because("")).await, "quarantined"));
        let (eve, user) = account(&world.store, "eve@example.com").await;
        let hers = world.submit_by(Team { tenant: eve, user }).await;
        assert!(matches!(acts.expedite(hers, because("")).await, Err(JobActError::Unknown)), "not through another team's door");
        let order = [world.claim(Stage::Sampling).await.unwrap().token.job, world.claim(Stage::Sampling).await.unwrap().token.job];
        assert_eq!(order, [ids[0], hers], "a newcomer stands where it would have stood");
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, ids[3]);
    }
}
