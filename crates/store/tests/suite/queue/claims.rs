//! Who gets which job.

use crate::{LEASE_MS, MODELS, World, worker};
use domain::{Stage, scheduling::Suspects};
use futures::future::join_all;
use std::{collections::HashSet, time::Instant};
use store::on_both_engines;

on_both_engines! {
    async fn the_oldest_job_of_a_wanted_model_is_next(database: TempDatabase) {
        let world = World::new(database).await;
        let (first, second) = (world.submit().await.id, world.submit().await.id);
        let other = world.queue().claim(Stage::Sampling, worker(), &["flux"], LEASE_MS, Suspects::Take).await.unwrap();
        assert!(other.is_none());
        assert!(world.claim(Stage::Decoding).await.is_none());
        assert!(world.queue().claim(Stage::Sampling, worker(), &[], LEASE_MS, Suspects::Take).await.unwrap().is_none());
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, first);
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, second);
        assert!(world.claim(Stage::Sampling).await.is_none());
    }

    async fn sixteen_claimers_take_four_hundred_jobs_once_each(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        for _ in 0..400 {
            jobs.submit(world.new_job(), None).await.unwrap();
        }
        let started = Instant::now();
        let claimers = (0..16).map(|_| async {
            let (me, mut mine) = (worker(), Vec::new());
            while let Some(claimed) = world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap() {
                mine.push((claimed.token.job, claimed.token.epoch));
            }
            mine
        });
        let taken: Vec<_> = join_all(claimers).await.into_iter().flatten().collect();
        eprintln!("400 claims by 16 claimers on {:?}: {:?}", world.database.engine, started.elapsed());
        assert_eq!(taken.len(), 400);
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), 400);
        assert!(taken.iter().all(|(_, epoch)| *epoch == 1));
    }
}
