//! The columns of the other model that a job's request allows, and of what is held where two prices differ.

use crate::{
    Job, NewJob, StoreError,
    database::write::Write,
    entity::{
        job::{self as table, Column},
        optional, signed,
    },
};
use domain::{
    VideoTime,
    job::{Fallback, FallbackTexts, held},
    scheduling::Tag,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QuerySelect};

const TABLE: &str = "jobs";

/// What a new job says of it. Its price is said beside what is held.
pub(super) fn of_new(job: &NewJob, row: &mut table::ActiveModel) -> Result<(), StoreError> {
    row.billed_ms = Set(signed(TABLE, "billed_ms", job.held().ms())?);
    let Some(fallback) = &job.fallback else { return Ok(()) };
    row.price_ms = Set(Some(signed(TABLE, "price_ms", job.quote.billed.ms())?));
    // Not by what is held.
    row.work_ms = Set(Some(signed(TABLE, "work_ms", job.work.unwrap_or(job.quote.billed).ms())?));
    row.fallback = Set(serde_json::to_string(fallback).ok());
    let says_something = fallback.texts != FallbackTexts::default();
    row.fallback_texts = Set(says_something.then(|| serde_json::to_string(&fallback.texts).ok()).flatten());
    Ok(())
}

/// The other model without its texts, and the price of the one that makes the job.
pub(super) fn parsed(row: &table::Model) -> Result<(Option<Fallback>, Option<VideoTime>), StoreError> {
    let fallback = row.fallback.as_deref().map(serde_json::from_str).transpose();
    let fallback = fallback.map_err(|error| StoreError::inconsistent(TABLE, "fallback", error))?;
    Ok((fallback, optional(TABLE, "price_ms", row.price_ms)?.map(VideoTime::from_ms)))
}

/// What the other model gets in place of the prompt.
pub(crate) async fn texts(write: &Write, job: &Job) -> Result<FallbackTexts, StoreError> {
    let texts = table::Entity::find().select_only().column(Column::FallbackTexts).filter(Column::Id.eq(job.id.uuid()));
    let texts: Option<Option<String>> = texts.into_tuple().one(&write.tx).await?;
    Ok(texts.flatten().and_then(|texts| serde_json::from_str(&texts).ok()).unwrap_or_default())
}

/// From here on `fallback` makes `job`, from the beginning; where it is in the queue, in the line of that model by `tag`.
pub(crate) fn take(row: &mut table::ActiveModel, job: &Job, fallback: Fallback, tag: Option<Tag>) -> Result<(), StoreError> {
    row.requested_model = Set(Some(job.spec.model.clone()));
    row.fallback = Set(None);
    row.fallback_texts = Set(None);
    let FallbackTexts { expanded_prompt, read_as, understanding } = fallback.texts;
    row.expanded_prompt = Set(expanded_prompt);
    row.read_as = Set(read_as);
    row.understanding = Set(understanding.and_then(|understanding| serde_json::to_string(&understanding).ok()));
    row.model = Set(fallback.model);
    row.steps = Set(signed(TABLE, "steps", fallback.steps)?);
    row.guidance = Set(fallback.guidance);
    row.work_ms = Set(Some(signed(TABLE, "work_ms", fallback.work.ms())?));
    let quote = fallback.quote;
    row.price_ms = Set(Some(signed(TABLE, "price_ms", quote.billed.ms())?));
    row.size_weight_permille = Set(Some(signed(TABLE, "size_weight_permille", quote.size_weight_permille)?));
    row.steps_default = Set(Some(signed(TABLE, "steps_default", quote.steps_default)?));
    row.counts_as_ms = Set(Some(signed(TABLE, "counts_as_ms", quote.duration.ms())?));
    if let Some(tag) = tag {
        row.start_tag = Set(tag.start.value());
        row.finish_tag = Set(tag.finish.value());
    }
    row.stage = Set(None);
    row.step = Set(0);
    row.preview_step = Set(None);
    row.decoded_permille = Set(None);
    row.sampling_ms = Set(None);
    row.decoding_ms = Set(None);
    forget_took(row);
    Ok(())
}

/// When it was sampled, and what the parts of its stages took.
pub(crate) fn forget_took(row: &mut table::ActiveModel) {
    row.sampled_by = Set(None);
    for took in [
        &mut row.sampled_at_ms,
        &mut row.load_ms,
        &mut row.encode_ms,
        &mut row.latents_upload_ms,
        &mut row.sampling_device_ms,
        &mut row.upload_ms,
        &mut row.decoding_device_ms,
    ] {
        *took = Set(None);
    }
}

impl NewJob {
    /// What is held while it is made.
    pub(crate) fn held(&self) -> VideoTime {
        held(&self.quote, self.fallback.as_ref())
    }
}
