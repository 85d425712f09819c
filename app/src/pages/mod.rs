//! The pages by audience, one file a page, with the forms it is answered by. All of it runs on the server.

pub mod account;
pub mod admin;
pub mod fault;
pub mod public;
mod snippets;
pub mod studio;
pub mod team;
