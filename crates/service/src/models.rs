//! What is on offer: manifests beside the weights become the catalog, and the operator gives models other names.

use crate::{AccessError, Services};
use domain::{
    Actor, Catalog, Forbidden, Model, Permission,
    catalog::{ManifestError, is_model_name},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use store::{OfferChange, OfferedModel, StoreError};
use tokio::time::timeout;

/// A model that a server has not found by mistake is on offer again by then.
pub(crate) const WITHDRAWN_GRACE_MS: i64 = 60 * 60 * 1000;
const MANIFEST: &str = "manifest.json";
const SOON: Duration = Duration::from_millis(300);

/// Why the models of a folder cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    #[error("the folder of models {folder} cannot be read")]
    Folder {
        folder: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("the manifest {path} cannot be read")]
    Unreadable {
        path: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("the manifest {path} is not one of a model")]
    Malformed {
        path: PathBuf,
        #[source]
        cause: serde_json::Error,
    },
    #[error("the manifest {path} offers what makes no sense")]
    Senseless {
        path: PathBuf,
        #[source]
        cause: ManifestError,
    },
    #[error("the manifest {path} is of the model `{id}`: its folder must be called like that")]
    OtherName { path: PathBuf, id: String },
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a model did not get another name.
#[derive(Debug, thiserror::Error)]
pub enum AliasError {
    #[error("`{0}` cannot be a name of a model: 1 to 64 of a-z, 0-9, `.`, `_` and `-`, beginning with a letter or digit")]
    NotAName(String),
    #[error("`{0}` is a model itself")]
    IsModel(String),
    #[error("there is no model `{0}` on offer")]
    ModelUnknown(String),
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The models whose folders lie in `folder`, by name. A folder without a manifest is none of a model.
///
/// # Errors
/// [`OfferError`] names the file that is wrong, and why.
pub fn read_manifests(folder: &Path) -> Result<Vec<Model>, OfferError> {
    let unreadable = |cause| OfferError::Folder { folder: folder.to_owned(), cause };
    let mut models = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path().join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
            // Such as `lost+found`, which is there on a volume of its own, and closed.
            Err(_) if !entry.file_name().to_str().is_some_and(is_model_name) => continue,
            Err(cause) => return Err(OfferError::Unreadable { path, cause }),
        };
        let model: Model = match serde_json::from_str(&text) {
            Ok(model) => model,
            Err(cause) => return Err(OfferError::Malformed { path, cause }),
        };
        if let Err(cause) = model.check() {
            return Err(OfferError::Senseless { path, cause });
        }
        if entry.file_name() != *model.id {
            return Err(OfferError::OtherName { path, id: model.id });
        }
        models.push(model);
    }
    models.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(models)
}

impl Services {
    /// What can be asked for; at most a second old, and three where the database takes its time.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn catalog(&self) -> Result<Arc<Catalog>, StoreError> {
        let store = self.store.clone();
        self.catalog.get((), || async move { Ok(Arc::new(store.models().catalog().await?)) }).await
    }

    /// The same for who can do without it, and waits for a moment only.
    pub async fn catalog_soon(&self) -> Option<Arc<Catalog>> {
        timeout(SOON, self.catalog()).await.ok()?.ok()
    }

    /// Offers the models whose folders lie in `folder`, and no others. A folder without models changes nothing: where
    /// it is not there, what was on offer stays.
    ///
    /// # Errors
    /// [`OfferError`] says what to mend; then nothing has changed.
    pub async fn offer_models(&self, actor: Actor, folder: &Path) -> Result<OfferChange, OfferError> {
        actor.require(Permission::Maintain)?;
        let models = match read_manifests(folder) {
            Err(OfferError::Folder { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => Vec::new(),
            models => models?,
        };
        if models.is_empty() {
            tracing::warn!("no model lies in {}: what is on offer stays as it is", folder.display());
            return Ok(OfferChange::default());
        }
        let change = self.store.models().offer(&models).await?;
        self.catalog.forget(&());
        Ok(change)
    }

    /// Every model that is or was on offer.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not look, or the database does not answer.
    pub async fn models(&self, actor: Actor) -> Result<Vec<OfferedModel>, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        Ok(self.store.models().list().await?)
    }

    /// Has `alias` stand for a model that is on offer.
    ///
    /// # Errors
    /// [`AliasError`] says what to mend.
    pub async fn set_alias(&self, actor: Actor, alias: &str, model: &str) -> Result<(), AliasError> {
        actor.require(Permission::NameModels)?;
        if !is_model_name(alias) {
            return Err(AliasError::NotAName(alias.to_owned()));
        }
        self.check_alias(alias, model).await?;
        if !self.store.models().set_alias(alias, model).await? {
            // The offer has changed since.
            self.check_alias(alias, model).await?;
            return Err(AliasError::ModelUnknown(model.to_owned()));
        }
        self.catalog.forget(&());
        Ok(())
    }

    async fn check_alias(&self, alias: &str, model: &str) -> Result<(), AliasError> {
        let models = self.store.models().list().await?;
        if models.iter().any(|row| row.model.id == alias) {
            return Err(AliasError::IsModel(alias.to_owned()));
        }
        if !models.iter().any(|row| row.is_offered && row.model.id == model) {
            return Err(AliasError::ModelUnknown(model.to_owned()));
        }
        Ok(())
    }

    /// `false`: there was no such alias.
    ///
    /// # Errors
    /// [`AliasError::Forbidden`], or [`AliasError::Store`] when the database does not answer.
    pub async fn remove_alias(&self, actor: Actor, alias: &str) -> Result<bool, AliasError> {
        actor.require(Permission::NameModels)?;
        let removed = self.store.models().remove_alias(alias).await?;
        self.catalog.forget(&());
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::testing::{image_model, video_model};
    use std::error::Error;

    fn folder(manifests: &[(&str, String)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in manifests {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join(MANIFEST), text).unwrap();
        }
        folder
    }

    fn json(model: &Model) -> String {
        serde_json::to_string(model).unwrap()
    }

    #[test]
    fn folders_with_a_manifest_are_the_models() {
        let (video, image) = (video_model(), image_model());
        let folder = folder(&[("vignette-1", json(&video)), ("tiny-1", json(&image))]);
        fs::create_dir(folder.path().join("drafts")).unwrap();
        fs::write(folder.path().join("README.md"), "").unwrap();
        // As in a folder that is closed to us: it cannot be read.
        fs::create_dir_all(folder.path().join("lost+found").join(MANIFEST)).unwrap();
        assert_eq!(read_manifests(folder.path()).unwrap(), [image, video]);
    }

    #[test]
    fn a_manifest_that_is_wrong_is_named_with_the_reason() {
        let no_sizes = Model { sizes: Vec::new(), ..video_model() };
        let wrong = [("{".to_owned(), "EOF"), (json(&no_sizes), "`sizes`"), (json(&image_model()), "`tiny-1`")];
        for (text, reason) in wrong {
            let error = read_manifests(folder(&[("vignette-1", text)]).path()).unwrap_err();
            let chain = format!("{error} {}", error.source().map(ToString::to_string).unwrap_or_default());
            assert!(chain.contains("vignette-1/manifest.json") && chain.contains(reason), "{chain}");
        }
        assert!(matches!(read_manifests(Path::new("/nowhere/at/all")), Err(OfferError::Folder { .. })));
    }
}
