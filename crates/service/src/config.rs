//! Where a program keeps what it must not lose: the options that server, worker and command line share.

use crate::Services;
use clap::Args;
use domain::Clock;
use std::{
    env,
    error::Error,
    ffi::OsString,
    fs::{self, DirBuilder, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};
use store::{
    Addresses, Store, StoreError,
    objects::{ObjectError, ObjectsConfig, S3Config},
};

const OWNER_ONLY: u32 = 0o700;
const OTHERS: u32 = 0o077;
const STICKY: u32 = 0o1000;

#[derive(Debug, Clone, Args)]
pub struct Storage {
    /// Folder for everything that has no other place: the SQLite database and the objects
    #[arg(long, env = "REELMILL_DATA", default_value = "data")]
    pub data: PathBuf,
    /// sqlite:///path/file.db or postgres://user@host/name; without it, a SQLite file in the data folder
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Address of the same PostgreSQL database without PgBouncer between: give it where DATABASE_URL leads to one that hands out connections by
    /// the transaction
    #[arg(long, env = "DATABASE_DIRECT_URL", hide_env_values = true)]
    pub database_direct_url: Option<String>,
    /// Most connections to the database at once: 10 to PostgreSQL, 4 for reading from SQLite, unless given here
    #[arg(long, env = "REELMILL_DATABASE_CONNECTIONS", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub database_connections: Option<u32>,
    #[command(flatten)]
    pub s3: S3,
}

impl Storage {
    /// The same as the environment of another program.
    #[must_use]
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let text = |name, value: &Option<String>| value.as_ref().map(|value| (name, value.into()));
        let connections = self.database_connections.map(|connections| ("REELMILL_DATABASE_CONNECTIONS", connections.to_string().into()));
        let mut environment = vec![("REELMILL_DATA", self.data.clone().into_os_string())];
        environment.extend(text("DATABASE_URL", &self.database_url));
        environment.extend(text("DATABASE_DIRECT_URL", &self.database_direct_url));
        environment.extend(connections);
        environment.extend(text("S3_BUCKET", &self.s3.bucket));
        environment.extend(text("S3_ENDPOINT", &self.s3.endpoint));
        let s3 = [("S3_REGION", &self.s3.region), ("S3_ACCESS_KEY_ID", &self.s3.access_key), ("S3_SECRET_ACCESS_KEY", &self.s3.secret_key)];
        environment.extend(s3.map(|(name, value)| (name, value.into())));
        environment
    }

    /// All in a folder, but for a database that is named.
    #[must_use]
    pub fn in_folder(data: PathBuf, database_url: Option<String>) -> Self {
        let s3 = S3 { bucket: None, endpoint: None, region: String::new(), access_key: String::new(), secret_key: String::new() };
        Self { data, database_url, database_direct_url: None, database_connections: None, s3 }
    }
}

/// Where the models are.
#[derive(Debug, Clone, Args)]
pub struct ModelsFolder {
    /// Folder with one sub folder of weights and their manifest for each model, named like it
    #[arg(long, env = "REELMILL_MODELS", default_value_os_t = default_models())]
    pub models: PathBuf,
}

/// The weights in the repository that the program was built in or is started in; else `models`.
fn default_models() -> PathBuf {
    let places = [env::current_exe().ok(), env::current_dir().ok()];
    let mut folders = places.iter().flatten().flat_map(|place| place.ancestors()).map(|folder| folder.join("crates/diffusion/weights"));
    folders.find(|folder| folder.is_dir()).unwrap_or_else(|| PathBuf::from("models"))
}

/// Objects in S3; without a bucket they lie in the data folder.
#[derive(Debug, Clone, Args)]
pub struct S3 {
    /// Bucket for the objects
    #[arg(long = "s3-bucket", env = "S3_BUCKET")]
    pub bucket: Option<String>,
    /// Address of an S3 server that is not Amazon's
    #[arg(long = "s3-endpoint", env = "S3_ENDPOINT")]
    pub endpoint: Option<String>,
    #[arg(long = "s3-region", env = "S3_REGION", default_value = "us-east-1")]
    pub region: String,
    #[arg(long = "s3-access-key-id", env = "S3_ACCESS_KEY_ID", default_value = "")]
    pub access_key: String,
    #[arg(long = "s3-secret-access-key", env = "S3_SECRET_ACCESS_KEY", default_value = "", hide_env_values = true)]
    pub secret_key: String,
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the data folder {folder} cannot be used")]
    Folder {
        folder: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the object store cannot be opened")]
    Objects(#[from] ObjectError),
}

impl Storage {
    /// Opens database and object store, making the data folder if need be.
    ///
    /// # Errors
    /// [`OpenError`] says which of them is not to be had.
    pub async fn open(&self) -> Result<Services, OpenError> {
        self.opened(None).await
    }

    /// The same, with every moment taken from `clock`: for simulations.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_by(&self, clock: Arc<dyn Clock>) -> Result<Services, OpenError> {
        self.opened(Some(clock)).await
    }

    async fn opened(&self, clock: Option<Arc<dyn Clock>>) -> Result<Services, OpenError> {
        let data = self.made_folder().map_err(|cause| OpenError::Folder { folder: self.data.clone(), cause })?;
        let url = self.url_in(&data);
        let addresses = Addresses { url: &url, direct_url: self.database_direct_url.as_deref() };
        let store = match clock {
            Some(clock) => Store::open_at(&url, clock).await?,
            None => Store::open_through(addresses, self.database_connections).await?,
        };
        let objects = store::objects::open(self.objects(data), &store).await?;
        Ok(Services::new(store, objects))
    }

    /// The data folder, made if need be.
    pub(crate) fn made_folder(&self) -> io::Result<PathBuf> {
        own_folder(&self.data)?;
        self.data.canonicalize()
    }

    /// Of the database, where the data folder is `data`.
    pub(crate) fn url_in(&self, data: &Path) -> String {
        self.database_url.clone().unwrap_or_else(|| format!("sqlite://{}", data.join("reelmill.db").display()))
    }

    pub(crate) fn objects(&self, data: PathBuf) -> ObjectsConfig {
        let Some(bucket) = self.s3.bucket.clone() else { return ObjectsConfig::Folder(data.join("objects")) };
        ObjectsConfig::S3(S3Config {
            endpoint: self.s3.endpoint.clone(),
            region: self.s3.region.clone(),
            bucket,
            access_key: self.s3.access_key.clone(),
            secret_key: self.s3.secret_key.clone(),
            path_style: self.s3.endpoint.is_some(),
        })
    }
}

/// Prompts, videos and password hashes lie here: nobody but this program's user needs to look.
pub(crate) fn own_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(OWNER_ONLY).create(folder)?;
    let mode = fs::metadata(folder)?.permissions().mode();
    // A folder where everybody may put things, such as /tmp, is not ours to close.
    if mode & OTHERS == 0 || mode & STICKY != 0 {
        return Ok(());
    }
    match fs::set_permissions(folder, Permissions::from_mode(OWNER_ONLY)) {
        Ok(()) => tracing::warn!("other users could look into {}: closed to them now", folder.display()),
        Err(error) => tracing::warn!(error = &error as &dyn Error, "other users can look into {}", folder.display()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn the_data_folder_is_its_owners_alone_and_a_common_one_is_left_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        let (made, open, common) = (place.path().join("a/made"), place.path().join("open"), place.path().join("common"));
        for (folder, mode) in [(&open, 0o755), (&common, 0o1777)] {
            fs::create_dir(folder).unwrap();
            fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        }
        for folder in [&made, &open, &common] {
            own_folder(folder).unwrap();
        }
        assert_eq!([mode(&made), mode(&open), mode(&common)], [0o700, 0o700, 0o1777]);
    }
}
