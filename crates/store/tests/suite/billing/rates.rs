//! Release rates that are set on plans somebody has looked at.

use crate::World;
use domain::{VideoTime, billing::Plan};
use store::{PlanVersion, RateChange, RatesSet, on_both_engines};

const RATE: VideoTime = VideoTime::from_ms(12_000);

impl World {
    async fn newest(&self, id: &str) -> PlanVersion {
        self.store.plans().newest().await.unwrap().into_iter().find(|version| version.plan.id == id).unwrap()
    }

    /// As somebody looks at them now.
    async fn seen(&self, ids: &[&str]) -> Vec<RateChange> {
        let mut changes = Vec::new();
        for id in ids {
            changes.push(RateChange { plan: (*id).to_owned(), version: self.newest(id).await.version });
        }
        changes
    }

    async fn set(&self, changes: &[RateChange], rate: VideoTime) -> RatesSet {
        self.store.plans().set_release_rates(changes, rate, Some(self.user)).await.unwrap()
    }
}

on_both_engines! {
    async fn a_rate_is_another_version_of_each_plan_and_all_else_stays(database: TempDatabase) {
        let world = World::new(database).await;
        let before = [world.newest("pro").await, world.newest("enterprise").await];
        let changes = world.seen(&["pro", "enterprise"]).await;
        assert_eq!(world.set(&changes, RATE).await, RatesSet::Done(vec!["pro".into(), "enterprise".into()]));
        for before in before {
            let now = world.newest(&before.plan.id).await;
            assert_eq!((now.version, now.by), (before.version + 1, Some(world.user)));
            assert_eq!(now.plan, Plan { release_rate: Some(RATE), ..before.plan });
            assert_eq!(world.store.plans().history(&now.plan.id).await.unwrap().len(), now.version as usize);
        }
        // Who has that rate already stays as it is.
        let changes = world.seen(&["pro", "payg"]).await;
        assert_eq!(world.set(&changes, RATE).await, RatesSet::Done(vec!["payg".into()]));
        assert_eq!(world.set(&world.seen(&["pro"]).await, RATE).await, RatesSet::Done(Vec::new()));
    }

    async fn a_plan_that_was_changed_since_keeps_all_of_them_as_they_are(database: TempDatabase) {
        let world = World::new(database).await;
        let changes = world.seen(&["pro", "payg"]).await;
        let plan = Plan { weight: 77, ..world.newest("payg").await.plan };
        assert!(world.store.plans().define(&plan, None).await.unwrap());
        assert_eq!(world.set(&changes, RATE).await, RatesSet::Stale("payg".into()));
        assert_eq!((world.newest("pro").await.plan.release_rate, world.newest("payg").await.plan), (None, plan));
        let unknown = RateChange { plan: "nobodys".into(), version: 1 };
        assert_eq!(world.set(&[unknown], RATE).await, RatesSet::Stale("nobodys".into()));
    }

    async fn the_newest_versions_are_the_plans(database: TempDatabase) {
        let world = World::new(database).await;
        world.set(&world.seen(&["free"]).await, RATE).await;
        let newest: Vec<_> = world.store.plans().newest().await.unwrap().into_iter().map(|version| version.plan).collect();
        assert_eq!(newest, world.store.plans().list().await.unwrap());
    }
}
