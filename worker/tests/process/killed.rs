//! kill -9 in the middle of a stage: another worker takes over when the lease has run out.

use crate::plant::Plant;
use domain::JobState;

store::on_both_engines! {
    async fn the_lease_of_a_worker_killed_while_sampling_runs_out_by_itself(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let worker = plant.start("--lease-ms 6000 --fault hold:step:3");
        let job = plant.submit("a campfire at night", 1, 12).await;
        plant.until_held(&worker, "step-3").await;
        worker.signal("KILL");

        let _other = plant.start("--lease-ms 6000");
        let done = plant.until_succeeded(job).await;
        assert!(done.lifecycle.attempts >= 2, "{done:?}");
        assert_eq!(plant.files(job).await.len(), 3);
    }

    async fn a_worker_killed_while_decoding_costs_one_attempt_and_no_sampling(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let _sampler = plant.start("--role sampler");
        let worker = plant.start("--role decoder --fault hold:decoded");
        let job = plant.submit("a campfire at night", 2, 4).await;
        let decoding = plant.until(job, "the job is being decoded", |job| matches!(job.lifecycle.state, JobState::Decoding(_))).await;
        plant.until_held(&worker, "decoded").await;
        worker.signal("KILL");
        plant.expire(&[job]).await;

        let _other = plant.start("--role decoder");
        let done = plant.until_succeeded(job).await;
        assert_eq!((done.lifecycle.attempts, done.sampling_ms), (2, decoding.sampling_ms));
        assert_eq!(plant.files(job).await.len(), 3);
    }
}
