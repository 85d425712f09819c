//! What is decided where a model cannot be loaded, and which jobs fail for it.

use super::*;

#[test]
fn a_worker_that_could_not_load_a_model_leaves_it_to_another() {
    let failed = held("a", 30, HeldState::Failed { problem: "no weights".into() });
    let mut scene = Scene {
        workers: vec![worker(1, 76, vec![failed]), worker(2, 76, vec![held("a", 30, HeldState::Absent)])],
        jobs: vec![waiting(1, "a", -1, Stage::Sampling)],
        ..Scene::default()
    };
    assert_eq!(scene.decide().len(), 1);
    assert!(scene.workers[0].desired.is_none() && scene.workers[1].desired.is_some());
}

#[test]
fn a_model_that_no_worker_can_load_takes_no_room_and_its_jobs_fail() {
    for is_paused in [true, false] {
        let mut scene = swapped(broken("b", is_paused));
        assert_eq!(scene.decide(), [""; 0], "a healthy model stays");
        assert_eq!(scene.unloadable(), [("b".to_owned(), Stage::Sampling, "no weights".to_owned())]);
        scene.workers.push(worker(2, 38, vec![held("b", 30, HeldState::Absent)]));
        assert_eq!((scene.decide().len(), scene.unloadable()), (1, vec![]), "another may be able to");
        scene.workers[1].is_draining = true;
        scene.decide();
        assert!(scene.unloadable().is_empty(), "one may be started in its place");
        scene.away.push(scene.workers.pop().unwrap());
        scene.decide();
        assert!(scene.unloadable().is_empty(), "it hangs, and may come back");
        scene.away[0].held.as_mut().unwrap().models[0] = broken("b", is_paused);
        assert_eq!(scene.unloadable().len(), 1, "it has failed as well");
        scene.workers.append(&mut scene.away);
        scene.workers[1] = LiveWorker { held: None, ..worker(2, 0, vec![]) };
        scene.decide();
        assert!(scene.unloadable().is_empty(), "it has them all");
        scene.workers[1].slots.sampling = 0.into();
        assert_eq!(scene.unloadable().len(), 1, "it only decodes");
    }
}

#[test]
fn jobs_fail_for_want_of_their_model_when_nobody_could_load_it_for_as_long_as_it_is_waited_for() {
    let (mut scene, mut broken) = (swapped(broken("b", true)), Broken::default());
    let mut failing = |scene: &Scene, s| {
        let found = broken::unloadable(&scene.state(), &scene.away, &scene.places);
        broken.for_long(found, 120_000, at(s)).len()
    };
    assert_eq!([failing(&scene, 0), failing(&scene, 119)], [0, 0]);
    scene.away.push(worker(2, 38, vec![held("b", 30, HeldState::Absent)]));
    assert_eq!(failing(&scene, 120), 0, "one was there that may be able to");
    scene.away.clear();
    assert_eq!([failing(&scene, 121), failing(&scene, 240), failing(&scene, 241)], [0, 0, 1]);
    scene.workers[0].held.as_mut().unwrap().models[1].state = HeldState::Loading { permille: 1 };
    assert_eq!(failing(&scene, 242), 0, "it is tried once more");
    scene.workers[0].held.as_mut().unwrap().models[1] = self::broken("b", true);
    assert_eq!(failing(&scene, 243), 1, "which was no break");
    broken.put_back(3_600_000);
    let found = broken::unloadable(&scene.state(), &scene.away, &scene.places);
    assert_eq!(broken.for_long(found, 120_000, at(244 - 3600)).len(), 1, "nor was a clock that was put back");
}

#[test]
fn a_model_that_could_not_be_loaded_is_tried_again_where_there_is_room_before_its_jobs_fail() {
    let mut scene = swapped(broken("b", false));
    scene.workers[0].held.as_mut().unwrap().models[0].state = HeldState::Absent;
    scene.jobs.remove(0);
    assert_eq!(scene.decide().len(), 1);
    assert!(scene.unloadable().is_empty());
    scene.workers[0].held.as_mut().unwrap().models[1] = broken("b", true);
    assert_eq!(scene.decide(), ["unload b: could not be loaded: no weights"]);
    assert_eq!(scene.unloadable().len(), 1);
}
