//! Tries of clients that count them, behind some that were refused.

use crate::World;
use domain::{VideoTime, scheduling::AdmissionError};
use sea_orm::{ConnectionTrait, TransactionTrait};
use std::time::Duration;
use store::{NewJob, Repetition, SubmitError, on_both_engines, testing::TempDatabase};

#[tokio::test]
async fn a_try_behind_a_refused_one_is_no_try_of_what_others_made() {
    let world = World::new(TempDatabase::sqlite()).await;
    let other = world.counted("f", 0).await.job.id;
    world.dial.advance_ms(1000);
    world.refused("f", 0).await;
    world.refused("f", 1).await;
    world.dial.advance_ms(1000);
    assert!(!world.counted("g", 2).await.replayed, "another request");
    let own = world.counted("f", 2).await;
    assert!(!own.replayed && own.job.id != other);
    let of_other = world.counted("f", 1).await;
    assert_eq!((of_other.job.id, of_other.replayed), (other, true), "each refusal counts once");
    assert_eq!(world.counted("f", 3).await.job.id, own.job.id, "it is known when its own answer is lost");
    assert!(!world.counted("f", 0).await.replayed, "none of its tries is still to come in");
}

#[tokio::test]
async fn a_try_behind_two_of_which_one_was_not_answered_is_no_try_of_what_others_made() {
    let world = World::new(TempDatabase::sqlite()).await;
    world.refused("f", 0).await;
    let other = world.counted("f", 0).await.job.id;
    world.dial.advance_ms(1000);
    world.unanswered("f", 1).await;
    let own = world.counted("f", 2).await;
    assert!(!own.replayed && own.job.id != other);
}

#[tokio::test]
async fn a_refusal_behind_which_a_try_did_not_come_here_answers_for_no_other() {
    let world = World::new(TempDatabase::sqlite()).await;
    world.refused("f", 0).await;
    // The second try was refused by a limit of requests.
    assert!(!world.counted("f", 2).await.replayed);
    let other = world.counted("f", 0).await.job.id;
    world.dial.advance_ms(1000);
    world.store.tenant(world.tenant).jobs().confirm(other).await.unwrap();
    let lost = world.counted("f", 0).await.job.id;
    world.dial.advance_ms(1000);
    assert_eq!(world.counted("f", 1).await.job.id, lost);
}

on_both_engines! {
    async fn a_try_that_waits_behind_a_refused_one_finds_what_a_later_one_made(database: TempDatabase) {
        let world = World::new(database).await;
        world.refused("f", 0).await;
        let later = world.counted("f", 2).await;
        assert!(!later.replayed);
        let waited = world.counted("f", 1).await;
        assert_eq!((waited.job.id, waited.replayed), (later.job.id, true));
    }

    async fn a_try_finds_what_another_server_made_behind_one_that_was_refused_here(database: TempDatabase) {
        let world = World::new(database).await;
        let elsewhere = world.database.open_at(&world.dial).await.unwrap();
        world.refused("f", 0).await;
        let repetition = Repetition::Count { fingerprint: "f".into(), retry_count: 1 };
        let made = elsewhere.tenant(world.tenant).jobs().submit(world.new_job(), repetition).await.unwrap();
        let third = world.counted("f", 2).await;
        assert_eq!((third.job.id, third.replayed), (made.job.id, true));
    }

    async fn a_first_try_that_waits_while_the_second_is_refused_makes_the_only_job(database: TempDatabase) {
        let world = World::new(database).await;
        world.refused("f", 1).await;
        let first = world.counted("f", 0).await;
        let third = world.counted("f", 2).await;
        assert_eq!((third.job.id, third.replayed), (first.job.id, true));
    }

    async fn a_try_that_the_database_did_not_answer_has_not_looked_what_was_made(database: TempDatabase) {
        let world = World::new(database).await;
        let lost = world.counted("f", 0).await.job.id;
        world.dial.advance_ms(1000);
        world.unanswered("f", 1).await;
        world.dial.advance_ms(1000);
        let third = world.counted("f", 2).await;
        assert_eq!((third.job.id, third.replayed), (lost, true));
    }
}

impl World {
    async fn refused(&self, fingerprint: &str, retry_count: u32) {
        let full = AdmissionError::QueueFull { open: VideoTime::from_ms(1), open_max: VideoTime::from_ms(1) };
        let job = NewJob { refused: Some(full), ..self.new_job() };
        let repetition = Repetition::Count { fingerprint: fingerprint.into(), retry_count };
        let submitted = self.store.tenant(self.tenant).jobs().submit(job, repetition).await;
        assert!(matches!(submitted, Err(SubmitError::NotAdmitted(_))), "{submitted:?}");
    }

    /// Another process writes all the time.
    async fn unanswered(&self, fingerprint: &str, retry_count: u32) {
        let other = sea_orm::Database::connect(self.database.url_of_all()).await.unwrap();
        let writing = other.begin().await.unwrap();
        writing.execute_unprepared("UPDATE tenants SET plan = plan").await.unwrap();
        let repetition = Repetition::Count { fingerprint: fingerprint.into(), retry_count };
        let jobs = self.store.tenant(self.tenant).jobs();
        let submitted = jobs.submit_within(Duration::from_millis(50), self.new_job(), repetition).await;
        assert!(matches!(submitted, Err(SubmitError::Store(_))), "{submitted:?}");
        writing.rollback().await.unwrap();
        other.close().await.unwrap();
    }
}
