//! The models on offer, and what each can make.

use domain::{Catalog, JobRequest, Model, Seed, catalog};
use serde::Serialize;
use utoipa::ToSchema;

/// A model and what it can make.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelObject {
    #[schema(example = "flipbook-1")]
    pub id: String,
    #[schema(example = "model")]
    pub object: &'static str,
    #[schema(example = 1_795_219_200)]
    pub created: i64,
    #[schema(example = "reelmill")]
    pub owned_by: &'static str,
    /// What kind of model it is: which engine computes it.
    #[schema(example = "flipbook")]
    pub family: String,
    pub name: String,
    pub description: String,
    /// What it makes: `video` or `image`.
    #[schema(example = "video")]
    pub output: &'static str,
    /// Other names under which it may be asked for.
    #[schema(example = json!([]))]
    pub aliases: Vec<String>,
    #[schema(example = json!(["960x540", "1280x720", "720x1280"]))]
    pub sizes: Vec<String>,
    /// The lengths of its videos; none where it makes images.
    #[schema(example = json!(["4", "8", "12"]))]
    pub seconds: Vec<String>,
    pub steps: Bounds<u32>,
    pub guidance: Bounds<f64>,
    /// Whether `enrich` may be asked for.
    pub enrich: bool,
    /// What each size costs with the default length and steps. Twice the length or the steps is twice the price.
    pub prices: Vec<Price>,
}

/// What a number may be, and what it is when left out.
#[derive(Debug, Serialize, ToSchema)]
pub struct Bounds<T> {
    pub min: T,
    pub max: T,
    pub default: T,
}

/// The price of one size.
#[derive(Debug, Serialize, ToSchema)]
pub struct Price {
    #[schema(example = "960x540")]
    pub size: String,
    #[schema(example = 2.0)]
    pub video_seconds: f64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ModelList {
    #[schema(example = "list")]
    pub object: &'static str,
    pub data: Vec<ModelObject>,
}

impl ModelObject {
    /// A model of this catalog.
    pub fn new(catalog: &Catalog, model: &Model) -> Self {
        Self {
            id: model.id.clone(),
            object: "model",
            created: model.created,
            owned_by: "reelmill",
            family: model.family.clone(),
            name: model.name.clone(),
            description: model.description.clone(),
            output: if model.makes_images() { "image" } else { "video" },
            aliases: catalog.aliases_of(&model.id).map(ToOwned::to_owned).collect(),
            sizes: model.sizes.iter().map(|option| option.size.to_string()).collect(),
            seconds: model.durations().iter().map(ToString::to_string).collect(),
            steps: model.steps.into(),
            guidance: model.guidance.into(),
            enrich: model.can_be_enriched(),
            prices: model.sizes.iter().filter_map(|option| Price::new(catalog, model, option.size.to_string())).collect(),
        }
    }
}

impl<T> From<catalog::Bounds<T>> for Bounds<T> {
    fn from(catalog::Bounds { min, max, default }: catalog::Bounds<T>) -> Self {
        Self { min, max, default }
    }
}

impl Price {
    /// That of a request which says no more than this.
    fn new(catalog: &Catalog, model: &Model, size: String) -> Option<Self> {
        let (prompt, model) = ("any".to_owned(), Some(model.id.clone()));
        let request = JobRequest { prompt, model, size: Some(size.clone()), ..JobRequest::default() };
        let (_, quote) = request.parse(catalog, Seed::ZERO).ok()?;
        Some(Self { size, video_seconds: quote.billed.seconds() })
    }
}
