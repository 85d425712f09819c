//! By what a submission is told from another under the same key.

use domain::{
    JobId, JobRequest, Timestamp,
    catalog::Field,
    job::{Deadline, Deadlines},
    webhook::Callback,
};
use sha2::{Digest, Sha256};

/// The fields of earlier versions, which a digest has whether they were sent or not.
const FIELDS_OF_BEFORE: usize = 8;

/// What a client sends besides the request itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Besides<'a> {
    pub deadlines: Deadlines,
    /// Where it is to begin within a time, that time in milliseconds: `start_by` is another moment with each try.
    pub start_within_ms: Option<i64>,
    pub fallback_model: Option<&'a str>,
    pub callback: Option<&'a Callback>,
}

/// A digest of everything that makes two submissions the same: a client's key holds for a day, over a change of version too.
#[must_use]
pub fn fingerprint(request: &JobRequest, remixed_from: Option<JobId>, besides: Besides<'_>) -> String {
    let Besides { deadlines, start_within_ms, fallback_model, callback } = besides;
    let source = remixed_from.map(|id| id.to_string());
    let mut hash = Sha256::new();
    let deadline = |deadline: Deadline, at: Option<Timestamp>| at.map(|at| [deadline.as_str().to_owned(), at.ms().to_string()]);
    let start_by = deadlines.start_by.filter(|_| start_within_ms.is_none());
    let within = start_within_ms.map(|ms| ["start_within_ms".to_owned(), ms.to_string()]);
    let deadlines = [within, deadline(Deadline::StartBy, start_by), deadline(Deadline::FinishBy, deadlines.finish_by)];
    let deadlines = deadlines.iter().flatten().flatten().map(|text| Some(text.as_str()));
    let before = Field::ALL.into_iter().take(FIELDS_OF_BEFORE).map(|field| request.get(field)).chain([source.as_deref()]);
    let since = Field::ALL.into_iter().skip(FIELDS_OF_BEFORE).filter_map(|field| Some([Some(field.name()), Some(request.filled(field)?)]));
    let fallback_model = fallback_model.iter().flat_map(|model| [Some("fallback_model"), Some(*model)]);
    let told = callback.map(|Callback { style, url, events, .. }| {
        [vec!["callback", style.as_str(), url.as_str()], events.iter().map(|event| event.as_str()).collect()].concat()
    });
    let told = told.iter().flatten().map(|text| Some(*text));
    for text in before.chain(since.flatten()).chain(deadlines).chain(fallback_model).chain(told) {
        let text = text.unwrap_or_default();
        hash.update(text.len().to_le_bytes());
        hash.update(text.as_bytes());
    }
    hex::encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::webhook::{CallbackEvent, CallbackStyle};

    /// A client's key for a submission holds for a day, over a change of version too.
    #[test]
    fn a_fingerprint_is_what_it_was_in_earlier_versions() {
        let request = JobRequest { prompt: "sea".into(), size: Some("96x96".into()), seed: Some("1".into()), ..JobRequest::default() };
        assert_eq!(fingerprint(&request, None, Besides::default()), "6bdcc2168682b3fdfd45bbeebb172ae7fb088d4e94c425590cb6e4866e14f76c");
    }

    #[test]
    fn a_fingerprint_tells_fields_apart() {
        let a = JobRequest { prompt: "ab".into(), seed: Some("1".into()), ..JobRequest::default() };
        let b = JobRequest { prompt: "ab".into(), steps: Some("1".into()), ..JobRequest::default() };
        assert_eq!(fingerprint(&a, None, Besides::default()), fingerprint(&a, None, Besides::default()));
        assert_ne!(fingerprint(&a, None, Besides::default()), fingerprint(&b, None, Besides::default()));
        let arranged = JobRequest { arrangement: Some("[1]".into()), ..a.clone() };
        assert_ne!(fingerprint(&a, None, Besides::default()), fingerprint(&arranged, None, Besides::default()));
        let enriched = JobRequest { enrich: Some("true".into()), ..a.clone() };
        assert_ne!(fingerprint(&a, None, Besides::default()), fingerprint(&enriched, None, Besides::default()));
        let (soon, none) = (Some(Timestamp::from_ms(1)), None);
        let urgent = [(soon, none), (none, soon)].map(|(start_by, finish_by)| {
            fingerprint(&a, None, Besides { deadlines: Deadlines { start_by, finish_by }, ..Besides::default() })
        });
        assert!(urgent[0] != urgent[1] && !urgent.contains(&fingerprint(&a, None, Besides::default())));
    }

    #[test]
    fn to_begin_within_a_time_is_the_same_at_every_try() {
        let request = JobRequest { prompt: "ab".into(), ..JobRequest::default() };
        let sent_at = |ms: i64, within_ms: i64| {
            let deadlines = Deadlines { start_by: Some(Timestamp::from_ms(ms + within_ms)), finish_by: None };
            fingerprint(&request, None, Besides { deadlines, start_within_ms: Some(within_ms), ..Besides::default() })
        };
        assert_eq!(sent_at(0, 1000), sent_at(77, 1000));
        assert!(sent_at(0, 1000) != sent_at(0, 2000) && sent_at(0, 1000) != fingerprint(&request, None, Besides::default()));
    }

    #[test]
    fn another_fallback_model_is_another_submission() {
        let request = JobRequest { prompt: "ab".into(), ..JobRequest::default() };
        let with = |fallback_model| fingerprint(&request, None, Besides { fallback_model, ..Besides::default() });
        assert!(with(None) != with(Some("a")) && with(Some("a")) != with(Some("b")));
    }

    #[test]
    fn who_is_told_of_what_is_part_of_a_submission_and_how_it_came_here_is_not() {
        let request = JobRequest { prompt: "ab".into(), ..JobRequest::default() };
        let with = |callback: &Callback| fingerprint(&request, None, Besides { callback: Some(callback), ..Besides::default() });
        let told = Callback {
            style: CallbackStyle::Replicate,
            url: "https://a.example.com/".into(),
            receiver: "https://a.example.com".into(),
            events: vec![CallbackEvent::Completed],
            origin: "https://video.example.com".into(),
            api: "https://video.example.com/replicate".into(),
        };
        let others = [
            Callback { style: CallbackStyle::Fal, ..told.clone() },
            Callback { url: "https://a.example.com/b".into(), ..told.clone() },
            Callback { events: vec![CallbackEvent::Start, CallbackEvent::Completed], ..told.clone() },
        ];
        assert!(others.iter().map(with).chain([fingerprint(&request, None, Besides::default())]).all(|other| other != with(&told)));
        assert_eq!(with(&Callback { origin: "https://b.example.com".into(), ..told.clone() }), with(&told));
    }
}
