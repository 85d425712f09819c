//! One file a page, with the forms it is answered by. All of it runs on the server.

pub mod admin;
pub mod create;
mod door;
pub mod fault;
pub mod home;
pub mod keys;
pub mod library;
pub mod reference;
pub mod sign_in;
pub mod sign_out;
pub mod sign_up;
mod snippets;
pub mod video;
