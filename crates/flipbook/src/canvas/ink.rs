//! What shapes, pictures and meshes are drawn with: colours, gradients, tints, corners.

/// Red, green, blue in 0 to 1, sRGB, not premultiplied; what lies outside is clamped when it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rgb(pub [f32; 3]);

impl Rgb {
    pub const BLACK: Self = Self([0.0; 3]);
    pub const WHITE: Self = Self([1.0; 3]);

    /// Of `0xrrggbb`.
    pub const fn hex(hex: u32) -> Self {
        Self([(hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0])
    }

    /// `share` of the way to `other`.
    pub fn mix(self, other: Self, share: f32) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + (other.0[i] - self.0[i]) * share))
    }

    pub fn times(self, factor: f32) -> Self {
        Self(self.0.map(|value| value * factor))
    }

    /// Channel by channel.
    pub fn tinted(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
}

/// A colour along a gradient: where (0 to 1), what, how opaque.
pub type Stop = (f32, Rgb, f32);

#[derive(Clone, Debug)]
pub enum Shade {
    Flat(Rgb, f32),
    Linear { from: [f32; 2], to: [f32; 2], stops: Vec<Stop> },
    Radial { centre: [f32; 2], radius: f32, stops: Vec<Stop> },
}

/// How a shape is filled.
#[derive(Clone, Debug)]
pub struct Ink {
    pub shade: Shade,
    /// Light: added to what is there.
    pub add: bool,
}

impl Ink {
    pub fn flat(colour: Rgb, alpha: f32) -> Self {
        Self { shade: Shade::Flat(colour, alpha), add: false }
    }

    /// Stops spread evenly.
    pub fn linear(from: [f32; 2], to: [f32; 2], stops: &[(Rgb, f32)]) -> Self {
        let last = stops.len().saturating_sub(1).max(1) as f32;
        let spread = stops.iter().enumerate().map(|(place, (colour, alpha))| (place as f32 / last, *colour, *alpha));
        Self { shade: Shade::Linear { from, to, stops: spread.collect() }, add: false }
    }

    /// Stops in the order of their places.
    pub fn linear_at(from: [f32; 2], to: [f32; 2], stops: &[Stop]) -> Self {
        Self { shade: Shade::Linear { from, to, stops: stops.to_vec() }, add: false }
    }

    /// Stops in the order of their places, the last of them at the rim.
    pub fn radial(centre: [f32; 2], radius: f32, stops: &[Stop]) -> Self {
        Self { shade: Shade::Radial { centre, radius, stops: stops.to_vec() }, add: false }
    }

    pub fn adding(self) -> Self {
        Self { add: true, ..self }
    }
}

/// What becomes of the colours of a picture: `colour x scale + offset`, alpha untouched (straight colours, not
/// premultiplied ones).
#[derive(Clone, Copy, Debug)]
pub struct Tint {
    pub scale: Rgb,
    pub offset: Rgb,
}

impl Tint {
    pub const NONE: Self = Self { scale: Rgb::WHITE, offset: Rgb::BLACK };

    /// A silhouette of one colour.
    pub fn solid(colour: Rgb) -> Self {
        Self { scale: Rgb::BLACK, offset: colour }
    }
}

/// A corner of a mesh: where on the canvas, and where in the picture, both in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    pub at: [f32; 2],
    pub from: [f32; 2],
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Puff {
    pub add: bool,
    pub firm: bool,
}
