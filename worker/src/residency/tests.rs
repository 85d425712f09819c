//! What is loaded and unloaded when, with real parts of tiny models.

use super::*;
use diffusion::{Family, Source, testing::write_tiny};
use store::HeldState;

const TINY: u64 = diffusion::testing::TEXT_ENCODER_BYTES + diffusion::testing::DENOISER_BYTES + diffusion::testing::DECODER_BYTES;

struct World {
    residency: Residency,
    families: BTreeMap<String, (Arc<dyn Family>, Memory)>,
    _folder: tempfile::TempDir,
}

impl World {
    /// Models a, b and c, and a device of so many bytes.
    fn new(device_memory: Option<u64>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let all = Memory::new(None);
        let mut families = BTreeMap::new();
        for name in ["a", "b", "c"] {
            let place = folder.path().join(name);
            std::fs::create_dir(&place).unwrap();
            write_tiny(&place, name);
            let memory = all.of_new_model();
            let family = diffusion::open(&Source { folder: &place, device: &candle_core::Device::Cpu, memory: &memory }).unwrap();
            families.insert(name.to_owned(), (family, memory));
        }
        let models = families.iter().map(|(name, (_, memory))| (name.clone(), memory.clone(), memory.model_bytes())).collect();
        Self { residency: Residency::new(models, device_memory), families, _folder: folder }
    }

    fn load(&self, model: &str) {
        let (family, _) = &self.families[model];
        let request = diffusion::Request { frames: 1, ..diffusion::Request::new(family.spec(), "", 0) };
        family.decode(&family.blank_latents(&request).unwrap()).unwrap();
        let mut sample = family.start(&request).unwrap();
        family.step(&mut [&mut sample]).unwrap();
        self.residency.loaded(model, Duration::from_millis(5));
    }

    /// As a worker does at its start.
    fn start(&self) -> Vec<String> {
        let first = self.residency.begin_first(&self.residency.servable());
        first.iter().for_each(|model| self.load(model));
        first
    }

    fn want(&self, models: &[&str]) {
        let desired: Vec<_> =
            models.iter().map(|model| DesiredModel { model: (*model).to_owned(), reason: String::new(), load_ms: 10 }).collect();
        self.residency.want(Some(&desired));
    }

    fn claimable(&self) -> Vec<String> {
        self.residency.claimable().borrow().clone()
    }

    fn state(&self, model: &str) -> HeldState {
        self.residency.report().models.into_iter().find(|report| report.model == model).unwrap().state
    }

    /// Does what is to be done until there is nothing left.
    fn converge(&self) -> Vec<Action> {
        let mut done = Vec::new();
        while let Some(action) = self.residency.next() {
            match &action {
                Action::Load(model) => self.load(model),
                Action::Unload(model) => {
                    assert!(self.families[model].1.unload_model());
                    self.residency.unloaded(model);
                }
            }
            done.push(action);
        }
        done
    }
}

fn load(model: &str) -> Action {
    Action::Load(model.into())
}

fn unload(model: &str) -> Action {
    Action::Unload(model.into())
}

#[test]
fn as_many_are_loaded_first_as_fit_and_without_a_plan_they_stay() {
    let world = World::new(Some(3 * TINY));
    assert_eq!(world.start(), ["a", "b"], "a twentieth is left free");
    assert_eq!((world.claimable(), world.converge()), (vec!["a".to_owned(), "b".to_owned()], vec![]));
    assert_eq!(world.state("c"), HeldState::Absent);
    let report = world.residency.report();
    assert_eq!(report.models.iter().map(|model| model.memory_bytes).collect::<Vec<_>>(), [TINY; 3]);
}

#[test]
fn memory_that_is_not_limited_takes_them_all_and_no_plan_changes_that() {
    for memory in [None, Some(TINY)] {
        let world = World::new(memory);
        assert_eq!(world.start(), ["a", "b", "c"], "{memory:?}: a worker without a model would be of no use");
        world.want(&["a"]);
        assert_eq!((world.converge(), world.claimable().len()), (vec![], 3));
    }
}

#[test]
fn a_model_that_does_not_fit_alone_is_not_served() {
    let world = World::new(Some(2 * TINY));
    let models = ["big", "small"].map(|name| (name.to_owned(), world.families["a"].1.clone(), if name == "big" { TINY } else { TINY / 2 }));
    let residency = Residency::new(models.into(), Some(TINY));
    assert_eq!((residency.servable(), residency.is_limited()), (vec!["small".to_owned()], true));
}

#[test]
fn a_swap_waits_for_jobs_that_run_frees_the_memory_and_then_loads() {
    let world = World::new(Some(TINY + TINY / 2));
    assert_eq!(world.start(), ["a"]);
    let (job, memory) = (world.residency.begin("a").unwrap(), &world.families["a"].1);
    world.want(&["b"]);
    assert_eq!((world.claimable(), world.converge()), (vec![], vec![]), "no more jobs of it are taken, and it has one");
    assert_eq!((world.state("a"), memory.loaded_model_bytes()), (HeldState::Unloading, TINY));
    let claimed_before = world.residency.begin("a").expect("it is still there");
    drop(job);
    assert_eq!(world.converge(), []);
    drop(claimed_before);
    assert_eq!(world.converge(), [unload("a"), load("b")]);
    assert_eq!((memory.loaded_model_bytes(), world.families["b"].1.loaded_model_bytes()), (0, TINY));
    assert_eq!(world.claimable(), ["b"]);
    assert!(world.residency.begin("a").is_none(), "a job that was claimed too late goes back");
}

#[test]
fn a_plan_that_is_taken_back_leaves_a_model_where_it_is() {
    let world = World::new(Some(TINY + TINY / 2));
    world.start();
    let job = world.residency.begin("a");
    world.want(&["b"]);
    world.want(&["a"]);
    drop(job);
    assert_eq!((world.converge(), world.claimable()), (vec![], vec!["a".to_owned()]));
}

#[test]
fn a_load_that_failed_is_told_and_tried_again_after_a_pause_while_others_go_on() {
    let world = World::new(Some(3 * TINY));
    world.residency.begin_first(&["a".to_owned()]);
    world.load("a");
    world.want(&["a", "b", "c"]);
    assert_eq!(world.residency.next(), Some(load("b")));
    world.residency.not_loaded("b", "no weights".into());
    assert_eq!(world.state("b"), HeldState::Failed { problem: "no weights".into() });
    assert_eq!(world.converge(), [load("c")]);
    assert_eq!(world.claimable(), ["a", "c"]);
    assert!(!world.residency.is_changing());
}

#[test]
fn how_far_a_load_has_come_is_told_by_its_parts_and_by_time() {
    let world = World::new(Some(3 * TINY));
    world.want(&["a"]);
    assert_eq!(world.residency.next(), Some(load("a")));
    assert!(world.residency.is_changing());
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(world.state("a"), HeldState::Loading { permille: 990 }, "it was expected to take ten milliseconds");
    world.load("a");
    assert_eq!(world.state("a"), HeldState::Warm);
}

#[test]
fn a_worker_that_takes_no_more_jobs_begins_no_load() {
    let world = World::new(Some(TINY + TINY / 2));
    world.start();
    world.want(&["b"]);
    world.residency.close();
    assert_eq!(world.converge(), [unload("a")]);
}

#[test]
fn why_a_load_failed_is_told_until_one_succeeds() {
    let world = World::new(Some(3 * TINY));
    let failed = || world.residency.report().models[0].failed.clone();
    world.want(&["a"]);
    assert_eq!((world.residency.next(), failed()), (Some(load("a")), None));
    world.residency.not_loaded("a", "no weights".into());
    assert_eq!(failed(), Some("no weights".into()));
    world.load("a");
    assert_eq!(failed(), None);
}

#[test]
fn who_ran_out_of_memory_is_given_more_of_it_until_there_is_no_more() {
    let world = World::new(Some(2 * TINY));
    let told = || world.residency.report().models.remove(0);
    let limit = memory_max_bytes(2 * TINY);
    for (bytes, is_failed) in [(TINY + TINY / 2, false), (limit, false), (limit, true)] {
        world.residency.ran_out_of_memory("a", "out of memory".into());
        assert_eq!((told().memory_bytes, told().failed.is_some()), (bytes, is_failed));
        assert_eq!(told().state, HeldState::Failed { problem: "out of memory".into() });
    }
    world.load("a");
    assert_eq!((told().memory_bytes, told().failed), (limit, None), "it is not forgotten when it is loaded with that");
}
