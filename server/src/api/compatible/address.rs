//! Under which addresses a client finds us, for the addresses that answers carry.

use crate::{api::caller::Caller, config::HostName, context::Context, error::ApiError, files::outputs::OutputAddresses, http::FAL_PATH};
use axum::{
    extract::{FromRequestParts, Request, State},
    http::{Uri, header, request::Parts},
    middleware::Next,
    response::Response,
};
use domain::{Permission, Scope};
use std::{convert::Infallible, sync::Arc};

/// Files are fetched below it at every host.
const OUTPUTS_PATH: &str = "/outputs/";

/// Marks a request that came to the name which is fal's alone.
#[derive(Clone)]
struct AtFalHost(Arc<HostName>);

/// Leads requests to fal's host to its routes, which have no path in front there.
pub async fn at_fal_host(State(host): State<Arc<HostName>>, mut request: Request, next: Next) -> Response {
    let is_at_host = request.headers().get(header::HOST).is_some_and(|asked| host.is_host(asked));
    if is_at_host
        && !request.uri().path().starts_with(OUTPUTS_PATH)
        && let Some(uri) = below_fal(request.uri())
    {
        *request.uri_mut() = uri;
        request.extensions_mut().insert(AtFalHost(host));
    }
    next.run(request).await
}

fn below_fal(uri: &Uri) -> Option<Uri> {
    let path = uri.path_and_query()?.as_str().strip_prefix('/')?;
    format!("{FAL_PATH}{path}").parse().ok()
}

/// Where the client finds us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Of pages and files.
    pub origin: String,
    /// What the routes of the API that was called begin with.
    pub api: String,
}

impl FromRequestParts<Context> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, Infallible> {
        Ok(match parts.extensions.get() {
            // Its clients speak nothing but https.
            Some(AtFalHost(host)) => {
                let api = format!("https://{}", host.as_str());
                let origin = context.public_url.as_ref().map_or_else(|| api.clone(), |url| url.origin().to_owned());
                Self { origin, api }
            }
            None => {
                let origin = context.origin(&parts.headers);
                let path = if parts.uri.path().starts_with(FAL_PATH) { "/fal" } else { "/replicate" };
                Self { api: format!("{origin}{path}"), origin }
            }
        })
    }
}

/// Where the outputs of this caller's jobs are fetched; `None` of one who may not see them.
pub async fn outputs(context: &Context, caller: Caller, address: &Address) -> Result<Option<OutputAddresses>, ApiError> {
    if !may_read(caller) {
        return Ok(None);
    }
    let links = context.services.output_links(caller.actor()).await?;
    Ok(Some(OutputAddresses::new(address.origin.clone(), links)))
}

fn may_read(caller: Caller) -> bool {
    caller.0.owner.scopes.has(Scope::VideosRead) && caller.actor().require(Permission::ReadJobs).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_at_the_host_of_fal_is_one_below_its_own() {
        for (asked, led) in [
            ("/reelmill/tiny-1?fal_webhook=x", Some("/fal/reelmill/tiny-1?fal_webhook=x")),
            ("/", Some("/fal/")),
            ("/../v1/videos", Some("/fal/../v1/videos")),
            ("*", None),
        ] {
            assert_eq!(below_fal(&asked.parse().unwrap()).map(|uri| uri.to_string()).as_deref(), led, "{asked}");
        }
    }
}
