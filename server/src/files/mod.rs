//! What pages show beside themselves and send as files: the media of videos, mails that stay here, and tables to take away. And how a body in parts is read.

pub mod exports;
pub mod file_name;
pub mod mails;
pub mod media;
pub mod outputs;
pub mod parts;
