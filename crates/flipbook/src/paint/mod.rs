//! The decoder: a layout and a time become a frame. Backdrops are painted by rule, drawings are cut-outs on a mesh.

pub mod film;

pub use view::{Seen, seen};

mod caption;
mod foreground;
mod interior;
mod kept;
mod lens;
mod light;
mod practices;
mod scenery;
mod shape;
mod sky;
mod style;
mod things;
mod view;
mod water;
mod weather;

pub use caption::writes;
pub use sky::has_open_sky;
pub use weather::shows_weather;
