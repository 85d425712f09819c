//! Reading the input of a batch: every line is checked and quoted, some hundred in one transaction, and nothing is made.
//!
//! It goes on where it was broken off: how far it has come is written with the lines.

use super::{
    LineRequest, ReadLine,
    input::{Lines, RawLine},
    run::{LEASE_MS, Pause},
};
use crate::{AccessError, Services};
use domain::{
    BatchId, Catalog, JobRequest, JobSpec, Seed, SpecError, VideoTime,
    batch::{BatchWait, CUSTOM_ID_CHARS_MAX, FaultCode, LINE_BYTES_MAX, LINES_MAX, LineFault},
    billing::Plan,
    job::{FallbackError, check_fallback, request_of_fallback},
};
use std::{collections::HashSet, error::Error, sync::Arc};
use store::{Batch, BatchSteps, NewLine, StoreError, objects::ObjectError};

/// In one transaction: so many lines that are not empty, and so much of the file.
const LINES_AT_ONCE: usize = 500;
const BYTES_AT_ONCE: u64 = 4 * LINE_BYTES_MAX as u64;
/// In one step, after which another batch has its turn.
const CHUNKS_AT_ONCE: usize = 20;
/// Lines that are empty are no work, but there may be millions of them.
const RESTS_EVERY: usize = 4096;
/// Lines that are forgotten in one transaction.
const DROPPED_AT_ONCE: u32 = 5000;
const COPIED_AT_ONCE: u32 = 1000;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// By what lines are checked.
struct Rules {
    catalog: Arc<Catalog>,
    plan: Plan,
    endpoint: String,
    /// That of the first line that has one.
    model: Option<String>,
}

impl Services {
    pub(super) async fn validate(&self, batch: Batch) -> Result<Pause, AccessError> {
        match batch.retry_of.or(batch.quote) {
            Some(source) => self.copy_lines(batch, source).await,
            None => self.validate_file(batch).await,
        }
    }

    async fn copy_lines(&self, mut batch: Batch, source: BatchId) -> Result<Pause, AccessError> {
        let steps = self.store.tenant(batch.tenant).batches().steps(batch.id);
        let mut is_over = false;
        for _ in 0..CHUNKS_AT_ONCE {
            let Some(copied) = steps.copy_lines(&batch, source, COPIED_AT_ONCE, LEASE_MS).await? else { return Ok(Pause::OVERTAKEN) };
            let Some(now) = self.store.tenant(batch.tenant).batches().get(batch.id).await? else { return Ok(Pause::NONE) };
            batch = now;
            is_over = copied == 0;
            if is_over {
                break;
            }
        }
        if !is_over {
            return Ok(Pause::NONE);
        }
        if batch.lines == 0 {
            let fault = LineFault::new(FaultCode::InputUnreadable, "The lines of that batch are not kept any more.");
            steps.fail(fault).await?;
        } else if !steps.validated(&batch).await? {
            return Ok(Pause::OVERTAKEN);
        }
        Ok(Pause::NONE)
    }

    async fn validate_file(&self, mut batch: Batch) -> Result<Pause, AccessError> {
        let tenant = self.store.tenant(batch.tenant);
        let steps = tenant.batches().steps(batch.id);
        let mut lines = match self.input_from(&batch).await? {
            Ok(lines) => lines,
            Err(pause) => return Ok(pause),
        };
        let (catalog, plan) = (self.catalog().await?, tenant.credits().plan().await?);
        let mut rules = Rules { catalog, plan, endpoint: batch.endpoint.clone(), model: batch.model.clone() };
        let lines_max = rules.plan.batch_size_max.map_or(LINES_MAX, |max| max.min(LINES_MAX));
        let mut is_over = false;
        for _ in 0..CHUNKS_AT_ONCE {
            let chunk = match self.next_lines(&mut lines, &batch, &mut rules).await {
                Ok(chunk) => chunk?,
                Err(error) => {
                    tracing::warn!(batch.id = %batch.id, error = &error as &dyn Error, "the input of a batch cannot be read for now");
                    return Ok(Pause::of(BatchWait::Storage));
                }
            };
            let Chunk { read, lines: found } = chunk;
            if batch.lines as usize + found.len() > lines_max as usize {
                let text = format!("A batch has at most {} lines here. Split the file.", domain::grouped(lines_max.into()));
                forget_sound(steps).await?;
                steps.fail(LineFault::new(FaultCode::TooManyLines, text)).await?;
                return Ok(Pause::NONE);
            }
            is_over = read == 0;
            if is_over {
                break;
            }
            if !steps.add_lines(&batch, &found, (read, lines.offset()), (rules.model.as_deref(), LEASE_MS)).await? {
                // Another server is here, or it was cancelled.
                return Ok(Pause::OVERTAKEN);
            }
            batch.read_lines += read;
            batch.read_bytes = lines.offset();
            batch.lines += u32::try_from(found.len()).unwrap_or(u32::MAX);
            batch.invalid += u32::try_from(found.iter().filter(|line| line.fault.is_some()).count()).unwrap_or(u32::MAX);
            tokio::task::yield_now().await;
        }
        if !is_over {
            return Ok(Pause::NONE);
        }
        if batch.invalid > 0 {
            forget_sound(steps).await?;
        }
        if batch.lines == 0 {
            steps.fail(LineFault::new(FaultCode::EmptyFile, "The file has no lines.")).await?;
        } else if !steps.validated(&batch).await? {
            return Ok(Pause::OVERTAKEN);
        }
        Ok(Pause::NONE)
    }

    /// The rest of the input; else when to look again.
    async fn input_from(&self, batch: &Batch) -> Result<Result<Lines, Pause>, StoreError> {
        let tenant = self.store.tenant(batch.tenant);
        let file = tenant.files().get(batch.input).await?;
        let stream = match &file {
            Some(file) if batch.read_bytes >= file.bytes => Ok(Lines::new(Box::pin(futures::stream::empty()), batch.read_bytes)),
            Some(file) => {
                let opened = self.objects.get(&file.object_key, Some(batch.read_bytes..=file.bytes - 1)).await;
                opened.map(|stream| Lines::new(stream.body, batch.read_bytes))
            }
            None => Err(ObjectError::NotFound { key: String::new() }),
        };
        match stream {
            Ok(lines) => Ok(Ok(lines)),
            Err(ObjectError::NotFound { .. }) => {
                let fault = LineFault::new(FaultCode::InputUnreadable, "The input file is gone.");
                tenant.batches().steps(batch.id).fail(fault).await?;
                Ok(Err(Pause::NONE))
            }
            Err(error) => {
                tracing::warn!(batch.id = %batch.id, error = &error as &dyn Error, "the input of a batch cannot be read for now");
                Ok(Err(Pause::of(BatchWait::Storage)))
            }
        }
    }

    /// The next lines, each checked. The outer error is that of the file.
    async fn next_lines(&self, lines: &mut Lines, batch: &Batch, rules: &mut Rules) -> std::io::Result<Result<Chunk, StoreError>> {
        let (mut read, mut raw) = (0_usize, Vec::new());
        let from = lines.offset();
        while raw.len() < LINES_AT_ONCE && lines.offset() - from < BYTES_AT_ONCE {
            let Some(line) = lines.next().await? else { break };
            read += 1;
            let number = batch.read_lines + u32::try_from(read).unwrap_or(u32::MAX);
            if !line.bytes.as_ref().is_some_and(|text| text.trim_ascii().is_empty()) {
                raw.push((number, line));
            } else if read % RESTS_EVERY == 0 {
                tokio::task::yield_now().await;
            }
        }
        let mut found: Vec<NewLine> = raw.iter().map(|(number, line)| self.checked_line(*number, line, rules)).collect();
        let names: Vec<&str> = found.iter().filter_map(|line| line.custom_id.as_deref()).collect();
        let known = self.store.tenant(batch.tenant).batches().known_custom_ids(batch.id, &names).await;
        let mut known: HashSet<String> = match known {
            Ok(known) => known,
            Err(error) => return Ok(Err(error)),
        };
        for line in &mut found {
            let Some(name) = &line.custom_id else { continue };
            if !known.insert(name.clone()) && line.fault.is_none() {
                let text = format!("`custom_id` must be another one on each line: {} stands on an earlier line too.", shown(name));
                line.fault = Some(LineFault::new(FaultCode::DuplicateCustomId, text).about("custom_id"));
            }
        }
        Ok(Ok(Chunk { read: u32::try_from(read).unwrap_or(u32::MAX), lines: found }))
    }

    fn checked_line(&self, number: u32, raw: &RawLine, rules: &mut Rules) -> NewLine {
        let length = u32::try_from(raw.length).unwrap_or(u32::MAX);
        let billed = VideoTime::default();
        let line = NewLine { line: number, custom_id: None, offset: raw.offset, length, billed, fault: None, unknown_field: None };
        let (Some(bytes), Some(format)) = (&raw.bytes, &self.line_format) else {
            let fault = LineFault::new(FaultCode::LineTooLong, format!("A line has at most {} MiB.", LINE_BYTES_MAX >> 20));
            return NewLine { length: 0, fault: Some(fault), ..line };
        };
        let ReadLine { custom_id, asked } = format.read(&rules.endpoint, without_mark(number, bytes));
        let custom_id = custom_id.filter(|name| name.chars().count() <= CUSTOM_ID_CHARS_MAX);
        let unknown_field = asked.as_ref().ok().and_then(|asked| asked.unknown_field.clone());
        match asked.and_then(|asked| rules.quote(&asked)) {
            Ok(billed) => NewLine { custom_id, billed, unknown_field, ..line },
            Err(fault) => NewLine { custom_id, fault: Some(fault), unknown_field, ..line },
        }
    }
}

/// A batch with a line that cannot be made makes none: nobody asks for those that could.
async fn forget_sound(steps: BatchSteps<'_>) -> Result<(), StoreError> {
    while steps.forget_sound(DROPPED_AT_ONCE).await? >= u64::from(DROPPED_AT_ONCE) {}
    Ok(())
}

struct Chunk {
    /// Lines of the file, empty ones too.
    read: u32,
    lines: Vec<NewLine>,
}

impl Rules {
    /// What a line costs at the most.
    fn quote(&mut self, asked: &LineRequest) -> Result<VideoTime, LineFault> {
        let (spec, quote) = asked.request.parse_arranged(&self.catalog, Seed::ZERO).map_err(|error| fault_of(&error))?;
        if !self.plan.has_model(&spec.model) {
            let text = format!("The plan {} does not have the model {}.", self.plan.name, spec.model);
            return Err(LineFault::new(FaultCode::ModelNotInPlan, text).about("body.model"));
        }
        let model = self.model.get_or_insert_with(|| spec.model.clone());
        if *model != spec.model {
            let text = format!("All lines of a batch are for one model: this one is for {}, and the first for {model}.", spec.model);
            return Err(LineFault::new(FaultCode::MismatchedModel, text).about("body.model"));
        }
        match &asked.fallback_model {
            Some(other) => {
                Ok(quote.billed.max(self.quote_of_fallback(other, &asked.request, &spec).map_err(|error| fault_of_fallback(&error))?))
            }
            None => Ok(quote.billed),
        }
    }

    fn quote_of_fallback(&self, model: &str, asked: &JobRequest, spec: &JobSpec) -> Result<VideoTime, FallbackError> {
        let request = request_of_fallback(model, asked, spec);
        let (other, quote) = request.parse_arranged(&self.catalog, Seed::ZERO).map_err(FallbackError::Spec)?;
        check_fallback(spec, &other)?;
        if self.plan.has_model(&other.model) { Ok(quote.billed) } else { Err(FallbackError::of_plan(&self.plan.name)) }
    }
}

pub(super) fn fault_of_fallback(error: &FallbackError) -> LineFault {
    LineFault { code: error.code().to_owned(), text: error.to_string(), param: Some("body.fallback_model".to_owned()) }
}

pub(super) fn fault_of(error: &SpecError) -> LineFault {
    LineFault { code: error.code().to_owned(), text: error.to_string(), param: Some(format!("body.{}", error.field())) }
}

/// Some editors write a mark at the beginning of a file.
pub(super) fn without_mark(line: u32, bytes: &[u8]) -> &[u8] {
    if line == 1 { bytes.strip_prefix(MARK).unwrap_or(bytes) } else { bytes }
}

/// As much of a client's text as a message repeats.
fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    if text.chars().count() <= CHARS_MAX {
        format!("`{text}`")
    } else {
        format!("`{}…`", text.chars().take(CHARS_MAX).collect::<String>())
    }
}
