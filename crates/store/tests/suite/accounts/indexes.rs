//! How what is for somebody is found: not by looking through all there is.

use crate::World;
use sea_orm::{ConnectionTrait, Database, Statement};
use store::testing::TempDatabase;

#[tokio::test]
async fn what_was_sent_to_somebody_is_found_along_an_index() {
    let world = World::new(TempDatabase::sqlite()).await;
    let db = Database::connect(world.database.url_of_all()).await.unwrap();
    for (sql, index) in [
        ("DELETE FROM one_time_tokens WHERE user_id = 'x' OR email = 'x'", "one_time_tokens_by_user (user_id=?)"),
        ("UPDATE one_time_tokens SET used_at_ms = 1 WHERE user_id = 'x' AND purpose = 'x'", "one_time_tokens_by_user (user_id=?)"),
        ("DELETE FROM invitations WHERE email = 'x'", "invitations_by_email (email=?)"),
        ("DELETE FROM outbox WHERE subject = 'x'", "outbox_by_subject (subject=?)"),
    ] {
        let plan = db.query_all_raw(Statement::from_string(db.get_database_backend(), format!("EXPLAIN QUERY PLAN {sql}"))).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps.iter().any(|step| step.contains(index)), "{sql}: {steps:?}");
    }
    db.close().await.unwrap();
}
