//! Animated flat pictures: words become a scene, a scene becomes frames. All of it but the network that arranges the
//! scene, which lies in `diffusion`.
//!
//! `prompt -> story (words) -> brief -> layout (the network, or rules) -> settled layout -> poses -> frames`

pub mod canvas;
pub mod codes;
pub mod figures;
pub mod layout;
pub mod paint;
pub mod pose;
pub mod random;
pub mod scene;
pub mod sprites;
pub mod words;
