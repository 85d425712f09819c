//! The other model that a request may name: whether it can make the same, and at which price.

use super::{Checked, SubmitError};
use crate::Services;
use domain::{
    JobRequest, JobSpec, Quote, TenantId, VideoTime,
    job::{Fallback, FallbackError, FallbackTexts, check_fallback, request_of_fallback},
};
use store::Job;

/// A request that was checked and the model named beside it.
pub(crate) struct FallbackAsked<'a> {
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
    pub(crate) async fn fallback(&self, named: FallbackAsked<'_>) -> Result<Fallback, SubmitError> {
        let FallbackAsked { tenant, model, asked, spec, force, source } = named;
        let request = request_of_fallback(model, asked, spec);
        let (spec_of_other, quote, understanding) = match self.checked(&request, None, force, source).await {
            Err(SubmitError::Spec(error)) => return Err(FallbackError::Spec(error).into()),
            checked => checked?,
        };
        check_fallback(spec, &spec_of_other)?;
        let plan = self.store.tenant(tenant).credits().plan().await?;
        if !plan.has_model(&spec_of_other.model) {
            return Err(FallbackError::of_plan(&plan.name).into());
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
