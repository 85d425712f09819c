//! Files by links, which need no key and end after a while: what clients of other services are given as an output.

use super::media::{Asked, send_linked};
use crate::{
    context::Context,
    error::ApiError,
    http::{headers::RESOURCE_POLICY, in_flight::until_written},
};
use axum::{
    Extension,
    extract::{ConnectInfo, Path, State},
    http::{HeaderValue, header},
    response::Response,
};
use domain::{JobId, Timestamp};
use service::OutputLinks;
use std::net::SocketAddr;
use store::ArtifactKind;

/// `GET /outputs/{token}/{file}`. The name says no more than what kind of file it is.
pub async fn send(
    State(context): State<Context>,
    Path((token, file)): Path<(String, String)>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    asked: Asked,
) -> Result<Response, ApiError> {
    let link = context.services.output_link(&token).await?;
    if link.kind.file_name() != file {
        return Err(ApiError::RouteUnknown);
    }
    let address = address.map(|Extension(ConnectInfo(address))| address.ip());
    let shares = context.shares.linked(link.tenant, address).await.ok_or(ApiError::TooManyRequests)?;
    let mut response = send_linked(&context.services, link, &asked).await?;
    // Whoever has the link may show the file, on a page of theirs too.
    response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    Ok(until_written(shares, response))
}

/// Where what a job made is fetched without a key.
#[derive(Clone)]
pub struct OutputAddresses {
    origin: String,
    links: OutputLinks,
}

impl OutputAddresses {
    pub const fn new(origin: String, links: OutputLinks) -> Self {
        Self { origin, links }
    }

    /// The same, good from that moment on.
    pub fn good_from(&self, moment: Timestamp) -> Self {
        Self { origin: self.origin.clone(), links: self.links.good_from(moment) }
    }

    pub fn of(&self, job: JobId, kind: ArtifactKind) -> String {
        format!("{}/outputs/{}/{}", self.origin, self.links.token(job, kind), kind.file_name())
    }
}
