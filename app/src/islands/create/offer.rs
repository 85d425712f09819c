//! What the catalog says of a request while one types: its model, its price, what is wrong with a field, and which of
//! its choices are on offer.

use domain::{
    Catalog, JobRequest, JobSpec, Model, Quote, Seed, SpecError,
    catalog::{Field, Kind},
};

/// No rule but that of the prompt itself looks at it.
const ANY_PROMPT: &str = "-";

/// Whether one chooses among what the model offers, and types nothing.
pub fn is_choice(field: Field) -> bool {
    matches!(field.kind(), Kind::Choice | Kind::NumberChoice)
}

/// Whether it is one of those that most people leave alone; what has to do with the prompt stands beside that, and where things
/// stand is said on a picture and nowhere in the form.
pub fn is_advanced(field: Field) -> bool {
    !matches!(field, Field::Prompt | Field::Enrich) && field.kind() != Kind::List && !is_choice(field)
}

/// Whether something else is typed, whatever is chosen.
pub fn is_typed_otherwise(request: &JobRequest, before: &JobRequest) -> bool {
    let typed = Field::ALL.into_iter().filter(|field| !is_choice(*field));
    typed.map(|field| (request.get(field), before.get(field))).any(|(now, then)| now.unwrap_or_default() != then.unwrap_or_default())
}

pub fn sets_advanced(request: &JobRequest) -> bool {
    Field::ALL.into_iter().any(|field| is_advanced(field) && request.filled(field).is_some())
}

/// The job that a request describes, whatever its prompt, and its price, which does not depend on that.
///
/// # Errors
/// What is wrong with it.
pub fn shape(catalog: &Catalog, request: &JobRequest) -> Result<(JobSpec, Quote), SpecError> {
    JobRequest { prompt: ANY_PROMPT.into(), ..request.clone() }.parse(catalog, Seed::ZERO)
}

/// Looks at one field as if the others that can be wrong by themselves were right.
///
/// # Errors
/// What is wrong with it.
pub fn alone(catalog: &Catalog, request: &JobRequest, field: Field) -> Result<(), SpecError> {
    let is_asked = |other: &Field| *other == field || is_choice(*other);
    let mut alone = JobRequest::of_fields(|other| Some(other).filter(is_asked).and_then(|other| request.get(other)).map(str::to_owned));
    if alone.filled(Field::Prompt).is_none() {
        alone.prompt = ANY_PROMPT.into();
    }
    alone.parse(catalog, Seed::ZERO).map(drop)
}

/// The model that a request names, or else the default one. `None`: nothing is on offer.
pub fn chosen<'a>(catalog: &'a Catalog, request: &JobRequest) -> Option<&'a Model> {
    request.filled(Field::Model).and_then(|name| catalog.find(name)).or_else(|| catalog.default_model())
}

/// A request as the fields of the form say it: each text, also an empty one, and each choice by its name in the catalog;
/// the default instead of one that is not on offer.
pub fn as_shown(catalog: &Catalog, request: &JobRequest) -> JobRequest {
    let Ok((spec, _)) = offered(catalog, request).parse(catalog, Seed::ZERO) else { return request.clone() };
    let choices = spec.request();
    JobRequest::of_fields(|field| {
        if is_choice(field) { choices.get(field).map(str::to_owned) } else { Some(request.get(field).unwrap_or_default().to_owned()) }
    })
}

/// A request with the choices of another one where it has none.
pub fn completed(request: &JobRequest, other: &JobRequest) -> JobRequest {
    let choice = |field| other.get(field).filter(|_| is_choice(field));
    JobRequest::of_fields(|field| request.get(field).or_else(|| choice(field)).map(str::to_owned))
}

/// The words, the model and the seed of a request, and of `last` all that means something to its model alone.
pub fn with_choices_of(request: &JobRequest, last: Option<&JobRequest>) -> JobRequest {
    let is_of_model = |field| !matches!(field, Field::Model | Field::Seed) && field.kind() != Kind::Text;
    let from = |field| if is_of_model(field) { last } else { Some(request) };
    JobRequest::of_fields(|field| from(field).and_then(|from| from.get(field)).map(str::to_owned))
}

/// The choices of a request that are not on offer, with what it says there. What its model had offered went with that.
pub fn gone(catalog: &Catalog, request: &JobRequest) -> Vec<(Field, String)> {
    let offered = offered(catalog, request);
    let is_gone = |field: &Field| is_choice(*field) && request.filled(*field).is_some() && offered.filled(*field).is_none();
    let model_is_gone = is_gone(&Field::Model);
    let fields = Field::ALL.into_iter().filter(is_gone).filter(|field| *field == Field::Model || !model_is_gone);
    fields.filter_map(|field| Some((field, request.filled(field)?.to_owned()))).collect()
}

/// The choices of a request that are on offer: first its model, then what that has of the others.
fn offered(catalog: &Catalog, request: &JobRequest) -> JobRequest {
    let mut offered = JobRequest { prompt: ANY_PROMPT.into(), ..JobRequest::default() };
    for field in Field::ALL.into_iter().filter(|field| is_choice(*field)) {
        offered.set(field, request.get(field).map(str::to_owned));
        if offered.parse(catalog, Seed::ZERO).is_err() {
            offered.set(field, None);
        }
    }
    offered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::catalog;

    fn asked(model: &str, size: &str, seconds: &str) -> JobRequest {
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        JobRequest { prompt: "sea".into(), model: text(model), size: text(size), seconds: text(seconds), ..JobRequest::default() }
    }

    fn shown(model: &str, size: &str, seconds: &str) -> [Option<String>; 3] {
        let shown = as_shown(&catalog(), &asked(model, size, seconds));
        [shown.model, shown.size, shown.seconds]
    }

    fn texts<const N: usize>(texts: [&str; N]) -> [Option<String>; N] {
        texts.map(|text| Some(text.to_owned()).filter(|text| !text.is_empty()))
    }

    #[test]
    fn what_a_request_leaves_open_is_shown_as_the_default() {
        assert_eq!(shown("", "", ""), texts(["vignette-1", "384x384", "2"]));
        assert_eq!(shown("sora-2", "96x96", "2.0"), texts(["vignette-1", "96x96", "2"]));
    }

    #[test]
    fn what_another_model_does_not_have_falls_back_to_its_default() {
        assert_eq!(shown("tiny-1", "768x768", "2"), texts(["tiny-1", "32x32", ""]), "an image has no length");
        assert_eq!(shown("tiny-1", "64x32", ""), texts(["tiny-1", "64x32", ""]));
        assert_eq!(shown("vignette-1", "64x32", ""), texts(["vignette-1", "384x384", "2"]));
        assert_eq!(shown("gone-1", "768x768", "2"), texts(["vignette-1", "768x768", "2"]), "what the default model has too stays");
    }

    #[test]
    fn what_is_shown_is_shown_as_it_is_and_has_a_price() {
        let catalog = catalog();
        for model in ["vignette-1", "tiny-1", "gone-1"] {
            let request = JobRequest { steps: Some(" 8 ".into()), ..asked(model, "768x768", "9") };
            let shown = as_shown(&catalog, &request);
            assert_eq!((as_shown(&catalog, &shown), shown.steps.as_deref()), (shown.clone(), Some(" 8 ")), "{model}");
            assert!(shape(&catalog, &shown).is_ok() && gone(&catalog, &shown).is_empty(), "{model}");
        }
        assert_eq!(as_shown(&catalog, &JobRequest::default()).seed.as_deref(), Some(""), "a field that says nothing is empty");
    }

    #[test]
    fn another_model_has_its_own_choices_and_the_words_stay() {
        let mut request = JobRequest { negative_prompt: Some("fog".into()), seed: Some("7".into()), ..asked("tiny-1", "768x768", "2") };
        request.steps = Some("40".into());
        let switched = with_choices_of(&request, None);
        assert_eq!((&*switched.prompt, switched.negative_prompt.as_deref(), switched.seed.as_deref()), ("sea", Some("fog"), Some("7")));
        assert_eq!((switched.model.as_deref(), switched.size, switched.seconds, switched.steps), (Some("tiny-1"), None, None, None));
        let last = JobRequest { steps: Some("5".into()), ..asked("tiny-1", "64x32", "") };
        let back = with_choices_of(&request, Some(&last));
        assert_eq!((back.size.as_deref(), back.steps.as_deref(), back.seed.as_deref()), (Some("64x32"), Some("5"), Some("7")));
    }

    #[test]
    fn a_choice_that_is_not_on_offer_is_named() {
        let named = |model, size, seconds| gone(&catalog(), &asked(model, size, seconds));
        assert!(named("", "", "").is_empty() && named("sora-2", "96x96", "2.0").is_empty());
        assert_eq!(named("gone-1", "1x1", "9"), [(Field::Model, "gone-1".to_owned())], "with a model goes what it had");
        assert_eq!(named("vignette-1", "1x1", "9"), [(Field::Size, "1x1".to_owned()), (Field::Seconds, "9".to_owned())]);
    }

    #[test]
    fn the_rules_of_a_field_are_those_of_the_chosen_model() {
        let wrong = |model: &str, field: Field, text: &str| {
            let mut request = JobRequest { guidance: Some("wrong as well".into()), ..asked(model, "", "") };
            request.set(field, Some(text.to_owned()));
            alone(&catalog(), &request, field).err().map(|error| error.field())
        };
        assert_eq!([wrong("", Field::Steps, "200"), wrong("tiny-1", Field::Steps, "200")], [None, Some("steps")]);
        assert_eq!([wrong("", Field::Prompt, " "), wrong("", Field::Prompt, "a\0b")], [None, Some("prompt")]);
        assert_eq!(wrong("tiny-1", Field::Guidance, "5"), Some("guidance"));
    }

    #[test]
    fn the_chosen_model_is_the_named_one_or_else_the_default() {
        let catalog = catalog();
        let id = |model| chosen(&catalog, &asked(model, "", "")).map(|model| &*model.id);
        assert_eq!(["", "tiny-1", "sora-2", "gone-1"].map(id), ["vignette-1", "tiny-1", "vignette-1", "vignette-1"].map(Some));
        assert!(chosen(&Catalog::default(), &JobRequest::default()).is_none());
    }

    #[test]
    fn what_is_neither_the_prompt_nor_chosen_is_advanced() {
        let advanced: Vec<_> = Field::ALL.into_iter().filter(|field| is_advanced(*field)).collect();
        assert_eq!(advanced, [Field::NegativePrompt, Field::Steps, Field::Guidance, Field::Seed]);
        let request = JobRequest { steps: Some(" ".into()), ..asked("tiny-1", "64x32", "") };
        assert!(!sets_advanced(&request) && sets_advanced(&JobRequest { seed: Some("7".into()), ..request }));
    }
}
