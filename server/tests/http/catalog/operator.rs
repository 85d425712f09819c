//! What the operator does about models: a folder of manifests, and names on the command line.

use crate::{
    harness::{Product, within},
    process::reelmill,
};
use std::{fs, time::Duration};
use store::on_both_engines;

/// Whether `reelmill admin model` did as it was told, its standard output, and its standard error.
async fn admin(product: &Product, words: &[&str]) -> (bool, String, String) {
    let done = reelmill(product, &[&["admin", "model"][..], words].concat()).await;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.success(), text(done.stdout), text(done.stderr))
}

on_both_engines! {
    async fn models_are_listed_and_named_on_the_command_line(database: TempDatabase) {
        let product = Product::new(database).await;
        assert_eq!(admin(&product, &["list"]).await.1, "vignette-1\tvignette\tvideos\ton offer\t\n");
        for alias in ["sora-2", "sora-2-pro"] {
            let (done, said, complaint) = admin(&product, &["alias", "--alias", alias, "--model", "vignette-1"]).await;
            assert!(done && said.is_empty(), "{said} {complaint}");
        }
        product.until(|catalog| catalog.find("sora-2").is_some()).await;
        assert_eq!(admin(&product, &["list"]).await.1, "vignette-1\tvignette\tvideos\ton offer\tsora-2, sora-2-pro\n");
        product.offer(&[]).await;
        assert!(admin(&product, &["list"]).await.1.starts_with("vignette-1\tvignette\tvideos\toff offer\t"));
        assert!(admin(&product, &["unalias", "--alias", "sora-2"]).await.0);
        for words in [["unalias", "--alias", "sora-2"].as_slice(), &["alias", "--alias", "sora-3", "--model", "retired-1"]] {
            let (done, said, complaint) = admin(&product, words).await;
            assert!(!done && said.is_empty() && complaint.contains("error: "), "{words:?} {said} {complaint}");
        }
    }

    async fn a_manifest_that_cannot_be_read_stops_the_start(database: TempDatabase) {
        let product = Product::new(database).await;
        let folder = product.folder().join("weights");
        fs::create_dir_all(folder.join("broken-1")).unwrap();
        fs::write(folder.join("broken-1/manifest.json"), "{").unwrap();
        let words = ["serve", "--port", "0", "--models", folder.to_str().unwrap()];
        let started = within(Duration::from_secs(60), reelmill(&product, &words)).await.expect("the server should not start");
        let complaint = String::from_utf8_lossy(&started.stderr).into_owned();
        assert!(!started.status.success() && complaint.contains("error: the models in") && complaint.contains("broken-1"), "{complaint}");
    }
}
