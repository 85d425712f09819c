//! Callbacks of single jobs: told once, in lines that are no endpoints, and gone with their jobs.

use super::{LEASE_MS, answered, asked, claim, fan_out};
use crate::World;
use domain::{
    FailureCode, JobId, Stage,
    job::AttemptFailure,
    webhook::{CALLBACK_LINES_MAX, Callback, CallbackEvent, CallbackStyle, DELIVERY_KEPT_MS, PROGRESS_TOLD_EVERY_MS},
};
use store::{AfterAttempt, CALLBACK_DUE, ClaimedWebhook, NewJob, on_both_engines};

fn callback(receiver: &str, events: &[CallbackEvent]) -> Callback {
    Callback {
        style: CallbackStyle::Replicate,
        url: format!("{receiver}/hook?token=quokka"),
        receiver: receiver.to_owned(),
        events: events.to_vec(),
        origin: "https://video.example.com".into(),
        api: "https://video.example.com/replicate".into(),
    }
}

async fn submit(world: &World, callback: Callback) -> JobId {
    let job = NewJob { callback: Some(callback), ..world.new_job() };
    world.store.tenant(world.tenant).jobs().submit(job, None).await.unwrap().job.id
}

/// What is told of jobs that run, and of those that have ended.
async fn tell(world: &World) -> u64 {
    let (queue, mut told) = (world.store.webhooks(), 0);
    for (tenant, job) in queue.followed(PROGRESS_TOLD_EVERY_MS).await.unwrap() {
        told += queue.tell(tenant, job).await.unwrap();
    }
    while let Some(event) = world.store.outbox().take(&[CALLBACK_DUE], LEASE_MS).await.unwrap() {
        let job = event.payload["job"].as_str().unwrap().parse().unwrap();
        // Whoever delivers an event may do it twice.
        told += queue.tell(world.tenant, job).await.unwrap();
        told += queue.tell(world.tenant, job).await.unwrap();
        world.store.outbox().delivered(&event).await.unwrap();
    }
    told
}

async fn taken(world: &World) -> Vec<ClaimedWebhook> {
    world.dial.advance_ms(1000);
    let mut all = Vec::new();
    while let Some(claimed) = claim(world).await {
        assert!(answered(world, &claimed, AfterAttempt::Delivered).await);
        all.push(claimed);
    }
    all
}

fn events(taken: &[ClaimedWebhook]) -> Vec<CallbackEvent> {
    taken.iter().map(|claimed| claimed.callback.unwrap().1).collect()
}

on_both_engines! {
    async fn a_job_tells_its_start_its_steps_and_its_end_each_once(database: TempDatabase) {
        use CallbackEvent::{Completed, Logs, Output, Start};
        let world = World::new(database).await;
        let id = submit(&world, callback("https://a.example.com", &[Start, Output, Logs, Completed])).await;
        assert_eq!(tell(&world).await, 0, "it waits");
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        assert_eq!((tell(&world).await, tell(&world).await), (1, 0));
        world.sql("UPDATE jobs SET step = 3").await;
        assert_eq!((tell(&world).await, tell(&world).await), (1, 0));
        world.sql("UPDATE jobs SET step = 4").await;
        assert_eq!(tell(&world).await, 0, "too soon");
        world.dial.advance_ms(PROGRESS_TOLD_EVERY_MS);
        assert_eq!(tell(&world).await, 0, "what waits to be sent tells of this step too");
        let sent = taken(&world).await;
        assert_eq!((events(&sent), sent[0].body.as_str(), sent[0].callback.unwrap().0), (vec![Start, Logs], "", id));
        assert_eq!(tell(&world).await, 1);
        assert_eq!(events(&taken(&world).await), [Logs]);
        world.hand_over(&claimed.token).await;
        let decoding = world.claim(Stage::Decoding).await.unwrap();
        world.succeed(&decoding.token).await;
        assert_eq!((tell(&world).await, tell(&world).await), (2, 0));
        assert_eq!(events(&taken(&world).await), [Output, Completed]);
    }

    async fn a_job_that_is_cancelled_before_anybody_began_it_tells_its_end(database: TempDatabase) {
        let world = World::new(database).await;
        let id = submit(&world, callback("https://a.example.com", &[CallbackEvent::Start, CallbackEvent::Completed])).await;
        world.store.tenant(world.tenant).jobs().cancel(id).await.unwrap();
        assert_eq!(tell(&world).await, 1);
        assert_eq!(events(&taken(&world).await), [CallbackEvent::Completed]);
    }

    async fn a_line_of_callbacks_is_no_endpoint_and_none_is_disabled(database: TempDatabase) {
        let world = World::new(database).await;
        let id = submit(&world, callback("https://a.example.com", &[CallbackEvent::Completed])).await;
        world.store.tenant(world.tenant).jobs().cancel(id).await.unwrap();
        tell(&world).await;
        let sent = claim(&world).await.unwrap();
        let tenant = world.store.tenant(world.tenant);
        assert!(tenant.webhooks().list().await.unwrap().is_empty() && tenant.webhooks().get(sent.endpoint).await.unwrap().is_none());
        assert!(tenant.webhooks().delete(asked(&world), sent.endpoint).await.is_err());
        assert_eq!(fan_out(&world, 1).await, 0);
        assert!(answered(&world, &sent, AfterAttempt::Gone).await);
        let second = submit(&world, callback("https://a.example.com", &[CallbackEvent::Completed])).await;
        world.store.tenant(world.tenant).jobs().cancel(second).await.unwrap();
        assert_eq!(tell(&world).await, 1);
        assert_eq!(taken(&world).await[0].endpoint, sent.endpoint, "it wanted nothing of that job");
        world.dial.advance_ms(DELIVERY_KEPT_MS + 1);
        while world.store.webhooks().forget().await.unwrap() {}
        assert_eq!((world.count("webhook_endpoints").await, world.count("webhook_deliveries").await, world.count("webhook_attempts").await), (0, 0, 0));
    }

    async fn of_what_was_told_of_a_job_nothing_is_kept(database: TempDatabase) {
        use CallbackEvent::{Completed, Logs, Start};
        let world = World::new(database).await;
        let id = submit(&world, callback("https://a.example.com", &[Start, Logs, Completed])).await;
        world.claim(Stage::Sampling).await.unwrap();
        world.sql("UPDATE jobs SET step = 3").await;
        assert_eq!((tell(&world).await, taken(&world).await.len()), (2, 2));
        let kept = async || (world.count("webhook_deliveries").await, world.count("webhook_attempts").await);
        assert_eq!(kept().await, (0, 0), "nobody can look at it");
        world.store.tenant(world.tenant).jobs().cancel(id).await.unwrap();
        assert_eq!(tell(&world).await, 1);
        let end = claim(&world).await.unwrap();
        assert!(answered(&world, &end, AfterAttempt::Again { pause_ms: 5000 }).await);
        assert_eq!(kept().await, (1, 1), "it is tried again");
        world.dial.advance_ms(5000);
        assert_eq!((events(&taken(&world).await), kept().await), (vec![Completed], (0, 0)));
        assert_eq!(world.store.webhooks().callbacks_waiting(world.tenant).await.unwrap(), 0);
    }

    async fn receivers_beyond_the_most_share_a_line(database: TempDatabase) {
        let world = World::new(database).await;
        for n in 0..CALLBACK_LINES_MAX + 3 {
            let id = submit(&world, callback(&format!("https://{n}.example.com"), &[CallbackEvent::Completed])).await;
            world.store.tenant(world.tenant).jobs().cancel(id).await.unwrap();
        }
        assert_eq!(tell(&world).await, CALLBACK_LINES_MAX + 3);
        assert_eq!(world.count("webhook_endpoints").await as u64, CALLBACK_LINES_MAX + 1);
        assert_eq!(world.store.webhooks().callbacks_waiting(world.tenant).await.unwrap(), CALLBACK_LINES_MAX + 3);
        let (stranger, _) = crate::account(&world.store, "eve@example.com").await;
        assert_eq!(world.store.webhooks().callbacks_waiting(stranger).await.unwrap(), 0);
    }

    async fn a_callback_is_found_by_its_tenant_alone_and_goes_with_its_job(database: TempDatabase) {
        let world = World::new(database).await;
        let wanted = callback("https://a.example.com", &[CallbackEvent::Completed]);
        let id = submit(&world, wanted.clone()).await;
        let (stranger, _) = crate::account(&world.store, "eve@example.com").await;
        let queue = world.store.webhooks();
        assert_eq!((queue.callback(world.tenant, id).await.unwrap(), queue.callback(stranger, id).await.unwrap()), (Some(wanted), None));
        assert_eq!(queue.tell(stranger, id).await.unwrap(), 0);
        let jobs = world.store.tenant(world.tenant).jobs();
        jobs.cancel(id).await.unwrap();
        jobs.delete(id).await.unwrap();
        assert_eq!(tell(&world).await, 0, "nobody is told of what is gone");
        world.sql("UPDATE jobs SET counted_at_ms = 1").await;
        world.queue().garbage(0, 100).await.unwrap();
        world.queue().forget_deleted().await.unwrap();
        assert_eq!((world.count("jobs").await, world.count("job_callbacks").await), (0, 0));
    }

    async fn progress_that_waits_to_be_sent_is_looked_at_once_it_was_taken(database: TempDatabase) {
        let world = World::new(database).await;
        let id = submit(&world, callback("https://a.example.com", &[CallbackEvent::Logs])).await;
        world.claim(Stage::Sampling).await.unwrap();
        world.sql("UPDATE jobs SET step = 3").await;
        assert_eq!(tell(&world).await, 1);
        world.sql("UPDATE jobs SET step = 4").await;
        world.dial.advance_ms(20 * PROGRESS_TOLD_EVERY_MS);
        let followed = async || world.store.webhooks().followed(PROGRESS_TOLD_EVERY_MS).await.unwrap();
        assert!(followed().await.is_empty(), "or each look would take the writer for nothing");
        assert_eq!(events(&taken(&world).await), [CallbackEvent::Logs]);
        assert_eq!(followed().await, [(world.tenant, id)]);
    }

    async fn a_clock_that_was_put_back_holds_no_progress_back(database: TempDatabase) {
        let world = World::new(database).await;
        submit(&world, callback("https://a.example.com", &[CallbackEvent::Logs])).await;
        world.claim(Stage::Sampling).await.unwrap();
        world.sql("UPDATE jobs SET step = 3").await;
        assert_eq!((tell(&world).await, taken(&world).await.len()), (1, 1));
        world.dial.advance_ms(-3_600_000);
        world.sql("UPDATE jobs SET step = 4").await;
        assert_eq!((tell(&world).await, tell(&world).await), (1, 0));
    }

    async fn what_is_tried_once_more_tells_its_start_and_its_steps_anew(database: TempDatabase) {
        use CallbackEvent::{Logs, Start};
        let world = World::new(database).await;
        let id = submit(&world, callback("https://a.example.com", &[Start, Logs])).await;
        let first = world.claim(Stage::Sampling).await.unwrap();
        world.sql("UPDATE jobs SET step = 4").await;
        assert_eq!(tell(&world).await, 2);
        assert_eq!(events(&taken(&world).await), [Start, Logs]);
        world.queue().report_failure(&first.token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        assert_eq!(tell(&world).await, 0, "nobody asked for its end");
        world.requeue(id).await.unwrap();
        world.claim(Stage::Sampling).await.unwrap();
        world.sql("UPDATE jobs SET step = 3").await;
        assert_eq!((tell(&world).await, tell(&world).await), (2, 0));
        assert_eq!(events(&taken(&world).await), [Start, Logs]);
    }

    async fn a_team_that_is_deleted_is_told_nothing_more_and_no_line_keeps_it(database: TempDatabase) {
        let world = World::new(database).await;
        let (tenant, user) = crate::account(&world.store, "eve@example.com").await;
        let told = callback("https://a.example.com", &[CallbackEvent::Start, CallbackEvent::Completed]);
        let job = NewJob { callback: Some(told), ..crate::new_job(user) };
        let id = world.store.tenant(tenant).jobs().submit(job, None).await.unwrap().job.id;
        world.claim(Stage::Sampling).await.unwrap();
        world.store.accounts().delete(user).await.unwrap();
        assert_eq!((world.store.webhooks().tell(tenant, id).await.unwrap(), world.count("webhook_endpoints").await), (0, 0));
        // As a server of an earlier version made it.
        let late = "INSERT INTO webhook_endpoints (id, tenant_id, name, url, event_types, sealed_secret, secret_hint, created_at_ms, \
             updated_at_ms, pending, receiver) SELECT job_id, tenant_id, '', '', '', '', '', 0, 9000000000000, 0, receiver FROM job_callbacks";
        world.sql(late).await;
        world.store.deletions().delete_job(tenant, id).await.unwrap();
        world.sql("UPDATE jobs SET counted_at_ms = 1").await;
        world.queue().garbage(0, 100).await.unwrap();
        world.queue().forget_deleted().await.unwrap();
        world.store.deletions().finish().await.unwrap();
        while world.store.webhooks().forget().await.unwrap() {}
        world.store.deletions().finish().await.unwrap();
        assert_eq!((world.count("jobs").await, world.count("webhook_endpoints").await), (0, 0));
        assert_eq!(world.count("tenants WHERE deleted_at_ms IS NOT NULL").await, 0);
    }
}
