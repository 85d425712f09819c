//! Where a program keeps what it must not lose: the options that server, worker and command line share.

use crate::Services;
use clap::Args;
use std::{io, path::PathBuf};
use store::{
    Store, StoreError,
    objects::{ObjectError, ObjectsConfig, S3Config},
};

#[derive(Debug, Clone, Args)]
pub struct Storage {
    /// Folder for everything that has no other place: the SQLite database and the objects
    #[arg(long, env = "REELMILL_DATA", default_value = "data")]
    pub data: PathBuf,
    /// sqlite:///path/file.db or postgres://user@host/name; without it, a SQLite file in the data folder
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    #[command(flatten)]
    pub s3: S3,
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
        let unusable = |cause| OpenError::Folder { folder: self.data.clone(), cause };
        std::fs::create_dir_all(&self.data).map_err(unusable)?;
        let data = self.data.canonicalize().map_err(unusable)?;
        let url = self.database_url.clone().unwrap_or_else(|| format!("sqlite://{}", data.join("reelmill.db").display()));
        let store = Store::open(&url).await?;
        let objects = store::objects::open(self.objects(data)).await?;
        Ok(Services::new(store, objects))
    }

    fn objects(&self, data: PathBuf) -> ObjectsConfig {
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
