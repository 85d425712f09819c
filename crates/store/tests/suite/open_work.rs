//! The running total of a tenant's open work: always the sum over its jobs.

use crate::{LEASE_MS, MODELS, World, account, migrating::after_steps, new_job, worker};
use domain::{
    FailureCode, Stage, TenantId, UserId, VideoTime,
    job::{AttemptFailure, FailureClass},
    scheduling::Suspects,
};
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Database, Statement};
use std::time::Duration;
use store::{Claimed, Repaired, Store, on_both_engines, testing::TempDatabase};
use tokio::time::timeout;
use uuid::Uuid;

/// Nothing here takes so long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The same numbers on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

async fn accounts(world: &World, count: usize) -> Vec<(TenantId, UserId)> {
    let mut accounts = vec![(world.tenant, world.user)];
    for n in 1..count {
        accounts.push(account(&world.store, &format!("tenant{n}@example.com")).await);
    }
    accounts
}

async fn submit(store: &Store, (tenant, user): (TenantId, UserId)) {
    store.tenant(tenant).jobs().submit(new_job(user), None).await.unwrap();
}

/// Nothing to mend: every total is the sum.
async fn assert_true(store: &Store) {
    assert_eq!(store.open_work().repair(None, 100).await.unwrap(), (vec![], None));
}

/// By hand, past every rule.
async fn execute(database: &TempDatabase, sql: &str) {
    Database::connect(database.url_of_all()).await.unwrap().execute_unprepared(sql).await.unwrap();
}

/// A tenant with one job that waits and one that has ended, as the version before stored them.
async fn as_before(database: &TempDatabase) -> TenantId {
    let before = after_steps(database, 2).await;
    let id = Uuid::now_v7();
    let rows = [
        ("INSERT INTO tenants (id, name, created_at_ms) VALUES ($1, 'ada', 0)", id),
        ("INSERT INTO users (id, tenant_id, email, password_hash, is_operator, created_at_ms) VALUES ($1, $1, 'ada', '', false, 0)", id),
        (WAITING_JOB, id),
        ("UPDATE jobs SET state = 'succeeded', waits_for = NULL, ended_at_ms = 1 WHERE id = $1", id),
        (WAITING_JOB, Uuid::now_v7()),
        ("UPDATE jobs SET tenant_id = $1, user_id = $1", id),
    ];
    for (sql, id) in rows {
        before.execute_raw(Statement::from_sql_and_values(before.get_database_backend(), sql, [id.into()])).await.unwrap();
    }
    TenantId::from_uuid(id)
}

const WAITING_JOB: &str = "INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, \
     billed_ms, state, waits_for, epoch, attempts, suspect, not_before_ms, revision, step, created_at_ms) SELECT $1, id, id, 'vignette-1', \
     'a red ball', 96, 96, 2000, 24, 3, 7, 2000, 'ready', 'sampling', 0, 0, false, 0, 1, 0, 0 FROM tenants";

/// What a worker may do with a job that it has.
async fn end(world: &World, claimed: &Claimed, how: u64) {
    let (queue, token) = (world.queue(), &claimed.token);
    match (how, token.stage) {
        (0, _) => queue.report_failure(token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap(),
        (1, _) => queue.report_failure(token, FailureClass::Bug).await.unwrap(),
        (2, _) => queue.give_back(token).await.unwrap(),
        (3, _) => assert_eq!(world.lose_leases().await, 1),
        (_, Stage::Sampling) => world.hand_over(token).await,
        (4, Stage::Decoding) => queue.report_failure(token, FailureClass::LostLatents).await.unwrap(),
        (_, Stage::Decoding) => world.succeed(token).await,
    }
}

on_both_engines! {
    async fn the_total_is_the_sum_whatever_happens_to_jobs(database: TempDatabase) {
        let world = World::new(database).await;
        let (accounts, mut dice, mut submitted) = (accounts(&world, 3).await, Dice(7), Vec::new());
        for _ in 0..300 {
            let (tenant, user) = accounts[usize::try_from(dice.roll(3)).unwrap()];
            let jobs = world.store.tenant(tenant).jobs();
            match dice.roll(6) {
                0 | 1 => {
                    let mut job = new_job(user);
                    job.quote.billed = VideoTime::from_ms(1000 + dice.roll(5000));
                    submitted.push((tenant, jobs.submit(job, None).await.unwrap().job.id));
                }
                what @ (2 | 3) if !submitted.is_empty() => {
                    let (tenant, id) = submitted[usize::try_from(dice.roll(submitted.len() as u64)).unwrap()];
                    let jobs = world.store.tenant(tenant).jobs();
                    if what == 2 {
                        jobs.cancel(id).await.unwrap();
                    } else {
                        jobs.delete(id).await.unwrap();
                    }
                }
                which => {
                    let stage = if which == 4 { Stage::Sampling } else { Stage::Decoding };
                    if let Some(claimed) = world.claim(stage).await {
                        end(&world, &claimed, dice.roll(8)).await;
                    }
                    world.pass_pause();
                }
            }
            assert_true(&world.store).await;
        }
        world.queue().forget_deleted().await.unwrap();
        assert_true(&world.store).await;
    }

    async fn sixteen_who_submit_and_end_jobs_of_four_tenants_never_wait_in_a_ring(database: TempDatabase) {
        let world = World::new(database).await;
        let accounts = accounts(&world, 4).await;
        for n in 0..320 {
            submit(&world.store, accounts[n % 4]).await;
        }
        let work = (0..16_usize).map(|n| {
            let (store, account) = (world.store.clone(), accounts[n % 4]);
            tokio::spawn(async move {
                for _ in 0..20 {
                    let claimed = store.queue().claim(Stage::Sampling, worker(), MODELS, LEASE_MS, Suspects::Take).await.unwrap();
                    let token = claimed.expect("more wait than are ended").token;
                    match n % 4 {
                        0 => store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap(),
                        1 => assert!(store.tenant(token.tenant).jobs().cancel(token.job).await.unwrap().is_some()),
                        2 => assert!(store.tenant(token.tenant).jobs().delete(token.job).await.unwrap()),
                        _ => submit(&store, account).await,
                    }
                }
            })
        });
        for done in timeout(PATIENCE, join_all(work)).await.expect("nobody waits for ever") {
            done.unwrap();
        }
        assert_true(&world.store).await;
    }

    async fn leases_of_many_tenants_that_run_out_together_end_beside_cancellations(database: TempDatabase) {
        let world = World::new(database).await;
        let accounts = accounts(&world, 4).await;
        let mut ids = Vec::new();
        for n in 0..200 {
            let (tenant, user) = accounts[n % 4];
            ids.push((tenant, world.store.tenant(tenant).jobs().submit(new_job(user), None).await.unwrap().job.id));
        }
        for attempt in 0..3 {
            while world.claim(Stage::Sampling).await.is_some() {}
            world.dial.advance_ms(LEASE_MS);
            let cancelled = ids.iter().skip(attempt).step_by(7).map(|(tenant, id)| {
                let (store, tenant, id) = (world.store.clone(), *tenant, *id);
                tokio::spawn(async move { store.tenant(tenant).jobs().cancel(id).await.map(drop) })
            });
            let expired = (0..4).map(|_| { let store = world.store.clone(); tokio::spawn(async move { store.queue().expire_leases(store.now().await?).await.map(drop) }) });
            let all: Vec<_> = cancelled.chain(expired).collect();
            for done in timeout(PATIENCE, join_all(all)).await.expect("nobody waits for ever") {
                done.unwrap().unwrap();
            }
            world.pass_pause();
            world.dial.advance_ms(60_000);
        }
        assert_true(&world.store).await;
        for (tenant, _) in accounts {
            assert_eq!(world.store.tenant(tenant).jobs().open_work().await.unwrap(), VideoTime::default());
        }
    }

    async fn jobs_of_the_version_before_are_counted_when_the_schema_is_brought_up_to_date(database: TempDatabase) {
        let tenant = as_before(&database).await;
        let store = database.open().await.unwrap();
        assert_eq!(store.tenant(tenant).jobs().open_work().await.unwrap(), VideoTime::from_ms(2000));
        assert_true(&store).await;
    }

    async fn a_total_that_was_changed_by_hand_is_found_and_mended(database: TempDatabase) {
        let world = World::new(database).await;
        let accounts = accounts(&world, 5).await;
        world.submit().await;
        execute(&world.database, "UPDATE tenants SET open_ms = open_ms - 500").await;
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let (repaired, next) = world.store.open_work().repair(after, 2).await.unwrap();
            found.extend(repaired);
            after = next;
            if after.is_none() { break }
        }
        assert_eq!(found.len(), 5);
        assert!(found.contains(&Repaired { tenant: world.tenant, was_ms: 1500, is_ms: 2000 }));
        assert!(found.contains(&Repaired { tenant: accounts[4].0, was_ms: -500, is_ms: 0 }));
        assert_true(&world.store).await;
    }
}
