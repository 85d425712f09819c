//! Ordinary days: company in the batch, cancelled jobs, shutdowns, a database that is late.

use crate::plant::{Plant, eventually};
use crate::small_model;
use domain::{JobRequest, JobState, Stage};
use store::ArtifactKind;

store::on_both_engines! {
    async fn the_same_seed_gives_the_same_video_alone_and_joining_a_running_batch(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let alone = {
            let _worker = plant.start("");
            let alone = plant.submit("northern lights over the mountains", 7, 6).await;
            plant.until_succeeded(alone).await;
            alone
        };
        let worker = plant.start("--fault hold:step:3");
        let running = plant.submit("a campfire at night", 8, 60).await;
        plant.until_held(&worker, "step-3").await;
        let joined = plant.submit("northern lights over the mountains", 7, 6).await;
        plant.until_sampling(joined, 0).await;
        plant.let_go(&worker);
        plant.until_succeeded(joined).await;
        plant.until_succeeded(running).await;

        let (alone, joined) = (plant.files(alone).await, plant.files(joined).await);
        assert_eq!(alone[0].kind, ArtifactKind::Video);
        assert!(alone.iter().zip(&joined).all(|(a, b)| a.sha256 == b.sha256), "{alone:?} {joined:?}");
    }

    async fn a_worker_makes_images_of_another_family_beside_its_videos(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let worker = plant.start("--fault hold:step:2");
        let video = plant.submit("a campfire at night", 8, 6).await;
        plant.until_held(&worker, "step-2").await;
        let (model, size) = (Some("tiny-1".into()), Some("64x32".into()));
        let image = plant.ask(JobRequest { prompt: "a pebble".into(), model, size, seed: Some("7".into()), ..JobRequest::default() }).await;
        plant.let_go(&worker);
        plant.until_succeeded(image).await;
        plant.until_succeeded(video).await;
        let files = plant.files(image).await;
        assert_eq!(files.iter().map(|file| file.kind).collect::<Vec<_>>(), [ArtifactKind::Image, ArtifactKind::Thumbnail]);
        let bytes = plant.bytes(&files[0]).await;
        assert_eq!((&bytes[..4], &bytes[8..16]), (&b"RIFF"[..], &b"WEBPVP8 "[..]), "RFC 9649, section 2.5");
        assert_eq!([bytes[26], bytes[28]], [64, 32]);
        assert_eq!(plant.files(video).await[0].kind, ArtifactKind::Video);
    }

    async fn a_worker_says_what_each_phase_of_a_job_took(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let _worker = plant.start("");
        let job = plant.submit("a campfire at night", 8, 4).await;
        plant.until_succeeded(job).await;
        let told = plant.services.request_detail(plant.user.actor(), job).await.unwrap().unwrap();
        let (timeline, stretches) = (told.times.timeline, told.stretches);
        let times = timeline.times;
        let phases = [times.load_ms, times.encode_ms, times.denoise_ms(), times.latents_upload_ms, times.decode_ms(), times.upload_ms];
        assert!(phases.iter().all(Option::is_some) && timeline.device.is_some() && timeline.shared_by().is_some(), "{timeline:?}");
        assert!(times.denoise_ms() > Some(0) && times.decode_ms() > Some(0), "{timeline:?}");
        assert_eq!(stretches.first().map(|first| first.from), Some(timeline.created_at));
        assert_eq!(stretches.last().map(|last| last.until), timeline.ended_at);
    }

    async fn a_worker_takes_no_job_of_a_model_whose_folder_it_has_not(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let models = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(small_model::models().join("vignette-1"), models.path().join("vignette-1")).unwrap();
        let image = plant.ask(JobRequest { prompt: "a pebble".into(), model: Some("tiny-1".into()), ..JobRequest::default() }).await;
        let video = plant.submit("a campfire at night", 8, 2).await;
        let _worker = plant.start(&format!("--models {}", models.path().display()));
        plant.until_succeeded(video).await;
        assert_eq!(plant.job(image).await.lifecycle.epoch, 0, "it stands in front, and waits");
    }

    async fn a_cancelled_job_frees_its_place_as_soon_as_its_thread_lets_go(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let worker = plant.start("--batch 1 --fault hold:step:2");
        let unwanted = plant.submit("rain", 1, 200).await;
        plant.until_held(&worker, "step-2").await;
        let next = plant.submit("sunshine", 2, 2).await;
        plant.services.cancel(plant.user.actor(), unwanted).await.unwrap();
        eventually("the worker knows", || async { worker.has_said("the lease is lost").then_some(()) }).await;
        assert_eq!(plant.job(next).await.lifecycle.epoch, 0, "its thread still computes");
        plant.let_go(&worker);
        plant.until_succeeded(next).await;
        assert_eq!(plant.job(unwanted).await.lifecycle.state, JobState::Cancelled);
    }

    async fn sigterm_gives_jobs_back_and_the_attempt_does_not_count(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut worker = plant.start("--grace-ms 300 --fault hold:step:1");
        let jobs = [plant.submit("a", 1, 100).await, plant.submit("b", 2, 100).await];
        plant.until_held(&worker, "step-1").await;
        for job in jobs {
            plant.until_sampling(job, 0).await;
        }
        worker.signal("TERM");
        assert!(worker.exited().await.success());
        assert_eq!(plant.alive().await, 0, "the worker has retired");
        for job in jobs {
            let lifecycle = plant.job(job).await.lifecycle;
            assert!(matches!(lifecycle.state, JobState::Retrying { stage: Stage::Sampling, .. }), "{lifecycle:?}");
            assert_eq!((lifecycle.attempts, lifecycle.suspect), (0, false));
        }
        let _other = plant.start("");
        assert_eq!(plant.until_succeeded(jobs[0]).await.lifecycle.attempts, 1);
    }

    async fn sigterm_lets_a_job_finish_that_is_nearly_done(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut worker = plant.start("--grace-ms 80000 --fault hold:step:2");
        let job = plant.submit("a", 1, 10).await;
        plant.until_held(&worker, "step-2").await;
        let waiting = plant.submit("b", 1, 10).await;
        plant.until_sampling(waiting, 0).await;
        worker.signal("TERM");
        eventually("the worker knows", || async { worker.has_said("closing: no further job is taken").then_some(()) }).await;
        plant.let_go(&worker);
        assert!(worker.exited().await.success());
        for job in [job, waiting] {
            let state = plant.job(job).await.lifecycle.state;
            assert!(matches!(state, JobState::Succeeded | JobState::Sampled), "{state:?}");
        }
    }

    async fn an_idle_worker_has_measured_its_device_and_leaves_in_good_order(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut worker = plant.start("");
        eventually("the worker has registered", || async { (plant.alive().await == 2).then_some(()) }).await;
        let catalog = plant.services.catalog().await.unwrap();
        for model in catalog.models() {
            let eta = plant.services.expected_time(None, &model.id, model.shape_default(), model.steps.default).await;
            // An image of the small model is made in less than a millisecond.
            assert!(eta.is_ok_and(|eta| eta.p50_ms > 0 || model.makes_images()), "{}: {eta:?}", model.id);
        }
        worker.signal("TERM");
        assert!(worker.exited().await.success());
        assert_eq!(plant.alive().await, 0);
    }

    async fn a_decoder_alone_and_a_sampler_that_keeps_no_weights_make_the_same_video(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let whole = {
            let _worker = plant.start("");
            let whole = plant.submit("northern lights over the mountains", 7, 3).await;
            plant.until_succeeded(whole).await;
            whole
        };
        let _sampler = plant.start("--role sampler --memory-budget 1");
        let _decoder = plant.start(&format!("--role decoder --models {}", small_model::decoder_alone().display()));
        let parts = plant.submit("northern lights over the mountains", 7, 3).await;
        plant.until_succeeded(parts).await;
        let (whole, parts) = (plant.files(whole).await, plant.files(parts).await);
        assert!(whole.iter().zip(&parts).all(|(a, b)| a.sha256 == b.sha256), "{whole:?} {parts:?}");
    }

    async fn without_weights_a_worker_says_so_and_exits_with_one(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut worker = plant.start("--models nowhere");
        assert_eq!(worker.exited().await.code(), Some(1));
    }
}
