//! What taking in a job and looking at one cost on PostgreSQL; prints medians, and is run by hand.

use crate::{account, new_job};
use std::time::{Duration, Instant};
use store::testing::{Engine, TempDatabase};

const ROUNDS: usize = 500;

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took[took.len() / 2]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it measures, and judges nothing"]
async fn submissions_and_looks() {
    let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
    let store = database.open().await.unwrap();
    let (tenant, user) = account(&store, "ada@example.com").await;
    let (mut submissions, mut looks) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let id = store.tenant(tenant).jobs().submit(new_job(user), None).await.unwrap().job.id;
        submissions.push(begun.elapsed());
        let begun = Instant::now();
        store.tenant(tenant).jobs().get(id).await.unwrap().unwrap();
        looks.push(begun.elapsed());
    }
    eprintln!("{ROUNDS} rounds: submission {:?}, look {:?}", median(submissions), median(looks));
}
