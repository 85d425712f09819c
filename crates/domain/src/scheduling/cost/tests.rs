//! What is planted is found again, what changes is followed, and what happens once is not.

mod measured;

use super::*;
use crate::{Size, VideoTime};
use proptest::prelude::*;

const GPU: &str = "h100";

/// A device whose times are known: `ms = constant + steps × step × (volume / of a second of 384x384)^slope`.
#[derive(Clone, Copy)]
struct Device {
    name: &'static str,
    constant_ms: f64,
    step_ms: f64,
    slope: f64,
}

const PLANTED: Device = Device { name: GPU, constant_ms: 300.0, step_ms: 80.0, slope: 1.0 };

impl Device {
    fn ms(&self, workload: Workload) -> f64 {
        let volume = workload.shape.volume() / of(384, 1, 0).shape.volume();
        self.constant_ms + f64::from(workload.steps) * self.step_ms * volume.powf(self.slope)
    }

    /// Whether what is predicted is right within such a part.
    fn is_told(&self, costs: &CostModel, workload: Workload, within: f64) -> bool {
        let predicted = self.predicted(costs, workload).p50_ms;
        let off = (predicted / self.ms(workload)).ln().abs();
        if off > within {
            println!("{workload:?}: predicted {predicted}, is {}", self.ms(workload));
        }
        off <= within
    }

    fn predicted(&self, costs: &CostModel, workload: Workload) -> Predicted {
        costs.predict("m", Some(self.name), Stage::Sampling, workload).unwrap()
    }

    fn observe(&self, costs: &mut CostModel, workload: Workload, factor: f64) {
        observe(costs, self.name, Stage::Sampling, workload, (self.ms(workload) * factor) as u64);
    }
}

fn observe(costs: &mut CostModel, device: &str, stage: Stage, workload: Workload, device_ms: u64) {
    costs.observe(&Measurement { model: "m", device, stage, workload, device_ms });
}

fn of(side: u32, seconds: u64, steps: u32) -> Workload {
    Workload {
        shape: Shape { size: Size { width: side, height: side }, duration: VideoTime::from_ms(seconds * 1000) },
        steps,
        words: Words::NONE,
    }
}

/// A generator of the same numbers each time (Steele, Lea and Flood 2014).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.next() % all.len() as u64) as usize]
    }

    /// From a log-normal distribution with the median 1.
    fn factor(&mut self, sd: f64) -> f64 {
        let evens: f64 = (0..12).map(|_| (self.next() >> 11) as f64 / (1_u64 << 53) as f64).sum();
        ((evens - 6.0) * sd).exp()
    }

    fn workload(&mut self) -> Workload {
        of(self.one_of(&[256, 384, 512, 768]), self.one_of(&[1, 2, 4, 8]), self.one_of(&[8, 16, 24, 24, 24, 50]))
    }
}

/// Measurements of mixed workloads, with noise.
fn measured(costs: &mut CostModel, device: Device, chance: &mut Chance, n: usize) {
    for _ in 0..n {
        let workload = chance.workload();
        device.observe(costs, workload, chance.factor(0.05));
    }
}

fn error_size(costs: &CostModel) -> ErrorSize {
    costs.error().unwrap()
}

#[test]
fn planted_times_are_found_again_over_mixed_shapes_and_steps() {
    for (seed, slope) in [(1, 0.0), (2, 0.7), (3, 1.0), (4, 1.3), (5, 1.8)] {
        for constant_ms in [0.0, 300.0, 3000.0] {
            let (mut costs, mut chance) = (CostModel::default(), Chance(seed));
            measured(&mut costs, Device { constant_ms, slope, ..PLANTED }, &mut chance, 150);
            let ErrorSize { median, p95 } = error_size(&costs);
            assert!(median < 0.07 && p95 < 0.2, "slope {slope}, constant {constant_ms}: median {median}, p95 {p95}");
        }
    }
}

#[test]
fn nine_of_ten_measurements_stay_below_the_bound() {
    for sd in [0.03, 0.1, 0.3] {
        let (mut costs, mut chance) = (CostModel::default(), Chance(6));
        let mut below = 0;
        for n in 0..1200 {
            let (workload, factor) = (chance.workload(), chance.factor(sd));
            if n >= 200 && PLANTED.ms(workload) * factor <= PLANTED.predicted(&costs, workload).p90_ms {
                below += 1;
            }
            PLANTED.observe(&mut costs, workload, factor);
        }
        assert!((860..=960).contains(&below), "{below} of 1000 at {sd}");
    }
}

#[test]
fn shapes_between_and_beyond_those_that_were_seen_are_told_by_the_curve() {
    for slope in [1.0, 1.3] {
        let (device, mut costs, mut chance) = (Device { slope, ..PLANTED }, CostModel::default(), Chance(7));
        for _ in 0..60 {
            let workload = of(chance.one_of(&[256, 384, 768]), chance.one_of(&[2, 4]), chance.one_of(&[12, 24, 48]));
            device.observe(&mut costs, workload, chance.factor(0.05));
        }
        assert!(device.is_told(&costs, of(512, 3, 24), 0.07), "between");
        assert!(device.is_told(&costs, of(1024, 8, 24), 0.25), "eight times the largest");
        assert!(device.is_told(&costs, of(256, 1, 24), 0.25), "half of the smallest");
    }
}

#[test]
fn a_single_measurement_is_believed_and_others_go_by_volume() {
    let mut costs = CostModel::default();
    PLANTED.observe(&mut costs, of(384, 2, 24), 1.0);
    assert!(PLANTED.is_told(&costs, of(384, 2, 24), 0.02));
    let double = PLANTED.predicted(&costs, of(384, 4, 24));
    let factor = double.p50_ms / PLANTED.predicted(&costs, of(384, 2, 24)).p50_ms;
    assert!((1.6..=2.0).contains(&factor), "{factor}");
    assert_eq!(double.measurements, 1);
    assert!(double.p90_ms > 1.3 * double.p50_ms, "what is little known is told with a wide bound: {double:?}");
}

#[test]
fn a_floor_under_small_shapes_is_told_by_their_own_times() {
    let (mut costs, mut chance) = (CostModel::default(), Chance(8));
    let with_floor = |workload: Workload| PLANTED.ms(workload).max(2500.0);
    for _ in 0..120 {
        let (workload, factor) = (chance.workload(), chance.factor(0.05));
        observe(
            &mut costs,
            GPU,
            Stage::Sampling,
            Workload { steps: 24, ..workload },
            (with_floor(Workload { steps: 24, ..workload }) * factor) as u64,
        );
    }
    for (side, seconds) in [(256, 1), (256, 2), (768, 8)] {
        let workload = of(side, seconds, 24);
        let off = PLANTED.predicted(&costs, workload).p50_ms / with_floor(workload);
        assert!((0.9..1.1).contains(&off), "{side}, {seconds} s: {off}");
    }
}

#[test]
fn a_tiny_step_is_told_in_parts_of_a_millisecond() {
    let tiny = Device { constant_ms: 0.0, step_ms: 0.4, ..PLANTED };
    let (mut costs, mut chance) = (CostModel::default(), Chance(9));
    for _ in 0..40 {
        tiny.observe(&mut costs, of(384, 1, chance.one_of(&[10, 20, 50])), 1.0);
    }
    assert!(tiny.is_told(&costs, of(384, 1, 50), 0.05));
    assert!(tiny.is_told(&costs, of(384, 1, 1000), 0.1));
}

#[test]
fn thirty_measurements_after_a_change_it_is_followed() {
    for slower in [0.4, 0.8, 1.25, 1.6, 4.0] {
        let (mut costs, mut chance) = (CostModel::default(), Chance(10));
        measured(&mut costs, PLANTED, &mut chance, 200);
        let changed = Device { constant_ms: PLANTED.constant_ms * slower, step_ms: PLANTED.step_ms * slower, ..PLANTED };
        measured(&mut costs, changed, &mut chance, 30);
        for workload in [of(384, 2, 24), of(768, 4, 24), of(256, 1, 8)] {
            assert!(changed.is_told(&costs, workload, 0.1), "{slower}");
        }
    }
}

#[test]
fn a_slow_drift_is_followed() {
    let (mut costs, mut chance) = (CostModel::default(), Chance(11));
    for n in 0..400 {
        let workload = chance.workload();
        PLANTED.observe(&mut costs, workload, chance.factor(0.05) * (f64::from(n) * 0.004).exp());
    }
    let ErrorSize { median, p95 } = error_size(&costs);
    assert!(median < 0.1 && p95 < 0.25, "{median}, {p95}");
}

#[test]
fn what_took_twenty_times_as_long_once_moves_nothing_much() {
    for n in [8, 30, 200] {
        let (mut costs, mut chance) = (CostModel::default(), Chance(12));
        measured(&mut costs, PLANTED, &mut chance, n);
        let (same, other) = (of(384, 2, 24), of(768, 4, 24));
        let before = [same, other].map(|workload| PLANTED.predicted(&costs, workload).p50_ms);
        PLANTED.observe(&mut costs, same, 20.0);
        let after = [same, other].map(|workload| PLANTED.predicted(&costs, workload).p50_ms);
        assert!(before.iter().zip(after).all(|(before, after)| (after / before).ln().abs() < 0.08), "{n}: {before:?}, {after:?}");
    }
}

#[test]
fn one_in_ten_that_takes_far_longer_makes_no_estimate_worse() {
    let (mut costs, mut chance) = (CostModel::default(), Chance(13));
    for n in 0..300 {
        let workload = chance.workload();
        PLANTED.observe(&mut costs, workload, chance.factor(0.05) * if n % 10 == 3 { 8.0 } else { 1.0 });
    }
    for workload in [of(384, 2, 24), of(768, 8, 50), of(256, 1, 8)] {
        assert!(PLANTED.is_told(&costs, workload, 0.1));
    }
}

#[test]
fn a_first_measurement_that_was_wrong_is_overruled() {
    let (mut costs, mut chance) = (CostModel::default(), Chance(14));
    observe(&mut costs, GPU, Stage::Sampling, of(384, 1, 2), 1);
    measured(&mut costs, PLANTED, &mut chance, 30);
    let errors = [of(384, 2, 24), of(768, 4, 24), of(256, 2, 8)].map(|workload| PLANTED.is_told(&costs, workload, 0.15));
    assert_eq!(errors, [true; 3]);
}

#[test]
fn each_kind_of_device_has_its_times_and_one_that_is_not_known_those_of_the_others() {
    let slow = Device { name: "l4", constant_ms: 1200.0, step_ms: 320.0, ..PLANTED };
    let (mut costs, mut chance) = (CostModel::default(), Chance(15));
    for _ in 0..60 {
        measured(&mut costs, PLANTED, &mut chance, 1);
        measured(&mut costs, slow, &mut chance, 1);
    }
    let workload = of(512, 2, 24);
    assert!(PLANTED.is_told(&costs, workload, 0.08) && slow.is_told(&costs, workload, 0.08));
    let told = |device| costs.predict("m", device, Stage::Sampling, workload).unwrap();
    for unknown in [told(None), told(Some("a100"))] {
        assert!((1.8..2.2).contains(&(unknown.p50_ms / PLANTED.ms(workload))), "the middle of both: {unknown:?}");
        assert!(unknown.p90_ms > slow.ms(workload), "and not sure of it: {unknown:?}");
        assert_eq!(unknown.measurements, 120);
    }
}

#[test]
fn one_measurement_tells_how_fast_another_kind_of_device_is_with_all_shapes() {
    let fast = Device { name: "b200", constant_ms: 120.0, step_ms: 32.0, slope: 1.3 };
    let (mut costs, mut chance) = (CostModel::default(), Chance(16));
    measured(&mut costs, Device { slope: 1.3, ..PLANTED }, &mut chance, 100);
    fast.observe(&mut costs, of(384, 2, 24), 1.0);
    assert!([of(384, 2, 24), of(768, 4, 24), of(256, 1, 16)].iter().all(|workload| fast.is_told(&costs, *workload, 0.2)));
}

#[test]
fn what_a_prompt_has_in_it_tells_its_time() {
    let (mut costs, mut chance) = (CostModel::default(), Chance(5));
    let of_prompt = |prompt: &str, workload: Workload| Workload { words: Words::of(prompt), ..workload };
    let prompts = [("a dog runs through the snow", 2.0), ("a calm sea", 1.0), ("rain over a city", 1.0)];
    for n in 0..90 {
        let (prompt, factor) = prompts[n % 3];
        PLANTED.observe(&mut costs, of_prompt(prompt, chance.workload()), factor * chance.factor(0.05));
    }
    let ms = |prompt| PLANTED.predicted(&costs, of_prompt(prompt, of(384, 2, 24))).p50_ms;
    let part = |prompt| ms(prompt) / ms("a calm sea");
    assert!((part("a dog runs through the snow") / 2.0).ln().abs() < 0.1);
    assert!(part("a calm city").ln().abs() < 0.1);
    let unheard_of = part("unheard of");
    assert!(unheard_of > 1.0 && unheard_of < 1.5, "between them: {unheard_of}");
}

#[test]
fn what_was_measured_without_the_constant_hides_it_no_longer_than_a_few_others() {
    let mut costs = CostModel::default();
    let ms = |steps: u32| u64::from(90 + 7 * steps);
    observe(&mut costs, GPU, Stage::Sampling, of(384, 2, 2), 10);
    for n in 0..14 {
        let workload = of([96, 192, 384, 768][n % 4], 2, [8, 50, 16, 24, 50][n % 5]);
        observe(&mut costs, GPU, Stage::Sampling, workload, ms(workload.steps));
    }
    for (side, steps) in [(768, 8), (96, 50), (384, 16)] {
        let predicted = costs.predict("m", Some(GPU), Stage::Sampling, of(side, 2, steps)).unwrap().p50_ms;
        assert!((predicted / ms(steps) as f64).ln().abs() < 0.15, "{side}, {steps} steps: {predicted}");
    }
}

#[test]
fn what_was_never_measured_is_not_guessed() {
    let mut costs = CostModel::default();
    assert_eq!((costs.error(), costs.errors().count()), (None, 0));
    PLANTED.observe(&mut costs, of(384, 2, 24), 1.0);
    assert_eq!(costs.predict("other", Some(GPU), Stage::Sampling, of(384, 2, 24)), None);
    assert_eq!(costs.predict("m", Some(GPU), Stage::Decoding, of(384, 2, 24)), None);
    let told: Vec<_> = costs.errors().map(|error| (error.model, error.device, error.stage, error.measurements, error.error)).collect();
    assert_eq!(told, [("m", GPU, Stage::Sampling, 1, None)]);
}

#[test]
fn what_is_remembered_is_bounded_and_the_oldest_goes() {
    let mut costs = CostModel::default();
    for n in 0..SERIES_MAX + 40 {
        let (name, workload) = (format!("m{n}"), of(384, 2, 24));
        costs.observe(&Measurement { model: &name, device: GPU, stage: Stage::Decoding, workload, device_ms: 100 });
    }
    assert_eq!(costs.errors().count(), SERIES_MAX);
    let is_known = |model| costs.predict(model, None, Stage::Decoding, of(384, 2, 24)).is_some();
    assert_eq!((is_known("m39"), is_known("m40")), (false, true));
}

proptest! {
    #[test]
    fn whatever_was_measured_what_is_predicted_is_a_time(
        measured in prop::collection::vec((extreme_workload(), extreme(), 0..3_usize, any::<bool>()), 1..80),
        asked in extreme_workload(),
    ) {
        let mut costs = CostModel::default();
        for (workload, device_ms, device, samples) in measured {
            let stage = if samples { Stage::Sampling } else { Stage::Decoding };
            observe(&mut costs, ["a", "b", "c"][device], stage, workload, device_ms);
            for device in [None, Some("a"), Some("other")] {
                let Some(Predicted { p50_ms, p90_ms, .. }) = costs.predict("m", device, stage, asked) else { panic!("measured") };
                prop_assert!(p50_ms.is_finite() && p50_ms > 0.0 && p90_ms.is_finite() && p90_ms >= p50_ms, "{p50_ms}, {p90_ms}");
            }
        }
        let ErrorSize { median, p95 } = costs.error().unwrap_or(ErrorSize { median: 0.0, p95: 0.0 });
        prop_assert!(median.is_finite() && p95.is_finite());
    }
}

fn extreme() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(u64::MAX), 1..100_000_u64, any::<u64>()]
}

fn extreme_workload() -> impl Strategy<Value = Workload> {
    let side = || prop_oneof![Just(0), Just(u32::MAX), 1..2000_u32];
    let steps = prop_oneof![Just(0), Just(u32::MAX), 1..100_u32];
    let words = prop_oneof![Just(Words::NONE), "[a-e]( [a-e]){0,20}".prop_map(|prompt| Words::of(&prompt))];
    (side(), side(), extreme(), steps, words).prop_map(|(width, height, ms, steps, words)| Workload {
        shape: Shape { size: Size { width, height }, duration: VideoTime::from_ms(ms) },
        steps,
        words,
    })
}
