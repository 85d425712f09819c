//! What is kept over time equals what plain SQL says of the rows of jobs, whoever counts, in whatever order they were committed.

use crate::{World, account, new_job};
use domain::{
    Clock, TenantId, Timestamp, UserId,
    billing::{Currency, Money, costs::DevicePrices},
    metrics::{Count, Dimension, Gauge, Phase, Range, Span, Tally, Worth, margin},
};
use sea_orm::{ConnectionTrait, Statement};
use std::collections::BTreeMap;
use store::{
    metrics::{AnnotationKind, GaugeQuery, Look, ReadError, TallyQuery},
    on_both_engines,
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The same numbers in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as i64 % end
    }

    fn one_of(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len() as i64) as usize]
    }
}

impl World {
    async fn submit_for(&self, tenant: TenantId, user: UserId) {
        self.dial.advance_ms(1);
        self.store.tenant(tenant).jobs().submit(new_job(user), None).await.unwrap();
    }

    /// Ends the jobs that came at these moments as chance has it, within two days before now.
    async fn end_some(&self, moments: &[i64], chance: &mut Chance) {
        for created_ms in moments {
            let ended_ms = self.dial.now().ms() - chance.below(2 * DAY_MS);
            let total_ms = 1 + chance.below(900_000);
            let (state, code) = [
                ("succeeded", "NULL"),
                ("succeeded", "NULL"),
                ("succeeded", "NULL"),
                ("failed", "'out_of_memory'"),
                ("failed", "'worker_lost'"),
                ("cancelled", "NULL"),
            ][chance.below(6) as usize];
            let known = chance.below(4) > 0;
            let mut ms = |most: i64| if known { chance.below(most).to_string() } else { "NULL".to_owned() };
            let (sampling, load, encode, latents, upload) = (ms(400_000), ms(2), ms(500), ms(900), ms(3000));
            let (decoding, sampling_device, decoding_device) = (ms(90_000), ms(200_000), ms(90_000));
            let sampled = ms(total_ms);
            let charged = if state == "succeeded" { 2000 } else { 0 };
            let drawn = r#"[{"kind":"purchase","time":2000,"price":{"minor_per_minute":30,"currency":"usd"}}]"#;
            let drawn = if chance.below(2) == 0 { format!("'{drawn}'") } else { "NULL".to_owned() };
            let (model, lane) = (chance.one_of(&["vignette-1", "flipbook-1"]), chance.one_of(&["interactive", "batch"]));
            let device = chance.one_of(&["'h100'", "'cpu'", "NULL"]);
            let queue_ms = chance.below(total_ms);
            self.sql(&format!(
                "UPDATE jobs SET state = '{state}', failure_code = {code}, failure_message = {code}, waits_for = NULL, ended_at_ms = {ended_ms}, \
                 started_at_ms = {ended_ms} - {total_ms} + {queue_ms}, sampled_at_ms = {ended_ms} - {sampled}, \
                 created_at_ms = {ended_ms} - {total_ms}, model = '{model}', lane = '{lane}', \
                 device = {device}, charged_ms = {charged}, drawn = {drawn}, sampling_ms = {sampling}, load_ms = {load}, encode_ms = {encode}, \
                 latents_upload_ms = {latents}, sampling_device_ms = {sampling_device}, decoding_ms = {decoding}, upload_ms = {upload}, \
                 decoding_device_ms = {decoding_device} WHERE created_at_ms = {created_ms}"
            ))
            .await;
        }
    }

    /// Rows of what plain SQL says: a name, and a number.
    async fn truth(&self, sql: &str) -> BTreeMap<String, Vec<i64>> {
        let db = sea_orm::Database::connect(self.database.url_of_all()).await.unwrap();
        let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
        db.close().await.unwrap();
        let mut found: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for row in rows {
            let (name, value): (String, i64) = (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
            found.entry(name).or_default().push(value);
        }
        found
    }

    async fn kept(&self, range: Range, by: Option<Dimension>, tenant: Option<TenantId>) -> BTreeMap<String, Tally> {
        let query = TallyQuery { range, tenant, model: None, lane: None, device: None, by };
        let rows = self.store.kept_numbers().tallies(&query).await.unwrap();
        rows.into_iter().map(|row| (format!("{}|{}", row.start.ms(), row.group), row.tally)).collect()
    }
}

/// Each number by a plain query of its own: one that is added has to get one here, or this does not compile.
const fn sql_of_count(count: Count) -> &'static str {
    match count {
        Count::Succeeded => "CASE WHEN state = 'succeeded' THEN 1 ELSE 0 END",
        Count::Failed => "CASE WHEN state = 'failed' THEN 1 ELSE 0 END",
        Count::Cancelled => "CASE WHEN state = 'cancelled' THEN 1 ELSE 0 END",
        Count::Cold => "CASE WHEN state = 'succeeded' AND load_ms > 0 THEN 1 ELSE 0 END",
        Count::MadeMs => "CASE WHEN state = 'succeeded' THEN billed_ms ELSE 0 END",
        Count::ChargedMs => "COALESCE(charged_ms, 0)",
        Count::SamplingDeviceMs => "CASE WHEN state = 'succeeded' THEN COALESCE(sampling_device_ms, 0) ELSE 0 END",
        Count::DecodingDeviceMs => "CASE WHEN state = 'succeeded' THEN COALESCE(decoding_device_ms, 0) ELSE 0 END",
    }
}

/// What a number of money is made of, each the sum of this over jobs: above, and below the line.
const fn sql_of_worth(worth: Worth) -> (&'static str, Option<&'static str>) {
    const COST: &str = "CASE device WHEN 'h100' THEN 7 WHEN 'cpu' THEN 2 ELSE 0 END * CASE WHEN state = 'succeeded' \
         THEN COALESCE(sampling_device_ms, 0) + COALESCE(decoding_device_ms, 0) ELSE 0 END";
    const REVENUE: &str = "CASE WHEN drawn IS NOT NULL THEN charged_ms / 2 ELSE 0 END";
    const LEFT: &str = "CASE WHEN drawn IS NOT NULL THEN charged_ms / 2 ELSE 0 END - CASE device WHEN 'h100' THEN 7 WHEN 'cpu' THEN 2 ELSE 0 END \
         * CASE WHEN state = 'succeeded' THEN COALESCE(sampling_device_ms, 0) + COALESCE(decoding_device_ms, 0) ELSE 0 END";
    match worth {
        Worth::Cost => (COST, None),
        Worth::Revenue => (REVENUE, None),
        Worth::CostOfMinute => (COST, Some("charged_ms")),
        Worth::RevenueOfMinute => (REVENUE, Some("charged_ms")),
        Worth::Share => (LEFT, Some(REVENUE)),
    }
}

const fn sql_of_phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Total => "ended_at_ms - created_at_ms",
        Phase::Queue => "started_at_ms - created_at_ms",
        Phase::Load => "load_ms",
        Phase::Encode => "encode_ms",
        Phase::Denoise => {
            "CASE WHEN sampling_ms < load_ms + encode_ms + latents_upload_ms THEN 0 ELSE sampling_ms - load_ms - encode_ms - latents_upload_ms END"
        }
        Phase::Decode => "CASE WHEN decoding_ms < upload_ms THEN 0 ELSE decoding_ms - upload_ms END",
        Phase::Upload => "latents_upload_ms + upload_ms",
        Phase::DecoderWait => {
            "CASE WHEN ended_at_ms < sampled_at_ms + decoding_ms THEN 0 ELSE ended_at_ms - sampled_at_ms - decoding_ms END"
        }
    }
}

const fn sql_of_group(by: Option<Dimension>) -> &'static str {
    match by {
        None => "''",
        Some(Dimension::Model) => "model",
        Some(Dimension::Lane) => "lane",
        Some(Dimension::Device) => "COALESCE(device, '')",
        // By name, as ids are stored differently on both engines.
        Some(Dimension::Tenant) => "(SELECT name FROM tenants WHERE tenants.id = jobs.tenant_id)",
    }
}

const fn all_gauges(range: Range) -> GaugeQuery<'static> {
    GaugeQuery { range, gauges: &Gauge::ALL, model: None, lane: None, device: None }
}

fn exact(values: &[i64], parts: u64) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() as u64 * parts).div_ceil(10_000).max(1);
    sorted[rank as usize - 1].unsigned_abs()
}

on_both_engines! {
    async fn every_number_is_what_plain_sql_says(database: TempDatabase) {
        let world = World::new(database).await;
        let (eve, eves_user) = account(&world.store, "eve@example.com").await;
        let mut moments = Vec::new();
        for number in 0..120 {
            let (tenant, user) = if number % 3 == 0 { (eve, eves_user) } else { (world.tenant, world.user) };
            world.submit_for(tenant, user).await;
            moments.push(world.dial.now().ms());
        }
        let mut chance = Chance(7);
        let (soon, late) = moments.split_at(70);
        world.end_some(soon, &mut chance).await;
        let kept = world.store.kept_numbers();
        assert_eq!(kept.count_ended().await.unwrap(), 70);
        // They ended before some that are counted already, and are told only now; two count at once.
        world.end_some(&late[..40], &mut chance).await;
        let other = world.database.open_at(&world.dial).await.unwrap();
        let (one, two) = tokio::join!(kept.count_ended(), other.kept_numbers().count_ended());
        assert_eq!(one.unwrap() + two.unwrap(), 40);
        assert_eq!((kept.count_ended().await.unwrap(), kept.is_any_uncounted().await.unwrap()), (0, false));

        let now = world.dial.now();
        let names: BTreeMap<String, &str> = [(world.tenant.to_string(), "ada"), (eve.to_string(), "eve")].into();
        for span in Span::ALL {
            let range = Range { span, from: span.start(now.plus_ms(-3 * DAY_MS)), until: span.start(now.plus_ms(span.ms())) };
            let start = format!("(ended_at_ms / {0}) * {0}", span.ms());
            for by in [None, Some(Dimension::Model), Some(Dimension::Lane), Some(Dimension::Device), Some(Dimension::Tenant)] {
                let kept = world.kept(range, by, None).await;
                let kept: BTreeMap<String, Tally> = kept.into_iter().map(|(key, tally)| {
                    let (start, group) = key.split_once('|').unwrap();
                    (format!("{start}|{}", names.get(group).copied().unwrap_or(group)), tally)
                }).collect();
                let key = format!("CAST({start} AS TEXT) || '|' || {}", sql_of_group(by));
                let ended = "FROM jobs WHERE ended_at_ms IS NOT NULL";
                for count in Count::ALL {
                    let sql = format!("SELECT {key}, CAST(SUM({}) AS BIGINT) {ended} GROUP BY 1", sql_of_count(count));
                    let told: BTreeMap<_, _> = kept.iter().map(|(key, tally)| (key.clone(), vec![tally.count(count) as i64])).collect();
                    assert_eq!(told, world.truth(&sql).await, "{count:?} by {by:?} in {span:?}");
                }
                let failures = format!("SELECT {key} || '|' || failure_code, COUNT(*) {ended} AND state = 'failed' GROUP BY 1");
                let told = kept.iter().flat_map(|(key, tally)| tally.failures.iter().map(move |(code, jobs)| (format!("{key}|{code}"), vec![*jobs as i64])));
                assert_eq!(told.collect::<BTreeMap<_, _>>(), world.truth(&failures).await);
                let paid = format!("SELECT {key}, CAST(SUM(charged_ms) AS BIGINT) / 2 {ended} AND drawn IS NOT NULL AND charged_ms > 0 GROUP BY 1");
                let told = kept.iter().filter_map(|(key, tally)| Some((key.clone(), vec![*tally.paid.get("usd")?])));
                assert_eq!(told.collect::<BTreeMap<_, _>>(), world.truth(&paid).await);
                for phase in Phase::ALL {
                    let took = sql_of_phase(phase);
                    let sql = format!("SELECT {key}, CAST({took} AS BIGINT) {ended} AND state = 'succeeded' AND ({took}) IS NOT NULL");
                    let truth = world.truth(&sql).await;
                    for (key, tally) in &kept {
                        let (times, values) = (tally.times(phase), truth.get(key).cloned().unwrap_or_default());
                        assert_eq!((times.count(), times.sum()), (values.len() as u64, values.iter().sum::<i64>().unsigned_abs()), "{phase} {key}");
                        for parts in [5000, 9000, 9500, 9900, 9990] {
                            let Some(told) = times.quantile(parts) else { continue };
                            let exact = exact(&values, parts.into());
                            assert!(told.abs_diff(exact) as f64 <= (exact as f64 * 0.01).max(0.51), "{phase} {parts}: {told} for {exact}");
                        }
                    }
                }
            }
        }
    }

    async fn every_number_of_money_is_what_plain_sql_says(database: TempDatabase) {
        let world = World::new(database).await;
        let mut moments = Vec::new();
        for _ in 0..60 {
            world.submit_for(world.tenant, world.user).await;
            moments.push(world.dial.now().ms());
        }
        world.end_some(&moments, &mut Chance(11)).await;
        world.store.kept_numbers().count_ended().await.unwrap();
        // By the millisecond 7 and 2 thousandths.
        let price = |of: i64| Money { thousandths_of_minor: of * 3_600_000, currency: Currency::USD };
        let prices = DevicePrices([("h100".to_owned(), price(7)), ("cpu".to_owned(), price(2))].into());
        for span in Span::ALL {
            let now = world.dial.now();
            let range = Range { span, from: span.start(now.plus_ms(-3 * DAY_MS)), until: span.start(now.plus_ms(span.ms())) };
            let kept = world.kept(range, Some(Dimension::Device), None).await;
            let key = format!("CAST((ended_at_ms / {0}) * {0} AS TEXT) || '|' || COALESCE(device, '')", span.ms());
            let sums = async |of: &str| world.truth(&format!("SELECT {key}, CAST(SUM({of}) AS BIGINT) FROM jobs WHERE ended_at_ms IS NOT NULL GROUP BY 1")).await;
            for worth in Worth::ALL {
                let (above, below) = sql_of_worth(worth);
                let (above, below) = (sums(above).await, match below { Some(below) => Some(sums(below).await), None => None });
                for (key, tally) in &kept {
                    let (_, device) = key.split_once('|').unwrap();
                    let margin = margin(tally, device, &prices, Currency::USD);
                    let Some(told) = worth.of(&margin) else {
                        assert!(margin.is_unpriced || margin.worked_ms == 0 || below.as_ref().is_some_and(|below| below[key][0] == 0), "{worth:?} {key}");
                        continue;
                    };
                    let minutes = if below.is_some() && worth != Worth::Share { 60_000.0 } else { 1.0 };
                    let exact = above[key][0] as f64 * minutes / below.as_ref().map_or(1.0, |below| below[key][0] as f64);
                    assert!((told - exact).abs() <= 1e-9 * exact.abs().max(1.0), "{worth:?} {key}: {told} for {exact}");
                }
            }
        }
    }

    async fn what_a_tenant_is_told_is_its_own(database: TempDatabase) {
        let world = World::new(database).await;
        let (eve, eves_user) = account(&world.store, "eve@example.com").await;
        let decoding = world.decoding().await;
        world.succeed(&decoding.token).await;
        let cancelled = world.store.tenant(eve).jobs().submit(new_job(eves_user), None).await.unwrap().job.id;
        world.store.tenant(eve).jobs().cancel(cancelled).await.unwrap();
        world.store.kept_numbers().count_ended().await.unwrap();
        let range = Range::last(DAY_MS, world.dial.now()).unwrap();
        let ends = async |tenant| {
            let tallies = world.kept(range, None, tenant).await;
            tallies.values().map(|tally| [Count::Succeeded, Count::Failed, Count::Cancelled].map(|count| tally.count(count))).collect::<Vec<_>>()
        };
        assert_eq!((ends(Some(world.tenant)).await, ends(Some(eve)).await, ends(None).await), (vec![[1, 0, 0]], vec![[0, 0, 1]], vec![[1, 0, 1]]));
        let by_tenant = world.kept(range, Some(Dimension::Tenant), Some(eve)).await;
        assert!(by_tenant.len() == 1 && by_tenant.keys().all(|key| key.ends_with(&eve.to_string())), "{by_tenant:?}");
    }

    async fn what_is_deleted_stays_counted_and_goes_only_when_it_is(database: TempDatabase) {
        let world = World::new(database).await;
        let job = world.submit().await;
        world.store.tenant(world.tenant).jobs().delete(job.id).await.unwrap();
        world.queue().forget_deleted().await.unwrap();
        let range = Range::last(DAY_MS, world.dial.now()).unwrap();
        let kept = world.kept(range, None, None).await;
        assert_eq!((world.count("jobs").await, kept.values().map(|tally| tally.count(Count::Cancelled)).sum::<u64>()), (0, 1));
    }

    async fn a_tally_that_cannot_be_read_begins_anew_and_stops_no_counting(database: TempDatabase) {
        let world = World::new(database).await;
        let count_one = async || {
            let decoding = world.decoding().await;
            world.succeed(&decoding.token).await;
            assert_eq!(world.store.kept_numbers().count_ended().await.unwrap(), 1);
        };
        count_one().await;
        for spoilt in ["times = substr(times, 1, 1)", "paid = 'x'", "failures = 'x'"] {
            world.sql(&format!("UPDATE job_tallies SET {spoilt}")).await;
            count_one().await;
        }
        let kept = world.kept(Range::last(DAY_MS, world.dial.now()).unwrap(), None, None).await;
        let told: Vec<_> = kept.values().map(|tally| (tally.count(Count::Succeeded), tally.times(Phase::Total).count())).collect();
        assert_eq!(told, [(4, 3)]);
        world.sql("UPDATE job_tallies SET times = substr(times, 1, 1), failures = 'x'").await;
        let kept = world.kept(Range::last(DAY_MS, world.dial.now()).unwrap(), None, None).await;
        assert_eq!(kept.values().map(|tally| tally.count(Count::Succeeded)).collect::<Vec<_>>(), [4], "its counts are told");
    }

    async fn sums_are_kept_for_their_time(database: TempDatabase) {
        let world = World::new(database).await;
        let decoding = world.decoding().await;
        world.succeed(&decoding.token).await;
        let kept = world.store.kept_numbers();
        kept.count_ended().await.unwrap();
        kept.note_look(&[]).await.unwrap();
        let rows = async |span: Span| {
            let count = |table: &str| format!("SELECT span FROM {table} WHERE span = '{}'", span.as_str());
            (world.texts(&count("job_tallies")).await.len(), world.texts(&count("gauges")).await.len())
        };
        for (passes_ms, left) in [(0, [2, 2, 2]), (8 * DAY_MS, [0, 2, 2]), (400 * DAY_MS, [0, 0, 2]), (2000 * DAY_MS, [0, 0, 0])] {
            world.dial.advance_ms(passes_ms);
            kept.forget_old().await.unwrap();
            for (span, left) in Span::ALL.into_iter().zip(left) {
                assert_eq!(rows(span).await, (left, left / 2), "{span:?} after {passes_ms}");
            }
        }
    }

    async fn more_looks_than_can_be_told_are_refused_and_not_cut(database: TempDatabase) {
        let world = World::new(database).await;
        let kept = world.store.kept_numbers();
        kept.note_look(&[]).await.unwrap();
        let range = Range::last(60_000, world.dial.now()).unwrap();
        let more = |from: u32, until: u32| {
            format!(
                "INSERT INTO gauges (span, start_ms, gauge, model, lane, device, total, highest) SELECT 'minute', {}, 'waiting_ms', \
                 CAST(i AS TEXT), 'batch', '', 1, 1 FROM (WITH RECURSIVE n(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {until}) SELECT i FROM n) AS numbers",
                range.from.ms()
            )
        };
        let all = all_gauges(range);
        world.sql(&more(2, 50_000)).await;
        assert_eq!(kept.gauges(&all).await.unwrap().len(), 50_000, "the look itself is one");
        world.sql(&more(50_001, 50_001)).await;
        let refused = kept.gauges(&all).await;
        assert!(matches!(refused, Err(ReadError::TooMuch)), "{:?}", refused.map(|rows| rows.len()));
        let mut of_one = kept.gauges(&GaugeQuery { model: Some("7"), ..all }).await.unwrap();
        of_one.sort_by(|a, b| a.model.cmp(&b.model));
        assert_eq!(of_one.iter().map(|row| row.model.as_str()).collect::<Vec<_>>(), ["", "7"], "how often was looked, and what waited");
    }

    async fn looks_are_added_up_with_how_often_they_were(database: TempDatabase) {
        let world = World::new(database).await;
        let kept = world.store.kept_numbers();
        let waiting = |value| Look { gauge: Gauge::WaitingMs, model: "m".into(), lane: "batch".into(), device: "h100".into(), value };
        kept.note_look(&[waiting(3000)]).await.unwrap();
        kept.note_look(&[waiting(1000)]).await.unwrap();
        kept.note_look(&[]).await.unwrap();
        let range = Range::last(60_000, world.dial.now()).unwrap();
        let rows = kept.gauges(&all_gauges(range)).await.unwrap();
        let told: Vec<_> = rows.iter().map(|row| (row.gauge, row.total, row.highest, row.device.as_str())).collect();
        assert_eq!(told, [(Gauge::Looks, 3, 1, ""), (Gauge::WaitingMs, 4000, 3000, "h100")]);
    }

    async fn what_waits_for_the_first_worker_is_added_to_what_waits_for_one_that_has_come(database: TempDatabase) {
        let world = World::new(database).await;
        let kept = world.store.kept_numbers();
        let waiting = |device: &str, value| Look { gauge: Gauge::WaitingMs, model: "m".into(), lane: "batch".into(), device: device.into(), value };
        kept.note_look(&[waiting("", 3000)]).await.unwrap();
        kept.note_look(&[waiting("cpu", 2000), waiting("h100", 2000)]).await.unwrap();
        let sums = kept.gauge_sums(&all_gauges(Range::last(60_000, world.dial.now()).unwrap())).await.unwrap();
        assert_eq!(sums.iter().map(|sum| (sum.gauge, sum.total)).collect::<Vec<_>>(), [(Gauge::Looks, 2), (Gauge::WaitingMs, 5000)]);
    }

    async fn what_happened_is_told_in_the_order_of_time(database: TempDatabase) {
        let world = World::new(database).await;
        let (kept, begun) = (world.store.kept_numbers(), world.dial.now());
        kept.note_version("1.2.3").await.unwrap();
        world.dial.advance_ms(10);
        kept.note_version("1.2.3").await.unwrap();
        world.sql(&format!(
            "INSERT INTO scaling_decisions (id, at_ms, device, workers, wanted, started, drained, reason) \
             VALUES ('a', {0}, 'h100', 1, 3, 2, 0, 'x'), ('b', {0}, 'h100', 3, 3, 0, 0, 'y')",
            begun.ms() + 5
        )).await;
        let annotations = kept.annotations(begun, begun.plus_ms(100)).await.unwrap();
        let told: Vec<_> = annotations.iter().filter(|annotation| annotation.kind != AnnotationKind::Plan).map(|mark| (mark.at, mark.what.as_str())).collect();
        assert_eq!(told, [(begun, "version 1.2.3"), (begun.plus_ms(5), "1 to 3 workers of h100")]);
        assert!(kept.annotations(Timestamp::from_ms(1), Timestamp::from_ms(2)).await.unwrap().is_empty());
    }
}
