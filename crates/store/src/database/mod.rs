//! The database behind the store: opened, migrated, and written to in transactions.

pub(crate) mod connect;
pub(crate) mod group_commit;
pub(crate) mod write;
