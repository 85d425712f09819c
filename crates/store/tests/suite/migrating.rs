//! What becomes of the rows of an older version.

use crate::World;
use domain::{JobId, Membership, ProjectId, Role, Scopes, TenantId, UserId};
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use store::{
    FoundKey, Idempotency, Store, StoreError, SubmitError, on_both_engines,
    testing::{Dial, Engine, TempDatabase},
};
use uuid::Uuid;

/// The database as it was after so many steps.
pub async fn after_steps(database: &TempDatabase, steps: u32) -> DatabaseConnection {
    database.clear().await;
    migrate_by(database, steps).await
}

async fn migrate_by(database: &TempDatabase, steps: u32) -> DatabaseConnection {
    let made_if_missing = if database.engine == Engine::Sqlite { "?mode=rwc" } else { "" };
    let db = Database::connect(database.url_of_all() + made_if_missing).await.unwrap();
    Migrator::up(&db, Some(steps)).await.unwrap();
    db
}

/// So many times the same byte.
fn bytes(engine: Engine, byte: u8, count: usize) -> String {
    let hex = format!("{byte:02x}").repeat(count);
    match engine {
        Engine::Sqlite => format!("x'{hex}'"),
        Engine::Postgres if count == 16 => format!("'{hex}'"),
        Engine::Postgres => format!("'\\x{hex}'"),
    }
}

on_both_engines! {
    async fn a_schema_that_is_older_than_the_program_is_told_from_one_that_is_not(database: TempDatabase) {
        database.clear().await;
        let store = Store::open(&database.url, None).await.unwrap();
        assert!(matches!(store.check_schema().await, Err(StoreError::Database(_))));
        let steps = Migrator::migrations().len() as u32;
        migrate_by(&database, steps - 1).await;
        assert!(matches!(store.check_schema().await, Err(StoreError::NotMigrated)));
        store.migrate().await.unwrap();
        store.check_schema().await.unwrap();
    }

    async fn idempotency_keys_survive_and_outlive_their_jobs_and_sessions_end(database: TempDatabase) {
        let db = after_steps(&database, 2).await;
        let now_ms = domain::Clock::now(&Dial::default()).ms();
        let uuid = |n| bytes(database.engine, n, 16);
        let (tenant, user, job) = (uuid(1), uuid(2), uuid(3));
        for statement in [
            format!("INSERT INTO tenants (id, name, created_at_ms) VALUES ({tenant}, 'old', {now_ms})"),
            format!("INSERT INTO users (id, tenant_id, email, password_hash, is_operator, created_at_ms) VALUES ({user}, {tenant}, 'old@example.com', '', false, {now_ms})"),
            format!(
                "INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, state, epoch, attempts, \
                 suspect, not_before_ms, revision, step, created_at_ms, ended_at_ms, deleted_at_ms) VALUES ({job}, {tenant}, {user}, 'vignette-1', 'old', 256, 256, 2000, 8, 3, 7, \
                 2000, 'cancelled', 0, 0, false, 0, 1, 0, {now_ms}, {now_ms}, {now_ms})"
            ),
            format!("INSERT INTO idempotency_keys (tenant_id, key, fingerprint, job_id, created_at_ms) VALUES ({tenant}, 'k', 'f', {job}, {now_ms})"),
            format!("INSERT INTO sessions (id, data, expires_at_ms) VALUES ('in clear', {}, {})", if tenant.starts_with('x') { "x'7b7d'" } else { "'{}'" }, now_ms + 1000),
        ] {
            db.execute_unprepared(&statement).await.unwrap();
        }
        db.close().await.unwrap();
        let world = World::new(database).await;
        assert_eq!(world.count("sessions").await, 0);
        world.queue().forget_deleted().await.unwrap();
        assert_eq!((world.count("jobs").await, world.count("idempotency_keys").await), (0, 1));
        let tenant = TenantId::from_uuid(Uuid::from_bytes([1; 16]));
        let key = Idempotency { key: "k".into(), fingerprint: "f".into() };
        let again = world.store.tenant(tenant).jobs().submit(world.new_job(), Some(key)).await;
        assert!(matches!(again, Err(SubmitError::Deleted(job)) if job.uuid().as_bytes() == &[3; 16]), "{again:?}");
    }

    async fn the_one_model_of_before_is_on_offer_where_there_are_jobs_of_it(database: TempDatabase) {
        after_steps(&database, 13).await.close().await.unwrap();
        let empty = Store::open(&database.url, None).await.unwrap();
        empty.migrate().await.unwrap();
        assert!(empty.models().list().await.unwrap().is_empty());
    }

    async fn jobs_of_before_find_their_model_on_offer(database: TempDatabase) {
        let db = after_steps(&database, 2).await;
        let uuid = |n| bytes(database.engine, n, 16);
        let (tenant, user, job) = (uuid(1), uuid(2), uuid(3));
        for statement in [
            format!("INSERT INTO tenants (id, name, created_at_ms) VALUES ({tenant}, 'old', 5)"),
            format!("INSERT INTO users (id, tenant_id, email, password_hash, is_operator, created_at_ms) VALUES ({user}, {tenant}, 'old@example.com', '', false, 5)"),
            format!(
                "INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, state, waits_for, epoch, attempts, \
                 suspect, not_before_ms, revision, step, created_at_ms) VALUES ({job}, {tenant}, {user}, 'vignette-1', 'old', 768, 768, 2000, 8, 3, 7, \
                 1000, 'ready', 'sampling', 0, 0, false, 0, 1, 0, 5)"
            ),
        ] {
            db.execute_unprepared(&statement).await.unwrap();
        }
        db.close().await.unwrap();
        let store = Store::open(&database.url, None).await.unwrap();
        store.migrate().await.unwrap();
        let shipped = domain::catalog::testing::catalog();
        let offered = store.models().catalog().await.unwrap();
        let expected = domain::Model { examples: Vec::new(), ..shipped.models()[0].clone() };
        assert_eq!(offered.models(), [expected]);
        let job = store.tenant(TenantId::from_uuid(Uuid::from_bytes([1; 16]))).jobs().get(JobId::from_uuid(Uuid::from_bytes([3; 16]))).await.unwrap().unwrap();
        assert_eq!((job.quote.size_weight_permille, job.quote.steps_default, job.quote.billed.ms()), (1500, 24, 1000));
        assert_eq!(offered.quote(&job.spec).unwrap().billed, job.quote.billed);
        store.models().offer(&[domain::catalog::testing::image_model()]).await.unwrap();
        assert_eq!(store.queue().fail_withdrawn(-1000).await.unwrap(), 1, "and are not forgotten when it goes");
    }

    async fn every_user_becomes_the_owner_of_their_tenant_and_keeps_what_is_theirs(database: TempDatabase) {
        let db = after_steps(&database, 8).await;
        let uuid = |n| bytes(database.engine, n, 16);
        let job = |id, tenant, user| {
            format!(
                "INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, state, epoch, attempts, \
                 suspect, not_before_ms, revision, step, created_at_ms, ended_at_ms) VALUES ({}, {}, {}, 'vignette-1', 'old', 256, 256, 2000, 8, 3, 7, \
                 2000, 'cancelled', 0, 0, false, 0, 1, 0, 5, 5)",
                uuid(id), uuid(tenant), uuid(user)
            )
        };
        for (tenant, user) in [(1, 11), (2, 12)] {
            let (tenant_id, user_id) = (uuid(tenant), uuid(user));
            for statement in [
                format!("INSERT INTO tenants (id, name, created_at_ms) VALUES ({tenant_id}, 'old', 5)"),
                format!("INSERT INTO users (id, tenant_id, email, password_hash, is_operator, created_at_ms) VALUES ({user_id}, {tenant_id}, 'old{tenant}@example.com', 'hash', false, 5)"),
                format!("INSERT INTO api_keys (id, tenant_id, user_id, name, hint, secret_sha256, created_at_ms) VALUES ({user_id}, {tenant_id}, {user_id}, 'old', '', {}, 5)", bytes(database.engine, tenant, 32)),
                job(20 + tenant, tenant, user),
            ] {
                db.execute_unprepared(&statement).await.unwrap();
            }
        }
        db.close().await.unwrap();
        let store = database.open().await.unwrap();
        for (tenant, user) in [(1, 11), (2, 12)] {
            let id = |n: u8| Uuid::from_bytes([n; 16]);
            let membership = Membership { tenant: TenantId::from_uuid(id(tenant)), user: UserId::from_uuid(id(user)), role: Role::Owner };
            let found = store.accounts().by_email(&format!("old{tenant}@example.com").parse().unwrap()).await.unwrap().unwrap();
            assert_eq!((found.membership, found.password_hash.as_deref()), (membership, Some("hash")));
            let found = store.accounts().by_key([tenant; 32]).await.unwrap();
            let FoundKey::Live(owner) = found else { panic!("{found:?}") };
            assert_eq!((owner.membership, owner.project, owner.scopes), (membership, ProjectId::default_of(membership.tenant), Scopes::ALL));
        }
        let db = Database::connect(database.url_of_all()).await.unwrap();
        let kept = db.execute_unprepared("UPDATE jobs SET prompt = 'kept' WHERE user_id IN (SELECT id FROM users)").await.unwrap();
        assert_eq!(kept.rows_affected(), 2);
        assert!(db.execute_unprepared(&job(30, 1, 99)).await.is_err(), "nobody's");
        db.close().await.unwrap();
    }
}

/// Those who had the database open go on with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_sqlite_ids_of_before_are_found_along_indexes_from_both_sides_of_a_join() {
    let database = TempDatabase::sqlite();
    let schema = "SELECT name || ' ' || COALESCE(sql, '') FROM sqlite_schema ORDER BY 1";
    let new_schema = database.texts(schema).await;
    database.clear().await;
    let store = Store::open(&database.url, None).await.unwrap();
    let steps = Migrator::migrations().iter().position(|step| step.name() == "m0075_id_types").unwrap();
    let db = migrate_by(&database, steps as u32).await;
    // The bytes of the last one are digits.
    let ids = [Uuid::nil(), Uuid::from_u128(0x12345678_1234_4234_8234_123456789012), Uuid::from_bytes(*b"1234567890123456")];
    let of = |sql: &str, id: Uuid| Statement::from_sql_and_values(DbBackend::Sqlite, sql, [id.into()]);
    for id in &ids {
        for insert in [
            "INSERT INTO tenants (id, name, created_at_ms) VALUES ($1, 'old', 5)",
            "INSERT INTO projects (id, tenant_id, name, created_at_ms) VALUES ($1, $1, 'old', 5)",
        ] {
            db.execute_raw(of(insert, *id)).await.unwrap();
        }
    }
    let joins = [
        "SELECT tenants.id FROM projects CROSS JOIN tenants ON tenants.id = projects.tenant_id WHERE projects.id = $1",
        "SELECT projects.id FROM tenants CROSS JOIN projects ON projects.tenant_id = tenants.id WHERE tenants.id = $1",
    ];
    let found = async |join: &str| {
        let mut found = Vec::new();
        for id in &ids {
            found.extend(db.query_all_raw(of(join, *id)).await.unwrap().iter().map(|row| row.try_get_by_index::<Uuid>(0).unwrap()));
        }
        found
    };
    for join in joins {
        assert_eq!(found(join).await, ids);
    }
    store.migrate().await.unwrap();
    for join in joins {
        assert_eq!(found(join).await, ids, "{join}");
        let now = Database::connect(database.url_of_all()).await.unwrap();
        let plan = now.query_all_raw(of(&format!("EXPLAIN QUERY PLAN {join}"), ids[0])).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(plan.len() == 2 && plan.iter().all(|step| step.starts_with("SEARCH") && step.contains(" INDEX ")), "{plan:?}");
        now.close().await.unwrap();
    }
    db.close().await.unwrap();
    assert_eq!(database.texts("PRAGMA integrity_check").await, ["ok"]);
    assert!(database.texts("PRAGMA foreign_key_check").await.is_empty());
    assert_eq!(database.texts(schema).await, new_schema);
}
