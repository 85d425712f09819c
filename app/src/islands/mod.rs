//! What moves in the browser. Each island is drawn on the server from its props and hydrated from the
//! same props, so its first picture needs no script and does not jump.

pub mod browser;
pub mod create;
pub mod live;
pub mod password;
pub mod theme;
