//! The books, after many operations at random: whatever happens in whatever order, every rule of the ledger holds.
//!
//! `REELMILL_LEDGER_OPERATIONS` says how many, `REELMILL_LEDGER_SEED` which.

use crate::{MODELS, World, account, new_job, object, worker};
use domain::{
    ApiKeyId, FailureCode, JobId, ProjectId, Scopes, Stage, TenantId, UserId, VideoTime,
    billing::{GrantKind, Included, Spender, SpendingLimits},
    job::{AttemptFailure, FailureClass},
    scheduling::Suspects,
};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use store::{
    ArtifactKind, Asked, Claimed, KeySecret, KeyTerms, LeaseError, NewApiKey, NewGrant, NewRefund, RefundError, SubmitError, chance,
    on_both_engines,
};

const OPERATIONS: u64 = 500;
const TENANTS: usize = 4;
const PLANS: [&str; 5] = ["unlimited", "free", "payg", "pro", "enterprise"];
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// What goes on.
struct Business {
    world: World,
    random: Random,
    tenants: Vec<(TenantId, UserId)>,
    open: Vec<(TenantId, JobId)>,
    held: Vec<Claimed>,
    /// Projects of each tenant, with a key of each.
    payers: HashMap<TenantId, [(ProjectId, ApiKeyId); 2]>,
    grants: u64,
}

impl Business {
    async fn new(world: World, seed: u64) -> Self {
        let (mut tenants, mut payers) = (Vec::new(), HashMap::new());
        for number in 0..TENANTS {
            let (tenant, user) = account(&world.store, &format!("tenant-{number}@example.com")).await;
            let rows = world.store.tenant(tenant);
            let web = rows.projects().create(Asked { user, address: "" }, "Web").await.unwrap();
            let mut of_tenant = Vec::new();
            for project in [ProjectId::default_of(tenant), web] {
                let terms = KeyTerms { project, scopes: Scopes::ALL, expires_at: None, requests_per_minute: None };
                let id = ApiKeyId::from_uuid(chance::new_id());
                let secret = KeySecret { id, hint: String::new(), secret_sha256: Sha256::digest(id.to_string()).into() };
                let new = NewApiKey { secret, user, name: "ci".into(), terms };
                of_tenant.push((project, rows.api_keys().create(new, 9, "").await.unwrap().id));
            }
            payers.insert(tenant, [of_tenant[0], of_tenant[1]]);
            tenants.push((tenant, user));
        }
        Self { world, random: Random(seed), tenants, open: Vec::new(), held: Vec::new(), payers, grants: 0 }
    }

    async fn step(&mut self) {
        let (tenant, user) = self.tenants[self.random.below(TENANTS)];
        match self.random.below(20) {
            0..6 => self.submit(tenant, user).await,
            6..9 => self.claim(Stage::Sampling).await,
            9..12 => self.claim(Stage::Decoding).await,
            12..16 => self.report().await,
            16 => self.end_open(tenant).await,
            17 => self.grant(tenant).await,
            18 if self.random.below(2) == 0 => self.limit(tenant, user).await,
            18 => self.change_plan(tenant).await,
            _ => self.pass_time().await,
        }
    }

    async fn submit(&mut self, tenant: TenantId, user: UserId) {
        let mut job = new_job(user);
        job.quote.billed = VideoTime::from_ms(1 + self.random.next() % 20_000);
        if self.random.below(3) > 0 {
            let (project, key) = self.payers[&tenant][self.random.below(2)];
            (job.project, job.api_key) = (Some(project), Some(key));
        }
        match self.world.store.tenant(tenant).jobs().submit(job, None).await {
            Ok(submitted) => self.open.push((tenant, submitted.job.id)),
            Err(SubmitError::NotAdmitted(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }

    /// Sets, changes or removes a limit of the tenant, of a project or of a key.
    async fn limit(&mut self, tenant: TenantId, user: UserId) {
        let asked = Asked { user, address: "" };
        let rows = self.world.store.tenant(tenant);
        let (project, key) = self.payers[&tenant][self.random.below(2)];
        let ms = (self.random.below(4) > 0).then(|| VideoTime::from_ms(self.random.next() % 200_000));
        let spender = [Spender::Tenant, Spender::Project(project), Spender::Key(key)][self.random.below(3)];
        assert!(rows.spending().set(asked, spender, SpendingLimits { hard: ms, soft: ms }).await.unwrap());
    }

    async fn claim(&mut self, stage: Stage) {
        self.held.extend(self.world.queue().claim(stage, worker(), MODELS, crate::LEASE_MS, Suspects::Take).await.unwrap());
    }

    /// A worker tells what became of one of its jobs; it may have lost it.
    async fn report(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let Claimed { token, .. } = self.held.swap_remove(self.random.below(self.held.len()));
        let queue = self.world.queue();
        let done = match (self.random.below(8), token.stage) {
            (0, _) => queue.report_failure(&token, FailureClass::DeviceMemory).await,
            (1, _) => queue.report_failure(&token, AttemptFailure::refused(FailureCode::EngineError)).await,
            (2, _) => queue.give_back(&token).await,
            (_, Stage::Sampling) => match queue.announce(&token, &[ArtifactKind::Latents]).await {
                Ok(_) => queue.hand_over(&token, object(ArtifactKind::Latents), 100).await,
                Err(error) => Err(error),
            },
            (_, Stage::Decoding) => match queue.announce(&token, &[ArtifactKind::Video]).await {
                Ok(_) => queue.succeed(&token, vec![object(ArtifactKind::Video)], None, 100).await,
                Err(error) => Err(error),
            },
        };
        assert!(matches!(done, Ok(()) | Err(LeaseError::Lost { .. })), "{done:?}");
    }

    async fn end_open(&mut self, tenant: TenantId) {
        let jobs = self.world.store.tenant(tenant).jobs();
        if !self.open.is_empty() && self.random.below(3) == 0 {
            let (tenant, job) = self.open[self.random.below(self.open.len())];
            let amount = (self.random.below(2) == 0).then_some(VideoTime::from_ms(700));
            let once = self.random.below(1000).to_string();
            let refund = NewRefund { job, amount, reason: "asked for", once: &once };
            let refunded = self.world.store.tenant(tenant).credits().refund(refund, None).await;
            assert!(matches!(refunded, Ok(_) | Err(RefundError::TooMuch { .. })), "{refunded:?}");
        }
        match self.random.below(3) {
            0 => {
                jobs.cancel_waiting(20).await.unwrap();
            }
            choice if !self.open.is_empty() => {
                let (tenant, job) = self.open.swap_remove(self.random.below(self.open.len()));
                let jobs = self.world.store.tenant(tenant).jobs();
                if choice == 1 {
                    jobs.cancel(job).await.unwrap();
                } else {
                    jobs.delete(job).await.unwrap();
                }
            }
            _ => {}
        }
    }

    async fn grant(&mut self, tenant: TenantId) {
        // Every other one comes twice.
        self.grants += 1;
        let days = self.random.next() % 40;
        let expires_at = (days > 0).then_some(self.world.store.now().await.unwrap().plus_ms((days * DAY_MS).cast_signed()));
        let amount = VideoTime::from_ms(1 + self.random.next() % 50_000);
        let cause = format!("cause {}", self.grants / 2);
        let new = NewGrant { kind: GrantKind::Gift, amount, expires_at, cause, price: None, note: None };
        self.world.store.tenant(tenant).credits().grant(new).await.unwrap();
    }

    async fn change_plan(&mut self, tenant: TenantId) {
        let id = PLANS[self.random.below(PLANS.len())];
        if self.random.below(3) > 0 {
            return self.world.store.tenant(tenant).credits().set_plan(id).await.unwrap();
        }
        let mut plan = self.world.store.plans().find(id).await.unwrap().unwrap();
        plan.included = Included::MonthlyMs(VideoTime::from_ms(self.random.next() % 100_000));
        if let Some(overage) = &mut plan.overage {
            overage.limit_ms = VideoTime::from_ms(self.random.next() % 100_000);
        }
        self.world.store.plans().define(&plan, None).await.unwrap();
    }

    async fn pass_time(&mut self) {
        let ms = match self.random.below(4) {
            0 => self.random.next() % (20 * DAY_MS),
            1 => crate::LEASE_MS.unsigned_abs(),
            _ => self.random.next() % 2000,
        };
        self.world.dial.advance_ms(ms.cast_signed());
        self.world.expire_leases().await;
    }

    async fn check(&self, operation: u64) {
        let verified = self.world.store.check().ledger().await.unwrap();
        assert!(verified.faults.is_empty(), "after {operation} operations: {:?}", verified.faults);
        for (tenant, _) in &self.tenants {
            let balance = self.world.store.tenant(*tenant).credits().balance().await.unwrap();
            assert!(balance.grants.iter().all(|grant| grant.rest <= grant.amount), "after {operation} operations: {balance:?}");
        }
    }
}

on_both_engines! {
    async fn whatever_happens_the_books_are_true(database: TempDatabase) {
        let seed = number("REELMILL_LEDGER_SEED").unwrap_or_else(|| chance::new_id().as_u64_pair().1);
        eprintln!("REELMILL_LEDGER_SEED={seed}");
        let operations = number("REELMILL_LEDGER_OPERATIONS").unwrap_or(OPERATIONS);
        let mut business = Business::new(World::new(database).await, seed).await;
        let pause = (operations / 20).max(50);
        for operation in 1..=operations {
            business.step().await;
            if operation % pause == 0 {
                business.check(operation).await;
            }
        }
        business.check(operations).await;
        assert!(business.world.store.check().ledger().await.unwrap().entries > operations / 4);
    }
}
