//! What is told to the payment processor first.

use crate::{World, account};
use store::{MeterEvent, on_both_engines, testing::Engine};

impl World {
    /// Notes at each of these moments that a customer has used something beyond their plan.
    async fn used_beyond(&self, customer: &str, at_ms: impl Iterator<Item = i64>) {
        let id = match self.database.engine {
            Engine::Sqlite => "randomblob(16)",
            Engine::Postgres => "gen_random_uuid()",
        };
        for at_ms in at_ms {
            self.sql(&format!(
                "INSERT INTO meter_events (entry_id, tenant_id, amount_ms, at_ms) \
                 SELECT {id}, id, 1000, {at_ms} FROM tenants WHERE stripe_customer = '{customer}'"
            ))
            .await;
        }
    }
}

fn told(events: &[MeterEvent]) -> Vec<(&str, i64)> {
    events.iter().map(|event| (&*event.customer, event.at.ms())).collect()
}

on_both_engines! {
    async fn a_customer_of_whom_very_much_is_to_be_told_keeps_no_other_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (eve, _) = account(&world.store, "eve@example.com").await;
        for (tenant, customer) in [(world.tenant, "cus_ada"), (eve, "cus_eve")] {
            world.store.payments().set_customer(tenant, customer, None).await.unwrap();
        }
        world.used_beyond("cus_ada", 1..=5).await;
        world.used_beyond("cus_eve", 6..=7).await;
        let metering = world.store.metering();
        let first = metering.begin(None, 4).await.unwrap();
        assert_eq!(told(&first), [("cus_ada", 1), ("cus_ada", 2), ("cus_eve", 6), ("cus_eve", 7)]);
        metering.reported(&first.iter().map(|event| event.entry).collect::<Vec<_>>()).await.unwrap();
        assert_eq!(told(&metering.begin(None, 4).await.unwrap()), [("cus_ada", 3), ("cus_ada", 4), ("cus_ada", 5)]);
        assert_eq!(told(&metering.begin(Some(world.tenant), 2).await.unwrap()), [("cus_ada", 3), ("cus_ada", 4)]);
    }
}
