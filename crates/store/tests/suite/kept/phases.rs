//! The wait for a decoder: one time wherever it is told, also beside tallies that were kept before it was counted.

use crate::World;
use domain::{
    Clock, Stage,
    metrics::{Phase, Range, StretchOf, Tally},
};
use store::{
    metrics::TallyQuery,
    on_both_engines,
    requests::{RequestFilter, Slow},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const WAIT_MS: u64 = 7000;

/// One video is made that waits so long for a decoder, and is counted.
async fn make_one(world: &World) {
    world.submit().await;
    let sampling = world.claim(Stage::Sampling).await.unwrap().token;
    world.hand_over(&sampling).await;
    world.dial.advance_ms(WAIT_MS.cast_signed());
    let decoding = world.claim(Stage::Decoding).await.unwrap().token;
    world.dial.advance_ms(300);
    world.succeed(&decoding).await;
    assert_eq!(world.store.kept_numbers().count_ended().await.unwrap(), 1);
}

async fn kept(world: &World) -> Tally {
    let range = Range::last(DAY_MS, world.dial.now()).unwrap();
    let query = TallyQuery { range, tenant: None, model: None, lane: None, device: None, by: None };
    let mut sum = Tally::default();
    world.store.kept_numbers().tallies(&query).await.unwrap().iter().for_each(|row| sum.merge(&row.tally));
    sum
}

on_both_engines! {
    async fn the_wait_for_a_decoder_is_the_same_in_tallies_in_the_log_and_in_its_waterfall(database: TempDatabase) {
        let world = World::new(database).await;
        make_one(&world).await;
        let tally = kept(&world).await;
        let times = tally.times(Phase::DecoderWait);
        assert_eq!((times.count(), times.sum()), (1, WAIT_MS));

        let requests = world.store.tenant(world.tenant).requests();
        let found = async |at_least_ms| {
            let slow = Some(Slow { phase: Phase::DecoderWait, at_least_ms });
            requests.page(&RequestFilter { slow, ..RequestFilter::default() }, None, 10).await.unwrap().rows
        };
        let rows = found(WAIT_MS).await;
        assert_eq!((rows.len(), rows[0].decoder_wait_ms, found(WAIT_MS + 1).await.len()), (1, Some(WAIT_MS), 0));
        let timeline = requests.times(rows[0].id).await.unwrap().unwrap().timeline;
        let stretches = timeline.stretches(world.dial.now());
        let drawn = stretches.iter().find(|stretch| stretch.what == StretchOf::WaitingForDecoder).unwrap();
        assert_eq!(drawn.until.ms_since(drawn.from), WAIT_MS);
    }

    async fn a_tally_that_was_kept_before_the_wait_for_a_decoder_was_counted_is_read_and_added_to(database: TempDatabase) {
        let world = World::new(database).await;
        make_one(&world).await;
        world.sql("UPDATE job_tallies SET added_times = NULL").await;
        let counts = async || {
            let tally = kept(&world).await;
            Phase::ALL.map(|phase| tally.times(phase).count())
        };
        assert_eq!(counts().await, [1, 1, 1, 1, 1, 1, 1, 0]);
        make_one(&world).await;
        assert_eq!(counts().await, [2, 2, 2, 2, 2, 2, 2, 1]);
    }
}
