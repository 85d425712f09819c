//! The shipped models on a GPU, held against the definition and against a CPU; and what a step costs there.
//!
//!     cargo test --release -p diffusion --features cuda --test device -- --nocapture --test-threads 1
//!
//! Where it is built without the feature there is no GPU to be asked: it is compiled, and no test of it runs. `REELMILL_TEST_DEVICE=cuda:1` names another GPU.
//! Sums are taken in another order there, so "the same" means within the golden tensors' tolerances; from one run to the next on
//! one device, and where each sample is computed by itself, it means the same bits.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]
#![cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only tests use it"))]

mod common;

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use candle_core::{Device, Tensor};
use common::golden::{self, PROMPTS, golden, times};
use common::{MODEL, alone, distance, finish, latents, tiny};
use diffusion::vignette::{Row, Vignette};
use diffusion::{Family, Memory, Request, Sample, Size, Source};

static DEVICE: LazyLock<Device> = LazyLock::new(|| {
    let name = std::env::var("REELMILL_TEST_DEVICE").unwrap_or_else(|_| "cuda:0".into());
    let ordinal = name.strip_prefix("cuda:").and_then(|ordinal| ordinal.parse().ok()).expect("REELMILL_TEST_DEVICE is such as cuda:0");
    Device::new_cuda(ordinal).expect("there is a GPU")
});

static VIGNETTE: LazyLock<Vignette> =
    LazyLock::new(|| Vignette::open(&Source { folder: &common::weights(), device: &DEVICE, memory: &Memory::new(None) }).unwrap());

fn flipbook(device: &Device) -> Arc<dyn Family> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("weights/flipbook-1");
    diffusion::open(&Source { folder: &folder, device, memory: &Memory::new(None) }).unwrap()
}

/// Golden tensor `name` of prompt `i`, on the device.
fn given(name: &str, i: usize) -> Tensor {
    golden(name, i).to_device(&DEVICE).unwrap()
}

fn assert_close(name: &str, i: usize, found: &Tensor, tolerance: f32) {
    golden::assert_close(name, i, &found.to_device(&Device::Cpu).unwrap(), tolerance);
}

/// How far two samples' latents lie apart.
fn apart(a: &dyn Family, first: &Sample, b: &dyn Family, second: &Sample) -> f32 {
    distance(&latents(a, first), &latents(b, second))
}

fn sampled(family: &dyn Family, request: &Request) -> Sample {
    let mut sample = family.start(request).unwrap();
    finish(family, &mut sample);
    sample
}

/// Takes all steps of all samples, always with everyone who has some left.
fn sampled_together(family: &dyn Family, requests: &[Request]) -> Vec<Sample> {
    let mut samples: Vec<Sample> = requests.iter().map(|request| family.start(request).unwrap()).collect();
    while samples.iter().any(|sample| !sample.is_done()) {
        let mut batch: Vec<_> = samples.iter_mut().filter(|sample| !sample.is_done()).collect();
        family.step(&mut batch).unwrap();
    }
    samples
}

/// Clips of mixed steps and guidance.
fn vignettes() -> Vec<Request> {
    let request = |prompt: &str, seed, steps, guidance| Request { steps, guidance, ..Request::new(VIGNETTE.spec(), prompt, seed) };
    vec![
        request("northern lights over the mountains", 1, 24, 3.0),
        request("a campfire at night", 2, 4, 1.0),
        Request { negative_prompt: Some("rain".into()), ..request("a red ball over the sea", 3, 12, 4.5) },
    ]
}

/// Films of several sizes, numbers of things and of shots.
fn films(family: &dyn Family) -> Vec<Request> {
    let film = |prompt: &str, seed, width, height| Request {
        size: Size { width, height },
        frames: 12,
        ..Request::new(family.spec(), prompt, seed)
    };
    vec![
        film("a cat playing piano", 1, 128, 72),
        film("three yellow balloons rising over the city", 2, 64, 64),
        film("a dog runs on the beach, then it sleeps", 3, 72, 128),
        Request { guidance: 1.0, ..film("an astronaut riding a horse on the moon", 4, 96, 96) },
    ]
}

#[cfg_attr(feature = "cuda", test)]
fn every_part_of_vignette_answers_as_the_reference_does() {
    let prompts = PROMPTS.map(|prompt| VIGNETTE.encode_prompt(prompt).unwrap());
    let noisy: Vec<Tensor> = (0..3).map(|i| given("noisy", i)).collect();
    let row = |i: usize| Row { latents: &noisy[i], time: times()[i].into(), prompt: &prompts[i] };
    let velocities = VIGNETTE.velocities(&[row(0), row(1), row(2)]).unwrap();
    for i in 0..3 {
        assert_close("text", i, &prompts[i].tokens, 2e-4);
        assert_close("pooled", i, &prompts[i].pooled, 2e-4);
        assert_close("velocity", i, &velocities[i], 2e-4);
        assert_close("frames", i, &VIGNETTE.decode_latents(&given("latents", i)).unwrap(), 2e-3);
        assert_close("encoded", i, &VIGNETTE.encode_frames(&given("frames", i)).unwrap(), 1e-3);
        let request = Request::new(VIGNETTE.spec(), PROMPTS[i], 0);
        let mut sample = VIGNETTE.start_from(&request, given("noise", i)).unwrap();
        finish(&*VIGNETTE, &mut sample);
        golden::assert_close("latents", i, &latents(&*VIGNETTE, &sample), 5e-3);
    }
}

#[cfg_attr(feature = "cuda", test)]
fn a_clip_of_vignette_is_the_cpus_alone_in_company_and_after_a_pause() {
    let requests = vignettes();
    for (together, request) in sampled_together(&*VIGNETTE, &requests).iter().zip(&requests) {
        let own = sampled(&*VIGNETTE, request);
        assert!(alone(&*VIGNETTE, request) == VIGNETTE.latents(&own).unwrap(), "another run gave other bits");
        let (company, cpu) = (apart(&*VIGNETTE, &own, &*VIGNETTE, together), apart(&*VIGNETTE, &own, &*MODEL, &sampled(&*MODEL, request)));
        println!("vignette: company changes {company:.1e}, the CPU is {cpu:.1e} away");
        assert!(company <= 5e-3 && cpu <= 5e-3, "{request:?}");

        let mut begun = VIGNETTE.start(request).unwrap();
        VIGNETTE.step(&mut [&mut begun]).unwrap();
        let mut resumed = VIGNETTE.resume(request, &VIGNETTE.checkpoint(&begun).unwrap()).unwrap();
        finish(&*VIGNETTE, &mut resumed);
        assert!(VIGNETTE.latents(&resumed).unwrap() == VIGNETTE.latents(&own).unwrap(), "a pause changed {request:?}");
        let clip = VIGNETTE.decode(&VIGNETTE.latents(&own).unwrap()).unwrap();
        assert_eq!((clip.frames(), clip.width()), (16, 96));
        assert!(VIGNETTE.preview(&own).unwrap().is_some());
    }
}

#[cfg_attr(feature = "cuda", test)]
fn a_film_of_flipbook_is_the_cpus_alone_in_company_and_after_a_pause() {
    let (cpu, gpu) = (flipbook(&Device::Cpu), flipbook(&DEVICE));
    let requests = films(&*gpu);
    for (together, request) in sampled_together(&*gpu, &requests).iter().zip(&requests) {
        let own = alone(&*gpu, request);
        assert!(gpu.latents(together).unwrap() == own, "company changed {request:?}");
        let distance = apart(&*gpu, together, &*cpu, &sampled(&*cpu, request));
        println!("flipbook: the CPU is {distance:.1e} away");
        assert!(distance <= 1e-3, "{request:?}");

        let mut begun = gpu.start(request).unwrap();
        gpu.step(&mut [&mut begun]).unwrap();
        let mut resumed = gpu.resume(request, &gpu.checkpoint(&begun).unwrap()).unwrap();
        finish(&*gpu, &mut resumed);
        assert!(gpu.latents(&resumed).unwrap() == own, "a pause changed {request:?}");
        assert!(gpu.preview(&resumed).unwrap().is_some());
        gpu.decode(&own).unwrap().frame(6).unwrap();
    }
}

#[cfg_attr(feature = "cuda", test)]
fn the_smallest_family_samples_and_decodes() {
    let folder = tiny::folder("tiny-1");
    let family = diffusion::open(&Source { folder: folder.path(), device: &DEVICE, memory: &Memory::new(None) }).unwrap();
    let cpu = tiny::open(&folder, &Memory::new(None)).unwrap();
    let request = Request::new(family.spec(), "a red ball over the sea", 7);
    let sample = sampled(&*family, &request);
    assert!(apart(&*family, &sample, &*cpu, &sampled(&*cpu, &request)) <= 1e-3);
    family.decode(&family.latents(&sample).unwrap()).unwrap();
}

/// Prints milliseconds of a step under guidance and of a decode, by the size of the batch: what a fleet's cost model is told.
#[cfg_attr(feature = "cuda", test)]
fn steps_and_decodes_are_timed_by_the_size_of_the_batch() {
    println!("model     batch  ms a step  steps of a sample a second  ms a decode");
    for (name, family) in [("vignette", &*VIGNETTE as &dyn Family), ("flipbook", &*flipbook(&DEVICE))] {
        for batch in [1, 2, 4, 8, 16, 32, 64] {
            let request = Request::new(family.spec(), "a red balloon over the sea", 1);
            let mut samples: Vec<Sample> = (0..batch).map(|_| family.start(&request).unwrap()).collect();
            let mut times = Vec::new();
            while !samples[0].is_done() {
                let begun = Instant::now();
                family.step(&mut samples.iter_mut().collect::<Vec<_>>()).unwrap();
                DEVICE.synchronize().unwrap();
                times.push(begun.elapsed().as_secs_f64() * 1e3);
            }
            times.sort_by(f64::total_cmp);
            let step = times[times.len() / 2];
            let finished = family.latents(&samples[0]).unwrap();
            family.decode(&finished).unwrap();
            let begun = Instant::now();
            family.decode(&finished).unwrap();
            println!("{name:9} {batch:5} {step:10.2} {:27.0} {:12.1}", 1e3 * f64::from(batch) / step, begun.elapsed().as_secs_f64() * 1e3);
        }
    }
}
