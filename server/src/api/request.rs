//! What a request's body may say, for the API's document: the table of fields, and what the catalog allows in each, so that
//! the document never promises what the parser refuses. The body itself is read by `fields`.

use super::{
    fields::{DEADLINES, FALLBACK_MODEL, FORCE},
    layout::Pin,
};
use domain::{
    Catalog, JobRequest, Model, Seed,
    catalog::{Field, Kind, PINS_MAX, PROMPT_CHARS_MAX, TEXT_BYTES_MAX},
    grouped,
    job::Deadline,
};
use serde_json::{Value, json};
use std::collections::HashSet;
use utoipa::{
    Number, PartialSchema, ToSchema,
    openapi::{
        ArrayBuilder, ObjectBuilder, Ref, RefOr, Schema,
        schema::{KnownFormat, Object, SchemaFormat, SchemaType, Type},
    },
};

/// Stands for the body of `POST /v1/videos`.
pub enum CreateVideo {}

/// Stands for the body of a remix.
pub enum RemixVideo {}

/// Until the catalog is known.
impl PartialSchema for CreateVideo {
    fn schema() -> RefOr<Schema> {
        create(&Catalog::default())
    }
}

impl ToSchema for CreateVideo {}

/// Until the catalog is known.
impl PartialSchema for RemixVideo {
    fn schema() -> RefOr<Schema> {
        remix(&Catalog::default())
    }
}

impl ToSchema for RemixVideo {}

/// The schemas of requests while this is the catalog, by name.
pub fn schemas(catalog: &Catalog) -> [(String, RefOr<Schema>); 2] {
    [(CreateVideo::name().into_owned(), create(catalog)), (RemixVideo::name().into_owned(), remix(catalog))]
}

/// Whether a remix has this of its source, unless it is given; the rest is its own. An arrangement is of the things of one prompt:
/// another prompt has none of it.
pub const fn is_taken_over(field: Field) -> bool {
    !matches!(field, Field::Prompt | Field::Seed)
}

fn create(catalog: &Catalog) -> RefOr<Schema> {
    let about = "What to make: a video, or an image of a model that makes images. Numbers may be sent as numbers or as text; \
                 null is the same as leaving a field out.";
    body(about, Field::ALL, &example("a red ball bouncing on a beach", catalog), catalog)
}

fn remix(catalog: &Catalog) -> RefOr<Schema> {
    let about = "A prompt to try with the settings of another video. Whatever else `POST /v1/videos` takes may stand here too and \
                 replaces that video's.";
    let own = Field::ALL.into_iter().filter(|field| !is_taken_over(*field));
    body(about, own, &example("the same ball, now blue", catalog), catalog)
}

/// A request with all that can be said in one; of the default model, where there is one.
fn example(prompt: &str, catalog: &Catalog) -> JobRequest {
    let (prompt, negative_prompt, seed) = (prompt.to_owned(), Some("text, watermark".to_owned()), Some("42".to_owned()));
    let request = JobRequest { prompt, negative_prompt, seed, ..JobRequest::default() };
    request.parse(catalog, Seed::ZERO).map_or(request, |(spec, _)| spec.request())
}

fn body(about: &str, fields: impl IntoIterator<Item = Field>, example: &JobRequest, catalog: &Catalog) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::Object).description(Some(about)).required(Field::Prompt.name());
    let with = |object: ObjectBuilder, field: Field| object.property(field.name(), property(field, example, catalog));
    let mut force = Object::with_type(SchemaType::from_iter([Type::Boolean, Type::Null]));
    let about = "Make it even where the model understands nothing of the prompt; otherwise that is refused with `prompt_not_understood`.";
    (force.description, force.default) = (Some(about.to_owned()), Some(false.into()));
    let object = fields.into_iter().fold(object, with).property(FORCE, force).property(FALLBACK_MODEL, fallback_model(catalog));
    DEADLINES.into_iter().fold(object, |object, deadline| object.property(deadline.as_str(), moment(deadline))).into()
}

fn fallback_model(catalog: &Catalog) -> Schema {
    let about = "Another model, which makes the video where its own turns out not to be able to: its weights are broken, no machine has the memory, \
                 it fails again and again, or it is taken off offer. It must be able to make the same size and length, and all else that is asked for; \
                 steps and guidance that are left out are its own. The price of the dearer of the two is held, and that of the one that made it is \
                 charged. Otherwise it is refused with `fallback_unsupported`.";
    let mut property = Object::with_type(SchemaType::from_iter([Type::String, Type::Null]));
    property.description = Some(about.to_owned());
    limit(Field::Model, catalog, &mut property);
    property.into()
}

fn moment(deadline: Deadline) -> Schema {
    let about = match deadline {
        Deadline::StartBy => "In Unix seconds: a video that no machine has begun by then fails with `deadline_passed`, and costs nothing.",
        Deadline::FinishBy => {
            "In Unix seconds: a video that still waits by then fails with `deadline_passed`, and costs nothing; one that is being made is finished."
        }
    };
    let more = "Videos of a team that have deadlines are made before its others, the earliest deadline first. What cannot be kept is refused with `deadline_infeasible`, and the best that can.";
    let mut moment = Object::with_type(SchemaType::from_iter([Type::Integer, Type::Null]));
    (moment.format, moment.description) = (Some(SchemaFormat::KnownFormat(KnownFormat::Int64)), Some(format!("{about} {more}")));
    moment.into()
}

fn property(field: Field, example: &JobRequest, catalog: &Catalog) -> Schema {
    let (kind, format) = match field.kind() {
        Kind::Text | Kind::Choice | Kind::NumberChoice => (Type::String, None),
        Kind::Whole => (Type::Integer, Some(KnownFormat::Int64)),
        Kind::Decimal => (Type::Number, Some(KnownFormat::Double)),
        Kind::List => return pins(field),
        Kind::Flag => (Type::Boolean, None),
    };
    let mut property = Object::with_type(if is_nullable(field) { SchemaType::from_iter([kind, Type::Null]) } else { kind.into() });
    property.format = format.map(SchemaFormat::KnownFormat);
    property.description = Some(field.about().to_owned());
    property.example = example.get(field).map(|text| in_json(field, text));
    if has_default(field) {
        property.default = property.example.clone();
    }
    if has_default(field) && field != Field::Model && catalog.models().len() > 1 {
        // Bounds and default stand for the widest and for the first.
        property.description = Some(format!("{} Each model has its own: see `GET /v1/models`.", field.about()));
    }
    if field.kind() == Kind::Flag {
        property.default = Some(false.into());
    }
    if field.kind() == Kind::Text {
        property.max_length = Some(PROMPT_CHARS_MAX);
        let (chars, kib) = (grouped(PROMPT_CHARS_MAX as u64), TEXT_BYTES_MAX / 1024);
        property.description = Some(format!("{} At most {chars} characters and {kib} KiB of UTF-8.", field.about()));
    }
    limit(field, catalog, &mut property);
    property.into()
}

/// The one field that is a list.
fn pins(field: Field) -> Schema {
    let about = "Each pin is a thing's centre in frame widths and its foot in frame heights in the middle of its shot, and if need be its size: \
                 its longer side in the frame's shorter side. What something else carries goes with that, and what the prompt has no thing \
                 for is passed over.";
    let list = ArrayBuilder::new().schema_type(SchemaType::from_iter([Type::Array, Type::Null])).items(Ref::from_schema_name(Pin::name()));
    let list = list.description(Some(format!("{} {about}", field.about()))).max_items(Some(PINS_MAX));
    list.examples([json!([{ "shot": 0, "slot": 0, "x": 0.25, "y": 0.9 }])]).build().into()
}

/// Whether null stands for leaving it out.
fn is_nullable(field: Field) -> bool {
    field != Field::Prompt
}

/// Whether the model says what it is when left out.
fn has_default(field: Field) -> bool {
    !matches!(field.kind(), Kind::Text | Kind::List | Kind::Flag) && field != Field::Seed
}

/// The text of a field as the JSON that stands for it.
pub fn in_json(field: Field, text: &str) -> Value {
    let number = match field.kind() {
        Kind::Whole => text.parse::<u64>().ok().map(Value::from),
        Kind::Decimal => text.parse::<f64>().ok().map(Value::from),
        Kind::Flag => text.parse::<bool>().ok().map(Value::from),
        Kind::List => serde_json::from_str(text).ok(),
        Kind::Text | Kind::Choice | Kind::NumberChoice => None,
    };
    number.unwrap_or_else(|| text.into())
}

/// What models differ in is as wide as the widest of them; `/v1/models` says it of each.
fn limit(field: Field, catalog: &Catalog, property: &mut Object) {
    let models = catalog.models();
    match field {
        Field::Model => {
            let aliases = models.iter().flat_map(|model| catalog.aliases_of(&model.id)).map(ToOwned::to_owned);
            choose(field, property, models.iter().map(|model| model.id.clone()).chain(aliases));
        }
        Field::Size => choose(field, property, models.iter().flat_map(|model| &model.sizes).map(|option| option.size.to_string())),
        Field::Seconds => choose(field, property, models.iter().flat_map(Model::durations).map(ToString::to_string)),
        Field::Steps => {
            property.minimum = models.iter().map(|model| model.steps.min).min().map(Number::from);
            property.maximum = models.iter().map(|model| model.steps.max).max().map(Number::from);
        }
        Field::Guidance => {
            property.minimum = models.iter().map(|model| model.guidance.min).reduce(f64::min).map(Number::from);
            property.maximum = models.iter().map(|model| model.guidance.max).reduce(f64::max).map(Number::from);
        }
        Field::Seed => (property.minimum, property.maximum) = (Some(Seed::ZERO.value().into()), Some(Seed::MAX.into())),
        _ => {}
    }
}

/// One of a few texts; where there are none, nothing is said.
fn choose(field: Field, property: &mut Object, values: impl Iterator<Item = String>) {
    let mut listed = HashSet::new();
    let mut values: Vec<Value> = values.filter(|value| listed.insert(value.clone())).map(Value::from).collect();
    if values.is_empty() {
        return;
    }
    values.extend(is_nullable(field).then_some(Value::Null));
    property.enum_values = Some(values);
}
