//! Tenants never see each other: every route of the product, called by everyone who must not, with ids of what is another's.
//!
//! The routes are those of the router itself. A route without a row in `table.rs` fails, and so does a row without a route.

mod routes;
mod table;
mod viewing;
mod world;

use crate::harness::Product;
use std::collections::BTreeSet;
use store::on_both_engines;
use table::{CALLERS, Row, TABLE};
pub use world::join;
use world::{Caller, Things, World};

on_both_engines! {
    async fn every_route_has_a_row_and_every_row_a_route(database: TempDatabase) {
        let product = Product::new(database).await;
        let routed = routes::all(&product).await;
        let written: BTreeSet<_> = TABLE.iter().map(|row| row.route.to_owned()).collect();
        assert_eq!(written.len(), TABLE.len(), "a route stands in the table once");
        let (missing, superfluous): (Vec<_>, Vec<_>) = (routed.difference(&written).collect(), written.difference(&routed).collect());
        assert!(missing.is_empty() && superfluous.is_empty(), "without a row: {missing:#?}; without a route: {superfluous:#?}");
    }

    async fn outsiders_get_what_the_table_says_and_nothing_of_a_tenant(database: TempDatabase) {
        let world = World::new(database).await;
        let mut wrong = Vec::new();
        for row in TABLE {
            let things = world.things(row).await;
            let before = world.state(row).await;
            for (column, caller) in CALLERS.iter().enumerate().filter(|(_, caller)| !caller.belongs()) {
                wrong.extend(outsider(&world, row, *caller, &things, row.expected[column]).await.err());
            }
            if world.state(row).await != before {
                wrong.push(format!("changes another tenant: {}", row.route));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    async fn an_operator_who_looks_at_a_tenant_changes_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        for row in TABLE.iter().filter(|row| row.changes()) {
            let things = world.things(row).await;
            let before = world.state(row).await;
            let called = world.call(row, Caller::ViewingOperator, &things).await;
            assert!(row.ends_a_view() || called.answer.status.is_client_error(), "{}: {}", row.route, called.summary());
            assert_eq!(world.state(row).await, before, "{}", row.route);
        }
    }

    async fn members_get_what_their_role_allows(database: TempDatabase) {
        let world = World::new(database).await;
        let mut wrong = Vec::new();
        for row in TABLE {
            for (column, caller) in CALLERS.iter().enumerate().filter(|(_, caller)| caller.belongs()) {
                wrong.extend(insider(&world, row, *caller, row.expected[column]).await.err());
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// The status, no word of the tenant, and the same as for an id that nobody has.
async fn outsider(world: &World, row: &Row, caller: Caller, things: &Things, expected: u16) -> Result<(), String> {
    let real = world.call(row, caller, things).await;
    let named = format!("{} {caller:?}: {}", row.route, real.summary());
    if real.answer.status.as_u16() != expected {
        return Err(format!("{expected} expected of {named}"));
    }
    if real.tells_of_tenant() {
        return Err(format!("tells of another tenant: {named}"));
    }
    if row.names_a_thing() {
        let unknown = world.call(row, caller, &Things::unknown()).await;
        if unknown.without_ids() != real.without_ids() {
            return Err(format!("not as for an unknown id: {named}, {}", unknown.summary()));
        }
    }
    Ok(())
}

/// The status and, where the row says so, the words of the tenant, without which the search for them would prove nothing.
async fn insider(world: &World, row: &Row, caller: Caller, expected: u16) -> Result<(), String> {
    let called = world.call(row, caller, &world.things(row).await).await;
    let named = format!("{} {caller:?}: {}", row.route, called.summary());
    if called.answer.status.as_u16() != expected {
        return Err(format!("{expected} expected of {named}"));
    }
    if row.shows && expected == 200 && !called.tells_of_tenant() {
        return Err(format!("does not show what is the tenant's: {named}"));
    }
    Ok(())
}
