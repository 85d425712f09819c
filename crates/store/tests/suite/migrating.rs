//! What becomes of the rows of an older version.

use crate::World;
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database};
use store::{
    Idempotency, Store, StoreError, SubmitError, on_both_engines,
    testing::{Dial, Engine},
};

on_both_engines! {
    async fn a_schema_that_is_older_than_the_program_is_told_from_one_that_is_not(database: TempDatabase) {
        let store = Store::open(&database.url, None).await.unwrap();
        assert!(matches!(store.check_schema().await, Err(StoreError::Database(_))));
        let made_if_missing = if database.engine == Engine::Sqlite { "?mode=rwc" } else { "" };
        let db = Database::connect(format!("{}{made_if_missing}", database.url)).await.unwrap();
        let steps = Migrator::migrations().len() as u32;
        Migrator::up(&db, Some(steps - 1)).await.unwrap();
        assert!(matches!(store.check_schema().await, Err(StoreError::NotMigrated)));
        store.migrate().await.unwrap();
        store.check_schema().await.unwrap();
    }

    async fn idempotency_keys_survive_and_outlive_their_jobs_and_sessions_end(database: TempDatabase) {
        let made_if_missing = if database.engine == Engine::Sqlite { "?mode=rwc" } else { "" };
        let db = Database::connect(format!("{}{made_if_missing}", database.url)).await.unwrap();
        Migrator::up(&db, Some(2)).await.unwrap();
        let now_ms = domain::Clock::now(&Dial::default()).ms();
        let uuid = |n: u8| match database.engine {
            Engine::Sqlite => format!("x'{}'", format!("{n:02x}").repeat(16)),
            Engine::Postgres => format!("'{}'", format!("{n:02x}").repeat(16)),
        };
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
        let tenant = domain::TenantId::from_uuid(uuid::Uuid::from_bytes([1; 16]));
        let key = Idempotency { key: "k".into(), fingerprint: "f".into() };
        let again = world.store.tenant(tenant).jobs().submit(world.new_job(), Some(key)).await;
        assert!(matches!(again, Err(SubmitError::Deleted(job)) if job.uuid().as_bytes() == &[3; 16]), "{again:?}");
    }
}
