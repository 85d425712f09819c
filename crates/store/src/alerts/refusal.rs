//! Why a change of rules, addresses or silences is refused.

use crate::StoreError;

/// Why nothing was changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AlertRefusal {
    #[error("there is no such rule, address or silence")]
    Unknown,
    #[error("there are as many as there can be: delete one first")]
    Full,
    #[error("there is one of that name already")]
    Taken,
    #[error(transparent)]
    Store(#[from] StoreError),
}
