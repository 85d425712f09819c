//! Where the builders of figures put their parts together, and where a figure is fitted into its box.

use resvg::usvg;

use super::pen::{Palette, draw};
use super::skeleton::{Affine, Anchor, Anchors, Build, Figure, GROUND, Joint, Manner, Part, Shows, Stance};
use crate::codes::Kind;

/// A figure being built.
pub struct Rig {
    pub parts: Vec<Part>,
    pub palette: Palette,
    pub build: Build,
    pub manner: Manner,
    pub coat: &'static str,
    pub anchors: Anchors,
}

impl Rig {
    pub fn new(build: Build, palette: Palette, coat: &'static str) -> Self {
        Self { parts: Vec::new(), palette, build, manner: Manner::default(), coat, anchors: Anchors::default() }
    }

    /// `script` in the notation of [`super::pen`]; the part's index.
    pub fn add(&mut self, joint: Joint, parent: Option<usize>, pivot: [f32; 2], depth: i32, script: &str) -> usize {
        self.add_svg(joint, parent, pivot, depth, draw(script))
    }

    pub fn add_svg(&mut self, joint: Joint, parent: Option<usize>, pivot: [f32; 2], depth: i32, svg: String) -> usize {
        self.parts.push(Part { joint, parent, pivot, depth, svg, shows: Shows::Always, contacts: Vec::new() });
        self.parts.len() - 1
    }

    /// A part that is there at times, moves with its parent and lies on it.
    pub fn face(&mut self, parent: usize, depth: i32, shows: Shows, svg: String) {
        if svg.is_empty() {
            return;
        }
        let pivot = self.parts.get(parent).map_or([0.0; 2], |part| part.pivot);
        self.parts.push(Part { joint: Joint::Fixed, parent: Some(parent), pivot, depth, svg, shows, contacts: Vec::new() });
    }

    /// Points of a part that may stand on the ground.
    pub fn touches(&mut self, part: usize, points: &[[f32; 2]]) {
        if let Some(part) = self.parts.get_mut(part) {
            part.contacts.extend_from_slice(points);
        }
    }

    pub fn anchor(part: usize, at: [f32; 2]) -> Anchor {
        Anchor { part, at }
    }

    /// Fits the figure at rest into the box: its longer side 30 of 32 units, its feet on the ground line.
    pub fn finish(self, name: &'static str, kind: Kind, metres: f32) -> Figure {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        order.sort_by_key(|index| self.parts.get(*index).map_or(0, |part| part.depth));
        let mut figure = Figure {
            name,
            kind,
            metres,
            facing: -1,
            parts: self.parts,
            palette: self.palette,
            build: self.build,
            manner: self.manner,
            coat: self.coat,
            anchors: self.anchors,
            order,
            fit: Affine::IDENTITY,
            ground: GROUND,
            middle: [16.0, 16.0],
        };
        let rest = figure.stance(super::Gesture::Stand, 0.0, 0.5);
        let [left, top, right, bottom] = ink(&figure.svg(&rest)).unwrap_or([1.0, 1.0, 31.0, 31.0]);
        figure.middle = [(left + right) * 0.5, (top + bottom) * 0.5];
        // Feet stand where the lowest contact is: ink and contacts agree at rest.
        let lowest = figure.lowest_contact(&rest).unwrap_or(bottom);
        figure.ground = lowest;
        let bottom = bottom + figure.ground - GROUND;
        let top = top + figure.ground - GROUND;
        figure.middle[1] = (top + bottom) * 0.5;
        let scale = 30.0 / (right - left).max(bottom - top).max(1.0);
        figure.fit = Affine([scale, 0.0, 0.0, scale, 16.0 - scale * figure.middle[0], GROUND - scale * bottom]);
        figure
    }
}

impl Figure {
    fn lowest_contact(&self, stance: &Stance) -> Option<f32> {
        let places = self.places(&Stance { afloat: true, ..*stance });
        let lowest = self
            .parts
            .iter()
            .zip(places)
            .flat_map(|(part, place)| part.contacts.iter().map(move |at| place.of(*at)[1]))
            .fold(f32::NEG_INFINITY, f32::max);
        lowest.is_finite().then_some(lowest)
    }
}

/// Left, top, right, bottom of what SVG elements draw, in their own units; `None` when that is nothing.
pub fn ink(body: &str) -> Option<[f32; 4]> {
    const OFF: f32 = 256.0;
    let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"512\" height=\"512\" viewBox=\"-256 -256 512 512\">{body}</svg>");
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).ok()?;
    let mut found: Option<[f32; 4]> = None;
    union(tree.root(), &mut found);
    found.map(|area| area.map(|value| value - OFF))
}

fn union(group: &usvg::Group, found: &mut Option<[f32; 4]>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => union(inner, found),
            usvg::Node::Path(path) => {
                let area = path.abs_stroke_bounding_box();
                let [left, top, right, bottom] = found.unwrap_or([f32::MAX, f32::MAX, f32::MIN, f32::MIN]);
                *found = Some([left.min(area.left()), top.min(area.top()), right.max(area.right()), bottom.max(area.bottom())]);
            }
            _ => {}
        }
    }
}
