//! What can be asked for: the models on offer, the fields of a request, and the rules that turn one into a job.

mod arrangement;
mod field;
mod model;
mod parse;
mod pricing;
mod request;
mod shape;
mod spec;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod understanding;

pub use arrangement::{Arrangement, PINS_MAX, Pin, SHOTS_MAX, SIZE_MAX, SIZE_MIN, SLOTS_MAX};
pub use field::{Field, Kind};
pub use model::{Bounds, Example, MODEL_NAME_MAX, ManifestError, Model, Output, Size, SizeError, SizeOption, is_model_name};
pub use parse::{PROMPT_CHARS_MAX, SpecError, TEXT_BYTES_MAX};
pub use pricing::Quote;
pub use request::JobRequest;
pub use shape::Shape;
pub use spec::{JobSpec, Seed};
pub use understanding::{Reading, Term, Understanding, Understands};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The models on offer, and the other names that the operator has given them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalog {
    models: Vec<Model>,
    /// From alias to id. Browsers choose among models, and are not told.
    #[serde(skip)]
    aliases: Vec<(String, String)>,
}

impl Catalog {
    /// Puts the models into their order.
    #[must_use]
    pub fn new(mut models: Vec<Model>, aliases: BTreeMap<String, String>) -> Self {
        models.sort_by(|a, b| a.place().cmp(&b.place()));
        Self { models, aliases: aliases.into_iter().collect() }
    }

    /// Every model on offer; the first is the default.
    #[must_use]
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The model that a request means which names none. `None`: nothing is on offer.
    #[must_use]
    pub fn default_model(&self) -> Option<&Model> {
        self.models.first()
    }

    /// Whether a model on offer makes images.
    #[must_use]
    pub fn makes_images(&self) -> bool {
        self.models.iter().any(Model::makes_images)
    }

    /// The model of this id, and not another one that goes by its name today.
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.id == id)
    }

    /// The model of this id, or else of this alias.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Model> {
        self.by_id(name).or_else(|| self.by_id(&self.aliases.iter().find(|(alias, _)| alias == name)?.1))
    }

    /// The other names of a model, but those that another model has for its own.
    pub fn aliases_of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a str> {
        let aliases = self.aliases.iter().filter(move |(_, model)| *model == id).map(|(alias, _)| alias.as_str());
        aliases.filter(move |alias| self.find(alias).is_some_and(|model| model.id == id))
    }

    /// What a form has to know: the models by their ids alone.
    #[must_use]
    pub fn for_form(&self) -> Self {
        Self { models: self.models.iter().map(Model::for_page).collect(), aliases: Vec::new() }
    }

    /// What a job of an earlier day would cost today.
    ///
    /// # Errors
    /// [`SpecError`]: what it asks for is not on offer any more.
    pub fn quote(&self, spec: &JobSpec) -> Result<Quote, SpecError> {
        // By the id alone: an alias would be another model.
        let own = Self { models: self.by_id(&spec.model).cloned().into_iter().collect(), aliases: Vec::new() };
        spec.request().parse(&own, spec.seed).map(|(_, quote)| quote)
    }
}

#[cfg(test)]
mod tests {
    use super::{testing, *};

    #[test]
    fn a_model_is_found_by_its_id_and_by_its_aliases() {
        let shipped = testing::catalog();
        let aliases = [("sora-2", "vignette-1"), ("gone", "retired-1"), ("vignette-1", "retired-1")];
        let aliases = aliases.map(|(alias, id)| (alias.to_owned(), id.to_owned()));
        let catalog = Catalog::new(shipped.models.clone(), aliases.into());
        let found = ["vignette-1", "sora-2", "gone", "sora-3"].map(|name| catalog.find(name).map(|model| &*model.id));
        assert_eq!(found, [Some("vignette-1"), Some("vignette-1"), None, None]);
        assert_eq!(catalog.aliases_of("vignette-1").collect::<Vec<_>>(), ["sora-2"]);
        let named_like_a_model = BTreeMap::from([("tiny-1".to_owned(), "vignette-1".to_owned())]);
        let both = Catalog::new(vec![testing::video_model(), testing::image_model()], named_like_a_model);
        assert_eq!(both.find("tiny-1").map(|model| &*model.id), Some("tiny-1"));
        assert_eq!(both.aliases_of("vignette-1").count(), 0);
    }

    #[test]
    fn the_default_model_is_the_first_by_order_and_then_by_id() {
        let of = |id: &str, order| Model { id: id.to_owned(), order, ..testing::video_model() };
        let catalog = Catalog::new(vec![of("c", 2), of("b", 2), of("a", 3)], BTreeMap::new());
        assert_eq!(catalog.models().iter().map(|model| &*model.id).collect::<Vec<_>>(), ["b", "c", "a"]);
        assert!(Catalog::default().default_model().is_none());
    }

    #[test]
    fn what_is_not_on_offer_any_more_has_no_price() {
        let catalog = testing::catalog();
        let request = JobRequest { prompt: "sea".into(), ..JobRequest::default() };
        let (spec, quote) = request.parse(&catalog, Seed::ZERO).unwrap();
        assert_eq!(catalog.quote(&spec).unwrap(), quote);
        assert_eq!(Catalog::default().quote(&spec).unwrap_err().code(), "model_not_found");
    }
}
