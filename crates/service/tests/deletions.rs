//! What is left of accounts that were deleted: books that name nobody, and nothing that keeps another one waiting.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod world;

use domain::{
    Actor, Role,
    billing::{Currency, Day, Invoice, InvoiceStatus, Money, PlanCharge, Subscription, SubscriptionStatus},
    scheduling::PauseScope,
};
use futures::future::join_all;
use store::{ActOfOperator, Fetched, on_both_engines};
use world::{PASSWORD, World};

const HOME: &str = "198.51.100.7";
const HOUR_MS: i64 = 3_600_000;

on_both_engines! {
    async fn what_a_deleted_team_paid_and_used_stays_in_the_books_and_names_nobody(database: TempDatabase) {
        let world = World::new(database).await;
        let store = &world.services.store;
        let eve = world.services.sign_up_from(HOME, "eve@example.com", PASSWORD).await.unwrap();
        let began = store.now().await.unwrap();
        let (dollars, month_ms) = (|minor| Money::of_minor(minor, Currency::USD), 30 * 24 * HOUR_MS);
        let invoice = |number: i64, minor| Invoice {
            id: format!("in_stripe_{number}"), number: Some(format!("LANTERN-{number}")), status: InvoiceStatus::Paid, total: dollars(minor + 500),
            paid: dollars(minor + 500), created_at: began.plus_ms((number - 1) * month_ms), url: Some("https://pay.example/lantern".into()),
            next_attempt_at: None,
            // The rest is for usage of before.
            plan: Some(PlanCharge { amount: dollars(minor), from: began.plus_ms((number - 1) * month_ms), until: began.plus_ms(number * month_ms) }),
        };
        let subscription = |status, monthly| Subscription {
            id: "sub_stripe".into(), plan: Some("pro".into()), status, began_at: began, period_starts_at: began,
            period_ends_at: began.plus_ms(month_ms), anchor: began, cancel_at: None, trial_ends_at: None, ended_at: None,
            monthly: dollars(monthly), past_due_since: None, plans: Vec::new(),
        };
        let payments = store.payments();
        payments.set_customer(eve.tenant, "cus_stripe", None).await.unwrap();
        let fetched = Fetched { subscriptions: vec![subscription(SubscriptionStatus::Active, 2900)], invoices: vec![invoice(1, 2900)], ..Fetched::default() };
        assert!(payments.replace(eve.tenant, 0, &fetched).await.unwrap());
        world.make(&eve, "a film of her own").await;
        // A dearer plan changes nothing of the month before, and neither does one that is not paid in the end.
        world.dial.advance_ms(month_ms + 1);
        let fetched = Fetched { subscriptions: vec![subscription(SubscriptionStatus::Unpaid, 9900)], ..fetched };
        assert!(payments.replace(eve.tenant, 1, &fetched).await.unwrap());
        let (from, until) = (Day::of(began), Day::of(began).plus(31));
        let paid = async || {
            let books = store.operator().books(from, until, store.now().await.unwrap()).await.unwrap();
            let sum = books.subscribed.iter().filter(|of| of.tenant == eve.tenant).map(|of| of.paid.thousandths_of_minor).sum::<i64>();
            (sum, books.sold.iter().any(|sold| sold.tenant == eve.tenant))
        };
        assert_eq!(paid().await.0, 2_900_000);
        world.services.delete_account(eve.actor(), PASSWORD, HOME).await.unwrap();
        assert_eq!(store.operator().revenue(began.plus_ms(1)).await.unwrap().ended, 1);
        world.dial.advance_ms(1);
        world.services.delete_jobs_of_deleted(Actor::System, 1000).await.unwrap();
        world.services.remove_garbage(Actor::System, 0).await.unwrap();
        world.services.finish_deletions(Actor::System).await.unwrap();
        let until = until.plus(31);
        let books = store.operator().books(from, until, store.now().await.unwrap()).await.unwrap();
        assert!(books.sold.iter().any(|sold| sold.tenant == eve.tenant));
        assert_eq!(paid().await.0, 2_900_000);
        let revenue = store.operator().revenue(began.plus_ms(1)).await.unwrap();
        assert_eq!((revenue.before, revenue.ended, revenue.subscribers), (1, 1, Vec::new()));
        assert_eq!(store.operator().revenue(began).await.unwrap().paid, [dollars(3400)]);
        for text in ["in_stripe", "LANTERN-1", "lantern", "sub_stripe", &eve.id.uuid().simple().to_string()] {
            assert!(!world.holds_beside(text, &["outbox"]).await, "{text}");
        }
        assert!(store.check().ledger().await.unwrap().faults.is_empty());
    }

    async fn what_somebody_made_in_a_team_that_they_have_left_is_its_owners(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        world.join(&world.ada, &eve, Role::Member).await;
        let in_adas = world.services.user(eve.id, Some(world.ada.tenant)).await.unwrap().unwrap();
        world.make(&in_adas, "a film for the team").await;
        assert_eq!(world.services.store.tenant(world.ada.tenant).jobs().cancel_waiting(10).await.unwrap(), 1);
        world.services.leave_team(in_adas.actor(), HOME).await.unwrap();
        world.services.delete_account(eve.actor(), PASSWORD, HOME).await.unwrap();
        world.settle().await;
        assert!(!world.holds(&eve.id.uuid().simple().to_string()).await, "nothing keeps her, her usage included");
        assert!(world.holds("a film for the team").await, "it is the team's");
    }

    async fn a_job_that_cannot_be_read_goes_with_its_team_and_keeps_no_other_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        for email in ["eve@example.com", "bob@example.com"] {
            let user = world.services.sign_up(email, PASSWORD).await.unwrap();
            world.make(&user, &format!("a film of {email}")).await;
            world.services.delete_account(user.actor(), PASSWORD, HOME).await.unwrap();
            world.dial.advance_ms(1);
        }
        world.database.damage("UPDATE jobs SET seed = -1 WHERE prompt = 'a film of eve@example.com'").await;
        world.settle().await;
        assert!(!world.holds("a film of").await);
    }

    async fn an_account_that_cannot_go_yet_keeps_no_other_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        world.services.delete_account(eve.actor(), PASSWORD, HOME).await.unwrap();
        let refers = "INSERT INTO memberships (tenant_id, user_id, role, created_at_ms) SELECT tenants.id, users.id, 'member', 0 FROM tenants, users \
             WHERE users.deleted_at_ms IS NOT NULL AND tenants.deleted_at_ms IS NULL";
        world.database.damage(refers).await;
        world.dial.advance_ms(1);
        let bob = world.services.sign_up("bob@example.com", PASSWORD).await.unwrap();
        world.services.delete_account(bob.actor(), PASSWORD, HOME).await.unwrap();
        world.services.delete_jobs_of_deleted(Actor::System, 1000).await.unwrap();
        world.services.finish_deletions(Actor::System).await.unwrap_err();
        let stays = async |user: domain::UserId| world.holds_beside(&user.uuid().simple().to_string(), &["events"]).await;
        assert_eq!([stays(eve.id).await, stays(bob.id).await], [true, false]);
    }

    async fn what_was_paused_of_a_team_is_forgotten_with_it(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        let because = ActOfOperator { by: None, reason: "Who is this?" };
        world.services.store.operator().pause(&PauseScope::Tenant(eve.tenant), because).await.unwrap();
        world.services.delete_account(eve.actor(), PASSWORD, HOME).await.unwrap();
        world.settle().await;
        assert!(world.database.texts("SELECT scope FROM queue_pauses").await.is_empty());
    }

    async fn of_a_large_team_that_is_deleted_a_part_goes_in_each_turn(database: TempDatabase) {
        let world = World::new(database).await;
        let mut teams = Vec::new();
        for (email, jobs) in [("eve@example.com", 3), ("bob@example.com", 1)] {
            let user = world.services.sign_up(email, PASSWORD).await.unwrap();
            for _ in 0..jobs {
                world.make(&user, "a lantern").await;
            }
            world.services.delete_account(user.actor(), PASSWORD, HOME).await.unwrap();
            teams.push(user.tenant);
        }
        let left = async || {
            let page = store::PageQuery { after: None, limit: 10, order: store::Order::OldestFirst };
            let jobs = teams.iter().map(async |team| world.services.store.tenant(*team).jobs().outline(page).await.unwrap().jobs.len());
            join_all(jobs).await
        };
        world.services.delete_jobs_of_deleted(Actor::System, 2).await.unwrap();
        assert_eq!(left().await, [1, 0]);
        world.services.delete_jobs_of_deleted(Actor::System, 2).await.unwrap();
        assert_eq!(left().await, [0, 0]);
    }
}
