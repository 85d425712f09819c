//! Drawings of which one part turns about a point while the rest stands: mills, wheels, swings.

use super::pen::Palette;
use super::skeleton::{Affine, Anchors, Build, Figure, GROUND, Joint, Manner, Part, Shows, Stance};
use crate::codes::Kind;

/// The name, how the first element of the moving part begins (it is all that follows), and what it turns about.
const TURNING: [(&str, &str, [f32; 2]); 3] = [
    ("windmill", "<g transform=\"rotate(35", [16.0, 12.0]),
    ("ferris-wheel", "<path fill=\"#635994\"", [16.04, 13.69]),
    ("swing", "<path fill=\"none\" stroke=\"#8a8a96\"", [16.0, 4.5]),
];

/// What a drawing's part turns about, in units of its box of 32; `None` for drawings in one piece.
pub fn axis(name: &str) -> Option<[f32; 2]> {
    TURNING.iter().find(|(listed, ..)| *listed == name).map(|(.., axis)| *axis)
}

/// A drawing in two parts; `None` for those in one piece. `body` is the drawing's SVG.
pub fn turning(name: &str, body: &str) -> Option<Figure> {
    let (name, first, axis) = TURNING.iter().find(|(listed, ..)| *listed == name)?;
    let (still, moving) = body.split_at_checked(body.find(first)?)?;
    let part = |joint, parent, svg: &str| Part {
        joint,
        parent,
        pivot: *axis,
        depth: 0,
        svg: svg.to_owned(),
        shows: Shows::Always,
        contacts: Vec::new(),
    };
    Some(Figure {
        name,
        kind: Kind::Prop,
        metres: 1.0,
        facing: 0,
        parts: vec![part(Joint::Fixed, None, still), part(Joint::Root, Some(0), moving)],
        palette: Palette::default(),
        build: Build::Upright,
        manner: Manner::default(),
        coat: "",
        anchors: Anchors::default(),
        order: vec![0, 1],
        fit: Affine::IDENTITY,
        ground: GROUND,
        middle: [16.0, 16.0],
    })
}

/// Its moving part `angle` radians from how it is drawn, clockwise.
pub fn turned(angle: f32) -> Stance {
    let mut stance = Stance { afloat: true, ..Stance::rest() };
    stance[Joint::Root] = angle;
    stance
}
