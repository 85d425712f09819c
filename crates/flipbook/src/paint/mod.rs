//! The decoder: a layout and a time become a frame. Backdrops are painted by rule, drawings are cut-outs on a mesh.

pub mod canvas;
pub mod film;

mod caption;
mod cutout;
mod effect;
mod foreground;
mod hands;
mod interior;
mod lens;
mod light;
mod scenery;
mod sky;
mod stamp;
mod style;
mod water;
mod weather;
