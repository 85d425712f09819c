//! Boxes: of what is drawn, and of the whole pixels that may be drawn on.

/// A box in pixels; empty where right does not lie beyond left, or bottom beyond top.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// Whole pixels that may be drawn on; right and bottom are outside, and never lie before left and top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
}

impl Bounds {
    pub fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// Nothing of it.
    pub fn none(self) -> Self {
        Self { right: self.left, bottom: self.top, ..self }
    }

    /// What of it lies between `low` and `high`, both in pixels. Pixels that are touched count.
    pub fn within(self, low: [f32; 2], high: [f32; 2]) -> Self {
        let whole = |value: f32| value.max(0.0) as usize; // saturates
        let inside = Self {
            left: self.left.max(whole(low[0].floor())),
            top: self.top.max(whole(low[1].floor())),
            right: self.right.min(whole(high[0].ceil())),
            bottom: self.bottom.min(whole(high[1].ceil())),
        };
        if inside.is_empty() { self.none() } else { inside }
    }
}
