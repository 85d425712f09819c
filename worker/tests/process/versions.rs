//! Workers of two versions side by side, as while a fleet is upgraded.

use crate::plant::Plant;
use crate::small_model;

const PROMPT: &str = "northern lights over the mountains";

store::on_both_engines! {
    async fn latents_of_another_version_are_made_again_by_their_decoder_and_cost_no_attempt(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let whole = plant.submit(PROMPT, 7, 3).await;
        {
            let _worker = plant.start("");
            plant.until_succeeded(whole).await;
        }
        let mixed = plant.submit(PROMPT, 7, 3).await;
        plant.sample_as_another_version("vignette-1").await;
        let _decoder = plant.start("--role decoder");
        assert_eq!(plant.until_succeeded(mixed).await.lifecycle.attempts, 1);
        let (whole, mixed) = (plant.files(whole).await, plant.files(mixed).await);
        assert!(whole.iter().zip(&mixed).all(|(a, b)| a.sha256 == b.sha256), "{whole:?} {mixed:?}");
    }

    async fn a_decoder_without_the_denoiser_leaves_latents_of_another_version_to_samplers_of_its_own(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let job = plant.submit(PROMPT, 7, 3).await;
        plant.sample_as_another_version("vignette-1").await;
        let _decoder = plant.start(&format!("--role decoder --models {}", small_model::decoder_alone().display()));
        let _sampler = plant.start("--role sampler");
        assert_eq!(plant.until_succeeded(job).await.lifecycle.attempts, 2);
    }
}
