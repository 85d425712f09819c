//! Which objects go, and when.

use crate::World;
use domain::Stage;
use store::{ArtifactKind, on_both_engines};

const GRACE_MS: i64 = 60_000;

async fn garbage(world: &World) -> Vec<String> {
    world.queue().garbage(GRACE_MS, 100).await.unwrap()
}

on_both_engines! {
    async fn what_a_lost_lease_announced_goes_after_the_grace_time_counted_from_the_loss(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        let keys = world.queue().announce(&token, &[ArtifactKind::Latents]).await.unwrap();
        for _ in 0..20 {
            world.dial.advance_ms(5000);
            world.queue().renew(&[token], crate::LEASE_MS).await.unwrap();
        }
        assert!(garbage(&world).await.is_empty(), "old, and still being worked on");
        world.lose_leases().await;
        world.dial.advance_ms(GRACE_MS - 1);
        assert!(garbage(&world).await.is_empty(), "its holder may still be uploading");
        world.dial.advance_ms(1);
        assert_eq!(garbage(&world).await, keys);
        world.queue().forget_garbage(&keys).await.unwrap();
        assert!(garbage(&world).await.is_empty());
    }

    async fn the_next_holders_objects_are_not_garbage(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let stale = world.claim(Stage::Sampling).await.unwrap().token;
        let lost = world.queue().announce(&stale, &[ArtifactKind::Latents]).await.unwrap();
        world.lose_leases().await;
        world.pass_pause();
        let current = world.claim(Stage::Sampling).await.unwrap().token;
        let kept = world.queue().announce(&current, &[ArtifactKind::Latents]).await.unwrap();
        assert_ne!(lost, kept);
        world.dial.advance_ms(GRACE_MS);
        assert_eq!(garbage(&world).await, lost);
    }

    async fn the_latents_of_a_job_that_ended_go_at_once_and_its_video_stays(database: TempDatabase) {
        let world = World::new(database).await;
        let claimed = world.decoding().await;
        let latents = world.queue().latents(&claimed.token).await.unwrap().unwrap().object_key;
        assert!(garbage(&world).await.is_empty(), "the decoder needs them");
        world.succeed(&claimed.token).await;
        assert_eq!(garbage(&world).await, [latents]);
    }

    async fn cancelling_leaves_the_workers_uploads_to_the_garbage(database: TempDatabase) {
        let world = World::new(database).await;
        let claimed = world.decoding().await;
        let latents = world.queue().latents(&claimed.token).await.unwrap().unwrap().object_key;
        let video = world.queue().announce(&claimed.token, &[ArtifactKind::Video]).await.unwrap();
        world.store.tenant(world.tenant).jobs().cancel(claimed.token.job).await.unwrap();
        assert_eq!(garbage(&world).await, *std::slice::from_ref(&latents));
        world.dial.advance_ms(GRACE_MS);
        let mut both = garbage(&world).await;
        both.sort();
        assert_eq!(both, [latents, video[0].clone()]);
    }

    async fn a_deleted_job_takes_all_its_objects_and_rows_with_it(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let id = world.submit().await.id;
        let sampling = world.claim(Stage::Sampling).await.unwrap();
        world.hand_over(&sampling.token).await;
        let decoding = world.claim(Stage::Decoding).await.unwrap();
        world.succeed(&decoding.token).await;
        assert!(jobs.delete(id).await.unwrap());
        let keys = garbage(&world).await;
        assert_eq!(keys.len(), 4);
        world.queue().forget_garbage(&keys[..2]).await.unwrap();
        assert_eq!(garbage(&world).await.len(), 2);
        world.queue().forget_garbage(&keys[2..]).await.unwrap();
        world.queue().forget_deleted().await.unwrap();
        assert_eq!((world.count("jobs").await, world.count("artifacts").await), (0, 0));
    }

    async fn a_job_deleted_under_a_lease_keeps_its_rows_until_its_holder_must_have_stopped(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        let keys = world.queue().announce(&token, &[ArtifactKind::Latents]).await.unwrap();
        world.store.tenant(world.tenant).jobs().delete(id).await.unwrap();
        assert!(garbage(&world).await.is_empty());
        world.queue().forget_deleted().await.unwrap();
        world.dial.advance_ms(GRACE_MS);
        assert_eq!(garbage(&world).await, keys);
    }

    async fn live_objects_cannot_be_forgotten_by_mistake(database: TempDatabase) {
        let world = World::new(database).await;
        let claimed = world.decoding().await;
        let latents = world.queue().latents(&claimed.token).await.unwrap().unwrap().object_key;
        world.queue().forget_garbage(std::slice::from_ref(&latents)).await.unwrap();
        assert_eq!(world.queue().latents(&claimed.token).await.unwrap().unwrap().object_key, latents);
    }

    async fn what_cannot_be_removed_goes_behind_the_others_for_longer_each_time(database: TempDatabase) {
        let world = World::new(database).await;
        let mut keys = Vec::new();
        for _ in 0..3 {
            let claimed = world.decoding().await;
            keys.push(world.queue().latents(&claimed.token).await.unwrap().unwrap().object_key);
            world.succeed(&claimed.token).await;
            world.dial.advance_ms(1);
        }
        assert_eq!(garbage(&world).await, keys);
        world.queue().postpone_garbage(&keys[..1]).await.unwrap();
        for (pause_ms, waiting) in [(0, 2), (59_999, 2), (1, 3)] {
            world.dial.advance_ms(pause_ms);
            assert_eq!(garbage(&world).await.len(), waiting);
        }
        assert_eq!(garbage(&world).await[2], keys[0], "behind those that never failed");
        world.queue().postpone_garbage(&keys[..1]).await.unwrap();
        world.dial.advance_ms(60_000);
        assert_eq!(garbage(&world).await.len(), 2);
        world.dial.advance_ms(60_000);
        assert_eq!(garbage(&world).await.len(), 3);
    }
}
