//! The second wall between tenants: what a statement sees that forgot whose rows it wants, and the same through a pool of connections.

mod pooled;
mod security;
