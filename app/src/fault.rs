//! Why a page or a form cannot be answered as asked.

use crate::http;
use axum::http::StatusCode;
use domain::{Forbidden, Permission};
use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};
use std::error::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    SignInFirst,
    NotFound,
    /// The role of whoever asks does not allow it.
    Forbidden,
    /// The form lacks a field or holds one that cannot be read.
    Malformed,
    /// The database is away; it will be back.
    Unavailable,
    /// Ours to mend; the cause is in the log.
    Internal,
}

impl Fault {
    fn unavailable(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "a page cannot be answered right now");
        http::answer_with(StatusCode::SERVICE_UNAVAILABLE);
        Self::Unavailable
    }

    pub fn internal(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "a page could not be answered");
        Self::Internal
    }
}

impl From<service::StoreError> for Fault {
    fn from(error: service::StoreError) -> Self {
        match error {
            service::StoreError::Database(_) => Self::unavailable(&error),
            service::StoreError::TenantGone(_) => {
                http::answer_with(StatusCode::NOT_FOUND);
                Self::NotFound
            }
            _ => Self::internal(&error),
        }
    }
}

/// What is the operator's is not there for others; what another role in the team allows is.
impl From<Forbidden> for Fault {
    fn from(forbidden: Forbidden) -> Self {
        use Permission::{
            ActForUsers, InspectInstallation, Maintain, ManageAlerts, ManageQueue, ManageWorkers, NameModels, PlaceModels, PublishStatus,
            ReadMails, ViewTenants,
        };
        let is_operators = matches!(
            forbidden.permission,
            ActForUsers
                | InspectInstallation
                | Maintain
                | ManageAlerts
                | ManageQueue
                | ManageWorkers
                | NameModels
                | PlaceModels
                | PublishStatus
                | ReadMails
                | ViewTenants
        );
        if is_operators {
            http::answer_with(StatusCode::NOT_FOUND);
            return Self::NotFound;
        }
        http::answer_with(StatusCode::FORBIDDEN);
        Self::Forbidden
    }
}

impl From<service::AccessError> for Fault {
    fn from(error: service::AccessError) -> Self {
        match error {
            service::AccessError::Forbidden(error) => error.into(),
            service::AccessError::Store(error) => error.into(),
        }
    }
}

impl From<service::QueueError> for Fault {
    fn from(error: service::QueueError) -> Self {
        match error {
            service::QueueError::Forbidden(error) => error.into(),
            service::QueueError::AfterUnknown => Self::NotFound,
            service::QueueError::Store(error) => error.into(),
        }
    }
}

impl From<service::billing::UsageError> for Fault {
    fn from(error: service::billing::UsageError) -> Self {
        match error {
            service::billing::UsageError::Forbidden(error) => error.into(),
            service::billing::UsageError::Store(error) => error.into(),
            error @ (service::billing::UsageError::Days | service::billing::UsageError::Rows) => Self::internal(&error),
        }
    }
}

impl From<tower_sessions::session::Error> for Fault {
    fn from(error: tower_sessions::session::Error) -> Self {
        Self::unavailable(&error)
    }
}

impl FromServerFnError for Fault {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => {
                http::answer_with(StatusCode::BAD_REQUEST);
                Self::Malformed
            }
            _ => Self::Internal,
        }
    }
}
