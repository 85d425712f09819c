//! Wake-ups between processes: two stores on one database.

use crate::World;
use domain::Stage;
use std::time::{Duration, Instant};
use store::{Change, on_both_engines};
use tokio::{sync::broadcast::Receiver, time::timeout};

/// Nothing here takes so long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time until a change comes that is `wanted`, or means that anything may have changed.
async fn heard(changes: &mut Receiver<Change>, wanted: Change) -> Duration {
    let started = Instant::now();
    let waiting = async {
        loop {
            let change = changes.recv().await.unwrap();
            if change == wanted || change == Change::Any {
                return;
            }
        }
    };
    timeout(PATIENCE, waiting).await.expect("a wake-up");
    started.elapsed()
}

on_both_engines! {
    async fn another_process_hears_of_a_submission_and_of_a_hand_over(database: TempDatabase) {
        let world = World::new(database).await;
        let other = world.database.open_at(&world.dial).await.unwrap();
        let mut changes = other.signals().subscribe();
        let job = world.submit().await;
        let submission = heard(&mut changes, Change::Queue(Stage::Sampling)).await;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        world.queue().announce(&token, &[store::ArtifactKind::Latents]).await.unwrap();
        let mut changes = other.signals().subscribe();
        world.queue().hand_over(&token, crate::object(store::ArtifactKind::Latents), 1).await.unwrap();
        let hand_over = heard(&mut changes, Change::Queue(Stage::Decoding)).await;
        let mut changes = other.signals().subscribe();
        world.store.tenant(world.tenant).jobs().cancel(job.id).await.unwrap();
        let cancel = heard(&mut changes, Change::Job(job.id)).await;
        eprintln!("wake-ups across stores on {:?}: {submission:?} {hand_over:?} {cancel:?}", world.database.engine);
    }

    async fn the_same_process_hears_of_its_own_writes(database: TempDatabase) {
        let world = World::new(database).await;
        let mut changes = world.store.signals().subscribe();
        world.submit().await;
        heard(&mut changes, Change::Queue(Stage::Sampling)).await;
    }

    async fn the_listener_ends_with_the_last_clone_of_its_store(database: TempDatabase) {
        let world = World::new(database).await;
        let mut changes = world.store.signals().subscribe();
        let World { store, database, .. } = world;
        drop(store.clone());
        drop(store);
        let ended = async { while !matches!(changes.recv().await, Err(tokio::sync::broadcast::error::RecvError::Closed)) {} };
        timeout(PATIENCE, ended).await.expect("nobody listens any more");
        drop(database);
    }
}
