//! The promises of the batcher, kept by the real engine.

use super::{member::Member, *};
use candle_core::Device;
use diffusion::{Memory, Sample, Source, Spec, media::Clip};
use domain::{Stage, billing::Lane};
use std::{path::Path, sync::LazyLock, thread};
use store::queue::Slots;

static FAMILY: LazyLock<Arc<dyn Family>> = LazyLock::new(|| {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../crates/diffusion/weights/vignette-1");
    diffusion::open(&Source { folder: &folder, device: &Device::Cpu, memory: &Memory::new(None) }).unwrap()
});

fn batcher(capacity: usize, faults: &str) -> Batcher {
    let watch = Watch {
        watchdog: Watchdog::idle(),
        sharing: Sharing::start(),
        pace: Arc::new(Pace::new(Duration::ZERO, Duration::ZERO)),
        counts: Arc::default(),
    };
    Batcher::start(Arc::clone(&FAMILY), capacity.try_into().unwrap(), faults.parse().unwrap(), watch).unwrap()
}

fn request(prompt: &str, seed: u64, steps: usize) -> Request {
    Request { steps, ..Request::new(FAMILY.spec(), prompt, seed) }
}

async fn reached(joined: &mut Joined, step: u32) {
    joined.progress.wait_for(|progress| progress.step >= step).await.unwrap();
}

async fn latents(joined: Joined) -> Vec<u8> {
    joined.sampled().await.unwrap().latents
}

/// The latents of a request that has the engine for itself.
fn alone(request: &Request) -> Vec<u8> {
    let mut sample = FAMILY.start(request).unwrap();
    while !sample.is_done() {
        FAMILY.step(&mut [&mut sample]).unwrap();
    }
    FAMILY.latents(&sample).unwrap()
}

#[tokio::test]
async fn a_late_joiner_ends_with_the_bits_it_would_have_alone() {
    let (first, late) = (request("a campfire at night", 1, 9), request("northern lights", 2, 4));
    let batcher = batcher(2, "");
    let mut running = batcher.join(first.clone(), Holder::default());
    reached(&mut running, 3).await;
    let joined = batcher.join(late.clone(), Holder::default());
    let (running, joined) = tokio::join!(latents(running), latents(joined));
    assert!(running == alone(&first) && joined == alone(&late));
}

#[tokio::test]
async fn whoever_leaves_frees_the_place_and_the_others_go_on() {
    let batcher = batcher(2, "");
    let stays = request("the sea", 3, 8);
    let (mut leaves, staying) = (batcher.join(request("rain", 4, 200), Holder::default()), batcher.join(stays.clone(), Holder::default()));
    let waiting = batcher.join(request("snow", 5, 2), Holder::default());
    reached(&mut leaves, 2).await;
    drop(leaves);
    let (staying, waiting) = tokio::join!(latents(staying), latents(waiting));
    assert!(staying == alone(&stays) && !waiting.is_empty());
}

/// In batches of their own, as samples of two models are.
#[tokio::test]
async fn a_batch_job_takes_no_step_while_an_interactive_one_needs_its_slot_and_goes_on_to_the_same_bits() {
    let (slots, batch_request) = (Slots::new(1, 1), request("the sea", 12, 40));
    let holder = |lane| {
        let permit = slots.try_reserve(Stage::Sampling).unwrap().start(lane, false);
        Holder { slot: Some(Arc::new(permit)), ..Holder::default() }
    };
    let (one, other) = (batcher(1, "slow:5"), batcher(1, "slow:5"));
    let mut batch = one.join(batch_request.clone(), holder(Lane::Batch));
    reached(&mut batch, 2).await;
    let mut interactive = other.join(request("rain", 13, 20), holder(Lane::Interactive));
    reached(&mut interactive, 2).await;
    let paused_at = batch.progress.borrow().step;
    reached(&mut interactive, 18).await;
    assert_eq!(batch.progress.borrow().step, paused_at);
    assert!(!latents(interactive).await.is_empty());
    assert!(latents(batch).await == alone(&batch_request));
}

#[tokio::test]
async fn who_leaves_while_it_is_paused_is_let_go() {
    let slots = Slots::new(1, 1);
    let start = |lane| Arc::new(slots.try_reserve(Stage::Sampling).unwrap().start(lane, false));
    let (batcher, slot) = (batcher(1, ""), start(Lane::Batch));
    let paused = batcher.join(request("the sea", 14, 1000), Holder { slot: Some(Arc::clone(&slot)), ..Holder::default() });
    let _interactive = start(Lane::Interactive);
    drop(paused);
    let patience = std::time::Instant::now() + Duration::from_secs(10);
    while Arc::strong_count(&slot) > 1 {
        assert!(std::time::Instant::now() < patience);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn progress_never_goes_back_and_ends_with_the_last_preview() {
    let mut joined = batcher(1, "slow:10").join(request("a red ball", 6, 24), Holder::default());
    let (mut steps, mut previews) = (vec![], vec![]);
    while joined.progress.changed().await.is_ok() {
        let progress = joined.progress.borrow_and_update().clone();
        steps.push(progress.step);
        previews.extend(progress.preview.map(|preview| preview.step));
    }
    assert!(steps.is_sorted_by(|a, b| a < b) && steps.last() == Some(&24), "{steps:?}");
    previews.dedup();
    assert!(previews.is_sorted() && previews.last() == Some(&24), "{previews:?}");
    assert!(latents(joined).await == alone(&request("a red ball", 6, 24)));
}

/// Without a thread, beside which a slow reader of the channel would miss some.
#[test]
fn progress_shows_at_least_five_previews() {
    let ((progress, seen), (reply, _answer)) = (watch::channel(Progress::default()), oneshot::channel());
    let joining = Joining { request: request("a red ball", 6, 24), holder: Holder::default(), progress, reply };
    let mut member = Member::admit(FAMILY.as_ref(), joining).unwrap();
    let mut previews = vec![];
    while !member.sample.is_done() {
        FAMILY.step(&mut [&mut member.sample]).unwrap();
        member.report(FAMILY.as_ref());
        previews.extend(seen.borrow().preview.as_ref().map(|preview| preview.step));
    }
    previews.dedup();
    assert!(previews.is_sorted() && previews.len() >= 5, "{previews:?}");
}

#[tokio::test]
async fn a_refused_request_is_answered_and_disturbs_nobody() {
    let batcher = batcher(2, "");
    let good = request("the sea", 7, 3);
    let (good, refused) = (batcher.join(good, Holder::default()), batcher.join(request("the sea", 7, 0), Holder::default()));
    let refused = refused.sampled().await;
    assert!(matches!(refused, Err(SamplingError::Engine(diffusion::Error::OutOfBounds { field: "steps", given: 0, .. }))));
    assert!(good.sampled().await.is_ok());
}

#[tokio::test]
async fn the_times_of_a_batch_are_shares_of_the_time_that_passed() {
    let begun = std::time::Instant::now();
    let batcher = batcher(2, "");
    let holders = [Holder::default(), Holder::default()];
    let meters = holders.each_ref().map(|holder| holder.meter.clone());
    let [a, b] = holders;
    let (a, b) = (batcher.join(request("sea", 8, 4), a), batcher.join(request("sky", 9, 4), b));
    let (a, b) = tokio::join!(a.sampled(), b.sampled());
    a.and(b).unwrap();
    let taken_ms = meters.map(|meter| meter.taken_ms());
    assert!(taken_ms.iter().all(|ms| *ms > 0) && taken_ms.iter().sum::<u64>() <= begun.elapsed().as_millis() as u64, "{taken_ms:?}");
}

/// The engine on a device that does not come back from encoding one prompt, after it has said so.
struct Stuck(mpsc::Sender<()>);

impl Family for Stuck {
    fn start(&self, request: &Request) -> diffusion::Result<Sample> {
        if request.prompt == "stuck" {
            self.0.send(()).unwrap();
            loop {
                thread::park();
            }
        }
        FAMILY.start(request)
    }

    fn step(&self, batch: &mut [&mut Sample]) -> diffusion::Result<()> {
        FAMILY.step(batch)
    }

    fn preview(&self, sample: &Sample) -> diffusion::Result<Option<Frame>> {
        FAMILY.preview(sample)
    }

    fn spec(&self) -> &Spec {
        unreachable!()
    }

    fn check(&self, _: &Request) -> diffusion::Result<()> {
        unreachable!()
    }

    fn resume(&self, _: &Request, _: &[u8]) -> diffusion::Result<Sample> {
        unreachable!()
    }

    fn checkpoint(&self, _: &Sample) -> diffusion::Result<Vec<u8>> {
        unreachable!()
    }

    fn latents(&self, _: &Sample) -> diffusion::Result<Vec<u8>> {
        unreachable!()
    }

    fn blank_latents(&self, _: &Request) -> diffusion::Result<Vec<u8>> {
        unreachable!()
    }

    fn decode(&self, _: &[u8]) -> diffusion::Result<Clip> {
        unreachable!()
    }
}

#[tokio::test]
async fn who_hangs_the_device_by_joining_takes_nobody_along_who_is_in_the_batch() {
    let ((said, hears), watchdog) = (mpsc::channel(), Watchdog::idle());
    let watch = Watch {
        watchdog: watchdog.clone(),
        sharing: Sharing::start(),
        pace: Arc::new(Pace::new(Duration::ZERO, Duration::ZERO)),
        counts: Arc::default(),
    };
    let batcher = Batcher::start(Arc::new(Stuck(said)), 2_usize.try_into().unwrap(), Faults::default(), watch).unwrap();
    let (within, joins) = (Holder::default(), Holder::default());
    let mut running = batcher.join(request("the sea", 10, 1000), within.clone());
    reached(&mut running, 1).await;
    let _joining = batcher.join(request("stuck", 11, 2), joins.clone());
    hears.recv().unwrap();
    while watchdog.tick(Duration::from_secs(1)).is_none() {}
    assert!(joins.hung.is_cancelled() && !within.hung.is_cancelled());
}
