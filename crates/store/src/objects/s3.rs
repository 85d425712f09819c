//! Objects in S3 or anything that speaks its protocol.

mod multipart;

use super::{
    Listed, ObjectError, ObjectStore, ObjectStream, ObjectUpload, checked_key,
    identity::{MARKER, Place},
};
use crate::clock;
use aws_sdk_s3::{
    Client,
    config::{BehaviorVersion, Credentials, Region, retry::RetryConfig, timeout::TimeoutConfig},
    error::{ProvideErrorMetadata, SdkError},
    primitives::ByteStream,
    types::{BucketLocationConstraint, CreateBucketConfiguration, Object},
};
use aws_smithy_http_client::tls;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use multipart::S3Upload;
use std::{
    fmt, io,
    ops::RangeInclusive,
    time::{Duration, SystemTime},
};

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

#[derive(Clone)]
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
    /// [`ObjectError::Unavailable`] when nothing answers, [`ObjectError::Denied`] when we or the bucket are refused.
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
            answer => answer.map(drop).map_err(|error| never_missing(&self.bucket, error)),
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
        put.body(ByteStream::from(bytes)).send().await.map(drop).map_err(|error| never_missing(key, error))
    }

    async fn begin(&self, key: &str, content_type: &str) -> Result<Box<dyn ObjectUpload>, ObjectError> {
        Ok(Box::new(S3Upload::new(self.clone(), checked_key(key)?.to_owned(), content_type.to_owned())))
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
        match delete.send().await {
            Err(error) if error.code() == Some("NoSuchKey") => Ok(()),
            answer => answer.map(drop).map_err(|error| never_missing(key, error)),
        }
    }

    fn list(&self) -> BoxStream<'static, Result<Listed, ObjectError>> {
        let pages = self.client.list_objects_v2().bucket(&self.bucket).into_paginator().send();
        let bucket = self.bucket.clone();
        let pages = stream::try_unfold(pages, move |mut pages| {
            let bucket = bucket.clone();
            async move {
                let page = pages.try_next().await.map_err(|error| failed(&bucket, error))?;
                Ok::<_, ObjectError>(page.map(|page| (page.contents.unwrap_or_default(), pages)))
            }
        });
        let objects = pages.map_ok(|objects| stream::iter(objects.into_iter().filter_map(listed).map(Ok::<_, ObjectError>)));
        objects.try_flatten().boxed()
    }

    async fn ping(&self) -> Result<(), ObjectError> {
        self.client.head_bucket().bucket(&self.bucket).send().await.map(drop).map_err(|error| failed(&self.bucket, error))
    }

    async fn sweep(&self) -> Result<u64, ObjectError> {
        self.abort_old().await
    }
}

#[async_trait::async_trait]
impl Place for S3Objects {
    fn address(&self) -> String {
        format!("the bucket {}", self.bucket)
    }

    fn can_be_swapped(&self) -> bool {
        false
    }

    async fn marker(&self) -> Result<Option<String>, ObjectError> {
        let object = match self.client.get_object().bucket(&self.bucket).key(MARKER).send().await {
            Err(error) => match failed(MARKER, error) {
                ObjectError::NotFound { .. } => return Ok(None),
                error => return Err(error),
            },
            Ok(object) => object,
        };
        let bytes = object.body.collect().await.map_err(|error| ObjectError::Unavailable(Box::new(error)))?.into_bytes();
        Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
    }

    async fn mark(&self, id: &str) -> Result<(), ObjectError> {
        let put = self.client.put_object().bucket(&self.bucket).key(MARKER).body(ByteStream::from(id.as_bytes().to_vec()));
        put.send().await.map(drop).map_err(|error| never_missing(MARKER, error))
    }

    async fn mark_anew(&self, id: &str) -> Result<(), ObjectError> {
        self.mark(id).await
    }

    async fn is_empty(&self) -> Result<bool, ObjectError> {
        let list = self.client.list_objects_v2().bucket(&self.bucket).max_keys(1).send().await;
        list.map(|list| list.contents().is_empty()).map_err(|error| never_missing(&self.bucket, error))
    }
}

/// Our own marker is no object.
fn listed(object: Object) -> Option<Listed> {
    let modified = object.last_modified.and_then(|moment| SystemTime::try_from(moment).ok()).unwrap_or_else(clock::system_time);
    let bytes = object.size.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default();
    Some(Listed { key: object.key.filter(|key| key != MARKER)?, bytes, modified })
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
    match judge(error.code(), status) {
        Judgement::NotFound => ObjectError::NotFound { key: what.to_owned() },
        Judgement::Full => ObjectError::Full,
        Judgement::TooLarge => ObjectError::TooLarge,
        Judgement::Denied => ObjectError::Denied(Box::new(error)),
        Judgement::Away => ObjectError::Unavailable(Box::new(error)),
    }
}

/// As [`failed`], of a request to which the store itself never says that something is missing: whoever does answers in its
/// place, such as a proxy in front of it.
fn never_missing<E>(key: &str, error: SdkError<E>) -> ObjectError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    match failed(key, error) {
        missing @ ObjectError::NotFound { .. } => ObjectError::Unavailable(Box::new(missing)),
        error => error,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judgement {
    NotFound,
    Full,
    TooLarge,
    Denied,
    Away,
}

/// What an answer's code, else its status, means. A bucket that is gone may come back, as a mount does.
fn judge(code: Option<&str>, status: Option<u16>) -> Judgement {
    match (code, status) {
        (Some("NoSuchBucket" | "RequestTimeTooSkewed" | "SlowDown"), _) => Judgement::Away,
        // Of a line that broke, a body that was damaged on its way, and credentials that are being renewed.
        (
            Some(
                "RequestTimeout"
                | "IncompleteBody"
                | "BadDigest"
                | "XAmzContentSHA256Mismatch"
                | "XAmzContentChecksumMismatch"
                | "ExpiredToken",
            ),
            _,
        ) => Judgement::Away,
        (Some("NoSuchKey" | "NotFound"), _) | (_, Some(404)) => Judgement::NotFound,
        (Some("XMinioStorageFull" | "XMinioAdminBucketQuotaExceeded" | "QuotaExceeded"), _) | (_, Some(507)) => Judgement::Full,
        (Some("EntityTooLarge"), _) | (_, Some(413)) => Judgement::TooLarge,
        (Some("InvalidBucketName" | "PermanentRedirect" | "AuthorizationHeaderMalformed" | "MethodNotAllowed"), _)
        | (_, Some(301 | 400 | 401 | 403 | 405 | 411 | 412 | 501)) => Judgement::Denied,
        _ => Judgement::Away,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_will_not_pass_by_itself_is_told_from_what_may() {
        for (code, status, expected) in [
            (Some("AccessDenied"), 403, Judgement::Denied),
            (Some("InvalidAccessKeyId"), 403, Judgement::Denied),
            (Some("SignatureDoesNotMatch"), 403, Judgement::Denied),
            (Some("InvalidBucketName"), 400, Judgement::Denied),
            (Some("EntityTooLarge"), 400, Judgement::TooLarge),
            (None, 413, Judgement::TooLarge),
            (Some("XMinioStorageFull"), 507, Judgement::Full),
            (Some("NoSuchBucket"), 404, Judgement::Away),
            (Some("RequestTimeTooSkewed"), 403, Judgement::Away),
            (Some("KMS.DisabledException"), 400, Judgement::Denied),
            (Some("InvalidRequest"), 400, Judgement::Denied),
            (None, 405, Judgement::Denied),
            (Some("NotImplemented"), 501, Judgement::Denied),
            (Some("RequestTimeout"), 400, Judgement::Away),
            (Some("XMinioAdminBucketQuotaExceeded"), 400, Judgement::Full),
            (Some("XAmzContentChecksumMismatch"), 400, Judgement::Away),
            (Some("XAmzContentSHA256Mismatch"), 400, Judgement::Away),
            (None, 409, Judgement::Away),
            (None, 429, Judgement::Away),
            (Some("NoSuchKey"), 404, Judgement::NotFound),
            (Some("InternalError"), 500, Judgement::Away),
            (Some("SlowDown"), 503, Judgement::Away),
        ] {
            assert_eq!(judge(code, Some(status)), expected, "{code:?} {status}");
        }
        assert_eq!(judge(None, None), Judgement::Away);
    }
}
