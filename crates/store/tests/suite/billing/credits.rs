//! What tenants may use: granted, held, captured and released, and never more than there is.

use crate::{World, account, new_job};
use domain::{
    FailureCode, Stage, VideoTime,
    billing::{Currency, Day, EntryKind, GrantKind, Included, Lane, Money, Plan, UnitPrice, Usage, UsageGroup},
    job::AttemptFailure,
    scheduling::AdmissionError,
};
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Database};
use store::{Granted, NewGrant, NewRefund, Refunded, StoreError, SubmitError, on_both_engines};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

fn gift(ms: u64, cause: &str) -> NewGrant {
    NewGrant { kind: GrantKind::Gift, amount: VideoTime::from_ms(ms), expires_at: None, cause: cause.into(), price: None, note: None }
}

/// A refund of all that is still charged.
const fn whole(job: domain::JobId, once: &str) -> NewRefund<'_> {
    NewRefund { job, amount: None, reason: "not what was asked for", once }
}

impl World {
    async fn on_plan(database: store::testing::TempDatabase, plan: &str, gift_ms: u64) -> Self {
        let world = Self::new(database).await;
        world.credits().set_plan(plan).await.unwrap();
        if gift_ms > 0 {
            world.credits().grant(gift(gift_ms, "gift")).await.unwrap();
        }
        world
    }

    fn credits(&self) -> store::Credits<'_> {
        self.store.tenant(self.tenant).credits()
    }

    /// What can be used, and what is held, in milliseconds.
    async fn left(&self) -> (u64, u64) {
        let balance = self.credits().balance().await.unwrap();
        (balance.left(|_| true).ms(), balance.held.ms())
    }

    async fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let verified = self.store.check().ledger().await.unwrap();
        verified.faults.iter().map(|fault| (fault.table, fault.problem)).collect()
    }

    async fn edit_plan(&self, id: &str, change: impl FnOnce(&mut Plan)) {
        let mut plan = self.store.plans().find(id).await.unwrap().unwrap();
        change(&mut plan);
        assert!(self.store.plans().define(&plan, Some(self.user)).await.unwrap());
    }
}

fn is_out_of_credit<T>(answer: &Result<T, SubmitError>) -> bool {
    matches!(answer, Err(SubmitError::NotAdmitted(AdmissionError::OutOfCredit { .. })))
}

on_both_engines! {
    async fn every_plan_that_ships_can_be_read_and_be(database: TempDatabase) {
        let world = World::new(database).await;
        let plans = world.store.plans().list().await.unwrap();
        assert_eq!(plans.iter().map(|plan| &*plan.id).collect::<Vec<_>>(), ["unlimited", "free", "payg", "pro", "enterprise"]);
        assert!(plans.iter().all(|plan| plan.check().is_ok()));
    }

    async fn twelve_seconds_are_six_clips_whatever_comes_in_parallel(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 12_000).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let answers = join_all((0..40).map(|_| jobs.submit(world.new_job(), None))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 6);
        assert_eq!(answers.iter().filter(|answer| is_out_of_credit(answer)).count(), 34);
        assert_eq!(world.left().await, (0, 12_000));
        assert_eq!(world.faults().await, []);
    }

    async fn five_hundred_at_once_spend_exactly_the_fifty_there_are(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 100_000).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        // On a busy machine some find no connection in time, and ask again.
        let submit = async || {
            loop {
                let answer = jobs.submit(world.new_job(), None).await;
                if !matches!(answer, Err(SubmitError::Store(_))) {
                    return answer;
                }
            }
        };
        let answers = join_all((0..500).map(|_| submit())).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 50);
        assert_eq!(answers.iter().filter(|answer| is_out_of_credit(answer)).count(), 450);
        assert_eq!((world.left().await, world.count("jobs").await), ((0, 100_000), 50));
        assert_eq!(world.faults().await, []);
    }

    async fn a_video_is_charged_its_price_and_a_failure_nothing(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 12_000).await;
        let finished = world.decoding().await;
        world.succeed(&finished.token).await;
        let failed = world.submit().await;
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        assert_eq!(world.left().await, (8000, 2000));
        world.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::OutOfMemory)).await.unwrap();
        assert_eq!(world.left().await, (10_000, 0));
        assert_eq!(world.job(finished.job.id).await.charge.charged, Some(VideoTime::from_ms(2000)));
        assert_eq!(world.job(failed.id).await.charge.charged, Some(VideoTime::default()));
        let booked: Vec<_> = world.credits().of_job(failed.id).await.unwrap().into_iter().map(|row| (row.kind, row.note)).collect();
        assert_eq!(booked, [(EntryKind::Hold, None), (EntryKind::Release, Some("out_of_memory".into()))]);
        assert_eq!(world.faults().await, []);
    }

    async fn attempts_that_are_lost_cost_nothing(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 2000).await;
        let job = world.submit().await;
        for _ in 0..3 {
            world.pass_pause();
            world.claim(Stage::Sampling).await.unwrap();
            assert_eq!(world.left().await, (0, 2000));
            world.lose_leases().await;
        }
        assert_eq!((world.state(job.id).await, world.left().await), ("failed", (2000, 0)));
        assert_eq!(world.faults().await, []);
    }

    async fn what_is_cancelled_costs_what_was_done_of_it(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 12_000).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let waiting = world.submit().await;
        jobs.cancel(waiting.id).await.unwrap();
        assert_eq!(world.left().await, (12_000, 0));
        let decoding = world.decoding().await;
        jobs.delete(decoding.job.id).await.unwrap();
        assert_eq!(world.left().await, (11_000, 0), "sampling is half of the price");
        jobs.cancel(waiting.id).await.unwrap();
        assert_eq!(world.left().await, (11_000, 0), "cancelled once more, it is not released once more");
        assert_eq!(world.faults().await, []);
    }

    async fn what_is_included_is_used_before_credit_and_that_before_overage(database: TempDatabase) {
        let world = World::on_plan(database, "pro", 2000).await;
        world.edit_plan("pro", |plan| { plan.included = Included::MonthlyMs(VideoTime::from_ms(3000)); plan.overage.as_mut().unwrap().limit_ms = VideoTime::from_ms(2000); }).await;
        let mut kinds = Vec::new();
        for _ in 0..3 {
            let job = world.submit().await;
            kinds.push(world.credits().of_job(job.id).await.unwrap().iter().map(|row| (row.grant.unwrap(), row.amount.ms())).collect::<Vec<_>>());
        }
        use GrantKind::{Gift, Included as Plan, Overage};
        assert_eq!(kinds, [vec![(Plan, 2000)], vec![(Plan, 1000), (Gift, 1000)], vec![(Gift, 1000), (Overage, 1000)]]);
        let overage = world.credits().balance().await.unwrap().grants.pop().unwrap();
        assert_eq!((overage.kind, overage.rest.ms(), overage.price), (Overage, 1000, Some(UnitPrice { minor_per_minute: 60, currency: Currency::USD })));
        let listed = world.store.operator().tenants("", None, 10).await.unwrap().tenants;
        let of_tenant = listed.iter().find(|row| row.id == world.tenant).unwrap();
        assert_eq!((of_tenant.available.ms(), of_tenant.held.ms()), (0, 6000), "what is paid for afterwards is not left");
        assert!(is_out_of_credit(&world.store.tenant(world.tenant).jobs().submit(world.new_job(), None).await));
        assert_eq!(world.faults().await, []);
    }

    async fn a_plan_gives_anew_each_month_and_what_was_left_is_gone(database: TempDatabase) {
        let world = World::on_plan(database, "free", 0).await;
        let held = world.submit().await;
        assert_eq!(world.left().await, (118_000, 2000));
        world.dial.advance_ms(31 * DAY_MS);
        assert_eq!(world.left().await, (120_000, 2000));
        world.store.tenant(world.tenant).jobs().cancel(held.id).await.unwrap();
        assert_eq!(world.left().await, (120_000, 0), "of a month that is over nothing comes back");
        world.dial.advance_ms(400 * DAY_MS);
        assert_eq!(world.left().await, (120_000, 0), "months in which nothing was done are not added up");
        assert_eq!(world.faults().await, []);
    }

    async fn credit_expires_and_only_what_a_failed_job_held_is_left_for_a_day(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 0).await;
        let expires_at = Some(world.store.now().await.unwrap().plus_ms(DAY_MS));
        world.credits().grant(NewGrant { expires_at, ..gift(8000, "promotion") }).await.unwrap();
        let (failed, cancelled) = (world.submit().await, world.submit().await);
        world.dial.advance_ms(DAY_MS);
        assert!(is_out_of_credit(&world.store.tenant(world.tenant).jobs().submit(world.new_job(), None).await));
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        assert_eq!(claimed.job.id, failed.id);
        world.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::OutOfMemory)).await.unwrap();
        assert_eq!(world.left().await, (2000, 2000));
        world.dial.advance_ms(DAY_MS);
        assert_eq!(world.left().await, (0, 2000));
        world.store.tenant(world.tenant).jobs().cancel(cancelled.id).await.unwrap();
        assert_eq!(world.left().await, (0, 0), "nobody keeps credit alive by cancelling");
        assert_eq!(world.faults().await, []);
    }

    async fn what_a_plan_gives_no_more_and_then_again_is_there_again(database: TempDatabase) {
        let world = World::on_plan(database, "pro", 0).await;
        world.edit_plan("pro", |plan| plan.overage.as_mut().unwrap().limit_ms = VideoTime::from_ms(5000)).await;
        world.submit().await;
        let before = world.left().await;
        let (included, overage) = { let plan = world.store.plans().find("pro").await.unwrap().unwrap(); (plan.included, plan.overage) };
        world.edit_plan("pro", |plan| { plan.included = Included::MonthlyMs(VideoTime::default()); plan.overage = None; }).await;
        assert_eq!(world.left().await, (0, 2000));
        world.edit_plan("pro", |plan| { plan.included = included; plan.overage = overage; }).await;
        assert_eq!(world.left().await, before);
        world.credits().set_plan("unlimited").await.unwrap();
        let unlimited = world.left().await;
        world.edit_plan("unlimited", |plan| plan.included = Included::MonthlyMs(VideoTime::from_ms(7000))).await;
        assert_eq!(world.left().await, (7000, 2000));
        world.edit_plan("unlimited", |plan| plan.included = Included::Unlimited).await;
        assert_eq!(world.left().await, unlimited);
        assert_eq!(world.faults().await, []);
    }

    async fn a_plan_that_cannot_be_read_keeps_no_job_from_ending_and_no_other_plan_from_being_read(database: TempDatabase) {
        let world = World::on_plan(database, "free", 0).await;
        let made = world.decoding().await;
        world.sql("UPDATE plans SET terms = '{}' WHERE id = 'free'").await;
        world.dial.advance_ms(31 * DAY_MS);
        let again = world.store.end_lease(made.job.id).await;
        assert!(again.is_ok());
        assert_eq!(world.expire_leases().await, 1);
        world.store.tenant(world.tenant).jobs().cancel(made.job.id).await.unwrap();
        assert_eq!(world.state(made.job.id).await, "cancelled");
        assert_eq!(world.store.plans().list().await.unwrap().len(), 4);
        assert!(world.credits().balance().await.is_err());
    }

    async fn a_change_of_plan_counts_from_the_next_job_on(database: TempDatabase) {
        let world = World::new(database).await;
        let unlimited = world.submit().await;
        world.credits().set_plan("payg").await.unwrap();
        world.store.tenant(world.tenant).jobs().cancel(unlimited.id).await.unwrap();
        assert_eq!(world.left().await, (0, 0), "what no limit gave is no credit afterwards");
        assert!(is_out_of_credit(&world.store.tenant(world.tenant).jobs().submit(world.new_job(), None).await));
        world.credits().set_plan("pro").await.unwrap();
        let job = world.submit().await;
        assert_eq!((unlimited.charge.plan.as_deref(), job.charge.plan.as_deref()), (Some("unlimited"), Some("pro")));
        assert_eq!(world.credits().balance().await.unwrap().grants[0].rest.ms(), 3_598_000);
        world.credits().set_plan("pro").await.unwrap();
        assert_eq!(world.credits().balance().await.unwrap().grants[0].rest.ms(), 3_598_000, "the same plan once more gives nothing");
        assert_eq!(world.faults().await, []);
    }

    async fn an_edited_plan_gives_more_or_less_of_the_same_month(database: TempDatabase) {
        let world = World::on_plan(database, "free", 0).await;
        world.submit().await;
        world.edit_plan("free", |plan| plan.included = Included::MonthlyMs(VideoTime::from_ms(200_000))).await;
        assert_eq!(world.left().await, (198_000, 2000));
        world.edit_plan("free", |plan| plan.included = Included::MonthlyMs(VideoTime::from_ms(1000))).await;
        assert_eq!(world.left().await, (0, 2000), "what is used stays used");
        world.edit_plan("free", |plan| plan.models = vec!["another".into()]).await;
        let refused = world.store.tenant(world.tenant).jobs().submit(world.new_job(), None).await;
        assert!(is_out_of_credit(&refused));
        world.credits().grant(gift(2000, "gift")).await.unwrap();
        let refused = world.store.tenant(world.tenant).jobs().submit(world.new_job(), None).await;
        assert!(matches!(refused, Err(SubmitError::NotAdmitted(AdmissionError::ModelNotInPlan { .. }))));
        assert_eq!(world.left().await, (2000, 2000), "who is refused pays nothing");
        let history = world.store.plans().history("free").await.unwrap();
        assert_eq!(history.iter().map(|version| (version.version, version.by)).collect::<Vec<_>>(),
            [(4, Some(world.user)), (3, Some(world.user)), (2, Some(world.user)), (1, None)]);
        assert_eq!(world.faults().await, []);
    }

    async fn a_cause_grants_once(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 0).await;
        let credits = world.credits();
        let answers = join_all((0..20).map(|_| credits.grant(gift(2000, "payment 1")))).await;
        assert_eq!(answers.into_iter().filter(|answer| *answer.as_ref().unwrap() == Granted::Now).count(), 1);
        let (other, user) = account(&world.store, "eve@example.com").await;
        assert_eq!(world.store.tenant(other).credits().grant(gift(2000, "payment 1")).await.unwrap(), Granted::Now);
        assert!(world.store.tenant(other).jobs().submit(new_job(user), None).await.is_ok());
        assert_eq!(world.left().await, (2000, 0));
        assert_eq!(world.faults().await, []);
    }

    async fn what_was_used_is_added_up_by_day_and_stays_when_its_jobs_are_deleted(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 0).await;
        let price = Some(UnitPrice { minor_per_minute: 60, currency: Currency::USD });
        world.credits().grant(NewGrant { kind: GrantKind::Purchase, price, ..gift(60_000, "payment 1") }).await.unwrap();
        let today = Day::of(world.store.now().await.unwrap());
        let made = world.decoding().await;
        world.succeed(&made.token).await;
        let (cancelled, _) = (world.submit().await, world.submit().await);
        let jobs = world.store.tenant(world.tenant).jobs();
        jobs.cancel(cancelled.id).await.unwrap();
        world.dial.advance_ms(DAY_MS);
        jobs.cancel_waiting(10).await.unwrap();
        jobs.delete(made.job.id).await.unwrap();
        let usage = world.credits().usage((today, today.plus(2)), &[], None, 99).await.unwrap().unwrap();
        let counts = |usage: &Usage| (usage.day, usage.succeeded, usage.failed, usage.cancelled, usage.charged.ms());
        assert_eq!(usage.iter().map(counts).collect::<Vec<_>>(), [(today, 1, 0, 1, 2000), (today.plus(1), 0, 0, 1, 0)]);
        assert_eq!(usage[0].cost, Some(Money::of_minor(2, Currency::USD)));
        let by = world.credits().usage((today, today.plus(1)), &UsageGroup::ALL, None, 99).await.unwrap().unwrap();
        assert_eq!((by[0].model.as_deref(), by[0].api_key, by[0].user, by[0].lane), (Some("vignette-1"), Some(None), Some(world.user), Some(Lane::Interactive)));
        let (other, _) = account(&world.store, "eve@example.com").await;
        assert!(world.store.tenant(other).credits().usage((today, today.plus(2)), &[], None, 99).await.unwrap().unwrap().is_empty());
    }

    async fn a_refund_gives_back_what_was_charged_once_however_often_it_is_asked_for(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 2000).await;
        let made = world.decoding().await;
        assert_eq!(world.credits().refund(whole(made.job.id, "early"), None).await.unwrap(), Refunded::default());
        world.succeed(&made.token).await;
        let credits = world.credits();
        let refunds = join_all((0..10).map(|_| credits.refund(whole(made.job.id, "click"), None))).await;
        assert_eq!(refunds.into_iter().map(|refund| refund.unwrap().time.ms()).sum::<u64>(), 2000);
        assert_eq!(world.left().await, (2000, 0));
        assert_eq!(world.faults().await, []);
        let (other, _) = account(&world.store, "eve@example.com").await;
        assert_eq!(world.store.tenant(other).credits().refund(whole(made.job.id, "other"), None).await.unwrap(), Refunded::default());
    }

    async fn a_refund_of_a_month_that_is_over_can_be_used_no_longer(database: TempDatabase) {
        let world = World::on_plan(database, "free", 0).await;
        let made = world.decoding().await;
        world.succeed(&made.token).await;
        world.dial.advance_ms(31 * DAY_MS);
        assert_eq!(world.credits().refund(whole(made.job.id, "late"), None).await.unwrap().time.ms(), 2000);
        assert_eq!(world.left().await, (120_000, 0));
        assert_eq!(world.faults().await, []);
    }

    async fn entries_are_only_ever_added(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 2000).await;
        let db = Database::connect(world.database.url_of_all()).await.unwrap();
        for statement in ["UPDATE ledger_entries SET amount_ms = 1", "DELETE FROM ledger_entries"] {
            assert!(db.execute_unprepared(statement).await.unwrap_err().to_string().contains("only added"), "{statement}");
        }
        db.close().await.unwrap();
    }

    async fn a_wrong_row_is_found_and_named(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 12_000).await;
        let job = world.submit().await;
        assert_eq!(world.faults().await, []);
        world.sql("UPDATE tenants SET available_ms = available_ms + 1").await;
        assert_eq!(world.faults().await, [("tenants", "what is available is not the sum of its entries, or less than nothing")]);
        world.sql("UPDATE tenants SET available_ms = available_ms - 1").await;
        world.sql("UPDATE grants SET remaining_ms = remaining_ms + 1 WHERE kind = 'gift'").await;
        assert_eq!(world.faults().await, [("grants", "its rest is not the sum of its entries")]);
        world.sql("UPDATE grants SET remaining_ms = remaining_ms - 1 WHERE kind = 'gift'").await;
        world.sql("UPDATE jobs SET ended_at_ms = 1").await;
        let verified = world.store.check().ledger().await.unwrap();
        let held = verified.faults.iter().find(|fault| fault.problem.contains("it is not open")).unwrap();
        assert_eq!((held.table, held.row), ("jobs", job.id.uuid()));
        assert_eq!(verified.entries, 2);
    }

    async fn usage_that_is_not_what_was_charged_on_its_day_is_found(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 12_000).await;
        // On the first day of all there was usage without a ledger.
        world.dial.advance_ms(DAY_MS);
        let made = world.decoding().await;
        world.succeed(&made.token).await;
        assert_eq!(world.faults().await, []);
        let rule = ("usage_days", "what the tenant was charged on a day is not what its entries of that day say");
        world.sql("UPDATE usage_days SET charged_ms = charged_ms + 1").await;
        assert_eq!(world.faults().await, [rule]);
        world.sql("UPDATE usage_days SET charged_ms = charged_ms - 1, day = day + 1").await;
        let verified = world.store.check().ledger().await.unwrap();
        assert_eq!(verified.faults.iter().map(|fault| fault.row).collect::<Vec<_>>(), [world.tenant.uuid()]);
    }

    async fn a_job_of_before_the_ledger_is_not_charged(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 12_000).await;
        world.dial.advance_ms(DAY_MS);
        let made = world.decoding().await;
        let is_postgres = world.database.url_of_all().starts_with("postgres");
        // Nothing removes an entry, but here there is to be none.
        world.sql(if is_postgres { "ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_stay" } else { "DROP TRIGGER ledger_entries_are_kept" }).await;
        world.sql("DELETE FROM ledger_entries WHERE kind = 'hold'").await;
        world.sql("UPDATE tenants SET available_ms = 12000, held_ms = 0 WHERE available_ms > 0").await;
        world.sql("UPDATE grants SET remaining_ms = 12000 WHERE kind = 'gift'").await;
        world.sql("UPDATE jobs SET plan = NULL, lane = NULL, drawn = NULL").await;
        world.succeed(&made.token).await;
        assert_eq!(world.faults().await, []);
        assert_eq!(world.left().await, (12_000, 0));
    }

    async fn a_ledger_whose_grants_do_not_add_up_takes_nothing_in(database: TempDatabase) {
        let world = World::on_plan(database, "payg", 0).await;
        world.sql("UPDATE tenants SET available_ms = 2000").await;
        let refused = world.store.tenant(world.tenant).jobs().submit(world.new_job(), None).await;
        assert!(matches!(refused, Err(SubmitError::Store(StoreError::Inconsistent { table: "tenants", .. }))));
        assert_eq!(world.count("jobs").await, 0);
    }
}
