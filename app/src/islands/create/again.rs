//! The request that makes an earlier video again, and whether that is still on offer.

use domain::{Catalog, JobRequest, JobSpec, JobView, Model, Seed, VideoTime, catalog::Field};
use serde::{Deserialize, Serialize};

/// The model of a job, if it is still on offer; not another one that goes by its name today.
pub fn model_of<'a>(catalog: &'a Catalog, spec: &JobSpec) -> Option<&'a Model> {
    catalog.by_id(&spec.model)
}

/// What the same job costs by today's catalog, whatever it was charged. `None`: it is not on offer any more.
pub fn price_again(catalog: &Catalog, spec: &JobSpec) -> Option<VideoTime> {
    catalog.quote(spec).ok().map(|quote| quote.billed)
}

/// What equals the model's default stays empty, the seed apart.
pub fn request_of(job: &JobView, model: Option<&Model>) -> JobRequest {
    let request = with_plain_lines(&job.spec.short_request(model));
    // All fields but that of the prompt have one line.
    JobRequest::of_fields(|field| {
        request.get(field).map(|text| if field == Field::Prompt { text.to_owned() } else { text.replace('\n', " ") })
    })
}

/// What a remix starts from: the same with another seed, arranged anew. Numbers mean something to their model alone, and stay behind
/// when that is not on offer any more.
pub fn remix_of(job: &JobView, model: Option<&Model>) -> JobRequest {
    let request = request_of(job, model);
    let is_own = |field: Field| matches!(field, Field::Seed | Field::Arrangement);
    let is_of_model = |field: Field| field.kind().is_number() || field == Field::Enrich;
    let stays = |field: Field| !is_own(field) && (model.is_some() || !is_of_model(field));
    JobRequest::of_fields(|field| request.get(field).filter(|_| stays(field)).map(str::to_owned))
}

/// What the form has to know of the video that it remixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub seed: Seed,
    pub is_image: bool,
    /// Whether its model is.
    pub is_on_offer: bool,
}

impl Source {
    pub fn of(job: &JobView, model: Option<&Model>) -> Self {
        Self { seed: job.spec.seed, is_image: job.spec.is_image(), is_on_offer: model.is_some() }
    }
}

/// With ends of lines as the fields of a page have them: a plain form sends others, and so may a program.
pub fn with_plain_lines(request: &JobRequest) -> JobRequest {
    JobRequest::of_fields(|field| request.get(field).map(|text| text.replace("\r\n", "\n").replace('\r', "\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{catalog, job};
    use domain::catalog::testing::image_model;
    use std::collections::BTreeMap;

    fn earlier() -> JobView {
        let texts = JobRequest { prompt: "sea\r\nand sky".into(), negative_prompt: Some("fog\nrain".into()), ..JobRequest::default() };
        job(&JobRequest { steps: Some("8".into()), size: Some("96x96".into()), seed: Some("7".into()), ..texts })
    }

    #[test]
    fn what_equals_the_default_of_a_model_on_offer_stays_empty() {
        let (catalog, job) = (catalog(), earlier());
        let request = request_of(&job, model_of(&catalog, &job.spec));
        assert_eq!((&*request.prompt, request.negative_prompt.as_deref()), ("sea\nand sky", Some("fog rain")));
        assert_eq!((request.steps.as_deref(), request.guidance, request.seed.as_deref()), (Some("8"), None, Some("7")));
        assert_eq!(request_of(&job, None).guidance.as_deref(), Some("3"));
    }

    #[test]
    fn a_remix_draws_another_seed_and_leaves_behind_what_only_a_model_that_is_gone_knows() {
        let (catalog, job) = (catalog(), earlier());
        let remix = remix_of(&job, model_of(&catalog, &job.spec));
        assert_eq!(JobRequest { seed: Some("7".into()), ..remix }, request_of(&job, model_of(&catalog, &job.spec)));
        let remix = remix_of(&job, None);
        assert_eq!((remix.steps, remix.guidance, remix.seed), (None, None, None));
        assert_eq!((&*remix.prompt, remix.model.as_deref(), remix.size.as_deref()), ("sea\nand sky", Some("vignette-1"), Some("96x96")));
    }

    #[test]
    fn what_is_not_on_offer_any_more_has_no_price() {
        let (mut catalog, job) = (catalog(), earlier());
        assert_eq!(price_again(&catalog, &job.spec), Some(job.quote.billed));
        let without_its_size = |mut model: Model| {
            model.sizes.retain(|option| option.size != job.spec.size);
            model
        };
        let models = catalog.models().iter().cloned().map(without_its_size).collect();
        assert_eq!(price_again(&Catalog::new(models, BTreeMap::new()), &job.spec), None);
        catalog = Catalog::new(vec![image_model()], BTreeMap::from([("vignette-1".to_owned(), "tiny-1".to_owned())]));
        assert!(model_of(&catalog, &job.spec).is_none() && price_again(&catalog, &job.spec).is_none(), "an alias is another model");
    }
}
