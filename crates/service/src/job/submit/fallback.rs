//! The other model that a request may name: whether it can make the same, and at which price.

use super::{Checked, SubmitError};
use crate::Services;
use domain::{
    JobRequest, JobSpec, Quote, SpecError, TenantId, VideoTime,
    job::{Fallback, FallbackError, FallbackTexts, request_of_fallback},
};
use store::Job;

/// A request that was checked and the model named beside it.
pub(super) struct Named<'a> {
    pub tenant: TenantId,
    pub model: &'a str,
    pub asked: &'a JobRequest,
    /// What was asked for, as its own model makes it.
    pub spec: &'a JobSpec,
    pub force: bool,
    /// What is remixed or repeated.
    pub source: Option<&'a Job>,
}

impl Services {
    /// The other model with all that it needs, whatever becomes of the catalog.
    pub(super) async fn fallback(&self, named: Named<'_>) -> Result<Fallback, SubmitError> {
        let Named { tenant, model, asked, spec, force, source } = named;
        let request = request_of_fallback(model, asked, spec);
        let (spec_of_other, quote, understanding) = match self.checked(&request, None, force, source).await {
            Err(SubmitError::Spec(error)) => return Err(FallbackError::Spec(error).into()),
            checked => checked?,
        };
        if spec_of_other.model == spec.model {
            return Err(FallbackError::Same.into());
        }
        if spec_of_other.shape() != spec.shape() {
            // A model of images takes a length of none.
            let (model, seconds, supported) = (spec_of_other.model, spec.duration.to_string(), spec_of_other.duration.to_string());
            return Err(FallbackError::Spec(SpecError::SecondsUnsupported { model, seconds, supported }).into());
        }
        let plan = self.store.tenant(tenant).credits().plan().await?;
        if !plan.has_model(&spec_of_other.model) {
            return Err(FallbackError::Plan(format!("The plan {} does not have it.", plan.name)).into());
        }
        let work = self.work(&spec_of_other, quote.billed).await;
        Ok(as_fallback((spec_of_other, quote, understanding), work))
    }
}

fn as_fallback((spec, quote, understanding): Checked, work: Option<VideoTime>) -> Fallback {
    let Quote { billed, .. } = quote;
    let JobSpec { model, steps, guidance, expanded_prompt, read_as, .. } = spec;
    let texts = FallbackTexts { expanded_prompt, read_as, understanding };
    Fallback { model, steps, guidance, quote, work: work.unwrap_or(billed), texts }
}
