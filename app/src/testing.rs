//! Jobs and catalogs for tests.

use domain::{
    Catalog, JobId, JobRequest, JobView, NoEta, Seed, Status, Timestamp,
    catalog::testing::{image_model, video_model},
    job::Deadlines,
};
use std::collections::BTreeMap;

/// A model of videos, which is the default one, and one of images.
pub fn catalog() -> Catalog {
    Catalog::new(vec![video_model(), image_model()], BTreeMap::from([("sora-2".to_owned(), "vignette-1".to_owned())]))
}

/// A job that waits for its first step.
pub fn job(request: &JobRequest) -> JobView {
    let (spec, quote) = request.parse(&catalog(), Seed::ZERO).unwrap();
    JobView {
        id: "job_00000000000000000000000000000000".parse::<JobId>().unwrap(),
        revision: 1,
        quote,
        charge: domain::billing::Charge::default(),
        spec,
        status: Status::Queued,
        stage: None,
        step: 0,
        progress: 0,
        queue_position: None,
        waiting: None,
        eta: Err(NoEta::NotAsked),
        attempts: 0,
        preview_step: None,
        failure: None,
        failed_attempts: Vec::new(),
        remixed_from: None,
        project: None,
        created_at: Timestamp::from_ms(0),
        started_at: None,
        ended_at: None,
        kept_until: None,
        deadlines: Deadlines::default(),
        fallback_model: None,
        requested_model: None,
        held: domain::VideoTime::default(),
        times: None,
        understanding: None,
    }
}
