//! Pieces that several pages are made of; server-rendered, without a script of their own.

pub mod acts;
pub mod chart;
pub mod clip;
pub mod code;
pub mod confirm;
pub mod csv;
pub mod field;
pub mod frame;
pub mod icon;
pub mod margins;
pub mod moment;
pub mod numbers;
pub mod operator;
pub mod plan;
pub mod request_log;
pub mod table;
