//! What pages show beside themselves: the media of videos, and mails that stay here.

pub mod mails;
pub mod media;
