//! Use cases and reconcilers, called alike by the pages' server functions, the public API and the
//! command line. The hidden decision: which rows and objects a use case touches, and in which order.

pub mod account;
pub mod config;
pub mod job;
pub mod key;
mod recent;
mod reconcile;

pub use account::{SignInError, SignUpError, User};
pub use job::{ContentError, Submission, SubmitError};
pub use key::{KeyError, NewKey};
pub use reconcile::{expire_leases, reconcile};
pub use store::{ApiKey, Order, PageQuery, StoreError};

use account::Passwords;
use domain::{
    Size,
    scheduling::{Fleet, StageCosts},
};
use recent::Recent;
use std::sync::Arc;
use store::{Store, objects::Objects};

/// Everything a use case needs, built once in `main` and cloned into handlers and loops.
#[derive(Clone)]
pub struct Services {
    pub store: Store,
    pub objects: Objects,
    passwords: Passwords,
    costs: Arc<Recent<(String, Size), Option<StageCosts>>>,
    fleet: Arc<Recent<(), Fleet>>,
}

impl Services {
    #[must_use]
    pub fn new(store: Store, objects: Objects) -> Self {
        Self { store, objects, passwords: Passwords::new(), costs: Arc::default(), fleet: Arc::default() }
    }
}
