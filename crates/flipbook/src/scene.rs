//! What a prompt becomes on its way to a picture: a program (what was asked), a brief (what the network is told of it)
//! and a layout (where everything stands), all plain values.
//!
//! Lengths along x are in frame widths, along y in frame heights (y grows downwards), sizes in the frame's shorter side.

use crate::codes::{Act, Backdrop, Colour, Effect, Hour, Kind, Motion, Relation, Setting, Way, Weather};
use crate::sprites::SpriteId;

/// Things that a scene has room for.
pub const SLOTS: usize = 6;
/// Things of one name that are shown, however many were asked for.
pub const MOST_ALIKE: usize = 12;
/// Things that are drawn in one shot, all in all.
pub const MOST_DRAWN: usize = 18;
/// Numbers of a scene token.
pub const WIDTH: usize = 12;

/// One shot, as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub things: Vec<Thing>,
    pub backdrop: Backdrop,
    /// What the backdrop is in particular.
    pub setting: Option<Setting>,
    pub weather: Weather,
    pub hour: Hour,
    /// Northern lights over it.
    pub aurora: bool,
    /// What is written over the picture.
    pub caption: Option<String>,
}

/// A thing, or several alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub sprite: SpriteId,
    pub motion: Motion,
    pub colour: Option<Colour>,
    /// -2 tiny to 2 huge.
    pub size: i8,
    /// At least 1.
    pub count: usize,
    /// How it stands to `things[parent]`; `None` without a parent.
    pub relation: Relation,
    pub parent: Option<usize>,
    pub effect: Option<Effect>,
    /// What it does to its parent, or by itself.
    pub act: Option<Act>,
    /// Where it goes.
    pub course: Option<Course>,
    /// Not asked for: the place wanted some life.
    pub added: bool,
}

/// What the network is told of a program: traits in place of names, a slot for each copy.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    /// At most [`SLOTS`].
    pub slots: Vec<Slot>,
    pub backdrop: Backdrop,
    pub weather: Weather,
    pub hour: Hour,
    /// Width / height of the frame.
    pub aspect: f32,
    pub seconds: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub sprite: SpriteId,
    /// Index into the program's things.
    pub thing: usize,
    pub kind: Kind,
    pub motion: Motion,
    pub relation: Relation,
    /// Index into the brief's slots.
    pub parent: Option<usize>,
    pub size: i8,
    /// Natural height.
    pub metres: f32,
    /// Width / height of the ink.
    pub aspect: f32,
    /// -1 drawn facing left, 1 right, 0 neither.
    pub facing: i8,
    /// Which of `copies` it is.
    pub rank: usize,
    pub copies: usize,
    /// How many are drawn for it. Not known to the network, as the next.
    pub members: usize,
    pub act: Option<Act>,
    /// By a slot.
    pub course: Option<Course>,
}

/// The way somebody goes, and the thing (its index) by which they go; without one, the place itself is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    pub way: Way,
    pub by: Option<usize>,
}

/// Where everything stands and how it moves: the scene tokens with names.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub frame: FrameToken,
    /// One for each slot of the brief.
    pub objects: Vec<ObjectToken>,
}

/// The token of the frame as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameToken {
    /// 0.40 to 0.92 frame heights; over 1.05: none.
    pub horizon: f32,
    pub sun_x: f32,
    pub sun_y: f32,
    /// Of the colours, normal with deviation 0.3 and mean 0, as the next two.
    pub warmth: f32,
    pub saturation: f32,
    pub hue: f32,
    /// Frame widths over the clip, -2 to 2.
    pub pan: f32,
    /// Over the clip, 0 to 0.15.
    pub zoom: f32,
    pub clouds: f32,
    /// -1 to 1.
    pub wind: f32,
    pub relief: f32,
    pub density: f32,
}

/// The token of one object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObjectToken {
    /// Centre, at mid-clip.
    pub x: f32,
    /// Lowest ink, at mid-clip.
    pub y: f32,
    /// Longer side of the ink in frame-short-sides, 0.05 to 0.85 (the token holds its log2).
    pub size: f32,
    /// Turns.
    pub tilt: f32,
    /// 0 near to 1 far.
    pub depth: f32,
    /// Faces left below 0, right above.
    pub dir: f32,
    /// Travel over the clip.
    pub dx: f32,
    pub dy: f32,
    /// Of its motion, in frame heights or as a share.
    pub amp: f32,
    /// Per second.
    pub rate: f32,
    /// Turns.
    pub phase: f32,
    /// Share of the clip before it starts.
    pub entry: f32,
}

impl FrameToken {
    pub fn row(&self) -> [f32; WIDTH] {
        let Self { horizon, sun_x, sun_y, warmth, saturation, hue, pan, zoom, clouds, wind, relief, density } = *self;
        [horizon, sun_x, sun_y, warmth, saturation, hue, pan, zoom, clouds, wind, relief, density]
    }

    pub fn of_row(row: [f32; WIDTH]) -> Self {
        let [horizon, sun_x, sun_y, warmth, saturation, hue, pan, zoom, clouds, wind, relief, density] = row;
        Self { horizon, sun_x, sun_y, warmth, saturation, hue, pan, zoom, clouds, wind, relief, density }
    }
}

impl ObjectToken {
    pub fn row(&self) -> [f32; WIDTH] {
        let Self { x, y, size, tilt, depth, dir, dx, dy, amp, rate, phase, entry } = *self;
        [x, y, size.log2(), tilt, depth, dir, dx, dy, amp, rate, phase, entry]
    }

    pub fn of_row(row: [f32; WIDTH]) -> Self {
        let [x, y, size, tilt, depth, dir, dx, dy, amp, rate, phase, entry] = row;
        Self { x, y, size: size.exp2(), tilt, depth, dir, dx, dy, amp, rate, phase, entry }
    }
}

impl Layout {
    /// `[1 + objects][12]`, the frame's first.
    pub fn rows(&self) -> Vec<[f32; WIDTH]> {
        std::iter::once(self.frame.row()).chain(self.objects.iter().map(ObjectToken::row)).collect()
    }

    /// Of at least one row.
    pub fn of_rows(rows: &[[f32; WIDTH]]) -> Self {
        let (frame, objects) = rows.split_first().map_or_else(Default::default, |(frame, rest)| (*frame, rest));
        Self { frame: FrameToken::of_row(frame), objects: objects.iter().map(|row| ObjectToken::of_row(*row)).collect() }
    }
}
