//! What came of lines with long texts: read a few at a time by whoever reads all of it, and the beginning alone by whoever looks them over.

use crate::lines::{Site, line};
use domain::batch::{BatchStatus, LineState};
use service::LineOutcome;
use store::on_both_engines;

on_both_engines! {
    async fn what_came_of_long_lines_is_read_a_few_at_a_time_and_none_is_passed_over(database: TempDatabase) {
        let site = Site::new(database).await;
        let text: String = (0..5).map(|n| line(&format!("line-{n}"), &"sea ".repeat(7000))).collect();
        let batch = site.batch(&text, "24h").await;
        site.run_until_ended(batch).await;
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.status, ended.completed), (BatchStatus::Completed, 5));
        let (mut read, mut after) = (Vec::new(), None);
        loop {
            let some = site.world.services.batch_results(site.actor(), batch, after).await.unwrap().unwrap();
            let Some(last) = some.last() else { break };
            after = Some(last.number);
            read.push(some.len());
        }
        assert_eq!(read, [2, 2, 1], "each has 28 KB");
        assert_eq!(site.content(ended.output.unwrap()).await.lines().count(), 5);
        let page = site.world.services.batch_lines(site.actor(), batch, &[LineState::Succeeded], None, 60).await.unwrap().unwrap();
        let shown = page.lines.iter().map(|line| if let LineOutcome::Made(job) = &line.outcome { job.spec.prompt.len() } else { 0 });
        assert_eq!(shown.collect::<Vec<_>>(), [200; 5], "of each its beginning");
    }
}
