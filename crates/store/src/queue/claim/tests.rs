//! What a claim looks at.

use super::*;
use crate::testing::TempDatabase;
use sea_orm::{DbBackend, Statement};

#[tokio::test]
async fn no_job_of_another_model_is_looked_at() {
    let database = TempDatabase::sqlite();
    let store = database.open().await.unwrap();
    let (worker, rotation) = (WorkerId::from_uuid(Uuid::nil()), Mutex::default());
    let claimant = Claimant { stage: Stage::Sampling, worker, models: &["a"], lanes: &[], rotation: &rotation, free: 1, workers: 1 };
    let mut line = Candidates::new(&store, claimant, Lane::Batch).await.unwrap();
    for behind in [None, Some(Place { finish: VirtualTime::new(1), job: JobId::from_uuid(Uuid::nil()) })] {
        line.behind[0] = behind;
        let sql = format!("EXPLAIN QUERY PLAN {}", DbBackend::Sqlite.build(&line.line(0)));
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let along = "INDEX jobs_by_line (waits_for=? AND model=? AND lane=? AND ";
        // Of tenants those alone that are deleted, once.
        let is_of_deleted = |step: &&String| {
            step.contains("INDEX tenants_deleted") || step.starts_with("LIST SUBQUERY") || step.starts_with("CREATE BLOOM FILTER")
        };
        let (of_deleted, of_jobs): (Vec<_>, Vec<_>) = steps.iter().partition(is_of_deleted);
        assert!(of_deleted.iter().any(|step| step.contains("tenants_deleted")), "{steps:?}");
        assert!(!of_jobs.is_empty() && of_jobs.iter().all(|step| step.contains(along) && step.contains("finish_tag<?)")), "{steps:?}");
    }
}
