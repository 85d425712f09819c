//! Taking a job in: parse, quote, admit, and one transaction.

mod fallback;
mod fingerprint;

use crate::{
    Services,
    costs::workload,
    deadline::{Instant, share_of_time},
    expansion::expand,
    telemetry::trace,
    understanding::{others_that_understand, understand_expanded},
    word_model::WHEN_SUBMITTED,
};
use domain::{
    Actor, Forbidden, Interval, JobId, JobRequest, JobSpec, JobView, Membership, Permission, Quote, Seed, SpecError, TenantId, VideoTime,
    catalog::Understanding,
    job::{Deadlines, FallbackError, held},
    scheduling::{AdmissionError, WorkRoom, retry_after_s},
    webhook::{CALLBACKS_WAITING_MAX, Callback},
};
pub(crate) use fallback::FallbackAsked;
pub use fingerprint::{Besides, fingerprint};
use std::time::Duration;
use store::{
    Idempotency, Job, NewJob, Repetition, StoreError,
    chance::{self, NoRandomness},
};

/// What is submitted.
#[derive(Debug, Clone, Default)]
pub struct Submission {
    pub request: JobRequest,
    /// What was sent, where that is not the whole request: it tells this submission from another under the same key.
    pub sent: Option<JobRequest>,
    /// The price that was shown: for another one nothing is taken in.
    pub shown_price: Option<VideoTime>,
    /// The job whose prompt this one varies. It must be the tenant's own.
    pub remixed_from: Option<JobId>,
    /// The tenant's job that is made once more without being its source: the same words are read as they were in it.
    pub repeats: Option<JobId>,
    /// The client's key for this submission; a repetition under it finds the first job.
    pub idempotency_key: Option<String>,
    /// How often a client that sends no key says that it has sent this before; a repetition finds the job of the first try.
    pub retry_count: Option<u32>,
    /// Whether it is to be made even where nothing of the prompt is understood.
    pub force: bool,
    /// By when it is to have begun and to have ended.
    pub deadlines: Deadlines,
    /// Where its client said within which time it is to begin, in milliseconds: by that a repetition is known, and not by `start_by`.
    pub start_within_ms: Option<i64>,
    /// The model that makes it where its own cannot. `None` or blank: none.
    pub fallback_model: Option<String>,
    /// Where its course is told, if somebody asked for that.
    pub callback: Option<Callback>,
    /// When the answer is due, if somebody waits for one.
    pub due: Option<Instant>,
}

#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Fallback(#[from] FallbackError),
    #[error("the price is {0} video-seconds, and another one was shown")]
    PriceNotShown(VideoTime),
    #[error("there is no video {0} to remix")]
    RemixSourceUnknown(JobId),
    #[error(transparent)]
    NotAdmitted(AdmissionError),
    /// There is no room for it at this moment.
    #[error("{error}")]
    NotNow { error: AdmissionError, retry_after_s: u64 },
    /// The idempotency key was used before, for another request.
    #[error("this idempotency key was used for a different request")]
    KeyReused,
    /// The idempotency key stands for a job that was deleted since.
    #[error("{0} was submitted under this idempotency key, and deleted since")]
    Deleted(JobId),
    /// It may have been taken in all the same: to be sent again with an idempotency key only.
    #[error("whether the video was taken in is not known")]
    Unknown,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
}

impl From<store::SubmitError> for SubmitError {
    fn from(error: store::SubmitError) -> Self {
        match error {
            store::SubmitError::NotAdmitted(error) => Self::NotAdmitted(error),
            store::SubmitError::KeyReused => Self::KeyReused,
            store::SubmitError::Deleted(job) => Self::Deleted(job),
            store::SubmitError::Unknown => Self::Unknown,
            store::SubmitError::Store(error) => Self::Store(error),
        }
    }
}

/// What has become of a submission.
#[derive(Debug, Clone)]
pub struct Accepted {
    pub job: JobView,
    /// It was there already, from an earlier request.
    pub replayed: bool,
    /// What the tenant has open with it, where that is known.
    pub room: Option<WorkRoom>,
}

/// A request that can be made, its price, and how its prompt is read.
pub(crate) type Checked = (JobSpec, Quote, Option<Understanding>);

impl Services {
    /// Takes a job in and answers at once.
    ///
    /// # Errors
    /// [`SubmitError`] says what to mend; nothing was stored. A job that was stored is always answered, if
    /// need be without an estimate.
    pub async fn submit(&self, actor: Actor, submission: Submission) -> Result<Accepted, SubmitError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::SubmitJobs)?;
        let Submission {
            request,
            sent,
            shown_price,
            remixed_from,
            repeats,
            idempotency_key,
            retry_count,
            force,
            deadlines,
            start_within_ms,
            fallback_model,
            callback,
            due,
        } = submission;
        let fallback_model = fallback_model.map(|model| model.trim().to_owned()).filter(|model| !model.is_empty());
        let sent = sent.as_ref().unwrap_or(&request);
        let besides = Besides { deadlines, start_within_ms, fallback_model: fallback_model.as_deref(), callback: callback.as_ref() };
        let fingerprint = fingerprint(sent, remixed_from, besides);
        let idempotency = idempotency_key.map(|key| Idempotency { key, fingerprint: fingerprint.clone() });
        let jobs = self.store.tenant(tenant).jobs();
        let source = match remixed_from.or(repeats) {
            Some(source) => jobs.get(source).await?,
            None => None,
        };
        if let Some(source) = &source {
            self.confirm_of(actor, source);
        }
        let checked = async {
            let checked = self.checked(&request, shown_price, force, source.as_ref()).await?;
            let fallback = match &fallback_model {
                Some(model) => {
                    let named = FallbackAsked { tenant, model, asked: &request, spec: &checked.0, force, source: source.as_ref() };
                    Some(self.fallback(named).await?)
                }
                None => None,
            };
            Ok::<_, SubmitError>((checked, fallback))
        };
        let ((spec, quote, understanding), fallback) = match Box::pin(checked).await {
            Ok(checked) => checked,
            // What was taken in already is charged as it was then, whatever the catalog says since.
            Err(error) => {
                let earlier = self.earlier(tenant, idempotency.as_ref()).await?.ok_or(error)?;
                return Ok(Accepted { job: self.view(&earlier, due).await, replayed: true, room: None });
            }
        };
        if let (Some(asked), None) = (remixed_from, &source)
            && self.earlier(tenant, idempotency.as_ref()).await?.is_none()
        {
            return Err(SubmitError::RemixSourceUnknown(asked));
        }
        let refused = match self.infeasible(tenant, &spec, deadlines).await {
            Some(error) => Some(error),
            None => self.queue_is_full(held(&quote, fallback.as_ref())).await,
        };
        let refused = match (refused, &callback) {
            (None, Some(_)) => self.callbacks_wait(tenant).await?,
            (refused, _) => refused,
        };
        // Who sends it again may have it, which shows when it is taken in.
        let is_first = retry_count.unwrap_or_default() == 0;
        if let Some(error) = &refused
            && is_first
            && self.earlier(tenant, idempotency.as_ref()).await?.is_none()
        {
            return Err(self.refusal(&spec, error.clone()).await);
        }
        let work = self.work(&spec, quote.billed).await;
        let wanted = spec.clone();
        let job = NewJob {
            user,
            api_key: actor.key(),
            project: actor.project(),
            remixed_from,
            trace_id: trace::current(),
            traceparent: trace::current_traceparent(),
            quote,
            work,
            spec,
            understanding,
            deadlines,
            fallback,
            callback,
            refused,
        };
        let repetition = match (idempotency, retry_count) {
            (Some(key), _) => Repetition::Key(key),
            (None, Some(retry_count)) => Repetition::Count { fingerprint, retry_count },
            (None, None) => Repetition::Unknown,
        };
        let submitted = match jobs.submit_within(share_of_time(due), job, repetition).await {
            Err(store::SubmitError::NotAdmitted(error)) => return Err(self.refusal(&wanted, error).await),
            submitted => submitted?,
        };
        tracing::info!(job.id = %submitted.job.id, tenant.id = %submitted.job.tenant, replayed = submitted.replayed, "submitted");
        // From here on the job is taken in, and a client that heard of a failure would ask for another.
        let job = if submitted.replayed { self.view(&submitted.job, due).await } else { self.view_of_new(&submitted.job, due).await };
        Ok(Accepted { job, replayed: submitted.replayed, room: submitted.room })
    }

    /// By which shares of the queue count a job, where its model was measured.
    pub(crate) async fn work(&self, spec: &JobSpec, billed: VideoTime) -> Option<VideoTime> {
        self.estimates.attempt(Duration::MAX, self.costs.refresh(&self.store)).await;
        let catalog = self.catalog().await.ok()?;
        Some(self.costs.work(catalog.by_id(&spec.model)?, workload(spec), billed))
    }

    /// Why a job like this is not taken in with these deadlines, by the clock that ends them. What nothing is foretold of may try.
    async fn infeasible(&self, tenant: TenantId, spec: &JobSpec, deadlines: Deadlines) -> Option<AdmissionError> {
        let first = deadlines.first()?;
        let none = Interval { p50_ms: 0, p90_ms: 0 };
        let (begins, ends) = self.expected_by(tenant, spec, first).await.unwrap_or((none, none));
        let (deadline, best) = deadlines.infeasible(self.store.now().await.ok()?, begins, ends)?;
        Some(AdmissionError::DeadlineInfeasible { deadline, best })
    }

    /// Whether all tenants together have more open than the operator lets wait.
    pub(crate) async fn queue_is_full(&self, asked: VideoTime) -> Option<AdmissionError> {
        let open_max = self.queue_max?;
        let store = self.store.clone();
        let open = self.open_work.get((), || async move { store.open_work().of_all().await }).await.ok()?;
        (open + asked > open_max).then_some(AdmissionError::QueueFull { open, open_max })
    }

    /// Whether so much is to be told to receivers of this tenant's jobs that no other job takes one.
    async fn callbacks_wait(&self, tenant: TenantId) -> Result<Option<AdmissionError>, StoreError> {
        let waiting = self.store.webhooks().callbacks_waiting(tenant).await?;
        Ok((waiting >= CALLBACKS_WAITING_MAX).then_some(AdmissionError::TooManyCallbacks { most: CALLBACKS_WAITING_MAX }))
    }

    /// For what passes, with when to ask again for `spec`: when as much as that has been made.
    async fn refusal(&self, spec: &JobSpec, error: AdmissionError) -> SubmitError {
        if !error.passes() {
            return SubmitError::NotAdmitted(error);
        }
        let jobs = match &error {
            AdmissionError::TooMuchOpenWork { open, open_max, asked } => {
                (*open + *asked).saturating_sub(*open_max).ms().div_ceil(asked.ms().max(1))
            }
            _ => 1,
        };
        let each_ms = self.own_time_ms(spec).await;
        SubmitError::NotNow { error, retry_after_s: retry_after_s(jobs, each_ms) }
    }

    /// `source`: what is remixed or repeated.
    pub(crate) async fn checked(
        &self,
        request: &JobRequest,
        shown_price: Option<VideoTime>,
        force: bool,
        source: Option<&Job>,
    ) -> Result<Checked, SubmitError> {
        let catalog = self.catalog().await?;
        let (mut spec, quote) = request.parse_arranged(&catalog, random_seed()?)?;
        let model = catalog.by_id(&spec.model);
        let expansion = model.map(|model| expand(model, &spec)).unwrap_or_default();
        if let Some(expanded) = &mut spec.expanded_prompt {
            expanded.clone_from(&expansion.text);
        }
        // The same words are read as they were: where things were put goes by what was read.
        let again = source.filter(|source| {
            // Where nothing was added, it is not known which words are.
            let is_told = expansion.added.is_empty() || source.spec.expanded_prompt.is_some();
            is_told && source.spec.model == spec.model && source.spec.text() == expansion.text
        });
        let (read_as, understanding) = match (model, again.map(|source| (source.spec.read_as.clone(), source.understanding.clone()))) {
            (_, Some((Some(read_as), understanding))) => {
                // What was added there may have been typed here.
                let as_typed =
                    |understanding: Understanding| if expansion.added.is_empty() { understanding.as_typed() } else { understanding };
                (Some(read_as), understanding.map(as_typed))
            }
            (Some(model), Some((None, _))) => (None, understand_expanded(model, &expansion)),
            (Some(model), None) => {
                let read = self.guess(model, expansion, WHEN_SUBMITTED).await;
                let understanding = understand_expanded(model, &read);
                ((!read.guesses.is_empty()).then_some(read.text), understanding)
            }
            (None, _) => (None, None),
        };
        if let (Some(model), Some(understanding)) = (model, &understanding)
            && understanding.is_nothing()
            && !force
        {
            let others = others_that_understand(&catalog, model, &spec.prompt);
            let others = others.into_iter().map(|(other, words)| (other.name.clone(), words)).collect();
            return Err(SpecError::PromptNotUnderstood { model: model.name.clone(), others }.into());
        }
        if shown_price.is_some_and(|shown| shown != quote.billed) {
            return Err(SubmitError::PriceNotShown(quote.billed));
        }
        spec.read_as = read_as;
        Ok((spec, quote, understanding))
    }

    /// The job of the same submission, sent earlier under the same key.
    async fn earlier(&self, tenant: TenantId, idempotency: Option<&Idempotency>) -> Result<Option<Job>, SubmitError> {
        let Some(Idempotency { key, fingerprint }) = idempotency else { return Ok(None) };
        match self.store.tenant(tenant).jobs().submitted_under(key).await? {
            None => Ok(None),
            Some(earlier) if earlier.fingerprint != *fingerprint => Err(SubmitError::KeyReused),
            Some(earlier) => earlier.job.map(Some).ok_or(SubmitError::Deleted(earlier.id)),
        }
    }

    /// The settings of the job that was made under this key within a day. A remix that is sent again finds them
    /// there when its source is gone.
    ///
    /// # Errors
    /// [`SubmitError::Deleted`] when that job is gone as well.
    pub async fn repeated(&self, actor: Actor, key: Option<&str>) -> Result<Option<JobSpec>, SubmitError> {
        let jobs = self.tenant_of(actor, Permission::SubmitJobs)?.jobs();
        let Some(key) = key else { return Ok(None) };
        match jobs.submitted_under(key).await? {
            None => Ok(None),
            Some(earlier) => earlier.job.map(|job| Some(job.spec)).ok_or(SubmitError::Deleted(earlier.id)),
        }
    }
}

/// A key for a submission that is to count once, however often it is sent.
#[must_use]
pub fn new_idempotency_key() -> String {
    chance::new_id().simple().to_string()
}

/// Short enough to read out, wide enough not to repeat.
fn random_seed() -> Result<Seed, NoRandomness> {
    let drawn = u64::from(chance::random_number()?);
    Ok(Seed::new(drawn).unwrap_or(Seed::ZERO))
}
