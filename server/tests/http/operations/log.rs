//! The log of requests as pages have it: keeping up, and with whom a request shared its batches.

use crate::harness::Product;
use store::on_both_engines;

on_both_engines! {
    async fn the_log_keeps_up_until_it_is_paused_and_offers_the_newest_behind_them_alone(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_, operator) = product.operator().await;
        let ada = product.customer("ada").await;
        for (cookie, page) in [(product.cookie(&ada).await, "/requests"), (operator, "/admin/requests")] {
            let kept_up = product.page(&cookie, page).await;
            assert!(kept_up.contains("id=\"log\"") && !kept_up.contains("Newer"), "{kept_up}");
            assert!(kept_up.contains(&format!("href=\"{page}?paused=1\"")), "{kept_up}");
            let paused = product.page(&cookie, &format!("{page}?status=failed&paused=1")).await;
            assert!(!paused.contains("id=\"log\"") && paused.contains(&format!("href=\"{page}?status=failed\"")), "{paused}");
            let older = product.page(&cookie, &format!("{page}?after=job_0190aaaabbbb7ccc8dddeeeeffff0001")).await;
            assert!(!older.contains("id=\"log\"") && older.contains("The newest"), "{older}");
        }
    }

    async fn a_request_names_those_of_its_team_that_were_in_its_batches_and_counts_the_others(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_, operator) = product.operator().await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (mine, mate, theirs) = (product.create(&ada, "sea").await, product.create(&ada, "sky").await, product.create(&eve, "sun").await);
        for _ in 0..3 {
            product.finish().await;
        }
        product.database().damage("UPDATE jobs SET sampled_by = (SELECT sampled_by FROM jobs WHERE sampled_by IS NOT NULL ORDER BY id LIMIT 1), sampled_at_ms = 5000, sampling_ms = 1000, load_ms = 0, encode_ms = 0, latents_upload_ms = 0").await;
        let page = product.page(&product.cookie(&ada).await, &format!("/requests?id={mine}")).await;
        assert!(page.contains("Shared its batches with") && page.contains(&format!("href=\"/requests?id={mate}\"")), "{page}");
        assert!(page.contains("1 of other tenants") && !page.contains(&theirs.to_string()), "{page}");
        let page = product.page(&operator, &format!("/admin/requests?id={mine}")).await;
        for other in [mate, theirs] {
            assert!(page.contains(&format!("href=\"/admin/requests?id={other}\"")), "{page}");
        }
    }
}
