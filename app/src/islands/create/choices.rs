//! What is chosen among the things on offer: model, size and length.

use super::{Form, controls::Problem, name};
use crate::words;
use domain::{Model, Size, catalog::Field};
use leptos::prelude::*;
use std::{cmp::Ordering, fmt::Display};

/// The weight of a usual size.
const USUAL_PERMILLE: u32 = 1000;

/// Model, size and length. Of another model they are drawn anew, as radio buttons keep what was chosen among others; of images there
/// is no length.
#[component]
pub fn Shape(form: Form) -> impl IntoView {
    let first = form.model.with_untracked(|model| model.id.clone());
    let option = |offer: &Model| {
        let selected = offer.id == first;
        view! { <option value=offer.id.clone() selected=selected>{offer.name.clone()}</option> }
    };
    let models = form.catalog.with_value(|catalog| catalog.models().iter().map(option).collect_view());
    let drawn = move |field, draw: fn(&Model, &str) -> String| {
        let chosen = form.request.with_untracked(|request| request.get(field).unwrap_or_default().to_owned());
        form.model.with(|model| draw(model, &chosen))
    };
    view! {
        <div class="shape">
            <div class="field">
                <label for="model">"Model"</label>
                <select id="model" name=name(Field::Model) aria-describedby="model-about model-error">{models}</select>
                <p class="hint" id="model-about">{move || form.model.with(|model| model.description.clone())}</p>
                <Problem form field=Field::Model />
            </div>
            <fieldset class="field" aria-describedby="size-error">
                <legend>"Size, in pixels"</legend>
                <div class="aspects" inner_html=move || drawn(Field::Size, aspects)></div>
                <Problem form field=Field::Size />
            </fieldset>
            <fieldset class="field" aria-describedby="seconds-error" hidden=move || form.model.with(Model::makes_images)>
                <legend>"Length"</legend>
                <div class="choices" inner_html=move || drawn(Field::Seconds, lengths)></div>
            </fieldset>
            <div class="field">
                // A plain form sends a length of the model that it was drawn for, also for an image.
                <Problem form field=Field::Seconds />
                <p class="hint">{move || form.model.with(unit)}</p>
            </div>
        </div>
    }
}

fn lengths(model: &Model, chosen: &str) -> String {
    model.durations().iter().map(|length| choice(Field::Seconds, length, &format!("{length} s"), chosen)).collect()
}

/// The sizes by how the picture lies, each with its outline, its lines and its pixels, of which the last are its name.
fn aspects(model: &Model, chosen: &str) -> String {
    let of_aspect = |(name, aspect): (&str, Ordering)| {
        let sizes = model.sizes.iter().map(|option| option.size).filter(|size| size.width.cmp(&size.height) == aspect);
        let choices: String = sizes.map(|size| choice(Field::Size, &size, &picture(size), chosen)).collect();
        let group =
            format!(r#"<div class="aspect" role="group" aria-label="{name}"><span aria-hidden="true">{name}</span><div class="choices">"#);
        if choices.is_empty() { choices } else { format!("{group}{choices}</div></div>") }
    };
    [("Square", Ordering::Equal), ("Wide", Ordering::Greater), ("Tall", Ordering::Less)].map(of_aspect).concat()
}

fn picture(size: Size) -> String {
    let (Size { width, height }, shape) = (size, words::shape(size));
    let lines = width.min(height);
    format!(r#"<b aria-hidden="true"><i class="outline {shape}"></i>{lines}p</b><small>{width} × {height}</small>"#)
}

/// A radio button as HTML: the form finds its fields by their names, and a browser has less to load than for a view of each.
fn choice(field: Field, value: &dyn Display, label: &str, chosen: &str) -> String {
    let (name, value) = (name(field), value.to_string());
    let checked = if value == chosen { " checked" } else { "" };
    format!(r#"<label class="choice"><input type="radio" name="{name}" value="{value}"{checked}><span>{label}</span></label>"#)
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
    fn sizes_are_grouped_by_how_the_picture_lies_and_one_is_chosen() {
        let mut model = video_model();
        for (option, size) in model.sizes.iter_mut().zip(["640x360", "360x640", "480x360", "720x720"]) {
            option.size = size.parse().unwrap();
        }
        let html = aspects(&model, "480x360");
        let places =
            ["\"Square\"", "720 × 720", "\"Wide\"", "outline wide", "640 × 360", "outline classic", "480 × 360", "\"Tall\"", "360 × 640"];
        assert!(places.map(|text| html.find(text).unwrap()).is_sorted(), "{html}");
        assert_eq!((html.matches("type=\"radio\"").count(), html.matches(r#"value="480x360" checked"#).count()), (4, 1));
        assert_eq!(html.matches(" checked").count(), 1);
    }

    #[test]
    fn the_unit_of_the_price_is_that_of_a_usual_size() {
        assert_eq!(unit(&video_model()), "The price counts in video-seconds. One is a second of video at 384 × 384 with 24 steps.");
        assert_eq!(unit(&image_model()), "The price counts in video-seconds. One image at 32 × 32 with 4 steps is 0.25 video-seconds.");
        let mut model = video_model();
        model.size_default = model.sizes[3].size;
        assert!(unit(&model).contains(" at 384 × 384 "), "not that of the default size, which weighs more");
    }
}
