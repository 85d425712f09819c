//! Pixels that are drawn from: a rasterised drawing or a part of one.

/// Premultiplied RGBA.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// `[r, g, b, a]`, premultiplied, row by row.
    pub pixels: Vec<[u8; 4]>,
}
