//! Refunds of a part, the ledger of all tenants, and what is billed of what was given back.

use crate::{World, account, new_job};
use domain::{
    Act, JobId, VideoTime,
    billing::{EntryKind, GrantKind, Included, Plan},
};
use store::{Asked, LedgerFilter, LedgerPlace, MeterEvent, NewGrant, NewRefund, RefundError, Refunded, StoreError, on_both_engines};

const fn part(job: JobId, ms: u64, once: &str) -> NewRefund<'_> {
    NewRefund { job, amount: Some(VideoTime::from_ms(ms)), reason: "the hand has six fingers", once }
}

impl World {
    async fn made(&self) -> JobId {
        let claimed = self.decoding().await;
        self.succeed(&claimed.token).await;
        claimed.job.id
    }

    /// A plan that includes half of a job, and a customer who pays for the rest afterwards.
    async fn beyond_the_plan(database: store::testing::TempDatabase) -> Self {
        let world = Self::new(database).await;
        let pro = world.store.plans().find("pro").await.unwrap().unwrap();
        let plan = Plan { included: Included::MonthlyMs(VideoTime::from_ms(1000)), ..pro };
        world.store.plans().define(&plan, None).await.unwrap();
        world.store.payments().set_customer(world.tenant, "cus_1", None).await.unwrap();
        world.store.tenant(world.tenant).credits().set_plan("pro").await.unwrap();
        world
    }

    async fn refund(&self, new: NewRefund<'_>) -> Result<Refunded, RefundError> {
        self.store.tenant(self.tenant).credits().refund(new, None).await
    }

    async fn to_tell(&self) -> Vec<u64> {
        self.store.metering().begin(None, 100).await.unwrap().iter().map(|MeterEvent { amount, .. }| amount.ms()).collect()
    }
}

on_both_engines! {
    async fn to_a_team_that_is_gone_nothing_is_given(database: TempDatabase) {
        let world = World::new(database).await;
        let (gone, user) = account(&world.store, "eve@example.com").await;
        let job = world.store.tenant(gone).jobs().submit(new_job(user), None).await.unwrap().job.id;
        let credits = world.store.tenant(gone).credits();
        let is_gone = |error: StoreError| matches!(error, StoreError::TenantGone(tenant) if tenant == gone);
        let refund = async || match credits.refund(part(job, 1, "one"), None).await {
            Err(RefundError::Store(error)) => is_gone(error),
            _ => false,
        };
        world.store.accounts().delete(user).await.unwrap();
        assert!(refund().await, "while it is being deleted too");
        let gift = || NewGrant { kind: GrantKind::Gift, amount: VideoTime::from_ms(1), expires_at: None, cause: "a".into(), price: None, note: None };
        assert!(is_gone(credits.give(gift(), None).await.unwrap_err()));
        world.sql("DELETE FROM jobs").await;
        world.store.deletions().finish().await.unwrap();
        assert!(refund().await && is_gone(credits.give(gift(), None).await.unwrap_err()) && is_gone(credits.balance().await.unwrap_err()));
    }

    async fn a_video_is_given_back_in_parts_and_never_more_than_it_was_charged(database: TempDatabase) {
        let world = World::new(database).await;
        let credits = world.store.tenant(world.tenant).credits();
        credits.set_plan("payg").await.unwrap();
        let gift = |ms, cause: &str| NewGrant { kind: GrantKind::Gift, amount: VideoTime::from_ms(ms), expires_at: None, cause: cause.into(), price: None, note: None };
        credits.grant(gift(500, "a")).await.unwrap();
        credits.grant(gift(9500, "b")).await.unwrap();
        let job = world.made().await;
        let by = Some(Asked { user: world.user, address: "192.0.2.7" });
        assert_eq!(credits.refund(part(job, 1700, "one"), by).await.unwrap().time.ms(), 1700);
        // The same click.
        assert_eq!(world.refund(part(job, 1700, "one")).await.unwrap(), Refunded::default());
        assert!(matches!(world.refund(part(job, 301, "two")).await, Err(RefundError::TooMuch { left }) if left.ms() == 300));
        assert_eq!(world.refund(part(job, 100, "two")).await.unwrap().time.ms(), 100);
        assert_eq!(world.refund(NewRefund { amount: None, ..part(job, 0, "three") }).await.unwrap().time.ms(), 200);
        assert_eq!(world.refund(NewRefund { amount: None, ..part(job, 0, "four") }).await.unwrap(), Refunded::default());
        assert_eq!(credits.balance().await.unwrap().left(|_| true).ms(), 10_000);
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
        let refunds: Vec<_> = credits.of_job(job).await.unwrap().into_iter().filter(|row| row.kind == EntryKind::Refund).collect();
        // What was drawn last comes back first: 1500 of the second gift, then 500 of the first.
        assert_eq!(refunds.iter().map(|row| row.amount.ms()).collect::<Vec<_>>(), [1500, 200, 100, 200]);
        assert!(refunds.iter().all(|row| row.note.as_deref() == Some("the hand has six fingers")));
        let acts = world.store.tenant(world.tenant).members().audit_log(None, 50).await.unwrap();
        let refunded: Vec<_> = acts.iter().filter(|entry| entry.act == Act::Refunded).collect();
        assert_eq!(refunded.len(), 3);
        assert!(refunded[2].subject.contains("1.7 video-seconds: the hand") && refunded[2].user.as_deref() == Some("ada@example.com"), "{refunded:?}");
        assert!(refunded[1].user.is_none());
    }

    async fn what_was_not_told_yet_is_not_billed(database: TempDatabase) {
        let world = World::beyond_the_plan(database).await;
        let job = world.made().await;
        // A second is beyond the plan.
        assert_eq!(world.refund(part(job, 400, "one")).await.unwrap().credited, None);
        assert_eq!(world.to_tell().await, [600]);
        let other = world.made().await;
        assert_eq!(world.refund(NewRefund { amount: None, ..part(other, 0, "all") }).await.unwrap().time.ms(), 2000);
        assert_eq!(world.to_tell().await, [600], "of the other nothing is left to tell");
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn what_another_plan_included_comes_back_with_that_plan(database: TempDatabase) {
        let world = World::new(database).await;
        let credits = world.store.tenant(world.tenant).credits();
        let included = async || credits.balance().await.unwrap().left(|kind| kind == GrantKind::Included).ms();
        credits.set_plan("pro").await.unwrap();
        let all = included().await;
        let job = world.made().await;
        assert!(credits.choose_plan("free").await.unwrap());
        let less = included().await;
        assert_eq!(world.refund(part(job, 2000, "one")).await.unwrap().time.ms(), 2000);
        assert_eq!(included().await, less + 2000, "it is used no more");
        assert!(credits.choose_plan("pro").await.unwrap());
        assert_eq!(included().await, all);
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn what_may_have_been_told_is_credited_in_money_where_it_is_billed(database: TempDatabase) {
        let world = World::beyond_the_plan(database).await;
        let (billed, unbilled) = (world.made().await, world.made().await);
        assert_eq!(world.to_tell().await, [1000, 2000]);
        // Without a subscription nobody bills what is told.
        assert_eq!(world.refund(part(unbilled, 500, "none")).await.unwrap(), Refunded { time: VideoTime::from_ms(500), ..Refunded::default() });
        world.sql(&format!(
            "INSERT INTO subscriptions (id, tenant_id, plan, status, began_at_ms, period_starts_ms, period_ends_ms, anchor_ms, monthly_minor, currency) \
             SELECT 'sub_1', id, 'pro', 'active', 0, 0, {0}, 0, 2900, 'usd' FROM tenants", i64::MAX
        )).await;
        let refunded = world.refund(part(billed, 700, "one")).await.unwrap();
        assert_eq!(refunded.credited.unwrap().to_string(), "$0.007", "700 ms at 60 cents a minute");
        assert_eq!(world.to_tell().await, [1000, 2000], "what was told stays told");
        let events = world.texts("SELECT payload FROM outbox WHERE kind = 'stripe credit'").await;
        assert_eq!(events.len(), 1);
        let event: serde_json::Value = serde_json::from_str(&events[0]).unwrap();
        assert_eq!((&event["customer"], &event["minor"], &event["currency"]), (&"cus_1".into(), &1.into(), &"usd".into()), "rounded up");
        // The rest of it is of the month.
        assert_eq!(world.refund(NewRefund { amount: None, ..part(billed, 0, "rest") }).await.unwrap().time.ms(), 1300);
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn of_a_month_that_is_over_what_was_to_be_paid_afterwards_does_not_count_as_expired(database: TempDatabase) {
        let world = World::beyond_the_plan(database).await;
        let (half, beyond) = (world.made().await, world.made().await);
        world.dial.advance_ms(40 * 24 * 60 * 60 * 1000);
        assert_eq!(world.refund(part(beyond, 2000, "one")).await.unwrap().expired.ms(), 0);
        assert_eq!(world.refund(part(half, 2000, "two")).await.unwrap().expired.ms(), 1000);
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn the_ledger_of_all_is_read_page_by_page_by_whatever_it_is_filtered(database: TempDatabase) {
        let world = World::new(database).await;
        let (other, user) = account(&world.store, "eve@example.com").await;
        let job = world.made().await;
        for _ in 0..3 {
            world.dial.advance_ms(10);
            world.store.tenant(other).jobs().submit(new_job(user), None).await.unwrap();
        }
        let operator = world.store.operator();
        let all = operator.ledger(LedgerFilter::default(), None, 100).await.unwrap();
        assert!(!all.has_more && all.entries.len() == 7, "two grants, four holds, a capture: {all:?}");
        assert!(all.entries.is_sorted_by(|a, b| (a.at, a.id) > (b.at, b.id)));
        let (mut paged, mut before): (Vec<_>, Option<LedgerPlace>) = (Vec::new(), None);
        loop {
            let page = operator.ledger(LedgerFilter::default(), before, 2).await.unwrap();
            before = page.entries.last().map(store::LedgerEntry::place);
            paged.extend(page.entries);
            if !page.has_more {
                break;
            }
        }
        assert_eq!(paged, all.entries);
        let only = async |filter| operator.ledger(filter, None, 100).await.unwrap().entries;
        let theirs = only(LedgerFilter { tenant: Some(other), ..LedgerFilter::default() }).await;
        assert_eq!(theirs.iter().map(|entry| entry.kind).collect::<Vec<_>>(), [EntryKind::Hold, EntryKind::Hold, EntryKind::Hold, EntryKind::Grant]);
        assert!(theirs[3].cause.starts_with("unlimited:") && theirs.iter().all(|entry| entry.tenant == other && entry.tenant_name.is_some()), "{theirs:?}");
        let of_job = only(LedgerFilter { job: Some(job), ..LedgerFilter::default() }).await;
        assert_eq!(of_job.iter().map(|entry| entry.kind).collect::<Vec<_>>(), [EntryKind::Capture, EntryKind::Hold]);
        let (from, until) = (Some(theirs[2].at), Some(theirs[0].at));
        assert_eq!(only(LedgerFilter { from, until, kind: Some(EntryKind::Hold), ..LedgerFilter::default() }).await.len(), 2);
        let found = operator.find_tenants("EVE@", 5).await.unwrap();
        assert_eq!(found.iter().map(|found| (found.id, found.email.as_deref())).collect::<Vec<_>>(), [(other, Some("eve@example.com"))]);
        assert!(operator.find_tenants("", 5).await.unwrap().is_empty() && operator.find_tenants("%", 5).await.unwrap().is_empty());
        assert_eq!(operator.find_tenants("example", 5).await.unwrap().len(), 2);
    }
}
