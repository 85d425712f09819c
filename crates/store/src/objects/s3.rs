//! Objects in S3 or anything that speaks its protocol.

use super::{ObjectError, ObjectStore, ObjectStream, checked_key};
use aws_sdk_s3::{
    Client,
    config::{BehaviorVersion, Credentials, Region, retry::RetryConfig, timeout::TimeoutConfig},
    error::{ProvideErrorMetadata, SdkError},
    primitives::ByteStream,
    types::{BucketLocationConstraint, CreateBucketConfiguration},
};
use aws_smithy_http_client::tls;
use bytes::Bytes;
use futures::{StreamExt, stream};
use std::{fmt, io, ops::RangeInclusive, time::Duration};

/// The one region in which a bucket is made by naming none.
const AMAZONS_FIRST_REGION: &str = "us-east-1";

/// Where the bucket is and who may use it.
#[derive(Clone)]
pub struct S3Config {
    /// `None`: Amazon's own, by region.
    pub endpoint: Option<String>,
    pub region: String,
    pub bucket: String,
    pub access_key: String,
    pub secret_key: String,
    /// The bucket in the path instead of the host name; most other implementations want that.
    pub path_style: bool,
}

impl fmt::Debug for S3Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, region, bucket, path_style, .. } = self;
        write!(f, "S3Config {{ endpoint: {endpoint:?}, region: {region:?}, bucket: {bucket:?}, path_style: {path_style}, .. }}")
    }
}

pub struct S3Objects {
    client: Client,
    bucket: String,
    region: String,
    is_amazon: bool,
}

impl S3Objects {
    /// Opens the bucket, making it when it is missing and that is allowed.
    ///
    /// # Errors
    /// [`ObjectError::Unavailable`] when nothing answers, or refuses us or the bucket.
    pub async fn open(config: S3Config) -> Result<Self, ObjectError> {
        let store = Self { client: client(&config), is_amazon: config.endpoint.is_none(), bucket: config.bucket, region: config.region };
        match store.ping().await {
            Err(ObjectError::NotFound { .. }) => store.make_bucket().await?,
            answer => answer?,
        }
        Ok(store)
    }

    async fn make_bucket(&self) -> Result<(), ObjectError> {
        let mut create = self.client.create_bucket().bucket(&self.bucket);
        if self.is_amazon && self.region != AMAZONS_FIRST_REGION {
            let place = BucketLocationConstraint::from(self.region.as_str());
            create = create.create_bucket_configuration(CreateBucketConfiguration::builder().location_constraint(place).build());
        }
        match create.send().await {
            Err(error) if matches!(error.code(), Some("BucketAlreadyOwnedByYou" | "BucketAlreadyExists")) => Ok(()),
            answer => answer.map(drop).map_err(|error| failed(&self.bucket, error)),
        }
    }

    /// The whole size, which a refused range does not always tell.
    async fn bytes_total(&self, key: &str) -> Result<u64, ObjectError> {
        let head = self.client.head_object().bucket(&self.bucket).key(key).send().await.map_err(|error| failed(key, error))?;
        Ok(head.content_length().and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0))
    }
}

#[async_trait::async_trait]
impl ObjectStore for S3Objects {
    async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<(), ObjectError> {
        let put = self.client.put_object().bucket(&self.bucket).key(checked_key(key)?).content_type(content_type);
        put.body(ByteStream::from(bytes)).send().await.map(drop).map_err(|error| failed(key, error))
    }

    async fn get(&self, key: &str, range: Option<RangeInclusive<u64>>) -> Result<ObjectStream, ObjectError> {
        let get = self.client.get_object().bucket(&self.bucket).key(checked_key(key)?);
        let asked = range.map(|range| format!("bytes={}-{}", range.start(), range.end()));
        let object = match get.set_range(asked).send().await {
            Err(error) if error.raw_response().is_some_and(|raw| raw.status().as_u16() == 416) => {
                return Err(ObjectError::RangeNotSatisfiable { bytes: self.bytes_total(key).await? });
            }
            answer => answer.map_err(|error| failed(key, error))?,
        };
        let of_range = object.content_range().and_then(|text| text.rsplit('/').next()).and_then(|total| total.parse().ok());
        let whole = || object.content_length().and_then(|bytes| u64::try_from(bytes).ok());
        let bytes_total = of_range.or_else(whole).unwrap_or(0);
        let body = stream::try_unfold(object.body, async |mut body| {
            let chunk = body.try_next().await.map_err(io::Error::other)?;
            Ok(chunk.map(|chunk| (chunk, body)))
        });
        Ok(ObjectStream { bytes_total, body: body.boxed() })
    }

    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        let delete = self.client.delete_object().bucket(&self.bucket).key(checked_key(key)?);
        match delete.send().await.map_err(|error| failed(key, error)) {
            Err(ObjectError::NotFound { .. }) => Ok(()),
            answer => answer.map(drop),
        }
    }

    async fn ping(&self) -> Result<(), ObjectError> {
        self.client.head_bucket().bucket(&self.bucket).send().await.map(drop).map_err(|error| failed(&self.bucket, error))
    }
}

fn client(config: &S3Config) -> Client {
    let ring = tls::Provider::Rustls(tls::rustls_provider::CryptoMode::Ring);
    let http = aws_smithy_http_client::Builder::new().tls_provider(ring).build_https();
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(5))
        .read_timeout(Duration::from_secs(30))
        .operation_timeout(Duration::from_secs(300))
        .build();
    let mut builder = aws_sdk_s3::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(http)
        .region(Region::new(config.region.clone()))
        .credentials_provider(Credentials::new(&config.access_key, &config.secret_key, None, None, "reelmill"))
        .force_path_style(config.path_style)
        .retry_config(RetryConfig::standard().with_max_attempts(4))
        .timeout_config(timeouts);
    builder.set_endpoint_url(config.endpoint.clone());
    Client::from_conf(builder.build())
}

/// `what` is the key or the bucket that was asked for.
fn failed<E>(what: &str, error: SdkError<E>) -> ObjectError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    let status = error.raw_response().map(|raw| raw.status().as_u16());
    match (error.code(), status) {
        (Some("NoSuchBucket"), _) => ObjectError::Unavailable(Box::new(error)),
        (Some("NoSuchKey" | "NotFound"), _) | (_, Some(404)) => ObjectError::NotFound { key: what.to_owned() },
        (Some("XMinioStorageFull" | "QuotaExceeded" | "EntityTooLarge"), _) | (_, Some(507)) => ObjectError::Full,
        _ => ObjectError::Unavailable(Box::new(error)),
    }
}
