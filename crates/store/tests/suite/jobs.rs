//! A tenant's view of its jobs.

use crate::{World, account, new_job};
use domain::{JobId, Stage};
use futures::{future::join_all, poll};
use std::pin::pin;
use store::{ArtifactKind, JobPage, Order, PageQuery, Preview, ProgressReport, Texts, on_both_engines};

fn ids(page: &JobPage) -> Vec<JobId> {
    page.jobs.iter().map(|job| job.id).collect()
}

on_both_engines! {
    async fn another_tenants_job_can_be_neither_read_nor_touched(database: TempDatabase) {
        let world = World::new(database).await;
        let claimed = world.decoding().await;
        world.succeed(&claimed.token).await;
        let (done, waiting) = (claimed.token.job, world.submit().await.id);
        let (stranger, _) = account(&world.store, "eve@example.com").await;
        let jobs = world.store.tenant(stranger).jobs();
        for id in [done, waiting] {
            assert_eq!(jobs.get(id).await.unwrap(), None);
            assert_eq!(jobs.cancel(id).await.unwrap(), None);
            assert!(!jobs.delete(id).await.unwrap());
            assert_eq!(jobs.artifact(id, Some(ArtifactKind::Video)).await.unwrap(), None);
            assert_eq!(jobs.preview(id).await.unwrap(), None);
        }
        let page = PageQuery { after: None, limit: 10, order: Order::NewestFirst };
        assert!(jobs.list(page, Texts::Whole).await.unwrap().jobs.is_empty());
        assert_eq!(jobs.open_work().await.unwrap().ms(), 0);
        assert_eq!((world.state(done).await, world.state(waiting).await), ("succeeded", "ready"));
    }

    async fn who_reads_on_behind_the_last_id_misses_none(database: TempDatabase) {
        let world = World::new(database).await;
        let writers = (0..8).map(|_| {
            let (store, tenant, user) = (world.store.clone(), world.tenant, world.user);
            tokio::spawn(async move {
                for _ in 0..20 {
                    store.tenant(tenant).jobs().submit(new_job(user), None).await.unwrap();
                }
            })
        });
        let mut writing = pin!(join_all(writers.collect::<Vec<_>>()));
        let (mut seen, mut after, mut is_done) = (0, None, false);
        loop {
            is_done = is_done || poll!(&mut writing).is_ready();
            let page = PageQuery { after, limit: 100, order: Order::OldestFirst };
            let found = ids(&world.store.tenant(world.tenant).jobs().list(page, Texts::Whole).await.unwrap());
            (seen, after) = (seen + found.len(), found.last().copied().or(after));
            if is_done && found.is_empty() {
                break;
            }
        }
        assert_eq!(seen, 160);
    }

    async fn pages_go_on_behind_the_last_id_in_both_orders(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let mut submitted = Vec::new();
        for _ in 0..5 {
            submitted.push(world.submit().await.id);
        }
        let page = |after, order| PageQuery { after, limit: 2, order };
        let first = jobs.list(page(None, Order::OldestFirst), Texts::Whole).await.unwrap();
        assert_eq!((ids(&first), first.has_more), (submitted[..2].to_vec(), true));
        assert!(jobs.delete(submitted[1]).await.unwrap());
        let next = jobs.list(page(Some(submitted[1]), Order::OldestFirst), Texts::Whole).await.unwrap();
        assert_eq!((ids(&next), next.has_more), (submitted[2..4].to_vec(), true));
        let newest = jobs.list(page(None, Order::NewestFirst), Texts::Whole).await.unwrap();
        assert_eq!(ids(&newest), [submitted[4], submitted[3]]);
        let last = jobs.list(page(Some(submitted[3]), Order::NewestFirst), Texts::Whole).await.unwrap();
        assert_eq!((ids(&last), last.has_more), (vec![submitted[2], submitted[0]], false));
    }

    async fn as_much_of_a_text_is_read_as_was_asked_for(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let mut job = world.new_job();
        (job.spec.prompt, job.spec.negative_prompt) = ("é🎞".repeat(1000), None);
        job.spec.expanded_prompt = Some("é🎞, at night".to_owned());
        let spec = job.spec.clone();
        let whole = jobs.submit(job, None).await.unwrap().job;
        let id = whole.id;
        let page = PageQuery { after: None, limit: 1, order: Order::NewestFirst };
        let start = jobs.list(page, Texts::Start(3)).await.unwrap().jobs.remove(0);
        assert_eq!((start.spec.prompt.as_str(), start.spec.negative_prompt.as_deref(), start.spec.expanded_prompt), ("é🎞é", None, None));
        let mut without = jobs.get_without_texts(id).await.unwrap().unwrap();
        assert_eq!((without.spec.prompt.as_str(), without.spec.negative_prompt.as_deref()), ("", None));
        without.spec = spec;
        assert_eq!(without, whole);
        let outline = jobs.outline(page).await.unwrap();
        assert_eq!((outline.jobs[0].id, outline.jobs[0].text_bytes, outline.has_more), (id, 6016, false));
        let other = world.submit().await.id;
        assert_eq!(jobs.get_all(&[other, id], Texts::Whole).await.unwrap().iter().map(|job| job.id).collect::<Vec<_>>(), [other, id]);
        assert!(jobs.delete(other).await.unwrap());
        assert_eq!(jobs.get_all(&[other, id], Texts::Whole).await.unwrap(), std::slice::from_ref(&whole));
        let mut without = jobs.get_all(&[[other; 200].as_slice(), &[id]].concat(), Texts::LeftOut).await.unwrap();
        assert_eq!((without.len(), without[0].spec.prompt.as_str()), (1, ""), "also behind those that are read at once");
        without[0].spec.clone_from(&whole.spec);
        assert_eq!(without, std::slice::from_ref(&whole));
        for watched in [vec![other, id], vec![id; 40_000]] {
            assert_eq!(world.store.revisions(&watched).await.unwrap(), [(id, whole.revision)].into(), "however many they are");
        }
    }

    async fn a_deleted_job_is_gone_for_its_tenant(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let claimed = world.decoding().await;
        world.succeed(&claimed.token).await;
        let id = claimed.token.job;
        assert!(jobs.artifact(id, Some(ArtifactKind::Video)).await.unwrap().is_some());
        assert!(jobs.delete(id).await.unwrap());
        assert!(!jobs.delete(id).await.unwrap());
        assert_eq!(jobs.get(id).await.unwrap(), None);
        assert_eq!(jobs.cancel(id).await.unwrap(), None);
        assert_eq!(jobs.artifact(id, Some(ArtifactKind::Video)).await.unwrap(), None);
    }

    async fn a_preview_is_shown_while_the_job_runs_and_goes_with_its_end(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let id = world.submit().await.id;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        let preview = |step| Preview { step, content_type: "image/webp".into(), bytes: vec![1, 2, 3] };
        for (step, preview) in [(4, Some(preview(4))), (8, Some(preview(8))), (9, None)] {
            assert_eq!(world.queue().progress(vec![ProgressReport { token, step, decoded_permille: 0, device_ms: 0, preview }]).await.unwrap(), []);
        }
        let job = world.job(id).await;
        assert_eq!((job.step, job.preview_step, job.stage), (9, Some(8), Some(Stage::Sampling)));
        assert_eq!(jobs.preview(id).await.unwrap(), Some(preview(8)));
        jobs.cancel(id).await.unwrap();
        assert_eq!((jobs.preview(id).await.unwrap(), world.job(id).await.preview_step), (None, None));
    }

    async fn only_finished_artifacts_are_shown_and_never_the_latents(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let claimed = world.decoding().await;
        let id = claimed.token.job;
        assert_eq!(jobs.artifact(id, Some(ArtifactKind::Latents)).await.unwrap(), None);
        world.succeed(&claimed.token).await;
        assert_eq!(jobs.artifact(id, Some(ArtifactKind::Latents)).await.unwrap(), None);
        let video = jobs.artifact(id, Some(ArtifactKind::Video)).await.unwrap().unwrap();
        assert_eq!(video.object_key, format!("tenants/{}/jobs/{id}/2/video.mp4", world.tenant));
        assert_eq!((video.bytes, video.content_type.as_str()), (42, "video/mp4"));
    }

    async fn cancelling_twice_or_too_late_changes_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let claimed = world.decoding().await;
        world.succeed(&claimed.token).await;
        let done = world.job(claimed.token.job).await;
        assert_eq!(jobs.cancel(done.id).await.unwrap(), Some(done));
        let id = world.submit().await.id;
        let cancelled = jobs.cancel(id).await.unwrap();
        assert_eq!(jobs.cancel(id).await.unwrap(), cancelled);
        assert_eq!(cancelled.unwrap().lifecycle.state.name(), "cancelled");
    }
}
