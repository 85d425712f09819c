//! The second wall between tenants: what a statement sees that forgot whose rows it wants, the same through a pool of connections, and what it costs.

mod cost;
mod pooled;
mod security;
