//! Objects in S3 or anything that speaks its protocol.

/// Where the bucket is and who may use it.
#[derive(Debug, Clone)]
pub struct S3Config {
    pub endpoint: Option<String>,
    pub region: String,
    pub bucket: String,
    pub access_key: String,
    pub secret_key: String,
    pub path_style: bool,
}

pub struct S3Objects;
