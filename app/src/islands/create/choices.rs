//! What is chosen among the things on offer: model, size and length.

use super::{Form, controls::Problem, name};
use crate::words;
use domain::{Model, Size, catalog::Field};
use leptos::prelude::*;
use std::cmp::Ordering;

/// The weight of a usual size.
const USUAL_PERMILLE: u32 = 1000;

/// Model, size and length. What another model has is drawn anew, as radio buttons keep what was chosen among others.
#[component]
pub fn Shape(form: Form) -> impl IntoView {
    let first = form.model.with_untracked(|model| model.id.clone());
    let option = |offer: &Model| {
        let selected = offer.id == first;
        view! { <option value=offer.id.clone() selected=selected>{offer.name.clone()}</option> }
    };
    let models = form.catalog.with_value(|catalog| catalog.models().iter().map(option).collect_view());
    // In the other of two places for each model that is chosen, so that nothing is left of the buttons before.
    let place = Memo::new(move |before: Option<&(String, bool)>| {
        let id = form.model.with(|model| model.id.clone());
        let is_second = before.is_some_and(|(chosen, is_second)| is_second ^ (*chosen != id));
        (id, is_second)
    });
    let choices = move || {
        let (_, is_second) = place.get();
        let choices = view! { <ModelChoices form model=form.model.get_untracked() /> };
        if is_second { (None, Some(choices)) } else { (Some(choices), None) }
    };
    view! {
        <div class="shape">
            <div class="field">
                <label for="model">"Model"</label>
                <select id="model" name=name(Field::Model) aria-describedby="model-about model-error">{models}</select>
                <p class="hint" id="model-about">{move || form.model.with(|model| model.description.clone())}</p>
                <Problem form field=Field::Model />
            </div>
            {choices}
        </div>
    }
}

/// The sizes and lengths of a model; of images there is no length.
#[component]
fn ModelChoices(form: Form, model: Model) -> impl IntoView {
    let said = |field| form.request.with_untracked(|request| request.get(field).unwrap_or_default().to_owned());
    let (size, seconds) = (said(Field::Size), said(Field::Seconds));
    let aspects = ASPECTS.into_iter().filter_map(|aspect| {
        let sizes = model.sizes.iter().filter(|option| Aspect::of(option.size) == aspect).map(|option| {
            let value = option.size.to_string();
            let checked = value == size;
            view! { <Choice field=Field::Size value label=sized(option.size) checked /> }
        });
        let sizes = sizes.collect_view();
        let name = aspect.name();
        (!sizes.is_empty()).then(|| {
            view! {
                <div class="aspect" role="group" aria-label=name>
                    <span aria-hidden="true">{name}</span>
                    <div class="choices">{sizes}</div>
                </div>
            }
        })
    });
    let aspects = aspects.collect_view();
    let lengths = model.durations().iter().map(|length| {
        let value = length.to_string();
        let (label, checked) = (format!("{value} s").into_any(), value == seconds);
        view! { <Choice field=Field::Seconds value label checked /> }
    });
    let lengths = lengths.collect_view();
    let unit = unit(&model);
    let (beside_size, beside_length) = if model.makes_images() { (Some(unit), None) } else { (None, Some(unit)) };
    view! {
        <fieldset class="field" aria-describedby="size-error">
            <legend>"Size, in pixels"</legend>
            <div class="aspects">{aspects}</div>
            <Problem form field=Field::Size />
            // A plain form sends a length of the model that it was drawn for.
            {beside_size.map(|unit| view! {
                <p class="hint">{unit}</p>
                <Problem form field=Field::Seconds />
            })}
        </fieldset>
        {beside_length.map(|unit| view! {
            <fieldset class="field" aria-describedby="seconds-error">
                <legend>"Length"</legend>
                <div class="choices">{lengths}</div>
                <p class="hint">{unit}</p>
                <Problem form field=Field::Seconds />
            </fieldset>
        })}
    }
}

/// How a picture lies: the groups that sizes are shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aspect {
    Square,
    Wide,
    Tall,
}

const ASPECTS: [Aspect; 3] = [Aspect::Square, Aspect::Wide, Aspect::Tall];

impl Aspect {
    const fn name(self) -> &'static str {
        match self {
            Self::Square => "Square",
            Self::Wide => "Wide",
            Self::Tall => "Tall",
        }
    }

    fn of(size: Size) -> Self {
        match size.width.cmp(&size.height) {
            Ordering::Equal => Self::Square,
            Ordering::Greater => Self::Wide,
            Ordering::Less => Self::Tall,
        }
    }
}

/// A size as its outline, its lines and its pixels, of which the last is its name.
fn sized(size: Size) -> AnyView {
    let Size { width, height } = size;
    let outline = format!("outline {}", words::shape(size));
    view! {
        <b aria-hidden="true"><i class=outline></i>{format!("{}p", width.min(height))}</b>
        <small>{format!("{width} × {height}")}</small>
    }
    .into_any()
}

#[component]
fn Choice(field: Field, value: String, label: AnyView, checked: bool) -> impl IntoView {
    view! {
        <label class="choice">
            <input type="radio" name=name(field) value=value checked=checked />
            <span>{label}</span>
        </label>
    }
}

/// What the price of a model counts in.
fn unit(model: &Model) -> String {
    let usual =
        model.size_option(model.size_default).into_iter().chain(&model.sizes).find(|option| option.weight_permille == USUAL_PERMILLE);
    let size = usual.map(|option| format!(" at {} × {}", option.size.width, option.size.height)).unwrap_or_default();
    let steps = model.steps.default;
    if model.makes_images() {
        let price = words::video_seconds(model.counts_as(model.duration_default()));
        format!("The price counts in video-seconds. One image{size} with {steps} steps is {price}.")
    } else {
        format!("The price counts in video-seconds. One is a second of video{size} with {steps} steps.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::testing::{image_model, video_model};

    #[test]
    fn the_unit_of_the_price_is_that_of_a_usual_size() {
        assert_eq!(unit(&video_model()), "The price counts in video-seconds. One is a second of video at 384 × 384 with 24 steps.");
        assert_eq!(unit(&image_model()), "The price counts in video-seconds. One image at 32 × 32 with 4 steps is 0.25 video-seconds.");
        let mut model = video_model();
        model.size_default = model.sizes[3].size;
        assert!(unit(&model).contains(" at 384 × 384 "), "not that of the default size, which weighs more");
    }
}
