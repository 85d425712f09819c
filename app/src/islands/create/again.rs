//! The request that makes an earlier video again.

use domain::{JobRequest, JobView};

/// What equals the model's default stays empty, the seed apart.
pub fn request_of(job: &JobView) -> JobRequest {
    let (spec, model) = (&job.spec, job.spec.model);
    JobRequest {
        prompt: with_plain_lines(&spec.prompt),
        // Its field has one line.
        negative_prompt: spec.negative_prompt.as_deref().map(|text| with_plain_lines(text).replace('\n', " ")),
        model: Some(model.id.to_owned()),
        size: Some(spec.size.to_string()),
        seconds: Some(spec.duration.to_string()),
        steps: (spec.steps != model.steps_default).then(|| spec.steps.to_string()),
        guidance: (spec.guidance.to_bits() != model.guidance_default.to_bits()).then(|| spec.guidance.to_string()),
        seed: Some(spec.seed.value().to_string()),
    }
}

/// With ends of lines as the fields of a page have them: a plain form sends others, and so may a program.
pub fn with_plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
