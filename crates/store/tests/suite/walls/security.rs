//! Row-level security, as a role meets it that is no superuser.

use crate::{World, account, new_job};
use domain::TenantId;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};
use store::testing::{Engine, TempDatabase};
use uuid::Uuid;

/// A transaction in which row-level security binds, as it binds the server's role. Where the tests are a superuser's, that gives everything away
/// to another role; with the transaction that is undone.
async fn bound(database: &TempDatabase) -> PgConnection {
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    connection.execute("BEGIN").await.unwrap();
    let passes = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user";
    let passes: bool = connection.fetch_one(passes).await.unwrap().get(0);
    if passes {
        let role = format!("reelmill_wall_{}", Uuid::now_v7().simple());
        connection
            .execute(AssertSqlSafe(format!("CREATE ROLE {role} NOSUPERUSER NOBYPASSRLS; GRANT ALL ON SCHEMA public TO {role}")))
            .await
            .unwrap();
        for table in texts(&mut connection, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'").await {
            connection.execute(AssertSqlSafe(format!("ALTER TABLE {table} OWNER TO {role}"))).await.unwrap();
        }
        connection.execute(AssertSqlSafe(format!("SET LOCAL ROLE {role}"))).await.unwrap();
    }
    connection
}

async fn texts(connection: &mut PgConnection, sql: &'static str) -> Vec<String> {
    connection.fetch_all(sql).await.unwrap().into_iter().map(|row| row.get(0)).collect()
}

async fn confine(connection: &mut PgConnection, setting: &str, value: &str) {
    sqlx::query("SELECT set_config($1, $2, true)").bind(setting).bind(value).execute(connection).await.unwrap();
}

async fn confine_to(connection: &mut PgConnection, tenant: TenantId) {
    confine(connection, "reelmill.tenant", &tenant.uuid().to_string()).await;
}

/// Two tenants with a job each.
async fn two_tenants(database: TempDatabase) -> (World, TenantId) {
    let world = World::new(database).await;
    let (other, user) = account(&world.store, "eve@example.com").await;
    world.submit().await;
    world.store.tenant(other).jobs().submit(new_job(user), None).await.unwrap();
    (world, other)
}

const ALL_ROWS: &str = "SELECT tenant_id::text FROM jobs UNION ALL SELECT tenant_id::text FROM memberships UNION ALL \
     SELECT tenant_id::text FROM grants UNION ALL SELECT tenant_id::text FROM ledger_entries UNION ALL SELECT id::text FROM tenants";

#[tokio::test]
async fn a_statement_that_forgot_its_tenant_sees_that_tenants_rows_and_without_one_none() {
    let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
    let (world, other) = two_tenants(database).await;
    let mut connection = bound(&world.database).await;
    assert!(texts(&mut connection, ALL_ROWS).await.is_empty(), "nothing was set");
    for tenant in [world.tenant, other] {
        confine_to(&mut connection, tenant).await;
        let seen = texts(&mut connection, ALL_ROWS).await;
        assert!(seen.len() >= 5 && seen.iter().all(|id| *id == tenant.uuid().to_string()), "{seen:?}");
    }
    confine(&mut connection, "reelmill.tenant", "").await;
    assert!(texts(&mut connection, ALL_ROWS).await.is_empty(), "it was taken back");
    confine(&mut connection, "reelmill.system", "on").await;
    assert!(texts(&mut connection, ALL_ROWS).await.len() >= 10, "the system sees all");
}

#[tokio::test]
async fn rows_of_another_tenant_are_neither_written_nor_given_away() {
    let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
    let (world, other) = two_tenants(database).await;
    let mut connection = bound(&world.database).await;
    confine_to(&mut connection, world.tenant).await;
    let changed = connection.execute("UPDATE jobs SET prompt = 'mine'").await.unwrap().rows_affected();
    assert_eq!(changed, 1, "of the two there are");
    assert_eq!(connection.execute("DELETE FROM memberships").await.unwrap().rows_affected(), 1);
    let theirs = other.uuid();
    for refused in [
        format!("INSERT INTO memberships SELECT '{theirs}', id, 'owner', 0 FROM users LIMIT 1"),
        format!("UPDATE jobs SET tenant_id = '{theirs}'"),
        format!("INSERT INTO usage_days VALUES ('{theirs}', 1, 'm', '{theirs}', '{theirs}', '{theirs}', 'batch', 'usd', 1, 0, 0, 1, 1)"),
    ] {
        connection.execute("SAVEPOINT before").await.unwrap();
        let error = connection.execute(AssertSqlSafe(refused.clone())).await.unwrap_err().to_string();
        assert!(error.contains("row-level security"), "{refused}: {error}");
        connection.execute("ROLLBACK TO before").await.unwrap();
    }
}

/// A table that is added with a tenant and without a policy fails here.
#[tokio::test]
async fn every_table_with_a_tenant_is_behind_the_wall() {
    let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
    let store = database.open().await.unwrap();
    store.ping().await.unwrap();
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    let open = texts(
        &mut connection,
        "SELECT columns.table_name::text FROM information_schema.columns JOIN pg_class ON pg_class.oid = columns.table_name::regclass \
         WHERE columns.table_schema = 'public' AND column_name = 'tenant_id' AND NOT (relrowsecurity AND relforcerowsecurity AND EXISTS \
         (SELECT 1 FROM pg_policies WHERE tablename = columns.table_name AND qual IS NOT NULL AND with_check IS NOT NULL))",
    )
    .await;
    assert!(open.is_empty(), "{open:?}");
    let walled = texts(&mut connection, "SELECT tablename::text FROM pg_policies WHERE schemaname = 'public'").await;
    for table in ["tenants", "jobs", "artifacts", "previews", "ledger_entries", "audit_log"] {
        assert!(walled.iter().any(|walled| walled == table), "{table}");
    }
}
