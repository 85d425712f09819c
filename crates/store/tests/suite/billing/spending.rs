//! Spending limits: what is held and what was charged in the month never pass them, whoever comes when.

use crate::{World, account, new_job};
use domain::{
    ApiKeyId, ProjectId, Scopes, Stage, VideoTime,
    billing::{Spender, Spending, SpendingLimits},
    scheduling::AdmissionError,
};
use futures::future::join_all;
use store::{Asked, KeySecret, KeyTerms, NewApiKey, NewJob, SubmitError, on_both_engines};
use uuid::Uuid;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

fn limits(hard_ms: Option<u64>, soft_ms: Option<u64>) -> SpendingLimits {
    SpendingLimits { hard: hard_ms.map(VideoTime::from_ms), soft: soft_ms.map(VideoTime::from_ms) }
}

impl World {
    async fn limit(&self, spender: Spender, hard_ms: Option<u64>, soft_ms: Option<u64>) {
        let asked = Asked { user: self.user, address: "" };
        assert!(self.store.tenant(self.tenant).spending().set(asked, spender, limits(hard_ms, soft_ms)).await.unwrap());
    }

    async fn spending(&self, spender: Spender) -> Option<Spending> {
        let all = self.store.tenant(self.tenant).spending().list().await.unwrap();
        all.into_iter().find(|spending| spending.spender == spender)
    }

    /// What is held and what was charged, in milliseconds.
    async fn spent(&self, spender: Spender) -> (u64, u64) {
        let Spending { held, charged, .. } = self.spending(spender).await.unwrap();
        (held.ms(), charged.ms())
    }

    /// What is told before the click, in milliseconds.
    async fn limit_left(&self) -> Option<u64> {
        self.store.tenant(self.tenant).credits().balance().await.unwrap().limit_left.map(VideoTime::ms)
    }

    async fn is_true(&self) {
        assert_eq!(self.store.check().ledger().await.unwrap().faults, []);
    }

    async fn key_in(&self, project: ProjectId, secret: u8) -> ApiKeyId {
        let terms = KeyTerms { project, scopes: Scopes::ALL, expires_at: None, requests_per_minute: None };
        let id = ApiKeyId::from_uuid(Uuid::now_v7());
        let secret = KeySecret { id, hint: "x".into(), secret_sha256: [secret; 32] };
        let new = NewApiKey { secret, user: self.user, name: "ci".into(), terms };
        self.store.tenant(self.tenant).api_keys().create(new, 99, "").await.unwrap();
        id
    }

    async fn mails(&self) -> usize {
        self.texts("SELECT payload FROM outbox WHERE kind = 'mail'").await.iter().filter(|text| text.contains("spending_reached")).count()
    }
}

fn refused(answer: Result<store::Submitted, SubmitError>) -> String {
    match answer {
        Err(SubmitError::NotAdmitted(error @ AdmissionError::SpendingLimitReached { .. })) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

on_both_engines! {
    async fn a_limit_of_twelve_seconds_lets_six_clips_in_whatever_comes_in_parallel(database: TempDatabase) {
        let world = World::new(database).await;
        world.limit(Spender::Tenant, Some(12_000), None).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let answers = join_all((0..40).map(|_| jobs.submit(world.new_job(), None))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 6);
        assert_eq!(world.spent(Spender::Tenant).await, (12_000, 0));
        let said = refused(answers.into_iter().find(Result::is_err).unwrap());
        assert!(said.starts_with("The spending limit of the team is reached: 12 of 12 video-seconds are used or set aside this month, and this costs 2. It starts anew on 2027-02-01"), "{said}");
        world.is_true().await;
        // What is released comes back.
        assert_eq!(world.store.tenant(world.tenant).jobs().cancel_waiting(2).await.unwrap(), 2);
        assert_eq!(world.spent(Spender::Tenant).await, (8000, 0));
        assert!(jobs.submit(world.new_job(), None).await.is_ok());
        world.is_true().await;
    }

    async fn what_was_charged_counts_until_the_month_is_over_and_what_is_held_also_then(database: TempDatabase) {
        let world = World::new(database).await;
        let before = world.decoding().await;
        world.succeed(&before.token).await;
        world.submit().await;
        // It is given its limit when something was used already.
        world.limit(Spender::Tenant, Some(5000), None).await;
        assert_eq!(world.spent(Spender::Tenant).await, (2000, 2000));
        assert_eq!(world.limit_left().await, Some(1000));
        let jobs = world.store.tenant(world.tenant).jobs();
        refused(jobs.submit(world.new_job(), None).await);
        world.is_true().await;
        world.dial.advance_ms(31 * DAY_MS);
        assert_eq!(world.spent(Spender::Tenant).await, (2000, 0));
        assert_eq!(world.limit_left().await, Some(3000));
        world.limit(Spender::Project(ProjectId::default_of(world.tenant)), Some(2500), None).await;
        assert_eq!(world.limit_left().await, Some(500));
        world.limit(Spender::Project(ProjectId::default_of(world.tenant)), None, None).await;
        jobs.submit(world.new_job(), None).await.unwrap();
        refused(jobs.submit(world.new_job(), None).await);
        world.is_true().await;
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        world.hand_over(&claimed.token).await;
        let decoding = world.claim(Stage::Decoding).await.unwrap();
        world.succeed(&decoding.token).await;
        assert_eq!(world.spent(Spender::Tenant).await, (2000, 2000));
        world.is_true().await;
    }

    async fn project_and_key_have_limits_of_their_own_which_a_rotated_key_shares(database: TempDatabase) {
        let world = World::new(database).await;
        let tenant = world.store.tenant(world.tenant);
        let asked = Asked { user: world.user, address: "" };
        let web = tenant.projects().create(asked, "Web").await.unwrap();
        let (first, other) = (world.key_in(web, 1).await, world.key_in(web, 2).await);
        world.limit(Spender::Project(web), Some(8000), None).await;
        world.limit(Spender::Key(first), Some(4000), None).await;
        let submit = async |key: Option<ApiKeyId>| tenant.jobs().submit(NewJob { api_key: key, project: key.map(|_| web), ..world.new_job() }, None).await;
        submit(Some(first)).await.unwrap();
        let secret = KeySecret { id: ApiKeyId::from_uuid(Uuid::now_v7()), hint: "x".into(), secret_sha256: [3; 32] };
        let second = tenant.api_keys().rotate(asked, first, secret, DAY_MS, 9).await.unwrap().id;
        submit(Some(second)).await.unwrap();
        for key in [first, second] {
            assert!(refused(submit(Some(key)).await).starts_with("The spending limit of the API key ci is reached: 4 of 4"));
        }
        submit(Some(other)).await.unwrap();
        submit(Some(other)).await.unwrap();
        assert!(refused(submit(Some(other)).await).starts_with("The spending limit of the project Web is reached: 8 of 8"));
        submit(None).await.unwrap();
        assert_eq!((world.spent(Spender::Key(first)).await, world.spent(Spender::Project(web)).await), ((4000, 0), (8000, 0)));
        world.is_true().await;
        // Another limit of a later key is that of the first.
        world.limit(Spender::Key(second), Some(6000), None).await;
        assert_eq!(world.spending(Spender::Key(first)).await.unwrap().limits, limits(Some(6000), None));
        world.limit(Spender::Key(second), None, None).await;
        world.limit(Spender::Project(web), None, None).await;
        submit(Some(first)).await.unwrap();
        assert_eq!(world.count("spending_limits").await, 0);
        assert_eq!(world.texts("SELECT CAST(has_spending_limits AS TEXT) FROM tenants").await.len(), 1);
        world.is_true().await;
        assert!(!tenant.spending().set(asked, Spender::Key(ApiKeyId::from_uuid(Uuid::now_v7())), limits(Some(1), None)).await.unwrap());
        assert!(!tenant.spending().set(asked, Spender::Project(ProjectId::from_uuid(Uuid::now_v7())), limits(Some(1), None)).await.unwrap());
    }

    async fn the_limit_of_a_rotated_key_is_changed_when_its_first_key_is_gone(database: TempDatabase) {
        let world = World::new(database).await;
        let tenant = world.store.tenant(world.tenant);
        let first = world.key_in(ProjectId::default_of(world.tenant), 1).await;
        world.limit(Spender::Key(first), Some(4000), None).await;
        let secret = KeySecret { id: ApiKeyId::from_uuid(Uuid::now_v7()), hint: "x".into(), secret_sha256: [3; 32] };
        let asked = Asked { user: world.user, address: "" };
        let second = tenant.api_keys().rotate(asked, first, secret, DAY_MS, 9).await.unwrap();
        // As with the account of whoever made it.
        let gone = "DELETE FROM api_keys WHERE id = (SELECT spender_id FROM api_keys WHERE spender_id IS NOT NULL)";
        assert_eq!(world.sql(gone).await.rows_affected(), 1);
        assert_eq!(second.spender, first);
        world.limit(Spender::Key(second.spender), Some(6000), None).await;
        assert_eq!(world.spending(Spender::Key(first)).await.unwrap().limits, limits(Some(6000), None));
        world.limit(Spender::Key(second.spender), None, None).await;
        assert_eq!(world.spending(Spender::Key(first)).await, None);
    }

    async fn rotated_keys_of_which_a_limit_counts_nothing_are_kept_no_longer_than_others(database: TempDatabase) {
        let world = World::new(database).await;
        let tenant = world.store.tenant(world.tenant);
        let keys = tenant.api_keys();
        let first = world.key_in(ProjectId::default_of(world.tenant), 0).await;
        world.limit(Spender::Key(first), Some(9000), None).await;
        let job = tenant.jobs().submit(NewJob { api_key: Some(first), ..world.new_job() }, None).await.unwrap().job.id;
        let rotate = async |live: ApiKeyId, secret: u8| {
            world.dial.advance_ms(1);
            let secret = KeySecret { id: ApiKeyId::from_uuid(Uuid::now_v7()), hint: "x".into(), secret_sha256: [secret; 32] };
            keys.rotate(Asked { user: world.user, address: "" }, live, secret, 0, 9).await.unwrap().id
        };
        let ended = async || keys.list_ended(99).await.unwrap().into_iter().map(|key| key.id).collect::<Vec<_>>();
        let mut live = first;
        for secret in 1..60 {
            live = rotate(live, secret).await;
        }
        assert_eq!(ended().await.len(), 59, "all have ended in the month that runs");
        world.dial.advance_ms(31 * DAY_MS);
        live = rotate(live, 60).await;
        let kept = ended().await;
        assert_eq!((kept.len(), kept.contains(&first)), (52, true), "with the one that has just ended, and the one whose job is open");
        assert_eq!(world.spent(Spender::Key(first)).await, (2000, 0));
        world.is_true().await;
        tenant.jobs().cancel(job).await.unwrap();
        world.dial.advance_ms(31 * DAY_MS);
        rotate(live, 61).await;
        let kept = ended().await;
        assert_eq!((kept.len(), kept.contains(&first)), (51, false));
        assert_eq!(world.spent(Spender::Key(first)).await, (0, 0));
        world.is_true().await;
    }

    async fn an_alert_is_sent_once_a_month_to_owners_and_billing_members(database: TempDatabase) {
        let world = World::new(database).await;
        let (_, billing) = account(&world.store, "billing@example.com").await;
        let (_, member) = account(&world.store, "member@example.com").await;
        for (user, role) in [(billing, "billing"), (member, "member")] {
            let made = format!("INSERT INTO memberships SELECT memberships.tenant_id, users.id, '{role}', 0 FROM memberships, users \
                 WHERE users.email = '{role}@example.com' AND memberships.user_id = (SELECT id FROM users WHERE email = 'ada@example.com')");
            assert_eq!(world.sql(&made).await.rows_affected(), 1, "{user}");
        }
        world.limit(Spender::Tenant, None, Some(4000)).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        jobs.submit(world.new_job(), None).await.unwrap();
        assert_eq!(world.mails().await, 0);
        join_all((0..9).map(|_| jobs.submit(new_job(world.user), None))).await;
        assert_eq!(world.mails().await, 2);
        world.dial.advance_ms(31 * DAY_MS);
        jobs.submit(world.new_job(), None).await.unwrap();
        assert_eq!(world.mails().await, 4);
        for passed in [Some(5000), Some(1), None, Some(22_000)] {
            world.limit(Spender::Tenant, Some(900_000), passed).await;
            jobs.submit(world.new_job(), None).await.unwrap();
        }
        assert_eq!(world.mails().await, 4, "what is passed was told");
        world.limit(Spender::Tenant, None, Some(31_000)).await;
        jobs.submit(world.new_job(), None).await.unwrap();
        assert_eq!(world.mails().await, 6, "another alert is told anew");
    }

    async fn a_wrong_sum_is_found(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        world.limit(Spender::Tenant, Some(9000), None).await;
        world.is_true().await;
        world.sql("UPDATE spending_limits SET held_ms = held_ms + 1").await;
        let faults = world.store.check().ledger().await.unwrap().faults;
        assert_eq!((faults.len(), faults[0].table, faults[0].row), (1, "spending_limits", world.tenant.uuid()));
        world.sql("UPDATE spending_limits SET held_ms = held_ms - 1, charged_ms = 1").await;
        assert_eq!(world.store.check().ledger().await.unwrap().faults.len(), 1);
        world.sql("UPDATE spending_limits SET charged_ms = 0").await;
        world.sql("UPDATE tenants SET has_spending_limits = FALSE").await;
        assert_eq!(world.store.check().ledger().await.unwrap().faults[0].table, "tenants");
    }

    async fn with_the_keys_of_who_leaves_their_limits_go_and_their_open_jobs_end_all_the_same(database: TempDatabase) {
        let world = World::new(database).await;
        let key = world.key_in(ProjectId::default_of(world.tenant), 1).await;
        world.limit(Spender::Key(key), Some(9000), None).await;
        world.limit(Spender::Tenant, Some(9000), None).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let job = jobs.submit(NewJob { api_key: Some(key), ..world.new_job() }, None).await.unwrap().job;
        world.sql("UPDATE users SET is_operator = FALSE").await;
        world.store.accounts().delete(world.user).await.unwrap();
        assert_eq!(world.count("spending_limits").await, 1);
        world.is_true().await;
        jobs.cancel(job.id).await.unwrap();
        assert_eq!(world.spent(Spender::Tenant).await, (0, 0));
        world.is_true().await;
    }
}
